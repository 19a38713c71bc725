# SPDX-License-Identifier: MIT
"""Architectures that no package contains, written in plain PyTorch: TorchBench's own, and three newer ones."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from tools.zoo.spec import Model, Zoo, image, tokens


class PlainBert(nn.Module):
    """BERT as in TorchBench's BERT_pytorch: token, position and segment embeddings, and two heads."""

    class Block(nn.Module):
        """Self-attention and a feed-forward network, each after a norm and with a residual connection."""

        def __init__(self, width: int, heads: int) -> None:
            super().__init__()
            self.heads = heads
            self.project = nn.ModuleList(nn.Linear(width, width) for _ in range(3))
            self.output = nn.Linear(width, width)
            self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
            self.feed = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))
            self.dropout = nn.Dropout(0.0)

        def attend(self, x: Tensor, mask: Tensor) -> Tensor:
            """Scaled dot-product attention, written out."""
            batch, length, width = x.shape
            q, k, v = (p(x).view(batch, length, self.heads, -1).transpose(1, 2) for p in self.project)
            scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
            scores = scores.masked_fill(mask == 0, -1e9)
            return self.output((scores.softmax(-1) @ v).transpose(1, 2).reshape(batch, length, width))

        def forward(self, x: Tensor, mask: Tensor) -> Tensor:
            x = x + self.dropout(self.attend(self.norm1(x), mask))
            return x + self.dropout(self.feed(self.norm2(x)))

    def __init__(self, vocabulary: int = 64, width: int = 32, layers: int = 2, heads: int = 2) -> None:
        super().__init__()
        self.token = nn.Embedding(vocabulary, width, padding_idx=0)
        self.segment = nn.Embedding(3, width, padding_idx=0)
        position = torch.arange(64).unsqueeze(1) * torch.exp(torch.arange(0, width, 2) * -(math.log(1e4) / width))
        self.register_buffer("position", torch.stack([position.sin(), position.cos()], -1).flatten(1))
        self.blocks = nn.ModuleList(self.Block(width, heads) for _ in range(layers))
        self.next_sentence, self.masked = nn.Linear(width, 2), nn.Linear(width, vocabulary)

    def forward(self, x: Tensor, segments: Tensor) -> tuple[Tensor, Tensor]:
        mask = (x > 0).unsqueeze(1).repeat(1, x.size(1), 1).unsqueeze(1)
        h = self.token(x) + self.position[: x.size(1)] + self.segment(segments)
        for block in self.blocks:
            h = block(h, mask)
        return self.next_sentence(h[:, 0]).log_softmax(-1), self.masked(h).log_softmax(-1)


class Residual(nn.Module):
    """Two convolutions with a residual connection."""

    def __init__(self, width: int, norm: type[nn.Module] = nn.BatchNorm2d) -> None:
        super().__init__()
        self.body = nn.Sequential(
            nn.ReflectionPad2d(1), nn.Conv2d(width, width, 3), norm(width), nn.ReLU(True),
            nn.ReflectionPad2d(1), nn.Conv2d(width, width, 3), norm(width),
        )  # fmt: skip

    def forward(self, x: Tensor) -> Tensor:
        return x + self.body(x)


