# SPDX-License-Identifier: MIT
"""Models of Hugging Face Transformers with reduced configurations: two layers, narrow, a small vocabulary."""

from __future__ import annotations

from typing import Any

import torch

from tools.zoo.spec import Model, Zoo, define_missing_operators, tokens

_VOCABULARY = 64
# Values that are set for those of these attributes that a configuration has.
_SMALL = {
    "vocab_size": _VOCABULARY,
    "hidden_size": 32,
    "d_model": 32,
    "n_embd": 32,
    "dim": 32,
    "embedding_size": 32,
    "num_hidden_layers": 2,
    "n_layer": 2,
    "n_layers": 2,
    "num_layers": 2,
    "encoder_layers": 2,
    "decoder_layers": 2,
    "num_decoder_layers": 2,
    "num_attention_heads": 2,
    "n_head": 2,
    "n_heads": 2,
    "num_heads": 2,
    "encoder_attention_heads": 2,
    "decoder_attention_heads": 2,
    "num_key_value_heads": 2,
    "intermediate_size": 64,
    "hidden_dim": 64,
    "d_ff": 64,
    "d_inner": 64,
    "d_kv": 16,
    "d_head": 16,
    "head_dim": 16,
    "ffn_dim": 64,
    "encoder_ffn_dim": 64,
    "decoder_ffn_dim": 64,
    "max_position_embeddings": 64,
    "n_positions": 64,
    "pad_token_id": 0,
    "bos_token_id": 1,
    "eos_token_id": 2,
    "decoder_start_token_id": 1,
    "use_cache": False,
}

# Attributes that a configuration has but that cannot be set.
_FIXED = {"XLNetConfig": ("max_position_embeddings",), "DeepseekV3Config": ("head_dim",)}


def _transformers() -> Any:
    define_missing_operators()
    import transformers

    return transformers


def small_config(name: str, **changes: Any) -> Any:
    """Returns a configuration of Transformers with all sizes as small as possible."""
    transformers = _transformers()
    cls = getattr(transformers, name)
    base = cls()
    fixed = _FIXED.get(name, ())
    values = {key: value for key, value in _SMALL.items() if hasattr(base, key) and key not in fixed}
    return cls(**{**values, **changes})


def build(model: str, config: str, changes: dict[str, Any], inputs: str) -> tuple[torch.nn.Module, dict[str, Any]]:
    """Returns a model of Transformers with random weights, and inputs of the kind that `inputs` names."""
    transformers = _transformers()
    made = getattr(transformers, model)(small_config(config, **changes))
    return made, _INPUTS[inputs]()


def _masked() -> dict[str, Any]:
    ids = tokens()
    return {"input_ids": ids, "attention_mask": torch.ones_like(ids), "labels": tokens()}


def _causal() -> dict[str, Any]:
    ids = tokens()
    return {"input_ids": ids, "labels": ids.clone()}


def _span() -> dict[str, Any]:
    return {"input_ids": tokens(), "start_positions": torch.tensor([1, 2]), "end_positions": torch.tensor([3, 4])}


def _sequence() -> dict[str, Any]:
    ids = tokens()
    ids[:, -1] = 2  # some models read the state at the end-of-sequence token
    return {"input_ids": ids, "labels": torch.tensor([0, 1])}


def _translate() -> dict[str, Any]:
    return {"input_ids": tokens(), "decoder_input_ids": tokens(length=8), "labels": tokens(length=8)}


def _speech() -> dict[str, Any]:
    return {"input_features": torch.randn(2, 32, 80), "decoder_input_ids": tokens(length=8), "labels": tokens(length=8)}


_INPUTS = {
    "masked": _masked,
    "causal": _causal,
    "span": _span,
    "sequence": _sequence,
    "translate": _translate,
    "speech": _speech,
}

