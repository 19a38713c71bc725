# SPDX-License-Identifier: MIT
"""Models of timm and torchvision with random weights, on small images, shallower where their builders allow it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from tools.zoo.spec import Model, Zoo, define_missing_operators, image

_SIZE = 64
_SHALLOW = {"layers": (1, 1, 1, 1)}
_VIT = {"depth": 2, "img_size": _SIZE, "embed_dim": 48, "num_heads": 3}
_TWINS = {"img_size": _SIZE, "depths": (1, 1, 1, 1), "embed_dims": (16, 32, 48, 64), "num_heads": (1, 2, 3, 4)}
_MLP = {"img_size": _SIZE}
_NFNET = {"depths": (1, 1, 2, 1)}
# name in the paper -> (timm's name, options that make it smaller, size of the images)
_TIMM: dict[str, tuple[str, dict[str, Any], int]] = {
    "gluon_inception_v3": ("inception_v3", {}, 96),
    "inception_v3": ("inception_v3", {}, 96),
    "adv_inception_v3": ("inception_v3", {}, 96),
    "beit_base_patch16_224": ("beit_base_patch16_224", _VIT, _SIZE),
    "botnet26t_256": ("botnet26t_256", {"img_size": 128}, 128),
    "eca_botnext26ts_256": ("eca_botnext26ts_256", {"img_size": 128}, 128),
    "sebotnet33ts_256": ("sebotnet33ts_256", {"img_size": 128}, 128),
    "cait_m36_384": ("cait_m36_384", {**_VIT, "depth_token_only": 1}, _SIZE),
    "coat_lite_mini": ("coat_lite_mini", {"img_size": _SIZE, "serial_depths": (1, 1, 1, 1)}, _SIZE),
    "convit_base": ("convit_base", {**_VIT, "local_up_to_layer": 1}, _SIZE),
    "convmixer_768_32": ("convmixer_768_32", {}, 32),
    "convnext_base": ("convnext_base", {"depths": (1, 1, 1, 1), "dims": (8, 16, 24, 32)}, _SIZE),
    "crossvit_9_240": ("crossvit_9_240", {}, 240),
    "cspdarknet53": ("cspdarknet53", {}, _SIZE),
    "deit_base_distilled_patch16_224": ("deit_base_distilled_patch16_224", _VIT, _SIZE),
    "dla102": ("dla102", {"levels": (1, 1, 1, 1, 1, 1)}, _SIZE),
    "dm_nfnet_f0": ("dm_nfnet_f0", _NFNET, _SIZE),
    "nfnet_l0": ("nfnet_l0", _NFNET, _SIZE),
    "timm_nfnet": ("dm_nfnet_f0", _NFNET, _SIZE),
    "dpn107": ("dpn107", {"k_sec": (1, 1, 1, 1)}, _SIZE),
    "eca_halonext26ts": ("eca_halonext26ts", {}, 256),
    "ese_vovnet19b_dw": ("ese_vovnet19b_dw", {}, _SIZE),
    "timm_vovnet": ("ese_vovnet19b_dw", {}, _SIZE),
    "fbnetc_100": ("fbnetc_100", {}, _SIZE),
    "fbnetv3_b": ("fbnetv3_b", {}, _SIZE),
    "gernet_1": ("gernet_l", {}, _SIZE),
    "ghostnet_100": ("ghostnet_100", {}, _SIZE),
    "mixer_b16_224": ("mixer_b16_224", _MLP, _SIZE),
    "gmixer_24_224": ("gmixer_24_224", _MLP, _SIZE),
    "gmlp_s16_224": ("gmlp_s16_224", _MLP, _SIZE),
    "hrnet_w18": ("hrnet_w18_small", {}, _SIZE),
    "jx_nest_base": ("nest_base_jx", {"img_size": _SIZE}, _SIZE),
    "lcnet_050": ("lcnet_050", {}, _SIZE),
    "levit_128": ("levit_128", {"depth": (1, 1, 1), "img_size": 112}, 112),
    "mixnet_1": ("mixnet_l", {}, _SIZE),
    "tf_mixnet_1": ("tf_mixnet_l", {}, _SIZE),
    "mnasnet_100": ("mnasnet_100", {}, _SIZE),
    "mobilenetv2_100": ("mobilenetv2_100", {}, _SIZE),
    "mobilenetv3_large_100": ("mobilenetv3_large_100", {}, _SIZE),
    "mobilevit_s": ("mobilevit_s", {}, _SIZE),
    "pit_b_224": ("pit_b_224", {"img_size": _SIZE, "depth": (1, 1, 1)}, _SIZE),
    "pnasnet5large": ("pnasnet5large", {}, 96),
    "poolformer_m36": ("poolformer_m36", {}, _SIZE),
    "regnety_002": ("regnety_002", {}, _SIZE),
    "timm_regnet": ("regnety_002", {}, _SIZE),
    "repvgg_a2": ("repvgg_a2", {}, _SIZE),
    "res2net101_26w_4s": ("res2net101_26w_4s", _SHALLOW, _SIZE),
    "res2net50_14w_8s": ("res2net50_14w_8s", _SHALLOW, _SIZE),
    "res2next50": ("res2next50", _SHALLOW, _SIZE),
    "resmlp_12_224": ("resmlp_12_224", _MLP, _SIZE),
    "resnest101e": ("resnest101e", _SHALLOW, _SIZE),
    "timm_resnest": ("resnest14d", {}, _SIZE),
    "rexnet_100": ("rexnet_100", {}, _SIZE),
    "selecsls42b": ("selecsls42b", {}, _SIZE),
    "spnasnet_100": ("spnasnet_100", {}, _SIZE),
    "swin_base_patch4_window7_224": (
        "swin_base_patch4_window7_224",
        {"img_size": 56, "depths": (1, 1), "embed_dim": 24, "num_heads": (2, 2)},
        56,
    ),
    "swsl_resnext101_32x16d": ("resnext101_32x16d", {**_SHALLOW, "base_width": 1}, _SIZE),
    "tf_efficientnet_b0": ("tf_efficientnet_b0", {}, _SIZE),
    "timm_efficientnet": ("efficientnet_b0", {}, _SIZE),
    "tinynet_a": ("tinynet_a", {}, _SIZE),
    "tnt_s_patch16_224": ("tnt_s_patch16_224", {"depth": 2, "img_size": _SIZE}, _SIZE),
    "twins_pcpvt_base": ("twins_pcpvt_base", _TWINS, _SIZE),
    "visformer_small": ("visformer_small", {"img_size": _SIZE, "depth": (1, 1, 1)}, _SIZE),
    "vit_base_patch16_224": ("vit_base_patch16_224", _VIT, _SIZE),
    "timm_vision_transformer": ("vit_base_patch16_224", _VIT, _SIZE),
    "volo_d1_224": ("volo_d1_224", {"img_size": _SIZE}, _SIZE),
    "xcit_large_24_p8_224": ("xcit_large_24_p8_224", {**_VIT, "cls_attn_layers": 1}, _SIZE),
}
# torchvision's builders
_TORCHVISION: dict[str, tuple[str, dict[str, Any]]] = {
    "mnasnet1_0": ("mnasnet1_0", {}),
    "mobilenet_v2": ("mobilenet_v2", {}),
    "mobilenet_v3_large": ("mobilenet_v3_large", {}),
    "resnet18": ("resnet18", {}),
    "resnet50": ("resnet50", {}),
    "resnext50_32x4d": ("resnext50_32x4d", {}),
    "alexnet": ("alexnet", {}),
    "densenet121": ("densenet121", {}),
    "shufflenet_v2_x1_0": ("shufflenet_v2_x1_0", {}),
    "squeezenet1_1": ("squeezenet1_1", {}),
    "vgg16": ("vgg16", {}),
}


def _timm(name: str, smaller: dict[str, Any], size: int) -> Callable[[], tuple[torch.nn.Module, dict[str, Any]]]:
    def build() -> tuple[torch.nn.Module, dict[str, Any]]:
        define_missing_operators()
        import timm

        return timm.create_model(name, pretrained=False, num_classes=10, **smaller), {"x": image(size)}

    return build


def _torchvision(name: str, smaller: dict[str, Any]) -> Callable[[], tuple[torch.nn.Module, dict[str, Any]]]:
    def build() -> tuple[torch.nn.Module, dict[str, Any]]:
        define_missing_operators()
        import torchvision

        return torchvision.models.get_model(name, weights=None, num_classes=10, **smaller), {"x": image(_SIZE)}

    return build


def add_to(zoo: Zoo) -> None:
    """Adds the paper's image models."""
    for name, (timm_name, smaller, size) in _TIMM.items():
        note = f"timm.{timm_name}" + (f" with {', '.join(smaller)} reduced" if smaller else "") + f", {size} by {size}"
        zoo.add(Model(name, "timm", _timm(timm_name, smaller, size), note))
    for name, (builder, less) in _TORCHVISION.items():
        zoo.add(Model(name, "torchvision", _torchvision(builder, less), f"torchvision.{builder}, {_SIZE} by {_SIZE}"))