class Matting(nn.Module):
    """Background matting: four encoders, features combined with the image's, a decoder for alpha and foreground."""

    def __init__(self, width: int = 8) -> None:
        super().__init__()
        self.encoders = nn.ModuleList(self.encoder(channels, width) for channels in (3, 3, 1, 4))
        self.combine = nn.ModuleList(
            nn.Sequential(nn.Conv2d(8 * width, 2 * width, 1), nn.BatchNorm2d(2 * width), nn.ReLU(True))
            for _ in range(3)
        )
        self.shared = nn.Sequential(
            nn.Conv2d(10 * width, 4 * width, 1), nn.BatchNorm2d(4 * width), nn.ReLU(True), Residual(4 * width)
        )
        self.alpha, self.foreground = self.decoder(width, 1), self.decoder(width, 3)

    @staticmethod
    def encoder(channels: int, width: int) -> nn.Sequential:
        """Downsamples to a quarter of the size."""
        return nn.Sequential(
            nn.ReflectionPad2d(3), nn.Conv2d(channels, width, 7), nn.BatchNorm2d(width), nn.ReLU(True),
            nn.Conv2d(width, 2 * width, 3, 2, 1), nn.BatchNorm2d(2 * width), nn.ReLU(True),
            nn.Conv2d(2 * width, 4 * width, 3, 2, 1), nn.BatchNorm2d(4 * width), nn.ReLU(True),
        )  # fmt: skip

    @staticmethod
    def decoder(width: int, channels: int) -> nn.Sequential:
        """Upsamples to the full size."""
        return nn.Sequential(
            Residual(4 * width), nn.Upsample(scale_factor=2, mode="bilinear", align_corners=True),
            nn.Conv2d(4 * width, 2 * width, 3, 1, 1), nn.BatchNorm2d(2 * width), nn.ReLU(True),
            nn.Upsample(scale_factor=2, mode="bilinear", align_corners=True),
            nn.Conv2d(2 * width, width, 3, 1, 1), nn.BatchNorm2d(width), nn.ReLU(True),
            nn.ReflectionPad2d(3), nn.Conv2d(width, channels, 7), nn.Tanh(),
        )  # fmt: skip

    def forward(self, image: Tensor, back: Tensor, segment: Tensor, motion: Tensor) -> tuple[Tensor, Tensor]:
        first, *others = [e(x) for e, x in zip(self.encoders, (image, back, segment, motion), strict=True)]
        combined = [combine(torch.cat([first, other], 1)) for combine, other in zip(self.combine, others, strict=True)]
        shared = self.shared(torch.cat([first, *combined], 1))
        return self.alpha(shared), self.foreground(shared)


class Painter(nn.Module):
    """Learning to paint: a residual actor that selects strokes, and the neural renderer that draws them."""

    def __init__(self, width: int = 8, strokes: int = 2) -> None:
        super().__init__()
        self.strokes = strokes
        self.actor = nn.Sequential(
            nn.Conv2d(9, width, 3, 2, 1), nn.BatchNorm2d(width), nn.ReLU(), Residual(width), nn.AdaptiveAvgPool2d(1),
            nn.Flatten(), nn.Linear(width, 13 * strokes), nn.Sigmoid(),
        )  # fmt: skip
        self.lift = nn.Sequential(nn.Linear(10, 32), nn.ReLU(), nn.Linear(32, 16 * 8 * 8), nn.ReLU())
        self.draw = nn.Sequential(
            nn.Conv2d(16, 32, 3, 1, 1), nn.ReLU(), nn.Conv2d(32, 16, 3, 1, 1), nn.PixelShuffle(2),
            nn.Conv2d(4, 16, 3, 1, 1), nn.ReLU(), nn.Conv2d(16, 16, 3, 1, 1), nn.PixelShuffle(4), nn.Sigmoid(),
        )  # fmt: skip

    def render(self, stroke: Tensor) -> Tensor:
        """Returns the opacity of strokes at each point."""
        return 1 - self.draw(self.lift(stroke).view(-1, 16, 8, 8))[:, :1]

    def forward(self, canvas: Tensor, target: Tensor, step: Tensor) -> tuple[Tensor, Tensor]:
        actions = self.actor(torch.cat([canvas, target, step, canvas - target], 1)[:, :9])
        for stroke in actions.view(-1, self.strokes, 13).unbind(1):
            opaque = self.render(stroke[:, :10])
            canvas = canvas * (1 - opaque) + opaque * stroke[:, 10:, None, None]
        return canvas, ((canvas - target) ** 2).mean((1, 2, 3))


class Generator(nn.Module):
    """DCGAN: the generator and the discriminator."""

    def __init__(self, noise: int = 16, width: int = 8) -> None:
        super().__init__()
        steps = [(noise, 8, 4, 1, 0), (8 * width, 4, 4, 2, 1), (4 * width, 2, 4, 2, 1), (2 * width, 1, 4, 2, 1)]
        layers: list[nn.Module] = []
        for channels, factor, kernel, stride, padding in steps:
            layers += [
                nn.ConvTranspose2d(channels, factor * width, kernel, stride, padding, bias=False),
                nn.BatchNorm2d(factor * width),
                nn.ReLU(True),
            ]
        self.generate = nn.Sequential(*layers, nn.ConvTranspose2d(width, 3, 4, 2, 1, bias=False), nn.Tanh())
        self.judge = nn.Sequential(
            nn.Conv2d(3, width, 4, 2, 1, bias=False), nn.LeakyReLU(0.2, True),
            nn.Conv2d(width, 2 * width, 4, 2, 1, bias=False), nn.BatchNorm2d(2 * width), nn.LeakyReLU(0.2, True),
            nn.Conv2d(2 * width, 1, 16, 1, 0, bias=False), nn.Sigmoid(),
        )  # fmt: skip

    def forward(self, z: Tensor) -> Tensor:
        return self.judge(self.generate(z)).flatten()