_GPT_NEO = {"attention_types": [[["global", "local"], 1]]}
_BART = {"forced_eos_token_id": None}
# name -> (model class, configuration class, inputs, changes of the configuration)
_TABLE: dict[str, tuple[str, str, str, dict[str, Any]]] = {
    "BertForMaskedLM": ("BertForMaskedLM", "BertConfig", "masked", {}),
    "BertForQuestionAnswering": ("BertForQuestionAnswering", "BertConfig", "span", {}),
    "hf_Bert": ("BertForMaskedLM", "BertConfig", "masked", {}),
    "AlbertForMaskedLM": ("AlbertForMaskedLM", "AlbertConfig", "masked", {}),
    "AlbertForQuestionAnswering": ("AlbertForQuestionAnswering", "AlbertConfig", "span", {}),
    "AllenaiLongformerBase": ("LongformerForMaskedLM", "LongformerConfig", "masked", {"attention_window": 8}),
    "BartForCausualLM": ("BartForCausalLM", "BartConfig", "causal", _BART),
    "BartForConditionalGeneration": ("BartForConditionalGeneration", "BartConfig", "translate", _BART),
    "hf_Bart": ("BartForConditionalGeneration", "BartConfig", "translate", _BART),
    "BlenderbotForCausualLM": ("BlenderbotForCausalLM", "BlenderbotConfig", "causal", _BART),
    "BlenderbotForConditionalGeneration": (
        "BlenderbotForConditionalGeneration",
        "BlenderbotConfig",
        "translate",
        _BART,
    ),
    "BlenderbotSmallForCausualLM": ("BlenderbotSmallForCausalLM", "BlenderbotSmallConfig", "causal", _BART),
    "BlenderbotSmallForConditionalGeneration": (
        "BlenderbotSmallForConditionalGeneration",
        "BlenderbotSmallConfig",
        "translate",
        _BART,
    ),
    "CamemBart": ("CamembertForMaskedLM", "CamembertConfig", "masked", {}),
    "DebertaForMaskedLM": ("DebertaForMaskedLM", "DebertaConfig", "masked", {}),
    "DebertaForQuestionAnswering": ("DebertaForQuestionAnswering", "DebertaConfig", "span", {}),
    "DebertaV2ForMaskedLM": ("DebertaV2ForMaskedLM", "DebertaV2Config", "masked", {}),
    "DebertaV2ForQuestionAnswering": ("DebertaV2ForQuestionAnswering", "DebertaV2Config", "span", {}),
    "DistilBertForMaskedLM": ("DistilBertForMaskedLM", "DistilBertConfig", "masked", {}),
    "DistilBertForQuestionAnswering": ("DistilBertForQuestionAnswering", "DistilBertConfig", "span", {}),
    "DistilGPT": ("GPT2LMHeadModel", "GPT2Config", "causal", {}),
    "ElectraForCausalLM": ("ElectraForCausalLM", "ElectraConfig", "causal", {"is_decoder": True}),
    "ElectraForQuestionAnswering": ("ElectraForQuestionAnswering", "ElectraConfig", "span", {}),
    "GPT2ForSequenceClassification": ("GPT2ForSequenceClassification", "GPT2Config", "sequence", {}),
    "hf_GPT2": ("GPT2LMHeadModel", "GPT2Config", "causal", {}),
    "GPTJForCausalLM": ("GPTJForCausalLM", "GPTJConfig", "causal", {"rotary_dim": 8}),
    "GPTJForQuestionAnswering": ("GPTJForQuestionAnswering", "GPTJConfig", "span", {"rotary_dim": 8}),
    "GPTNeoForCausalLM": (
        "GPTNeoForCausalLM",
        "GPTNeoConfig",
        "causal",
        _GPT_NEO,
    ),
    "GPTNeoForSequenceClassification": (
        "GPTNeoForSequenceClassification",
        "GPTNeoConfig",
        "sequence",
        _GPT_NEO,
    ),
    "LayoutLMForMaskedLM": ("LayoutLMForMaskedLM", "LayoutLMConfig", "masked", {}),
    "LayoutLMForSequenceClassification": ("LayoutLMForSequenceClassification", "LayoutLMConfig", "sequence", {}),
    "M2M100": ("M2M100ForConditionalGeneration", "M2M100Config", "translate", {}),
    "MBartForCausalLM": ("MBartForCausalLM", "MBartConfig", "causal", _BART),
    "MBartForSequenceClassification": ("MBartForSequenceClassification", "MBartConfig", "sequence", _BART),
    "MT5ForConditionalGeneration": ("MT5ForConditionalGeneration", "MT5Config", "translate", {}),
    "MegatronBertForMaskedLM": ("MegatronBertForMaskedLM", "MegatronBertConfig", "masked", {}),
    "MegatronBertForQuestionAnswering": ("MegatronBertForQuestionAnswering", "MegatronBertConfig", "span", {}),
    "MobileBertForMaskedLM": (
        "MobileBertForMaskedLM",
        "MobileBertConfig",
        "masked",
        {"intra_bottleneck_size": 32, "embedding_size": 32},
    ),
    "MobileBertForQuestionAnswering": (
        "MobileBertForQuestionAnswering",
        "MobileBertConfig",
        "span",
        {"intra_bottleneck_size": 32, "embedding_size": 32},
    ),
    "OPTForCausalLM": ("OPTForCausalLM", "OPTConfig", "causal", {"word_embed_proj_dim": 32}),
    "PLBartForCausalLM": ("PLBartForCausalLM", "PLBartConfig", "causal", _BART),
    "PLBartForConditionalGeneration": ("PLBartForConditionalGeneration", "PLBartConfig", "translate", _BART),
    "PegasusForCausalLM": ("PegasusForCausalLM", "PegasusConfig", "causal", _BART),
    "PegasusForConditionalGeneration": ("PegasusForConditionalGeneration", "PegasusConfig", "translate", _BART),
    "RoBERTaForCausalLM": ("RobertaForCausalLM", "RobertaConfig", "causal", {"is_decoder": True}),
    "RoBERTaForQuestionAnswering": ("RobertaForQuestionAnswering", "RobertaConfig", "span", {}),
    "T5ForConditionalGeneration": ("T5ForConditionalGeneration", "T5Config", "translate", {}),
    "T5Small": ("T5ForConditionalGeneration", "T5Config", "translate", {"feed_forward_proj": "relu"}),
    "hf_T5": ("T5ForConditionalGeneration", "T5Config", "translate", {"feed_forward_proj": "gated-gelu"}),
    "TrOCRForCausalLM": ("TrOCRForCausalLM", "TrOCRConfig", "causal", {}),
    "XGLMForCausalLM": ("XGLMForCausalLM", "XGLMConfig", "causal", {}),
    "XLNetLMHeadModel": ("XLNetLMHeadModel", "XLNetConfig", "causal", {}),
    "YituTechConvBert": ("ConvBertForMaskedLM", "ConvBertConfig", "masked", {"head_ratio": 1}),
}

