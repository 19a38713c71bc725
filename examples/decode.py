# SPDX-License-Identifier: MIT
"""A decode loop whose time goes into guards and dispatch: found with depyf, cured with a custom dispatcher, measured.

Sequences of different lengths take turns, as a server's do. Each key-value cache has one of a few sizes, so that
torch.compile makes an entry for each size; a call evaluates the guards of one entry after the other until one takes it.
The server knows the size, and with it the entry.
"""

import argparse
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import depyf
import torch
from depyf.optimization import TorchCompileWrapperWithCustomDispatcher
from torch import nn
from torch.nn import functional

SIZES = (16, 32, 48, 64)  # of key-value caches


class Layer(nn.Module):
    """Attention of one new token over a cache, and a feed-forward network."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.before, self.after = nn.LayerNorm(width), nn.LayerNorm(width)
        self.query, self.out = nn.Linear(width, width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 2 * width), nn.Linear(2 * width, width)

    def forward(self, x, keys, values):
        weights = torch.softmax(self.query(self.before(x)) @ keys.T, dim=-1)
        x = x + self.out(weights @ values)
        return x + self.down(functional.gelu(self.up(self.after(x))))


class Server(TorchCompileWrapperWithCustomDispatcher):
    """A decoder. `dispatch = True`: the entry is chosen by the cache's size, and its guards are not evaluated."""

    def __init__(self, layers: int, width: int, backend: str) -> None:
        self.layers = nn.ModuleList(Layer(width) for _ in range(layers)).eval()
        self.dispatch = False
        self.entry_of: dict[int, int] = {}  # size of the cache -> which compiled entry
        super().__init__(torch.compile(self.forward, dynamic=False, backend=backend))

    def forward(self, x, cache):
        for number, layer in enumerate(self.layers):
            x = layer(x, cache[number, 0], cache[number, 1])
        return x

    def __call__(self, x, cache):
        size = cache.shape[2]
        if not self.dispatch or size not in self.entry_of:
            result = self.compiled_callable(x, cache)
            self.entry_of.setdefault(size, len(self.compiled_codes) - 1)
            return result
        with self.dispatch_to_code(self.entry_of[size]):
            return self.forward(x, cache)


def per_token(call, inputs, rounds: int) -> float:
    """Microseconds of a call: the best of the rounds, each with every input in turn."""
    best = float("inf")
    for _ in range(rounds):
        begin = time.perf_counter()
        for given in inputs:
            call(*given)
        best = min(best, time.perf_counter() - begin)
    return best / len(inputs) * 1e6


def main() -> None:
    """Prints what depyf finds, and the time of a token before and after."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--backend", default="inductor", help="eager, aot_eager or inductor")
    parser.add_argument("--layers", type=int, default=12)
    parser.add_argument("--width", type=int, default=16)
    parser.add_argument("--rounds", type=int, default=300)
    parser.add_argument("--dump", type=Path, help="keep what torch.compile did in this folder")
    options = parser.parse_args()
    torch.manual_seed(0)
    torch.set_num_threads(1)
    server = Server(options.layers, options.width, options.backend)
    inputs = [(torch.rand(1, options.width), torch.rand(options.layers, 2, size, options.width)) for size in SIZES]
    with torch.no_grad(), TemporaryDirectory() as folder:
        expected = [server.forward(*given) for given in inputs]
        with depyf.prepare_debug(options.dump or folder) as session:
            before = [server(*given) for given in inputs]
        guards = [len(entry.checks) for entry in session.run.entries]
        print(f"{len(guards)} entries, tried one after the other; guards of each: {', '.join(map(str, guards))}")
        for recompile in session.run.recompiles:
            print(f"  [{recompile.compile_id}] because {recompile.reason}")
        slow = per_token(server, inputs, options.rounds)
        server.dispatch = True
        after = [server(*given) for given in inputs]
        fast = per_token(server, inputs, options.rounds)
    for wanted, one, other in zip(expected, before, after, strict=True):
        torch.testing.assert_close(one, wanted)
        assert torch.equal(one, other)
    print(f"a token, torch.compile:     {slow:8.1f} us")
    print(f"a token, custom dispatcher: {fast:8.1f} us, the same results")
    print(f"guards and dispatch were {100 * (slow - fast) / slow:.0f} % of a token's time")


if __name__ == "__main__":
    main()