class Recommender(nn.Module):
    """NVIDIA's deep recommender: an autoencoder over item ratings with tied sizes and SELU."""

    def __init__(self, items: int = 48, sizes: tuple[int, ...] = (16, 16, 32)) -> None:
        super().__init__()
        widths = [items, *sizes]
        self.encode = nn.ModuleList(nn.Linear(a, b) for a, b in pairwise(widths))
        widths.reverse()
        self.decode = nn.ModuleList(nn.Linear(a, b) for a, b in pairwise(widths))
        self.dropout = nn.Dropout(0.0)

    def forward(self, ratings: Tensor) -> tuple[Tensor, Tensor]:
        x = ratings
        for layer in self.encode:
            x = F.selu(layer(x))
        x = self.dropout(x)
        for i, layer in enumerate(self.decode):
            x = layer(x)
            if i + 1 < len(self.decode):
                x = F.selu(x)
        mask = ratings != 0
        return x, F.mse_loss(x * mask, ratings, reduction="sum") / mask.sum().clamp(min=1)


class UNet(nn.Module):
    """U-Net: downsampling by pooling, upsampling by transposed convolution, with skip connections."""

    def __init__(self, width: int = 8, depth: int = 3, channels: int = 3, classes: int = 2) -> None:
        super().__init__()
        widths = [width * 2**i for i in range(depth + 1)]
        self.first = self.double(channels, width)
        self.down = nn.ModuleList(self.double(a, b) for a, b in pairwise(widths))
        self.grow = nn.ModuleList(nn.ConvTranspose2d(b, a, 2, 2) for a, b in pairwise(widths))
        self.up = nn.ModuleList(self.double(2 * a, a) for a in widths[:-1])
        self.out = nn.Conv2d(width, classes, 1)

    @staticmethod
    def double(channels: int, width: int) -> nn.Sequential:
        """Two convolutions with norms."""
        return nn.Sequential(
            nn.Conv2d(channels, width, 3, padding=1, bias=False), nn.BatchNorm2d(width), nn.ReLU(inplace=True),
            nn.Conv2d(width, width, 3, padding=1, bias=False), nn.BatchNorm2d(width), nn.ReLU(inplace=True),
        )  # fmt: skip

    def forward(self, x: Tensor) -> Tensor:
        kept = [self.first(x)]
        for layer in self.down:
            kept.append(layer(F.max_pool2d(kept[-1], 2)))
        x = kept.pop()
        for grow, layer in zip(reversed(self.grow), reversed(self.up), strict=True):
            x, beside = grow(x), kept.pop()
            dy, dx = beside.size(2) - x.size(2), beside.size(3) - x.size(3)
            x = F.pad(x, [dx // 2, dx - dx // 2, dy // 2, dy - dy // 2])
            x = layer(torch.cat([beside, x], 1))
        return self.out(x)


def timestep_embedding(t: Tensor, width: int) -> Tensor:
    """Sinusoidal embedding of a diffusion time."""
    rates = torch.exp(-math.log(1e4) * torch.arange(width // 2, device=t.device) / (width // 2))
    angles = t[:, None].float() * rates
    return torch.cat([angles.cos(), angles.sin()], -1)


class DiffusionUNet(nn.Module):
    """A diffusion U-Net: residual blocks conditioned on the time, attention at the bottom; predicts the noise."""

    class Block(nn.Module):
        """A residual block that adds the time's embedding."""

        def __init__(self, channels: int, width: int, time: int) -> None:
            super().__init__()
            self.norm1, self.conv1 = nn.GroupNorm(4, channels), nn.Conv2d(channels, width, 3, padding=1)
            self.time = nn.Linear(time, width)
            self.norm2, self.conv2 = nn.GroupNorm(4, width), nn.Conv2d(width, width, 3, padding=1)
            self.way = nn.Conv2d(channels, width, 1) if channels != width else nn.Identity()

        def forward(self, x: Tensor, time: Tensor) -> Tensor:
            h = self.conv1(F.silu(self.norm1(x))) + self.time(time)[:, :, None, None]
            return self.way(x) + self.conv2(F.silu(self.norm2(h)))

    def __init__(self, width: int = 16) -> None:
        super().__init__()
        self.width = width
        self.embed = nn.Sequential(nn.Linear(width, 4 * width), nn.SiLU(), nn.Linear(4 * width, 4 * width))
        self.enter = nn.Conv2d(3, width, 3, padding=1)
        self.down = nn.ModuleList([self.Block(width, width, 4 * width), self.Block(width, 2 * width, 4 * width)])
        self.attention = nn.MultiheadAttention(2 * width, 2, batch_first=True)
        self.middle = self.Block(2 * width, 2 * width, 4 * width)
        self.up = nn.ModuleList([self.Block(4 * width, width, 4 * width), self.Block(2 * width, width, 4 * width)])
        self.leave = nn.Conv2d(width, 3, 3, padding=1)

    def forward(self, x: Tensor, t: Tensor) -> Tensor:
        time = self.embed(timestep_embedding(t, self.width))
        x = self.enter(x)
        kept = []
        for block in self.down:
            x = block(x, time)
            kept.append(x)
            x = F.avg_pool2d(x, 2)
        flat = x.flatten(2).transpose(1, 2)
        x = x + self.attention(flat, flat, flat, need_weights=False)[0].transpose(1, 2).view_as(x)
        x = self.middle(x, time)
        for block in self.up:
            x = block(torch.cat([F.interpolate(x, scale_factor=2.0), kept.pop()], 1), time)
        return self.leave(F.silu(x))


class DiT(nn.Module):
    """A diffusion transformer: patches, blocks modulated by time and class (adaLN-Zero), and patches again."""

    class Block(nn.Module):
        """Attention and a feed-forward network, each shifted, scaled and gated by the condition."""

        def __init__(self, width: int, heads: int) -> None:
            super().__init__()
            self.heads = heads
            self.norm1 = nn.LayerNorm(width, elementwise_affine=False)
            self.norm2 = nn.LayerNorm(width, elementwise_affine=False)
            self.qkv, self.output = nn.Linear(width, 3 * width), nn.Linear(width, width)
            self.feed = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))
            self.modulate = nn.Sequential(nn.SiLU(), nn.Linear(width, 6 * width))

        def forward(self, x: Tensor, condition: Tensor) -> Tensor:
            shift1, scale1, gate1, shift2, scale2, gate2 = self.modulate(condition).unsqueeze(1).chunk(6, -1)
            h = self.norm1(x) * (1 + scale1) + shift1
            q, k, v = self.qkv(h).unflatten(-1, (3, self.heads, -1)).permute(2, 0, 3, 1, 4)
            x = x + gate1 * self.output(F.scaled_dot_product_attention(q, k, v).transpose(1, 2).flatten(2))
            return x + gate2 * self.feed(self.norm2(x) * (1 + scale2) + shift2)

    def __init__(self, width: int = 32, depth: int = 2, patch: int = 4, classes: int = 10) -> None:
        super().__init__()
        self.width, self.patch = width, patch
        self.enter = nn.Conv2d(4, width, patch, patch)
        self.time = nn.Sequential(nn.Linear(width, width), nn.SiLU(), nn.Linear(width, width))
        self.label = nn.Embedding(classes, width)
        self.blocks = nn.ModuleList(self.Block(width, 2) for _ in range(depth))
        self.leave = nn.Linear(width, 4 * patch * patch)

    def forward(self, x: Tensor, t: Tensor, y: Tensor) -> Tensor:
        side = x.size(-1) // self.patch
        condition = self.time(timestep_embedding(t, self.width)) + self.label(y)
        h = self.enter(x).flatten(2).transpose(1, 2)
        for block in self.blocks:
            h = block(h, condition)
        h = self.leave(h).view(-1, side, side, self.patch, self.patch, 4)
        return h.permute(0, 5, 1, 3, 2, 4).reshape_as(x)


class Decoder(nn.Module):
    """A decoding step as in vLLM: new tokens' keys and values are written to a paged cache that attention reads."""

    def __init__(self, vocabulary: int = 64, width: int = 32, layers: int = 2, heads: int = 2) -> None:
        super().__init__()
        self.heads, self.block = heads, 4
        self.embed = nn.Embedding(vocabulary, width)
        self.norms = nn.ModuleList(nn.RMSNorm(width) for _ in range(2 * layers))
        self.qkv = nn.ModuleList(nn.Linear(width, 3 * width, bias=False) for _ in range(layers))
        self.output = nn.ModuleList(nn.Linear(width, width, bias=False) for _ in range(layers))
        self.gate = nn.ModuleList(nn.Linear(width, 4 * width, bias=False) for _ in range(layers))
        self.feed = nn.ModuleList(nn.Linear(2 * width, width, bias=False) for _ in range(layers))
        self.final = nn.RMSNorm(width)

    def attend(self, qkv: Tensor, cache: Tensor, slots: Tensor, tables: Tensor, lengths: Tensor) -> Tensor:
        """One layer's attention; writes the new tokens' keys and values into the cache."""
        q, k, v = qkv.unflatten(-1, (3, self.heads, -1)).unbind(1)
        cache = cache.index_put((slots // self.block, slots % self.block), torch.stack([k, v], 1))
        keys, values = cache[tables].flatten(1, 2).unbind(2)
        scores = torch.einsum("thd,tlhd->thl", q, keys) / math.sqrt(q.size(-1))
        past = torch.arange(keys.size(1), device=q.device) >= lengths[:, None]
        return torch.einsum("thl,tlhd->thd", scores.masked_fill(past[:, None], -torch.inf).softmax(-1), values).flatten(
            1
        )

    def forward(self, ids: Tensor, slots: Tensor, tables: Tensor, lengths: Tensor, caches: list[Tensor]) -> Tensor:
        x = self.embed(ids)
        for i, cache in enumerate(caches):
            x = x + self.output[i](self.attend(self.qkv[i](self.norms[2 * i](x)), cache, slots, tables, lengths))
            gate, up = self.gate[i](self.norms[2 * i + 1](x)).chunk(2, -1)
            x = x + self.feed[i](F.silu(gate) * up)
        return self.final(x) @ self.embed.weight.t()


def _decode_step() -> tuple[nn.Module, dict[str, Any]]:
    caches = [torch.randn(8, 4, 2, 2, 16) for _ in range(2)]
    return Decoder(), {
        "ids": tokens(batch=1, length=3)[0],
        "slots": torch.tensor([2, 9, 17]),
        "tables": torch.tensor([[0, 1], [2, 3], [4, 5]]),
        "lengths": torch.tensor([3, 2, 2]),
        "caches": caches,
    }


def add_to(zoo: Zoo) -> None:
    """Adds TorchBench's own models and three newer ones."""
    times = torch.tensor([3, 70])
    plain: dict[str, tuple[Any, str]] = {
        "BERT_pytorch": (
            lambda: (PlainBert(), {"x": tokens(), "segments": torch.ones(2, 16, dtype=torch.long)}),
            "TorchBench's BERT_pytorch, two narrow blocks",
        ),
        "Background_Matting": (
            lambda: (
                Matting(),
                {"image": image(32), "back": image(32), "segment": image(32, 1), "motion": image(32, 4)},
            ),
            "TorchBench's Background_Matting, narrow, 32 by 32",
        ),
        "LearningToPaint": (
            lambda: (Painter(), {"canvas": image(64), "target": image(64), "step": torch.rand(2, 1, 64, 64)}),
            "TorchBench's LearningToPaint: actor and renderer, narrow",
        ),
        "dcgan": (lambda: (Generator(), {"z": torch.randn(2, 16, 1, 1)}), "TorchBench's dcgan, narrow, 64 by 64"),
        "nvidia_deeprecommender": (
            lambda: (Recommender(), {"ratings": torch.randint(0, 6, (4, 48)).float()}),
            "TorchBench's nvidia_deeprecommender, 48 items",
        ),
        "pytorch_unet": (lambda: (UNet(), {"x": image(36)}), "TorchBench's pytorch_unet, three levels"),
    }
    for name, (build, note) in plain.items():
        zoo.add(Model(name, "plain", build, note))
    today: dict[str, tuple[Any, str]] = {
        "DiffusionUNet": (lambda: (DiffusionUNet(), {"x": image(16), "t": times}), "a denoising U-Net with attention"),
        "DiT": (
            lambda: (DiT(), {"x": image(16, 4), "t": times, "y": torch.tensor([1, 2])}),
            "a diffusion transformer with adaLN-Zero",
        ),
        "vLLM_decode": (_decode_step, "a vLLM-style decoding step over a paged key-value cache"),
    }
    for name, (build, note) in today.items():
        zoo.add(Model(name, "today", build, note))