# Models whose class has left Transformers; the most similar class replaces it.
_SUCCESSORS: dict[str, tuple[str, str, str, dict[str, Any]]] = {
    "S2T2": ("Speech2TextForConditionalGeneration", "Speech2TextConfig", "speech", {})
}

_MOE = {"num_experts_per_tok": 2}
_TODAY: dict[str, tuple[str, str, str, dict[str, Any]]] = {
    "Llama3": ("LlamaForCausalLM", "LlamaConfig", "causal", {"num_key_value_heads": 1}),
    "Llama4": (
        "Llama4ForCausalLM",
        "Llama4TextConfig",
        "causal",
        {"num_local_experts": 4, "intermediate_size_mlp": 64, "attention_chunk_size": 8, **_MOE},
    ),
    "Qwen3": ("Qwen3ForCausalLM", "Qwen3Config", "causal", {}),
    "Qwen3MoE": (
        "Qwen3MoeForCausalLM",
        "Qwen3MoeConfig",
        "causal",
        {"num_experts": 4, "moe_intermediate_size": 32, **_MOE},
    ),
    "Mistral": ("MistralForCausalLM", "MistralConfig", "causal", {"sliding_window": 8}),
    "Mixtral": ("MixtralForCausalLM", "MixtralConfig", "causal", {"num_local_experts": 4, **_MOE}),
    "DeepSeekV3": (
        "DeepseekV3ForCausalLM",
        "DeepseekV3Config",
        "causal",
        {
            "n_routed_experts": 4,
            "n_group": 2,
            "topk_group": 1,
            "moe_intermediate_size": 32,
            "first_k_dense_replace": 1,
            "kv_lora_rank": 16,
            "q_lora_rank": 16,
            "qk_rope_head_dim": 8,
            "qk_nope_head_dim": 8,
            "v_head_dim": 16,
            **_MOE,
        },
    ),
    "Gemma3": ("Gemma3ForCausalLM", "Gemma3TextConfig", "causal", {"sliding_window": 8}),
    "Phi3": ("Phi3ForCausalLM", "Phi3Config", "causal", {}),
    "Mamba": ("MambaForCausalLM", "MambaConfig", "causal", {"state_size": 8, "time_step_rank": 4}),
}


