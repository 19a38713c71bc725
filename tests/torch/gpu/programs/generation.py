# SPDX-License-Identifier: MIT
"""Tokens one after another from a small decoder: a cache of fixed size written in place, CUDA graphs of each step."""

import torch
from said import say


class Attention(torch.nn.Module):
    def __init__(self, width, heads, length):
        super().__init__()
        self.heads = heads
        self.qkv = torch.nn.Linear(width, 3 * width, bias=False)
        self.out = torch.nn.Linear(width, width, bias=False)
        self.register_buffer("keys", torch.zeros(1, heads, length, width // heads))
        self.register_buffer("values", torch.zeros(1, heads, length, width // heads))

    def forward(self, x, position, mask):
        batch, length, width = x.shape
        q, k, v = self.qkv(x).view(batch, length, 3, self.heads, width // self.heads).permute(2, 0, 3, 1, 4)
        self.keys[:, :, position] = k
        self.values[:, :, position] = v
        out = torch.nn.functional.scaled_dot_product_attention(q, self.keys, self.values, attn_mask=mask)
        return self.out(out.transpose(1, 2).reshape(batch, length, width))


class Decoder(torch.nn.Module):
    def __init__(self, words=64, width=64, heads=4, length=32, layers=2):
        super().__init__()
        self.words = torch.nn.Embedding(words, width)
        self.layers = torch.nn.ModuleList(Attention(width, heads, length) for _ in range(layers))
        self.norm = torch.nn.RMSNorm(width)
        self.register_buffer("causal", torch.tril(torch.ones(length, length, dtype=torch.bool)))

    def forward(self, tokens, position):
        x = self.words(tokens)
        mask = self.causal[None, None, position]
        for layer in self.layers:
            x = x + layer(self.norm(x), position, mask)
        return x @ self.words.weight.T


torch.manual_seed(0)
model = Decoder().cuda().half().eval()
step = torch.compile(model, mode="reduce-overhead", fullgraph=True)

with torch.no_grad():
    prompt = torch.arange(7, device="cuda")[None]
    logits = model(prompt, torch.arange(7, device="cuda"))  # the prompt is read without a compiler
    token = logits[:, -1:].argmax(-1)
    for place in range(7, 15):
        torch.compiler.cudagraph_mark_step_begin()
        logits = step(token, torch.tensor([place], device="cuda"))
        token = logits[:, -1:].argmax(-1).clone()
        say(logits)
        print(token.item())
