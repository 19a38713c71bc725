# SPDX-License-Identifier: MIT
"""PyTorch's toy example: one function, one branch on a tensor's value, so one graph break and two resume functions."""

import argparse

import torch


def toy_example(a, b):
    x = a / (torch.abs(a) + 1)
    if b.sum() < 0:
        b = b * -1
    return x * b


def run(backend: str = "inductor", train: bool = False, seed: int = 0) -> list[torch.Tensor]:
    """Calls the compiled function on both sides of its branch; results, and gradients when training."""
    compiled = torch.compile(toy_example, backend=backend)
    torch.manual_seed(seed)
    results = []
    for sign in (1, -1, 1, -1):
        a = torch.randn(10, requires_grad=train)
        b = sign * torch.rand(10)
        out = compiled(a, b)
        results.append(out.detach())
        if train:
            out.sum().backward()
            results.append(a.grad)
    return results


def step(backend: str) -> None:
    """Calls the compiled function once more, within `depyf.debug()`."""
    import depyf

    compiled = torch.compile(toy_example, backend=backend)
    a, b = torch.randn(10), torch.rand(10)
    with depyf.debug():
        compiled(a, b)


def main() -> None:
    """Runs the toy example, under depyf when a folder is given."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--backend", default="inductor", help="eager, aot_eager or inductor")
    parser.add_argument("--train", action="store_true", help="also run backward")
    parser.add_argument("--dump", help="folder for what torch.compile does")
    parser.add_argument("--debug", action="store_true", help="then stop in pdb, to step through what was dumped")
    options = parser.parse_args()
    if options.dump:
        import depyf

        with depyf.prepare_debug(options.dump):
            results = run(options.backend, options.train)
    else:
        results = run(options.backend, options.train)
    if options.debug:
        step(options.backend)
    print(f"{len(results)} results, sum {sum(float(r.sum()) for r in results):.6f}")


if __name__ == "__main__":
    main()