def _small_note(model: str) -> str:
    return f"transformers.{model}, two narrow layers, {_VOCABULARY} tokens"


def _add(zoo: Zoo, name: str, suite: str, row: tuple[str, str, str, dict[str, Any]], successor: bool = False) -> None:
    model, config, inputs, changes = row
    zoo.add(Model(name, suite, lambda: build(model, config, changes, inputs), _small_note(model), successor))


def _whisper() -> tuple[torch.nn.Module, dict[str, Any]]:
    transformers = _transformers()
    config = small_config("WhisperConfig", max_source_positions=16, max_target_positions=16, num_mel_bins=8)
    features = torch.randn(2, 8, 32)
    return transformers.WhisperForConditionalGeneration(config), {
        "input_features": features,
        "decoder_input_ids": tokens(length=8),
        "labels": tokens(length=8),
    }


def _clip() -> tuple[torch.nn.Module, dict[str, Any]]:
    transformers = _transformers()
    text = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 2}
    vision = {**text, "image_size": 32, "patch_size": 8}
    config = transformers.CLIPConfig(
        text_config={**text, "vocab_size": _VOCABULARY, "eos_token_id": 2}, vision_config=vision, projection_dim=16
    )
    ids = tokens(length=8)
    return transformers.CLIPModel(config), {
        "input_ids": ids,
        "pixel_values": torch.randn(2, 3, 32, 32),
        "return_loss": True,
    }


def _sam() -> tuple[torch.nn.Module, dict[str, Any]]:
    transformers = _transformers()
    vision = transformers.SamVisionConfig(
        hidden_size=32, num_hidden_layers=2, num_attention_heads=2, image_size=64, patch_size=8, output_channels=16,
        global_attn_indexes=[1], mlp_dim=64, window_size=4, num_pos_feats=8,
    )  # fmt: skip
    prompt = transformers.SamPromptEncoderConfig(hidden_size=16, image_size=64, patch_size=8, mask_input_channels=4)
    decoder = transformers.SamMaskDecoderConfig(
        hidden_size=16, mlp_dim=32, num_attention_heads=2, iou_head_hidden_dim=16
    )
    config = transformers.SamConfig(vision_config=vision, prompt_encoder_config=prompt, mask_decoder_config=decoder)
    return transformers.SamModel(config), {
        "pixel_values": torch.randn(1, 3, 64, 64),
        "input_points": torch.tensor([[[[8.0, 8.0]]]]),
        "multimask_output": False,
    }


def add_to(zoo: Zoo) -> None:
    """Adds the paper's Transformers models and newer ones."""
    for name, row in _TABLE.items():
        _add(zoo, name, "transformers", row)
    for name, row in _SUCCESSORS.items():
        _add(zoo, name, "transformers", row, successor=True)
    for name, row in _TODAY.items():
        _add(zoo, name, "today", row)
    zoo.add(Model("Whisper", "today", _whisper, _small_note("WhisperForConditionalGeneration")))
    zoo.add(Model("CLIP", "today", _clip, _small_note("CLIPModel")))
    zoo.add(Model("SAM", "today", _sam, "transformers.SamModel, two narrow layers, images of 64 by 64"))
