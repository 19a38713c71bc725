"""Llama3 (transformers.LlamaForCausalLM, two narrow layers, 64 tokens) as torch.compile sees it, in one file.

Made by depyf; torch 2.13.0+cpu, backend inductor. For inference and training: the model's
own source, what Dynamo made of it, the guards, each graph with the shape of every tensor (forward and
backward), and the generated kernels. Run as a script it runs every graph on tensors of the recorded layout.
"""

import torch
from torch import device
from math import inf
import torch._inductor.fx_passes.control_dependencies

def tensor(shape, stride, dtype, device, fill=0):
    """A tensor of this layout: floating point is random between 0 and 1, anything else zero or `fill`."""
    size = 0 if 0 in shape else 1 + sum((n - 1) * s for n, s in zip(shape, stride))
    if dtype.is_floating_point or dtype.is_complex:
        flat = torch.rand(size, device=device).to(dtype)  # neither a probability nor a logarithm fails
    else:
        flat = torch.full((size,), fill, dtype=dtype, device=device)
    return flat.as_strided(shape, stride)


def layout(value):
    """What is recorded of a value."""
    if isinstance(value, torch.Tensor):
        strided = value.layout == torch.strided
        return tuple(value.shape), value.stride() if strided else None, value.dtype, str(value.device)
    return (value,)


def same(found, wanted):
    """Whether a layout is the recorded one. Strides of dimensions of one element say nothing."""
    if len(found) < 4 or len(wanted) < 4 or None in (found[1], wanted[1]):
        return found[: len(wanted)] == wanted
    steps = [[s for n, s in zip(shape, stride) if n > 1] for shape, stride, *_ in (found, wanted)]
    return found[0] == wanted[0] and (steps[0] == steps[1] or 0 in found[0]) and found[2:] == wanted[2:]

# ==================================================================================================
# Inference
# ==================================================================================================

# ---- wrapper as it is written, generic.py:937
# @wraps(func)
# def wrapper(self, *args, **kwargs):
#     return_dict = self.config.return_dict if hasattr(self, "config") else True
#     return_dict_passed = kwargs.pop("return_dict", return_dict)
#     if return_dict_passed is not None:
#         return_dict = return_dict_passed
#     output = func(self, *args, **kwargs)
#     if not return_dict and not isinstance(output, tuple):
#         output = output.to_tuple()
#     return output

# ---- what Dynamo made of it, decompiled
# wrapper, entry [0/0] · proved (CPython 3.11.7) · from generic.py:937
# Calls graph __compiled_fn_3.
# Replays side effects on G['__import_transformers_dot_utils_dot_output_capturing']._active_collector.
# Free variables: func.
# Run in place of the bytecode, it holds more: at `graph_out = graph(item, item_2, item_3, item_4, item_5, item_6, item_7, …`, during the call, item, item_2, item_3 and 21 more hold what the original has dropped.
def transformed_inference_0_0(self, *args, **kwargs):
    graph = __compiled_fn_3
    # profiler marker: when the way to the graph begins, and when it ends
    tmp_22 = __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_enter()
    tmp_23 = kwargs
    item = kwargs['input_ids']
    tmp_24 = self._modules
    tmp_25 = tmp_24['model']._modules
    item_2 = tmp_25['embed_tokens']._parameters['weight']
    item_3 = tmp_25['rotary_emb']._buffers['inv_freq']
    tmp_26 = tmp_25['layers']._modules
    tmp_27 = tmp_26['0']._modules
    item_4 = tmp_27['input_layernorm']._parameters['weight']
    tmp_28 = tmp_27['self_attn']._modules
    item_5 = tmp_28['q_proj']._parameters['weight']
    item_6 = tmp_28['k_proj']._parameters['weight']
    item_7 = tmp_28['v_proj']._parameters['weight']
    item_8 = tmp_28['o_proj']._parameters['weight']
    item_9 = tmp_27['post_attention_layernorm']._parameters['weight']
    tmp_29 = tmp_27['mlp']._modules
    item_10 = tmp_29['gate_proj']._parameters['weight']
    item_11 = tmp_29['up_proj']._parameters['weight']
    item_12 = tmp_29['down_proj']._parameters['weight']
    tmp_30 = tmp_26['1']._modules
    item_13 = tmp_30['input_layernorm']._parameters['weight']
    tmp_31 = tmp_30['self_attn']._modules
    item_14 = tmp_31['q_proj']._parameters['weight']
    item_15 = tmp_31['k_proj']._parameters['weight']
    item_16 = tmp_31['v_proj']._parameters['weight']
    item_17 = tmp_31['o_proj']._parameters['weight']
    item_18 = tmp_30['post_attention_layernorm']._parameters['weight']
    tmp_32 = tmp_30['mlp']._modules
    item_19 = tmp_32['gate_proj']._parameters['weight']
    item_20 = tmp_32['up_proj']._parameters['weight']
    item_21 = tmp_32['down_proj']._parameters['weight']
    item_22 = tmp_25['norm']._parameters['weight']
    item_23 = tmp_24['lm_head']._parameters['weight']
    item_24 = kwargs['labels']
    __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_exit(tmp_22)
    graph_out = graph(item, item_2, item_3, item_4, item_5, item_6, item_7, item_8, item_9, item_10, item_11, item_12, item_13, item_14, item_15, item_16, item_17, item_18, item_19, item_20, item_21, item_22, item_23, item_24)
    del tmp_23
    del tmp_25
    del tmp_28
    del tmp_27
    del tmp_29
    del tmp_31
    del tmp_30
    del tmp_32
    del tmp_24
    del tmp_26
    graph_out_0 = graph_out
    tmp_10 = __import_transformers_dot_models_dot_llama_dot_modeling_llama.CausalLMOutputWithPast
    del item, item_2, item_3, item_4, item_5, item_6, item_7, item_8, item_9, item_10, item_11, item_12, item_13, item_14, item_15, item_16, item_17, item_18, item_19, item_20, item_21, item_22, item_23, item_24
    tmp_11 = tmp_10.__new__(tmp_10)
    tmp_12 = __import_torch_dot__dynamo_dot_utils.object_setattr_ignore_descriptor
    tmp_14 = __import_transformers_dot_utils_dot_output_capturing._active_collector
    tmp_17 = 2
    tmp_16 = tmp_11
    tmp_15 = ___module_collections_140504392647200_c1.OrderedDict({'loss': graph_out_0[0], 'logits': graph_out_0[1]})
    item_25 = func.__defaults__[3]
    out_1 = graph_out_0[1]
    tmp_12(tmp_11, 'loss', graph_out_0[0])
    tmp_12(tmp_11, 'logits', out_1)
    del out_1
    tmp_12(tmp_11, 'past_key_values', item_25)
    del item_25
    tmp_12(tmp_11, 'hidden_states', None)
    tmp_12(tmp_11, 'attentions', None)
    tmp_18 = type(tmp_11).__mro__[2]
    tmp_18.clear(tmp_11)
    for value in tmp_15.items():
        tmp_19, tmp_20 = value
        del value
        tmp_18.__setitem__(tmp_11, tmp_19, tmp_20)
    tmp_12(tmp_14, 'global_var', None)
    tmp_12(tmp_14, 'compiling', False)
    del graph_out_0
    return tmp_11

# ---- it is taken when all 575 guards hold (L: locals, G: globals)
#   saved_tensors_hooks_are(here(None))
#   global_state_is(allow_bf16_reduce=0, allow_fp16_reduce=0, allow_tf32=False, autocast_state={'cached_enabled': True, 'dtype': [15, 5, 5, 15, 5, 5, 15, 15, 5, 5], 'enabled': [False, False, False, False, False, False, False, False, False, False]}, default_dtype=6, deterministic_algorithms=False, deterministic_algorithms_warn_only=False, grad_mode=False, num_threads=1, torch_function=True, torch_function_all_disabled=False)
#   function_modes_are()
#   default_device_is('None')
#   type(L['args']) is tuple   # generic.py:943
#   length_is(L['args'], 0)   # generic.py:943
#   object_is(L['func'].__code__, here(140503711679408), 'code')   # generic.py:943
#   type(L['func'].__defaults__) is tuple   # generic.py:943
#   length_is(L['func'].__defaults__, 8)   # generic.py:943
#   L['func'].__defaults__[1] is None   # masking_utils.py:833
#   L['func'].__defaults__[2] is None   # modeling_llama.py:375
#   L['func'].__defaults__[3] is None   # modeling_llama.py:376
#   L['func'].__defaults__[4] is None   # modeling_llama.py:366
#   L['func'].__defaults__[6] is None   # generic.py:1034
#   equals(L['func'].__defaults__[7], 0)   # modeling_utils.py:5111
#   type(L['kwargs']) is dict   # generic.py:940
#   not ___dict_contains('return_dict', L['kwargs'])   # generic.py:940
#   dict_length_is(L['kwargs'], 2)   # generic.py:943
#   tensor_matches(L['kwargs']['input_ids'], 'Tensor', torch.int64, device=None, requires_grad=False, size=[2, 16], stride=[16, 1], dispatch_keys='CPU, BackendSelect, ADInplaceOrView, AutogradCPU')   # output_capturing.py:332
#   hasattr(L['kwargs']['input_ids'], '_dynamo_dynamic_indices') == False   # output_capturing.py:332
#   hasattr(L['kwargs']['input_ids'], '_dynamo_weak_dynamic_indices') == False   # output_capturing.py:332
#   hasattr(L['kwargs']['input_ids'], '_dynamo_unbacked_indices') == False   # output_capturing.py:332
#   hasattr(L['kwargs']['input_ids'], '_dynamo_strict_unbacked_indices') == False   # output_capturing.py:332
#   hasattr(L['kwargs']['input_ids'], '_dynamo_static_indices') == False   # output_capturing.py:332
#   tensor_matches(L['kwargs']['labels'], 'Tensor', torch.int64, device=None, requires_grad=False, size=[2, 16], stride=[16, 1], dispatch_keys='CPU, BackendSelect, ADInplaceOrView, AutogradCPU')   # modeling_llama.py:471
#   hasattr(L['kwargs']['labels'], '_dynamo_dynamic_indices') == False   # modeling_llama.py:471
#   hasattr(L['kwargs']['labels'], '_dynamo_weak_dynamic_indices') == False   # modeling_llama.py:471
#   hasattr(L['kwargs']['labels'], '_dynamo_unbacked_indices') == False   # modeling_llama.py:471
#   hasattr(L['kwargs']['labels'], '_dynamo_strict_unbacked_indices') == False   # modeling_llama.py:471
#   hasattr(L['kwargs']['labels'], '_dynamo_static_indices') == False   # modeling_llama.py:471
#   object_is(G['fields'].__code__, here(140504392019632), 'code')   # generic.py:533
#   object_is(G['is_tensor'].__code__, here(140503744405424), 'code')   # generic.py:474
#   object_is(G['is_mlx_array'].__code__, here(140503743225872), 'code')   # generic.py:139
#   object_is(G['is_numpy_array'].__code__, here(140503742869504), 'code')   # generic.py:139
#   object_is(G['is_torch_tensor'].__code__, here(140503742838320), 'code')   # generic.py:139
#   object_is(G['__import_torch'].fx, here(140503857791920), 'torch.fx')   # import_utils.py:1859
#   object_is(G['__import_torch'].fx.Proxy, here(94711166171152), 'torch.fx.proxy.Proxy')   # import_utils.py:1859
#   object_is(G['__import_torch'].compiler, here(140503832195968), 'torch.compiler')   # import_utils.py:1841
#   object_is(G['__import_torch'].compiler.is_compiling.__code__, here(140503836582720), 'code')   # import_utils.py:1841
#   object_is(G['__import_torch']._subclasses, here(140503850684464), 'torch._subclasses')   # import_utils.py:1868
#   object_is(G['__import_torch']._subclasses.FakeTensor, here(94711168847568), 'torch._subclasses.fake_tensor.FakeTensor')   # import_utils.py:1868
#   G['_is_torch_available'] is True   # generic.py:64
#   object_is(G['infer_framework_from_repr'].__code__, here(140503744355504), 'code')   # generic.py:133
#   object_is(G['__builtins_dict___2']['all'], here(140504394451920), 'builtins.all')   # masking_utils.py:46
#   object_is(G['__builtins_dict___2']['int'], here(140504400755936), 'builtins.int')   # container.py:498
#   object_is(G['__builtins_dict___2']['len'], here(140504394453920), 'builtins.len')   # output_capturing.py:354
#   object_is(G['__builtins_dict___2']['set'], here(140504400778112), 'builtins.set')   # module.py:508
#   object_is(G['__builtins_dict___2']['str'], here(140504400795744), 'builtins.str')   # output_capturing.py:50
#   object_is(G['__builtins_dict___2']['bool'], here(140504400686912), 'builtins.bool')   # output_capturing.py:250
#   object_is(G['__builtins_dict___2']['iter'], here(140504394453760), 'builtins.iter')   # container.py:410
#   object_is(G['__builtins_dict___2']['list'], here(140504400753472), 'builtins.list')   # container.py:384
#   object_is(G['__builtins_dict___2']['type'], here(140504400783872), 'builtins.type')   # container.py:384
#   object_is(G['__builtins_dict___2']['slice'], here(140504400780480), 'builtins.slice')   # container.py:383
#   object_is(G['__builtins_dict___2']['super'], here(140504400783040), 'builtins.super')   # configuration_utils.py:659
#   object_is(G['__builtins_dict___2']['getattr'], here(140504394453040), 'builtins.getattr')   # generic.py:1037
#   object_is(G['__builtins_dict___2']['hasattr'], here(140504394453200), 'builtins.hasattr')   # generic.py:939
#   object_is(G['__builtins_dict___2']['KeyError'], here(140504400718496), 'builtins.KeyError')
#   object_is(G['__builtins_dict___2']['callable'], here(140504394452320), 'builtins.callable')   # masking_utils.py:46
#   object_is(G['__builtins_dict___2']['enumerate'], here(140504400706816), 'builtins.enumerate')   # container.py:498
#   object_is(G['__builtins_dict___2']['isinstance'], here(140504394453600), 'builtins.isinstance')   # output_capturing.py:250
#   object_is(G['__builtins_dict___2']['issubclass'], here(140504394453680), 'builtins.issubclass')   # container.py:384
#   object_is(G['_get_frameworks_and_test_func'].__code__, here(140503744144288), 'code')   # generic.py:147
#   object_is(G['_register_model_output_pytree_node'].__code__, here(140503740679216), 'code')   # generic.py:462
#   object_is(G['__import_transformers_dot_activations'], here(140503731923728), 'transformers.activations')   # activations.py:103
#   object_is(G['__import_transformers_dot_masking_utils'], here(140503711658720), 'transformers.masking_utils')   # masking_utils.py:967
#   object_is(G['__import_transformers_dot_masking_utils'].Cache, here(94711223942960), 'transformers.cache_utils.Cache')   # masking_utils.py:891
#   object_is(G['__import_transformers_dot_masking_utils'].BlockMask, here(94711226811120), 'torch.nn.attention.flex_attention.BlockMask')   # masking_utils.py:833
#   object_is(G['__import_transformers_dot_masking_utils'].and_masks.__code__, here(140503713970864), 'code')   # masking_utils.py:219
#   object_is(G['__import_transformers_dot_masking_utils'].is_tracing.__code__, here(140503745523536), 'code')   # masking_utils.py:776
#   object_is(G['__import_transformers_dot_masking_utils'].causal_mask_function.__code__, here(140503732460496), 'code')   # masking_utils.py:52
#   object_is(G['__import_transformers_dot_masking_utils'].prepare_padding_mask.__code__, here(140503712454944), 'code')   # masking_utils.py:527
#   object_is(G['__import_transformers_dot_masking_utils']._non_vmap_expansion_sdpa.__code__, here(140503712519216), 'code')   # masking_utils.py:552
#   object_is(G['__import_transformers_dot_masking_utils']._preprocess_mask_arguments.__code__, here(94711235413968), 'code')   # masking_utils.py:970
#   type(G['__import_transformers_dot_masking_utils']._preprocess_mask_arguments.__defaults__) is tuple   # masking_utils.py:970
#   length_is(G['__import_transformers_dot_masking_utils']._preprocess_mask_arguments.__defaults__, 1)   # masking_utils.py:970
#   G['__import_transformers_dot_masking_utils']._preprocess_mask_arguments.__defaults__[0] is None   # masking_utils.py:862
#   type_is(G['__import_transformers_dot_masking_utils'].ALL_MASK_ATTENTION_FUNCTIONS, 'transformers.masking_utils.AttentionMaskInterface', here(94711197006912))   # masking_utils.py:841
#   not ___dict_contains('_global_mapping', G['__import_transformers_dot_masking_utils'].ALL_MASK_ATTENTION_FUNCTIONS.__dict__)   # masking_utils.py:841
#   not ___dict_contains('__getitem__', G['__import_transformers_dot_masking_utils'].ALL_MASK_ATTENTION_FUNCTIONS.__dict__)   # masking_utils.py:977
#   type(G['__import_transformers_dot_masking_utils'].ALL_MASK_ATTENTION_FUNCTIONS._local_mapping) is dict   # generic.py:1125
#   dict_length_is(G['__import_transformers_dot_masking_utils'].ALL_MASK_ATTENTION_FUNCTIONS._local_mapping, 0)   # generic.py:1125
#   type(dict(type(G['__import_transformers_dot_masking_utils'].ALL_MASK_ATTENTION_FUNCTIONS).__dict__)['_global_mapping']) is dict   # masking_utils.py:841
#   object_is(dict(type(G['__import_transformers_dot_masking_utils'].ALL_MASK_ATTENTION_FUNCTIONS).__dict__)['_global_mapping']['sdpa'].__code__, here(94711157703504), 'code')   # masking_utils.py:841
#   type(dict(type(G['__import_transformers_dot_masking_utils'].ALL_MASK_ATTENTION_FUNCTIONS).__dict__)['_global_mapping']['sdpa'].__defaults__) is tuple   # masking_utils.py:1015
#   length_is(dict(type(G['__import_transformers_dot_masking_utils'].ALL_MASK_ATTENTION_FUNCTIONS).__dict__)['_global_mapping']['sdpa'].__defaults__, 9)   # masking_utils.py:1015
#   dict(type(G['__import_transformers_dot_masking_utils'].ALL_MASK_ATTENTION_FUNCTIONS).__dict__)['_global_mapping']['sdpa'].__defaults__[6] is False   # masking_utils.py:536
#   object_is(G['__import_transformers_dot_masking_utils'].find_packed_sequence_indices.__code__, here(140503717080512), 'code')   # masking_utils.py:881
#   object_is(G['__import_transformers_dot_masking_utils'].packed_sequence_mask_function.__code__, here(140503711777968), 'code')   # masking_utils.py:220
#   object_is(G['__import_transformers_dot_masking_utils'].find_first_full_attention_index.__code__, here(140503717310896), 'code')   # masking_utils.py:967
#   object_is(G['__import_transformers_dot_masking_utils'].remap_positions_for_packed_sequence.__code__, here(140503711778256), 'code')   # masking_utils.py:221
#   object_is(G['__import_transformers_dot_masking_utils'].packed_sequence_compatibility_function.__code__, here(140503717093936), 'code')   # masking_utils.py:1005
#   object_is(G['__import_torch_dot__dynamo_dot_polyfills'], here(140503800894528), 'torch._dynamo.polyfills')   # module.py:509
#   object_is(G['__import_torch_dot__dynamo_dot_polyfills'].Mapping, here(94711092779872), 'collections.abc.Mapping')   # module.py:509
#   object_is(G['__import_torch_dot__dynamo_dot_polyfills'].Iterable, here(94711092769136), 'collections.abc.Iterable')   # module.py:509
#   object_is(G['__import_torch_dot__dynamo_dot_polyfills'].mutable_mapping_update.__code__, here(140503803146800), 'code')   # module.py:509
#   object_is(G['__import_transformers_dot_modeling_utils'], here(140503846744160), 'transformers.modeling_utils')   # modeling_utils.py:5111
#   type(G['__import_transformers_dot_modeling_utils'].LOSS_MAPPING) is dict   # modeling_utils.py:4768
#   object_is(G['__import_transformers_dot_modeling_utils'].LOSS_MAPPING['ForCausalLM'].__code__, here(94711226563200), 'code')   # modeling_utils.py:4768
#   type(G['__import_transformers_dot_modeling_utils'].LOSS_MAPPING['ForCausalLM'].__defaults__) is tuple   # modeling_llama.py:472
#   length_is(G['__import_transformers_dot_modeling_utils'].LOSS_MAPPING['ForCausalLM'].__defaults__, 3)   # modeling_llama.py:472
#   G['__import_transformers_dot_modeling_utils'].LOSS_MAPPING['ForCausalLM'].__defaults__[0] is None   # loss_utils.py:41
#   equals(G['__import_transformers_dot_modeling_utils'].LOSS_MAPPING['ForCausalLM'].__defaults__[1], -100)   # functional.py:5823
#   G['__import_transformers_dot_modeling_utils'].LOSS_MAPPING['ForCausalLM'].__defaults__[2] is None   # loss_utils.py:63
#   object_is(G['__import_torch_dot_nn_dot_modules_dot_linear'], here(140503868034160), 'torch.nn.modules.linear')   # linear.py:134
#   object_is(G['__import_torch_dot_nn_dot_modules_dot_module'], here(140503877736128), 'torch.nn.modules.module')   # modeling_llama.py:456
#   object_is(G['__import_torch_dot_nn_dot_modules_dot_module'].Module, here(94711157705056), 'torch.nn.modules.module.Module')   # module.py:652
#   object_is(G['__import_torch_dot_nn_dot_modules_dot_module'].OrderedDict, here(140504400765632), 'collections.OrderedDict')   # module.py:509
#   type_is(G['__import_torch_dot_nn_dot_modules_dot_module']._global_forward_hooks, 'collections.OrderedDict', here(140504400765632))   # modeling_llama.py:456
#   type_is(G['__import_torch_dot_nn_dot_modules_dot_module']._global_backward_hooks, 'collections.OrderedDict', here(140504400765632))   # modeling_llama.py:456
#   type_is(G['__import_torch_dot_nn_dot_modules_dot_module']._global_forward_pre_hooks, 'collections.OrderedDict', here(140504400765632))   # modeling_llama.py:456
#   type_is(G['__import_torch_dot_nn_dot_modules_dot_module']._global_backward_pre_hooks, 'collections.OrderedDict', here(140504400765632))   # modeling_llama.py:456
#   dict_is(G['__import_torch_dot_nn_dot_modules_dot_module']._global_module_registration_hooks, 'collections.OrderedDict', 0)
#   object_is(G['__import_torch_dot_nn_dot_modules_dot_sparse'], here(140503862983904), 'torch.nn.modules.sparse')   # sparse.py:189
#   object_is(G['__import_torch_dot_nn_dot_modules_dot_sparse'].F, here(140503868036240), 'torch.nn.functional')   # sparse.py:189
#   object_is(G['__import_torch_dot_nn_dot_modules_dot_sparse'].F.pad.__code__, here(94711157484000), 'code')   # loss_utils.py:65
#   type(G['__import_torch_dot_nn_dot_modules_dot_sparse'].F.pad.__defaults__) is tuple   # loss_utils.py:65
#   length_is(G['__import_torch_dot_nn_dot_modules_dot_sparse'].F.pad.__defaults__, 2)   # loss_utils.py:65
#   equals(G['__import_torch_dot_nn_dot_modules_dot_sparse'].F.pad.__defaults__[0], 'constant')   # functional.py:5823
#   object_is(G['__import_torch_dot_nn_dot_modules_dot_sparse'].F.silu.__code__, here(140503868097808), 'code')   # activations.py:103
#   object_is(G['__import_torch_dot_nn_dot_modules_dot_sparse'].F.linear, here(140503882545680), 'torch._C._nn.linear')   # linear.py:134
#   object_is(G['__import_torch_dot_nn_dot_modules_dot_sparse'].F.embedding.__code__, here(94711157486832), 'code')   # sparse.py:189
#   object_is(G['__import_torch_dot_nn_dot_modules_dot_sparse'].F.cross_entropy.__code__, here(140503875648048), 'code')   # loss_utils.py:42
#   object_is(G['__import_torch_dot_nn_dot_modules_dot_sparse'].F.scaled_dot_product_attention, here(140503882598176), 'torch._C._nn.scaled_dot_product_attention')   # sdpa_attention.py:193
#   object_is(G['__import_transformers_dot_loss_dot_loss_utils'], here(140503728509616), 'transformers.loss.loss_utils')   # loss_utils.py:65
#   object_is(G['__import_transformers_dot_loss_dot_loss_utils'].fixed_cross_entropy.__code__, here(140503728245536), 'code')   # loss_utils.py:72
#   object_is(G['__import_torch_dot_nn_dot_modules_dot_container'], here(140503862559504), 'torch.nn.modules.container')   # container.py:492
#   object_is(G['__import_torch_dot_nn_dot_modules_dot_container'].container_abcs, here(140504392176064), 'collections.abc')   # container.py:492
#   object_is(G['__import_transformers_dot_utils_dot_import_utils'], here(140503740810160), 'transformers.utils.import_utils')   # import_utils.py:1937
#   object_is(G['__import_transformers_dot_utils_dot_import_utils'].is_fake_tensor.__code__, here(140503743237744), 'code')   # import_utils.py:1941
#   object_is(G['__import_transformers_dot_utils_dot_import_utils'].is_jax_jitting.__code__, here(140503744362416), 'code')   # import_utils.py:1942
#   object_is(G['__import_transformers_dot_utils_dot_import_utils'].is_torch_fx_proxy.__code__, here(140503740717584), 'code')   # import_utils.py:1940
#   object_is(G['__import_transformers_dot_utils_dot_import_utils'].is_torchdynamo_compiling.__code__, here(140503740717008), 'code')   # import_utils.py:1937
#   object_is(G['__import_transformers_dot_utils_dot_output_capturing'], here(140503735508224), 'transformers.utils.output_capturing')   # output_capturing.py:331
#   type_is(G['__import_transformers_dot_utils_dot_output_capturing']._active_collector, 'transformers.utils.output_capturing.CompileableContextVar', here(94711223142512))   # output_capturing.py:357
#   not ___dict_contains('set', G['__import_transformers_dot_utils_dot_output_capturing']._active_collector.__dict__)   # output_capturing.py:357
#   not ___dict_contains('reset', G['__import_transformers_dot_utils_dot_output_capturing']._active_collector.__dict__)   # output_capturing.py:364
#   dict_is(G['__import_transformers_dot_utils_dot_output_capturing']._CAN_RECORD_REGISTRY, 'transformers.utils.output_capturing._CanRecordRegistry', 2)
#   equals(list(dict.keys(G['__import_transformers_dot_utils_dot_output_capturing']._CAN_RECORD_REGISTRY))[0], "<class 'transformers.models.llama.modeling_llama.LlamaForCausalLM'>")   # output_capturing.py:331
#   equals(list(dict.keys(G['__import_transformers_dot_utils_dot_output_capturing']._CAN_RECORD_REGISTRY))[1], "<class 'transformers.models.llama.modeling_llama.LlamaModel'>")   # output_capturing.py:331
#   dict_is(G['__import_transformers_dot_utils_dot_output_capturing']._CAN_RECORD_REGISTRY["<class 'transformers.models.llama.modeling_llama.LlamaModel'>"], 'dict', 2)
#   not ___dict_contains('cross_attentions', dict.__getitem__(G['__import_transformers_dot_utils_dot_output_capturing']._CAN_RECORD_REGISTRY, list(dict.keys(G['__import_transformers_dot_utils_dot_output_capturing']._CAN_RECORD_REGISTRY))[1]))   # output_capturing.py:337
#   not ___dict_contains('mask_decoder_attentions', dict.__getitem__(G['__import_transformers_dot_utils_dot_output_capturing']._CAN_RECORD_REGISTRY, list(dict.keys(G['__import_transformers_dot_utils_dot_output_capturing']._CAN_RECORD_REGISTRY))[1]))   # output_capturing.py:342
#   equals(list(dict.keys(dict.__getitem__(G['__import_transformers_dot_utils_dot_output_capturing']._CAN_RECORD_REGISTRY, list(dict.keys(G['__import_transformers_dot_utils_dot_output_capturing']._CAN_RECORD_REGISTRY))[1])))[0], 'hidden_states')   # output_capturing.py:332
#   object_is(dict.__getitem__(G['__import_transformers_dot_utils_dot_output_capturing']._CAN_RECORD_REGISTRY, list(dict.keys(G['__import_transformers_dot_utils_dot_output_capturing']._CAN_RECORD_REGISTRY))[1])['hidden_states'], here(94711239523504), 'transformers.models.llama.modeling_llama.LlamaDecoderLayer')   # output_capturing.py:50
#   object_is(dict.__getitem__(G['__import_transformers_dot_utils_dot_output_capturing']._CAN_RECORD_REGISTRY, list(dict.keys(G['__import_transformers_dot_utils_dot_output_capturing']._CAN_RECORD_REGISTRY))[1])['hidden_states'].forward.__code__, here(94711236288416), 'code')   # modeling_layers.py:92
#   equals(list(dict.keys(dict.__getitem__(G['__import_transformers_dot_utils_dot_output_capturing']._CAN_RECORD_REGISTRY, list(dict.keys(G['__import_transformers_dot_utils_dot_output_capturing']._CAN_RECORD_REGISTRY))[1])))[1], 'attentions')   # output_capturing.py:332
#   object_is(dict.__getitem__(G['__import_transformers_dot_utils_dot_output_capturing']._CAN_RECORD_REGISTRY, list(dict.keys(G['__import_transformers_dot_utils_dot_output_capturing']._CAN_RECORD_REGISTRY))[1])['attentions'], here(94711239006656), 'transformers.models.llama.modeling_llama.LlamaAttention')   # output_capturing.py:50
#   not ___dict_contains('get', G['__import_transformers_dot_utils_dot_output_capturing']._CAN_RECORD_REGISTRY.__dict__)   # output_capturing.py:331
#   object_is(G['__import_transformers_dot_utils_dot_output_capturing'].selected_hidden_states.__code__, here(140503737322992), 'code')   # output_capturing.py:350
#   object_is(G['__import_transformers_dot_utils_dot_output_capturing'].is_torchdynamo_compiling.__code__, here(140503740717008), 'code')   # output_capturing.py:101
#   object_is(G['__import_transformers_dot_integrations_dot_sdpa_attention'], here(140503730898160), 'transformers.integrations.sdpa_attention')   # sdpa_attention.py:119
#   object_is(G['__import_transformers_dot_integrations_dot_sdpa_attention'].os, here(140504394895568), 'os')   # sdpa_attention.py:44
#   type_is(G['__import_transformers_dot_integrations_dot_sdpa_attention'].os.environ, 'os._Environ', here(94711092793584))   # sdpa_attention.py:44
#   not ___dict_contains('__getitem__', G['__import_transformers_dot_integrations_dot_sdpa_attention'].os.environ.__dict__)   # sdpa_attention.py:44
#   type(G['__import_transformers_dot_integrations_dot_sdpa_attention'].os.environ._data) is dict
#   object_is(G['__import_transformers_dot_integrations_dot_sdpa_attention'].os.environ.encodekey.__code__, here(140504401062016), 'code')
#   equals(G['__import_transformers_dot_integrations_dot_sdpa_attention'].os.environ.encodekey.__closure__[0].cell_contents, 'utf-8')
#   object_is(G['__import_transformers_dot_integrations_dot_sdpa_attention'].repeat_kv.__code__, here(140503731709696), 'code')   # sdpa_attention.py:137
#   object_is(G['__import_transformers_dot_integrations_dot_sdpa_attention'].use_gqa_in_sdpa.__code__, here(140503731646288), 'code')   # sdpa_attention.py:130
#   object_is(G['__import_transformers_dot_integrations_dot_sdpa_attention'].PagedAttentionCache, here(94711225269808), 'transformers.generation.continuous_batching.cache.PagedAttentionCache')   # sdpa_attention.py:119
#   G['__import_transformers_dot_integrations_dot_sdpa_attention']._is_torch_mps_available is False   # sdpa_attention.py:49
#   G['__import_transformers_dot_integrations_dot_sdpa_attention']._is_torch_npu_available is False   # sdpa_attention.py:169
#   G['__import_transformers_dot_integrations_dot_sdpa_attention']._is_torch_xpu_available is False   # sdpa_attention.py:47
#   object_is(G['__import_torch_dot_nn_dot_functional'].has_torch_function_unary, here(140504386329456), 'torch._C._has_torch_function_unary')   # functional.py:5801
#   object_is(G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'], here(140503730468512), 'transformers.models.llama.modeling_llama')   # modeling_llama.py:377
#   object_is(G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].torch, here(140504389014192), 'torch')   # modeling_llama.py:377
#   object_is(G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].torch._C, here(140504386280464), 'torch._C')   # module.py:484
#   object_is(G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].torch._C._nn, here(140503882540560), 'torch._C._nn')   # functional.py:5823
#   object_is(G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].torch._C._nn.pad, here(140503882596656), 'torch._C._nn.pad')   # functional.py:5823
#   object_is(G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].torch._C._log_api_usage_once, here(140504386280544), 'torch._C._log_api_usage_once')   # module.py:484
#   object_is(G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].torch.nn, here(140503877710320), 'torch.nn')   # sdpa_attention.py:193
#   object_is(G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].torch.cat, here(140504008647488), 'torch.cat')   # modeling_llama.py:112
#   object_is(G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].torch.jit, here(140503859427216), 'torch.jit')   # sdpa_attention.py:163
#   object_is(G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].torch.jit.is_tracing.__code__, here(140503861209264), 'code')   # sdpa_attention.py:163
#   object_is(G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].torch.jit.is_scripting.__code__, here(140503869501680), 'code')   # functional.py:5805
#   equals(G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].torch.bool, torch.bool)   # masking_utils.py:50
#   object_is(G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].torch.diff, here(140504386466368), 'torch.diff')   # masking_utils.py:772
#   equals(G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].torch.float, torch.float32)   # modeling_llama.py:111
#   object_is(G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].torch.rsqrt, here(140504008610240), 'torch.rsqrt')   # modeling_llama.py:65
#   object_is(G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].torch.Tensor, here(94711153288672), 'torch.Tensor')   # masking_utils.py:833
#   object_is(G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].torch.arange, here(140504386463248), 'torch.arange')   # modeling_llama.py:377
#   equals(G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].torch.float32, torch.float32)   # modeling_llama.py:63
#   object_is(G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].torch.are_deterministic_algorithms_enabled.__code__, here(140504389271600), 'code')   # functional.py:5806
#   object_is(G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].rotate_half.__code__, here(140503711695248), 'code')   # modeling_llama.py:147
#   object_is(G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].create_causal_mask.__code__, here(94711235741552), 'code')   # modeling_llama.py:380
#   type(G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].create_causal_mask.__defaults__) is tuple   # modeling_llama.py:380
#   length_is(G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].create_causal_mask.__defaults__, 6)   # modeling_llama.py:380
#   G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].create_causal_mask.__defaults__[1] is None   # masking_utils.py:993
#   G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].create_causal_mask.__defaults__[2] is None   # masking_utils.py:997
#   G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].create_causal_mask.__defaults__[3] is None   # masking_utils.py:1009
#   G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].create_causal_mask.__defaults__[4] is None   # masking_utils.py:966
#   G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].create_causal_mask.__defaults__[5] is True   # masking_utils.py:986
#   object_is(G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].apply_rotary_pos_emb.__code__, here(140503717308976), 'code')   # modeling_llama.py:248
#   type(G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].apply_rotary_pos_emb.__defaults__) is tuple   # modeling_llama.py:248
#   length_is(G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].apply_rotary_pos_emb.__defaults__, 1)   # modeling_llama.py:248
#   equals(G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].apply_rotary_pos_emb.__defaults__[0], 1)   # modeling_llama.py:145
#   object_is(G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].slice_logits_to_keep.__code__, here(140503738731968), 'code')   # modeling_llama.py:467
#   object_is(G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].CausalLMOutputWithPast, here(94711224098960), 'transformers.modeling_outputs.CausalLMOutputWithPast')   # modeling_llama.py:474
#   type_is(G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].ALL_ATTENTION_FUNCTIONS, 'transformers.modeling_utils.AttentionInterface', here(94711227149200))   # modeling_llama.py:253
#   not ___dict_contains('get_interface', G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].ALL_ATTENTION_FUNCTIONS.__dict__)   # modeling_llama.py:253
#   not ___dict_contains('__contains__', G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].ALL_ATTENTION_FUNCTIONS.__dict__)   # modeling_utils.py:5266
#   not ___dict_contains('__getitem__', G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].ALL_ATTENTION_FUNCTIONS.__dict__)
#   not ___dict_contains('_global_mapping', G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].ALL_ATTENTION_FUNCTIONS.__dict__)   # generic.py:1127
#   type(G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].ALL_ATTENTION_FUNCTIONS._local_mapping) is dict   # generic.py:1125
#   dict_length_is(G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].ALL_ATTENTION_FUNCTIONS._local_mapping, 0)   # generic.py:1125
#   object_is(type(G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].ALL_ATTENTION_FUNCTIONS).__mro__[3].get.__code__, here(140504401264256), 'code')   # modeling_utils.py:5270
#   not ___dict_contains('__contains__', dict(type(G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].ALL_ATTENTION_FUNCTIONS).__mro__[1].__dict__))   # modeling_utils.py:5266
#   not ___dict_contains('__contains__', dict(type(G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].ALL_ATTENTION_FUNCTIONS).__mro__[2].__dict__))   # modeling_utils.py:5266
#   type(dict(type(G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].ALL_ATTENTION_FUNCTIONS).__dict__)['_global_mapping']) is dict   # generic.py:1127
#   object_is(dict(type(G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].ALL_ATTENTION_FUNCTIONS).__dict__)['_global_mapping']['sdpa'].__code__, here(94711226928048), 'code')   # modeling_llama.py:257
#   type(dict(type(G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].ALL_ATTENTION_FUNCTIONS).__dict__)['_global_mapping']['sdpa'].__defaults__) is tuple   # modeling_llama.py:257
#   length_is(dict(type(G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].ALL_ATTENTION_FUNCTIONS).__dict__)['_global_mapping']['sdpa'].__defaults__, 5)   # modeling_llama.py:257
#   dict(type(G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].ALL_ATTENTION_FUNCTIONS).__dict__)['_global_mapping']['sdpa'].__defaults__[2] is None   # sdpa_attention.py:143
#   dict(type(G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].ALL_ATTENTION_FUNCTIONS).__dict__)['_global_mapping']['sdpa'].__defaults__[3] is None   # sdpa_attention.py:189
#   dict(type(G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].ALL_ATTENTION_FUNCTIONS).__dict__)['_global_mapping']['sdpa'].__defaults__[4] is None   # sdpa_attention.py:119
#   object_is(G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].BaseModelOutputWithPast, here(94711224057904), 'transformers.modeling_outputs.BaseModelOutputWithPast')   # modeling_llama.py:403
#   not hasattr(L['self'], '_loss_function')   # modeling_utils.py:4763
#   type_is(L['self'], 'transformers.models.llama.modeling_llama.LlamaForCausalLM', here(94711239553328))   # generic.py:939
#   not hasattr(L['self'].config, 'vision_feature_layer')   # generic.py:1037
#   not hasattr(L['self'].config, 'vision_feature_select_strategy')   # generic.py:1037
#   not hasattr(L['self'].config, 'vision_aspect_ratio')   # generic.py:1037
#   not hasattr(L['self'].config, 'is_causal')   # generic.py:1062
#   type_is(L['self'].config, 'transformers.models.llama.configuration_llama.LlamaConfig', here(94711239001792))   # generic.py:939
#   readable(L['self'].config.use_cache)
#   readable(L['self'].config.return_dict)
#   readable(L['self'].config.output_hidden_states)
#   readable(L['self'].config.output_attentions)
#   not ___dict_contains('attribute_map', L['self'].config.__dict__)   # configuration_utils.py:312
#   type(L['self'].config.use_cache) is bool   # generic.py:1037
#   L['self'].config.use_cache is False   # generic.py:1039
#   equals(L['self'].config.vocab_size, 64)   # loss_utils.py:69
#   type(L['self'].config.return_dict) is bool   # output_capturing.py:329
#   L['self'].config.return_dict is True   # generic.py:941
#   equals(L['self'].config.num_hidden_layers, 2)   # container.py:384
#   type(L['self'].config._output_attentions) is bool   # output_capturing.py:333
#   L['self'].config._output_attentions is False   # output_capturing.py:347
#   type(L['self'].config.output_hidden_states) is bool   # output_capturing.py:333
#   L['self'].config.output_hidden_states is False   # output_capturing.py:347
#   equals(L['self'].config._attn_implementation_internal, 'sdpa')   # masking_utils.py:841
#   object_is(type(L['self'].config).__mro__[4].__getattribute__.__code__, here(94711223171040), 'code')   # configuration_utils.py:659
#   type(dict(type(L['self'].config).__mro__[1].__dict__)['attribute_map']) is dict   # configuration_utils.py:659
#   not ___dict_contains('return_dict', dict(type(L['self'].config).__mro__[1].__dict__)['attribute_map'])   # configuration_utils.py:659
#   not ___dict_contains('use_cache', dict(type(L['self'].config).__mro__[1].__dict__)['attribute_map'])   # configuration_utils.py:659
#   not ___dict_contains('vision_feature_layer', dict(type(L['self'].config).__mro__[1].__dict__)['attribute_map'])   # configuration_utils.py:659
#   not ___dict_contains('vision_feature_select_strategy', dict(type(L['self'].config).__mro__[1].__dict__)['attribute_map'])   # configuration_utils.py:659
#   not ___dict_contains('vision_aspect_ratio', dict(type(L['self'].config).__mro__[1].__dict__)['attribute_map'])   # configuration_utils.py:659
#   not ___dict_contains('is_causal', dict(type(L['self'].config).__mro__[1].__dict__)['attribute_map'])   # configuration_utils.py:659
#   not ___dict_contains('output_hidden_states', dict(type(L['self'].config).__mro__[1].__dict__)['attribute_map'])   # configuration_utils.py:659
#   not ___dict_contains('output_attentions', dict(type(L['self'].config).__mro__[1].__dict__)['attribute_map'])   # configuration_utils.py:659
#   not ___dict_contains('__class__', dict(type(L['self'].config).__mro__[1].__dict__)['attribute_map'])   # configuration_utils.py:659
#   not ___dict_contains('_output_attentions', dict(type(L['self'].config).__mro__[1].__dict__)['attribute_map'])   # configuration_utils.py:659
#   not ___dict_contains('_attn_implementation', dict(type(L['self'].config).__mro__[1].__dict__)['attribute_map'])   # configuration_utils.py:659
#   not ___dict_contains('_attn_implementation_internal', dict(type(L['self'].config).__mro__[1].__dict__)['attribute_map'])   # configuration_utils.py:659
#   not ___dict_contains('num_hidden_layers', dict(type(L['self'].config).__mro__[1].__dict__)['attribute_map'])   # configuration_utils.py:659
#   not ___dict_contains('vocab_size', dict(type(L['self'].config).__mro__[1].__dict__)['attribute_map'])   # configuration_utils.py:659
#   object_is(dict(type(L['self'].config).__mro__[1].__dict__)['output_attentions'].fget.__code__, here(140503737279680), 'code')   # configuration_utils.py:312
#   object_is(dict(type(L['self'].config).__mro__[1].__dict__)['_attn_implementation'].fget.__code__, here(140503737279888), 'code')   # configuration_utils.py:312
#   type(L['self'].loss_type) is str   # modeling_utils.py:4766
#   equals(L['self'].loss_type, 'ForCausalLM')   # modeling_utils.py:4768
#   type(L['self']._buffers) is dict   # modeling_utils.py:4763
#   type(L['self']._modules) is dict   # modeling_llama.py:456
#   type_is(L['self']._modules['model'], 'transformers.models.llama.modeling_llama.LlamaModel', here(94711239378144))   # modeling_llama.py:456
#   not ___dict_contains('forward', L['self']._modules['model'].__dict__)   # modeling_llama.py:456
#   type(L['self']._modules['model'].gradient_checkpointing) is bool   # generic.py:1042
#   L['self']._modules['model'].gradient_checkpointing is False   # generic.py:1042
#   type(L['self']._modules['model']._modules) is dict   # modeling_llama.py:370
#   type_is(L['self']._modules['model']._modules['norm'], 'transformers.models.llama.modeling_llama.LlamaRMSNorm', here(94711239375248))   # modeling_llama.py:402
#   not ___dict_contains('forward', L['self']._modules['model']._modules['norm'].__dict__)   # modeling_llama.py:402
#   type(L['self']._modules['model']._modules['norm']._parameters) is dict   # modeling_llama.py:66
#   tensor_matches(L['self']._modules['model']._modules['norm']._parameters['weight'], 'Parameter', torch.float32, device=None, requires_grad=True, size=[32], stride=[1], dispatch_keys='CPU, BackendSelect, ADInplaceOrView, AutogradCPU')   # modeling_llama.py:66
#   hasattr(L['self']._modules['model']._modules['norm']._parameters['weight'], '_dynamo_dynamic_indices') == False   # modeling_llama.py:66
#   hasattr(L['self']._modules['model']._modules['norm']._parameters['weight'], '_dynamo_weak_dynamic_indices') == False   # modeling_llama.py:66
#   hasattr(L['self']._modules['model']._modules['norm']._parameters['weight'], '_dynamo_unbacked_indices') == False   # modeling_llama.py:66
#   hasattr(L['self']._modules['model']._modules['norm']._parameters['weight'], '_dynamo_strict_unbacked_indices') == False   # modeling_llama.py:66
#   hasattr(L['self']._modules['model']._modules['norm']._parameters['weight'], '_dynamo_static_indices') == False   # modeling_llama.py:66
#   equals(L['self']._modules['model']._modules['norm'].variance_epsilon, 1e-06)   # modeling_llama.py:65
#   type_is(L['self']._modules['model']._modules['layers'], 'torch.nn.modules.container.ModuleList', here(94711159840288))   # modeling_llama.py:391
#   not ___dict_contains('__getitem__', L['self']._modules['model']._modules['layers'].__dict__)   # modeling_llama.py:391
#   dict_is(L['self']._modules['model']._modules['layers']._modules, 'dict', 2)
#   equals(list(dict.keys(L['self']._modules['model']._modules['layers']._modules))[0], '0')   # container.py:384
#   type_is(L['self']._modules['model']._modules['layers']._modules['0'], 'transformers.models.llama.modeling_llama.LlamaDecoderLayer', here(94711239523504))   # container.py:384
#   not ___dict_contains('forward', L['self']._modules['model']._modules['layers']._modules['0'].__dict__)   # modeling_llama.py:392
#   not ___dict_contains('gradient_checkpointing', L['self']._modules['model']._modules['layers']._modules['0'].__dict__)   # modeling_layers.py:93
#   type(L['self']._modules['model']._modules['layers']._modules['0']._modules) is dict   # modeling_llama.py:295
#   type_is(L['self']._modules['model']._modules['layers']._modules['0']._modules['mlp'], 'transformers.models.llama.modeling_llama.LlamaMLP', here(94711239372128))   # modeling_llama.py:311
#   not ___dict_contains('forward', L['self']._modules['model']._modules['layers']._modules['0']._modules['mlp'].__dict__)   # modeling_llama.py:311
#   type(L['self']._modules['model']._modules['layers']._modules['0']._modules['mlp']._modules) is dict   # modeling_llama.py:164
#   type_is(L['self']._modules['model']._modules['layers']._modules['0']._modules['mlp']._modules['act_fn'], 'transformers.activations.SiLUActivation', here(94711225687680))   # modeling_llama.py:164
#   not ___dict_contains('forward', L['self']._modules['model']._modules['layers']._modules['0']._modules['mlp']._modules['act_fn'].__dict__)   # modeling_llama.py:164
#   type_is(L['self']._modules['model']._modules['layers']._modules['0']._modules['mlp']._modules['up_proj'], 'torch.nn.modules.linear.Linear', here(94711159805376))   # modeling_llama.py:164
#   not ___dict_contains('forward', L['self']._modules['model']._modules['layers']._modules['0']._modules['mlp']._modules['up_proj'].__dict__)   # modeling_llama.py:164
#   type(L['self']._modules['model']._modules['layers']._modules['0']._modules['mlp']._modules['up_proj']._parameters) is dict   # linear.py:134
#   L['self']._modules['model']._modules['layers']._modules['0']._modules['mlp']._modules['up_proj']._parameters['bias'] is None   # linear.py:134
#   tensor_matches(L['self']._modules['model']._modules['layers']._modules['0']._modules['mlp']._modules['up_proj']._parameters['weight'], 'Parameter', torch.float32, device=None, requires_grad=True, size=[64, 32], stride=[32, 1], dispatch_keys='CPU, BackendSelect, ADInplaceOrView, AutogradCPU')   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['0']._modules['mlp']._modules['up_proj']._parameters['weight'], '_dynamo_dynamic_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['0']._modules['mlp']._modules['up_proj']._parameters['weight'], '_dynamo_weak_dynamic_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['0']._modules['mlp']._modules['up_proj']._parameters['weight'], '_dynamo_unbacked_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['0']._modules['mlp']._modules['up_proj']._parameters['weight'], '_dynamo_strict_unbacked_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['0']._modules['mlp']._modules['up_proj']._parameters['weight'], '_dynamo_static_indices') == False   # linear.py:134
#   type_is(L['self']._modules['model']._modules['layers']._modules['0']._modules['mlp']._modules['down_proj'], 'torch.nn.modules.linear.Linear', here(94711159805376))   # modeling_llama.py:164
#   not ___dict_contains('forward', L['self']._modules['model']._modules['layers']._modules['0']._modules['mlp']._modules['down_proj'].__dict__)   # modeling_llama.py:164
#   type(L['self']._modules['model']._modules['layers']._modules['0']._modules['mlp']._modules['down_proj']._parameters) is dict   # linear.py:134
#   L['self']._modules['model']._modules['layers']._modules['0']._modules['mlp']._modules['down_proj']._parameters['bias'] is None   # linear.py:134
#   tensor_matches(L['self']._modules['model']._modules['layers']._modules['0']._modules['mlp']._modules['down_proj']._parameters['weight'], 'Parameter', torch.float32, device=None, requires_grad=True, size=[32, 64], stride=[64, 1], dispatch_keys='CPU, BackendSelect, ADInplaceOrView, AutogradCPU')   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['0']._modules['mlp']._modules['down_proj']._parameters['weight'], '_dynamo_dynamic_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['0']._modules['mlp']._modules['down_proj']._parameters['weight'], '_dynamo_weak_dynamic_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['0']._modules['mlp']._modules['down_proj']._parameters['weight'], '_dynamo_unbacked_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['0']._modules['mlp']._modules['down_proj']._parameters['weight'], '_dynamo_strict_unbacked_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['0']._modules['mlp']._modules['down_proj']._parameters['weight'], '_dynamo_static_indices') == False   # linear.py:134
#   type_is(L['self']._modules['model']._modules['layers']._modules['0']._modules['mlp']._modules['gate_proj'], 'torch.nn.modules.linear.Linear', here(94711159805376))   # modeling_llama.py:164
#   not ___dict_contains('forward', L['self']._modules['model']._modules['layers']._modules['0']._modules['mlp']._modules['gate_proj'].__dict__)   # modeling_llama.py:164
#   type(L['self']._modules['model']._modules['layers']._modules['0']._modules['mlp']._modules['gate_proj']._parameters) is dict   # linear.py:134
#   L['self']._modules['model']._modules['layers']._modules['0']._modules['mlp']._modules['gate_proj']._parameters['bias'] is None   # linear.py:134
#   tensor_matches(L['self']._modules['model']._modules['layers']._modules['0']._modules['mlp']._modules['gate_proj']._parameters['weight'], 'Parameter', torch.float32, device=None, requires_grad=True, size=[64, 32], stride=[32, 1], dispatch_keys='CPU, BackendSelect, ADInplaceOrView, AutogradCPU')   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['0']._modules['mlp']._modules['gate_proj']._parameters['weight'], '_dynamo_dynamic_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['0']._modules['mlp']._modules['gate_proj']._parameters['weight'], '_dynamo_weak_dynamic_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['0']._modules['mlp']._modules['gate_proj']._parameters['weight'], '_dynamo_unbacked_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['0']._modules['mlp']._modules['gate_proj']._parameters['weight'], '_dynamo_strict_unbacked_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['0']._modules['mlp']._modules['gate_proj']._parameters['weight'], '_dynamo_static_indices') == False   # linear.py:134
#   type(L['self']._modules['model']._modules['layers']._modules['0']._modules['mlp']._parameters) is dict   # modeling_llama.py:164
#   type_is(L['self']._modules['model']._modules['layers']._modules['0']._modules['self_attn'], 'transformers.models.llama.modeling_llama.LlamaAttention', here(94711239006656))   # modeling_llama.py:297
#   not ___dict_contains('forward', L['self']._modules['model']._modules['layers']._modules['0']._modules['self_attn'].__dict__)   # modeling_llama.py:297
#   type(L['self']._modules['model']._modules['layers']._modules['0']._modules['self_attn'].num_key_value_groups) is int   # sdpa_attention.py:129
#   equals(L['self']._modules['model']._modules['layers']._modules['0']._modules['self_attn'].num_key_value_groups, 2)   # sdpa_attention.py:129
#   type(L['self']._modules['model']._modules['layers']._modules['0']._modules['self_attn'].is_causal) is bool   # sdpa_attention.py:143
#   equals(L['self']._modules['model']._modules['layers']._modules['0']._modules['self_attn'].scaling, 0.25)   # sdpa_attention.py:193
#   type(L['self']._modules['model']._modules['layers']._modules['0']._modules['self_attn']._modules) is dict   # modeling_llama.py:243
#   type_is(L['self']._modules['model']._modules['layers']._modules['0']._modules['self_attn']._modules['k_proj'], 'torch.nn.modules.linear.Linear', here(94711159805376))   # modeling_llama.py:244
#   not ___dict_contains('forward', L['self']._modules['model']._modules['layers']._modules['0']._modules['self_attn']._modules['k_proj'].__dict__)   # modeling_llama.py:244
#   type(L['self']._modules['model']._modules['layers']._modules['0']._modules['self_attn']._modules['k_proj']._parameters) is dict   # linear.py:134
#   L['self']._modules['model']._modules['layers']._modules['0']._modules['self_attn']._modules['k_proj']._parameters['bias'] is None   # linear.py:134
#   tensor_matches(L['self']._modules['model']._modules['layers']._modules['0']._modules['self_attn']._modules['k_proj']._parameters['weight'], 'Parameter', torch.float32, device=None, requires_grad=True, size=[16, 32], stride=[32, 1], dispatch_keys='CPU, BackendSelect, ADInplaceOrView, AutogradCPU')   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['0']._modules['self_attn']._modules['k_proj']._parameters['weight'], '_dynamo_dynamic_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['0']._modules['self_attn']._modules['k_proj']._parameters['weight'], '_dynamo_weak_dynamic_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['0']._modules['self_attn']._modules['k_proj']._parameters['weight'], '_dynamo_unbacked_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['0']._modules['self_attn']._modules['k_proj']._parameters['weight'], '_dynamo_strict_unbacked_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['0']._modules['self_attn']._modules['k_proj']._parameters['weight'], '_dynamo_static_indices') == False   # linear.py:134
#   type_is(L['self']._modules['model']._modules['layers']._modules['0']._modules['self_attn']._modules['o_proj'], 'torch.nn.modules.linear.Linear', here(94711159805376))   # modeling_llama.py:269
#   not ___dict_contains('forward', L['self']._modules['model']._modules['layers']._modules['0']._modules['self_attn']._modules['o_proj'].__dict__)   # modeling_llama.py:269
#   type(L['self']._modules['model']._modules['layers']._modules['0']._modules['self_attn']._modules['o_proj']._parameters) is dict   # linear.py:134
#   L['self']._modules['model']._modules['layers']._modules['0']._modules['self_attn']._modules['o_proj']._parameters['bias'] is None   # linear.py:134
#   tensor_matches(L['self']._modules['model']._modules['layers']._modules['0']._modules['self_attn']._modules['o_proj']._parameters['weight'], 'Parameter', torch.float32, device=None, requires_grad=True, size=[32, 32], stride=[32, 1], dispatch_keys='CPU, BackendSelect, ADInplaceOrView, AutogradCPU')   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['0']._modules['self_attn']._modules['o_proj']._parameters['weight'], '_dynamo_dynamic_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['0']._modules['self_attn']._modules['o_proj']._parameters['weight'], '_dynamo_weak_dynamic_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['0']._modules['self_attn']._modules['o_proj']._parameters['weight'], '_dynamo_unbacked_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['0']._modules['self_attn']._modules['o_proj']._parameters['weight'], '_dynamo_strict_unbacked_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['0']._modules['self_attn']._modules['o_proj']._parameters['weight'], '_dynamo_static_indices') == False   # linear.py:134
#   type_is(L['self']._modules['model']._modules['layers']._modules['0']._modules['self_attn']._modules['q_proj'], 'torch.nn.modules.linear.Linear', here(94711159805376))   # modeling_llama.py:243
#   not ___dict_contains('forward', L['self']._modules['model']._modules['layers']._modules['0']._modules['self_attn']._modules['q_proj'].__dict__)   # modeling_llama.py:243
#   type(L['self']._modules['model']._modules['layers']._modules['0']._modules['self_attn']._modules['q_proj']._parameters) is dict   # linear.py:134
#   L['self']._modules['model']._modules['layers']._modules['0']._modules['self_attn']._modules['q_proj']._parameters['bias'] is None   # linear.py:134
#   tensor_matches(L['self']._modules['model']._modules['layers']._modules['0']._modules['self_attn']._modules['q_proj']._parameters['weight'], 'Parameter', torch.float32, device=None, requires_grad=True, size=[32, 32], stride=[32, 1], dispatch_keys='CPU, BackendSelect, ADInplaceOrView, AutogradCPU')   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['0']._modules['self_attn']._modules['q_proj']._parameters['weight'], '_dynamo_dynamic_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['0']._modules['self_attn']._modules['q_proj']._parameters['weight'], '_dynamo_weak_dynamic_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['0']._modules['self_attn']._modules['q_proj']._parameters['weight'], '_dynamo_unbacked_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['0']._modules['self_attn']._modules['q_proj']._parameters['weight'], '_dynamo_strict_unbacked_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['0']._modules['self_attn']._modules['q_proj']._parameters['weight'], '_dynamo_static_indices') == False   # linear.py:134
#   type_is(L['self']._modules['model']._modules['layers']._modules['0']._modules['self_attn']._modules['v_proj'], 'torch.nn.modules.linear.Linear', here(94711159805376))   # modeling_llama.py:245
#   not ___dict_contains('forward', L['self']._modules['model']._modules['layers']._modules['0']._modules['self_attn']._modules['v_proj'].__dict__)   # modeling_llama.py:245
#   type(L['self']._modules['model']._modules['layers']._modules['0']._modules['self_attn']._modules['v_proj']._parameters) is dict   # linear.py:134
#   L['self']._modules['model']._modules['layers']._modules['0']._modules['self_attn']._modules['v_proj']._parameters['bias'] is None   # linear.py:134
#   tensor_matches(L['self']._modules['model']._modules['layers']._modules['0']._modules['self_attn']._modules['v_proj']._parameters['weight'], 'Parameter', torch.float32, device=None, requires_grad=True, size=[16, 32], stride=[32, 1], dispatch_keys='CPU, BackendSelect, ADInplaceOrView, AutogradCPU')   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['0']._modules['self_attn']._modules['v_proj']._parameters['weight'], '_dynamo_dynamic_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['0']._modules['self_attn']._modules['v_proj']._parameters['weight'], '_dynamo_weak_dynamic_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['0']._modules['self_attn']._modules['v_proj']._parameters['weight'], '_dynamo_unbacked_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['0']._modules['self_attn']._modules['v_proj']._parameters['weight'], '_dynamo_strict_unbacked_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['0']._modules['self_attn']._modules['v_proj']._parameters['weight'], '_dynamo_static_indices') == False   # linear.py:134
#   equals(L['self']._modules['model']._modules['layers']._modules['0']._modules['self_attn'].head_dim, 16)   # modeling_llama.py:243
#   L['self']._modules['model']._modules['layers']._modules['0']._modules['self_attn'].training is False   # modeling_llama.py:263
#   type(L['self']._modules['model']._modules['layers']._modules['0']._modules['self_attn']._parameters) is dict   # modeling_llama.py:243
#   type_is(L['self']._modules['model']._modules['layers']._modules['0']._modules['input_layernorm'], 'transformers.models.llama.modeling_llama.LlamaRMSNorm', here(94711239375248))   # modeling_llama.py:295
#   not ___dict_contains('forward', L['self']._modules['model']._modules['layers']._modules['0']._modules['input_layernorm'].__dict__)   # modeling_llama.py:295
#   type(L['self']._modules['model']._modules['layers']._modules['0']._modules['input_layernorm']._parameters) is dict   # modeling_llama.py:66
#   tensor_matches(L['self']._modules['model']._modules['layers']._modules['0']._modules['input_layernorm']._parameters['weight'], 'Parameter', torch.float32, device=None, requires_grad=True, size=[32], stride=[1], dispatch_keys='CPU, BackendSelect, ADInplaceOrView, AutogradCPU')   # modeling_llama.py:66
#   hasattr(L['self']._modules['model']._modules['layers']._modules['0']._modules['input_layernorm']._parameters['weight'], '_dynamo_dynamic_indices') == False   # modeling_llama.py:66
#   hasattr(L['self']._modules['model']._modules['layers']._modules['0']._modules['input_layernorm']._parameters['weight'], '_dynamo_weak_dynamic_indices') == False   # modeling_llama.py:66
#   hasattr(L['self']._modules['model']._modules['layers']._modules['0']._modules['input_layernorm']._parameters['weight'], '_dynamo_unbacked_indices') == False   # modeling_llama.py:66
#   hasattr(L['self']._modules['model']._modules['layers']._modules['0']._modules['input_layernorm']._parameters['weight'], '_dynamo_strict_unbacked_indices') == False   # modeling_llama.py:66
#   hasattr(L['self']._modules['model']._modules['layers']._modules['0']._modules['input_layernorm']._parameters['weight'], '_dynamo_static_indices') == False   # modeling_llama.py:66
#   equals(L['self']._modules['model']._modules['layers']._modules['0']._modules['input_layernorm'].variance_epsilon, 1e-06)   # modeling_llama.py:65
#   type_is(L['self']._modules['model']._modules['layers']._modules['0']._modules['post_attention_layernorm'], 'transformers.models.llama.modeling_llama.LlamaRMSNorm', here(94711239375248))   # modeling_llama.py:310
#   not ___dict_contains('forward', L['self']._modules['model']._modules['layers']._modules['0']._modules['post_attention_layernorm'].__dict__)   # modeling_llama.py:310
#   type(L['self']._modules['model']._modules['layers']._modules['0']._modules['post_attention_layernorm']._parameters) is dict   # modeling_llama.py:66
#   tensor_matches(L['self']._modules['model']._modules['layers']._modules['0']._modules['post_attention_layernorm']._parameters['weight'], 'Parameter', torch.float32, device=None, requires_grad=True, size=[32], stride=[1], dispatch_keys='CPU, BackendSelect, ADInplaceOrView, AutogradCPU')   # modeling_llama.py:66
#   hasattr(L['self']._modules['model']._modules['layers']._modules['0']._modules['post_attention_layernorm']._parameters['weight'], '_dynamo_dynamic_indices') == False   # modeling_llama.py:66
#   hasattr(L['self']._modules['model']._modules['layers']._modules['0']._modules['post_attention_layernorm']._parameters['weight'], '_dynamo_weak_dynamic_indices') == False   # modeling_llama.py:66
#   hasattr(L['self']._modules['model']._modules['layers']._modules['0']._modules['post_attention_layernorm']._parameters['weight'], '_dynamo_unbacked_indices') == False   # modeling_llama.py:66
#   hasattr(L['self']._modules['model']._modules['layers']._modules['0']._modules['post_attention_layernorm']._parameters['weight'], '_dynamo_strict_unbacked_indices') == False   # modeling_llama.py:66
#   hasattr(L['self']._modules['model']._modules['layers']._modules['0']._modules['post_attention_layernorm']._parameters['weight'], '_dynamo_static_indices') == False   # modeling_llama.py:66
#   equals(L['self']._modules['model']._modules['layers']._modules['0']._modules['post_attention_layernorm'].variance_epsilon, 1e-06)   # modeling_llama.py:65
#   type(L['self']._modules['model']._modules['layers']._modules['0']._parameters) is dict   # modeling_llama.py:295
#   dict(type(L['self']._modules['model']._modules['layers']._modules['0']).__mro__[1].__dict__)['gradient_checkpointing'] is False   # modeling_layers.py:93
#   object_is(dict(type(L['self']._modules['model']._modules['layers']._modules['0']).__dict__)['forward'].__closure__[0].cell_contents.__code__, here(140503713955104), 'code')   # modeling_layers.py:121
#   object_is(dict(type(L['self']._modules['model']._modules['layers']._modules['0']).__dict__)['forward'].__closure__[1].cell_contents.__code__, here(94711236288416), 'code')   # modeling_layers.py:92
#   equals(list(dict.keys(L['self']._modules['model']._modules['layers']._modules))[1], '1')   # container.py:384
#   type_is(L['self']._modules['model']._modules['layers']._modules['1'], 'transformers.models.llama.modeling_llama.LlamaDecoderLayer', here(94711239523504))   # module.py:652
#   not ___dict_contains('forward', L['self']._modules['model']._modules['layers']._modules['1'].__dict__)   # modeling_llama.py:392
#   not ___dict_contains('gradient_checkpointing', L['self']._modules['model']._modules['layers']._modules['1'].__dict__)   # modeling_layers.py:93
#   type(L['self']._modules['model']._modules['layers']._modules['1']._modules) is dict   # modeling_llama.py:295
#   type_is(L['self']._modules['model']._modules['layers']._modules['1']._modules['mlp'], 'transformers.models.llama.modeling_llama.LlamaMLP', here(94711239372128))   # modeling_llama.py:311
#   not ___dict_contains('forward', L['self']._modules['model']._modules['layers']._modules['1']._modules['mlp'].__dict__)   # modeling_llama.py:311
#   type(L['self']._modules['model']._modules['layers']._modules['1']._modules['mlp']._modules) is dict   # modeling_llama.py:164
#   type_is(L['self']._modules['model']._modules['layers']._modules['1']._modules['mlp']._modules['act_fn'], 'transformers.activations.SiLUActivation', here(94711225687680))   # modeling_llama.py:164
#   not ___dict_contains('forward', L['self']._modules['model']._modules['layers']._modules['1']._modules['mlp']._modules['act_fn'].__dict__)   # modeling_llama.py:164
#   type_is(L['self']._modules['model']._modules['layers']._modules['1']._modules['mlp']._modules['up_proj'], 'torch.nn.modules.linear.Linear', here(94711159805376))   # modeling_llama.py:164
#   not ___dict_contains('forward', L['self']._modules['model']._modules['layers']._modules['1']._modules['mlp']._modules['up_proj'].__dict__)   # modeling_llama.py:164
#   type(L['self']._modules['model']._modules['layers']._modules['1']._modules['mlp']._modules['up_proj']._parameters) is dict   # linear.py:134
#   L['self']._modules['model']._modules['layers']._modules['1']._modules['mlp']._modules['up_proj']._parameters['bias'] is None   # linear.py:134
#   tensor_matches(L['self']._modules['model']._modules['layers']._modules['1']._modules['mlp']._modules['up_proj']._parameters['weight'], 'Parameter', torch.float32, device=None, requires_grad=True, size=[64, 32], stride=[32, 1], dispatch_keys='CPU, BackendSelect, ADInplaceOrView, AutogradCPU')   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['1']._modules['mlp']._modules['up_proj']._parameters['weight'], '_dynamo_dynamic_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['1']._modules['mlp']._modules['up_proj']._parameters['weight'], '_dynamo_weak_dynamic_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['1']._modules['mlp']._modules['up_proj']._parameters['weight'], '_dynamo_unbacked_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['1']._modules['mlp']._modules['up_proj']._parameters['weight'], '_dynamo_strict_unbacked_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['1']._modules['mlp']._modules['up_proj']._parameters['weight'], '_dynamo_static_indices') == False   # linear.py:134
#   type_is(L['self']._modules['model']._modules['layers']._modules['1']._modules['mlp']._modules['down_proj'], 'torch.nn.modules.linear.Linear', here(94711159805376))   # modeling_llama.py:164
#   not ___dict_contains('forward', L['self']._modules['model']._modules['layers']._modules['1']._modules['mlp']._modules['down_proj'].__dict__)   # modeling_llama.py:164
#   type(L['self']._modules['model']._modules['layers']._modules['1']._modules['mlp']._modules['down_proj']._parameters) is dict   # linear.py:134
#   L['self']._modules['model']._modules['layers']._modules['1']._modules['mlp']._modules['down_proj']._parameters['bias'] is None   # linear.py:134
#   tensor_matches(L['self']._modules['model']._modules['layers']._modules['1']._modules['mlp']._modules['down_proj']._parameters['weight'], 'Parameter', torch.float32, device=None, requires_grad=True, size=[32, 64], stride=[64, 1], dispatch_keys='CPU, BackendSelect, ADInplaceOrView, AutogradCPU')   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['1']._modules['mlp']._modules['down_proj']._parameters['weight'], '_dynamo_dynamic_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['1']._modules['mlp']._modules['down_proj']._parameters['weight'], '_dynamo_weak_dynamic_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['1']._modules['mlp']._modules['down_proj']._parameters['weight'], '_dynamo_unbacked_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['1']._modules['mlp']._modules['down_proj']._parameters['weight'], '_dynamo_strict_unbacked_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['1']._modules['mlp']._modules['down_proj']._parameters['weight'], '_dynamo_static_indices') == False   # linear.py:134
#   type_is(L['self']._modules['model']._modules['layers']._modules['1']._modules['mlp']._modules['gate_proj'], 'torch.nn.modules.linear.Linear', here(94711159805376))   # modeling_llama.py:164
#   not ___dict_contains('forward', L['self']._modules['model']._modules['layers']._modules['1']._modules['mlp']._modules['gate_proj'].__dict__)   # modeling_llama.py:164
#   type(L['self']._modules['model']._modules['layers']._modules['1']._modules['mlp']._modules['gate_proj']._parameters) is dict   # linear.py:134
#   L['self']._modules['model']._modules['layers']._modules['1']._modules['mlp']._modules['gate_proj']._parameters['bias'] is None   # linear.py:134
#   tensor_matches(L['self']._modules['model']._modules['layers']._modules['1']._modules['mlp']._modules['gate_proj']._parameters['weight'], 'Parameter', torch.float32, device=None, requires_grad=True, size=[64, 32], stride=[32, 1], dispatch_keys='CPU, BackendSelect, ADInplaceOrView, AutogradCPU')   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['1']._modules['mlp']._modules['gate_proj']._parameters['weight'], '_dynamo_dynamic_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['1']._modules['mlp']._modules['gate_proj']._parameters['weight'], '_dynamo_weak_dynamic_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['1']._modules['mlp']._modules['gate_proj']._parameters['weight'], '_dynamo_unbacked_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['1']._modules['mlp']._modules['gate_proj']._parameters['weight'], '_dynamo_strict_unbacked_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['1']._modules['mlp']._modules['gate_proj']._parameters['weight'], '_dynamo_static_indices') == False   # linear.py:134
#   type(L['self']._modules['model']._modules['layers']._modules['1']._modules['mlp']._parameters) is dict   # modeling_llama.py:164
#   type_is(L['self']._modules['model']._modules['layers']._modules['1']._modules['self_attn'], 'transformers.models.llama.modeling_llama.LlamaAttention', here(94711239006656))   # modeling_llama.py:297
#   not ___dict_contains('forward', L['self']._modules['model']._modules['layers']._modules['1']._modules['self_attn'].__dict__)   # modeling_llama.py:297
#   type(L['self']._modules['model']._modules['layers']._modules['1']._modules['self_attn'].num_key_value_groups) is int   # sdpa_attention.py:129
#   equals(L['self']._modules['model']._modules['layers']._modules['1']._modules['self_attn'].num_key_value_groups, 2)   # sdpa_attention.py:129
#   type(L['self']._modules['model']._modules['layers']._modules['1']._modules['self_attn'].is_causal) is bool   # sdpa_attention.py:143
#   equals(L['self']._modules['model']._modules['layers']._modules['1']._modules['self_attn'].scaling, 0.25)   # sdpa_attention.py:193
#   type(L['self']._modules['model']._modules['layers']._modules['1']._modules['self_attn']._modules) is dict   # modeling_llama.py:243
#   type_is(L['self']._modules['model']._modules['layers']._modules['1']._modules['self_attn']._modules['k_proj'], 'torch.nn.modules.linear.Linear', here(94711159805376))   # modeling_llama.py:244
#   not ___dict_contains('forward', L['self']._modules['model']._modules['layers']._modules['1']._modules['self_attn']._modules['k_proj'].__dict__)   # modeling_llama.py:244
#   type(L['self']._modules['model']._modules['layers']._modules['1']._modules['self_attn']._modules['k_proj']._parameters) is dict   # linear.py:134
#   L['self']._modules['model']._modules['layers']._modules['1']._modules['self_attn']._modules['k_proj']._parameters['bias'] is None   # linear.py:134
#   tensor_matches(L['self']._modules['model']._modules['layers']._modules['1']._modules['self_attn']._modules['k_proj']._parameters['weight'], 'Parameter', torch.float32, device=None, requires_grad=True, size=[16, 32], stride=[32, 1], dispatch_keys='CPU, BackendSelect, ADInplaceOrView, AutogradCPU')   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['1']._modules['self_attn']._modules['k_proj']._parameters['weight'], '_dynamo_dynamic_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['1']._modules['self_attn']._modules['k_proj']._parameters['weight'], '_dynamo_weak_dynamic_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['1']._modules['self_attn']._modules['k_proj']._parameters['weight'], '_dynamo_unbacked_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['1']._modules['self_attn']._modules['k_proj']._parameters['weight'], '_dynamo_strict_unbacked_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['1']._modules['self_attn']._modules['k_proj']._parameters['weight'], '_dynamo_static_indices') == False   # linear.py:134
#   type_is(L['self']._modules['model']._modules['layers']._modules['1']._modules['self_attn']._modules['o_proj'], 'torch.nn.modules.linear.Linear', here(94711159805376))   # modeling_llama.py:269
#   not ___dict_contains('forward', L['self']._modules['model']._modules['layers']._modules['1']._modules['self_attn']._modules['o_proj'].__dict__)   # modeling_llama.py:269
#   type(L['self']._modules['model']._modules['layers']._modules['1']._modules['self_attn']._modules['o_proj']._parameters) is dict   # linear.py:134
#   L['self']._modules['model']._modules['layers']._modules['1']._modules['self_attn']._modules['o_proj']._parameters['bias'] is None   # linear.py:134
#   tensor_matches(L['self']._modules['model']._modules['layers']._modules['1']._modules['self_attn']._modules['o_proj']._parameters['weight'], 'Parameter', torch.float32, device=None, requires_grad=True, size=[32, 32], stride=[32, 1], dispatch_keys='CPU, BackendSelect, ADInplaceOrView, AutogradCPU')   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['1']._modules['self_attn']._modules['o_proj']._parameters['weight'], '_dynamo_dynamic_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['1']._modules['self_attn']._modules['o_proj']._parameters['weight'], '_dynamo_weak_dynamic_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['1']._modules['self_attn']._modules['o_proj']._parameters['weight'], '_dynamo_unbacked_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['1']._modules['self_attn']._modules['o_proj']._parameters['weight'], '_dynamo_strict_unbacked_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['1']._modules['self_attn']._modules['o_proj']._parameters['weight'], '_dynamo_static_indices') == False   # linear.py:134
#   type_is(L['self']._modules['model']._modules['layers']._modules['1']._modules['self_attn']._modules['q_proj'], 'torch.nn.modules.linear.Linear', here(94711159805376))   # modeling_llama.py:243
#   not ___dict_contains('forward', L['self']._modules['model']._modules['layers']._modules['1']._modules['self_attn']._modules['q_proj'].__dict__)   # modeling_llama.py:243
#   type(L['self']._modules['model']._modules['layers']._modules['1']._modules['self_attn']._modules['q_proj']._parameters) is dict   # linear.py:134
#   L['self']._modules['model']._modules['layers']._modules['1']._modules['self_attn']._modules['q_proj']._parameters['bias'] is None   # linear.py:134
#   tensor_matches(L['self']._modules['model']._modules['layers']._modules['1']._modules['self_attn']._modules['q_proj']._parameters['weight'], 'Parameter', torch.float32, device=None, requires_grad=True, size=[32, 32], stride=[32, 1], dispatch_keys='CPU, BackendSelect, ADInplaceOrView, AutogradCPU')   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['1']._modules['self_attn']._modules['q_proj']._parameters['weight'], '_dynamo_dynamic_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['1']._modules['self_attn']._modules['q_proj']._parameters['weight'], '_dynamo_weak_dynamic_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['1']._modules['self_attn']._modules['q_proj']._parameters['weight'], '_dynamo_unbacked_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['1']._modules['self_attn']._modules['q_proj']._parameters['weight'], '_dynamo_strict_unbacked_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['1']._modules['self_attn']._modules['q_proj']._parameters['weight'], '_dynamo_static_indices') == False   # linear.py:134
#   type_is(L['self']._modules['model']._modules['layers']._modules['1']._modules['self_attn']._modules['v_proj'], 'torch.nn.modules.linear.Linear', here(94711159805376))   # modeling_llama.py:245
#   not ___dict_contains('forward', L['self']._modules['model']._modules['layers']._modules['1']._modules['self_attn']._modules['v_proj'].__dict__)   # modeling_llama.py:245
#   type(L['self']._modules['model']._modules['layers']._modules['1']._modules['self_attn']._modules['v_proj']._parameters) is dict   # linear.py:134
#   L['self']._modules['model']._modules['layers']._modules['1']._modules['self_attn']._modules['v_proj']._parameters['bias'] is None   # linear.py:134
#   tensor_matches(L['self']._modules['model']._modules['layers']._modules['1']._modules['self_attn']._modules['v_proj']._parameters['weight'], 'Parameter', torch.float32, device=None, requires_grad=True, size=[16, 32], stride=[32, 1], dispatch_keys='CPU, BackendSelect, ADInplaceOrView, AutogradCPU')   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['1']._modules['self_attn']._modules['v_proj']._parameters['weight'], '_dynamo_dynamic_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['1']._modules['self_attn']._modules['v_proj']._parameters['weight'], '_dynamo_weak_dynamic_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['1']._modules['self_attn']._modules['v_proj']._parameters['weight'], '_dynamo_unbacked_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['1']._modules['self_attn']._modules['v_proj']._parameters['weight'], '_dynamo_strict_unbacked_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['1']._modules['self_attn']._modules['v_proj']._parameters['weight'], '_dynamo_static_indices') == False   # linear.py:134
#   equals(L['self']._modules['model']._modules['layers']._modules['1']._modules['self_attn'].head_dim, 16)   # modeling_llama.py:243
#   L['self']._modules['model']._modules['layers']._modules['1']._modules['self_attn'].training is False   # modeling_llama.py:263
#   type(L['self']._modules['model']._modules['layers']._modules['1']._modules['self_attn']._parameters) is dict   # modeling_llama.py:243
#   type_is(L['self']._modules['model']._modules['layers']._modules['1']._modules['input_layernorm'], 'transformers.models.llama.modeling_llama.LlamaRMSNorm', here(94711239375248))   # modeling_llama.py:295
#   not ___dict_contains('forward', L['self']._modules['model']._modules['layers']._modules['1']._modules['input_layernorm'].__dict__)   # modeling_llama.py:295
#   type(L['self']._modules['model']._modules['layers']._modules['1']._modules['input_layernorm']._parameters) is dict   # modeling_llama.py:66
#   tensor_matches(L['self']._modules['model']._modules['layers']._modules['1']._modules['input_layernorm']._parameters['weight'], 'Parameter', torch.float32, device=None, requires_grad=True, size=[32], stride=[1], dispatch_keys='CPU, BackendSelect, ADInplaceOrView, AutogradCPU')   # modeling_llama.py:66
#   hasattr(L['self']._modules['model']._modules['layers']._modules['1']._modules['input_layernorm']._parameters['weight'], '_dynamo_dynamic_indices') == False   # modeling_llama.py:66
#   hasattr(L['self']._modules['model']._modules['layers']._modules['1']._modules['input_layernorm']._parameters['weight'], '_dynamo_weak_dynamic_indices') == False   # modeling_llama.py:66
#   hasattr(L['self']._modules['model']._modules['layers']._modules['1']._modules['input_layernorm']._parameters['weight'], '_dynamo_unbacked_indices') == False   # modeling_llama.py:66
#   hasattr(L['self']._modules['model']._modules['layers']._modules['1']._modules['input_layernorm']._parameters['weight'], '_dynamo_strict_unbacked_indices') == False   # modeling_llama.py:66
#   hasattr(L['self']._modules['model']._modules['layers']._modules['1']._modules['input_layernorm']._parameters['weight'], '_dynamo_static_indices') == False   # modeling_llama.py:66
#   equals(L['self']._modules['model']._modules['layers']._modules['1']._modules['input_layernorm'].variance_epsilon, 1e-06)   # modeling_llama.py:65
#   type_is(L['self']._modules['model']._modules['layers']._modules['1']._modules['post_attention_layernorm'], 'transformers.models.llama.modeling_llama.LlamaRMSNorm', here(94711239375248))   # modeling_llama.py:310
#   not ___dict_contains('forward', L['self']._modules['model']._modules['layers']._modules['1']._modules['post_attention_layernorm'].__dict__)   # modeling_llama.py:310
#   type(L['self']._modules['model']._modules['layers']._modules['1']._modules['post_attention_layernorm']._parameters) is dict   # modeling_llama.py:66
#   tensor_matches(L['self']._modules['model']._modules['layers']._modules['1']._modules['post_attention_layernorm']._parameters['weight'], 'Parameter', torch.float32, device=None, requires_grad=True, size=[32], stride=[1], dispatch_keys='CPU, BackendSelect, ADInplaceOrView, AutogradCPU')   # modeling_llama.py:66
#   hasattr(L['self']._modules['model']._modules['layers']._modules['1']._modules['post_attention_layernorm']._parameters['weight'], '_dynamo_dynamic_indices') == False   # modeling_llama.py:66
#   hasattr(L['self']._modules['model']._modules['layers']._modules['1']._modules['post_attention_layernorm']._parameters['weight'], '_dynamo_weak_dynamic_indices') == False   # modeling_llama.py:66
#   hasattr(L['self']._modules['model']._modules['layers']._modules['1']._modules['post_attention_layernorm']._parameters['weight'], '_dynamo_unbacked_indices') == False   # modeling_llama.py:66
#   hasattr(L['self']._modules['model']._modules['layers']._modules['1']._modules['post_attention_layernorm']._parameters['weight'], '_dynamo_strict_unbacked_indices') == False   # modeling_llama.py:66
#   hasattr(L['self']._modules['model']._modules['layers']._modules['1']._modules['post_attention_layernorm']._parameters['weight'], '_dynamo_static_indices') == False   # modeling_llama.py:66
#   equals(L['self']._modules['model']._modules['layers']._modules['1']._modules['post_attention_layernorm'].variance_epsilon, 1e-06)   # modeling_llama.py:65
#   type(L['self']._modules['model']._modules['layers']._modules['1']._parameters) is dict   # modeling_llama.py:295
#   object_is(L['self']._modules['model']._modules['layers'].__class__, here(94711159840288), 'torch.nn.modules.container.ModuleList')   # container.py:384
#   L['self']._modules['model']._modules['layers'].__class__.call_super_init is False   # module.py:487
#   type_is(L['self']._modules['model']._modules['rotary_emb'], 'transformers.models.llama.modeling_llama.LlamaRotaryEmbedding', here(94711239261328))   # modeling_llama.py:389
#   not ___dict_contains('forward', L['self']._modules['model']._modules['rotary_emb'].__dict__)   # modeling_llama.py:389
#   type(L['self']._modules['model']._modules['rotary_emb']._buffers) is dict   # modeling_llama.py:111
#   tensor_matches(L['self']._modules['model']._modules['rotary_emb']._buffers['inv_freq'], 'Tensor', torch.float32, device=None, requires_grad=False, size=[8], stride=[1], dispatch_keys='CPU, BackendSelect, ADInplaceOrView, AutogradCPU')   # modeling_llama.py:111
#   hasattr(L['self']._modules['model']._modules['rotary_emb']._buffers['inv_freq'], '_dynamo_dynamic_indices') == False   # modeling_llama.py:111
#   hasattr(L['self']._modules['model']._modules['rotary_emb']._buffers['inv_freq'], '_dynamo_weak_dynamic_indices') == False   # modeling_llama.py:111
#   hasattr(L['self']._modules['model']._modules['rotary_emb']._buffers['inv_freq'], '_dynamo_unbacked_indices') == False   # modeling_llama.py:111
#   hasattr(L['self']._modules['model']._modules['rotary_emb']._buffers['inv_freq'], '_dynamo_strict_unbacked_indices') == False   # modeling_llama.py:111
#   hasattr(L['self']._modules['model']._modules['rotary_emb']._buffers['inv_freq'], '_dynamo_static_indices') == False   # modeling_llama.py:111
#   not_aliased(L['kwargs']['labels'], L['kwargs']['input_ids'], L['self']._modules['model']._modules['rotary_emb']._buffers['inv_freq'])
#   type(L['self']._modules['model']._modules['rotary_emb']._modules) is dict   # modeling_llama.py:111
#   equals(L['self']._modules['model']._modules['rotary_emb'].rope_type, 'default')   # modeling_rope_utils.py:125
#   type(L['self']._modules['model']._modules['rotary_emb']._parameters) is dict   # modeling_llama.py:111
#   equals(L['self']._modules['model']._modules['rotary_emb'].attention_scaling, 1.0)   # modeling_llama.py:113
#   type_is(dict(type(L['self']._modules['model']._modules['rotary_emb']).__dict__)['forward'].__closure__[0].cell_contents, 'method', here(140504400696000))   # _contextlib.py:123
#   object_is(dict(type(L['self']._modules['model']._modules['rotary_emb']).__dict__)['forward'].__closure__[1].cell_contents.__code__, here(140503735682544), 'code')   # _contextlib.py:124
#   type(dict(type(L['self']._modules['model']._modules['rotary_emb']).__dict__)['forward'].__closure__[1].cell_contents.__defaults__) is tuple   # _contextlib.py:124
#   length_is(dict(type(L['self']._modules['model']._modules['rotary_emb']).__dict__)['forward'].__closure__[1].cell_contents.__defaults__, 1)   # _contextlib.py:124
#   dict(type(L['self']._modules['model']._modules['rotary_emb']).__dict__)['forward'].__closure__[1].cell_contents.__defaults__[0] is None   # modeling_rope_utils.py:123
#   object_is(dict(type(L['self']._modules['model']._modules['rotary_emb']).__dict__)['forward'].__closure__[1].cell_contents.__closure__[2].cell_contents.__code__, here(94711235405152), 'code')   # modeling_rope_utils.py:129
#   type_is(L['self']._modules['model']._modules['embed_tokens'], 'torch.nn.modules.sparse.Embedding', here(94711161528960))   # modeling_llama.py:370
#   not ___dict_contains('forward', L['self']._modules['model']._modules['embed_tokens'].__dict__)   # modeling_llama.py:370
#   L['self']._modules['model']._modules['embed_tokens'].sparse is False   # sparse.py:189
#   L['self']._modules['model']._modules['embed_tokens'].max_norm is None   # sparse.py:189
#   equals(L['self']._modules['model']._modules['embed_tokens'].norm_type, 2.0)   # sparse.py:189
#   type(L['self']._modules['model']._modules['embed_tokens']._parameters) is dict   # sparse.py:191
#   tensor_matches(L['self']._modules['model']._modules['embed_tokens']._parameters['weight'], 'Parameter', torch.float32, device=None, requires_grad=True, size=[64, 32], stride=[32, 1], dispatch_keys='CPU, BackendSelect, ADInplaceOrView, AutogradCPU')   # sparse.py:191
#   hasattr(L['self']._modules['model']._modules['embed_tokens']._parameters['weight'], '_dynamo_dynamic_indices') == False   # sparse.py:191
#   hasattr(L['self']._modules['model']._modules['embed_tokens']._parameters['weight'], '_dynamo_weak_dynamic_indices') == False   # sparse.py:191
#   hasattr(L['self']._modules['model']._modules['embed_tokens']._parameters['weight'], '_dynamo_unbacked_indices') == False   # sparse.py:191
#   hasattr(L['self']._modules['model']._modules['embed_tokens']._parameters['weight'], '_dynamo_strict_unbacked_indices') == False   # sparse.py:191
#   hasattr(L['self']._modules['model']._modules['embed_tokens']._parameters['weight'], '_dynamo_static_indices') == False   # sparse.py:191
#   equals(L['self']._modules['model']._modules['embed_tokens'].padding_idx, 0)   # sparse.py:189
#   L['self']._modules['model']._modules['embed_tokens'].scale_grad_by_freq is False   # sparse.py:189
#   type(L['self']._modules['model']._parameters) is dict   # modeling_llama.py:370
#   object_is(L['self']._modules['model'].__class__, here(94711239378144), 'transformers.models.llama.modeling_llama.LlamaModel')   # output_capturing.py:50
#   object_is(dict(type(L['self']._modules['model']).__dict__)['forward'].__closure__[0].cell_contents.__code__, here(94711222970384), 'code')   # generic.py:1029
#   object_is(dict(type(L['self']._modules['model']).__dict__)['forward'].__closure__[0].cell_contents.__closure__[0].cell_contents.__code__, here(94711234128736), 'code')   # output_capturing.py:361
#   type_is(L['self']._modules['lm_head'], 'torch.nn.modules.linear.Linear', here(94711159805376))   # modeling_llama.py:468
#   not ___dict_contains('forward', L['self']._modules['lm_head'].__dict__)   # modeling_llama.py:468
#   type(L['self']._modules['lm_head']._parameters) is dict   # linear.py:134
#   L['self']._modules['lm_head']._parameters['bias'] is None   # linear.py:134
#   tensor_matches(L['self']._modules['lm_head']._parameters['weight'], 'Parameter', torch.float32, device=None, requires_grad=True, size=[64, 32], stride=[32, 1], dispatch_keys='CPU, BackendSelect, ADInplaceOrView, AutogradCPU')   # linear.py:134
#   hasattr(L['self']._modules['lm_head']._parameters['weight'], '_dynamo_dynamic_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['lm_head']._parameters['weight'], '_dynamo_weak_dynamic_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['lm_head']._parameters['weight'], '_dynamo_unbacked_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['lm_head']._parameters['weight'], '_dynamo_strict_unbacked_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['lm_head']._parameters['weight'], '_dynamo_static_indices') == False   # linear.py:134
#   type(L['self']._parameters) is dict   # modeling_llama.py:456
#   not ___dict_contains('loss_function', dict(type(L['self']).__mro__[1].__dict__))   # modeling_llama.py:472
#   object_is(dict(type(L['self']).__mro__[2].__dict__)['loss_function'].fget.__code__, here(140503740487728), 'code')   # modeling_llama.py:472
#   G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].torch.Tensor is G['__import_torch'].Tensor   # generic.py:175
#   G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].torch.Tensor is G['_140504389014192_c1'].Tensor   # generic.py:114
#   G['__import_torch_dot_nn_dot_modules_dot_sparse'].F is G['__import_torch_dot_nn_dot_functional']   # functional.py:5801
#   G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].torch.nn is G['__import_transformers_dot_activations'].nn   # activations.py:103
#   G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].torch is G['__import_torch_dot_nn_dot_functional'].torch   # functional.py:5805
#   G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].torch is G['__import_transformers_dot_masking_utils'].torch   # masking_utils.py:833
#   G['__import_torch_dot_nn_dot_modules_dot_sparse'].F is G['__import_torch_dot_nn_dot_modules_dot_linear'].F   # linear.py:134
#   G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].torch is G['__import_transformers_dot_modeling_utils'].torch   # modeling_utils.py:5111
#   G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].torch.nn is G['__import_transformers_dot_loss_dot_loss_utils'].nn   # loss_utils.py:65
#   G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].torch is G['__import_torch_dot_nn_dot_modules_dot_module'].torch   # module.py:484
#   G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].torch is G['__import_transformers_dot_integrations_dot_sdpa_attention'].torch   # sdpa_attention.py:163
#   G['__import_torch_dot__dynamo_dot_polyfills'].Iterable is G['__import_torch_dot_nn_dot_modules_dot_container'].container_abcs.Iterable   # container.py:492
#   G['__import_torch_dot_nn_dot_modules_dot_sparse'].F is G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].torch.nn.functional   # sdpa_attention.py:193
#   L['self'].config is L['self']._modules['model'].config   # generic.py:1037
#   L['self'].config is L['self']._modules['model']._modules['layers']._modules['0']._modules['self_attn'].config   # modeling_llama.py:254
#   L['self'].config is L['self']._modules['model']._modules['layers']._modules['1']._modules['self_attn'].config   # modeling_llama.py:254

# ---- Inference, wrapper [0/0]: Captured by Dynamo
class Graph_inference_0_0_captured_graph(torch.nn.Module):
    def forward(
        self,
        input_ids: "i64[2, 16][16, 1]cpu",
        model_embed_tokens_weight: "f32[64, 32][32, 1]cpu",
        model_rotary_emb_inv_freq: "f32[8][1]cpu",
        model_layers_0_input_layernorm_weight: "f32[32][1]cpu",
        model_layers_0_self_attn_q_proj_weight: "f32[32, 32][32, 1]cpu",
        model_layers_0_self_attn_k_proj_weight: "f32[16, 32][32, 1]cpu",
        model_layers_0_self_attn_v_proj_weight: "f32[16, 32][32, 1]cpu",
        model_layers_0_self_attn_o_proj_weight: "f32[32, 32][32, 1]cpu",
        model_layers_0_post_attention_layernorm_weight: "f32[32][1]cpu",
        model_layers_0_mlp_gate_proj_weight: "f32[64, 32][32, 1]cpu",
        model_layers_0_mlp_up_proj_weight: "f32[64, 32][32, 1]cpu",
        model_layers_0_mlp_down_proj_weight: "f32[32, 64][64, 1]cpu",
        model_layers_1_input_layernorm_weight: "f32[32][1]cpu",
        model_layers_1_self_attn_q_proj_weight: "f32[32, 32][32, 1]cpu",
        model_layers_1_self_attn_k_proj_weight: "f32[16, 32][32, 1]cpu",
        model_layers_1_self_attn_v_proj_weight: "f32[16, 32][32, 1]cpu",
        model_layers_1_self_attn_o_proj_weight: "f32[32, 32][32, 1]cpu",
        model_layers_1_post_attention_layernorm_weight: "f32[32][1]cpu",
        model_layers_1_mlp_gate_proj_weight: "f32[64, 32][32, 1]cpu",
        model_layers_1_mlp_up_proj_weight: "f32[64, 32][32, 1]cpu",
        model_layers_1_mlp_down_proj_weight: "f32[32, 64][64, 1]cpu",
        model_norm_weight: "f32[32][1]cpu",
        lm_head_weight: "f32[64, 32][32, 1]cpu",
        L_kwargs_labels_: "i64[2, 16][16, 1]cpu",
    ):
        l_kwargs_labels_ = L_kwargs_labels_

        # File: modeling_llama.py:370 in forward, code: inputs_embeds: torch.Tensor = self.embed_tokens(input_ids)
        inputs_embeds: "f32[2, 16, 32][512, 32, 1]cpu" = torch.nn.functional.embedding(input_ids, model_embed_tokens_weight, 0, None, 2.0, False, False);  input_ids = model_embed_tokens_weight = None

        # File: modeling_llama.py:377 in forward, code: position_ids = torch.arange(inputs_embeds.shape[1], device=inputs_embeds.device) + past_seen_tokens
        arange: "i64[16][1]cpu" = torch.arange(16, device = device(type='cpu'))
        position_ids: "i64[16][1]cpu" = arange + 0;  arange = None

        # File: modeling_llama.py:378 in forward, code: position_ids = position_ids.unsqueeze(0)
        position_ids_1: "i64[1, 16][16, 1]cpu" = position_ids.unsqueeze(0);  position_ids = None

        # File: masking_utils.py:880 in _preprocess_mask_arguments, code: position_ids = position_ids.expand(batch_size, -1)
        position_ids_2: "i64[2, 16][0, 1]cpu" = position_ids_1.expand(2, -1)

        # File: masking_utils.py:771 in find_packed_sequence_indices, code: first_dummy_value = position_ids[:, :1] - 1  # We just need the diff on this first value to be 1
        getitem: "i64[2, 1][0, 1]cpu" = position_ids_2[(slice(None, None, None), slice(None, 1, None))]
        first_dummy_value: "i64[2, 1][1, 1]cpu" = getitem - 1;  getitem = None

        # File: masking_utils.py:772 in find_packed_sequence_indices, code: position_diff = torch.diff(position_ids, prepend=first_dummy_value, dim=-1)
        position_diff: "i64[2, 16][16, 1]cpu" = torch.diff(position_ids_2, prepend = first_dummy_value, dim = -1);  position_ids_2 = first_dummy_value = None

        # File: masking_utils.py:773 in find_packed_sequence_indices, code: packed_sequence_mask = (position_diff != 1).cumsum(-1)
        ne: "b8[2, 16][16, 1]cpu" = position_diff != 1;  position_diff = None
        packed_sequence_mask: "i64[2, 16][16, 1]cpu" = ne.cumsum(-1);  ne = None

        # File: masking_utils.py:1006 in create_causal_mask, code: mask_factory_function, position_ids.expand(batch_size, -1), packed_sequence_mask
        expand_1: "i64[2, 16][0, 1]cpu" = position_ids_1.expand(2, -1)

        # File: masking_utils.py:543 in sdpa_mask, code: batch_arange = torch.arange(batch_size, device=device)
        batch_arange: "i64[2][1]cpu" = torch.arange(2, device = device(type='cpu'))

        # File: masking_utils.py:544 in sdpa_mask, code: head_arange = torch.arange(1, device=device)
        head_arange: "i64[1][1]cpu" = torch.arange(1, device = device(type='cpu'));  head_arange = None

        # File: masking_utils.py:545 in sdpa_mask, code: q_arange = torch.arange(q_length, device=device) + q_offset
        arange_3: "i64[16][1]cpu" = torch.arange(16, device = device(type='cpu'))
        q_arange: "i64[16][1]cpu" = arange_3 + 0;  arange_3 = None

        # File: masking_utils.py:546 in sdpa_mask, code: kv_arange = torch.arange(kv_length, device=device) + kv_offset
        arange_4: "i64[16][1]cpu" = torch.arange(16, device = device(type='cpu'))
        kv_arange: "i64[16][1]cpu" = arange_4 + 0;  arange_4 = None

        # File: masking_utils.py:403 in _non_vmap_expansion_sdpa, code: batch_indices = batch_indices[:, None, None, None]
        batch_indices: "i64[2, 1, 1, 1][1, 1, 1, 1]cpu" = batch_arange[(slice(None, None, None), None, None, None)];  batch_arange = None

        # File: masking_utils.py:405 in _non_vmap_expansion_sdpa, code: q_indices = q_indices[None, None, :, None]
        q_indices: "i64[1, 1, 16, 1][16, 16, 1, 1]cpu" = q_arange[(None, None, slice(None, None, None), None)];  q_arange = None

        # File: masking_utils.py:406 in _non_vmap_expansion_sdpa, code: kv_indices = kv_indices[None, None, None, :]
        kv_indices: "i64[1, 1, 1, 16][16, 16, 16, 1]cpu" = kv_arange[(None, None, None, slice(None, None, None))];  kv_arange = None

        # File: masking_utils.py:50 in and_mask, code: result = q_idx.new_ones((), dtype=torch.bool)
        result: "b8[][]cpu" = q_indices.new_ones((), dtype = torch.bool)

        # File: masking_utils.py:188 in inner_mask, code: return packed_sequence_mask[batch_idx, q_idx] == packed_sequence_mask[batch_idx, kv_idx]
        getitem_5: "i64[2, 1, 16, 1][16, 16, 1, 1]cpu" = packed_sequence_mask[(batch_indices, q_indices)]
        getitem_6: "i64[2, 1, 1, 16][16, 16, 16, 1]cpu" = packed_sequence_mask[(batch_indices, kv_indices)];  packed_sequence_mask = None
        eq: "b8[2, 1, 16, 16][256, 256, 16, 1]cpu" = getitem_5 == getitem_6;  getitem_5 = getitem_6 = None

        # File: masking_utils.py:52 in and_mask, code: result = result & mask(batch_idx, head_idx, q_idx, kv_idx).to(result.device)
        to: "b8[2, 1, 16, 16][256, 256, 16, 1]cpu" = eq.to(device(type='cpu'));  eq = None
        result_1: "b8[2, 1, 16, 16][256, 256, 16, 1]cpu" = result & to;  result = to = None

        # File: masking_utils.py:203 in inner_mask, code: return mask_function(batch_idx, head_idx, position_ids[batch_idx, q_idx], position_ids[batch_idx, kv_idx])
        getitem_7: "i64[2, 1, 16, 1][16, 16, 1, 1]cpu" = expand_1[(batch_indices, q_indices)];  q_indices = None
        getitem_8: "i64[2, 1, 1, 16][16, 16, 16, 1]cpu" = expand_1[(batch_indices, kv_indices)];  expand_1 = batch_indices = kv_indices = None

        # File: masking_utils.py:76 in causal_mask_function, code: return kv_idx <= q_idx
        le: "b8[2, 1, 16, 16][256, 256, 16, 1]cpu" = getitem_8 <= getitem_7;  getitem_8 = getitem_7 = None

        # File: masking_utils.py:52 in and_mask, code: result = result & mask(batch_idx, head_idx, q_idx, kv_idx).to(result.device)
        to_1: "b8[2, 1, 16, 16][256, 256, 16, 1]cpu" = le.to(device(type='cpu'));  le = None
        result_2: "b8[2, 1, 16, 16][256, 256, 16, 1]cpu" = result_1 & to_1;  result_1 = to_1 = None

        # File: masking_utils.py:554 in sdpa_mask, code: attention_mask = attention_mask.expand(batch_size, -1, q_length, kv_length)
        attention_mask: "b8[2, 1, 16, 16][256, 256, 16, 1]cpu" = result_2.expand(2, -1, 16, 16);  result_2 = None

        # File: modeling_llama.py:111 in forward, code: freqs = position_ids[..., None].float() * self.inv_freq.to(device=x.device, dtype=torch.float)
        getitem_9: "i64[1, 16, 1][16, 1, 1]cpu" = position_ids_1[(Ellipsis, None)];  position_ids_1 = None
        float_1: "f32[1, 16, 1][16, 1, 1]cpu" = getitem_9.float();  getitem_9 = None
        to_2: "f32[8][1]cpu" = model_rotary_emb_inv_freq.to(device = device(type='cpu'), dtype = torch.float32);  model_rotary_emb_inv_freq = None
        freqs: "f32[1, 16, 8][128, 8, 1]cpu" = float_1 * to_2;  float_1 = to_2 = None

        # File: modeling_llama.py:112 in forward, code: emb = torch.cat((freqs, freqs), dim=-1)
        emb: "f32[1, 16, 16][256, 16, 1]cpu" = torch.cat((freqs, freqs), dim = -1);  freqs = None

        # File: modeling_llama.py:113 in forward, code: cos = emb.cos() * self.attention_scaling
        cos: "f32[1, 16, 16][256, 16, 1]cpu" = emb.cos()
        cos_1: "f32[1, 16, 16][256, 16, 1]cpu" = cos * 1.0;  cos = None

        # File: modeling_llama.py:114 in forward, code: sin = emb.sin() * self.attention_scaling
        sin: "f32[1, 16, 16][256, 16, 1]cpu" = emb.sin();  emb = None
        sin_1: "f32[1, 16, 16][256, 16, 1]cpu" = sin * 1.0;  sin = None

        # File: modeling_llama.py:116 in forward, code: return cos.to(dtype=x.dtype), sin.to(dtype=x.dtype)
        cos_2: "f32[1, 16, 16][256, 16, 1]cpu" = cos_1.to(dtype = torch.float32);  cos_1 = None
        sin_2: "f32[1, 16, 16][256, 16, 1]cpu" = sin_1.to(dtype = torch.float32);  sin_1 = None

        # File: modeling_llama.py:391 in forward, code: for decoder_layer in self.layers[: self.config.num_hidden_layers]:
        _log_api_usage_once = torch._C._log_api_usage_once('python.nn_module');  _log_api_usage_once = None

        # File: modeling_llama.py:63 in forward, code: hidden_states = hidden_states.to(torch.float32)
        hidden_states: "f32[2, 16, 32][512, 32, 1]cpu" = inputs_embeds.to(torch.float32)

        # File: modeling_llama.py:64 in forward, code: variance = hidden_states.pow(2).mean(-1, keepdim=True)
        pow_1: "f32[2, 16, 32][512, 32, 1]cpu" = hidden_states.pow(2)
        variance: "f32[2, 16, 1][16, 1, 1]cpu" = pow_1.mean(-1, keepdim = True);  pow_1 = None

        # File: modeling_llama.py:65 in forward, code: hidden_states = hidden_states * torch.rsqrt(variance + self.variance_epsilon)
        add_3: "f32[2, 16, 1][16, 1, 1]cpu" = variance + 1e-06;  variance = None
        rsqrt: "f32[2, 16, 1][16, 1, 1]cpu" = torch.rsqrt(add_3);  add_3 = None
        hidden_states_1: "f32[2, 16, 32][512, 32, 1]cpu" = hidden_states * rsqrt;  hidden_states = rsqrt = None

        # File: modeling_llama.py:66 in forward, code: return self.weight * hidden_states.to(input_dtype)
        to_6: "f32[2, 16, 32][512, 32, 1]cpu" = hidden_states_1.to(torch.float32);  hidden_states_1 = None
        hidden_states_2: "f32[2, 16, 32][512, 32, 1]cpu" = model_layers_0_input_layernorm_weight * to_6;  model_layers_0_input_layernorm_weight = to_6 = None

        # File: modeling_llama.py:243 in forward, code: query_states = self.q_proj(hidden_states).view(hidden_shape).transpose(1, 2)
        linear: "f32[2, 16, 32][512, 32, 1]cpu" = torch._C._nn.linear(hidden_states_2, model_layers_0_self_attn_q_proj_weight, None);  model_layers_0_self_attn_q_proj_weight = None
        view: "f32[2, 16, 2, 16][512, 32, 16, 1]cpu" = linear.view((2, 16, -1, 16));  linear = None
        query_states: "f32[2, 2, 16, 16][512, 16, 32, 1]cpu" = view.transpose(1, 2);  view = None

        # File: modeling_llama.py:244 in forward, code: key_states = self.k_proj(hidden_states).view(hidden_shape).transpose(1, 2)
        linear_1: "f32[2, 16, 16][256, 16, 1]cpu" = torch._C._nn.linear(hidden_states_2, model_layers_0_self_attn_k_proj_weight, None);  model_layers_0_self_attn_k_proj_weight = None
        view_1: "f32[2, 16, 1, 16][256, 16, 16, 1]cpu" = linear_1.view((2, 16, -1, 16));  linear_1 = None
        key_states: "f32[2, 1, 16, 16][256, 16, 16, 1]cpu" = view_1.transpose(1, 2);  view_1 = None

        # File: modeling_llama.py:245 in forward, code: value_states = self.v_proj(hidden_states).view(hidden_shape).transpose(1, 2)
        linear_2: "f32[2, 16, 16][256, 16, 1]cpu" = torch._C._nn.linear(hidden_states_2, model_layers_0_self_attn_v_proj_weight, None);  hidden_states_2 = model_layers_0_self_attn_v_proj_weight = None
        view_2: "f32[2, 16, 1, 16][256, 16, 16, 1]cpu" = linear_2.view((2, 16, -1, 16));  linear_2 = None
        value_states: "f32[2, 1, 16, 16][256, 16, 16, 1]cpu" = view_2.transpose(1, 2);  view_2 = None

        # File: modeling_llama.py:145 in apply_rotary_pos_emb, code: cos = cos.unsqueeze(unsqueeze_dim)
        cos_3: "f32[1, 1, 16, 16][256, 256, 16, 1]cpu" = cos_2.unsqueeze(1)

        # File: modeling_llama.py:146 in apply_rotary_pos_emb, code: sin = sin.unsqueeze(unsqueeze_dim)
        sin_3: "f32[1, 1, 16, 16][256, 256, 16, 1]cpu" = sin_2.unsqueeze(1)

        # File: modeling_llama.py:147 in apply_rotary_pos_emb, code: q_embed = (q * cos) + (rotate_half(q) * sin)
        mul_5: "f32[2, 2, 16, 16][512, 16, 32, 1]cpu" = query_states * cos_3

        # File: modeling_llama.py:121 in rotate_half, code: x1 = x[..., : x.shape[-1] // 2]
        x1: "f32[2, 2, 16, 8][512, 16, 32, 1]cpu" = query_states[(Ellipsis, slice(None, 8, None))]

        # File: modeling_llama.py:122 in rotate_half, code: x2 = x[..., x.shape[-1] // 2 :]
        x2: "f32[2, 2, 16, 8][512, 16, 32, 1]cpu" = query_states[(Ellipsis, slice(8, None, None))];  query_states = None

        # File: modeling_llama.py:123 in rotate_half, code: return torch.cat((-x2, x1), dim=-1)
        neg: "f32[2, 2, 16, 8][256, 8, 16, 1]cpu" = -x2;  x2 = None
        cat_1: "f32[2, 2, 16, 16][512, 256, 16, 1]cpu" = torch.cat((neg, x1), dim = -1);  neg = x1 = None

        # File: modeling_llama.py:147 in apply_rotary_pos_emb, code: q_embed = (q * cos) + (rotate_half(q) * sin)
        mul_6: "f32[2, 2, 16, 16][512, 256, 16, 1]cpu" = cat_1 * sin_3;  cat_1 = None
        q_embed: "f32[2, 2, 16, 16][512, 16, 32, 1]cpu" = mul_5 + mul_6;  mul_5 = mul_6 = None

        # File: modeling_llama.py:148 in apply_rotary_pos_emb, code: k_embed = (k * cos) + (rotate_half(k) * sin)
        mul_7: "f32[2, 1, 16, 16][256, 16, 16, 1]cpu" = key_states * cos_3;  cos_3 = None

        # File: modeling_llama.py:121 in rotate_half, code: x1 = x[..., : x.shape[-1] // 2]
        x1_1: "f32[2, 1, 16, 8][256, 16, 16, 1]cpu" = key_states[(Ellipsis, slice(None, 8, None))]

        # File: modeling_llama.py:122 in rotate_half, code: x2 = x[..., x.shape[-1] // 2 :]
        x2_1: "f32[2, 1, 16, 8][256, 16, 16, 1]cpu" = key_states[(Ellipsis, slice(8, None, None))];  key_states = None

        # File: modeling_llama.py:123 in rotate_half, code: return torch.cat((-x2, x1), dim=-1)
        neg_1: "f32[2, 1, 16, 8][128, 8, 8, 1]cpu" = -x2_1;  x2_1 = None
        cat_2: "f32[2, 1, 16, 16][256, 256, 16, 1]cpu" = torch.cat((neg_1, x1_1), dim = -1);  neg_1 = x1_1 = None

        # File: modeling_llama.py:148 in apply_rotary_pos_emb, code: k_embed = (k * cos) + (rotate_half(k) * sin)
        mul_8: "f32[2, 1, 16, 16][256, 256, 16, 1]cpu" = cat_2 * sin_3;  cat_2 = sin_3 = None
        k_embed: "f32[2, 1, 16, 16][256, 16, 16, 1]cpu" = mul_7 + mul_8;  mul_7 = mul_8 = None

        # File: sdpa_attention.py:28 in repeat_kv, code: hidden_states = hidden_states[:, :, None, :, :].expand(batch, num_key_value_heads, n_rep, slen, head_dim)
        getitem_14: "f32[2, 1, 1, 16, 16][256, 16, 256, 16, 1]cpu" = k_embed[(slice(None, None, None), slice(None, None, None), None, slice(None, None, None), slice(None, None, None))];  k_embed = None
        hidden_states_3: "f32[2, 1, 2, 16, 16][256, 16, 0, 16, 1]cpu" = getitem_14.expand(2, 1, 2, 16, 16);  getitem_14 = None

        # File: sdpa_attention.py:29 in repeat_kv, code: return hidden_states.reshape(batch, num_key_value_heads * n_rep, slen, head_dim)
        key: "f32[2, 2, 16, 16][256, 0, 16, 1]cpu" = hidden_states_3.reshape(2, 2, 16, 16);  hidden_states_3 = None

        # File: sdpa_attention.py:28 in repeat_kv, code: hidden_states = hidden_states[:, :, None, :, :].expand(batch, num_key_value_heads, n_rep, slen, head_dim)
        getitem_15: "f32[2, 1, 1, 16, 16][256, 16, 256, 16, 1]cpu" = value_states[(slice(None, None, None), slice(None, None, None), None, slice(None, None, None), slice(None, None, None))];  value_states = None
        hidden_states_4: "f32[2, 1, 2, 16, 16][256, 16, 0, 16, 1]cpu" = getitem_15.expand(2, 1, 2, 16, 16);  getitem_15 = None

        # File: sdpa_attention.py:29 in repeat_kv, code: return hidden_states.reshape(batch, num_key_value_heads * n_rep, slen, head_dim)
        value: "f32[2, 2, 16, 16][256, 0, 16, 1]cpu" = hidden_states_4.reshape(2, 2, 16, 16);  hidden_states_4 = None

        # File: sdpa_attention.py:193 in sdpa_attention_forward, code: attn_output = torch.nn.functional.scaled_dot_product_attention(
        attn_output: "f32[2, 2, 16, 16][512, 16, 32, 1]cpu" = torch._C._nn.scaled_dot_product_attention(q_embed, key, value, attn_mask = attention_mask, dropout_p = 0.0, scale = 0.25, is_causal = False);  q_embed = key = value = None

        # File: sdpa_attention.py:205 in sdpa_attention_forward, code: attn_output = attn_output.reshape(attn_output.shape[0], -1, q_length, value.shape[-1])
        attn_output_1: "f32[2, 2, 16, 16][512, 16, 32, 1]cpu" = attn_output.reshape(2, -1, 16, 16);  attn_output = None

        # File: sdpa_attention.py:206 in sdpa_attention_forward, code: attn_output = attn_output.transpose(1, 2).contiguous()
        transpose_3: "f32[2, 16, 2, 16][512, 32, 16, 1]cpu" = attn_output_1.transpose(1, 2);  attn_output_1 = None
        attn_output_2: "f32[2, 16, 2, 16][512, 32, 16, 1]cpu" = transpose_3.contiguous();  transpose_3 = None

        # File: modeling_llama.py:268 in forward, code: attn_output = attn_output.reshape(*input_shape, -1).contiguous()
        reshape_3: "f32[2, 16, 32][512, 32, 1]cpu" = attn_output_2.reshape(2, 16, -1);  attn_output_2 = None
        attn_output_3: "f32[2, 16, 32][512, 32, 1]cpu" = reshape_3.contiguous();  reshape_3 = None

        # File: modeling_llama.py:269 in forward, code: attn_output = self.o_proj(attn_output)
        attn_output_4: "f32[2, 16, 32][512, 32, 1]cpu" = torch._C._nn.linear(attn_output_3, model_layers_0_self_attn_o_proj_weight, None);  attn_output_3 = model_layers_0_self_attn_o_proj_weight = None

        # File: modeling_llama.py:306 in forward, code: hidden_states = residual + hidden_states
        hidden_states_5: "f32[2, 16, 32][512, 32, 1]cpu" = inputs_embeds + attn_output_4;  inputs_embeds = attn_output_4 = None

        # File: modeling_llama.py:63 in forward, code: hidden_states = hidden_states.to(torch.float32)
        hidden_states_6: "f32[2, 16, 32][512, 32, 1]cpu" = hidden_states_5.to(torch.float32)

        # File: modeling_llama.py:64 in forward, code: variance = hidden_states.pow(2).mean(-1, keepdim=True)
        pow_2: "f32[2, 16, 32][512, 32, 1]cpu" = hidden_states_6.pow(2)
        variance_1: "f32[2, 16, 1][16, 1, 1]cpu" = pow_2.mean(-1, keepdim = True);  pow_2 = None

        # File: modeling_llama.py:65 in forward, code: hidden_states = hidden_states * torch.rsqrt(variance + self.variance_epsilon)
        add_7: "f32[2, 16, 1][16, 1, 1]cpu" = variance_1 + 1e-06;  variance_1 = None
        rsqrt_1: "f32[2, 16, 1][16, 1, 1]cpu" = torch.rsqrt(add_7);  add_7 = None
        hidden_states_7: "f32[2, 16, 32][512, 32, 1]cpu" = hidden_states_6 * rsqrt_1;  hidden_states_6 = rsqrt_1 = None

        # File: modeling_llama.py:66 in forward, code: return self.weight * hidden_states.to(input_dtype)
        to_8: "f32[2, 16, 32][512, 32, 1]cpu" = hidden_states_7.to(torch.float32);  hidden_states_7 = None
        hidden_states_8: "f32[2, 16, 32][512, 32, 1]cpu" = model_layers_0_post_attention_layernorm_weight * to_8;  model_layers_0_post_attention_layernorm_weight = to_8 = None

        # File: modeling_llama.py:164 in forward, code: down_proj = self.down_proj(self.act_fn(self.gate_proj(x)) * self.up_proj(x))
        linear_4: "f32[2, 16, 64][1024, 64, 1]cpu" = torch._C._nn.linear(hidden_states_8, model_layers_0_mlp_gate_proj_weight, None);  model_layers_0_mlp_gate_proj_weight = None

        # File: activations.py:103 in forward, code: return nn.functional.silu(input)
        silu: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.nn.functional.silu(linear_4);  linear_4 = None

        # File: modeling_llama.py:164 in forward, code: down_proj = self.down_proj(self.act_fn(self.gate_proj(x)) * self.up_proj(x))
        linear_5: "f32[2, 16, 64][1024, 64, 1]cpu" = torch._C._nn.linear(hidden_states_8, model_layers_0_mlp_up_proj_weight, None);  hidden_states_8 = model_layers_0_mlp_up_proj_weight = None
        mul_11: "f32[2, 16, 64][1024, 64, 1]cpu" = silu * linear_5;  silu = linear_5 = None
        down_proj: "f32[2, 16, 32][512, 32, 1]cpu" = torch._C._nn.linear(mul_11, model_layers_0_mlp_down_proj_weight, None);  mul_11 = model_layers_0_mlp_down_proj_weight = None

        # File: modeling_llama.py:312 in forward, code: hidden_states = residual + hidden_states
        hidden_states_9: "f32[2, 16, 32][512, 32, 1]cpu" = hidden_states_5 + down_proj;  hidden_states_5 = down_proj = None

        # File: modeling_llama.py:63 in forward, code: hidden_states = hidden_states.to(torch.float32)
        hidden_states_10: "f32[2, 16, 32][512, 32, 1]cpu" = hidden_states_9.to(torch.float32)

        # File: modeling_llama.py:64 in forward, code: variance = hidden_states.pow(2).mean(-1, keepdim=True)
        pow_3: "f32[2, 16, 32][512, 32, 1]cpu" = hidden_states_10.pow(2)
        variance_2: "f32[2, 16, 1][16, 1, 1]cpu" = pow_3.mean(-1, keepdim = True);  pow_3 = None

        # File: modeling_llama.py:65 in forward, code: hidden_states = hidden_states * torch.rsqrt(variance + self.variance_epsilon)
        add_9: "f32[2, 16, 1][16, 1, 1]cpu" = variance_2 + 1e-06;  variance_2 = None
        rsqrt_2: "f32[2, 16, 1][16, 1, 1]cpu" = torch.rsqrt(add_9);  add_9 = None
        hidden_states_11: "f32[2, 16, 32][512, 32, 1]cpu" = hidden_states_10 * rsqrt_2;  hidden_states_10 = rsqrt_2 = None

        # File: modeling_llama.py:66 in forward, code: return self.weight * hidden_states.to(input_dtype)
        to_10: "f32[2, 16, 32][512, 32, 1]cpu" = hidden_states_11.to(torch.float32);  hidden_states_11 = None
        hidden_states_12: "f32[2, 16, 32][512, 32, 1]cpu" = model_layers_1_input_layernorm_weight * to_10;  model_layers_1_input_layernorm_weight = to_10 = None

        # File: modeling_llama.py:243 in forward, code: query_states = self.q_proj(hidden_states).view(hidden_shape).transpose(1, 2)
        linear_7: "f32[2, 16, 32][512, 32, 1]cpu" = torch._C._nn.linear(hidden_states_12, model_layers_1_self_attn_q_proj_weight, None);  model_layers_1_self_attn_q_proj_weight = None
        view_3: "f32[2, 16, 2, 16][512, 32, 16, 1]cpu" = linear_7.view((2, 16, -1, 16));  linear_7 = None
        query_states_1: "f32[2, 2, 16, 16][512, 16, 32, 1]cpu" = view_3.transpose(1, 2);  view_3 = None

        # File: modeling_llama.py:244 in forward, code: key_states = self.k_proj(hidden_states).view(hidden_shape).transpose(1, 2)
        linear_8: "f32[2, 16, 16][256, 16, 1]cpu" = torch._C._nn.linear(hidden_states_12, model_layers_1_self_attn_k_proj_weight, None);  model_layers_1_self_attn_k_proj_weight = None
        view_4: "f32[2, 16, 1, 16][256, 16, 16, 1]cpu" = linear_8.view((2, 16, -1, 16));  linear_8 = None
        key_states_1: "f32[2, 1, 16, 16][256, 16, 16, 1]cpu" = view_4.transpose(1, 2);  view_4 = None

        # File: modeling_llama.py:245 in forward, code: value_states = self.v_proj(hidden_states).view(hidden_shape).transpose(1, 2)
        linear_9: "f32[2, 16, 16][256, 16, 1]cpu" = torch._C._nn.linear(hidden_states_12, model_layers_1_self_attn_v_proj_weight, None);  hidden_states_12 = model_layers_1_self_attn_v_proj_weight = None
        view_5: "f32[2, 16, 1, 16][256, 16, 16, 1]cpu" = linear_9.view((2, 16, -1, 16));  linear_9 = None
        value_states_1: "f32[2, 1, 16, 16][256, 16, 16, 1]cpu" = view_5.transpose(1, 2);  view_5 = None

        # File: modeling_llama.py:145 in apply_rotary_pos_emb, code: cos = cos.unsqueeze(unsqueeze_dim)
        cos_4: "f32[1, 1, 16, 16][256, 256, 16, 1]cpu" = cos_2.unsqueeze(1);  cos_2 = None

        # File: modeling_llama.py:146 in apply_rotary_pos_emb, code: sin = sin.unsqueeze(unsqueeze_dim)
        sin_4: "f32[1, 1, 16, 16][256, 256, 16, 1]cpu" = sin_2.unsqueeze(1);  sin_2 = None

        # File: modeling_llama.py:147 in apply_rotary_pos_emb, code: q_embed = (q * cos) + (rotate_half(q) * sin)
        mul_14: "f32[2, 2, 16, 16][512, 16, 32, 1]cpu" = query_states_1 * cos_4

        # File: modeling_llama.py:121 in rotate_half, code: x1 = x[..., : x.shape[-1] // 2]
        x1_2: "f32[2, 2, 16, 8][512, 16, 32, 1]cpu" = query_states_1[(Ellipsis, slice(None, 8, None))]

        # File: modeling_llama.py:122 in rotate_half, code: x2 = x[..., x.shape[-1] // 2 :]
        x2_2: "f32[2, 2, 16, 8][512, 16, 32, 1]cpu" = query_states_1[(Ellipsis, slice(8, None, None))];  query_states_1 = None

        # File: modeling_llama.py:123 in rotate_half, code: return torch.cat((-x2, x1), dim=-1)
        neg_2: "f32[2, 2, 16, 8][256, 8, 16, 1]cpu" = -x2_2;  x2_2 = None
        cat_3: "f32[2, 2, 16, 16][512, 256, 16, 1]cpu" = torch.cat((neg_2, x1_2), dim = -1);  neg_2 = x1_2 = None

        # File: modeling_llama.py:147 in apply_rotary_pos_emb, code: q_embed = (q * cos) + (rotate_half(q) * sin)
        mul_15: "f32[2, 2, 16, 16][512, 256, 16, 1]cpu" = cat_3 * sin_4;  cat_3 = None
        q_embed_1: "f32[2, 2, 16, 16][512, 16, 32, 1]cpu" = mul_14 + mul_15;  mul_14 = mul_15 = None

        # File: modeling_llama.py:148 in apply_rotary_pos_emb, code: k_embed = (k * cos) + (rotate_half(k) * sin)
        mul_16: "f32[2, 1, 16, 16][256, 16, 16, 1]cpu" = key_states_1 * cos_4;  cos_4 = None

        # File: modeling_llama.py:121 in rotate_half, code: x1 = x[..., : x.shape[-1] // 2]
        x1_3: "f32[2, 1, 16, 8][256, 16, 16, 1]cpu" = key_states_1[(Ellipsis, slice(None, 8, None))]

        # File: modeling_llama.py:122 in rotate_half, code: x2 = x[..., x.shape[-1] // 2 :]
        x2_3: "f32[2, 1, 16, 8][256, 16, 16, 1]cpu" = key_states_1[(Ellipsis, slice(8, None, None))];  key_states_1 = None

        # File: modeling_llama.py:123 in rotate_half, code: return torch.cat((-x2, x1), dim=-1)
        neg_3: "f32[2, 1, 16, 8][128, 8, 8, 1]cpu" = -x2_3;  x2_3 = None
        cat_4: "f32[2, 1, 16, 16][256, 256, 16, 1]cpu" = torch.cat((neg_3, x1_3), dim = -1);  neg_3 = x1_3 = None

        # File: modeling_llama.py:148 in apply_rotary_pos_emb, code: k_embed = (k * cos) + (rotate_half(k) * sin)
        mul_17: "f32[2, 1, 16, 16][256, 256, 16, 1]cpu" = cat_4 * sin_4;  cat_4 = sin_4 = None
        k_embed_1: "f32[2, 1, 16, 16][256, 16, 16, 1]cpu" = mul_16 + mul_17;  mul_16 = mul_17 = None

        # File: sdpa_attention.py:28 in repeat_kv, code: hidden_states = hidden_states[:, :, None, :, :].expand(batch, num_key_value_heads, n_rep, slen, head_dim)
        getitem_20: "f32[2, 1, 1, 16, 16][256, 16, 256, 16, 1]cpu" = k_embed_1[(slice(None, None, None), slice(None, None, None), None, slice(None, None, None), slice(None, None, None))];  k_embed_1 = None
        hidden_states_13: "f32[2, 1, 2, 16, 16][256, 16, 0, 16, 1]cpu" = getitem_20.expand(2, 1, 2, 16, 16);  getitem_20 = None

        # File: sdpa_attention.py:29 in repeat_kv, code: return hidden_states.reshape(batch, num_key_value_heads * n_rep, slen, head_dim)
        key_1: "f32[2, 2, 16, 16][256, 0, 16, 1]cpu" = hidden_states_13.reshape(2, 2, 16, 16);  hidden_states_13 = None

        # File: sdpa_attention.py:28 in repeat_kv, code: hidden_states = hidden_states[:, :, None, :, :].expand(batch, num_key_value_heads, n_rep, slen, head_dim)
        getitem_21: "f32[2, 1, 1, 16, 16][256, 16, 256, 16, 1]cpu" = value_states_1[(slice(None, None, None), slice(None, None, None), None, slice(None, None, None), slice(None, None, None))];  value_states_1 = None
        hidden_states_14: "f32[2, 1, 2, 16, 16][256, 16, 0, 16, 1]cpu" = getitem_21.expand(2, 1, 2, 16, 16);  getitem_21 = None

        # File: sdpa_attention.py:29 in repeat_kv, code: return hidden_states.reshape(batch, num_key_value_heads * n_rep, slen, head_dim)
        value_1: "f32[2, 2, 16, 16][256, 0, 16, 1]cpu" = hidden_states_14.reshape(2, 2, 16, 16);  hidden_states_14 = None

        # File: sdpa_attention.py:193 in sdpa_attention_forward, code: attn_output = torch.nn.functional.scaled_dot_product_attention(
        attn_output_5: "f32[2, 2, 16, 16][512, 16, 32, 1]cpu" = torch._C._nn.scaled_dot_product_attention(q_embed_1, key_1, value_1, attn_mask = attention_mask, dropout_p = 0.0, scale = 0.25, is_causal = False);  q_embed_1 = key_1 = value_1 = attention_mask = None

        # File: sdpa_attention.py:205 in sdpa_attention_forward, code: attn_output = attn_output.reshape(attn_output.shape[0], -1, q_length, value.shape[-1])
        attn_output_6: "f32[2, 2, 16, 16][512, 16, 32, 1]cpu" = attn_output_5.reshape(2, -1, 16, 16);  attn_output_5 = None

        # File: sdpa_attention.py:206 in sdpa_attention_forward, code: attn_output = attn_output.transpose(1, 2).contiguous()
        transpose_7: "f32[2, 16, 2, 16][512, 32, 16, 1]cpu" = attn_output_6.transpose(1, 2);  attn_output_6 = None
        attn_output_7: "f32[2, 16, 2, 16][512, 32, 16, 1]cpu" = transpose_7.contiguous();  transpose_7 = None

        # File: modeling_llama.py:268 in forward, code: attn_output = attn_output.reshape(*input_shape, -1).contiguous()
        reshape_7: "f32[2, 16, 32][512, 32, 1]cpu" = attn_output_7.reshape(2, 16, -1);  attn_output_7 = None
        attn_output_8: "f32[2, 16, 32][512, 32, 1]cpu" = reshape_7.contiguous();  reshape_7 = None

        # File: modeling_llama.py:269 in forward, code: attn_output = self.o_proj(attn_output)
        attn_output_9: "f32[2, 16, 32][512, 32, 1]cpu" = torch._C._nn.linear(attn_output_8, model_layers_1_self_attn_o_proj_weight, None);  attn_output_8 = model_layers_1_self_attn_o_proj_weight = None

        # File: modeling_llama.py:306 in forward, code: hidden_states = residual + hidden_states
        hidden_states_15: "f32[2, 16, 32][512, 32, 1]cpu" = hidden_states_9 + attn_output_9;  hidden_states_9 = attn_output_9 = None

        # File: modeling_llama.py:63 in forward, code: hidden_states = hidden_states.to(torch.float32)
        hidden_states_16: "f32[2, 16, 32][512, 32, 1]cpu" = hidden_states_15.to(torch.float32)

        # File: modeling_llama.py:64 in forward, code: variance = hidden_states.pow(2).mean(-1, keepdim=True)
        pow_4: "f32[2, 16, 32][512, 32, 1]cpu" = hidden_states_16.pow(2)
        variance_3: "f32[2, 16, 1][16, 1, 1]cpu" = pow_4.mean(-1, keepdim = True);  pow_4 = None

        # File: modeling_llama.py:65 in forward, code: hidden_states = hidden_states * torch.rsqrt(variance + self.variance_epsilon)
        add_13: "f32[2, 16, 1][16, 1, 1]cpu" = variance_3 + 1e-06;  variance_3 = None
        rsqrt_3: "f32[2, 16, 1][16, 1, 1]cpu" = torch.rsqrt(add_13);  add_13 = None
        hidden_states_17: "f32[2, 16, 32][512, 32, 1]cpu" = hidden_states_16 * rsqrt_3;  hidden_states_16 = rsqrt_3 = None

        # File: modeling_llama.py:66 in forward, code: return self.weight * hidden_states.to(input_dtype)
        to_12: "f32[2, 16, 32][512, 32, 1]cpu" = hidden_states_17.to(torch.float32);  hidden_states_17 = None
        hidden_states_18: "f32[2, 16, 32][512, 32, 1]cpu" = model_layers_1_post_attention_layernorm_weight * to_12;  model_layers_1_post_attention_layernorm_weight = to_12 = None

        # File: modeling_llama.py:164 in forward, code: down_proj = self.down_proj(self.act_fn(self.gate_proj(x)) * self.up_proj(x))
        linear_11: "f32[2, 16, 64][1024, 64, 1]cpu" = torch._C._nn.linear(hidden_states_18, model_layers_1_mlp_gate_proj_weight, None);  model_layers_1_mlp_gate_proj_weight = None

        # File: activations.py:103 in forward, code: return nn.functional.silu(input)
        silu_1: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.nn.functional.silu(linear_11);  linear_11 = None

        # File: modeling_llama.py:164 in forward, code: down_proj = self.down_proj(self.act_fn(self.gate_proj(x)) * self.up_proj(x))
        linear_12: "f32[2, 16, 64][1024, 64, 1]cpu" = torch._C._nn.linear(hidden_states_18, model_layers_1_mlp_up_proj_weight, None);  hidden_states_18 = model_layers_1_mlp_up_proj_weight = None
        mul_20: "f32[2, 16, 64][1024, 64, 1]cpu" = silu_1 * linear_12;  silu_1 = linear_12 = None
        down_proj_1: "f32[2, 16, 32][512, 32, 1]cpu" = torch._C._nn.linear(mul_20, model_layers_1_mlp_down_proj_weight, None);  mul_20 = model_layers_1_mlp_down_proj_weight = None

        # File: modeling_llama.py:312 in forward, code: hidden_states = residual + hidden_states
        hidden_states_19: "f32[2, 16, 32][512, 32, 1]cpu" = hidden_states_15 + down_proj_1;  hidden_states_15 = down_proj_1 = None

        # File: modeling_llama.py:63 in forward, code: hidden_states = hidden_states.to(torch.float32)
        hidden_states_20: "f32[2, 16, 32][512, 32, 1]cpu" = hidden_states_19.to(torch.float32);  hidden_states_19 = None

        # File: modeling_llama.py:64 in forward, code: variance = hidden_states.pow(2).mean(-1, keepdim=True)
        pow_5: "f32[2, 16, 32][512, 32, 1]cpu" = hidden_states_20.pow(2)
        variance_4: "f32[2, 16, 1][16, 1, 1]cpu" = pow_5.mean(-1, keepdim = True);  pow_5 = None

        # File: modeling_llama.py:65 in forward, code: hidden_states = hidden_states * torch.rsqrt(variance + self.variance_epsilon)
        add_15: "f32[2, 16, 1][16, 1, 1]cpu" = variance_4 + 1e-06;  variance_4 = None
        rsqrt_4: "f32[2, 16, 1][16, 1, 1]cpu" = torch.rsqrt(add_15);  add_15 = None
        hidden_states_21: "f32[2, 16, 32][512, 32, 1]cpu" = hidden_states_20 * rsqrt_4;  hidden_states_20 = rsqrt_4 = None

        # File: modeling_llama.py:66 in forward, code: return self.weight * hidden_states.to(input_dtype)
        to_14: "f32[2, 16, 32][512, 32, 1]cpu" = hidden_states_21.to(torch.float32);  hidden_states_21 = None
        hidden_states_22: "f32[2, 16, 32][512, 32, 1]cpu" = model_norm_weight * to_14;  model_norm_weight = to_14 = None

        # File: modeling_utils.py:5118 in slice_logits_to_keep, code: return hidden_states[:, logits_to_keep, :]
        hidden_states_23: "f32[2, 16, 32][512, 32, 1]cpu" = hidden_states_22[(slice(None, None, None), slice(0, None, None), slice(None, None, None))];  hidden_states_22 = None

        # File: modeling_llama.py:468 in forward, code: logits = self.lm_head(hidden_states)
        logits: "f32[2, 16, 64][1024, 64, 1]cpu" = torch._C._nn.linear(hidden_states_23, lm_head_weight, None);  hidden_states_23 = lm_head_weight = None

        # File: loss_utils.py:61 in ForCausalLMLoss, code: logits = logits.float()
        logits_1: "f32[2, 16, 64][1024, 64, 1]cpu" = logits.float()

        # File: torch/nn/functional.py:5823 in pad, code: return torch._C._nn.pad(input, pad, mode, value)
        labels: "i64[2, 17][17, 1]cpu" = torch._C._nn.pad(l_kwargs_labels_, (0, 1), 'constant', -100);  l_kwargs_labels_ = None

        # File: loss_utils.py:66 in ForCausalLMLoss, code: shift_labels = labels[..., 1:].contiguous()
        getitem_23: "i64[2, 16][17, 1]cpu" = labels[(Ellipsis, slice(1, None, None))];  labels = None
        shift_labels: "i64[2, 16][16, 1]cpu" = getitem_23.contiguous();  getitem_23 = None

        # File: loss_utils.py:69 in ForCausalLMLoss, code: logits = logits.view(-1, vocab_size)
        logits_2: "f32[32, 64][64, 1]cpu" = logits_1.view(-1, 64);  logits_1 = None

        # File: loss_utils.py:70 in ForCausalLMLoss, code: shift_labels = shift_labels.view(-1)
        shift_labels_1: "i64[32][1]cpu" = shift_labels.view(-1);  shift_labels = None

        # File: loss_utils.py:71 in ForCausalLMLoss, code: shift_labels = shift_labels.to(logits.device)
        shift_labels_2: "i64[32][1]cpu" = shift_labels_1.to(device(type='cpu'));  shift_labels_1 = None

        # File: loss_utils.py:42 in fixed_cross_entropy, code: loss = nn.functional.cross_entropy(source, target, ignore_index=ignore_index, reduction=reduction)
        loss: "f32[][]cpu" = torch.nn.functional.cross_entropy(logits_2, shift_labels_2, ignore_index = -100, reduction = 'mean');  logits_2 = shift_labels_2 = None
        return (loss, logits)


def inputs_of_inference_0_0_captured_graph(number=0):
    """Inputs of the recorded layout; integers are `number`."""
    return [
        tensor((2, 16), (16, 1), torch.int64, 'cpu', number),  # input_ids
        tensor((64, 32), (32, 1), torch.float32, 'cpu'),  # model_embed_tokens_weight
        tensor((8,), (1,), torch.float32, 'cpu'),  # model_rotary_emb_inv_freq
        tensor((32,), (1,), torch.float32, 'cpu'),  # model_layers_0_input_layernorm_weight
        tensor((32, 32), (32, 1), torch.float32, 'cpu'),  # model_layers_0_self_attn_q_proj_weight
        tensor((16, 32), (32, 1), torch.float32, 'cpu'),  # model_layers_0_self_attn_k_proj_weight
        tensor((16, 32), (32, 1), torch.float32, 'cpu'),  # model_layers_0_self_attn_v_proj_weight
        tensor((32, 32), (32, 1), torch.float32, 'cpu'),  # model_layers_0_self_attn_o_proj_weight
        tensor((32,), (1,), torch.float32, 'cpu'),  # model_layers_0_post_attention_layernorm_weight
        tensor((64, 32), (32, 1), torch.float32, 'cpu'),  # model_layers_0_mlp_gate_proj_weight
        tensor((64, 32), (32, 1), torch.float32, 'cpu'),  # model_layers_0_mlp_up_proj_weight
        tensor((32, 64), (64, 1), torch.float32, 'cpu'),  # model_layers_0_mlp_down_proj_weight
        tensor((32,), (1,), torch.float32, 'cpu'),  # model_layers_1_input_layernorm_weight
        tensor((32, 32), (32, 1), torch.float32, 'cpu'),  # model_layers_1_self_attn_q_proj_weight
        tensor((16, 32), (32, 1), torch.float32, 'cpu'),  # model_layers_1_self_attn_k_proj_weight
        tensor((16, 32), (32, 1), torch.float32, 'cpu'),  # model_layers_1_self_attn_v_proj_weight
        tensor((32, 32), (32, 1), torch.float32, 'cpu'),  # model_layers_1_self_attn_o_proj_weight
        tensor((32,), (1,), torch.float32, 'cpu'),  # model_layers_1_post_attention_layernorm_weight
        tensor((64, 32), (32, 1), torch.float32, 'cpu'),  # model_layers_1_mlp_gate_proj_weight
        tensor((64, 32), (32, 1), torch.float32, 'cpu'),  # model_layers_1_mlp_up_proj_weight
        tensor((32, 64), (64, 1), torch.float32, 'cpu'),  # model_layers_1_mlp_down_proj_weight
        tensor((32,), (1,), torch.float32, 'cpu'),  # model_norm_weight
        tensor((64, 32), (32, 1), torch.float32, 'cpu'),  # lm_head_weight
        tensor((2, 16), (16, 1), torch.int64, 'cpu', number),  # L_kwargs_labels_
    ]


def run_inference_0_0_captured_graph():
    graph = Graph_inference_0_0_captured_graph()
    for number in (0, 1):  # an index made from zeros may lie outside
        try:
            outputs = graph.forward(*inputs_of_inference_0_0_captured_graph(number))
            break
        except (IndexError, RuntimeError):
            if number == 1:
                raise
    outputs = list(outputs) if isinstance(outputs, (tuple, list)) else [outputs]
    recorded = [  # None: nothing is recorded of that output
        ((), (), torch.float32, 'cpu'),
        ((2, 16, 64), (1024, 64, 1), torch.float32, 'cpu'),
    ]
    different = len(outputs) != len(recorded)
    for i, (output, wanted) in enumerate(zip(outputs, recorded)):
        right = wanted is None or same(layout(output), wanted)
        different = different or not right
        print(f"output {i}: {layout(output)}{'' if right else f', recorded: {wanted}'}")
    return int(different)

# ---- Inference, wrapper [0/0]: Forward
class Graph_inference_0_0_forward_graph(torch.nn.Module):
    def forward(
        self,
        arg0_1: "i64[2, 16][16, 1]cpu",  # PlainAOTInput(idx=0)
        arg1_1: "f32[64, 32][32, 1]cpu",  # PlainAOTInput(idx=1)
        arg2_1: "f32[8][1]cpu",  # PlainAOTInput(idx=2)
        arg3_1: "f32[32][1]cpu",  # PlainAOTInput(idx=3)
        arg4_1: "f32[32, 32][32, 1]cpu",  # PlainAOTInput(idx=4)
        arg5_1: "f32[16, 32][32, 1]cpu",  # PlainAOTInput(idx=5)
        arg6_1: "f32[16, 32][32, 1]cpu",  # PlainAOTInput(idx=6)
        arg7_1: "f32[32, 32][32, 1]cpu",  # PlainAOTInput(idx=7)
        arg8_1: "f32[32][1]cpu",  # PlainAOTInput(idx=8)
        arg9_1: "f32[64, 32][32, 1]cpu",  # PlainAOTInput(idx=9)
        arg10_1: "f32[64, 32][32, 1]cpu",  # PlainAOTInput(idx=10)
        arg11_1: "f32[32, 64][64, 1]cpu",  # PlainAOTInput(idx=11)
        arg12_1: "f32[32][1]cpu",  # PlainAOTInput(idx=12)
        arg13_1: "f32[32, 32][32, 1]cpu",  # PlainAOTInput(idx=13)
        arg14_1: "f32[16, 32][32, 1]cpu",  # PlainAOTInput(idx=14)
        arg15_1: "f32[16, 32][32, 1]cpu",  # PlainAOTInput(idx=15)
        arg16_1: "f32[32, 32][32, 1]cpu",  # PlainAOTInput(idx=16)
        arg17_1: "f32[32][1]cpu",  # PlainAOTInput(idx=17)
        arg18_1: "f32[64, 32][32, 1]cpu",  # PlainAOTInput(idx=18)
        arg19_1: "f32[64, 32][32, 1]cpu",  # PlainAOTInput(idx=19)
        arg20_1: "f32[32, 64][64, 1]cpu",  # PlainAOTInput(idx=20)
        arg21_1: "f32[32][1]cpu",  # PlainAOTInput(idx=21)
        arg22_1: "f32[64, 32][32, 1]cpu",  # PlainAOTInput(idx=22)
        arg23_1: "i64[2, 16][16, 1]cpu",  # PlainAOTInput(idx=23)
    ):
        # File: modeling_llama.py:370 in forward, code: inputs_embeds: torch.Tensor = self.embed_tokens(input_ids)
        embedding: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.embedding.default(arg1_1, arg0_1, 0);  arg1_1 = arg0_1 = None

        # File: modeling_llama.py:377 in forward, code: position_ids = torch.arange(inputs_embeds.shape[1], device=inputs_embeds.device) + past_seen_tokens
        iota: "i64[16][1]cpu" = torch.ops.prims.iota.default(16, start = 0, step = 1, dtype = torch.int64, device = device(type='cpu'), requires_grad = False)
        add: "i64[16][1]cpu" = torch.ops.aten.add.Tensor(iota, 0);  iota = None

        # File: modeling_llama.py:378 in forward, code: position_ids = position_ids.unsqueeze(0)
        unsqueeze: "i64[1, 16][16, 1]cpu" = torch.ops.aten.unsqueeze.default(add, 0);  add = None

        # File: masking_utils.py:880 in _preprocess_mask_arguments, code: position_ids = position_ids.expand(batch_size, -1)
        expand: "i64[2, 16][0, 1]cpu" = torch.ops.aten.expand.default(unsqueeze, [2, -1])

        # File: masking_utils.py:771 in find_packed_sequence_indices, code: first_dummy_value = position_ids[:, :1] - 1  # We just need the diff on this first value to be 1
        slice_1: "i64[2, 1][0, 1]cpu" = torch.ops.aten.slice.Tensor(expand, 1, 0, 1)
        sub: "i64[2, 1][1, 1]cpu" = torch.ops.aten.sub.Tensor(slice_1, 1);  slice_1 = None

        # File: masking_utils.py:772 in find_packed_sequence_indices, code: position_diff = torch.diff(position_ids, prepend=first_dummy_value, dim=-1)
        cat: "i64[2, 17][17, 1]cpu" = torch.ops.aten.cat.default([sub, expand], -1);  sub = expand = None
        slice_2: "i64[2, 16][17, 1]cpu" = torch.ops.aten.slice.Tensor(cat, -1, 0, 16)
        slice_3: "i64[2, 16][17, 1]cpu" = torch.ops.aten.slice.Tensor(cat, -1, 1, 17);  cat = None
        sub_1: "i64[2, 16][16, 1]cpu" = torch.ops.aten.sub.Tensor(slice_3, slice_2);  slice_3 = slice_2 = None

        # File: masking_utils.py:773 in find_packed_sequence_indices, code: packed_sequence_mask = (position_diff != 1).cumsum(-1)
        ne: "b8[2, 16][16, 1]cpu" = torch.ops.aten.ne.Scalar(sub_1, 1);  sub_1 = None
        cumsum: "i64[2, 16][16, 1]cpu" = torch.ops.aten.cumsum.default(ne, -1);  ne = None

        # File: masking_utils.py:1006 in create_causal_mask, code: mask_factory_function, position_ids.expand(batch_size, -1), packed_sequence_mask
        expand_1: "i64[2, 16][0, 1]cpu" = torch.ops.aten.expand.default(unsqueeze, [2, -1])

        # File: masking_utils.py:543 in sdpa_mask, code: batch_arange = torch.arange(batch_size, device=device)
        iota_1: "i64[2][1]cpu" = torch.ops.prims.iota.default(2, start = 0, step = 1, dtype = torch.int64, device = device(type='cpu'), requires_grad = False)

        # File: masking_utils.py:545 in sdpa_mask, code: q_arange = torch.arange(q_length, device=device) + q_offset
        iota_3: "i64[16][1]cpu" = torch.ops.prims.iota.default(16, start = 0, step = 1, dtype = torch.int64, device = device(type='cpu'), requires_grad = False)
        add_1: "i64[16][1]cpu" = torch.ops.aten.add.Tensor(iota_3, 0);  iota_3 = None

        # File: masking_utils.py:546 in sdpa_mask, code: kv_arange = torch.arange(kv_length, device=device) + kv_offset
        iota_4: "i64[16][1]cpu" = torch.ops.prims.iota.default(16, start = 0, step = 1, dtype = torch.int64, device = device(type='cpu'), requires_grad = False)
        add_2: "i64[16][1]cpu" = torch.ops.aten.add.Tensor(iota_4, 0);  iota_4 = None

        # File: masking_utils.py:403 in _non_vmap_expansion_sdpa, code: batch_indices = batch_indices[:, None, None, None]
        unsqueeze_1: "i64[2, 1][1, 1]cpu" = torch.ops.aten.unsqueeze.default(iota_1, 1);  iota_1 = None
        unsqueeze_2: "i64[2, 1, 1][1, 1, 1]cpu" = torch.ops.aten.unsqueeze.default(unsqueeze_1, 2);  unsqueeze_1 = None
        unsqueeze_3: "i64[2, 1, 1, 1][1, 1, 1, 1]cpu" = torch.ops.aten.unsqueeze.default(unsqueeze_2, 3);  unsqueeze_2 = None

        # File: masking_utils.py:405 in _non_vmap_expansion_sdpa, code: q_indices = q_indices[None, None, :, None]
        unsqueeze_4: "i64[1, 16][16, 1]cpu" = torch.ops.aten.unsqueeze.default(add_1, 0);  add_1 = None
        unsqueeze_5: "i64[1, 1, 16][16, 16, 1]cpu" = torch.ops.aten.unsqueeze.default(unsqueeze_4, 1);  unsqueeze_4 = None
        unsqueeze_6: "i64[1, 1, 16, 1][16, 16, 1, 1]cpu" = torch.ops.aten.unsqueeze.default(unsqueeze_5, 3);  unsqueeze_5 = None

        # File: masking_utils.py:406 in _non_vmap_expansion_sdpa, code: kv_indices = kv_indices[None, None, None, :]
        unsqueeze_7: "i64[1, 16][16, 1]cpu" = torch.ops.aten.unsqueeze.default(add_2, 0);  add_2 = None
        unsqueeze_8: "i64[1, 1, 16][16, 16, 1]cpu" = torch.ops.aten.unsqueeze.default(unsqueeze_7, 1);  unsqueeze_7 = None
        unsqueeze_9: "i64[1, 1, 1, 16][16, 16, 16, 1]cpu" = torch.ops.aten.unsqueeze.default(unsqueeze_8, 2);  unsqueeze_8 = None

        # File: masking_utils.py:50 in and_mask, code: result = q_idx.new_ones((), dtype=torch.bool)
        full: "b8[][]cpu" = torch.ops.aten.full.default([], True, dtype = torch.bool, layout = torch.strided, device = device(type='cpu'), pin_memory = False)

        # File: masking_utils.py:188 in inner_mask, code: return packed_sequence_mask[batch_idx, q_idx] == packed_sequence_mask[batch_idx, kv_idx]
        index: "i64[2, 1, 16, 1][16, 16, 1, 1]cpu" = torch.ops.aten.index.Tensor(cumsum, [unsqueeze_3, unsqueeze_6])
        index_1: "i64[2, 1, 1, 16][16, 16, 16, 1]cpu" = torch.ops.aten.index.Tensor(cumsum, [unsqueeze_3, unsqueeze_9]);  cumsum = None
        eq: "b8[2, 1, 16, 16][256, 256, 16, 1]cpu" = torch.ops.aten.eq.Tensor(index, index_1);  index = index_1 = None

        # File: masking_utils.py:52 in and_mask, code: result = result & mask(batch_idx, head_idx, q_idx, kv_idx).to(result.device)
        bitwise_and: "b8[2, 1, 16, 16][256, 256, 16, 1]cpu" = torch.ops.aten.bitwise_and.Tensor(full, eq);  full = eq = None

        # File: masking_utils.py:203 in inner_mask, code: return mask_function(batch_idx, head_idx, position_ids[batch_idx, q_idx], position_ids[batch_idx, kv_idx])
        index_2: "i64[2, 1, 16, 1][16, 16, 1, 1]cpu" = torch.ops.aten.index.Tensor(expand_1, [unsqueeze_3, unsqueeze_6]);  unsqueeze_6 = None
        index_3: "i64[2, 1, 1, 16][16, 16, 16, 1]cpu" = torch.ops.aten.index.Tensor(expand_1, [unsqueeze_3, unsqueeze_9]);  expand_1 = unsqueeze_3 = unsqueeze_9 = None

        # File: masking_utils.py:76 in causal_mask_function, code: return kv_idx <= q_idx
        le: "b8[2, 1, 16, 16][256, 256, 16, 1]cpu" = torch.ops.aten.le.Tensor(index_3, index_2);  index_3 = index_2 = None

        # File: masking_utils.py:52 in and_mask, code: result = result & mask(batch_idx, head_idx, q_idx, kv_idx).to(result.device)
        bitwise_and_1: "b8[2, 1, 16, 16][256, 256, 16, 1]cpu" = torch.ops.aten.bitwise_and.Tensor(bitwise_and, le);  bitwise_and = le = None

        # File: masking_utils.py:554 in sdpa_mask, code: attention_mask = attention_mask.expand(batch_size, -1, q_length, kv_length)
        expand_2: "b8[2, 1, 16, 16][256, 256, 16, 1]cpu" = torch.ops.aten.expand.default(bitwise_and_1, [2, -1, 16, 16]);  bitwise_and_1 = None

        # File: modeling_llama.py:111 in forward, code: freqs = position_ids[..., None].float() * self.inv_freq.to(device=x.device, dtype=torch.float)
        unsqueeze_10: "i64[1, 16, 1][16, 1, 1]cpu" = torch.ops.aten.unsqueeze.default(unsqueeze, 2);  unsqueeze = None
        convert_element_type: "f32[1, 16, 1][16, 1, 1]cpu" = torch.ops.prims.convert_element_type.default(unsqueeze_10, torch.float32);  unsqueeze_10 = None
        mul: "f32[1, 16, 8][128, 8, 1]cpu" = torch.ops.aten.mul.Tensor(convert_element_type, arg2_1);  convert_element_type = arg2_1 = None

        # File: modeling_llama.py:112 in forward, code: emb = torch.cat((freqs, freqs), dim=-1)
        unsqueeze_11: "f32[1, 16, 1, 8][128, 8, 8, 1]cpu" = torch.ops.aten.unsqueeze.default(mul, 2);  mul = None
        expand_3: "f32[1, 16, 2, 8][128, 8, 0, 1]cpu" = torch.ops.aten.expand.default(unsqueeze_11, [1, 16, 2, 8]);  unsqueeze_11 = None
        clone: "f32[1, 16, 2, 8][256, 16, 8, 1]cpu" = torch.ops.aten.clone.default(expand_3, memory_format = torch.contiguous_format);  expand_3 = None
        view: "f32[1, 16, 16][256, 16, 1]cpu" = torch.ops.aten.view.default(clone, [1, 16, 16]);  clone = None
        clone_1: "f32[1, 16, 16][256, 16, 1]cpu" = torch.ops.aten.clone.default(view);  view = None

        # File: modeling_llama.py:113 in forward, code: cos = emb.cos() * self.attention_scaling
        cos: "f32[1, 16, 16][256, 16, 1]cpu" = torch.ops.aten.cos.default(clone_1)
        mul_1: "f32[1, 16, 16][256, 16, 1]cpu" = torch.ops.aten.mul.Tensor(cos, 1.0);  cos = None

        # File: modeling_llama.py:114 in forward, code: sin = emb.sin() * self.attention_scaling
        sin: "f32[1, 16, 16][256, 16, 1]cpu" = torch.ops.aten.sin.default(clone_1);  clone_1 = None
        mul_2: "f32[1, 16, 16][256, 16, 1]cpu" = torch.ops.aten.mul.Tensor(sin, 1.0);  sin = None

        # File: modeling_llama.py:64 in forward, code: variance = hidden_states.pow(2).mean(-1, keepdim=True)
        pow_1: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.pow.Tensor_Scalar(embedding, 2)
        mean: "f32[2, 16, 1][16, 1, 1]cpu" = torch.ops.aten.mean.dim(pow_1, [-1], True);  pow_1 = None

        # File: modeling_llama.py:65 in forward, code: hidden_states = hidden_states * torch.rsqrt(variance + self.variance_epsilon)
        add_3: "f32[2, 16, 1][16, 1, 1]cpu" = torch.ops.aten.add.Tensor(mean, 1e-06);  mean = None
        rsqrt: "f32[2, 16, 1][16, 1, 1]cpu" = torch.ops.aten.rsqrt.default(add_3);  add_3 = None
        mul_3: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Tensor(embedding, rsqrt);  rsqrt = None

        # File: modeling_llama.py:66 in forward, code: return self.weight * hidden_states.to(input_dtype)
        mul_4: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Tensor(arg3_1, mul_3);  arg3_1 = mul_3 = None

        # File: modeling_llama.py:243 in forward, code: query_states = self.q_proj(hidden_states).view(hidden_shape).transpose(1, 2)
        permute: "f32[32, 32][1, 32]cpu" = torch.ops.aten.permute.default(arg4_1, [1, 0]);  arg4_1 = None
        view_1: "f32[32, 32][32, 1]cpu" = torch.ops.aten.view.default(mul_4, [32, 32])
        mm: "f32[32, 32][32, 1]cpu" = torch.ops.aten.mm.default(view_1, permute);  view_1 = permute = None
        view_2: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.view.default(mm, [2, 16, 32]);  mm = None
        view_3: "f32[2, 16, 2, 16][512, 32, 16, 1]cpu" = torch.ops.aten.view.default(view_2, [2, 16, -1, 16]);  view_2 = None
        permute_1: "f32[2, 2, 16, 16][512, 16, 32, 1]cpu" = torch.ops.aten.permute.default(view_3, [0, 2, 1, 3]);  view_3 = None

        # File: modeling_llama.py:244 in forward, code: key_states = self.k_proj(hidden_states).view(hidden_shape).transpose(1, 2)
        permute_2: "f32[32, 16][1, 32]cpu" = torch.ops.aten.permute.default(arg5_1, [1, 0]);  arg5_1 = None
        view_4: "f32[32, 32][32, 1]cpu" = torch.ops.aten.view.default(mul_4, [32, 32])
        mm_1: "f32[32, 16][16, 1]cpu" = torch.ops.aten.mm.default(view_4, permute_2);  view_4 = permute_2 = None
        view_5: "f32[2, 16, 16][256, 16, 1]cpu" = torch.ops.aten.view.default(mm_1, [2, 16, 16]);  mm_1 = None
        view_6: "f32[2, 16, 1, 16][256, 16, 16, 1]cpu" = torch.ops.aten.view.default(view_5, [2, 16, -1, 16]);  view_5 = None
        permute_3: "f32[2, 1, 16, 16][256, 16, 16, 1]cpu" = torch.ops.aten.permute.default(view_6, [0, 2, 1, 3]);  view_6 = None

        # File: modeling_llama.py:245 in forward, code: value_states = self.v_proj(hidden_states).view(hidden_shape).transpose(1, 2)
        permute_4: "f32[32, 16][1, 32]cpu" = torch.ops.aten.permute.default(arg6_1, [1, 0]);  arg6_1 = None
        view_7: "f32[32, 32][32, 1]cpu" = torch.ops.aten.view.default(mul_4, [32, 32]);  mul_4 = None
        mm_2: "f32[32, 16][16, 1]cpu" = torch.ops.aten.mm.default(view_7, permute_4);  view_7 = permute_4 = None
        view_8: "f32[2, 16, 16][256, 16, 1]cpu" = torch.ops.aten.view.default(mm_2, [2, 16, 16]);  mm_2 = None
        view_9: "f32[2, 16, 1, 16][256, 16, 16, 1]cpu" = torch.ops.aten.view.default(view_8, [2, 16, -1, 16]);  view_8 = None
        permute_5: "f32[2, 1, 16, 16][256, 16, 16, 1]cpu" = torch.ops.aten.permute.default(view_9, [0, 2, 1, 3]);  view_9 = None

        # File: modeling_llama.py:145 in apply_rotary_pos_emb, code: cos = cos.unsqueeze(unsqueeze_dim)
        unsqueeze_12: "f32[1, 1, 16, 16][256, 256, 16, 1]cpu" = torch.ops.aten.unsqueeze.default(mul_1, 1)

        # File: modeling_llama.py:146 in apply_rotary_pos_emb, code: sin = sin.unsqueeze(unsqueeze_dim)
        unsqueeze_13: "f32[1, 1, 16, 16][256, 256, 16, 1]cpu" = torch.ops.aten.unsqueeze.default(mul_2, 1)

        # File: modeling_llama.py:147 in apply_rotary_pos_emb, code: q_embed = (q * cos) + (rotate_half(q) * sin)
        mul_5: "f32[2, 2, 16, 16][512, 16, 32, 1]cpu" = torch.ops.aten.mul.Tensor(permute_1, unsqueeze_12)

        # File: modeling_llama.py:121 in rotate_half, code: x1 = x[..., : x.shape[-1] // 2]
        slice_4: "f32[2, 2, 16, 8][512, 16, 32, 1]cpu" = torch.ops.aten.slice.Tensor(permute_1, 3, 0, 8)

        # File: modeling_llama.py:122 in rotate_half, code: x2 = x[..., x.shape[-1] // 2 :]
        slice_5: "f32[2, 2, 16, 8][512, 16, 32, 1]cpu" = torch.ops.aten.slice.Tensor(permute_1, 3, 8, 9223372036854775807);  permute_1 = None

        # File: modeling_llama.py:123 in rotate_half, code: return torch.cat((-x2, x1), dim=-1)
        neg: "f32[2, 2, 16, 8][256, 8, 16, 1]cpu" = torch.ops.aten.neg.default(slice_5);  slice_5 = None
        cat_1: "f32[2, 2, 16, 16][512, 256, 16, 1]cpu" = torch.ops.aten.cat.default([neg, slice_4], -1);  neg = slice_4 = None

        # File: modeling_llama.py:147 in apply_rotary_pos_emb, code: q_embed = (q * cos) + (rotate_half(q) * sin)
        mul_6: "f32[2, 2, 16, 16][512, 256, 16, 1]cpu" = torch.ops.aten.mul.Tensor(cat_1, unsqueeze_13);  cat_1 = None
        add_4: "f32[2, 2, 16, 16][512, 16, 32, 1]cpu" = torch.ops.aten.add.Tensor(mul_5, mul_6);  mul_5 = mul_6 = None

        # File: modeling_llama.py:148 in apply_rotary_pos_emb, code: k_embed = (k * cos) + (rotate_half(k) * sin)
        mul_7: "f32[2, 1, 16, 16][256, 16, 16, 1]cpu" = torch.ops.aten.mul.Tensor(permute_3, unsqueeze_12);  unsqueeze_12 = None

        # File: modeling_llama.py:121 in rotate_half, code: x1 = x[..., : x.shape[-1] // 2]
        slice_6: "f32[2, 1, 16, 8][256, 16, 16, 1]cpu" = torch.ops.aten.slice.Tensor(permute_3, 3, 0, 8)

        # File: modeling_llama.py:122 in rotate_half, code: x2 = x[..., x.shape[-1] // 2 :]
        slice_7: "f32[2, 1, 16, 8][256, 16, 16, 1]cpu" = torch.ops.aten.slice.Tensor(permute_3, 3, 8, 9223372036854775807);  permute_3 = None

        # File: modeling_llama.py:123 in rotate_half, code: return torch.cat((-x2, x1), dim=-1)
        neg_1: "f32[2, 1, 16, 8][128, 8, 8, 1]cpu" = torch.ops.aten.neg.default(slice_7);  slice_7 = None
        cat_2: "f32[2, 1, 16, 16][256, 256, 16, 1]cpu" = torch.ops.aten.cat.default([neg_1, slice_6], -1);  neg_1 = slice_6 = None

        # File: modeling_llama.py:148 in apply_rotary_pos_emb, code: k_embed = (k * cos) + (rotate_half(k) * sin)
        mul_8: "f32[2, 1, 16, 16][256, 256, 16, 1]cpu" = torch.ops.aten.mul.Tensor(cat_2, unsqueeze_13);  cat_2 = unsqueeze_13 = None
        add_5: "f32[2, 1, 16, 16][256, 16, 16, 1]cpu" = torch.ops.aten.add.Tensor(mul_7, mul_8);  mul_7 = mul_8 = None

        # File: sdpa_attention.py:28 in repeat_kv, code: hidden_states = hidden_states[:, :, None, :, :].expand(batch, num_key_value_heads, n_rep, slen, head_dim)
        unsqueeze_14: "f32[2, 1, 1, 16, 16][256, 16, 256, 16, 1]cpu" = torch.ops.aten.unsqueeze.default(add_5, 2);  add_5 = None
        expand_4: "f32[2, 1, 2, 16, 16][256, 16, 0, 16, 1]cpu" = torch.ops.aten.expand.default(unsqueeze_14, [2, 1, 2, 16, 16]);  unsqueeze_14 = None

        # File: sdpa_attention.py:29 in repeat_kv, code: return hidden_states.reshape(batch, num_key_value_heads * n_rep, slen, head_dim)
        view_10: "f32[2, 2, 16, 16][256, 0, 16, 1]cpu" = torch.ops.aten.view.default(expand_4, [2, 2, 16, 16]);  expand_4 = None

        # File: sdpa_attention.py:28 in repeat_kv, code: hidden_states = hidden_states[:, :, None, :, :].expand(batch, num_key_value_heads, n_rep, slen, head_dim)
        unsqueeze_15: "f32[2, 1, 1, 16, 16][256, 16, 256, 16, 1]cpu" = torch.ops.aten.unsqueeze.default(permute_5, 2);  permute_5 = None
        expand_5: "f32[2, 1, 2, 16, 16][256, 16, 0, 16, 1]cpu" = torch.ops.aten.expand.default(unsqueeze_15, [2, 1, 2, 16, 16]);  unsqueeze_15 = None

        # File: sdpa_attention.py:29 in repeat_kv, code: return hidden_states.reshape(batch, num_key_value_heads * n_rep, slen, head_dim)
        view_11: "f32[2, 2, 16, 16][256, 0, 16, 1]cpu" = torch.ops.aten.view.default(expand_5, [2, 2, 16, 16]);  expand_5 = None

        # File: sdpa_attention.py:193 in sdpa_attention_forward, code: attn_output = torch.nn.functional.scaled_dot_product_attention(
        scalar_tensor: "f32[][]cpu" = torch.ops.aten.scalar_tensor.default(-inf, dtype = torch.float32, device = device(type='cpu'))
        scalar_tensor_1: "f32[][]cpu" = torch.ops.aten.scalar_tensor.default(0.0, dtype = torch.float32, layout = torch.strided, device = device(type='cpu'))
        where: "f32[2, 1, 16, 16][256, 256, 16, 1]cpu" = torch.ops.aten.where.self(expand_2, scalar_tensor_1, scalar_tensor);  scalar_tensor_1 = scalar_tensor = None
        _scaled_dot_product_flash_attention_for_cpu = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu.default(add_4, view_10, view_11, attn_mask = where, scale = 0.25);  add_4 = view_10 = view_11 = where = None
        getitem: "f32[2, 2, 16, 16][512, 16, 32, 1]cpu" = _scaled_dot_product_flash_attention_for_cpu[0];  _scaled_dot_product_flash_attention_for_cpu = None

        # File: sdpa_attention.py:205 in sdpa_attention_forward, code: attn_output = attn_output.reshape(attn_output.shape[0], -1, q_length, value.shape[-1])
        view_12: "f32[2, 2, 16, 16][512, 16, 32, 1]cpu" = torch.ops.aten.view.default(getitem, [2, 2, 16, 16]);  getitem = None

        # File: sdpa_attention.py:206 in sdpa_attention_forward, code: attn_output = attn_output.transpose(1, 2).contiguous()
        permute_6: "f32[2, 16, 2, 16][512, 32, 16, 1]cpu" = torch.ops.aten.permute.default(view_12, [0, 2, 1, 3]);  view_12 = None

        # File: modeling_llama.py:268 in forward, code: attn_output = attn_output.reshape(*input_shape, -1).contiguous()
        view_13: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.view.default(permute_6, [2, 16, -1]);  permute_6 = None

        # File: modeling_llama.py:269 in forward, code: attn_output = self.o_proj(attn_output)
        permute_7: "f32[32, 32][1, 32]cpu" = torch.ops.aten.permute.default(arg7_1, [1, 0]);  arg7_1 = None
        view_14: "f32[32, 32][32, 1]cpu" = torch.ops.aten.view.default(view_13, [32, 32]);  view_13 = None
        mm_3: "f32[32, 32][32, 1]cpu" = torch.ops.aten.mm.default(view_14, permute_7);  view_14 = permute_7 = None
        view_15: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.view.default(mm_3, [2, 16, 32]);  mm_3 = None

        # File: modeling_llama.py:306 in forward, code: hidden_states = residual + hidden_states
        add_6: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.add.Tensor(embedding, view_15);  embedding = view_15 = None

        # File: modeling_llama.py:64 in forward, code: variance = hidden_states.pow(2).mean(-1, keepdim=True)
        pow_2: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.pow.Tensor_Scalar(add_6, 2)
        mean_1: "f32[2, 16, 1][16, 1, 1]cpu" = torch.ops.aten.mean.dim(pow_2, [-1], True);  pow_2 = None

        # File: modeling_llama.py:65 in forward, code: hidden_states = hidden_states * torch.rsqrt(variance + self.variance_epsilon)
        add_7: "f32[2, 16, 1][16, 1, 1]cpu" = torch.ops.aten.add.Tensor(mean_1, 1e-06);  mean_1 = None
        rsqrt_1: "f32[2, 16, 1][16, 1, 1]cpu" = torch.ops.aten.rsqrt.default(add_7);  add_7 = None
        mul_9: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Tensor(add_6, rsqrt_1);  rsqrt_1 = None

        # File: modeling_llama.py:66 in forward, code: return self.weight * hidden_states.to(input_dtype)
        mul_10: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Tensor(arg8_1, mul_9);  arg8_1 = mul_9 = None

        # File: modeling_llama.py:164 in forward, code: down_proj = self.down_proj(self.act_fn(self.gate_proj(x)) * self.up_proj(x))
        permute_8: "f32[32, 64][1, 32]cpu" = torch.ops.aten.permute.default(arg9_1, [1, 0]);  arg9_1 = None
        view_16: "f32[32, 32][32, 1]cpu" = torch.ops.aten.view.default(mul_10, [32, 32])
        mm_4: "f32[32, 64][64, 1]cpu" = torch.ops.aten.mm.default(view_16, permute_8);  view_16 = permute_8 = None
        view_17: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.view.default(mm_4, [2, 16, 64]);  mm_4 = None

        # File: activations.py:103 in forward, code: return nn.functional.silu(input)
        neg_2: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.neg.default(view_17)
        exp: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.exp.default(neg_2);  neg_2 = None
        add_8: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.add.Tensor(exp, 1);  exp = None
        div: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.div.Tensor(view_17, add_8);  view_17 = add_8 = None

        # File: modeling_llama.py:164 in forward, code: down_proj = self.down_proj(self.act_fn(self.gate_proj(x)) * self.up_proj(x))
        permute_9: "f32[32, 64][1, 32]cpu" = torch.ops.aten.permute.default(arg10_1, [1, 0]);  arg10_1 = None
        view_18: "f32[32, 32][32, 1]cpu" = torch.ops.aten.view.default(mul_10, [32, 32]);  mul_10 = None
        mm_5: "f32[32, 64][64, 1]cpu" = torch.ops.aten.mm.default(view_18, permute_9);  view_18 = permute_9 = None
        view_19: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.view.default(mm_5, [2, 16, 64]);  mm_5 = None
        mul_11: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.mul.Tensor(div, view_19);  div = view_19 = None
        permute_10: "f32[64, 32][1, 64]cpu" = torch.ops.aten.permute.default(arg11_1, [1, 0]);  arg11_1 = None
        view_20: "f32[32, 64][64, 1]cpu" = torch.ops.aten.view.default(mul_11, [32, 64]);  mul_11 = None
        mm_6: "f32[32, 32][32, 1]cpu" = torch.ops.aten.mm.default(view_20, permute_10);  view_20 = permute_10 = None
        view_21: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.view.default(mm_6, [2, 16, 32]);  mm_6 = None

        # File: modeling_llama.py:312 in forward, code: hidden_states = residual + hidden_states
        add_9: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.add.Tensor(add_6, view_21);  add_6 = view_21 = None

        # File: modeling_llama.py:64 in forward, code: variance = hidden_states.pow(2).mean(-1, keepdim=True)
        pow_3: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.pow.Tensor_Scalar(add_9, 2)
        mean_2: "f32[2, 16, 1][16, 1, 1]cpu" = torch.ops.aten.mean.dim(pow_3, [-1], True);  pow_3 = None

        # File: modeling_llama.py:65 in forward, code: hidden_states = hidden_states * torch.rsqrt(variance + self.variance_epsilon)
        add_10: "f32[2, 16, 1][16, 1, 1]cpu" = torch.ops.aten.add.Tensor(mean_2, 1e-06);  mean_2 = None
        rsqrt_2: "f32[2, 16, 1][16, 1, 1]cpu" = torch.ops.aten.rsqrt.default(add_10);  add_10 = None
        mul_12: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Tensor(add_9, rsqrt_2);  rsqrt_2 = None

        # File: modeling_llama.py:66 in forward, code: return self.weight * hidden_states.to(input_dtype)
        mul_13: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Tensor(arg12_1, mul_12);  arg12_1 = mul_12 = None

        # File: modeling_llama.py:243 in forward, code: query_states = self.q_proj(hidden_states).view(hidden_shape).transpose(1, 2)
        permute_11: "f32[32, 32][1, 32]cpu" = torch.ops.aten.permute.default(arg13_1, [1, 0]);  arg13_1 = None
        view_22: "f32[32, 32][32, 1]cpu" = torch.ops.aten.view.default(mul_13, [32, 32])
        mm_7: "f32[32, 32][32, 1]cpu" = torch.ops.aten.mm.default(view_22, permute_11);  view_22 = permute_11 = None
        view_23: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.view.default(mm_7, [2, 16, 32]);  mm_7 = None
        view_24: "f32[2, 16, 2, 16][512, 32, 16, 1]cpu" = torch.ops.aten.view.default(view_23, [2, 16, -1, 16]);  view_23 = None
        permute_12: "f32[2, 2, 16, 16][512, 16, 32, 1]cpu" = torch.ops.aten.permute.default(view_24, [0, 2, 1, 3]);  view_24 = None

        # File: modeling_llama.py:244 in forward, code: key_states = self.k_proj(hidden_states).view(hidden_shape).transpose(1, 2)
        permute_13: "f32[32, 16][1, 32]cpu" = torch.ops.aten.permute.default(arg14_1, [1, 0]);  arg14_1 = None
        view_25: "f32[32, 32][32, 1]cpu" = torch.ops.aten.view.default(mul_13, [32, 32])
        mm_8: "f32[32, 16][16, 1]cpu" = torch.ops.aten.mm.default(view_25, permute_13);  view_25 = permute_13 = None
        view_26: "f32[2, 16, 16][256, 16, 1]cpu" = torch.ops.aten.view.default(mm_8, [2, 16, 16]);  mm_8 = None
        view_27: "f32[2, 16, 1, 16][256, 16, 16, 1]cpu" = torch.ops.aten.view.default(view_26, [2, 16, -1, 16]);  view_26 = None
        permute_14: "f32[2, 1, 16, 16][256, 16, 16, 1]cpu" = torch.ops.aten.permute.default(view_27, [0, 2, 1, 3]);  view_27 = None

        # File: modeling_llama.py:245 in forward, code: value_states = self.v_proj(hidden_states).view(hidden_shape).transpose(1, 2)
        permute_15: "f32[32, 16][1, 32]cpu" = torch.ops.aten.permute.default(arg15_1, [1, 0]);  arg15_1 = None
        view_28: "f32[32, 32][32, 1]cpu" = torch.ops.aten.view.default(mul_13, [32, 32]);  mul_13 = None
        mm_9: "f32[32, 16][16, 1]cpu" = torch.ops.aten.mm.default(view_28, permute_15);  view_28 = permute_15 = None
        view_29: "f32[2, 16, 16][256, 16, 1]cpu" = torch.ops.aten.view.default(mm_9, [2, 16, 16]);  mm_9 = None
        view_30: "f32[2, 16, 1, 16][256, 16, 16, 1]cpu" = torch.ops.aten.view.default(view_29, [2, 16, -1, 16]);  view_29 = None
        permute_16: "f32[2, 1, 16, 16][256, 16, 16, 1]cpu" = torch.ops.aten.permute.default(view_30, [0, 2, 1, 3]);  view_30 = None

        # File: modeling_llama.py:145 in apply_rotary_pos_emb, code: cos = cos.unsqueeze(unsqueeze_dim)
        unsqueeze_16: "f32[1, 1, 16, 16][256, 256, 16, 1]cpu" = torch.ops.aten.unsqueeze.default(mul_1, 1);  mul_1 = None

        # File: modeling_llama.py:146 in apply_rotary_pos_emb, code: sin = sin.unsqueeze(unsqueeze_dim)
        unsqueeze_17: "f32[1, 1, 16, 16][256, 256, 16, 1]cpu" = torch.ops.aten.unsqueeze.default(mul_2, 1);  mul_2 = None

        # File: modeling_llama.py:147 in apply_rotary_pos_emb, code: q_embed = (q * cos) + (rotate_half(q) * sin)
        mul_14: "f32[2, 2, 16, 16][512, 16, 32, 1]cpu" = torch.ops.aten.mul.Tensor(permute_12, unsqueeze_16)

        # File: modeling_llama.py:121 in rotate_half, code: x1 = x[..., : x.shape[-1] // 2]
        slice_8: "f32[2, 2, 16, 8][512, 16, 32, 1]cpu" = torch.ops.aten.slice.Tensor(permute_12, 3, 0, 8)

        # File: modeling_llama.py:122 in rotate_half, code: x2 = x[..., x.shape[-1] // 2 :]
        slice_9: "f32[2, 2, 16, 8][512, 16, 32, 1]cpu" = torch.ops.aten.slice.Tensor(permute_12, 3, 8, 9223372036854775807);  permute_12 = None

        # File: modeling_llama.py:123 in rotate_half, code: return torch.cat((-x2, x1), dim=-1)
        neg_3: "f32[2, 2, 16, 8][256, 8, 16, 1]cpu" = torch.ops.aten.neg.default(slice_9);  slice_9 = None
        cat_3: "f32[2, 2, 16, 16][512, 256, 16, 1]cpu" = torch.ops.aten.cat.default([neg_3, slice_8], -1);  neg_3 = slice_8 = None

        # File: modeling_llama.py:147 in apply_rotary_pos_emb, code: q_embed = (q * cos) + (rotate_half(q) * sin)
        mul_15: "f32[2, 2, 16, 16][512, 256, 16, 1]cpu" = torch.ops.aten.mul.Tensor(cat_3, unsqueeze_17);  cat_3 = None
        add_11: "f32[2, 2, 16, 16][512, 16, 32, 1]cpu" = torch.ops.aten.add.Tensor(mul_14, mul_15);  mul_14 = mul_15 = None

        # File: modeling_llama.py:148 in apply_rotary_pos_emb, code: k_embed = (k * cos) + (rotate_half(k) * sin)
        mul_16: "f32[2, 1, 16, 16][256, 16, 16, 1]cpu" = torch.ops.aten.mul.Tensor(permute_14, unsqueeze_16);  unsqueeze_16 = None

        # File: modeling_llama.py:121 in rotate_half, code: x1 = x[..., : x.shape[-1] // 2]
        slice_10: "f32[2, 1, 16, 8][256, 16, 16, 1]cpu" = torch.ops.aten.slice.Tensor(permute_14, 3, 0, 8)

        # File: modeling_llama.py:122 in rotate_half, code: x2 = x[..., x.shape[-1] // 2 :]
        slice_11: "f32[2, 1, 16, 8][256, 16, 16, 1]cpu" = torch.ops.aten.slice.Tensor(permute_14, 3, 8, 9223372036854775807);  permute_14 = None

        # File: modeling_llama.py:123 in rotate_half, code: return torch.cat((-x2, x1), dim=-1)
        neg_4: "f32[2, 1, 16, 8][128, 8, 8, 1]cpu" = torch.ops.aten.neg.default(slice_11);  slice_11 = None
        cat_4: "f32[2, 1, 16, 16][256, 256, 16, 1]cpu" = torch.ops.aten.cat.default([neg_4, slice_10], -1);  neg_4 = slice_10 = None

        # File: modeling_llama.py:148 in apply_rotary_pos_emb, code: k_embed = (k * cos) + (rotate_half(k) * sin)
        mul_17: "f32[2, 1, 16, 16][256, 256, 16, 1]cpu" = torch.ops.aten.mul.Tensor(cat_4, unsqueeze_17);  cat_4 = unsqueeze_17 = None
        add_12: "f32[2, 1, 16, 16][256, 16, 16, 1]cpu" = torch.ops.aten.add.Tensor(mul_16, mul_17);  mul_16 = mul_17 = None

        # File: sdpa_attention.py:28 in repeat_kv, code: hidden_states = hidden_states[:, :, None, :, :].expand(batch, num_key_value_heads, n_rep, slen, head_dim)
        unsqueeze_18: "f32[2, 1, 1, 16, 16][256, 16, 256, 16, 1]cpu" = torch.ops.aten.unsqueeze.default(add_12, 2);  add_12 = None
        expand_6: "f32[2, 1, 2, 16, 16][256, 16, 0, 16, 1]cpu" = torch.ops.aten.expand.default(unsqueeze_18, [2, 1, 2, 16, 16]);  unsqueeze_18 = None

        # File: sdpa_attention.py:29 in repeat_kv, code: return hidden_states.reshape(batch, num_key_value_heads * n_rep, slen, head_dim)
        view_31: "f32[2, 2, 16, 16][256, 0, 16, 1]cpu" = torch.ops.aten.view.default(expand_6, [2, 2, 16, 16]);  expand_6 = None

        # File: sdpa_attention.py:28 in repeat_kv, code: hidden_states = hidden_states[:, :, None, :, :].expand(batch, num_key_value_heads, n_rep, slen, head_dim)
        unsqueeze_19: "f32[2, 1, 1, 16, 16][256, 16, 256, 16, 1]cpu" = torch.ops.aten.unsqueeze.default(permute_16, 2);  permute_16 = None
        expand_7: "f32[2, 1, 2, 16, 16][256, 16, 0, 16, 1]cpu" = torch.ops.aten.expand.default(unsqueeze_19, [2, 1, 2, 16, 16]);  unsqueeze_19 = None

        # File: sdpa_attention.py:29 in repeat_kv, code: return hidden_states.reshape(batch, num_key_value_heads * n_rep, slen, head_dim)
        view_32: "f32[2, 2, 16, 16][256, 0, 16, 1]cpu" = torch.ops.aten.view.default(expand_7, [2, 2, 16, 16]);  expand_7 = None

        # File: sdpa_attention.py:193 in sdpa_attention_forward, code: attn_output = torch.nn.functional.scaled_dot_product_attention(
        scalar_tensor_2: "f32[][]cpu" = torch.ops.aten.scalar_tensor.default(-inf, dtype = torch.float32, device = device(type='cpu'))
        scalar_tensor_3: "f32[][]cpu" = torch.ops.aten.scalar_tensor.default(0.0, dtype = torch.float32, layout = torch.strided, device = device(type='cpu'))
        where_1: "f32[2, 1, 16, 16][256, 256, 16, 1]cpu" = torch.ops.aten.where.self(expand_2, scalar_tensor_3, scalar_tensor_2);  expand_2 = scalar_tensor_3 = scalar_tensor_2 = None
        _scaled_dot_product_flash_attention_for_cpu_1 = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu.default(add_11, view_31, view_32, attn_mask = where_1, scale = 0.25);  add_11 = view_31 = view_32 = where_1 = None
        getitem_2: "f32[2, 2, 16, 16][512, 16, 32, 1]cpu" = _scaled_dot_product_flash_attention_for_cpu_1[0];  _scaled_dot_product_flash_attention_for_cpu_1 = None

        # File: sdpa_attention.py:205 in sdpa_attention_forward, code: attn_output = attn_output.reshape(attn_output.shape[0], -1, q_length, value.shape[-1])
        view_33: "f32[2, 2, 16, 16][512, 16, 32, 1]cpu" = torch.ops.aten.view.default(getitem_2, [2, 2, 16, 16]);  getitem_2 = None

        # File: sdpa_attention.py:206 in sdpa_attention_forward, code: attn_output = attn_output.transpose(1, 2).contiguous()
        permute_17: "f32[2, 16, 2, 16][512, 32, 16, 1]cpu" = torch.ops.aten.permute.default(view_33, [0, 2, 1, 3]);  view_33 = None

        # File: modeling_llama.py:268 in forward, code: attn_output = attn_output.reshape(*input_shape, -1).contiguous()
        view_34: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.view.default(permute_17, [2, 16, -1]);  permute_17 = None

        # File: modeling_llama.py:269 in forward, code: attn_output = self.o_proj(attn_output)
        permute_18: "f32[32, 32][1, 32]cpu" = torch.ops.aten.permute.default(arg16_1, [1, 0]);  arg16_1 = None
        view_35: "f32[32, 32][32, 1]cpu" = torch.ops.aten.view.default(view_34, [32, 32]);  view_34 = None
        mm_10: "f32[32, 32][32, 1]cpu" = torch.ops.aten.mm.default(view_35, permute_18);  view_35 = permute_18 = None
        view_36: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.view.default(mm_10, [2, 16, 32]);  mm_10 = None

        # File: modeling_llama.py:306 in forward, code: hidden_states = residual + hidden_states
        add_13: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.add.Tensor(add_9, view_36);  add_9 = view_36 = None

        # File: modeling_llama.py:64 in forward, code: variance = hidden_states.pow(2).mean(-1, keepdim=True)
        pow_4: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.pow.Tensor_Scalar(add_13, 2)
        mean_3: "f32[2, 16, 1][16, 1, 1]cpu" = torch.ops.aten.mean.dim(pow_4, [-1], True);  pow_4 = None

        # File: modeling_llama.py:65 in forward, code: hidden_states = hidden_states * torch.rsqrt(variance + self.variance_epsilon)
        add_14: "f32[2, 16, 1][16, 1, 1]cpu" = torch.ops.aten.add.Tensor(mean_3, 1e-06);  mean_3 = None
        rsqrt_3: "f32[2, 16, 1][16, 1, 1]cpu" = torch.ops.aten.rsqrt.default(add_14);  add_14 = None
        mul_18: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Tensor(add_13, rsqrt_3);  rsqrt_3 = None

        # File: modeling_llama.py:66 in forward, code: return self.weight * hidden_states.to(input_dtype)
        mul_19: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Tensor(arg17_1, mul_18);  arg17_1 = mul_18 = None

        # File: modeling_llama.py:164 in forward, code: down_proj = self.down_proj(self.act_fn(self.gate_proj(x)) * self.up_proj(x))
        permute_19: "f32[32, 64][1, 32]cpu" = torch.ops.aten.permute.default(arg18_1, [1, 0]);  arg18_1 = None
        view_37: "f32[32, 32][32, 1]cpu" = torch.ops.aten.view.default(mul_19, [32, 32])
        mm_11: "f32[32, 64][64, 1]cpu" = torch.ops.aten.mm.default(view_37, permute_19);  view_37 = permute_19 = None
        view_38: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.view.default(mm_11, [2, 16, 64]);  mm_11 = None

        # File: activations.py:103 in forward, code: return nn.functional.silu(input)
        neg_5: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.neg.default(view_38)
        exp_1: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.exp.default(neg_5);  neg_5 = None
        add_15: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.add.Tensor(exp_1, 1);  exp_1 = None
        div_1: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.div.Tensor(view_38, add_15);  view_38 = add_15 = None

        # File: modeling_llama.py:164 in forward, code: down_proj = self.down_proj(self.act_fn(self.gate_proj(x)) * self.up_proj(x))
        permute_20: "f32[32, 64][1, 32]cpu" = torch.ops.aten.permute.default(arg19_1, [1, 0]);  arg19_1 = None
        view_39: "f32[32, 32][32, 1]cpu" = torch.ops.aten.view.default(mul_19, [32, 32]);  mul_19 = None
        mm_12: "f32[32, 64][64, 1]cpu" = torch.ops.aten.mm.default(view_39, permute_20);  view_39 = permute_20 = None
        view_40: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.view.default(mm_12, [2, 16, 64]);  mm_12 = None
        mul_20: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.mul.Tensor(div_1, view_40);  div_1 = view_40 = None
        permute_21: "f32[64, 32][1, 64]cpu" = torch.ops.aten.permute.default(arg20_1, [1, 0]);  arg20_1 = None
        view_41: "f32[32, 64][64, 1]cpu" = torch.ops.aten.view.default(mul_20, [32, 64]);  mul_20 = None
        mm_13: "f32[32, 32][32, 1]cpu" = torch.ops.aten.mm.default(view_41, permute_21);  view_41 = permute_21 = None
        view_42: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.view.default(mm_13, [2, 16, 32]);  mm_13 = None

        # File: modeling_llama.py:312 in forward, code: hidden_states = residual + hidden_states
        add_16: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.add.Tensor(add_13, view_42);  add_13 = view_42 = None

        # File: modeling_llama.py:64 in forward, code: variance = hidden_states.pow(2).mean(-1, keepdim=True)
        pow_5: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.pow.Tensor_Scalar(add_16, 2)
        mean_4: "f32[2, 16, 1][16, 1, 1]cpu" = torch.ops.aten.mean.dim(pow_5, [-1], True);  pow_5 = None

        # File: modeling_llama.py:65 in forward, code: hidden_states = hidden_states * torch.rsqrt(variance + self.variance_epsilon)
        add_17: "f32[2, 16, 1][16, 1, 1]cpu" = torch.ops.aten.add.Tensor(mean_4, 1e-06);  mean_4 = None
        rsqrt_4: "f32[2, 16, 1][16, 1, 1]cpu" = torch.ops.aten.rsqrt.default(add_17);  add_17 = None
        mul_21: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Tensor(add_16, rsqrt_4);  add_16 = rsqrt_4 = None

        # File: modeling_llama.py:66 in forward, code: return self.weight * hidden_states.to(input_dtype)
        mul_22: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Tensor(arg21_1, mul_21);  arg21_1 = mul_21 = None

        # File: modeling_utils.py:5118 in slice_logits_to_keep, code: return hidden_states[:, logits_to_keep, :]
        alias: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.alias.default(mul_22);  mul_22 = None

        # File: modeling_llama.py:468 in forward, code: logits = self.lm_head(hidden_states)
        permute_22: "f32[32, 64][1, 32]cpu" = torch.ops.aten.permute.default(arg22_1, [1, 0]);  arg22_1 = None
        view_43: "f32[32, 32][32, 1]cpu" = torch.ops.aten.view.default(alias, [32, 32]);  alias = None
        mm_14: "f32[32, 64][64, 1]cpu" = torch.ops.aten.mm.default(view_43, permute_22);  view_43 = permute_22 = None
        view_44: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.view.default(mm_14, [2, 16, 64]);  mm_14 = None

        # File: torch/nn/functional.py:5823 in pad, code: return torch._C._nn.pad(input, pad, mode, value)
        constant_pad_nd: "i64[2, 17][17, 1]cpu" = torch.ops.aten.constant_pad_nd.default(arg23_1, [0, 1], -100.0);  arg23_1 = None

        # File: loss_utils.py:66 in ForCausalLMLoss, code: shift_labels = labels[..., 1:].contiguous()
        slice_12: "i64[2, 16][17, 1]cpu" = torch.ops.aten.slice.Tensor(constant_pad_nd, 1, 1, 9223372036854775807);  constant_pad_nd = None
        clone_2: "i64[2, 16][16, 1]cpu" = torch.ops.aten.clone.default(slice_12, memory_format = torch.contiguous_format);  slice_12 = None

        # File: loss_utils.py:69 in ForCausalLMLoss, code: logits = logits.view(-1, vocab_size)
        view_45: "f32[32, 64][64, 1]cpu" = torch.ops.aten.view.default(view_44, [-1, 64])

        # File: loss_utils.py:70 in ForCausalLMLoss, code: shift_labels = shift_labels.view(-1)
        view_46: "i64[32][1]cpu" = torch.ops.aten.view.default(clone_2, [-1]);  clone_2 = None

        # File: loss_utils.py:42 in fixed_cross_entropy, code: loss = nn.functional.cross_entropy(source, target, ignore_index=ignore_index, reduction=reduction)
        amax: "f32[32, 1][1, 1]cpu" = torch.ops.aten.amax.default(view_45, [1], True)
        sub_2: "f32[32, 64][64, 1]cpu" = torch.ops.aten.sub.Tensor(view_45, amax);  view_45 = amax = None
        exp_2: "f32[32, 64][64, 1]cpu" = torch.ops.aten.exp.default(sub_2)
        sum_1: "f32[32, 1][1, 1]cpu" = torch.ops.aten.sum.dim_IntList(exp_2, [1], True);  exp_2 = None
        log: "f32[32, 1][1, 1]cpu" = torch.ops.aten.log.default(sum_1);  sum_1 = None
        sub_3: "f32[32, 64][64, 1]cpu" = torch.ops.aten.sub.Tensor(sub_2, log);  sub_2 = log = None
        ne_1: "b8[32][1]cpu" = torch.ops.aten.ne.Scalar(view_46, -100)
        scalar_tensor_4: "i64[][]cpu" = torch.ops.aten.scalar_tensor.default(0, dtype = torch.int64, layout = torch.strided, device = device(type='cpu'))
        where_2: "i64[32][1]cpu" = torch.ops.aten.where.self(ne_1, view_46, scalar_tensor_4);  ne_1 = scalar_tensor_4 = None
        unsqueeze_20: "i64[32, 1][1, 1]cpu" = torch.ops.aten.unsqueeze.default(where_2, 1);  where_2 = None
        gather: "f32[32, 1][1, 1]cpu" = torch.ops.aten.gather.default(sub_3, 1, unsqueeze_20);  sub_3 = unsqueeze_20 = None
        squeeze: "f32[32][1]cpu" = torch.ops.aten.squeeze.dim(gather, 1);  gather = None
        neg_6: "f32[32][1]cpu" = torch.ops.aten.neg.default(squeeze);  squeeze = None
        ne_2: "b8[32][1]cpu" = torch.ops.aten.ne.Scalar(view_46, -100)
        scalar_tensor_5: "f32[][]cpu" = torch.ops.aten.scalar_tensor.default(0, dtype = torch.float32, layout = torch.strided, device = device(type='cpu'))
        where_3: "f32[32][1]cpu" = torch.ops.aten.where.self(ne_2, neg_6, scalar_tensor_5);  ne_2 = neg_6 = scalar_tensor_5 = None
        ne_3: "b8[32][1]cpu" = torch.ops.aten.ne.Scalar(view_46, -100);  view_46 = None
        sum_2: "i64[][]cpu" = torch.ops.aten.sum.default(ne_3);  ne_3 = None
        convert_element_type_1: "f32[][]cpu" = torch.ops.prims.convert_element_type.default(sum_2, torch.float32);  sum_2 = None
        sum_3: "f32[][]cpu" = torch.ops.aten.sum.default(where_3);  where_3 = None
        div_2: "f32[][]cpu" = torch.ops.aten.div.Tensor(sum_3, convert_element_type_1);  sum_3 = convert_element_type_1 = None
        return (
            div_2,  # PlainAOTOutput(idx=0)
            view_44,  # PlainAOTOutput(idx=1)
        )


def inputs_of_inference_0_0_forward_graph(number=0):
    """Inputs of the recorded layout; integers are `number`."""
    return [
        tensor((2, 16), (16, 1), torch.int64, 'cpu', number),  # arg0_1
        tensor((64, 32), (32, 1), torch.float32, 'cpu'),  # arg1_1
        tensor((8,), (1,), torch.float32, 'cpu'),  # arg2_1
        tensor((32,), (1,), torch.float32, 'cpu'),  # arg3_1
        tensor((32, 32), (32, 1), torch.float32, 'cpu'),  # arg4_1
        tensor((16, 32), (32, 1), torch.float32, 'cpu'),  # arg5_1
        tensor((16, 32), (32, 1), torch.float32, 'cpu'),  # arg6_1
        tensor((32, 32), (32, 1), torch.float32, 'cpu'),  # arg7_1
        tensor((32,), (1,), torch.float32, 'cpu'),  # arg8_1
        tensor((64, 32), (32, 1), torch.float32, 'cpu'),  # arg9_1
        tensor((64, 32), (32, 1), torch.float32, 'cpu'),  # arg10_1
        tensor((32, 64), (64, 1), torch.float32, 'cpu'),  # arg11_1
        tensor((32,), (1,), torch.float32, 'cpu'),  # arg12_1
        tensor((32, 32), (32, 1), torch.float32, 'cpu'),  # arg13_1
        tensor((16, 32), (32, 1), torch.float32, 'cpu'),  # arg14_1
        tensor((16, 32), (32, 1), torch.float32, 'cpu'),  # arg15_1
        tensor((32, 32), (32, 1), torch.float32, 'cpu'),  # arg16_1
        tensor((32,), (1,), torch.float32, 'cpu'),  # arg17_1
        tensor((64, 32), (32, 1), torch.float32, 'cpu'),  # arg18_1
        tensor((64, 32), (32, 1), torch.float32, 'cpu'),  # arg19_1
        tensor((32, 64), (64, 1), torch.float32, 'cpu'),  # arg20_1
        tensor((32,), (1,), torch.float32, 'cpu'),  # arg21_1
        tensor((64, 32), (32, 1), torch.float32, 'cpu'),  # arg22_1
        tensor((2, 16), (16, 1), torch.int64, 'cpu', number),  # arg23_1
    ]


def run_inference_0_0_forward_graph():
    graph = Graph_inference_0_0_forward_graph()
    for number in (0, 1):  # an index made from zeros may lie outside
        try:
            outputs = graph.forward(*inputs_of_inference_0_0_forward_graph(number))
            break
        except (IndexError, RuntimeError):
            if number == 1:
                raise
    outputs = list(outputs) if isinstance(outputs, (tuple, list)) else [outputs]
    recorded = [  # None: nothing is recorded of that output
        ((), (), torch.float32, 'cpu'),
        ((2, 16, 64), (1024, 64, 1), torch.float32, 'cpu'),
    ]
    different = len(outputs) != len(recorded)
    for i, (output, wanted) in enumerate(zip(outputs, recorded)):
        right = wanted is None or same(layout(output), wanted)
        different = different or not right
        print(f"output {i}: {layout(output)}{'' if right else f', recorded: {wanted}'}")
    return int(different)

# ---- Inference, wrapper [0/0]: After Inductor's passes
class Graph_inference_0_0_after_post_grad(torch.nn.Module):
    def forward(
        self,
        arg0_1: "i64[2, 16][16, 1]cpu",
        arg1_1: "f32[64, 32][32, 1]cpu",
        arg2_1: "f32[8][1]cpu",
        arg3_1: "f32[32][1]cpu",
        arg4_1: "f32[32, 32][32, 1]cpu",
        arg5_1: "f32[16, 32][32, 1]cpu",
        arg6_1: "f32[16, 32][32, 1]cpu",
        arg7_1: "f32[32, 32][32, 1]cpu",
        arg8_1: "f32[32][1]cpu",
        arg9_1: "f32[64, 32][32, 1]cpu",
        arg10_1: "f32[64, 32][32, 1]cpu",
        arg11_1: "f32[32, 64][64, 1]cpu",
        arg12_1: "f32[32][1]cpu",
        arg13_1: "f32[32, 32][32, 1]cpu",
        arg14_1: "f32[16, 32][32, 1]cpu",
        arg15_1: "f32[16, 32][32, 1]cpu",
        arg16_1: "f32[32, 32][32, 1]cpu",
        arg17_1: "f32[32][1]cpu",
        arg18_1: "f32[64, 32][32, 1]cpu",
        arg19_1: "f32[64, 32][32, 1]cpu",
        arg20_1: "f32[32, 64][64, 1]cpu",
        arg21_1: "f32[32][1]cpu",
        arg22_1: "f32[64, 32][32, 1]cpu",
        arg23_1: "i64[2, 16][16, 1]cpu",
    ):
        # File: modeling_llama.py:370 in forward, code: inputs_embeds: torch.Tensor = self.embed_tokens(input_ids)
        embedding: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.embedding.default(arg1_1, arg0_1, 0);  arg1_1 = arg0_1 = None

        # File: modeling_llama.py:64 in forward, code: variance = hidden_states.pow(2).mean(-1, keepdim=True)
        pow_1: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.pow.Tensor_Scalar(embedding, 2)
        mean: "f32[2, 16, 1][16, 1, 1]cpu" = torch.ops.aten.mean.dim(pow_1, [-1], True);  pow_1 = None

        # File: modeling_llama.py:65 in forward, code: hidden_states = hidden_states * torch.rsqrt(variance + self.variance_epsilon)
        add_3: "f32[2, 16, 1][16, 1, 1]cpu" = torch.ops.aten.add.Tensor(mean, 1e-06);  mean = None
        rsqrt: "f32[2, 16, 1][16, 1, 1]cpu" = torch.ops.aten.rsqrt.default(add_3);  add_3 = None
        mul_3: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Tensor(embedding, rsqrt);  rsqrt = None

        # File: modeling_llama.py:66 in forward, code: return self.weight * hidden_states.to(input_dtype)
        mul_4: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Tensor(arg3_1, mul_3);  arg3_1 = mul_3 = None

        # File: modeling_llama.py:243 in forward, code: query_states = self.q_proj(hidden_states).view(hidden_shape).transpose(1, 2)
        view_1: "f32[32, 32][32, 1]cpu" = torch.ops.aten.reshape.default(mul_4, [32, 32])
        permute: "f32[32, 32][1, 32]cpu" = torch.ops.aten.permute.default(arg4_1, [1, 0]);  arg4_1 = None
        mm: "f32[32, 32][32, 1]cpu" = torch.ops.aten.mm.default(view_1, permute);  view_1 = permute = None
        view_2: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.reshape.default(mm, [2, 16, 32]);  mm = None
        view_3: "f32[2, 16, 2, 16][512, 32, 16, 1]cpu" = torch.ops.aten.reshape.default(view_2, [2, 16, -1, 16]);  view_2 = None
        permute_1: "f32[2, 2, 16, 16][512, 16, 32, 1]cpu" = torch.ops.aten.permute.default(view_3, [0, 2, 1, 3]);  view_3 = None

        # File: modeling_llama.py:377 in forward, code: position_ids = torch.arange(inputs_embeds.shape[1], device=inputs_embeds.device) + past_seen_tokens
        iota: "i64[16][1]cpu" = torch.ops.prims.iota.default(16, start = 0, step = 1, dtype = torch.int64, device = device(type='cpu'), requires_grad = False)
        add: "i64[16][1]cpu" = torch.ops.aten.add.Tensor(iota, 0);  iota = None

        # File: modeling_llama.py:378 in forward, code: position_ids = position_ids.unsqueeze(0)
        unsqueeze: "i64[1, 16][16, 1]cpu" = torch.ops.aten.unsqueeze.default(add, 0);  add = None

        # File: modeling_llama.py:111 in forward, code: freqs = position_ids[..., None].float() * self.inv_freq.to(device=x.device, dtype=torch.float)
        unsqueeze_10: "i64[1, 16, 1][16, 1, 1]cpu" = torch.ops.aten.unsqueeze.default(unsqueeze, 2)
        convert_element_type: "f32[1, 16, 1][16, 1, 1]cpu" = torch.ops.prims.convert_element_type.default(unsqueeze_10, torch.float32);  unsqueeze_10 = None
        mul: "f32[1, 16, 8][128, 8, 1]cpu" = torch.ops.aten.mul.Tensor(convert_element_type, arg2_1);  convert_element_type = arg2_1 = None

        # File: modeling_llama.py:112 in forward, code: emb = torch.cat((freqs, freqs), dim=-1)
        unsqueeze_11: "f32[1, 16, 1, 8][128, 8, 8, 1]cpu" = torch.ops.aten.unsqueeze.default(mul, 2);  mul = None
        expand_3: "f32[1, 16, 2, 8][128, 8, 0, 1]cpu" = torch.ops.aten.expand.default(unsqueeze_11, [1, 16, 2, 8]);  unsqueeze_11 = None
        clone: "f32[1, 16, 2, 8][256, 16, 8, 1]cpu" = torch.ops.aten.clone.default(expand_3, memory_format = torch.contiguous_format);  expand_3 = None
        view: "f32[1, 16, 16][256, 16, 1]cpu" = torch.ops.aten.reshape.default(clone, [1, 16, 16]);  clone = None

        # File: modeling_llama.py:113 in forward, code: cos = emb.cos() * self.attention_scaling
        cos: "f32[1, 16, 16][256, 16, 1]cpu" = torch.ops.aten.cos.default(view)
        mul_1: "f32[1, 16, 16][256, 16, 1]cpu" = torch.ops.aten.mul.Tensor(cos, 1.0);  cos = None

        # File: modeling_llama.py:145 in apply_rotary_pos_emb, code: cos = cos.unsqueeze(unsqueeze_dim)
        unsqueeze_12: "f32[1, 1, 16, 16][256, 256, 16, 1]cpu" = torch.ops.aten.unsqueeze.default(mul_1, 1)

        # File: modeling_llama.py:147 in apply_rotary_pos_emb, code: q_embed = (q * cos) + (rotate_half(q) * sin)
        mul_5: "f32[2, 2, 16, 16][512, 16, 32, 1]cpu" = torch.ops.aten.mul.Tensor(permute_1, unsqueeze_12)

        # File: modeling_llama.py:122 in rotate_half, code: x2 = x[..., x.shape[-1] // 2 :]
        slice_5: "f32[2, 2, 16, 8][512, 16, 32, 1]cpu" = torch.ops.aten.slice.Tensor(permute_1, 3, 8, 9223372036854775807)

        # File: modeling_llama.py:123 in rotate_half, code: return torch.cat((-x2, x1), dim=-1)
        neg: "f32[2, 2, 16, 8][256, 8, 16, 1]cpu" = torch.ops.aten.neg.default(slice_5);  slice_5 = None

        # File: modeling_llama.py:121 in rotate_half, code: x1 = x[..., : x.shape[-1] // 2]
        slice_4: "f32[2, 2, 16, 8][512, 16, 32, 1]cpu" = torch.ops.aten.slice.Tensor(permute_1, 3, 0, 8);  permute_1 = None

        # File: modeling_llama.py:123 in rotate_half, code: return torch.cat((-x2, x1), dim=-1)
        cat_1: "f32[2, 2, 16, 16][512, 256, 16, 1]cpu" = torch.ops.aten.cat.default([neg, slice_4], -1);  neg = slice_4 = None

        # File: modeling_llama.py:114 in forward, code: sin = emb.sin() * self.attention_scaling
        sin: "f32[1, 16, 16][256, 16, 1]cpu" = torch.ops.aten.sin.default(view);  view = None
        mul_2: "f32[1, 16, 16][256, 16, 1]cpu" = torch.ops.aten.mul.Tensor(sin, 1.0);  sin = None

        # File: modeling_llama.py:146 in apply_rotary_pos_emb, code: sin = sin.unsqueeze(unsqueeze_dim)
        unsqueeze_13: "f32[1, 1, 16, 16][256, 256, 16, 1]cpu" = torch.ops.aten.unsqueeze.default(mul_2, 1)

        # File: modeling_llama.py:147 in apply_rotary_pos_emb, code: q_embed = (q * cos) + (rotate_half(q) * sin)
        mul_6: "f32[2, 2, 16, 16][512, 256, 16, 1]cpu" = torch.ops.aten.mul.Tensor(cat_1, unsqueeze_13);  cat_1 = None
        add_4: "f32[2, 2, 16, 16][512, 16, 32, 1]cpu" = torch.ops.aten.add.Tensor(mul_5, mul_6);  mul_5 = mul_6 = None

        # File: modeling_llama.py:244 in forward, code: key_states = self.k_proj(hidden_states).view(hidden_shape).transpose(1, 2)
        view_4: "f32[32, 32][32, 1]cpu" = torch.ops.aten.reshape.default(mul_4, [32, 32])
        permute_2: "f32[32, 16][1, 32]cpu" = torch.ops.aten.permute.default(arg5_1, [1, 0]);  arg5_1 = None
        mm_1: "f32[32, 16][16, 1]cpu" = torch.ops.aten.mm.default(view_4, permute_2);  view_4 = permute_2 = None
        view_5: "f32[2, 16, 16][256, 16, 1]cpu" = torch.ops.aten.reshape.default(mm_1, [2, 16, 16]);  mm_1 = None
        view_6: "f32[2, 16, 1, 16][256, 16, 16, 1]cpu" = torch.ops.aten.reshape.default(view_5, [2, 16, -1, 16]);  view_5 = None
        permute_3: "f32[2, 1, 16, 16][256, 16, 16, 1]cpu" = torch.ops.aten.permute.default(view_6, [0, 2, 1, 3]);  view_6 = None

        # File: modeling_llama.py:148 in apply_rotary_pos_emb, code: k_embed = (k * cos) + (rotate_half(k) * sin)
        mul_7: "f32[2, 1, 16, 16][256, 16, 16, 1]cpu" = torch.ops.aten.mul.Tensor(permute_3, unsqueeze_12);  unsqueeze_12 = None

        # File: modeling_llama.py:122 in rotate_half, code: x2 = x[..., x.shape[-1] // 2 :]
        slice_7: "f32[2, 1, 16, 8][256, 16, 16, 1]cpu" = torch.ops.aten.slice.Tensor(permute_3, 3, 8, 9223372036854775807)

        # File: modeling_llama.py:123 in rotate_half, code: return torch.cat((-x2, x1), dim=-1)
        neg_1: "f32[2, 1, 16, 8][128, 8, 8, 1]cpu" = torch.ops.aten.neg.default(slice_7);  slice_7 = None

        # File: modeling_llama.py:121 in rotate_half, code: x1 = x[..., : x.shape[-1] // 2]
        slice_6: "f32[2, 1, 16, 8][256, 16, 16, 1]cpu" = torch.ops.aten.slice.Tensor(permute_3, 3, 0, 8);  permute_3 = None

        # File: modeling_llama.py:123 in rotate_half, code: return torch.cat((-x2, x1), dim=-1)
        cat_2: "f32[2, 1, 16, 16][256, 256, 16, 1]cpu" = torch.ops.aten.cat.default([neg_1, slice_6], -1);  neg_1 = slice_6 = None

        # File: modeling_llama.py:148 in apply_rotary_pos_emb, code: k_embed = (k * cos) + (rotate_half(k) * sin)
        mul_8: "f32[2, 1, 16, 16][256, 256, 16, 1]cpu" = torch.ops.aten.mul.Tensor(cat_2, unsqueeze_13);  cat_2 = unsqueeze_13 = None
        add_5: "f32[2, 1, 16, 16][256, 16, 16, 1]cpu" = torch.ops.aten.add.Tensor(mul_7, mul_8);  mul_7 = mul_8 = None

        # File: sdpa_attention.py:28 in repeat_kv, code: hidden_states = hidden_states[:, :, None, :, :].expand(batch, num_key_value_heads, n_rep, slen, head_dim)
        unsqueeze_14: "f32[2, 1, 1, 16, 16][256, 16, 256, 16, 1]cpu" = torch.ops.aten.unsqueeze.default(add_5, 2);  add_5 = None
        expand_4: "f32[2, 1, 2, 16, 16][256, 16, 0, 16, 1]cpu" = torch.ops.aten.expand.default(unsqueeze_14, [2, 1, 2, 16, 16]);  unsqueeze_14 = None

        # File: sdpa_attention.py:29 in repeat_kv, code: return hidden_states.reshape(batch, num_key_value_heads * n_rep, slen, head_dim)
        view_10: "f32[2, 2, 16, 16][256, 0, 16, 1]cpu" = torch.ops.aten.reshape.default(expand_4, [2, 2, 16, 16]);  expand_4 = None

        # File: modeling_llama.py:245 in forward, code: value_states = self.v_proj(hidden_states).view(hidden_shape).transpose(1, 2)
        view_7: "f32[32, 32][32, 1]cpu" = torch.ops.aten.reshape.default(mul_4, [32, 32]);  mul_4 = None
        permute_4: "f32[32, 16][1, 32]cpu" = torch.ops.aten.permute.default(arg6_1, [1, 0]);  arg6_1 = None
        mm_2: "f32[32, 16][16, 1]cpu" = torch.ops.aten.mm.default(view_7, permute_4);  view_7 = permute_4 = None
        view_8: "f32[2, 16, 16][256, 16, 1]cpu" = torch.ops.aten.reshape.default(mm_2, [2, 16, 16]);  mm_2 = None
        view_9: "f32[2, 16, 1, 16][256, 16, 16, 1]cpu" = torch.ops.aten.reshape.default(view_8, [2, 16, -1, 16]);  view_8 = None
        permute_5: "f32[2, 1, 16, 16][256, 16, 16, 1]cpu" = torch.ops.aten.permute.default(view_9, [0, 2, 1, 3]);  view_9 = None

        # File: sdpa_attention.py:28 in repeat_kv, code: hidden_states = hidden_states[:, :, None, :, :].expand(batch, num_key_value_heads, n_rep, slen, head_dim)
        unsqueeze_15: "f32[2, 1, 1, 16, 16][256, 16, 256, 16, 1]cpu" = torch.ops.aten.unsqueeze.default(permute_5, 2);  permute_5 = None
        expand_5: "f32[2, 1, 2, 16, 16][256, 16, 0, 16, 1]cpu" = torch.ops.aten.expand.default(unsqueeze_15, [2, 1, 2, 16, 16]);  unsqueeze_15 = None

        # File: sdpa_attention.py:29 in repeat_kv, code: return hidden_states.reshape(batch, num_key_value_heads * n_rep, slen, head_dim)
        view_11: "f32[2, 2, 16, 16][256, 0, 16, 1]cpu" = torch.ops.aten.reshape.default(expand_5, [2, 2, 16, 16]);  expand_5 = None

        # File: masking_utils.py:50 in and_mask, code: result = q_idx.new_ones((), dtype=torch.bool)
        full_default: "b8[][]cpu" = torch.ops.aten.full.default([], True, dtype = torch.bool, layout = torch.strided, device = device(type='cpu'), pin_memory = False)

        # File: masking_utils.py:880 in _preprocess_mask_arguments, code: position_ids = position_ids.expand(batch_size, -1)
        expand: "i64[2, 16][0, 1]cpu" = torch.ops.aten.expand.default(unsqueeze, [2, -1])

        # File: masking_utils.py:771 in find_packed_sequence_indices, code: first_dummy_value = position_ids[:, :1] - 1  # We just need the diff on this first value to be 1
        slice_1: "i64[2, 1][0, 1]cpu" = torch.ops.aten.slice.Tensor(expand, 1, 0, 1)
        sub: "i64[2, 1][1, 1]cpu" = torch.ops.aten.sub.Tensor(slice_1, 1);  slice_1 = None

        # File: masking_utils.py:772 in find_packed_sequence_indices, code: position_diff = torch.diff(position_ids, prepend=first_dummy_value, dim=-1)
        cat: "i64[2, 17][17, 1]cpu" = torch.ops.aten.cat.default([sub, expand], -1);  sub = expand = None
        slice_3: "i64[2, 16][17, 1]cpu" = torch.ops.aten.slice.Tensor(cat, -1, 1, 17)
        slice_2: "i64[2, 16][17, 1]cpu" = torch.ops.aten.slice.Tensor(cat, -1, 0, 16);  cat = None
        sub_1: "i64[2, 16][16, 1]cpu" = torch.ops.aten.sub.Tensor(slice_3, slice_2);  slice_3 = slice_2 = None

        # File: masking_utils.py:773 in find_packed_sequence_indices, code: packed_sequence_mask = (position_diff != 1).cumsum(-1)
        ne: "b8[2, 16][16, 1]cpu" = torch.ops.aten.ne.Scalar(sub_1, 1);  sub_1 = None
        cumsum: "i64[2, 16][16, 1]cpu" = torch.ops.aten.cumsum.default(ne, -1);  ne = None

        # File: masking_utils.py:543 in sdpa_mask, code: batch_arange = torch.arange(batch_size, device=device)
        iota_1: "i64[2][1]cpu" = torch.ops.prims.iota.default(2, start = 0, step = 1, dtype = torch.int64, device = device(type='cpu'), requires_grad = False)

        # File: masking_utils.py:403 in _non_vmap_expansion_sdpa, code: batch_indices = batch_indices[:, None, None, None]
        unsqueeze_1: "i64[2, 1][1, 1]cpu" = torch.ops.aten.unsqueeze.default(iota_1, 1);  iota_1 = None
        unsqueeze_2: "i64[2, 1, 1][1, 1, 1]cpu" = torch.ops.aten.unsqueeze.default(unsqueeze_1, 2);  unsqueeze_1 = None
        unsqueeze_3: "i64[2, 1, 1, 1][1, 1, 1, 1]cpu" = torch.ops.aten.unsqueeze.default(unsqueeze_2, 3);  unsqueeze_2 = None

        # File: masking_utils.py:545 in sdpa_mask, code: q_arange = torch.arange(q_length, device=device) + q_offset
        iota_3: "i64[16][1]cpu" = torch.ops.prims.iota.default(16, start = 0, step = 1, dtype = torch.int64, device = device(type='cpu'), requires_grad = False)
        add_1: "i64[16][1]cpu" = torch.ops.aten.add.Tensor(iota_3, 0);  iota_3 = None

        # File: masking_utils.py:405 in _non_vmap_expansion_sdpa, code: q_indices = q_indices[None, None, :, None]
        unsqueeze_4: "i64[1, 16][16, 1]cpu" = torch.ops.aten.unsqueeze.default(add_1, 0);  add_1 = None
        unsqueeze_5: "i64[1, 1, 16][16, 16, 1]cpu" = torch.ops.aten.unsqueeze.default(unsqueeze_4, 1);  unsqueeze_4 = None
        unsqueeze_6: "i64[1, 1, 16, 1][16, 16, 1, 1]cpu" = torch.ops.aten.unsqueeze.default(unsqueeze_5, 3);  unsqueeze_5 = None

        # File: masking_utils.py:188 in inner_mask, code: return packed_sequence_mask[batch_idx, q_idx] == packed_sequence_mask[batch_idx, kv_idx]
        index: "i64[2, 1, 16, 1][16, 16, 1, 1]cpu" = torch.ops.aten.index.Tensor(cumsum, [unsqueeze_3, unsqueeze_6])

        # File: masking_utils.py:546 in sdpa_mask, code: kv_arange = torch.arange(kv_length, device=device) + kv_offset
        iota_4: "i64[16][1]cpu" = torch.ops.prims.iota.default(16, start = 0, step = 1, dtype = torch.int64, device = device(type='cpu'), requires_grad = False)
        add_2: "i64[16][1]cpu" = torch.ops.aten.add.Tensor(iota_4, 0);  iota_4 = None

        # File: masking_utils.py:406 in _non_vmap_expansion_sdpa, code: kv_indices = kv_indices[None, None, None, :]
        unsqueeze_7: "i64[1, 16][16, 1]cpu" = torch.ops.aten.unsqueeze.default(add_2, 0);  add_2 = None
        unsqueeze_8: "i64[1, 1, 16][16, 16, 1]cpu" = torch.ops.aten.unsqueeze.default(unsqueeze_7, 1);  unsqueeze_7 = None
        unsqueeze_9: "i64[1, 1, 1, 16][16, 16, 16, 1]cpu" = torch.ops.aten.unsqueeze.default(unsqueeze_8, 2);  unsqueeze_8 = None

        # File: masking_utils.py:188 in inner_mask, code: return packed_sequence_mask[batch_idx, q_idx] == packed_sequence_mask[batch_idx, kv_idx]
        index_1: "i64[2, 1, 1, 16][16, 16, 16, 1]cpu" = torch.ops.aten.index.Tensor(cumsum, [unsqueeze_3, unsqueeze_9]);  cumsum = None
        eq: "b8[2, 1, 16, 16][256, 256, 16, 1]cpu" = torch.ops.aten.eq.Tensor(index, index_1);  index = index_1 = None

        # File: masking_utils.py:52 in and_mask, code: result = result & mask(batch_idx, head_idx, q_idx, kv_idx).to(result.device)
        bitwise_and: "b8[2, 1, 16, 16][256, 256, 16, 1]cpu" = torch.ops.aten.bitwise_and.Tensor(full_default, eq);  full_default = eq = None

        # File: masking_utils.py:1006 in create_causal_mask, code: mask_factory_function, position_ids.expand(batch_size, -1), packed_sequence_mask
        expand_1: "i64[2, 16][0, 1]cpu" = torch.ops.aten.expand.default(unsqueeze, [2, -1]);  unsqueeze = None

        # File: masking_utils.py:203 in inner_mask, code: return mask_function(batch_idx, head_idx, position_ids[batch_idx, q_idx], position_ids[batch_idx, kv_idx])
        index_3: "i64[2, 1, 1, 16][16, 16, 16, 1]cpu" = torch.ops.aten.index.Tensor(expand_1, [unsqueeze_3, unsqueeze_9]);  unsqueeze_9 = None
        index_2: "i64[2, 1, 16, 1][16, 16, 1, 1]cpu" = torch.ops.aten.index.Tensor(expand_1, [unsqueeze_3, unsqueeze_6]);  expand_1 = unsqueeze_3 = unsqueeze_6 = None

        # File: masking_utils.py:76 in causal_mask_function, code: return kv_idx <= q_idx
        le: "b8[2, 1, 16, 16][256, 256, 16, 1]cpu" = torch.ops.aten.le.Tensor(index_3, index_2);  index_3 = index_2 = None

        # File: masking_utils.py:52 in and_mask, code: result = result & mask(batch_idx, head_idx, q_idx, kv_idx).to(result.device)
        bitwise_and_1: "b8[2, 1, 16, 16][256, 256, 16, 1]cpu" = torch.ops.aten.bitwise_and.Tensor(bitwise_and, le);  bitwise_and = le = None

        # File: masking_utils.py:554 in sdpa_mask, code: attention_mask = attention_mask.expand(batch_size, -1, q_length, kv_length)
        expand_2: "b8[2, 1, 16, 16][256, 256, 16, 1]cpu" = torch.ops.aten.expand.default(bitwise_and_1, [2, -1, 16, 16]);  bitwise_and_1 = None

        # File: sdpa_attention.py:193 in sdpa_attention_forward, code: attn_output = torch.nn.functional.scaled_dot_product_attention(
        full_default_2: "f32[][]cpu" = torch.ops.aten.full.default([], 0.0, dtype = torch.float32, layout = torch.strided, device = device(type='cpu'), pin_memory = False)
        full_default_1: "f32[][]cpu" = torch.ops.aten.full.default([], -inf, dtype = torch.float32, layout = torch.strided, device = device(type='cpu'), pin_memory = False)
        where: "f32[2, 1, 16, 16][256, 256, 16, 1]cpu" = torch.ops.aten.where.self(expand_2, full_default_2, full_default_1);  full_default_2 = full_default_1 = None
        _scaled_dot_product_flash_attention_for_cpu = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu.default(add_4, view_10, view_11, attn_mask = where, scale = 0.25);  add_4 = view_10 = view_11 = where = None
        getitem: "f32[2, 2, 16, 16][512, 16, 32, 1]cpu" = _scaled_dot_product_flash_attention_for_cpu[0]

        # File: sdpa_attention.py:206 in sdpa_attention_forward, code: attn_output = attn_output.transpose(1, 2).contiguous()
        permute_6: "f32[2, 16, 2, 16][512, 32, 16, 1]cpu" = torch.ops.aten.permute.default(getitem, [0, 2, 1, 3]);  getitem = None

        # File: modeling_llama.py:268 in forward, code: attn_output = attn_output.reshape(*input_shape, -1).contiguous()
        view_13: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.reshape.default(permute_6, [2, 16, -1]);  permute_6 = None

        # File: modeling_llama.py:269 in forward, code: attn_output = self.o_proj(attn_output)
        view_14: "f32[32, 32][32, 1]cpu" = torch.ops.aten.reshape.default(view_13, [32, 32]);  view_13 = None
        permute_7: "f32[32, 32][1, 32]cpu" = torch.ops.aten.permute.default(arg7_1, [1, 0]);  arg7_1 = None
        mm_3: "f32[32, 32][32, 1]cpu" = torch.ops.aten.mm.default(view_14, permute_7);  view_14 = permute_7 = None
        view_15: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.reshape.default(mm_3, [2, 16, 32]);  mm_3 = None

        # File: modeling_llama.py:306 in forward, code: hidden_states = residual + hidden_states
        add_6: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.add.Tensor(embedding, view_15);  embedding = view_15 = None

        # File: modeling_llama.py:64 in forward, code: variance = hidden_states.pow(2).mean(-1, keepdim=True)
        pow_2: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.pow.Tensor_Scalar(add_6, 2)
        mean_1: "f32[2, 16, 1][16, 1, 1]cpu" = torch.ops.aten.mean.dim(pow_2, [-1], True);  pow_2 = None

        # File: modeling_llama.py:65 in forward, code: hidden_states = hidden_states * torch.rsqrt(variance + self.variance_epsilon)
        add_7: "f32[2, 16, 1][16, 1, 1]cpu" = torch.ops.aten.add.Tensor(mean_1, 1e-06);  mean_1 = None
        rsqrt_1: "f32[2, 16, 1][16, 1, 1]cpu" = torch.ops.aten.rsqrt.default(add_7);  add_7 = None
        mul_9: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Tensor(add_6, rsqrt_1);  rsqrt_1 = None

        # File: modeling_llama.py:66 in forward, code: return self.weight * hidden_states.to(input_dtype)
        mul_10: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Tensor(arg8_1, mul_9);  arg8_1 = mul_9 = None

        # File: modeling_llama.py:164 in forward, code: down_proj = self.down_proj(self.act_fn(self.gate_proj(x)) * self.up_proj(x))
        view_16: "f32[32, 32][32, 1]cpu" = torch.ops.aten.reshape.default(mul_10, [32, 32])
        permute_8: "f32[32, 64][1, 32]cpu" = torch.ops.aten.permute.default(arg9_1, [1, 0]);  arg9_1 = None
        mm_4: "f32[32, 64][64, 1]cpu" = torch.ops.aten.mm.default(view_16, permute_8);  view_16 = permute_8 = None
        view_17: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.reshape.default(mm_4, [2, 16, 64]);  mm_4 = None

        # File: activations.py:103 in forward, code: return nn.functional.silu(input)
        neg_2: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.neg.default(view_17)
        exp: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.exp.default(neg_2);  neg_2 = None
        add_8: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.add.Tensor(exp, 1);  exp = None
        div: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.div.Tensor(view_17, add_8);  view_17 = add_8 = None

        # File: modeling_llama.py:164 in forward, code: down_proj = self.down_proj(self.act_fn(self.gate_proj(x)) * self.up_proj(x))
        view_18: "f32[32, 32][32, 1]cpu" = torch.ops.aten.reshape.default(mul_10, [32, 32]);  mul_10 = None
        permute_9: "f32[32, 64][1, 32]cpu" = torch.ops.aten.permute.default(arg10_1, [1, 0]);  arg10_1 = None
        mm_5: "f32[32, 64][64, 1]cpu" = torch.ops.aten.mm.default(view_18, permute_9);  view_18 = permute_9 = None
        view_19: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.reshape.default(mm_5, [2, 16, 64]);  mm_5 = None
        mul_11: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.mul.Tensor(div, view_19);  div = view_19 = None
        view_20: "f32[32, 64][64, 1]cpu" = torch.ops.aten.reshape.default(mul_11, [32, 64]);  mul_11 = None
        permute_10: "f32[64, 32][1, 64]cpu" = torch.ops.aten.permute.default(arg11_1, [1, 0]);  arg11_1 = None
        mm_6: "f32[32, 32][32, 1]cpu" = torch.ops.aten.mm.default(view_20, permute_10);  view_20 = permute_10 = None
        view_21: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.reshape.default(mm_6, [2, 16, 32]);  mm_6 = None

        # File: modeling_llama.py:312 in forward, code: hidden_states = residual + hidden_states
        add_9: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.add.Tensor(add_6, view_21);  add_6 = view_21 = None

        # File: modeling_llama.py:64 in forward, code: variance = hidden_states.pow(2).mean(-1, keepdim=True)
        pow_3: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.pow.Tensor_Scalar(add_9, 2)
        mean_2: "f32[2, 16, 1][16, 1, 1]cpu" = torch.ops.aten.mean.dim(pow_3, [-1], True);  pow_3 = None

        # File: modeling_llama.py:65 in forward, code: hidden_states = hidden_states * torch.rsqrt(variance + self.variance_epsilon)
        add_10: "f32[2, 16, 1][16, 1, 1]cpu" = torch.ops.aten.add.Tensor(mean_2, 1e-06);  mean_2 = None
        rsqrt_2: "f32[2, 16, 1][16, 1, 1]cpu" = torch.ops.aten.rsqrt.default(add_10);  add_10 = None
        mul_12: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Tensor(add_9, rsqrt_2);  rsqrt_2 = None

        # File: modeling_llama.py:66 in forward, code: return self.weight * hidden_states.to(input_dtype)
        mul_13: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Tensor(arg12_1, mul_12);  arg12_1 = mul_12 = None

        # File: modeling_llama.py:243 in forward, code: query_states = self.q_proj(hidden_states).view(hidden_shape).transpose(1, 2)
        view_22: "f32[32, 32][32, 1]cpu" = torch.ops.aten.reshape.default(mul_13, [32, 32])
        permute_11: "f32[32, 32][1, 32]cpu" = torch.ops.aten.permute.default(arg13_1, [1, 0]);  arg13_1 = None
        mm_7: "f32[32, 32][32, 1]cpu" = torch.ops.aten.mm.default(view_22, permute_11);  view_22 = permute_11 = None
        view_23: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.reshape.default(mm_7, [2, 16, 32]);  mm_7 = None
        view_24: "f32[2, 16, 2, 16][512, 32, 16, 1]cpu" = torch.ops.aten.reshape.default(view_23, [2, 16, -1, 16]);  view_23 = None
        permute_12: "f32[2, 2, 16, 16][512, 16, 32, 1]cpu" = torch.ops.aten.permute.default(view_24, [0, 2, 1, 3]);  view_24 = None

        # File: modeling_llama.py:145 in apply_rotary_pos_emb, code: cos = cos.unsqueeze(unsqueeze_dim)
        unsqueeze_16: "f32[1, 1, 16, 16][256, 256, 16, 1]cpu" = torch.ops.aten.unsqueeze.default(mul_1, 1);  mul_1 = None

        # File: modeling_llama.py:147 in apply_rotary_pos_emb, code: q_embed = (q * cos) + (rotate_half(q) * sin)
        mul_14: "f32[2, 2, 16, 16][512, 16, 32, 1]cpu" = torch.ops.aten.mul.Tensor(permute_12, unsqueeze_16)

        # File: modeling_llama.py:122 in rotate_half, code: x2 = x[..., x.shape[-1] // 2 :]
        slice_9: "f32[2, 2, 16, 8][512, 16, 32, 1]cpu" = torch.ops.aten.slice.Tensor(permute_12, 3, 8, 9223372036854775807)

        # File: modeling_llama.py:123 in rotate_half, code: return torch.cat((-x2, x1), dim=-1)
        neg_3: "f32[2, 2, 16, 8][256, 8, 16, 1]cpu" = torch.ops.aten.neg.default(slice_9);  slice_9 = None

        # File: modeling_llama.py:121 in rotate_half, code: x1 = x[..., : x.shape[-1] // 2]
        slice_8: "f32[2, 2, 16, 8][512, 16, 32, 1]cpu" = torch.ops.aten.slice.Tensor(permute_12, 3, 0, 8);  permute_12 = None

        # File: modeling_llama.py:123 in rotate_half, code: return torch.cat((-x2, x1), dim=-1)
        cat_3: "f32[2, 2, 16, 16][512, 256, 16, 1]cpu" = torch.ops.aten.cat.default([neg_3, slice_8], -1);  neg_3 = slice_8 = None

        # File: modeling_llama.py:146 in apply_rotary_pos_emb, code: sin = sin.unsqueeze(unsqueeze_dim)
        unsqueeze_17: "f32[1, 1, 16, 16][256, 256, 16, 1]cpu" = torch.ops.aten.unsqueeze.default(mul_2, 1);  mul_2 = None

        # File: modeling_llama.py:147 in apply_rotary_pos_emb, code: q_embed = (q * cos) + (rotate_half(q) * sin)
        mul_15: "f32[2, 2, 16, 16][512, 256, 16, 1]cpu" = torch.ops.aten.mul.Tensor(cat_3, unsqueeze_17);  cat_3 = None
        add_11: "f32[2, 2, 16, 16][512, 16, 32, 1]cpu" = torch.ops.aten.add.Tensor(mul_14, mul_15);  mul_14 = mul_15 = None

        # File: modeling_llama.py:244 in forward, code: key_states = self.k_proj(hidden_states).view(hidden_shape).transpose(1, 2)
        view_25: "f32[32, 32][32, 1]cpu" = torch.ops.aten.reshape.default(mul_13, [32, 32])
        permute_13: "f32[32, 16][1, 32]cpu" = torch.ops.aten.permute.default(arg14_1, [1, 0]);  arg14_1 = None
        mm_8: "f32[32, 16][16, 1]cpu" = torch.ops.aten.mm.default(view_25, permute_13);  view_25 = permute_13 = None
        view_26: "f32[2, 16, 16][256, 16, 1]cpu" = torch.ops.aten.reshape.default(mm_8, [2, 16, 16]);  mm_8 = None
        view_27: "f32[2, 16, 1, 16][256, 16, 16, 1]cpu" = torch.ops.aten.reshape.default(view_26, [2, 16, -1, 16]);  view_26 = None
        permute_14: "f32[2, 1, 16, 16][256, 16, 16, 1]cpu" = torch.ops.aten.permute.default(view_27, [0, 2, 1, 3]);  view_27 = None

        # File: modeling_llama.py:148 in apply_rotary_pos_emb, code: k_embed = (k * cos) + (rotate_half(k) * sin)
        mul_16: "f32[2, 1, 16, 16][256, 16, 16, 1]cpu" = torch.ops.aten.mul.Tensor(permute_14, unsqueeze_16);  unsqueeze_16 = None

        # File: modeling_llama.py:122 in rotate_half, code: x2 = x[..., x.shape[-1] // 2 :]
        slice_11: "f32[2, 1, 16, 8][256, 16, 16, 1]cpu" = torch.ops.aten.slice.Tensor(permute_14, 3, 8, 9223372036854775807)

        # File: modeling_llama.py:123 in rotate_half, code: return torch.cat((-x2, x1), dim=-1)
        neg_4: "f32[2, 1, 16, 8][128, 8, 8, 1]cpu" = torch.ops.aten.neg.default(slice_11);  slice_11 = None

        # File: modeling_llama.py:121 in rotate_half, code: x1 = x[..., : x.shape[-1] // 2]
        slice_10: "f32[2, 1, 16, 8][256, 16, 16, 1]cpu" = torch.ops.aten.slice.Tensor(permute_14, 3, 0, 8);  permute_14 = None

        # File: modeling_llama.py:123 in rotate_half, code: return torch.cat((-x2, x1), dim=-1)
        cat_4: "f32[2, 1, 16, 16][256, 256, 16, 1]cpu" = torch.ops.aten.cat.default([neg_4, slice_10], -1);  neg_4 = slice_10 = None

        # File: modeling_llama.py:148 in apply_rotary_pos_emb, code: k_embed = (k * cos) + (rotate_half(k) * sin)
        mul_17: "f32[2, 1, 16, 16][256, 256, 16, 1]cpu" = torch.ops.aten.mul.Tensor(cat_4, unsqueeze_17);  cat_4 = unsqueeze_17 = None
        add_12: "f32[2, 1, 16, 16][256, 16, 16, 1]cpu" = torch.ops.aten.add.Tensor(mul_16, mul_17);  mul_16 = mul_17 = None

        # File: sdpa_attention.py:28 in repeat_kv, code: hidden_states = hidden_states[:, :, None, :, :].expand(batch, num_key_value_heads, n_rep, slen, head_dim)
        unsqueeze_18: "f32[2, 1, 1, 16, 16][256, 16, 256, 16, 1]cpu" = torch.ops.aten.unsqueeze.default(add_12, 2);  add_12 = None
        expand_6: "f32[2, 1, 2, 16, 16][256, 16, 0, 16, 1]cpu" = torch.ops.aten.expand.default(unsqueeze_18, [2, 1, 2, 16, 16]);  unsqueeze_18 = None

        # File: sdpa_attention.py:29 in repeat_kv, code: return hidden_states.reshape(batch, num_key_value_heads * n_rep, slen, head_dim)
        view_31: "f32[2, 2, 16, 16][256, 0, 16, 1]cpu" = torch.ops.aten.reshape.default(expand_6, [2, 2, 16, 16]);  expand_6 = None

        # File: modeling_llama.py:245 in forward, code: value_states = self.v_proj(hidden_states).view(hidden_shape).transpose(1, 2)
        view_28: "f32[32, 32][32, 1]cpu" = torch.ops.aten.reshape.default(mul_13, [32, 32]);  mul_13 = None
        permute_15: "f32[32, 16][1, 32]cpu" = torch.ops.aten.permute.default(arg15_1, [1, 0]);  arg15_1 = None
        mm_9: "f32[32, 16][16, 1]cpu" = torch.ops.aten.mm.default(view_28, permute_15);  view_28 = permute_15 = None
        view_29: "f32[2, 16, 16][256, 16, 1]cpu" = torch.ops.aten.reshape.default(mm_9, [2, 16, 16]);  mm_9 = None
        view_30: "f32[2, 16, 1, 16][256, 16, 16, 1]cpu" = torch.ops.aten.reshape.default(view_29, [2, 16, -1, 16]);  view_29 = None
        permute_16: "f32[2, 1, 16, 16][256, 16, 16, 1]cpu" = torch.ops.aten.permute.default(view_30, [0, 2, 1, 3]);  view_30 = None

        # File: sdpa_attention.py:28 in repeat_kv, code: hidden_states = hidden_states[:, :, None, :, :].expand(batch, num_key_value_heads, n_rep, slen, head_dim)
        unsqueeze_19: "f32[2, 1, 1, 16, 16][256, 16, 256, 16, 1]cpu" = torch.ops.aten.unsqueeze.default(permute_16, 2);  permute_16 = None
        expand_7: "f32[2, 1, 2, 16, 16][256, 16, 0, 16, 1]cpu" = torch.ops.aten.expand.default(unsqueeze_19, [2, 1, 2, 16, 16]);  unsqueeze_19 = None

        # File: sdpa_attention.py:29 in repeat_kv, code: return hidden_states.reshape(batch, num_key_value_heads * n_rep, slen, head_dim)
        view_32: "f32[2, 2, 16, 16][256, 0, 16, 1]cpu" = torch.ops.aten.reshape.default(expand_7, [2, 2, 16, 16]);  expand_7 = None

        # File: sdpa_attention.py:193 in sdpa_attention_forward, code: attn_output = torch.nn.functional.scaled_dot_product_attention(
        full_default_4: "f32[][]cpu" = torch.ops.aten.full.default([], 0.0, dtype = torch.float32, layout = torch.strided, device = device(type='cpu'), pin_memory = False)
        full_default_3: "f32[][]cpu" = torch.ops.aten.full.default([], -inf, dtype = torch.float32, layout = torch.strided, device = device(type='cpu'), pin_memory = False)
        where_1: "f32[2, 1, 16, 16][256, 256, 16, 1]cpu" = torch.ops.aten.where.self(expand_2, full_default_4, full_default_3);  expand_2 = full_default_4 = full_default_3 = None

        # No stacktrace found for following nodes
        subgraph__scaled_dot_product_flash_attention_for_cpu_1 = self.subgraph__scaled_dot_product_flash_attention_for_cpu_1

        # File: sdpa_attention.py:193 in sdpa_attention_forward, code: attn_output = torch.nn.functional.scaled_dot_product_attention(
        _scaled_dot_product_flash_attention_for_cpu_1 = torch.ops.higher_order.control_deps((_scaled_dot_product_flash_attention_for_cpu,), subgraph__scaled_dot_product_flash_attention_for_cpu_1, add_11, view_31, view_32, where_1);  _scaled_dot_product_flash_attention_for_cpu = subgraph__scaled_dot_product_flash_attention_for_cpu_1 = add_11 = view_31 = view_32 = where_1 = None
        getitem_2: "f32[2, 2, 16, 16][512, 16, 32, 1]cpu" = _scaled_dot_product_flash_attention_for_cpu_1[0];  _scaled_dot_product_flash_attention_for_cpu_1 = None

        # File: torch/nn/functional.py:5823 in pad, code: return torch._C._nn.pad(input, pad, mode, value)
        constant_pad_nd: "i64[2, 17][17, 1]cpu" = torch.ops.aten.constant_pad_nd.default(arg23_1, [0, 1], -100.0);  arg23_1 = None

        # File: loss_utils.py:66 in ForCausalLMLoss, code: shift_labels = labels[..., 1:].contiguous()
        slice_12: "i64[2, 16][17, 1]cpu" = torch.ops.aten.slice.Tensor(constant_pad_nd, 1, 1, 9223372036854775807);  constant_pad_nd = None
        clone_2: "i64[2, 16][16, 1]cpu" = torch.ops.aten.clone.default(slice_12, memory_format = torch.contiguous_format);  slice_12 = None

        # File: loss_utils.py:70 in ForCausalLMLoss, code: shift_labels = shift_labels.view(-1)
        view_46: "i64[32][1]cpu" = torch.ops.aten.reshape.default(clone_2, [-1]);  clone_2 = None

        # File: loss_utils.py:42 in fixed_cross_entropy, code: loss = nn.functional.cross_entropy(source, target, ignore_index=ignore_index, reduction=reduction)
        ne_2: "b8[32][1]cpu" = torch.ops.aten.ne.Scalar(view_46, -100)

        # File: sdpa_attention.py:206 in sdpa_attention_forward, code: attn_output = attn_output.transpose(1, 2).contiguous()
        permute_17: "f32[2, 16, 2, 16][512, 32, 16, 1]cpu" = torch.ops.aten.permute.default(getitem_2, [0, 2, 1, 3]);  getitem_2 = None

        # File: modeling_llama.py:268 in forward, code: attn_output = attn_output.reshape(*input_shape, -1).contiguous()
        view_34: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.reshape.default(permute_17, [2, 16, -1]);  permute_17 = None

        # File: modeling_llama.py:269 in forward, code: attn_output = self.o_proj(attn_output)
        view_35: "f32[32, 32][32, 1]cpu" = torch.ops.aten.reshape.default(view_34, [32, 32]);  view_34 = None
        permute_18: "f32[32, 32][1, 32]cpu" = torch.ops.aten.permute.default(arg16_1, [1, 0]);  arg16_1 = None
        mm_10: "f32[32, 32][32, 1]cpu" = torch.ops.aten.mm.default(view_35, permute_18);  view_35 = permute_18 = None
        view_36: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.reshape.default(mm_10, [2, 16, 32]);  mm_10 = None

        # File: modeling_llama.py:306 in forward, code: hidden_states = residual + hidden_states
        add_13: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.add.Tensor(add_9, view_36);  add_9 = view_36 = None

        # File: modeling_llama.py:64 in forward, code: variance = hidden_states.pow(2).mean(-1, keepdim=True)
        pow_4: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.pow.Tensor_Scalar(add_13, 2)
        mean_3: "f32[2, 16, 1][16, 1, 1]cpu" = torch.ops.aten.mean.dim(pow_4, [-1], True);  pow_4 = None

        # File: modeling_llama.py:65 in forward, code: hidden_states = hidden_states * torch.rsqrt(variance + self.variance_epsilon)
        add_14: "f32[2, 16, 1][16, 1, 1]cpu" = torch.ops.aten.add.Tensor(mean_3, 1e-06);  mean_3 = None
        rsqrt_3: "f32[2, 16, 1][16, 1, 1]cpu" = torch.ops.aten.rsqrt.default(add_14);  add_14 = None
        mul_18: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Tensor(add_13, rsqrt_3);  rsqrt_3 = None

        # File: modeling_llama.py:66 in forward, code: return self.weight * hidden_states.to(input_dtype)
        mul_19: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Tensor(arg17_1, mul_18);  arg17_1 = mul_18 = None

        # File: modeling_llama.py:164 in forward, code: down_proj = self.down_proj(self.act_fn(self.gate_proj(x)) * self.up_proj(x))
        view_37: "f32[32, 32][32, 1]cpu" = torch.ops.aten.reshape.default(mul_19, [32, 32])
        permute_19: "f32[32, 64][1, 32]cpu" = torch.ops.aten.permute.default(arg18_1, [1, 0]);  arg18_1 = None
        mm_11: "f32[32, 64][64, 1]cpu" = torch.ops.aten.mm.default(view_37, permute_19);  view_37 = permute_19 = None
        view_38: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.reshape.default(mm_11, [2, 16, 64]);  mm_11 = None

        # File: activations.py:103 in forward, code: return nn.functional.silu(input)
        neg_5: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.neg.default(view_38)
        exp_1: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.exp.default(neg_5);  neg_5 = None
        add_15: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.add.Tensor(exp_1, 1);  exp_1 = None
        div_1: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.div.Tensor(view_38, add_15);  view_38 = add_15 = None

        # File: modeling_llama.py:164 in forward, code: down_proj = self.down_proj(self.act_fn(self.gate_proj(x)) * self.up_proj(x))
        view_39: "f32[32, 32][32, 1]cpu" = torch.ops.aten.reshape.default(mul_19, [32, 32]);  mul_19 = None
        permute_20: "f32[32, 64][1, 32]cpu" = torch.ops.aten.permute.default(arg19_1, [1, 0]);  arg19_1 = None
        mm_12: "f32[32, 64][64, 1]cpu" = torch.ops.aten.mm.default(view_39, permute_20);  view_39 = permute_20 = None
        view_40: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.reshape.default(mm_12, [2, 16, 64]);  mm_12 = None
        mul_20: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.mul.Tensor(div_1, view_40);  div_1 = view_40 = None
        view_41: "f32[32, 64][64, 1]cpu" = torch.ops.aten.reshape.default(mul_20, [32, 64]);  mul_20 = None
        permute_21: "f32[64, 32][1, 64]cpu" = torch.ops.aten.permute.default(arg20_1, [1, 0]);  arg20_1 = None
        mm_13: "f32[32, 32][32, 1]cpu" = torch.ops.aten.mm.default(view_41, permute_21);  view_41 = permute_21 = None
        view_42: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.reshape.default(mm_13, [2, 16, 32]);  mm_13 = None

        # File: modeling_llama.py:312 in forward, code: hidden_states = residual + hidden_states
        add_16: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.add.Tensor(add_13, view_42);  add_13 = view_42 = None

        # File: modeling_llama.py:64 in forward, code: variance = hidden_states.pow(2).mean(-1, keepdim=True)
        pow_5: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.pow.Tensor_Scalar(add_16, 2)
        mean_4: "f32[2, 16, 1][16, 1, 1]cpu" = torch.ops.aten.mean.dim(pow_5, [-1], True);  pow_5 = None

        # File: modeling_llama.py:65 in forward, code: hidden_states = hidden_states * torch.rsqrt(variance + self.variance_epsilon)
        add_17: "f32[2, 16, 1][16, 1, 1]cpu" = torch.ops.aten.add.Tensor(mean_4, 1e-06);  mean_4 = None
        rsqrt_4: "f32[2, 16, 1][16, 1, 1]cpu" = torch.ops.aten.rsqrt.default(add_17);  add_17 = None
        mul_21: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Tensor(add_16, rsqrt_4);  add_16 = rsqrt_4 = None

        # File: modeling_llama.py:66 in forward, code: return self.weight * hidden_states.to(input_dtype)
        mul_22: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Tensor(arg21_1, mul_21);  arg21_1 = mul_21 = None

        # File: modeling_llama.py:468 in forward, code: logits = self.lm_head(hidden_states)
        view_43: "f32[32, 32][32, 1]cpu" = torch.ops.aten.reshape.default(mul_22, [32, 32]);  mul_22 = None
        permute_22: "f32[32, 64][1, 32]cpu" = torch.ops.aten.permute.default(arg22_1, [1, 0]);  arg22_1 = None
        mm_14: "f32[32, 64][64, 1]cpu" = torch.ops.aten.mm.default(view_43, permute_22);  view_43 = permute_22 = None
        view_44: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.reshape.default(mm_14, [2, 16, 64]);  mm_14 = None

        # File: loss_utils.py:69 in ForCausalLMLoss, code: logits = logits.view(-1, vocab_size)
        view_45: "f32[32, 64][64, 1]cpu" = torch.ops.aten.reshape.default(view_44, [-1, 64])

        # File: loss_utils.py:42 in fixed_cross_entropy, code: loss = nn.functional.cross_entropy(source, target, ignore_index=ignore_index, reduction=reduction)
        amax: "f32[32, 1][1, 1]cpu" = torch.ops.aten.amax.default(view_45, [1], True)
        sub_2: "f32[32, 64][64, 1]cpu" = torch.ops.aten.sub.Tensor(view_45, amax);  view_45 = amax = None
        exp_2: "f32[32, 64][64, 1]cpu" = torch.ops.aten.exp.default(sub_2)
        sum_1: "f32[32, 1][1, 1]cpu" = torch.ops.aten.sum.dim_IntList(exp_2, [1], True);  exp_2 = None
        log: "f32[32, 1][1, 1]cpu" = torch.ops.aten.log.default(sum_1);  sum_1 = None
        sub_3: "f32[32, 64][64, 1]cpu" = torch.ops.aten.sub.Tensor(sub_2, log);  sub_2 = log = None
        ne_1: "b8[32][1]cpu" = torch.ops.aten.ne.Scalar(view_46, -100)
        full_default_5: "i64[][]cpu" = torch.ops.aten.full.default([], 0, dtype = torch.int64, layout = torch.strided, device = device(type='cpu'), pin_memory = False)
        where_2: "i64[32][1]cpu" = torch.ops.aten.where.self(ne_1, view_46, full_default_5);  ne_1 = full_default_5 = None
        unsqueeze_20: "i64[32, 1][1, 1]cpu" = torch.ops.aten.unsqueeze.default(where_2, 1);  where_2 = None
        gather: "f32[32, 1][1, 1]cpu" = torch.ops.aten.gather.default(sub_3, 1, unsqueeze_20);  sub_3 = unsqueeze_20 = None
        squeeze: "f32[32][1]cpu" = torch.ops.aten.squeeze.dim(gather, 1);  gather = None
        neg_6: "f32[32][1]cpu" = torch.ops.aten.neg.default(squeeze);  squeeze = None
        full_default_6: "f32[][]cpu" = torch.ops.aten.full.default([], 0.0, dtype = torch.float32, layout = torch.strided, device = device(type='cpu'), pin_memory = False)
        where_3: "f32[32][1]cpu" = torch.ops.aten.where.self(ne_2, neg_6, full_default_6);  ne_2 = neg_6 = full_default_6 = None
        sum_3: "f32[][]cpu" = torch.ops.aten.sum.default(where_3);  where_3 = None
        ne_3: "b8[32][1]cpu" = torch.ops.aten.ne.Scalar(view_46, -100);  view_46 = None
        sum_2: "i64[][]cpu" = torch.ops.aten.sum.default(ne_3);  ne_3 = None
        convert_element_type_1: "f32[][]cpu" = torch.ops.prims.convert_element_type.default(sum_2, torch.float32);  sum_2 = None
        div_2: "f32[][]cpu" = torch.ops.aten.div.Tensor(sum_3, convert_element_type_1);  sum_3 = convert_element_type_1 = None
        return (div_2, view_44)

    class subgraph__scaled_dot_product_flash_attention_for_cpu_1(torch.nn.Module):
        def forward(
            self,
            arg_0: "f32[2, 2, 16, 16][512, 16, 32, 1]cpu",
            arg_1: "f32[2, 2, 16, 16][256, 0, 16, 1]cpu",
            arg_2: "f32[2, 2, 16, 16][256, 0, 16, 1]cpu",
            arg_3: "f32[2, 1, 16, 16][256, 256, 16, 1]cpu",
        ):
            # File: sdpa_attention.py:193 in sdpa_attention_forward, code: attn_output = torch.nn.functional.scaled_dot_product_attention(
            _scaled_dot_product_flash_attention_for_cpu_default = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu.default(arg_0, arg_1, arg_2, attn_mask = arg_3, scale = 0.25);  arg_0 = arg_1 = arg_2 = arg_3 = None
            return _scaled_dot_product_flash_attention_for_cpu_default


def inputs_of_inference_0_0_after_post_grad(number=0):
    """Inputs of the recorded layout; integers are `number`."""
    return [
        tensor((2, 16), (16, 1), torch.int64, 'cpu', number),  # arg0_1
        tensor((64, 32), (32, 1), torch.float32, 'cpu'),  # arg1_1
        tensor((8,), (1,), torch.float32, 'cpu'),  # arg2_1
        tensor((32,), (1,), torch.float32, 'cpu'),  # arg3_1
        tensor((32, 32), (32, 1), torch.float32, 'cpu'),  # arg4_1
        tensor((16, 32), (32, 1), torch.float32, 'cpu'),  # arg5_1
        tensor((16, 32), (32, 1), torch.float32, 'cpu'),  # arg6_1
        tensor((32, 32), (32, 1), torch.float32, 'cpu'),  # arg7_1
        tensor((32,), (1,), torch.float32, 'cpu'),  # arg8_1
        tensor((64, 32), (32, 1), torch.float32, 'cpu'),  # arg9_1
        tensor((64, 32), (32, 1), torch.float32, 'cpu'),  # arg10_1
        tensor((32, 64), (64, 1), torch.float32, 'cpu'),  # arg11_1
        tensor((32,), (1,), torch.float32, 'cpu'),  # arg12_1
        tensor((32, 32), (32, 1), torch.float32, 'cpu'),  # arg13_1
        tensor((16, 32), (32, 1), torch.float32, 'cpu'),  # arg14_1
        tensor((16, 32), (32, 1), torch.float32, 'cpu'),  # arg15_1
        tensor((32, 32), (32, 1), torch.float32, 'cpu'),  # arg16_1
        tensor((32,), (1,), torch.float32, 'cpu'),  # arg17_1
        tensor((64, 32), (32, 1), torch.float32, 'cpu'),  # arg18_1
        tensor((64, 32), (32, 1), torch.float32, 'cpu'),  # arg19_1
        tensor((32, 64), (64, 1), torch.float32, 'cpu'),  # arg20_1
        tensor((32,), (1,), torch.float32, 'cpu'),  # arg21_1
        tensor((64, 32), (32, 1), torch.float32, 'cpu'),  # arg22_1
        tensor((2, 16), (16, 1), torch.int64, 'cpu', number),  # arg23_1
    ]


def run_inference_0_0_after_post_grad():
    graph = Graph_inference_0_0_after_post_grad()
    vars(graph)['subgraph__scaled_dot_product_flash_attention_for_cpu_1'] = torch.fx.symbolic_trace(Graph_inference_0_0_after_post_grad.subgraph__scaled_dot_product_flash_attention_for_cpu_1())
    for number in (0, 1):  # an index made from zeros may lie outside
        try:
            outputs = graph.forward(*inputs_of_inference_0_0_after_post_grad(number))
            break
        except (IndexError, RuntimeError):
            if number == 1:
                raise
    outputs = list(outputs) if isinstance(outputs, (tuple, list)) else [outputs]
    recorded = [  # None: nothing is recorded of that output
        ((), (), torch.float32, 'cpu'),
        ((2, 16, 64), (1024, 64, 1), torch.float32, 'cpu'),
    ]
    different = len(outputs) != len(recorded)
    for i, (output, wanted) in enumerate(zip(outputs, recorded)):
        right = wanted is None or same(layout(output), wanted)
        different = different or not right
        print(f"output {i}: {layout(output)}{'' if right else f', recorded: {wanted}'}")
    return int(different)

# ---- Inference, [0/0]: Inductor's code, which runs
# # AOT ID: ['0_inference']
# from ctypes import c_void_p, c_long, c_int
# import torch
# import math
# import random
# import os
# import tempfile
# from math import inf, nan
# from cmath import nanj
# from torch._inductor.hooks import run_intermediate_hooks
# from torch._inductor.utils import maybe_profile
# from torch._inductor.codegen.memory_planning import _align as align
# from torch import device, empty_strided
# from torch._inductor.async_compile import AsyncCompile
# from torch._inductor.select_algorithm import extern_kernels
# 
# aten = torch.ops.aten
# inductor_ops = torch.ops.inductor
# _quantized = torch.ops._quantized
# assert_size_stride = torch._C._dynamo.guards.assert_size_stride
# assert_alignment = torch._C._dynamo.guards.assert_alignment
# empty_strided_cpu = torch._C._dynamo.guards._empty_strided_cpu
# empty_strided_cpu_pinned = torch._C._dynamo.guards._empty_strided_cpu_pinned
# empty_strided_cuda = torch._C._dynamo.guards._empty_strided_cuda
# empty_strided_xpu = torch._C._dynamo.guards._empty_strided_xpu
# empty_strided_mtia = torch._C._dynamo.guards._empty_strided_mtia
# reinterpret_tensor = torch._C._dynamo.guards._reinterpret_tensor
# alloc_from_pool = torch.ops.inductor._alloc_from_pool
# async_compile = AsyncCompile()
# empty_strided_p2p = torch._C._distributed_c10d._SymmetricMemory.empty_strided_p2p
# 
# 
# cpp_fused_add_embedding_mean_mul_pow_rsqrt_0 = async_compile.cpp_pybinding(['const int64_t*', 'const float*', 'const float*', 'float*', 'float*'], r'''
# #include <torch/csrc/inductor/cpp_prefix.h>
# extern "C"  void  kernel(const int64_t* in_ptr0,
#                        const float* in_ptr1,
#                        const float* in_ptr2,
#                        float* out_ptr0,
#                        float* out_ptr1)
# {
#     std::atomic<int> inductor_cpu_integer_div_error{0};
#     inductor_cpu_integer_div_error_flag = &inductor_cpu_integer_div_error;
#     {
#         #pragma GCC ivdep
#         for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(32L); x0+=static_cast<int64_t>(1L))
#         {
#             {
#                 float tmp_acc0 = 0;
#                 at::vec::Vectorized<float> tmp_acc0_vec = at::vec::Vectorized<float>(0);
#                 for(int64_t x1=static_cast<int64_t>(0L); x1<static_cast<int64_t>(32L); x1+=static_cast<int64_t>(16L))
#                 {
#                     {
#                         if(C10_LIKELY(x1 >= static_cast<int64_t>(0) && x1 < static_cast<int64_t>(32L)))
#                         {
#                             auto tmp0 = in_ptr0[static_cast<int64_t>(x0)];
#                             auto tmp1 = tmp0;
#                             auto tmp2 = c10::convert<int64_t>(tmp1);
#                             TORCH_CHECK((0 <= tmp2) & (tmp2 < 64L), "index out of bounds: 0 <= tmp2 < 64L");
#                             auto tmp4 = at::vec::Vectorized<float>::loadu(in_ptr1 + static_cast<int64_t>(x1 + 32L*tmp0), static_cast<int64_t>(16));
#                             auto tmp5 = tmp4 * tmp4;
#                             tmp_acc0_vec = tmp_acc0_vec + tmp5;
#                         }
#                     }
#                 }
#                 tmp_acc0 = tmp_acc0 + at::vec::vec_reduce_all<float, 1>([](at::vec::Vectorized<float>& x, at::vec::Vectorized<float>& y) { return x + y; }, tmp_acc0_vec);
#                 out_ptr0[static_cast<int64_t>(x0)] = static_cast<float>(tmp_acc0);
#             }
#             for(int64_t x1=static_cast<int64_t>(0L); x1<static_cast<int64_t>(32L); x1+=static_cast<int64_t>(16L))
#             {
#                 {
#                     if(C10_LIKELY(x1 >= static_cast<int64_t>(0) && x1 < static_cast<int64_t>(32L)))
#                     {
#                         auto tmp0 = at::vec::Vectorized<float>::loadu(in_ptr2 + static_cast<int64_t>(x1), static_cast<int64_t>(16));
#                         auto tmp1 = in_ptr0[static_cast<int64_t>(x0)];
#                         auto tmp6 = out_ptr0[static_cast<int64_t>(x0)];
#                         auto tmp2 = tmp1;
#                         auto tmp3 = c10::convert<int64_t>(tmp2);
#                         TORCH_CHECK((0 <= tmp3) & (tmp3 < 64L), "index out of bounds: 0 <= tmp3 < 64L");
#                         auto tmp5 = at::vec::Vectorized<float>::loadu(in_ptr1 + static_cast<int64_t>(x1 + 32L*tmp1), static_cast<int64_t>(16));
#                         auto tmp7 = static_cast<float>(32.0);
#                         auto tmp8 = tmp6 / tmp7;
#                         auto tmp9 = static_cast<float>(1e-06);
#                         auto tmp10 = float(tmp8 + tmp9);
#                         auto tmp11 = 1 / std::sqrt(tmp10);
#                         auto tmp12 = at::vec::Vectorized<float>(tmp11);
#                         auto tmp13 = tmp5 * tmp12;
#                         auto tmp14 = tmp0 * tmp13;
#                         tmp14.store(out_ptr1 + static_cast<int64_t>(x1 + 32L*x0));
#                     }
#                 }
#             }
#         }
#     }
#     inductor_cpu_integer_div_error_flag = nullptr;
#     inductor_cpu_throw_if_integer_div_error(inductor_cpu_integer_div_error);
# }
# ''')
# 
# 
# cpp_fused__unsafe_view_cat_neg_slice_transpose_view_1 = async_compile.cpp_pybinding(['const float*', 'float*', 'float*'], r'''
# #include <torch/csrc/inductor/cpp_prefix.h>
# extern "C"  void  kernel(const float* in_ptr0,
#                        float* out_ptr0,
#                        float* out_ptr1)
# {
#     std::atomic<int> inductor_cpu_integer_div_error{0};
#     inductor_cpu_integer_div_error_flag = &inductor_cpu_integer_div_error;
#     {
#         #pragma GCC ivdep
#         for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(2L); x0+=static_cast<int64_t>(1L))
#         {
#             #pragma GCC ivdep
#             for(int64_t x1=static_cast<int64_t>(0L); x1<static_cast<int64_t>(2L); x1+=static_cast<int64_t>(1L))
#             {
#                 #pragma GCC ivdep
#                 for(int64_t x2=static_cast<int64_t>(0L); x2<static_cast<int64_t>(16L); x2+=static_cast<int64_t>(1L))
#                 {
#                     for(int64_t x3=static_cast<int64_t>(0L); x3<static_cast<int64_t>(8L); x3+=static_cast<int64_t>(16L))
#                     {
#                         {
#                             if(C10_LIKELY(x3 >= static_cast<int64_t>(0L) && x3 < static_cast<int64_t>(8L)))
#                             {
#                                 auto tmp0 = at::vec::Vectorized<float>::loadu(in_ptr0 + static_cast<int64_t>(8L + x3 + 16L*x1 + 32L*x2 + 512L*x0), static_cast<int64_t>(8L));
#                                 auto tmp1 = tmp0.neg();
#                                 tmp1.store(out_ptr0 + static_cast<int64_t>(x3 + 16L*x2 + 256L*x1 + 512L*x0), static_cast<int64_t>(8L));
#                             }
#                         }
#                     }
#                 }
#             }
#         }
#     }
#     {
#         #pragma GCC ivdep
#         for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(2L); x0+=static_cast<int64_t>(1L))
#         {
#             #pragma GCC ivdep
#             for(int64_t x1=static_cast<int64_t>(0L); x1<static_cast<int64_t>(2L); x1+=static_cast<int64_t>(1L))
#             {
#                 #pragma GCC ivdep
#                 for(int64_t x2=static_cast<int64_t>(0L); x2<static_cast<int64_t>(16L); x2+=static_cast<int64_t>(1L))
#                 {
#                     for(int64_t x3=static_cast<int64_t>(0L); x3<static_cast<int64_t>(8L); x3+=static_cast<int64_t>(16L))
#                     {
#                         {
#                             if(C10_LIKELY(x3 >= static_cast<int64_t>(0L) && x3 < static_cast<int64_t>(8L)))
#                             {
#                                 auto tmp0 = at::vec::Vectorized<float>::loadu(in_ptr0 + static_cast<int64_t>(x3 + 16L*x1 + 32L*x2 + 512L*x0), static_cast<int64_t>(8L));
#                                 tmp0.store(out_ptr1 + static_cast<int64_t>(x3 + 16L*x2 + 256L*x1 + 512L*x0), static_cast<int64_t>(8L));
#                             }
#                         }
#                     }
#                 }
#             }
#         }
#     }
#     inductor_cpu_integer_div_error_flag = nullptr;
#     inductor_cpu_throw_if_integer_div_error(inductor_cpu_integer_div_error);
# }
# ''')
# 
# 
# cpp_fused__unsafe_view_cat_neg_slice_transpose_view_2 = async_compile.cpp_pybinding(['const float*', 'float*', 'float*'], r'''
# #include <torch/csrc/inductor/cpp_prefix.h>
# extern "C"  void  kernel(const float* in_ptr0,
#                        float* out_ptr0,
#                        float* out_ptr1)
# {
#     std::atomic<int> inductor_cpu_integer_div_error{0};
#     inductor_cpu_integer_div_error_flag = &inductor_cpu_integer_div_error;
#     {
#         #pragma GCC ivdep
#         for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(32L); x0+=static_cast<int64_t>(1L))
#         {
#             for(int64_t x1=static_cast<int64_t>(0L); x1<static_cast<int64_t>(8L); x1+=static_cast<int64_t>(16L))
#             {
#                 {
#                     if(C10_LIKELY(x1 >= static_cast<int64_t>(0L) && x1 < static_cast<int64_t>(8L)))
#                     {
#                         auto tmp0 = at::vec::Vectorized<float>::loadu(in_ptr0 + static_cast<int64_t>(8L + x1 + 16L*x0), static_cast<int64_t>(8L));
#                         auto tmp1 = tmp0.neg();
#                         tmp1.store(out_ptr0 + static_cast<int64_t>(x1 + 16L*x0), static_cast<int64_t>(8L));
#                     }
#                 }
#             }
#         }
#     }
#     {
#         #pragma GCC ivdep
#         for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(32L); x0+=static_cast<int64_t>(1L))
#         {
#             for(int64_t x1=static_cast<int64_t>(0L); x1<static_cast<int64_t>(8L); x1+=static_cast<int64_t>(16L))
#             {
#                 {
#                     if(C10_LIKELY(x1 >= static_cast<int64_t>(0L) && x1 < static_cast<int64_t>(8L)))
#                     {
#                         auto tmp0 = at::vec::Vectorized<float>::loadu(in_ptr0 + static_cast<int64_t>(x1 + 16L*x0), static_cast<int64_t>(8L));
#                         tmp0.store(out_ptr1 + static_cast<int64_t>(x1 + 16L*x0), static_cast<int64_t>(8L));
#                     }
#                 }
#             }
#         }
#     }
#     inductor_cpu_integer_div_error_flag = nullptr;
#     inductor_cpu_throw_if_integer_div_error(inductor_cpu_integer_div_error);
# }
# ''')
# 
# 
# cpp_fused_add_arange_cat_cumsum_expand_ne_slice_sub_unsqueeze_3 = async_compile.cpp_pybinding(['const int64_t*', 'int64_t*', 'int64_t*', 'int64_t*'], r'''
# #include <torch/csrc/inductor/cpp_prefix.h>
# extern "C"  void  kernel(const int64_t* in_ptr0,
#                        int64_t* out_ptr0,
#                        int64_t* out_ptr1,
#                        int64_t* out_ptr2)
# {
#     std::atomic<int> inductor_cpu_integer_div_error{0};
#     inductor_cpu_integer_div_error_flag = &inductor_cpu_integer_div_error;
#     {
#         #pragma GCC ivdep
#         for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(2L); x0+=static_cast<int64_t>(1L))
#         {
#             {
#                 {
#                     auto tmp0 = static_cast<int64_t>(-1);
#                     out_ptr0[static_cast<int64_t>(17L*x0)] = tmp0;
#                 }
#             }
#         }
#     }
#     {
#         #pragma GCC ivdep
#         for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(2L); x0+=static_cast<int64_t>(1L))
#         {
#             for(int64_t x1=static_cast<int64_t>(0L); x1<static_cast<int64_t>(16L); x1+=static_cast<int64_t>(16L))
#             {
#                 {
#                     if(C10_LIKELY(x1 >= static_cast<int64_t>(0) && x1 < static_cast<int64_t>(16L)))
#                     {
#                         auto tmp0 = x1;
#                         auto tmp1 = c10::convert<int64_t>(tmp0);
#                         auto tmp2 = at::vec::VectorizedN<int64_t,2>::arange(tmp1, 1);
#                         tmp2.store(out_ptr1 + static_cast<int64_t>(x1 + 17L*x0), static_cast<int64_t>(16));
#                     }
#                 }
#             }
#         }
#     }
#     {
#         #pragma GCC ivdep
#         for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(2L); x0+=static_cast<int64_t>(1L))
#         {
#             for(int64_t x1=static_cast<int64_t>(0L); x1<static_cast<int64_t>(16L); x1+=static_cast<int64_t>(16L))
#             {
#                 {
#                     if(C10_LIKELY(x1 >= static_cast<int64_t>(0) && x1 < static_cast<int64_t>(16L)))
#                     {
#                         auto tmp0 = at::vec::VectorizedN<int64_t,2>::loadu(in_ptr0 + static_cast<int64_t>(1L + x1 + 17L*x0), static_cast<int64_t>(16));
#                         auto tmp1 = at::vec::VectorizedN<int64_t,2>::loadu(in_ptr0 + static_cast<int64_t>(x1 + 17L*x0), static_cast<int64_t>(16));
#                         auto tmp2 = tmp0 - tmp1;
#                         auto tmp3 = static_cast<int64_t>(1);
#                         auto tmp4 = at::vec::VectorizedN<int64_t,2>(tmp3);
#                         auto tmp5 = at::vec::VecMask<int64_t,2>(tmp2 != tmp4);
#                         auto tmp6 = tmp5.to<int64_t,2>();
#                         tmp6.store(out_ptr2 + static_cast<int64_t>(x1 + 16L*x0), static_cast<int64_t>(16));
#                     }
#                 }
#             }
#         }
#     }
#     inductor_cpu_integer_div_error_flag = nullptr;
#     inductor_cpu_throw_if_integer_div_error(inductor_cpu_integer_div_error);
# }
# ''')
# 
# 
# cpp_fused__scaled_dot_product_flash_attention_for_cpu__to_copy__unsafe_view_add_arange_bitwise_and_cat_cos_eq_expand_index_le_mul_new_ones_scalar_tensor_sin_transpose_unsqueeze_view_where_4 = async_compile.cpp_pybinding(['float*', 'const float*', 'const float*', 'const float*', 'const float*', 'const float*', 'const int64_t*', 'float*', 'float*', 'float*'], r'''
# #include <torch/csrc/inductor/cpp_prefix.h>
# extern "C"  void  kernel(float* in_out_ptr0,
#                        const float* in_ptr0,
#                        const float* in_ptr1,
#                        const float* in_ptr2,
#                        const float* in_ptr3,
#                        const float* in_ptr4,
#                        const int64_t* in_ptr5,
#                        float* out_ptr0,
#                        float* out_ptr1,
#                        float* out_ptr2)
# {
#     std::atomic<int> inductor_cpu_integer_div_error{0};
#     inductor_cpu_integer_div_error_flag = &inductor_cpu_integer_div_error;
#     {
#         #pragma GCC ivdep
#         for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(2L); x0+=static_cast<int64_t>(1L))
#         {
#             #pragma GCC ivdep
#             for(int64_t x1=static_cast<int64_t>(0L); x1<static_cast<int64_t>(16L); x1+=static_cast<int64_t>(1L))
#             {
#                 #pragma GCC ivdep
#                 for(int64_t x2=static_cast<int64_t>(0L); x2<static_cast<int64_t>(2L); x2+=static_cast<int64_t>(1L))
#                 {
#                     #pragma GCC ivdep
#                     for(int64_t x3=static_cast<int64_t>(0L); x3<static_cast<int64_t>(16L); x3+=static_cast<int64_t>(1L))
#                     {
#                         {
#                             {
#                                 auto tmp0 = in_out_ptr0[static_cast<int64_t>(x3 + 16L*x2 + 32L*x1 + 512L*x0)];
#                                 auto tmp1 = in_ptr0[static_cast<int64_t>((static_cast<int64_t>(x3) % static_cast<int64_t>(8L)))];
#                                 auto tmp9 = in_ptr1[static_cast<int64_t>(x3 + 16L*x1 + 256L*x2 + 512L*x0)];
#                                 auto tmp2 = x1;
#                                 auto tmp3 = c10::convert<float>(tmp2);
#                                 auto tmp4 = float(tmp3 * tmp1);
#                                 auto tmp5 = std::cos(tmp4);
#                                 auto tmp6 = static_cast<float>(1.0);
#                                 auto tmp7 = float(tmp5 * tmp6);
#                                 auto tmp8 = float(tmp0 * tmp7);
#                                 auto tmp10 = std::sin(tmp4);
#                                 auto tmp11 = float(tmp10 * tmp6);
#                                 auto tmp12 = float(tmp9 * tmp11);
#                                 auto tmp13 = float(tmp8 + tmp12);
#                                 in_out_ptr0[static_cast<int64_t>(x3 + 16L*x2 + 32L*x1 + 512L*x0)] = tmp13;
#                             }
#                         }
#                     }
#                 }
#             }
#         }
#     }
#     {
#         #pragma GCC ivdep
#         for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(2L); x0+=static_cast<int64_t>(1L))
#         {
#             #pragma GCC ivdep
#             for(int64_t x1=static_cast<int64_t>(0L); x1<static_cast<int64_t>(2L); x1+=static_cast<int64_t>(1L))
#             {
#                 #pragma GCC ivdep
#                 for(int64_t x2=static_cast<int64_t>(0L); x2<static_cast<int64_t>(16L); x2+=static_cast<int64_t>(1L))
#                 {
#                     #pragma GCC ivdep
#                     for(int64_t x3=static_cast<int64_t>(0L); x3<static_cast<int64_t>(16L); x3+=static_cast<int64_t>(1L))
#                     {
#                         {
#                             {
#                                 auto tmp0 = in_ptr2[static_cast<int64_t>(x3 + 16L*x2 + 256L*x0)];
#                                 auto tmp1 = in_ptr0[static_cast<int64_t>((static_cast<int64_t>(x3) % static_cast<int64_t>(8L)))];
#                                 auto tmp9 = in_ptr3[static_cast<int64_t>(x3 + 16L*x2 + 256L*x0)];
#                                 auto tmp2 = x2;
#                                 auto tmp3 = c10::convert<float>(tmp2);
#                                 auto tmp4 = float(tmp3 * tmp1);
#                                 auto tmp5 = std::cos(tmp4);
#                                 auto tmp6 = static_cast<float>(1.0);
#                                 auto tmp7 = float(tmp5 * tmp6);
#                                 auto tmp8 = float(tmp0 * tmp7);
#                                 auto tmp10 = std::sin(tmp4);
#                                 auto tmp11 = float(tmp10 * tmp6);
#                                 auto tmp12 = float(tmp9 * tmp11);
#                                 auto tmp13 = float(tmp8 + tmp12);
#                                 out_ptr0[static_cast<int64_t>(x3 + 16L*x2 + 256L*x1 + 512L*x0)] = tmp13;
#                             }
#                         }
#                     }
#                 }
#             }
#         }
#     }
#     {
#         #pragma GCC ivdep
#         for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(2L); x0+=static_cast<int64_t>(1L))
#         {
#             #pragma GCC ivdep
#             for(int64_t x1=static_cast<int64_t>(0L); x1<static_cast<int64_t>(2L); x1+=static_cast<int64_t>(1L))
#             {
#                 for(int64_t x2=static_cast<int64_t>(0L); x2<static_cast<int64_t>(256L); x2+=static_cast<int64_t>(16L))
#                 {
#                     {
#                         if(C10_LIKELY(x2 >= static_cast<int64_t>(0) && x2 < static_cast<int64_t>(256L)))
#                         {
#                             auto tmp0 = at::vec::Vectorized<float>::loadu(in_ptr4 + static_cast<int64_t>(x2 + 256L*x0), static_cast<int64_t>(16));
#                             tmp0.store(out_ptr1 + static_cast<int64_t>(x2 + 256L*x1 + 512L*x0));
#                         }
#                     }
#                 }
#             }
#         }
#     }
#     {
#         #pragma GCC ivdep
#         for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(2L); x0+=static_cast<int64_t>(1L))
#         {
#             #pragma GCC ivdep
#             for(int64_t x1=static_cast<int64_t>(0L); x1<static_cast<int64_t>(16L); x1+=static_cast<int64_t>(1L))
#             {
#                 for(int64_t x2=static_cast<int64_t>(0L); x2<static_cast<int64_t>(16L); x2+=static_cast<int64_t>(16L))
#                 {
#                     {
#                         if(C10_LIKELY(x2 >= static_cast<int64_t>(0) && x2 < static_cast<int64_t>(16L)))
#                         {
#                             auto tmp0 = in_ptr5[static_cast<int64_t>(x1 + 16L*x0)];
#                             auto tmp1 = at::vec::VectorizedN<int64_t,2>::loadu(in_ptr5 + static_cast<int64_t>(x2 + 16L*x0), static_cast<int64_t>(16));
#                             auto tmp2 = at::vec::VectorizedN<int64_t,2>(tmp0);
#                             auto tmp3 = at::vec::VecMask<int64_t,2>(tmp2 == tmp1);
#                             auto tmp4 = static_cast<bool>(true);
#                             auto tmp5 = at::vec::VecMask<float,1>::from(tmp4);
#                             auto tmp6 = tmp5.template cast<int32_t,1>();
#                             auto tmp7 = tmp3.template cast<int32_t,1>();
#                             auto tmp8 = tmp6 & tmp7;
#                             auto tmp9 = x2;
#                             auto tmp10 = c10::convert<int64_t>(tmp9);
#                             auto tmp11 = at::vec::VectorizedN<int64_t,2>::arange(tmp10, 1);
#                             auto tmp12 = x1;
#                             auto tmp13 = c10::convert<int64_t>(tmp12);
#                             auto tmp14 = at::vec::VectorizedN<int64_t,2>(tmp13);
#                             auto tmp15 = at::vec::VecMask<int64_t,2>(tmp11 <= tmp14);
#                             auto tmp16 = tmp8.template cast<int32_t,1>();
#                             auto tmp17 = tmp15.template cast<int32_t,1>();
#                             auto tmp18 = tmp16 & tmp17;
#                             auto tmp19 = static_cast<float>(0.0);
#                             auto tmp20 = -std::numeric_limits<float>::infinity();
#                             auto tmp21 = at::vec::Vectorized<float>(tmp19);
#                             auto tmp22 = at::vec::Vectorized<float>(tmp20);
#                             auto tmp23 = decltype(tmp21)::blendv(tmp22, tmp21, tmp18.template cast<float,1>());
#                             tmp23.store(out_ptr2 + static_cast<int64_t>(x2 + 16L*x1 + 256L*x0));
#                         }
#                     }
#                 }
#             }
#         }
#     }
#     inductor_cpu_integer_div_error_flag = nullptr;
#     inductor_cpu_throw_if_integer_div_error(inductor_cpu_integer_div_error);
# }
# ''')
# 
# 
# cpp_fused__unsafe_view_add_embedding_mean_mul_pow_rsqrt_5 = async_compile.cpp_pybinding(['const int64_t*', 'const float*', 'const float*', 'const float*', 'float*', 'float*'], r'''
# #include <torch/csrc/inductor/cpp_prefix.h>
# extern "C"  void  kernel(const int64_t* in_ptr0,
#                        const float* in_ptr1,
#                        const float* in_ptr2,
#                        const float* in_ptr3,
#                        float* out_ptr0,
#                        float* out_ptr1)
# {
#     std::atomic<int> inductor_cpu_integer_div_error{0};
#     inductor_cpu_integer_div_error_flag = &inductor_cpu_integer_div_error;
#     {
#         #pragma GCC ivdep
#         for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(32L); x0+=static_cast<int64_t>(1L))
#         {
#             {
#                 float tmp_acc0 = 0;
#                 at::vec::Vectorized<float> tmp_acc0_vec = at::vec::Vectorized<float>(0);
#                 for(int64_t x1=static_cast<int64_t>(0L); x1<static_cast<int64_t>(32L); x1+=static_cast<int64_t>(16L))
#                 {
#                     {
#                         if(C10_LIKELY(x1 >= static_cast<int64_t>(0) && x1 < static_cast<int64_t>(32L)))
#                         {
#                             auto tmp0 = in_ptr0[static_cast<int64_t>(x0)];
#                             auto tmp5 = at::vec::Vectorized<float>::loadu(in_ptr2 + static_cast<int64_t>(x1 + 32L*x0), static_cast<int64_t>(16));
#                             auto tmp1 = tmp0;
#                             auto tmp2 = c10::convert<int64_t>(tmp1);
#                             TORCH_CHECK((0 <= tmp2) & (tmp2 < 64L), "index out of bounds: 0 <= tmp2 < 64L");
#                             auto tmp4 = at::vec::Vectorized<float>::loadu(in_ptr1 + static_cast<int64_t>(x1 + 32L*tmp0), static_cast<int64_t>(16));
#                             auto tmp6 = tmp4 + tmp5;
#                             auto tmp7 = tmp6 * tmp6;
#                             tmp_acc0_vec = tmp_acc0_vec + tmp7;
#                         }
#                     }
#                 }
#                 tmp_acc0 = tmp_acc0 + at::vec::vec_reduce_all<float, 1>([](at::vec::Vectorized<float>& x, at::vec::Vectorized<float>& y) { return x + y; }, tmp_acc0_vec);
#                 out_ptr0[static_cast<int64_t>(x0)] = static_cast<float>(tmp_acc0);
#             }
#             for(int64_t x1=static_cast<int64_t>(0L); x1<static_cast<int64_t>(32L); x1+=static_cast<int64_t>(16L))
#             {
#                 {
#                     if(C10_LIKELY(x1 >= static_cast<int64_t>(0) && x1 < static_cast<int64_t>(32L)))
#                     {
#                         auto tmp0 = at::vec::Vectorized<float>::loadu(in_ptr3 + static_cast<int64_t>(x1), static_cast<int64_t>(16));
#                         auto tmp1 = in_ptr0[static_cast<int64_t>(x0)];
#                         auto tmp6 = at::vec::Vectorized<float>::loadu(in_ptr2 + static_cast<int64_t>(x1 + 32L*x0), static_cast<int64_t>(16));
#                         auto tmp8 = out_ptr0[static_cast<int64_t>(x0)];
#                         auto tmp2 = tmp1;
#                         auto tmp3 = c10::convert<int64_t>(tmp2);
#                         TORCH_CHECK((0 <= tmp3) & (tmp3 < 64L), "index out of bounds: 0 <= tmp3 < 64L");
#                         auto tmp5 = at::vec::Vectorized<float>::loadu(in_ptr1 + static_cast<int64_t>(x1 + 32L*tmp1), static_cast<int64_t>(16));
#                         auto tmp7 = tmp5 + tmp6;
#                         auto tmp9 = static_cast<float>(32.0);
#                         auto tmp10 = tmp8 / tmp9;
#                         auto tmp11 = static_cast<float>(1e-06);
#                         auto tmp12 = float(tmp10 + tmp11);
#                         auto tmp13 = 1 / std::sqrt(tmp12);
#                         auto tmp14 = at::vec::Vectorized<float>(tmp13);
#                         auto tmp15 = tmp7 * tmp14;
#                         auto tmp16 = tmp0 * tmp15;
#                         tmp16.store(out_ptr1 + static_cast<int64_t>(x1 + 32L*x0));
#                     }
#                 }
#             }
#         }
#     }
#     inductor_cpu_integer_div_error_flag = nullptr;
#     inductor_cpu_throw_if_integer_div_error(inductor_cpu_integer_div_error);
# }
# ''')
# 
# 
# cpp_fused__unsafe_view_mul_silu_6 = async_compile.cpp_pybinding(['float*', 'const float*'], r'''
# #include <torch/csrc/inductor/cpp_prefix.h>
# extern "C"  void  kernel(float* in_out_ptr0,
#                        const float* in_ptr0)
# {
#     std::atomic<int> inductor_cpu_integer_div_error{0};
#     inductor_cpu_integer_div_error_flag = &inductor_cpu_integer_div_error;
#     {
#         for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(2048L); x0+=static_cast<int64_t>(16L))
#         {
#             {
#                 if(C10_LIKELY(x0 >= static_cast<int64_t>(0) && x0 < static_cast<int64_t>(2048L)))
#                 {
#                     auto tmp0 = at::vec::Vectorized<float>::loadu(in_out_ptr0 + static_cast<int64_t>(x0), static_cast<int64_t>(16));
#                     auto tmp7 = at::vec::Vectorized<float>::loadu(in_ptr0 + static_cast<int64_t>(x0), static_cast<int64_t>(16));
#                     auto tmp1 = tmp0.neg();
#                     auto tmp2 = tmp1.exp();
#                     auto tmp3 = static_cast<float>(1.0);
#                     auto tmp4 = at::vec::Vectorized<float>(tmp3);
#                     auto tmp5 = tmp2 + tmp4;
#                     auto tmp6 = tmp0 / tmp5;
#                     auto tmp8 = tmp6 * tmp7;
#                     tmp8.store(in_out_ptr0 + static_cast<int64_t>(x0));
#                 }
#             }
#         }
#     }
#     inductor_cpu_integer_div_error_flag = nullptr;
#     inductor_cpu_throw_if_integer_div_error(inductor_cpu_integer_div_error);
# }
# ''')
# 
# 
# cpp_fused__unsafe_view_add_embedding_mean_mul_pow_rsqrt_7 = async_compile.cpp_pybinding(['const int64_t*', 'const float*', 'const float*', 'const float*', 'const float*', 'float*', 'float*'], r'''
# #include <torch/csrc/inductor/cpp_prefix.h>
# extern "C"  void  kernel(const int64_t* in_ptr0,
#                        const float* in_ptr1,
#                        const float* in_ptr2,
#                        const float* in_ptr3,
#                        const float* in_ptr4,
#                        float* out_ptr0,
#                        float* out_ptr1)
# {
#     std::atomic<int> inductor_cpu_integer_div_error{0};
#     inductor_cpu_integer_div_error_flag = &inductor_cpu_integer_div_error;
#     {
#         #pragma GCC ivdep
#         for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(32L); x0+=static_cast<int64_t>(1L))
#         {
#             {
#                 float tmp_acc0 = 0;
#                 at::vec::Vectorized<float> tmp_acc0_vec = at::vec::Vectorized<float>(0);
#                 for(int64_t x1=static_cast<int64_t>(0L); x1<static_cast<int64_t>(32L); x1+=static_cast<int64_t>(16L))
#                 {
#                     {
#                         if(C10_LIKELY(x1 >= static_cast<int64_t>(0) && x1 < static_cast<int64_t>(32L)))
#                         {
#                             auto tmp0 = in_ptr0[static_cast<int64_t>(x0)];
#                             auto tmp5 = at::vec::Vectorized<float>::loadu(in_ptr2 + static_cast<int64_t>(x1 + 32L*x0), static_cast<int64_t>(16));
#                             auto tmp7 = at::vec::Vectorized<float>::loadu(in_ptr3 + static_cast<int64_t>(x1 + 32L*x0), static_cast<int64_t>(16));
#                             auto tmp1 = tmp0;
#                             auto tmp2 = c10::convert<int64_t>(tmp1);
#                             TORCH_CHECK((0 <= tmp2) & (tmp2 < 64L), "index out of bounds: 0 <= tmp2 < 64L");
#                             auto tmp4 = at::vec::Vectorized<float>::loadu(in_ptr1 + static_cast<int64_t>(x1 + 32L*tmp0), static_cast<int64_t>(16));
#                             auto tmp6 = tmp4 + tmp5;
#                             auto tmp8 = tmp6 + tmp7;
#                             auto tmp9 = tmp8 * tmp8;
#                             tmp_acc0_vec = tmp_acc0_vec + tmp9;
#                         }
#                     }
#                 }
#                 tmp_acc0 = tmp_acc0 + at::vec::vec_reduce_all<float, 1>([](at::vec::Vectorized<float>& x, at::vec::Vectorized<float>& y) { return x + y; }, tmp_acc0_vec);
#                 out_ptr0[static_cast<int64_t>(x0)] = static_cast<float>(tmp_acc0);
#             }
#             for(int64_t x1=static_cast<int64_t>(0L); x1<static_cast<int64_t>(32L); x1+=static_cast<int64_t>(16L))
#             {
#                 {
#                     if(C10_LIKELY(x1 >= static_cast<int64_t>(0) && x1 < static_cast<int64_t>(32L)))
#                     {
#                         auto tmp0 = at::vec::Vectorized<float>::loadu(in_ptr4 + static_cast<int64_t>(x1), static_cast<int64_t>(16));
#                         auto tmp1 = in_ptr0[static_cast<int64_t>(x0)];
#                         auto tmp6 = at::vec::Vectorized<float>::loadu(in_ptr2 + static_cast<int64_t>(x1 + 32L*x0), static_cast<int64_t>(16));
#                         auto tmp8 = at::vec::Vectorized<float>::loadu(in_ptr3 + static_cast<int64_t>(x1 + 32L*x0), static_cast<int64_t>(16));
#                         auto tmp10 = out_ptr0[static_cast<int64_t>(x0)];
#                         auto tmp2 = tmp1;
#                         auto tmp3 = c10::convert<int64_t>(tmp2);
#                         TORCH_CHECK((0 <= tmp3) & (tmp3 < 64L), "index out of bounds: 0 <= tmp3 < 64L");
#                         auto tmp5 = at::vec::Vectorized<float>::loadu(in_ptr1 + static_cast<int64_t>(x1 + 32L*tmp1), static_cast<int64_t>(16));
#                         auto tmp7 = tmp5 + tmp6;
#                         auto tmp9 = tmp7 + tmp8;
#                         auto tmp11 = static_cast<float>(32.0);
#                         auto tmp12 = tmp10 / tmp11;
#                         auto tmp13 = static_cast<float>(1e-06);
#                         auto tmp14 = float(tmp12 + tmp13);
#                         auto tmp15 = 1 / std::sqrt(tmp14);
#                         auto tmp16 = at::vec::Vectorized<float>(tmp15);
#                         auto tmp17 = tmp9 * tmp16;
#                         auto tmp18 = tmp0 * tmp17;
#                         tmp18.store(out_ptr1 + static_cast<int64_t>(x1 + 32L*x0));
#                     }
#                 }
#             }
#         }
#     }
#     inductor_cpu_integer_div_error_flag = nullptr;
#     inductor_cpu_throw_if_integer_div_error(inductor_cpu_integer_div_error);
# }
# ''')
# 
# 
# cpp_fused__unsafe_view_add_embedding_mean_mul_pow_rsqrt_8 = async_compile.cpp_pybinding(['float*', 'const int64_t*', 'const float*', 'const float*', 'const float*', 'const float*', 'float*', 'float*'], r'''
# #include <torch/csrc/inductor/cpp_prefix.h>
# extern "C"  void  kernel(float* in_out_ptr0,
#                        const int64_t* in_ptr0,
#                        const float* in_ptr1,
#                        const float* in_ptr2,
#                        const float* in_ptr3,
#                        const float* in_ptr4,
#                        float* out_ptr0,
#                        float* out_ptr1)
# {
#     std::atomic<int> inductor_cpu_integer_div_error{0};
#     inductor_cpu_integer_div_error_flag = &inductor_cpu_integer_div_error;
#     {
#         #pragma GCC ivdep
#         for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(32L); x0+=static_cast<int64_t>(1L))
#         {
#             {
#                 float tmp_acc0 = 0;
#                 at::vec::Vectorized<float> tmp_acc0_vec = at::vec::Vectorized<float>(0);
#                 for(int64_t x1=static_cast<int64_t>(0L); x1<static_cast<int64_t>(32L); x1+=static_cast<int64_t>(16L))
#                 {
#                     {
#                         if(C10_LIKELY(x1 >= static_cast<int64_t>(0) && x1 < static_cast<int64_t>(32L)))
#                         {
#                             auto tmp0 = in_ptr0[static_cast<int64_t>(x0)];
#                             auto tmp5 = at::vec::Vectorized<float>::loadu(in_out_ptr0 + static_cast<int64_t>(x1 + 32L*x0), static_cast<int64_t>(16));
#                             auto tmp7 = at::vec::Vectorized<float>::loadu(in_ptr2 + static_cast<int64_t>(x1 + 32L*x0), static_cast<int64_t>(16));
#                             auto tmp9 = at::vec::Vectorized<float>::loadu(in_ptr3 + static_cast<int64_t>(x1 + 32L*x0), static_cast<int64_t>(16));
#                             auto tmp1 = tmp0;
#                             auto tmp2 = c10::convert<int64_t>(tmp1);
#                             TORCH_CHECK((0 <= tmp2) & (tmp2 < 64L), "index out of bounds: 0 <= tmp2 < 64L");
#                             auto tmp4 = at::vec::Vectorized<float>::loadu(in_ptr1 + static_cast<int64_t>(x1 + 32L*tmp0), static_cast<int64_t>(16));
#                             auto tmp6 = tmp4 + tmp5;
#                             auto tmp8 = tmp6 + tmp7;
#                             auto tmp10 = tmp8 + tmp9;
#                             auto tmp11 = tmp10 * tmp10;
#                             tmp10.store(in_out_ptr0 + static_cast<int64_t>(x1 + 32L*x0));
#                             tmp_acc0_vec = tmp_acc0_vec + tmp11;
#                         }
#                     }
#                 }
#                 tmp_acc0 = tmp_acc0 + at::vec::vec_reduce_all<float, 1>([](at::vec::Vectorized<float>& x, at::vec::Vectorized<float>& y) { return x + y; }, tmp_acc0_vec);
#                 out_ptr0[static_cast<int64_t>(x0)] = static_cast<float>(tmp_acc0);
#             }
#             for(int64_t x1=static_cast<int64_t>(0L); x1<static_cast<int64_t>(32L); x1+=static_cast<int64_t>(16L))
#             {
#                 {
#                     if(C10_LIKELY(x1 >= static_cast<int64_t>(0) && x1 < static_cast<int64_t>(32L)))
#                     {
#                         auto tmp0 = at::vec::Vectorized<float>::loadu(in_ptr4 + static_cast<int64_t>(x1), static_cast<int64_t>(16));
#                         auto tmp1 = at::vec::Vectorized<float>::loadu(in_out_ptr0 + static_cast<int64_t>(x1 + 32L*x0), static_cast<int64_t>(16));
#                         auto tmp2 = out_ptr0[static_cast<int64_t>(x0)];
#                         auto tmp3 = static_cast<float>(32.0);
#                         auto tmp4 = tmp2 / tmp3;
#                         auto tmp5 = static_cast<float>(1e-06);
#                         auto tmp6 = float(tmp4 + tmp5);
#                         auto tmp7 = 1 / std::sqrt(tmp6);
#                         auto tmp8 = at::vec::Vectorized<float>(tmp7);
#                         auto tmp9 = tmp1 * tmp8;
#                         auto tmp10 = tmp0 * tmp9;
#                         tmp10.store(out_ptr1 + static_cast<int64_t>(x1 + 32L*x0));
#                     }
#                 }
#             }
#         }
#     }
#     inductor_cpu_integer_div_error_flag = nullptr;
#     inductor_cpu_throw_if_integer_div_error(inductor_cpu_integer_div_error);
# }
# ''')
# 
# 
# cpp_fused__unsafe_view_add_mean_mul_pow_rsqrt_9 = async_compile.cpp_pybinding(['float*', 'const float*', 'const float*', 'float*'], r'''
# #include <torch/csrc/inductor/cpp_prefix.h>
# extern "C"  void  kernel(float* in_out_ptr0,
#                        const float* in_ptr1,
#                        const float* in_ptr2,
#                        float* out_ptr0)
# {
#     std::atomic<int> inductor_cpu_integer_div_error{0};
#     inductor_cpu_integer_div_error_flag = &inductor_cpu_integer_div_error;
#     auto in_ptr0 = in_out_ptr0;
#     {
#         #pragma GCC ivdep
#         for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(32L); x0+=static_cast<int64_t>(1L))
#         {
#             {
#                 float tmp_acc0 = 0;
#                 at::vec::Vectorized<float> tmp_acc0_vec = at::vec::Vectorized<float>(0);
#                 for(int64_t x1=static_cast<int64_t>(0L); x1<static_cast<int64_t>(32L); x1+=static_cast<int64_t>(16L))
#                 {
#                     {
#                         if(C10_LIKELY(x1 >= static_cast<int64_t>(0) && x1 < static_cast<int64_t>(32L)))
#                         {
#                             auto tmp0 = at::vec::Vectorized<float>::loadu(in_ptr0 + static_cast<int64_t>(x1 + 32L*x0), static_cast<int64_t>(16));
#                             auto tmp1 = at::vec::Vectorized<float>::loadu(in_ptr1 + static_cast<int64_t>(x1 + 32L*x0), static_cast<int64_t>(16));
#                             auto tmp2 = tmp0 + tmp1;
#                             auto tmp3 = tmp2 * tmp2;
#                             tmp_acc0_vec = tmp_acc0_vec + tmp3;
#                         }
#                     }
#                 }
#                 tmp_acc0 = tmp_acc0 + at::vec::vec_reduce_all<float, 1>([](at::vec::Vectorized<float>& x, at::vec::Vectorized<float>& y) { return x + y; }, tmp_acc0_vec);
#                 out_ptr0[static_cast<int64_t>(x0)] = static_cast<float>(tmp_acc0);
#             }
#             for(int64_t x1=static_cast<int64_t>(0L); x1<static_cast<int64_t>(32L); x1+=static_cast<int64_t>(16L))
#             {
#                 {
#                     if(C10_LIKELY(x1 >= static_cast<int64_t>(0) && x1 < static_cast<int64_t>(32L)))
#                     {
#                         auto tmp0 = at::vec::Vectorized<float>::loadu(in_ptr2 + static_cast<int64_t>(x1), static_cast<int64_t>(16));
#                         auto tmp1 = at::vec::Vectorized<float>::loadu(in_out_ptr0 + static_cast<int64_t>(x1 + 32L*x0), static_cast<int64_t>(16));
#                         auto tmp2 = at::vec::Vectorized<float>::loadu(in_ptr1 + static_cast<int64_t>(x1 + 32L*x0), static_cast<int64_t>(16));
#                         auto tmp4 = out_ptr0[static_cast<int64_t>(x0)];
#                         auto tmp3 = tmp1 + tmp2;
#                         auto tmp5 = static_cast<float>(32.0);
#                         auto tmp6 = tmp4 / tmp5;
#                         auto tmp7 = static_cast<float>(1e-06);
#                         auto tmp8 = float(tmp6 + tmp7);
#                         auto tmp9 = 1 / std::sqrt(tmp8);
#                         auto tmp10 = at::vec::Vectorized<float>(tmp9);
#                         auto tmp11 = tmp3 * tmp10;
#                         auto tmp12 = tmp0 * tmp11;
#                         tmp12.store(in_out_ptr0 + static_cast<int64_t>(x1 + 32L*x0));
#                     }
#                 }
#             }
#         }
#     }
#     inductor_cpu_integer_div_error_flag = nullptr;
#     inductor_cpu_throw_if_integer_div_error(inductor_cpu_integer_div_error);
# }
# ''')
# 
# 
# cpp_fused__log_softmax__unsafe_view_clone_constant_pad_nd_nll_loss_forward_slice_view_10 = async_compile.cpp_pybinding(['float*', 'float*', 'const float*', 'const int64_t*', 'float*', 'int64_t*'], r'''
# #include <torch/csrc/inductor/cpp_prefix.h>
# extern "C"  void  kernel(float* in_out_ptr0,
#                        float* in_out_ptr1,
#                        const float* in_ptr0,
#                        const int64_t* in_ptr1,
#                        float* out_ptr0,
#                        int64_t* out_ptr3)
# {
#     std::atomic<int> inductor_cpu_integer_div_error{0};
#     inductor_cpu_integer_div_error_flag = &inductor_cpu_integer_div_error;
#     auto out_ptr1 = in_out_ptr0;
#     auto out_ptr2 = in_out_ptr1;
#     {
#         #pragma GCC ivdep
#         for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(32L); x0+=static_cast<int64_t>(1L))
#         {
#             {
#                 float tmp_acc0 = -std::numeric_limits<float>::infinity();
#                 at::vec::Vectorized<float> tmp_acc0_vec = at::vec::Vectorized<float>(-std::numeric_limits<float>::infinity());
#                 for(int64_t x1=static_cast<int64_t>(0L); x1<static_cast<int64_t>(64L); x1+=static_cast<int64_t>(16L))
#                 {
#                     {
#                         if(C10_LIKELY(x1 >= static_cast<int64_t>(0) && x1 < static_cast<int64_t>(64L)))
#                         {
#                             auto tmp0 = at::vec::Vectorized<float>::loadu(in_ptr0 + static_cast<int64_t>(x1 + 64L*x0), static_cast<int64_t>(16));
#                             tmp_acc0_vec = at::vec::maximum(tmp_acc0_vec, tmp0);
#                         }
#                     }
#                 }
#                 tmp_acc0 = max_propagate_nan(tmp_acc0, at::vec::vec_reduce_all<float, 1>([](at::vec::Vectorized<float>& x, at::vec::Vectorized<float>& y) { return at::vec::maximum(x, y); }, tmp_acc0_vec));
#                 out_ptr0[static_cast<int64_t>(x0)] = static_cast<float>(tmp_acc0);
#             }
#             {
#                 float tmp_acc0 = 0;
#                 at::vec::Vectorized<float> tmp_acc0_vec = at::vec::Vectorized<float>(0);
#                 for(int64_t x1=static_cast<int64_t>(0L); x1<static_cast<int64_t>(64L); x1+=static_cast<int64_t>(16L))
#                 {
#                     {
#                         if(C10_LIKELY(x1 >= static_cast<int64_t>(0) && x1 < static_cast<int64_t>(64L)))
#                         {
#                             auto tmp0 = at::vec::Vectorized<float>::loadu(in_ptr0 + static_cast<int64_t>(x1 + 64L*x0), static_cast<int64_t>(16));
#                             auto tmp1 = out_ptr0[static_cast<int64_t>(x0)];
#                             auto tmp2 = at::vec::Vectorized<float>(tmp1);
#                             auto tmp3 = tmp0 - tmp2;
#                             auto tmp4 = tmp3.exp();
#                             tmp_acc0_vec = tmp_acc0_vec + tmp4;
#                         }
#                     }
#                 }
#                 tmp_acc0 = tmp_acc0 + at::vec::vec_reduce_all<float, 1>([](at::vec::Vectorized<float>& x, at::vec::Vectorized<float>& y) { return x + y; }, tmp_acc0_vec);
#                 out_ptr1[static_cast<int64_t>(x0)] = static_cast<float>(tmp_acc0);
#             }
#         }
#     }
#     {
#         {
#             float tmp_acc0 = 0;
#             at::vec::Vectorized<float> tmp_acc0_vec = at::vec::Vectorized<float>(0);
#             int64_t tmp_acc1 = 0;
#             at::vec::VectorizedN<int64_t,2> tmp_acc1_vec = at::vec::VectorizedN<int64_t,2>(0);
#             for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(32L); x0+=static_cast<int64_t>(16L))
#             {
#                 {
#                     if(C10_LIKELY(x0 >= static_cast<int64_t>(0) && x0 < static_cast<int64_t>(32L)))
#                     {
#                         auto tmp0 = at::vec::Vectorized<float>::loadu(out_ptr1 + static_cast<int64_t>(x0), static_cast<int64_t>(16));
#                         auto tmp34 = at::vec::Vectorized<float>::loadu(out_ptr0 + static_cast<int64_t>(x0), static_cast<int64_t>(16));
#                         auto tmp1 = tmp0.log();
#                         auto tmp2 = 1L + ((static_cast<int64_t>(x0) % static_cast<int64_t>(16L)));
#                         auto tmp3 = c10::convert<int64_t>(tmp2);
#                         auto tmp4 = at::vec::VectorizedN<int64_t,2>::arange(tmp3, 1);
#                         auto tmp5 = static_cast<int64_t>(16);
#                         auto tmp6 = at::vec::VectorizedN<int64_t,2>(tmp5);
#                         auto tmp7 = at::vec::VecMask<int64_t,2>(tmp4 < tmp6);
#                         auto tmp8 = [&]
#                         {
#                             auto tmp9 = tmp7.template cast<float,1>().template loadu<int64_t,2>(in_ptr1 + static_cast<int64_t>(1L + x0));
#                             return tmp9;
#                         }
#                         ;
#                         auto tmp12 =
#                         [&]
#                         {
#                             if (tmp7.all_zero())
#                             {
#                                 return at::vec::VectorizedN<int64_t,2>(static_cast<int64_t>(-100));
#                             }
#                             else
#                             {
#                                 auto tmp10 = tmp8();
#                                 auto tmp11 = at::vec::VectorizedN<int64_t,2>(static_cast<int64_t>(-100));
#                                 return decltype(tmp10)::blendv(tmp11, tmp10, tmp7.template cast<int64_t,2>());
#                             }
#                         }
#                         ()
#                         ;
#                         auto tmp13 = static_cast<int64_t>(-100);
#                         auto tmp14 = at::vec::VectorizedN<int64_t,2>(tmp13);
#                         auto tmp15 = at::vec::VecMask<int64_t,2>(tmp12 != tmp14);
#                         auto tmp16 = [&]
#                         {
#                             auto tmp17 = tmp7.template cast<float,1>().template loadu<int64_t,2>(in_ptr1 + static_cast<int64_t>(1L + x0));
#                             return tmp17;
#                         }
#                         ;
#                         auto tmp20 =
#                         [&]
#                         {
#                             if (tmp7.all_zero())
#                             {
#                                 return at::vec::VectorizedN<int64_t,2>(static_cast<int64_t>(-100));
#                             }
#                             else
#                             {
#                                 auto tmp18 = tmp16();
#                                 auto tmp19 = at::vec::VectorizedN<int64_t,2>(static_cast<int64_t>(-100));
#                                 return decltype(tmp18)::blendv(tmp19, tmp18, tmp7.template cast<int64_t,2>());
#                             }
#                         }
#                         ()
#                         ;
#                         auto tmp21 = at::vec::VecMask<int64_t,2>(tmp20 != tmp14);
#                         auto tmp22 = [&]
#                         {
#                             auto tmp23 = tmp7.template cast<float,1>().template loadu<int64_t,2>(in_ptr1 + static_cast<int64_t>(1L + x0));
#                             return tmp23;
#                         }
#                         ;
#                         auto tmp26 =
#                         [&]
#                         {
#                             if (tmp7.all_zero())
#                             {
#                                 return at::vec::VectorizedN<int64_t,2>(static_cast<int64_t>(-100));
#                             }
#                             else
#                             {
#                                 auto tmp24 = tmp22();
#                                 auto tmp25 = at::vec::VectorizedN<int64_t,2>(static_cast<int64_t>(-100));
#                                 return decltype(tmp24)::blendv(tmp25, tmp24, tmp7.template cast<int64_t,2>());
#                             }
#                         }
#                         ()
#                         ;
#                         auto tmp27 = static_cast<int64_t>(0);
#                         auto tmp28 = at::vec::VectorizedN<int64_t,2>(tmp27);
#                         auto tmp29 = decltype(tmp26)::blendv(tmp28, tmp26, tmp21.template cast<int64_t,2>());
#                         auto tmp30 =
#                         [&]
#                         {
#                             __at_align__ std::array<int64_t, 16> tmpbuf;
#                             tmp29.store(tmpbuf.data(), static_cast<int64_t>(16));
#                             return tmpbuf;
#                         }
#                         ()
#                         ;
#                         auto tmp31 =
#                         [&]
#                         {
#                             __at_align__ std::array<int64_t, 16> tmpbuf;
#                             #pragma GCC unroll 16
#                             for (long x0_inner = 0; x0_inner < static_cast<int64_t>(16); x0_inner++)
#                             {
#                                 tmpbuf[x0_inner] = static_cast<int64_t>(tmp30[x0_inner]);
#                             }
#                             return at::vec::VectorizedN<int64_t,2>::loadu(tmpbuf.data(), static_cast<int64_t>(16));
#                         }
#                         ()
#                         ;
#                         TORCH_CHECK((at::vec::VecMask<int64_t,2>((at::vec::VectorizedN<int64_t,2>(0) <= tmp31) & (tmp31 < at::vec::VectorizedN<int64_t,2>(64L)))).all_masked(), "index out of bounds: 0 <= tmp31 < 64L");
#                         auto tmp33 =
#                         [&]
#                         {
#                             __at_align__ std::array<float, 16> tmpbuf;
#                             #pragma GCC unroll 16
#                             for (long x0_inner = 0; x0_inner < static_cast<int64_t>(16); x0_inner++)
#                             {
#                                 tmpbuf[x0_inner] = in_ptr0[static_cast<int64_t>(tmp30[x0_inner] + 64L*x0 + 64L*x0_inner)];
#                             }
#                             return at::vec::Vectorized<float>::loadu(tmpbuf.data(), static_cast<int64_t>(16));
#                         }
#                         ()
#                         ;
#                         auto tmp35 = tmp33 - tmp34;
#                         auto tmp36 = tmp35 - tmp1;
#                         auto tmp37 = tmp36.neg();
#                         auto tmp38 = static_cast<float>(0.0);
#                         auto tmp39 = at::vec::Vectorized<float>(tmp38);
#                         auto tmp40 = decltype(tmp37)::blendv(tmp39, tmp37, tmp15.template cast<float,1>());
#                         auto tmp41 = [&]
#                         {
#                             auto tmp42 = tmp7.template cast<float,1>().template loadu<int64_t,2>(in_ptr1 + static_cast<int64_t>(1L + x0));
#                             return tmp42;
#                         }
#                         ;
#                         auto tmp45 =
#                         [&]
#                         {
#                             if (tmp7.all_zero())
#                             {
#                                 return at::vec::VectorizedN<int64_t,2>(static_cast<int64_t>(-100));
#                             }
#                             else
#                             {
#                                 auto tmp43 = tmp41();
#                                 auto tmp44 = at::vec::VectorizedN<int64_t,2>(static_cast<int64_t>(-100));
#                                 return decltype(tmp43)::blendv(tmp44, tmp43, tmp7.template cast<int64_t,2>());
#                             }
#                         }
#                         ()
#                         ;
#                         auto tmp46 = at::vec::VecMask<int64_t,2>(tmp45 != tmp14);
#                         auto tmp47 = tmp46.to<int64_t,2>();
#                         tmp_acc0_vec = tmp_acc0_vec + tmp40;
#                         tmp_acc1_vec = tmp_acc1_vec + tmp47;
#                     }
#                 }
#             }
#             tmp_acc0 = tmp_acc0 + at::vec::vec_reduce_all<float, 1>([](at::vec::Vectorized<float>& x, at::vec::Vectorized<float>& y) { return x + y; }, tmp_acc0_vec);
#             out_ptr2[static_cast<int64_t>(0L)] = static_cast<float>(tmp_acc0);
#             tmp_acc1 = tmp_acc1 + at::vec::vec_reduce_all<int64_t, 2>([](at::vec::Vectorized<int64_t>& x, at::vec::Vectorized<int64_t>& y) { return x + y; }, tmp_acc1_vec);
#             out_ptr3[static_cast<int64_t>(0L)] = static_cast<int64_t>(tmp_acc1);
#         }
#     }
#     {
#         {
#             {
#                 auto tmp0 = out_ptr2[static_cast<int64_t>(0L)];
#                 auto tmp1 = out_ptr3[static_cast<int64_t>(0L)];
#                 auto tmp2 = c10::convert<float>(tmp1);
#                 auto tmp3 = tmp0 / tmp2;
#                 in_out_ptr1[static_cast<int64_t>(0L)] = tmp3;
#             }
#         }
#     }
#     inductor_cpu_integer_div_error_flag = nullptr;
#     inductor_cpu_throw_if_integer_div_error(inductor_cpu_integer_div_error);
# }
# ''')
# 
# 
# async_compile.wait(globals())
# del async_compile
# 
# class Runner:
#     def __init__(self, partitions):
#         self.partitions = partitions
# 
#     def recursively_apply_fns(self, fns):
#         new_callables = []
#         for fn, c in zip(fns, self.partitions):
#             new_callables.append(fn(c))
#         self.partitions = new_callables
# 
#     def call(self, args):
#         arg0_1, arg1_1, arg2_1, arg3_1, arg4_1, arg5_1, arg6_1, arg7_1, arg8_1, arg9_1, arg10_1, arg11_1, arg12_1, arg13_1, arg14_1, arg15_1, arg16_1, arg17_1, arg18_1, arg19_1, arg20_1, arg21_1, arg22_1, arg23_1 = args
#         args.clear()
#         assert_size_stride(arg0_1, (2, 16), (16, 1), 'input')
#         assert_size_stride(arg1_1, (64, 32), (32, 1), 'input')
#         assert_size_stride(arg3_1, (32, ), (1, ), 'input')
#         buf0 = empty_strided_cpu((2, 16, 1), (16, 1, 32), torch.float32)
#         buf1 = empty_strided_cpu((2, 16, 32), (512, 32, 1), torch.float32)
#         assert_size_stride(arg4_1, (32, 32), (32, 1), 'input')
#         cpp_fused_add_embedding_mean_mul_pow_rsqrt_0(arg0_1, arg1_1, arg3_1, buf0, buf1)
#         del arg3_1
#         buf2 = empty_strided_cpu((32, 32), (32, 1), torch.float32)
#         # Topologically Sorted Source Nodes: [inputs_embeds, pow_1, variance, add_3, rsqrt, hidden_states_1, hidden_states_2, linear], Original ATen: [aten.embedding, aten.pow, aten.mean, aten.add, aten.rsqrt, aten.mul, aten.view, aten.t, aten.mm]
#         extern_kernels.mm(reinterpret_tensor(buf1, (32, 32), (32, 1), 0), reinterpret_tensor(arg4_1, (32, 32), (1, 32), 0), out=buf2)
#         del arg4_1
#         buf5 = empty_strided_cpu((2, 2, 16, 16), (512, 256, 16, 1), torch.float32)
#         buf3 = reinterpret_tensor(buf5, (2, 2, 16, 8), (512, 256, 16, 1), 0)  # alias
#         buf4 = reinterpret_tensor(buf5, (2, 2, 16, 8), (512, 256, 16, 1), 8)  # alias
#         assert_size_stride(arg5_1, (16, 32), (32, 1), 'input')
#         cpp_fused__unsafe_view_cat_neg_slice_transpose_view_1(buf2, buf3, buf4)
#         del buf3
#         del buf4
#         buf6 = empty_strided_cpu((32, 16), (16, 1), torch.float32)
#         # Topologically Sorted Source Nodes: [linear_1], Original ATen: [aten.view, aten.t, aten.mm]
#         extern_kernels.mm(reinterpret_tensor(buf1, (32, 32), (32, 1), 0), reinterpret_tensor(arg5_1, (32, 16), (1, 32), 0), out=buf6)
#         del arg5_1
#         buf9 = empty_strided_cpu((2, 1, 16, 16), (256, 256, 16, 1), torch.float32)
#         buf7 = reinterpret_tensor(buf9, (2, 1, 16, 8), (256, 256, 16, 1), 0)  # alias
#         buf8 = reinterpret_tensor(buf9, (2, 1, 16, 8), (256, 256, 16, 1), 8)  # alias
#         assert_size_stride(arg6_1, (16, 32), (32, 1), 'input')
#         cpp_fused__unsafe_view_cat_neg_slice_transpose_view_2(buf6, buf7, buf8)
#         del buf7
#         del buf8
#         buf10 = empty_strided_cpu((32, 16), (16, 1), torch.float32)
#         # Topologically Sorted Source Nodes: [linear_2], Original ATen: [aten.view, aten.t, aten.mm]
#         extern_kernels.mm(reinterpret_tensor(buf1, (32, 32), (32, 1), 0), reinterpret_tensor(arg6_1, (32, 16), (1, 32), 0), out=buf10)
#         del arg6_1
#         buf13 = empty_strided_cpu((2, 17), (17, 1), torch.int64)
#         buf11 = reinterpret_tensor(buf13, (2, 1), (17, 1), 0)  # alias
#         buf12 = reinterpret_tensor(buf13, (2, 16), (17, 1), 1)  # alias
#         buf14 = empty_strided_cpu((2, 16), (16, 1), torch.int64)
#         cpp_fused_add_arange_cat_cumsum_expand_ne_slice_sub_unsqueeze_3(buf13, buf11, buf12, buf14)
#         del buf11
#         del buf12
#         del buf13
#         # Topologically Sorted Source Nodes: [position_diff, ne, packed_sequence_mask], Original ATen: [aten.slice, aten.sub, aten.ne, aten.cumsum]
#         buf15 = torch.ops.aten.cumsum.default(buf14, dim=-1, dtype=torch.int64)
#         del buf14
#         buf16 = buf15
#         assert_size_stride(buf16, (2, 16), (16, 1), 'torch.ops.aten.cumsum.default')
#         assert_alignment(buf16, 16, 'torch.ops.aten.cumsum.default')
#         del buf15
#         assert_size_stride(arg2_1, (8, ), (1, ), 'input')
#         buf17 = reinterpret_tensor(buf2, (2, 2, 16, 16), (512, 16, 32, 1), 0); del buf2  # reuse
#         buf18 = reinterpret_tensor(buf1, (2, 2, 16, 16), (512, 256, 16, 1), 0); del buf1  # reuse
#         buf19 = empty_strided_cpu((2, 2, 16, 16), (512, 256, 16, 1), torch.float32)
#         buf20 = empty_strided_cpu((2, 1, 16, 16), (256, 256, 16, 1), torch.float32)
#         cpp_fused__scaled_dot_product_flash_attention_for_cpu__to_copy__unsafe_view_add_arange_bitwise_and_cat_cos_eq_expand_index_le_mul_new_ones_scalar_tensor_sin_transpose_unsqueeze_view_where_4(buf17, arg2_1, buf5, buf6, buf9, buf10, buf16, buf18, buf19, buf20)
#         del buf10
#         del buf5
#         del buf6
#         del buf9
#         # Topologically Sorted Source Nodes: [linear, view, query_states, arange, position_ids, position_ids_1, getitem_9, float_1, freqs, emb, cos, cos_1, cos_3, mul_5, sin, sin_1, sin_3, mul_6, q_embed, linear_1, view_1, key_states, mul_7, mul_8, k_embed, getitem_14, hidden_states_3, key, linear_2, view_2, value_states, getitem_15, hidden_states_4, value, result, batch_arange, batch_indices, arange_3, q_arange, q_indices, getitem_5, arange_4, kv_arange, kv_indices, getitem_6, eq, result_1, expand_1, getitem_8, getitem_7, le, result_2, attention_mask, attn_output], Original ATen: [aten._unsafe_view, aten.view, aten.transpose, aten.arange, aten.add, aten.unsqueeze, aten._to_copy, aten.mul, aten.cat, aten.cos, aten.sin, aten.expand, aten.new_ones, aten.index, aten.eq, aten.bitwise_and, aten.le, aten.scalar_tensor, aten.where, aten._scaled_dot_product_flash_attention_for_cpu]
#         buf21 = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu.default(buf17, buf18, buf19, attn_mask=buf20, scale=0.25)
#         del buf17
#         del buf18
#         del buf20
#         buf22 = buf21[0]
#         assert_size_stride(buf22, (2, 2, 16, 16), (512, 16, 32, 1), 'torch.ops.aten._scaled_dot_product_flash_attention_for_cpu.default')
#         assert_alignment(buf22, 16, 'torch.ops.aten._scaled_dot_product_flash_attention_for_cpu.default')
#         del buf21
#         assert_size_stride(arg7_1, (32, 32), (32, 1), 'input')
#         buf24 = reinterpret_tensor(buf19, (32, 32), (32, 1), 0); del buf19  # reuse
#         # Topologically Sorted Source Nodes: [transpose_3, reshape_3, attn_output_4], Original ATen: [aten.transpose, aten.view, aten.t, aten.mm]
#         extern_kernels.mm(reinterpret_tensor(buf22, (32, 32), (32, 1), 0), reinterpret_tensor(arg7_1, (32, 32), (1, 32), 0), out=buf24)
#         del arg7_1
#         assert_size_stride(arg8_1, (32, ), (1, ), 'input')
#         buf25 = buf0; del buf0  # reuse
#         buf26 = reinterpret_tensor(buf22, (2, 16, 32), (512, 32, 1), 0); del buf22  # reuse
#         assert_size_stride(arg9_1, (64, 32), (32, 1), 'input')
#         cpp_fused__unsafe_view_add_embedding_mean_mul_pow_rsqrt_5(arg0_1, arg1_1, buf24, arg8_1, buf25, buf26)
#         del arg8_1
#         del buf25
#         buf27 = empty_strided_cpu((32, 64), (64, 1), torch.float32)
#         # Topologically Sorted Source Nodes: [linear_4], Original ATen: [aten.view, aten.t, aten.mm]
#         extern_kernels.mm(reinterpret_tensor(buf26, (32, 32), (32, 1), 0), reinterpret_tensor(arg9_1, (32, 64), (1, 32), 0), out=buf27)
#         del arg9_1
#         assert_size_stride(arg10_1, (64, 32), (32, 1), 'input')
#         buf28 = empty_strided_cpu((32, 64), (64, 1), torch.float32)
#         # Topologically Sorted Source Nodes: [linear_5], Original ATen: [aten.view, aten.t, aten.mm]
#         extern_kernels.mm(reinterpret_tensor(buf26, (32, 32), (32, 1), 0), reinterpret_tensor(arg10_1, (32, 64), (1, 32), 0), out=buf28)
#         del arg10_1
#         del buf26
#         buf29 = reinterpret_tensor(buf27, (2, 16, 64), (1024, 64, 1), 0); del buf27  # reuse
#         assert_size_stride(arg11_1, (32, 64), (64, 1), 'input')
#         cpp_fused__unsafe_view_mul_silu_6(buf29, buf28)
#         del buf28
#         buf30 = empty_strided_cpu((32, 32), (32, 1), torch.float32)
#         # Topologically Sorted Source Nodes: [linear_4, silu, linear_5, mul_11, down_proj], Original ATen: [aten._unsafe_view, aten.silu, aten.mul, aten.view, aten.t, aten.mm]
#         extern_kernels.mm(reinterpret_tensor(buf29, (32, 64), (64, 1), 0), reinterpret_tensor(arg11_1, (64, 32), (1, 64), 0), out=buf30)
#         del arg11_1
#         del buf29
#         assert_size_stride(arg12_1, (32, ), (1, ), 'input')
#         buf31 = empty_strided_cpu((2, 16, 1), (16, 1, 32), torch.float32)
#         buf32 = empty_strided_cpu((2, 16, 32), (512, 32, 1), torch.float32)
#         assert_size_stride(arg13_1, (32, 32), (32, 1), 'input')
#         cpp_fused__unsafe_view_add_embedding_mean_mul_pow_rsqrt_7(arg0_1, arg1_1, buf24, buf30, arg12_1, buf31, buf32)
#         del arg12_1
#         buf33 = empty_strided_cpu((32, 32), (32, 1), torch.float32)
#         # Topologically Sorted Source Nodes: [linear_7], Original ATen: [aten.view, aten.t, aten.mm]
#         extern_kernels.mm(reinterpret_tensor(buf32, (32, 32), (32, 1), 0), reinterpret_tensor(arg13_1, (32, 32), (1, 32), 0), out=buf33)
#         del arg13_1
#         buf36 = empty_strided_cpu((2, 2, 16, 16), (512, 256, 16, 1), torch.float32)
#         buf34 = reinterpret_tensor(buf36, (2, 2, 16, 8), (512, 256, 16, 1), 0)  # alias
#         buf35 = reinterpret_tensor(buf36, (2, 2, 16, 8), (512, 256, 16, 1), 8)  # alias
#         assert_size_stride(arg14_1, (16, 32), (32, 1), 'input')
#         cpp_fused__unsafe_view_cat_neg_slice_transpose_view_1(buf33, buf34, buf35)
#         del buf34
#         del buf35
#         buf37 = empty_strided_cpu((32, 16), (16, 1), torch.float32)
#         # Topologically Sorted Source Nodes: [linear_8], Original ATen: [aten.view, aten.t, aten.mm]
#         extern_kernels.mm(reinterpret_tensor(buf32, (32, 32), (32, 1), 0), reinterpret_tensor(arg14_1, (32, 16), (1, 32), 0), out=buf37)
#         del arg14_1
#         buf40 = empty_strided_cpu((2, 1, 16, 16), (256, 256, 16, 1), torch.float32)
#         buf38 = reinterpret_tensor(buf40, (2, 1, 16, 8), (256, 256, 16, 1), 0)  # alias
#         buf39 = reinterpret_tensor(buf40, (2, 1, 16, 8), (256, 256, 16, 1), 8)  # alias
#         assert_size_stride(arg15_1, (16, 32), (32, 1), 'input')
#         cpp_fused__unsafe_view_cat_neg_slice_transpose_view_2(buf37, buf38, buf39)
#         del buf38
#         del buf39
#         buf41 = empty_strided_cpu((32, 16), (16, 1), torch.float32)
#         # Topologically Sorted Source Nodes: [linear_9], Original ATen: [aten.view, aten.t, aten.mm]
#         extern_kernels.mm(reinterpret_tensor(buf32, (32, 32), (32, 1), 0), reinterpret_tensor(arg15_1, (32, 16), (1, 32), 0), out=buf41)
#         del arg15_1
#         del buf32
#         buf42 = reinterpret_tensor(buf33, (2, 2, 16, 16), (512, 16, 32, 1), 0); del buf33  # reuse
#         buf43 = empty_strided_cpu((2, 2, 16, 16), (512, 256, 16, 1), torch.float32)
#         buf44 = empty_strided_cpu((2, 2, 16, 16), (512, 256, 16, 1), torch.float32)
#         buf45 = empty_strided_cpu((2, 1, 16, 16), (256, 256, 16, 1), torch.float32)
#         cpp_fused__scaled_dot_product_flash_attention_for_cpu__to_copy__unsafe_view_add_arange_bitwise_and_cat_cos_eq_expand_index_le_mul_new_ones_scalar_tensor_sin_transpose_unsqueeze_view_where_4(buf42, arg2_1, buf36, buf37, buf40, buf41, buf16, buf43, buf44, buf45)
#         del arg2_1
#         del buf16
#         del buf36
#         del buf37
#         del buf40
#         del buf41
#         # Unsorted Source Nodes: [attn_output_5, q_embed_1, mul_14, query_states_1, view_3, linear_7, cos_4, cos_1, cos, emb, freqs, float_1, getitem_9, position_ids_1, position_ids, arange, mul_15, sin_4, sin_1, sin, key_1, hidden_states_13, getitem_20, k_embed_1, mul_16, key_states_1, view_4, linear_8, mul_17, value_1, hidden_states_14, getitem_21, value_states_1, view_5, linear_9, attention_mask, result_2, result_1, result, eq, getitem_5, batch_indices, batch_arange, q_indices, q_arange, arange_3, getitem_6, kv_indices, kv_arange, arange_4, le, getitem_8, expand_1, getitem_7], Original ATen: [aten._scaled_dot_product_flash_attention_for_cpu, aten.add, aten.mul, aten.transpose, aten.view, aten._unsafe_view, aten.unsqueeze, aten.cos, aten.cat, aten._to_copy, aten.arange, aten.sin, aten.expand, aten.where, aten.bitwise_and, aten.new_ones, aten.eq, aten.index, aten.le, aten.scalar_tensor]
#         buf46 = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu.default(buf42, buf43, buf44, attn_mask=buf45, scale=0.25)
#         del buf42
#         del buf43
#         del buf45
#         buf47 = buf46[0]
#         assert_size_stride(buf47, (2, 2, 16, 16), (512, 16, 32, 1), 'torch.ops.aten._scaled_dot_product_flash_attention_for_cpu.default')
#         assert_alignment(buf47, 16, 'torch.ops.aten._scaled_dot_product_flash_attention_for_cpu.default')
#         del buf46
#         assert_size_stride(arg16_1, (32, 32), (32, 1), 'input')
#         buf49 = reinterpret_tensor(buf44, (32, 32), (32, 1), 0); del buf44  # reuse
#         # Topologically Sorted Source Nodes: [transpose_7, reshape_7, attn_output_9], Original ATen: [aten.transpose, aten.view, aten.t, aten.mm]
#         extern_kernels.mm(reinterpret_tensor(buf47, (32, 32), (32, 1), 0), reinterpret_tensor(arg16_1, (32, 32), (1, 32), 0), out=buf49)
#         del arg16_1
#         assert_size_stride(arg17_1, (32, ), (1, ), 'input')
#         buf50 = reinterpret_tensor(buf24, (2, 16, 32), (512, 32, 1), 0); del buf24  # reuse
#         buf51 = buf31; del buf31  # reuse
#         buf52 = reinterpret_tensor(buf47, (2, 16, 32), (512, 32, 1), 0); del buf47  # reuse
#         assert_size_stride(arg18_1, (64, 32), (32, 1), 'input')
#         cpp_fused__unsafe_view_add_embedding_mean_mul_pow_rsqrt_8(buf50, arg0_1, arg1_1, buf30, buf49, arg17_1, buf51, buf52)
#         del arg0_1
#         del arg17_1
#         del arg1_1
#         del buf30
#         del buf49
#         buf53 = empty_strided_cpu((32, 64), (64, 1), torch.float32)
#         # Topologically Sorted Source Nodes: [pow_4, variance_3, add_13, rsqrt_3, hidden_states_17, hidden_states_18, linear_11], Original ATen: [aten.pow, aten.mean, aten.add, aten.rsqrt, aten.mul, aten.view, aten.t, aten.mm]
#         extern_kernels.mm(reinterpret_tensor(buf52, (32, 32), (32, 1), 0), reinterpret_tensor(arg18_1, (32, 64), (1, 32), 0), out=buf53)
#         del arg18_1
#         assert_size_stride(arg19_1, (64, 32), (32, 1), 'input')
#         buf54 = empty_strided_cpu((32, 64), (64, 1), torch.float32)
#         # Topologically Sorted Source Nodes: [linear_12], Original ATen: [aten.view, aten.t, aten.mm]
#         extern_kernels.mm(reinterpret_tensor(buf52, (32, 32), (32, 1), 0), reinterpret_tensor(arg19_1, (32, 64), (1, 32), 0), out=buf54)
#         del arg19_1
#         del buf52
#         buf55 = reinterpret_tensor(buf53, (2, 16, 64), (1024, 64, 1), 0); del buf53  # reuse
#         assert_size_stride(arg20_1, (32, 64), (64, 1), 'input')
#         cpp_fused__unsafe_view_mul_silu_6(buf55, buf54)
#         del buf54
#         buf56 = empty_strided_cpu((32, 32), (32, 1), torch.float32)
#         # Topologically Sorted Source Nodes: [linear_11, silu_1, linear_12, mul_20, down_proj_1], Original ATen: [aten._unsafe_view, aten.silu, aten.mul, aten.view, aten.t, aten.mm]
#         extern_kernels.mm(reinterpret_tensor(buf55, (32, 64), (64, 1), 0), reinterpret_tensor(arg20_1, (64, 32), (1, 64), 0), out=buf56)
#         del arg20_1
#         assert_size_stride(arg21_1, (32, ), (1, ), 'input')
#         buf57 = buf51; del buf51  # reuse
#         buf58 = buf50; del buf50  # reuse
#         assert_size_stride(arg22_1, (64, 32), (32, 1), 'input')
#         cpp_fused__unsafe_view_add_mean_mul_pow_rsqrt_9(buf58, buf56, arg21_1, buf57)
#         del arg21_1
#         del buf56
#         buf59 = reinterpret_tensor(buf55, (32, 64), (64, 1), 0); del buf55  # reuse
#         # Topologically Sorted Source Nodes: [down_proj_1, hidden_states_19, pow_5, variance_4, add_15, rsqrt_4, hidden_states_21, hidden_states_22, logits], Original ATen: [aten._unsafe_view, aten.add, aten.pow, aten.mean, aten.rsqrt, aten.mul, aten.view, aten.t, aten.mm]
#         extern_kernels.mm(reinterpret_tensor(buf58, (32, 32), (32, 1), 0), reinterpret_tensor(arg22_1, (32, 64), (1, 32), 0), out=buf59)
#         del arg22_1
#         del buf58
#         buf60 = reinterpret_tensor(buf57, (32, 1), (1, 32), 0); del buf57  # reuse
#         buf61 = empty_strided_cpu((32, 1), (1, 32), torch.float32)
#         assert_size_stride(arg23_1, (2, 16), (16, 1), 'input')
#         buf62 = buf61; del buf61  # reuse
#         buf63 = empty_strided_cpu((), (), torch.float32)
#         buf64 = empty_strided_cpu((), (), torch.int64)
#         buf65 = buf63; del buf63  # reuse
#         cpp_fused__log_softmax__unsafe_view_clone_constant_pad_nd_nll_loss_forward_slice_view_10(buf62, buf65, buf59, arg23_1, buf60, buf64)
#         del arg23_1
#         return (buf65, reinterpret_tensor(buf59, (2, 16, 64), (1024, 64, 1), 0), )
# 
# runner = Runner(partitions=[])
# call = runner.call
# recursively_apply_fns = runner.recursively_apply_fns
# 
# 
# def get_args():
#     from torch._dynamo.testing import rand_strided
#     arg0_1 = rand_strided((2, 16), (16, 1), device='cpu', dtype=torch.int64)
#     arg1_1 = rand_strided((64, 32), (32, 1), device='cpu', dtype=torch.float32)
#     arg2_1 = rand_strided((8, ), (1, ), device='cpu', dtype=torch.float32)
#     arg3_1 = rand_strided((32, ), (1, ), device='cpu', dtype=torch.float32)
#     arg4_1 = rand_strided((32, 32), (32, 1), device='cpu', dtype=torch.float32)
#     arg5_1 = rand_strided((16, 32), (32, 1), device='cpu', dtype=torch.float32)
#     arg6_1 = rand_strided((16, 32), (32, 1), device='cpu', dtype=torch.float32)
#     arg7_1 = rand_strided((32, 32), (32, 1), device='cpu', dtype=torch.float32)
#     arg8_1 = rand_strided((32, ), (1, ), device='cpu', dtype=torch.float32)
#     arg9_1 = rand_strided((64, 32), (32, 1), device='cpu', dtype=torch.float32)
#     arg10_1 = rand_strided((64, 32), (32, 1), device='cpu', dtype=torch.float32)
#     arg11_1 = rand_strided((32, 64), (64, 1), device='cpu', dtype=torch.float32)
#     arg12_1 = rand_strided((32, ), (1, ), device='cpu', dtype=torch.float32)
#     arg13_1 = rand_strided((32, 32), (32, 1), device='cpu', dtype=torch.float32)
#     arg14_1 = rand_strided((16, 32), (32, 1), device='cpu', dtype=torch.float32)
#     arg15_1 = rand_strided((16, 32), (32, 1), device='cpu', dtype=torch.float32)
#     arg16_1 = rand_strided((32, 32), (32, 1), device='cpu', dtype=torch.float32)
#     arg17_1 = rand_strided((32, ), (1, ), device='cpu', dtype=torch.float32)
#     arg18_1 = rand_strided((64, 32), (32, 1), device='cpu', dtype=torch.float32)
#     arg19_1 = rand_strided((64, 32), (32, 1), device='cpu', dtype=torch.float32)
#     arg20_1 = rand_strided((32, 64), (64, 1), device='cpu', dtype=torch.float32)
#     arg21_1 = rand_strided((32, ), (1, ), device='cpu', dtype=torch.float32)
#     arg22_1 = rand_strided((64, 32), (32, 1), device='cpu', dtype=torch.float32)
#     arg23_1 = rand_strided((2, 16), (16, 1), device='cpu', dtype=torch.int64)
#     return [arg0_1, arg1_1, arg2_1, arg3_1, arg4_1, arg5_1, arg6_1, arg7_1, arg8_1, arg9_1, arg10_1, arg11_1, arg12_1, arg13_1, arg14_1, arg15_1, arg16_1, arg17_1, arg18_1, arg19_1, arg20_1, arg21_1, arg22_1, arg23_1]
# 
# 
# def benchmark_compiled_module(args, times=10, repeat=10):
#     from torch._inductor.utils import print_performance
#     fn = lambda: call(list(args))
#     return print_performance(fn, times=times, repeat=repeat, device='cpu')
# 
# 
# if __name__ == "__main__":
#     from torch._inductor.wrapper_benchmark import compiled_module_main
#     args = get_args()
#     compiled_module_main('None', lambda times, repeat: benchmark_compiled_module(args, times=times, repeat=repeat))

# ==================================================================================================
# Training
# ==================================================================================================

# ---- wrapper as it is written, generic.py:937
# @wraps(func)
# def wrapper(self, *args, **kwargs):
#     return_dict = self.config.return_dict if hasattr(self, "config") else True
#     return_dict_passed = kwargs.pop("return_dict", return_dict)
#     if return_dict_passed is not None:
#         return_dict = return_dict_passed
#     output = func(self, *args, **kwargs)
#     if not return_dict and not isinstance(output, tuple):
#         output = output.to_tuple()
#     return output

# ---- what Dynamo made of it, decompiled
# wrapper, entry [0/0] · proved (CPython 3.11.7) · from generic.py:937
# Calls graph __compiled_fn_32.
# Replays side effects on G['__import_transformers_dot_utils_dot_output_capturing']._active_collector.
# Free variables: func.
# Run in place of the bytecode, it holds more: at `graph_out = graph(item, item_2, item_3, item_4, item_5, item_6, item_7, …`, during the call, item, item_2, item_3 and 21 more hold what the original has dropped.
def transformed_training_0_0(self, *args, **kwargs):
    graph = __compiled_fn_32
    # profiler marker: when the way to the graph begins, and when it ends
    tmp_22 = __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_enter()
    tmp_23 = kwargs
    item = kwargs['input_ids']
    tmp_24 = self._modules
    tmp_25 = tmp_24['model']._modules
    item_2 = tmp_25['embed_tokens']._parameters['weight']
    item_3 = tmp_25['rotary_emb']._buffers['inv_freq']
    tmp_26 = tmp_25['layers']._modules
    tmp_27 = tmp_26['0']._modules
    item_4 = tmp_27['input_layernorm']._parameters['weight']
    tmp_28 = tmp_27['self_attn']._modules
    item_5 = tmp_28['q_proj']._parameters['weight']
    item_6 = tmp_28['k_proj']._parameters['weight']
    item_7 = tmp_28['v_proj']._parameters['weight']
    item_8 = tmp_28['o_proj']._parameters['weight']
    item_9 = tmp_27['post_attention_layernorm']._parameters['weight']
    tmp_29 = tmp_27['mlp']._modules
    item_10 = tmp_29['gate_proj']._parameters['weight']
    item_11 = tmp_29['up_proj']._parameters['weight']
    item_12 = tmp_29['down_proj']._parameters['weight']
    tmp_30 = tmp_26['1']._modules
    item_13 = tmp_30['input_layernorm']._parameters['weight']
    tmp_31 = tmp_30['self_attn']._modules
    item_14 = tmp_31['q_proj']._parameters['weight']
    item_15 = tmp_31['k_proj']._parameters['weight']
    item_16 = tmp_31['v_proj']._parameters['weight']
    item_17 = tmp_31['o_proj']._parameters['weight']
    item_18 = tmp_30['post_attention_layernorm']._parameters['weight']
    tmp_32 = tmp_30['mlp']._modules
    item_19 = tmp_32['gate_proj']._parameters['weight']
    item_20 = tmp_32['up_proj']._parameters['weight']
    item_21 = tmp_32['down_proj']._parameters['weight']
    item_22 = tmp_25['norm']._parameters['weight']
    item_23 = tmp_24['lm_head']._parameters['weight']
    item_24 = kwargs['labels']
    __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_exit(tmp_22)
    graph_out = graph(item, item_2, item_3, item_4, item_5, item_6, item_7, item_8, item_9, item_10, item_11, item_12, item_13, item_14, item_15, item_16, item_17, item_18, item_19, item_20, item_21, item_22, item_23, item_24)
    del tmp_23
    del tmp_25
    del tmp_28
    del tmp_27
    del tmp_29
    del tmp_31
    del tmp_30
    del tmp_32
    del tmp_24
    del tmp_26
    graph_out_0 = graph_out
    tmp_10 = __import_transformers_dot_models_dot_llama_dot_modeling_llama.CausalLMOutputWithPast
    del item, item_2, item_3, item_4, item_5, item_6, item_7, item_8, item_9, item_10, item_11, item_12, item_13, item_14, item_15, item_16, item_17, item_18, item_19, item_20, item_21, item_22, item_23, item_24
    tmp_11 = tmp_10.__new__(tmp_10)
    tmp_12 = __import_torch_dot__dynamo_dot_utils.object_setattr_ignore_descriptor
    tmp_14 = __import_transformers_dot_utils_dot_output_capturing._active_collector
    tmp_17 = 2
    tmp_16 = tmp_11
    tmp_15 = ___module_collections_140504392647200_c20.OrderedDict({'loss': graph_out_0[0], 'logits': graph_out_0[1]})
    item_25 = func.__defaults__[3]
    out_1 = graph_out_0[1]
    tmp_12(tmp_11, 'loss', graph_out_0[0])
    tmp_12(tmp_11, 'logits', out_1)
    del out_1
    tmp_12(tmp_11, 'past_key_values', item_25)
    del item_25
    tmp_12(tmp_11, 'hidden_states', None)
    tmp_12(tmp_11, 'attentions', None)
    tmp_18 = type(tmp_11).__mro__[2]
    tmp_18.clear(tmp_11)
    for value in tmp_15.items():
        tmp_19, tmp_20 = value
        del value
        tmp_18.__setitem__(tmp_11, tmp_19, tmp_20)
    tmp_12(tmp_14, 'global_var', None)
    tmp_12(tmp_14, 'compiling', False)
    del graph_out_0
    return tmp_11

# ---- it is taken when all 577 guards hold (L: locals, G: globals)
#   saved_tensors_hooks_are(here(None))
#   global_state_is(allow_bf16_reduce=0, allow_fp16_reduce=0, allow_tf32=False, autocast_state={'cached_enabled': True, 'dtype': [15, 5, 5, 15, 5, 5, 15, 15, 5, 5], 'enabled': [False, False, False, False, False, False, False, False, False, False]}, default_dtype=6, deterministic_algorithms=False, deterministic_algorithms_warn_only=False, grad_mode=True, num_threads=1, torch_function=True, torch_function_all_disabled=False)
#   function_modes_are()
#   default_device_is('None')
#   type(L['args']) is tuple   # generic.py:943
#   length_is(L['args'], 0)   # generic.py:943
#   object_is(L['func'].__code__, here(140503711679408), 'code')   # generic.py:943
#   type(L['func'].__defaults__) is tuple   # generic.py:943
#   length_is(L['func'].__defaults__, 8)   # generic.py:943
#   L['func'].__defaults__[1] is None   # masking_utils.py:833
#   L['func'].__defaults__[2] is None   # modeling_llama.py:375
#   L['func'].__defaults__[3] is None   # modeling_llama.py:376
#   L['func'].__defaults__[4] is None   # modeling_llama.py:366
#   L['func'].__defaults__[6] is None   # generic.py:1034
#   equals(L['func'].__defaults__[7], 0)   # modeling_utils.py:5111
#   type(L['kwargs']) is dict   # generic.py:940
#   not ___dict_contains('return_dict', L['kwargs'])   # generic.py:940
#   dict_length_is(L['kwargs'], 2)   # generic.py:943
#   tensor_matches(L['kwargs']['input_ids'], 'Tensor', torch.int64, device=None, requires_grad=False, size=[2, 16], stride=[16, 1], dispatch_keys='CPU, BackendSelect, ADInplaceOrView, AutogradCPU')   # output_capturing.py:332
#   hasattr(L['kwargs']['input_ids'], '_dynamo_dynamic_indices') == False   # output_capturing.py:332
#   hasattr(L['kwargs']['input_ids'], '_dynamo_weak_dynamic_indices') == False   # output_capturing.py:332
#   hasattr(L['kwargs']['input_ids'], '_dynamo_unbacked_indices') == False   # output_capturing.py:332
#   hasattr(L['kwargs']['input_ids'], '_dynamo_strict_unbacked_indices') == False   # output_capturing.py:332
#   hasattr(L['kwargs']['input_ids'], '_dynamo_static_indices') == False   # output_capturing.py:332
#   tensor_matches(L['kwargs']['labels'], 'Tensor', torch.int64, device=None, requires_grad=False, size=[2, 16], stride=[16, 1], dispatch_keys='CPU, BackendSelect, ADInplaceOrView, AutogradCPU')   # modeling_llama.py:471
#   hasattr(L['kwargs']['labels'], '_dynamo_dynamic_indices') == False   # modeling_llama.py:471
#   hasattr(L['kwargs']['labels'], '_dynamo_weak_dynamic_indices') == False   # modeling_llama.py:471
#   hasattr(L['kwargs']['labels'], '_dynamo_unbacked_indices') == False   # modeling_llama.py:471
#   hasattr(L['kwargs']['labels'], '_dynamo_strict_unbacked_indices') == False   # modeling_llama.py:471
#   hasattr(L['kwargs']['labels'], '_dynamo_static_indices') == False   # modeling_llama.py:471
#   object_is(G['fields'].__code__, here(140504392019632), 'code')   # generic.py:533
#   object_is(G['is_tensor'].__code__, here(140503744405424), 'code')   # generic.py:474
#   object_is(G['is_mlx_array'].__code__, here(140503743225872), 'code')   # generic.py:139
#   object_is(G['is_numpy_array'].__code__, here(140503742869504), 'code')   # generic.py:139
#   object_is(G['is_torch_tensor'].__code__, here(140503742838320), 'code')   # generic.py:139
#   object_is(G['__import_torch'].fx, here(140503857791920), 'torch.fx')   # import_utils.py:1859
#   object_is(G['__import_torch'].fx.Proxy, here(94711166171152), 'torch.fx.proxy.Proxy')   # import_utils.py:1859
#   object_is(G['__import_torch'].compiler, here(140503832195968), 'torch.compiler')   # import_utils.py:1841
#   object_is(G['__import_torch'].compiler.is_compiling.__code__, here(140503836582720), 'code')   # import_utils.py:1841
#   object_is(G['__import_torch']._subclasses, here(140503850684464), 'torch._subclasses')   # import_utils.py:1868
#   object_is(G['__import_torch']._subclasses.FakeTensor, here(94711168847568), 'torch._subclasses.fake_tensor.FakeTensor')   # import_utils.py:1868
#   G['_is_torch_available'] is True   # generic.py:64
#   object_is(G['infer_framework_from_repr'].__code__, here(140503744355504), 'code')   # generic.py:133
#   object_is(G['__builtins_dict___31']['all'], here(140504394451920), 'builtins.all')   # masking_utils.py:46
#   object_is(G['__builtins_dict___31']['int'], here(140504400755936), 'builtins.int')   # container.py:498
#   object_is(G['__builtins_dict___31']['len'], here(140504394453920), 'builtins.len')   # output_capturing.py:354
#   object_is(G['__builtins_dict___31']['set'], here(140504400778112), 'builtins.set')   # module.py:508
#   object_is(G['__builtins_dict___31']['str'], here(140504400795744), 'builtins.str')   # output_capturing.py:50
#   object_is(G['__builtins_dict___31']['bool'], here(140504400686912), 'builtins.bool')   # output_capturing.py:250
#   object_is(G['__builtins_dict___31']['iter'], here(140504394453760), 'builtins.iter')   # container.py:410
#   object_is(G['__builtins_dict___31']['list'], here(140504400753472), 'builtins.list')   # container.py:384
#   object_is(G['__builtins_dict___31']['type'], here(140504400783872), 'builtins.type')   # container.py:384
#   object_is(G['__builtins_dict___31']['slice'], here(140504400780480), 'builtins.slice')   # container.py:383
#   object_is(G['__builtins_dict___31']['super'], here(140504400783040), 'builtins.super')   # configuration_utils.py:659
#   object_is(G['__builtins_dict___31']['getattr'], here(140504394453040), 'builtins.getattr')   # generic.py:1037
#   object_is(G['__builtins_dict___31']['hasattr'], here(140504394453200), 'builtins.hasattr')   # generic.py:939
#   object_is(G['__builtins_dict___31']['KeyError'], here(140504400718496), 'builtins.KeyError')
#   object_is(G['__builtins_dict___31']['callable'], here(140504394452320), 'builtins.callable')   # masking_utils.py:46
#   object_is(G['__builtins_dict___31']['enumerate'], here(140504400706816), 'builtins.enumerate')   # container.py:498
#   object_is(G['__builtins_dict___31']['isinstance'], here(140504394453600), 'builtins.isinstance')   # output_capturing.py:250
#   object_is(G['__builtins_dict___31']['issubclass'], here(140504394453680), 'builtins.issubclass')   # container.py:384
#   object_is(G['_get_frameworks_and_test_func'].__code__, here(140503744144288), 'code')   # generic.py:147
#   object_is(G['_register_model_output_pytree_node'].__code__, here(140503740679216), 'code')   # generic.py:462
#   object_is(G['__import_transformers_dot_activations'], here(140503731923728), 'transformers.activations')   # activations.py:103
#   object_is(G['__import_transformers_dot_masking_utils'], here(140503711658720), 'transformers.masking_utils')   # masking_utils.py:967
#   object_is(G['__import_transformers_dot_masking_utils'].Cache, here(94711223942960), 'transformers.cache_utils.Cache')   # masking_utils.py:891
#   object_is(G['__import_transformers_dot_masking_utils'].BlockMask, here(94711226811120), 'torch.nn.attention.flex_attention.BlockMask')   # masking_utils.py:833
#   object_is(G['__import_transformers_dot_masking_utils'].and_masks.__code__, here(140503713970864), 'code')   # masking_utils.py:219
#   object_is(G['__import_transformers_dot_masking_utils'].is_tracing.__code__, here(140503745523536), 'code')   # masking_utils.py:776
#   object_is(G['__import_transformers_dot_masking_utils'].causal_mask_function.__code__, here(140503732460496), 'code')   # masking_utils.py:52
#   object_is(G['__import_transformers_dot_masking_utils'].prepare_padding_mask.__code__, here(140503712454944), 'code')   # masking_utils.py:527
#   object_is(G['__import_transformers_dot_masking_utils']._non_vmap_expansion_sdpa.__code__, here(140503712519216), 'code')   # masking_utils.py:552
#   object_is(G['__import_transformers_dot_masking_utils']._preprocess_mask_arguments.__code__, here(94711235413968), 'code')   # masking_utils.py:970
#   type(G['__import_transformers_dot_masking_utils']._preprocess_mask_arguments.__defaults__) is tuple   # masking_utils.py:970
#   length_is(G['__import_transformers_dot_masking_utils']._preprocess_mask_arguments.__defaults__, 1)   # masking_utils.py:970
#   G['__import_transformers_dot_masking_utils']._preprocess_mask_arguments.__defaults__[0] is None   # masking_utils.py:862
#   type_is(G['__import_transformers_dot_masking_utils'].ALL_MASK_ATTENTION_FUNCTIONS, 'transformers.masking_utils.AttentionMaskInterface', here(94711197006912))   # masking_utils.py:841
#   not ___dict_contains('_global_mapping', G['__import_transformers_dot_masking_utils'].ALL_MASK_ATTENTION_FUNCTIONS.__dict__)   # masking_utils.py:841
#   not ___dict_contains('__getitem__', G['__import_transformers_dot_masking_utils'].ALL_MASK_ATTENTION_FUNCTIONS.__dict__)   # masking_utils.py:977
#   type(G['__import_transformers_dot_masking_utils'].ALL_MASK_ATTENTION_FUNCTIONS._local_mapping) is dict   # generic.py:1125
#   dict_length_is(G['__import_transformers_dot_masking_utils'].ALL_MASK_ATTENTION_FUNCTIONS._local_mapping, 0)   # generic.py:1125
#   type(dict(type(G['__import_transformers_dot_masking_utils'].ALL_MASK_ATTENTION_FUNCTIONS).__dict__)['_global_mapping']) is dict   # masking_utils.py:841
#   object_is(dict(type(G['__import_transformers_dot_masking_utils'].ALL_MASK_ATTENTION_FUNCTIONS).__dict__)['_global_mapping']['sdpa'].__code__, here(94711157703504), 'code')   # masking_utils.py:841
#   type(dict(type(G['__import_transformers_dot_masking_utils'].ALL_MASK_ATTENTION_FUNCTIONS).__dict__)['_global_mapping']['sdpa'].__defaults__) is tuple   # masking_utils.py:1015
#   length_is(dict(type(G['__import_transformers_dot_masking_utils'].ALL_MASK_ATTENTION_FUNCTIONS).__dict__)['_global_mapping']['sdpa'].__defaults__, 9)   # masking_utils.py:1015
#   dict(type(G['__import_transformers_dot_masking_utils'].ALL_MASK_ATTENTION_FUNCTIONS).__dict__)['_global_mapping']['sdpa'].__defaults__[6] is False   # masking_utils.py:536
#   object_is(G['__import_transformers_dot_masking_utils'].find_packed_sequence_indices.__code__, here(140503717080512), 'code')   # masking_utils.py:881
#   object_is(G['__import_transformers_dot_masking_utils'].packed_sequence_mask_function.__code__, here(140503711777968), 'code')   # masking_utils.py:220
#   object_is(G['__import_transformers_dot_masking_utils'].find_first_full_attention_index.__code__, here(140503717310896), 'code')   # masking_utils.py:967
#   object_is(G['__import_transformers_dot_masking_utils'].remap_positions_for_packed_sequence.__code__, here(140503711778256), 'code')   # masking_utils.py:221
#   object_is(G['__import_transformers_dot_masking_utils'].packed_sequence_compatibility_function.__code__, here(140503717093936), 'code')   # masking_utils.py:1005
#   object_is(G['__import_torch_dot__dynamo_dot_polyfills'], here(140503800894528), 'torch._dynamo.polyfills')   # module.py:509
#   object_is(G['__import_torch_dot__dynamo_dot_polyfills'].Mapping, here(94711092779872), 'collections.abc.Mapping')   # module.py:509
#   object_is(G['__import_torch_dot__dynamo_dot_polyfills'].Iterable, here(94711092769136), 'collections.abc.Iterable')   # module.py:509
#   object_is(G['__import_torch_dot__dynamo_dot_polyfills'].mutable_mapping_update.__code__, here(140503803146800), 'code')   # module.py:509
#   object_is(G['__import_transformers_dot_modeling_utils'], here(140503846744160), 'transformers.modeling_utils')   # modeling_utils.py:5111
#   type(G['__import_transformers_dot_modeling_utils'].LOSS_MAPPING) is dict   # modeling_utils.py:4768
#   object_is(G['__import_transformers_dot_modeling_utils'].LOSS_MAPPING['ForCausalLM'].__code__, here(94711226563200), 'code')   # modeling_utils.py:4768
#   type(G['__import_transformers_dot_modeling_utils'].LOSS_MAPPING['ForCausalLM'].__defaults__) is tuple   # modeling_llama.py:472
#   length_is(G['__import_transformers_dot_modeling_utils'].LOSS_MAPPING['ForCausalLM'].__defaults__, 3)   # modeling_llama.py:472
#   G['__import_transformers_dot_modeling_utils'].LOSS_MAPPING['ForCausalLM'].__defaults__[0] is None   # loss_utils.py:41
#   equals(G['__import_transformers_dot_modeling_utils'].LOSS_MAPPING['ForCausalLM'].__defaults__[1], -100)   # functional.py:5823
#   G['__import_transformers_dot_modeling_utils'].LOSS_MAPPING['ForCausalLM'].__defaults__[2] is None   # loss_utils.py:63
#   object_is(G['__import_torch_dot_nn_dot_modules_dot_linear'], here(140503868034160), 'torch.nn.modules.linear')   # linear.py:134
#   object_is(G['__import_torch_dot_nn_dot_modules_dot_module'], here(140503877736128), 'torch.nn.modules.module')   # modeling_llama.py:456
#   object_is(G['__import_torch_dot_nn_dot_modules_dot_module'].Module, here(94711157705056), 'torch.nn.modules.module.Module')   # module.py:652
#   object_is(G['__import_torch_dot_nn_dot_modules_dot_module'].OrderedDict, here(140504400765632), 'collections.OrderedDict')   # module.py:509
#   type_is(G['__import_torch_dot_nn_dot_modules_dot_module']._global_forward_hooks, 'collections.OrderedDict', here(140504400765632))   # modeling_llama.py:456
#   type_is(G['__import_torch_dot_nn_dot_modules_dot_module']._global_backward_hooks, 'collections.OrderedDict', here(140504400765632))   # modeling_llama.py:456
#   type_is(G['__import_torch_dot_nn_dot_modules_dot_module']._global_forward_pre_hooks, 'collections.OrderedDict', here(140504400765632))   # modeling_llama.py:456
#   type_is(G['__import_torch_dot_nn_dot_modules_dot_module']._global_backward_pre_hooks, 'collections.OrderedDict', here(140504400765632))   # modeling_llama.py:456
#   dict_is(G['__import_torch_dot_nn_dot_modules_dot_module']._global_module_registration_hooks, 'collections.OrderedDict', 0)
#   object_is(G['__import_torch_dot_nn_dot_modules_dot_sparse'], here(140503862983904), 'torch.nn.modules.sparse')   # sparse.py:189
#   object_is(G['__import_torch_dot_nn_dot_modules_dot_sparse'].F, here(140503868036240), 'torch.nn.functional')   # sparse.py:189
#   object_is(G['__import_torch_dot_nn_dot_modules_dot_sparse'].F.pad.__code__, here(94711157484000), 'code')   # loss_utils.py:65
#   type(G['__import_torch_dot_nn_dot_modules_dot_sparse'].F.pad.__defaults__) is tuple   # loss_utils.py:65
#   length_is(G['__import_torch_dot_nn_dot_modules_dot_sparse'].F.pad.__defaults__, 2)   # loss_utils.py:65
#   equals(G['__import_torch_dot_nn_dot_modules_dot_sparse'].F.pad.__defaults__[0], 'constant')   # functional.py:5823
#   object_is(G['__import_torch_dot_nn_dot_modules_dot_sparse'].F.silu.__code__, here(140503868097808), 'code')   # activations.py:103
#   object_is(G['__import_torch_dot_nn_dot_modules_dot_sparse'].F.linear, here(140503882545680), 'torch._C._nn.linear')   # linear.py:134
#   object_is(G['__import_torch_dot_nn_dot_modules_dot_sparse'].F.embedding.__code__, here(94711157486832), 'code')   # sparse.py:189
#   object_is(G['__import_torch_dot_nn_dot_modules_dot_sparse'].F.cross_entropy.__code__, here(140503875648048), 'code')   # loss_utils.py:42
#   object_is(G['__import_torch_dot_nn_dot_modules_dot_sparse'].F.scaled_dot_product_attention, here(140503882598176), 'torch._C._nn.scaled_dot_product_attention')   # sdpa_attention.py:193
#   object_is(G['__import_transformers_dot_loss_dot_loss_utils'], here(140503728509616), 'transformers.loss.loss_utils')   # loss_utils.py:65
#   object_is(G['__import_transformers_dot_loss_dot_loss_utils'].fixed_cross_entropy.__code__, here(140503728245536), 'code')   # loss_utils.py:72
#   object_is(G['__import_torch_dot_nn_dot_modules_dot_container'], here(140503862559504), 'torch.nn.modules.container')   # container.py:492
#   object_is(G['__import_torch_dot_nn_dot_modules_dot_container'].container_abcs, here(140504392176064), 'collections.abc')   # container.py:492
#   object_is(G['__import_transformers_dot_utils_dot_import_utils'], here(140503740810160), 'transformers.utils.import_utils')   # import_utils.py:1937
#   object_is(G['__import_transformers_dot_utils_dot_import_utils'].is_fake_tensor.__code__, here(140503743237744), 'code')   # import_utils.py:1941
#   object_is(G['__import_transformers_dot_utils_dot_import_utils'].is_jax_jitting.__code__, here(140503744362416), 'code')   # import_utils.py:1942
#   object_is(G['__import_transformers_dot_utils_dot_import_utils'].is_torch_fx_proxy.__code__, here(140503740717584), 'code')   # import_utils.py:1940
#   object_is(G['__import_transformers_dot_utils_dot_import_utils'].is_torchdynamo_compiling.__code__, here(140503740717008), 'code')   # import_utils.py:1937
#   object_is(G['__import_transformers_dot_utils_dot_output_capturing'], here(140503735508224), 'transformers.utils.output_capturing')   # output_capturing.py:331
#   type_is(G['__import_transformers_dot_utils_dot_output_capturing']._active_collector, 'transformers.utils.output_capturing.CompileableContextVar', here(94711223142512))   # output_capturing.py:357
#   not ___dict_contains('set', G['__import_transformers_dot_utils_dot_output_capturing']._active_collector.__dict__)   # output_capturing.py:357
#   not ___dict_contains('reset', G['__import_transformers_dot_utils_dot_output_capturing']._active_collector.__dict__)   # output_capturing.py:364
#   dict_is(G['__import_transformers_dot_utils_dot_output_capturing']._CAN_RECORD_REGISTRY, 'transformers.utils.output_capturing._CanRecordRegistry', 2)
#   equals(list(dict.keys(G['__import_transformers_dot_utils_dot_output_capturing']._CAN_RECORD_REGISTRY))[0], "<class 'transformers.models.llama.modeling_llama.LlamaForCausalLM'>")   # output_capturing.py:331
#   equals(list(dict.keys(G['__import_transformers_dot_utils_dot_output_capturing']._CAN_RECORD_REGISTRY))[1], "<class 'transformers.models.llama.modeling_llama.LlamaModel'>")   # output_capturing.py:331
#   dict_is(G['__import_transformers_dot_utils_dot_output_capturing']._CAN_RECORD_REGISTRY["<class 'transformers.models.llama.modeling_llama.LlamaModel'>"], 'dict', 2)
#   not ___dict_contains('cross_attentions', dict.__getitem__(G['__import_transformers_dot_utils_dot_output_capturing']._CAN_RECORD_REGISTRY, list(dict.keys(G['__import_transformers_dot_utils_dot_output_capturing']._CAN_RECORD_REGISTRY))[1]))   # output_capturing.py:337
#   not ___dict_contains('mask_decoder_attentions', dict.__getitem__(G['__import_transformers_dot_utils_dot_output_capturing']._CAN_RECORD_REGISTRY, list(dict.keys(G['__import_transformers_dot_utils_dot_output_capturing']._CAN_RECORD_REGISTRY))[1]))   # output_capturing.py:342
#   equals(list(dict.keys(dict.__getitem__(G['__import_transformers_dot_utils_dot_output_capturing']._CAN_RECORD_REGISTRY, list(dict.keys(G['__import_transformers_dot_utils_dot_output_capturing']._CAN_RECORD_REGISTRY))[1])))[0], 'hidden_states')   # output_capturing.py:332
#   object_is(dict.__getitem__(G['__import_transformers_dot_utils_dot_output_capturing']._CAN_RECORD_REGISTRY, list(dict.keys(G['__import_transformers_dot_utils_dot_output_capturing']._CAN_RECORD_REGISTRY))[1])['hidden_states'], here(94711239523504), 'transformers.models.llama.modeling_llama.LlamaDecoderLayer')   # output_capturing.py:50
#   object_is(dict.__getitem__(G['__import_transformers_dot_utils_dot_output_capturing']._CAN_RECORD_REGISTRY, list(dict.keys(G['__import_transformers_dot_utils_dot_output_capturing']._CAN_RECORD_REGISTRY))[1])['hidden_states'].forward.__code__, here(94711236288416), 'code')   # modeling_layers.py:92
#   equals(list(dict.keys(dict.__getitem__(G['__import_transformers_dot_utils_dot_output_capturing']._CAN_RECORD_REGISTRY, list(dict.keys(G['__import_transformers_dot_utils_dot_output_capturing']._CAN_RECORD_REGISTRY))[1])))[1], 'attentions')   # output_capturing.py:332
#   object_is(dict.__getitem__(G['__import_transformers_dot_utils_dot_output_capturing']._CAN_RECORD_REGISTRY, list(dict.keys(G['__import_transformers_dot_utils_dot_output_capturing']._CAN_RECORD_REGISTRY))[1])['attentions'], here(94711239006656), 'transformers.models.llama.modeling_llama.LlamaAttention')   # output_capturing.py:50
#   not ___dict_contains('get', G['__import_transformers_dot_utils_dot_output_capturing']._CAN_RECORD_REGISTRY.__dict__)   # output_capturing.py:331
#   object_is(G['__import_transformers_dot_utils_dot_output_capturing'].selected_hidden_states.__code__, here(140503737322992), 'code')   # output_capturing.py:350
#   object_is(G['__import_transformers_dot_utils_dot_output_capturing'].is_torchdynamo_compiling.__code__, here(140503740717008), 'code')   # output_capturing.py:101
#   object_is(G['__import_transformers_dot_integrations_dot_sdpa_attention'], here(140503730898160), 'transformers.integrations.sdpa_attention')   # sdpa_attention.py:119
#   object_is(G['__import_transformers_dot_integrations_dot_sdpa_attention'].os, here(140504394895568), 'os')   # sdpa_attention.py:44
#   type_is(G['__import_transformers_dot_integrations_dot_sdpa_attention'].os.environ, 'os._Environ', here(94711092793584))   # sdpa_attention.py:44
#   not ___dict_contains('__getitem__', G['__import_transformers_dot_integrations_dot_sdpa_attention'].os.environ.__dict__)   # sdpa_attention.py:44
#   type(G['__import_transformers_dot_integrations_dot_sdpa_attention'].os.environ._data) is dict
#   object_is(G['__import_transformers_dot_integrations_dot_sdpa_attention'].os.environ.encodekey.__code__, here(140504401062016), 'code')
#   equals(G['__import_transformers_dot_integrations_dot_sdpa_attention'].os.environ.encodekey.__closure__[0].cell_contents, 'utf-8')
#   object_is(G['__import_transformers_dot_integrations_dot_sdpa_attention'].repeat_kv.__code__, here(140503731709696), 'code')   # sdpa_attention.py:137
#   object_is(G['__import_transformers_dot_integrations_dot_sdpa_attention'].use_gqa_in_sdpa.__code__, here(140503731646288), 'code')   # sdpa_attention.py:130
#   object_is(G['__import_transformers_dot_integrations_dot_sdpa_attention'].PagedAttentionCache, here(94711225269808), 'transformers.generation.continuous_batching.cache.PagedAttentionCache')   # sdpa_attention.py:119
#   G['__import_transformers_dot_integrations_dot_sdpa_attention']._is_torch_mps_available is False   # sdpa_attention.py:49
#   G['__import_transformers_dot_integrations_dot_sdpa_attention']._is_torch_npu_available is False   # sdpa_attention.py:169
#   G['__import_transformers_dot_integrations_dot_sdpa_attention']._is_torch_xpu_available is False   # sdpa_attention.py:47
#   object_is(G['__import_torch_dot_nn_dot_functional'].has_torch_function_unary, here(140504386329456), 'torch._C._has_torch_function_unary')   # functional.py:5801
#   object_is(G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'], here(140503730468512), 'transformers.models.llama.modeling_llama')   # modeling_llama.py:377
#   object_is(G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].torch, here(140504389014192), 'torch')   # modeling_llama.py:377
#   object_is(G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].torch._C, here(140504386280464), 'torch._C')   # module.py:484
#   object_is(G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].torch._C._nn, here(140503882540560), 'torch._C._nn')   # functional.py:5823
#   object_is(G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].torch._C._nn.pad, here(140503882596656), 'torch._C._nn.pad')   # functional.py:5823
#   object_is(G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].torch._C._log_api_usage_once, here(140504386280544), 'torch._C._log_api_usage_once')   # module.py:484
#   object_is(G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].torch.nn, here(140503877710320), 'torch.nn')   # sdpa_attention.py:193
#   object_is(G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].torch.cat, here(140504008647488), 'torch.cat')   # modeling_llama.py:112
#   object_is(G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].torch.jit, here(140503859427216), 'torch.jit')   # sdpa_attention.py:163
#   object_is(G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].torch.jit.is_tracing.__code__, here(140503861209264), 'code')   # sdpa_attention.py:163
#   object_is(G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].torch.jit.is_scripting.__code__, here(140503869501680), 'code')   # functional.py:5805
#   equals(G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].torch.bool, torch.bool)   # masking_utils.py:50
#   object_is(G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].torch.diff, here(140504386466368), 'torch.diff')   # masking_utils.py:772
#   equals(G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].torch.float, torch.float32)   # modeling_llama.py:111
#   object_is(G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].torch.rsqrt, here(140504008610240), 'torch.rsqrt')   # modeling_llama.py:65
#   object_is(G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].torch.Tensor, here(94711153288672), 'torch.Tensor')   # masking_utils.py:833
#   object_is(G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].torch.arange, here(140504386463248), 'torch.arange')   # modeling_llama.py:377
#   equals(G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].torch.float32, torch.float32)   # modeling_llama.py:63
#   object_is(G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].torch.are_deterministic_algorithms_enabled.__code__, here(140504389271600), 'code')   # functional.py:5806
#   object_is(G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].rotate_half.__code__, here(140503711695248), 'code')   # modeling_llama.py:147
#   object_is(G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].create_causal_mask.__code__, here(94711235741552), 'code')   # modeling_llama.py:380
#   type(G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].create_causal_mask.__defaults__) is tuple   # modeling_llama.py:380
#   length_is(G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].create_causal_mask.__defaults__, 6)   # modeling_llama.py:380
#   G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].create_causal_mask.__defaults__[1] is None   # masking_utils.py:993
#   G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].create_causal_mask.__defaults__[2] is None   # masking_utils.py:997
#   G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].create_causal_mask.__defaults__[3] is None   # masking_utils.py:1009
#   G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].create_causal_mask.__defaults__[4] is None   # masking_utils.py:966
#   G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].create_causal_mask.__defaults__[5] is True   # masking_utils.py:986
#   object_is(G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].apply_rotary_pos_emb.__code__, here(140503717308976), 'code')   # modeling_llama.py:248
#   type(G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].apply_rotary_pos_emb.__defaults__) is tuple   # modeling_llama.py:248
#   length_is(G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].apply_rotary_pos_emb.__defaults__, 1)   # modeling_llama.py:248
#   equals(G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].apply_rotary_pos_emb.__defaults__[0], 1)   # modeling_llama.py:145
#   object_is(G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].slice_logits_to_keep.__code__, here(140503738731968), 'code')   # modeling_llama.py:467
#   object_is(G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].CausalLMOutputWithPast, here(94711224098960), 'transformers.modeling_outputs.CausalLMOutputWithPast')   # modeling_llama.py:474
#   type_is(G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].ALL_ATTENTION_FUNCTIONS, 'transformers.modeling_utils.AttentionInterface', here(94711227149200))   # modeling_llama.py:253
#   not ___dict_contains('get_interface', G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].ALL_ATTENTION_FUNCTIONS.__dict__)   # modeling_llama.py:253
#   not ___dict_contains('__contains__', G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].ALL_ATTENTION_FUNCTIONS.__dict__)   # modeling_utils.py:5266
#   not ___dict_contains('__getitem__', G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].ALL_ATTENTION_FUNCTIONS.__dict__)
#   not ___dict_contains('_global_mapping', G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].ALL_ATTENTION_FUNCTIONS.__dict__)   # generic.py:1127
#   type(G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].ALL_ATTENTION_FUNCTIONS._local_mapping) is dict   # generic.py:1125
#   dict_length_is(G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].ALL_ATTENTION_FUNCTIONS._local_mapping, 0)   # generic.py:1125
#   object_is(type(G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].ALL_ATTENTION_FUNCTIONS).__mro__[3].get.__code__, here(140504401264256), 'code')   # modeling_utils.py:5270
#   not ___dict_contains('__contains__', dict(type(G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].ALL_ATTENTION_FUNCTIONS).__mro__[1].__dict__))   # modeling_utils.py:5266
#   not ___dict_contains('__contains__', dict(type(G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].ALL_ATTENTION_FUNCTIONS).__mro__[2].__dict__))   # modeling_utils.py:5266
#   type(dict(type(G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].ALL_ATTENTION_FUNCTIONS).__dict__)['_global_mapping']) is dict   # generic.py:1127
#   object_is(dict(type(G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].ALL_ATTENTION_FUNCTIONS).__dict__)['_global_mapping']['sdpa'].__code__, here(94711226928048), 'code')   # modeling_llama.py:257
#   type(dict(type(G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].ALL_ATTENTION_FUNCTIONS).__dict__)['_global_mapping']['sdpa'].__defaults__) is tuple   # modeling_llama.py:257
#   length_is(dict(type(G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].ALL_ATTENTION_FUNCTIONS).__dict__)['_global_mapping']['sdpa'].__defaults__, 5)   # modeling_llama.py:257
#   dict(type(G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].ALL_ATTENTION_FUNCTIONS).__dict__)['_global_mapping']['sdpa'].__defaults__[2] is None   # sdpa_attention.py:143
#   dict(type(G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].ALL_ATTENTION_FUNCTIONS).__dict__)['_global_mapping']['sdpa'].__defaults__[3] is None   # sdpa_attention.py:189
#   dict(type(G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].ALL_ATTENTION_FUNCTIONS).__dict__)['_global_mapping']['sdpa'].__defaults__[4] is None   # sdpa_attention.py:119
#   object_is(G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].BaseModelOutputWithPast, here(94711224057904), 'transformers.modeling_outputs.BaseModelOutputWithPast')   # modeling_llama.py:403
#   not hasattr(L['self'], '_loss_function')   # modeling_utils.py:4763
#   type_is(L['self'], 'transformers.models.llama.modeling_llama.LlamaForCausalLM', here(94711239553328))   # generic.py:939
#   not hasattr(L['self'].config, 'vision_feature_layer')   # generic.py:1037
#   not hasattr(L['self'].config, 'vision_feature_select_strategy')   # generic.py:1037
#   not hasattr(L['self'].config, 'vision_aspect_ratio')   # generic.py:1037
#   not hasattr(L['self'].config, 'is_causal')   # generic.py:1062
#   type_is(L['self'].config, 'transformers.models.llama.configuration_llama.LlamaConfig', here(94711239001792))   # generic.py:939
#   readable(L['self'].config.use_cache)
#   readable(L['self'].config.return_dict)
#   readable(L['self'].config.output_hidden_states)
#   readable(L['self'].config.output_attentions)
#   not ___dict_contains('attribute_map', L['self'].config.__dict__)   # configuration_utils.py:312
#   type(L['self'].config.use_cache) is bool   # generic.py:1037
#   L['self'].config.use_cache is False   # generic.py:1039
#   equals(L['self'].config.vocab_size, 64)   # loss_utils.py:69
#   type(L['self'].config.return_dict) is bool   # output_capturing.py:329
#   L['self'].config.return_dict is True   # generic.py:941
#   equals(L['self'].config.num_hidden_layers, 2)   # container.py:384
#   type(L['self'].config._output_attentions) is bool   # output_capturing.py:333
#   L['self'].config._output_attentions is False   # output_capturing.py:347
#   type(L['self'].config.output_hidden_states) is bool   # output_capturing.py:333
#   L['self'].config.output_hidden_states is False   # output_capturing.py:347
#   equals(L['self'].config._attn_implementation_internal, 'sdpa')   # masking_utils.py:841
#   object_is(type(L['self'].config).__mro__[4].__getattribute__.__code__, here(94711223171040), 'code')   # configuration_utils.py:659
#   type(dict(type(L['self'].config).__mro__[1].__dict__)['attribute_map']) is dict   # configuration_utils.py:659
#   not ___dict_contains('return_dict', dict(type(L['self'].config).__mro__[1].__dict__)['attribute_map'])   # configuration_utils.py:659
#   not ___dict_contains('use_cache', dict(type(L['self'].config).__mro__[1].__dict__)['attribute_map'])   # configuration_utils.py:659
#   not ___dict_contains('vision_feature_layer', dict(type(L['self'].config).__mro__[1].__dict__)['attribute_map'])   # configuration_utils.py:659
#   not ___dict_contains('vision_feature_select_strategy', dict(type(L['self'].config).__mro__[1].__dict__)['attribute_map'])   # configuration_utils.py:659
#   not ___dict_contains('vision_aspect_ratio', dict(type(L['self'].config).__mro__[1].__dict__)['attribute_map'])   # configuration_utils.py:659
#   not ___dict_contains('is_causal', dict(type(L['self'].config).__mro__[1].__dict__)['attribute_map'])   # configuration_utils.py:659
#   not ___dict_contains('output_hidden_states', dict(type(L['self'].config).__mro__[1].__dict__)['attribute_map'])   # configuration_utils.py:659
#   not ___dict_contains('output_attentions', dict(type(L['self'].config).__mro__[1].__dict__)['attribute_map'])   # configuration_utils.py:659
#   not ___dict_contains('__class__', dict(type(L['self'].config).__mro__[1].__dict__)['attribute_map'])   # configuration_utils.py:659
#   not ___dict_contains('_output_attentions', dict(type(L['self'].config).__mro__[1].__dict__)['attribute_map'])   # configuration_utils.py:659
#   not ___dict_contains('_attn_implementation', dict(type(L['self'].config).__mro__[1].__dict__)['attribute_map'])   # configuration_utils.py:659
#   not ___dict_contains('_attn_implementation_internal', dict(type(L['self'].config).__mro__[1].__dict__)['attribute_map'])   # configuration_utils.py:659
#   not ___dict_contains('num_hidden_layers', dict(type(L['self'].config).__mro__[1].__dict__)['attribute_map'])   # configuration_utils.py:659
#   not ___dict_contains('vocab_size', dict(type(L['self'].config).__mro__[1].__dict__)['attribute_map'])   # configuration_utils.py:659
#   object_is(dict(type(L['self'].config).__mro__[1].__dict__)['output_attentions'].fget.__code__, here(140503737279680), 'code')   # configuration_utils.py:312
#   object_is(dict(type(L['self'].config).__mro__[1].__dict__)['_attn_implementation'].fget.__code__, here(140503737279888), 'code')   # configuration_utils.py:312
#   type(L['self'].loss_type) is str   # modeling_utils.py:4766
#   equals(L['self'].loss_type, 'ForCausalLM')   # modeling_utils.py:4768
#   type(L['self']._buffers) is dict   # modeling_utils.py:4763
#   type(L['self']._modules) is dict   # modeling_llama.py:456
#   type_is(L['self']._modules['model'], 'transformers.models.llama.modeling_llama.LlamaModel', here(94711239378144))   # modeling_llama.py:456
#   not ___dict_contains('forward', L['self']._modules['model'].__dict__)   # modeling_llama.py:456
#   type(L['self']._modules['model'].gradient_checkpointing) is bool   # generic.py:1042
#   L['self']._modules['model'].gradient_checkpointing is False   # generic.py:1042
#   type(L['self']._modules['model']._modules) is dict   # modeling_llama.py:370
#   type_is(L['self']._modules['model']._modules['norm'], 'transformers.models.llama.modeling_llama.LlamaRMSNorm', here(94711239375248))   # modeling_llama.py:402
#   not ___dict_contains('forward', L['self']._modules['model']._modules['norm'].__dict__)   # modeling_llama.py:402
#   type(L['self']._modules['model']._modules['norm']._parameters) is dict   # modeling_llama.py:66
#   tensor_matches(L['self']._modules['model']._modules['norm']._parameters['weight'], 'Parameter', torch.float32, device=None, requires_grad=True, size=[32], stride=[1], dispatch_keys='CPU, BackendSelect, ADInplaceOrView, AutogradCPU')   # modeling_llama.py:66
#   hasattr(L['self']._modules['model']._modules['norm']._parameters['weight'], '_dynamo_dynamic_indices') == False   # modeling_llama.py:66
#   hasattr(L['self']._modules['model']._modules['norm']._parameters['weight'], '_dynamo_weak_dynamic_indices') == False   # modeling_llama.py:66
#   hasattr(L['self']._modules['model']._modules['norm']._parameters['weight'], '_dynamo_unbacked_indices') == False   # modeling_llama.py:66
#   hasattr(L['self']._modules['model']._modules['norm']._parameters['weight'], '_dynamo_strict_unbacked_indices') == False   # modeling_llama.py:66
#   hasattr(L['self']._modules['model']._modules['norm']._parameters['weight'], '_dynamo_static_indices') == False   # modeling_llama.py:66
#   equals(L['self']._modules['model']._modules['norm'].variance_epsilon, 1e-06)   # modeling_llama.py:65
#   type_is(L['self']._modules['model']._modules['layers'], 'torch.nn.modules.container.ModuleList', here(94711159840288))   # modeling_llama.py:391
#   not ___dict_contains('__getitem__', L['self']._modules['model']._modules['layers'].__dict__)   # modeling_llama.py:391
#   dict_is(L['self']._modules['model']._modules['layers']._modules, 'dict', 2)
#   equals(list(dict.keys(L['self']._modules['model']._modules['layers']._modules))[0], '0')   # container.py:384
#   type_is(L['self']._modules['model']._modules['layers']._modules['0'], 'transformers.models.llama.modeling_llama.LlamaDecoderLayer', here(94711239523504))   # container.py:384
#   not ___dict_contains('forward', L['self']._modules['model']._modules['layers']._modules['0'].__dict__)   # modeling_llama.py:392
#   not ___dict_contains('gradient_checkpointing', L['self']._modules['model']._modules['layers']._modules['0'].__dict__)   # modeling_layers.py:93
#   type(L['self']._modules['model']._modules['layers']._modules['0']._modules) is dict   # modeling_llama.py:295
#   type_is(L['self']._modules['model']._modules['layers']._modules['0']._modules['mlp'], 'transformers.models.llama.modeling_llama.LlamaMLP', here(94711239372128))   # modeling_llama.py:311
#   not ___dict_contains('forward', L['self']._modules['model']._modules['layers']._modules['0']._modules['mlp'].__dict__)   # modeling_llama.py:311
#   type(L['self']._modules['model']._modules['layers']._modules['0']._modules['mlp']._modules) is dict   # modeling_llama.py:164
#   type_is(L['self']._modules['model']._modules['layers']._modules['0']._modules['mlp']._modules['act_fn'], 'transformers.activations.SiLUActivation', here(94711225687680))   # modeling_llama.py:164
#   not ___dict_contains('forward', L['self']._modules['model']._modules['layers']._modules['0']._modules['mlp']._modules['act_fn'].__dict__)   # modeling_llama.py:164
#   type_is(L['self']._modules['model']._modules['layers']._modules['0']._modules['mlp']._modules['up_proj'], 'torch.nn.modules.linear.Linear', here(94711159805376))   # modeling_llama.py:164
#   not ___dict_contains('forward', L['self']._modules['model']._modules['layers']._modules['0']._modules['mlp']._modules['up_proj'].__dict__)   # modeling_llama.py:164
#   type(L['self']._modules['model']._modules['layers']._modules['0']._modules['mlp']._modules['up_proj']._parameters) is dict   # linear.py:134
#   L['self']._modules['model']._modules['layers']._modules['0']._modules['mlp']._modules['up_proj']._parameters['bias'] is None   # linear.py:134
#   tensor_matches(L['self']._modules['model']._modules['layers']._modules['0']._modules['mlp']._modules['up_proj']._parameters['weight'], 'Parameter', torch.float32, device=None, requires_grad=True, size=[64, 32], stride=[32, 1], dispatch_keys='CPU, BackendSelect, ADInplaceOrView, AutogradCPU')   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['0']._modules['mlp']._modules['up_proj']._parameters['weight'], '_dynamo_dynamic_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['0']._modules['mlp']._modules['up_proj']._parameters['weight'], '_dynamo_weak_dynamic_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['0']._modules['mlp']._modules['up_proj']._parameters['weight'], '_dynamo_unbacked_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['0']._modules['mlp']._modules['up_proj']._parameters['weight'], '_dynamo_strict_unbacked_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['0']._modules['mlp']._modules['up_proj']._parameters['weight'], '_dynamo_static_indices') == False   # linear.py:134
#   type_is(L['self']._modules['model']._modules['layers']._modules['0']._modules['mlp']._modules['down_proj'], 'torch.nn.modules.linear.Linear', here(94711159805376))   # modeling_llama.py:164
#   not ___dict_contains('forward', L['self']._modules['model']._modules['layers']._modules['0']._modules['mlp']._modules['down_proj'].__dict__)   # modeling_llama.py:164
#   type(L['self']._modules['model']._modules['layers']._modules['0']._modules['mlp']._modules['down_proj']._parameters) is dict   # linear.py:134
#   L['self']._modules['model']._modules['layers']._modules['0']._modules['mlp']._modules['down_proj']._parameters['bias'] is None   # linear.py:134
#   tensor_matches(L['self']._modules['model']._modules['layers']._modules['0']._modules['mlp']._modules['down_proj']._parameters['weight'], 'Parameter', torch.float32, device=None, requires_grad=True, size=[32, 64], stride=[64, 1], dispatch_keys='CPU, BackendSelect, ADInplaceOrView, AutogradCPU')   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['0']._modules['mlp']._modules['down_proj']._parameters['weight'], '_dynamo_dynamic_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['0']._modules['mlp']._modules['down_proj']._parameters['weight'], '_dynamo_weak_dynamic_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['0']._modules['mlp']._modules['down_proj']._parameters['weight'], '_dynamo_unbacked_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['0']._modules['mlp']._modules['down_proj']._parameters['weight'], '_dynamo_strict_unbacked_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['0']._modules['mlp']._modules['down_proj']._parameters['weight'], '_dynamo_static_indices') == False   # linear.py:134
#   type_is(L['self']._modules['model']._modules['layers']._modules['0']._modules['mlp']._modules['gate_proj'], 'torch.nn.modules.linear.Linear', here(94711159805376))   # modeling_llama.py:164
#   not ___dict_contains('forward', L['self']._modules['model']._modules['layers']._modules['0']._modules['mlp']._modules['gate_proj'].__dict__)   # modeling_llama.py:164
#   type(L['self']._modules['model']._modules['layers']._modules['0']._modules['mlp']._modules['gate_proj']._parameters) is dict   # linear.py:134
#   L['self']._modules['model']._modules['layers']._modules['0']._modules['mlp']._modules['gate_proj']._parameters['bias'] is None   # linear.py:134
#   tensor_matches(L['self']._modules['model']._modules['layers']._modules['0']._modules['mlp']._modules['gate_proj']._parameters['weight'], 'Parameter', torch.float32, device=None, requires_grad=True, size=[64, 32], stride=[32, 1], dispatch_keys='CPU, BackendSelect, ADInplaceOrView, AutogradCPU')   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['0']._modules['mlp']._modules['gate_proj']._parameters['weight'], '_dynamo_dynamic_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['0']._modules['mlp']._modules['gate_proj']._parameters['weight'], '_dynamo_weak_dynamic_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['0']._modules['mlp']._modules['gate_proj']._parameters['weight'], '_dynamo_unbacked_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['0']._modules['mlp']._modules['gate_proj']._parameters['weight'], '_dynamo_strict_unbacked_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['0']._modules['mlp']._modules['gate_proj']._parameters['weight'], '_dynamo_static_indices') == False   # linear.py:134
#   type(L['self']._modules['model']._modules['layers']._modules['0']._modules['mlp']._parameters) is dict   # modeling_llama.py:164
#   type_is(L['self']._modules['model']._modules['layers']._modules['0']._modules['self_attn'], 'transformers.models.llama.modeling_llama.LlamaAttention', here(94711239006656))   # modeling_llama.py:297
#   not ___dict_contains('forward', L['self']._modules['model']._modules['layers']._modules['0']._modules['self_attn'].__dict__)   # modeling_llama.py:297
#   type(L['self']._modules['model']._modules['layers']._modules['0']._modules['self_attn'].num_key_value_groups) is int   # sdpa_attention.py:129
#   equals(L['self']._modules['model']._modules['layers']._modules['0']._modules['self_attn'].num_key_value_groups, 2)   # sdpa_attention.py:129
#   type(L['self']._modules['model']._modules['layers']._modules['0']._modules['self_attn'].is_causal) is bool   # sdpa_attention.py:143
#   equals(L['self']._modules['model']._modules['layers']._modules['0']._modules['self_attn'].scaling, 0.25)   # sdpa_attention.py:193
#   type(L['self']._modules['model']._modules['layers']._modules['0']._modules['self_attn']._modules) is dict   # modeling_llama.py:243
#   type_is(L['self']._modules['model']._modules['layers']._modules['0']._modules['self_attn']._modules['k_proj'], 'torch.nn.modules.linear.Linear', here(94711159805376))   # modeling_llama.py:244
#   not ___dict_contains('forward', L['self']._modules['model']._modules['layers']._modules['0']._modules['self_attn']._modules['k_proj'].__dict__)   # modeling_llama.py:244
#   type(L['self']._modules['model']._modules['layers']._modules['0']._modules['self_attn']._modules['k_proj']._parameters) is dict   # linear.py:134
#   L['self']._modules['model']._modules['layers']._modules['0']._modules['self_attn']._modules['k_proj']._parameters['bias'] is None   # linear.py:134
#   tensor_matches(L['self']._modules['model']._modules['layers']._modules['0']._modules['self_attn']._modules['k_proj']._parameters['weight'], 'Parameter', torch.float32, device=None, requires_grad=True, size=[16, 32], stride=[32, 1], dispatch_keys='CPU, BackendSelect, ADInplaceOrView, AutogradCPU')   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['0']._modules['self_attn']._modules['k_proj']._parameters['weight'], '_dynamo_dynamic_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['0']._modules['self_attn']._modules['k_proj']._parameters['weight'], '_dynamo_weak_dynamic_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['0']._modules['self_attn']._modules['k_proj']._parameters['weight'], '_dynamo_unbacked_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['0']._modules['self_attn']._modules['k_proj']._parameters['weight'], '_dynamo_strict_unbacked_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['0']._modules['self_attn']._modules['k_proj']._parameters['weight'], '_dynamo_static_indices') == False   # linear.py:134
#   type_is(L['self']._modules['model']._modules['layers']._modules['0']._modules['self_attn']._modules['o_proj'], 'torch.nn.modules.linear.Linear', here(94711159805376))   # modeling_llama.py:269
#   not ___dict_contains('forward', L['self']._modules['model']._modules['layers']._modules['0']._modules['self_attn']._modules['o_proj'].__dict__)   # modeling_llama.py:269
#   type(L['self']._modules['model']._modules['layers']._modules['0']._modules['self_attn']._modules['o_proj']._parameters) is dict   # linear.py:134
#   L['self']._modules['model']._modules['layers']._modules['0']._modules['self_attn']._modules['o_proj']._parameters['bias'] is None   # linear.py:134
#   tensor_matches(L['self']._modules['model']._modules['layers']._modules['0']._modules['self_attn']._modules['o_proj']._parameters['weight'], 'Parameter', torch.float32, device=None, requires_grad=True, size=[32, 32], stride=[32, 1], dispatch_keys='CPU, BackendSelect, ADInplaceOrView, AutogradCPU')   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['0']._modules['self_attn']._modules['o_proj']._parameters['weight'], '_dynamo_dynamic_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['0']._modules['self_attn']._modules['o_proj']._parameters['weight'], '_dynamo_weak_dynamic_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['0']._modules['self_attn']._modules['o_proj']._parameters['weight'], '_dynamo_unbacked_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['0']._modules['self_attn']._modules['o_proj']._parameters['weight'], '_dynamo_strict_unbacked_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['0']._modules['self_attn']._modules['o_proj']._parameters['weight'], '_dynamo_static_indices') == False   # linear.py:134
#   type_is(L['self']._modules['model']._modules['layers']._modules['0']._modules['self_attn']._modules['q_proj'], 'torch.nn.modules.linear.Linear', here(94711159805376))   # modeling_llama.py:243
#   not ___dict_contains('forward', L['self']._modules['model']._modules['layers']._modules['0']._modules['self_attn']._modules['q_proj'].__dict__)   # modeling_llama.py:243
#   type(L['self']._modules['model']._modules['layers']._modules['0']._modules['self_attn']._modules['q_proj']._parameters) is dict   # linear.py:134
#   L['self']._modules['model']._modules['layers']._modules['0']._modules['self_attn']._modules['q_proj']._parameters['bias'] is None   # linear.py:134
#   tensor_matches(L['self']._modules['model']._modules['layers']._modules['0']._modules['self_attn']._modules['q_proj']._parameters['weight'], 'Parameter', torch.float32, device=None, requires_grad=True, size=[32, 32], stride=[32, 1], dispatch_keys='CPU, BackendSelect, ADInplaceOrView, AutogradCPU')   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['0']._modules['self_attn']._modules['q_proj']._parameters['weight'], '_dynamo_dynamic_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['0']._modules['self_attn']._modules['q_proj']._parameters['weight'], '_dynamo_weak_dynamic_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['0']._modules['self_attn']._modules['q_proj']._parameters['weight'], '_dynamo_unbacked_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['0']._modules['self_attn']._modules['q_proj']._parameters['weight'], '_dynamo_strict_unbacked_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['0']._modules['self_attn']._modules['q_proj']._parameters['weight'], '_dynamo_static_indices') == False   # linear.py:134
#   type_is(L['self']._modules['model']._modules['layers']._modules['0']._modules['self_attn']._modules['v_proj'], 'torch.nn.modules.linear.Linear', here(94711159805376))   # modeling_llama.py:245
#   not ___dict_contains('forward', L['self']._modules['model']._modules['layers']._modules['0']._modules['self_attn']._modules['v_proj'].__dict__)   # modeling_llama.py:245
#   type(L['self']._modules['model']._modules['layers']._modules['0']._modules['self_attn']._modules['v_proj']._parameters) is dict   # linear.py:134
#   L['self']._modules['model']._modules['layers']._modules['0']._modules['self_attn']._modules['v_proj']._parameters['bias'] is None   # linear.py:134
#   tensor_matches(L['self']._modules['model']._modules['layers']._modules['0']._modules['self_attn']._modules['v_proj']._parameters['weight'], 'Parameter', torch.float32, device=None, requires_grad=True, size=[16, 32], stride=[32, 1], dispatch_keys='CPU, BackendSelect, ADInplaceOrView, AutogradCPU')   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['0']._modules['self_attn']._modules['v_proj']._parameters['weight'], '_dynamo_dynamic_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['0']._modules['self_attn']._modules['v_proj']._parameters['weight'], '_dynamo_weak_dynamic_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['0']._modules['self_attn']._modules['v_proj']._parameters['weight'], '_dynamo_unbacked_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['0']._modules['self_attn']._modules['v_proj']._parameters['weight'], '_dynamo_strict_unbacked_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['0']._modules['self_attn']._modules['v_proj']._parameters['weight'], '_dynamo_static_indices') == False   # linear.py:134
#   equals(L['self']._modules['model']._modules['layers']._modules['0']._modules['self_attn'].head_dim, 16)   # modeling_llama.py:243
#   L['self']._modules['model']._modules['layers']._modules['0']._modules['self_attn'].training is True   # modeling_llama.py:263
#   type(L['self']._modules['model']._modules['layers']._modules['0']._modules['self_attn']._parameters) is dict   # modeling_llama.py:243
#   equals(L['self']._modules['model']._modules['layers']._modules['0']._modules['self_attn'].attention_dropout, 0.0)   # sdpa_attention.py:193
#   type_is(L['self']._modules['model']._modules['layers']._modules['0']._modules['input_layernorm'], 'transformers.models.llama.modeling_llama.LlamaRMSNorm', here(94711239375248))   # modeling_llama.py:295
#   not ___dict_contains('forward', L['self']._modules['model']._modules['layers']._modules['0']._modules['input_layernorm'].__dict__)   # modeling_llama.py:295
#   type(L['self']._modules['model']._modules['layers']._modules['0']._modules['input_layernorm']._parameters) is dict   # modeling_llama.py:66
#   tensor_matches(L['self']._modules['model']._modules['layers']._modules['0']._modules['input_layernorm']._parameters['weight'], 'Parameter', torch.float32, device=None, requires_grad=True, size=[32], stride=[1], dispatch_keys='CPU, BackendSelect, ADInplaceOrView, AutogradCPU')   # modeling_llama.py:66
#   hasattr(L['self']._modules['model']._modules['layers']._modules['0']._modules['input_layernorm']._parameters['weight'], '_dynamo_dynamic_indices') == False   # modeling_llama.py:66
#   hasattr(L['self']._modules['model']._modules['layers']._modules['0']._modules['input_layernorm']._parameters['weight'], '_dynamo_weak_dynamic_indices') == False   # modeling_llama.py:66
#   hasattr(L['self']._modules['model']._modules['layers']._modules['0']._modules['input_layernorm']._parameters['weight'], '_dynamo_unbacked_indices') == False   # modeling_llama.py:66
#   hasattr(L['self']._modules['model']._modules['layers']._modules['0']._modules['input_layernorm']._parameters['weight'], '_dynamo_strict_unbacked_indices') == False   # modeling_llama.py:66
#   hasattr(L['self']._modules['model']._modules['layers']._modules['0']._modules['input_layernorm']._parameters['weight'], '_dynamo_static_indices') == False   # modeling_llama.py:66
#   equals(L['self']._modules['model']._modules['layers']._modules['0']._modules['input_layernorm'].variance_epsilon, 1e-06)   # modeling_llama.py:65
#   type_is(L['self']._modules['model']._modules['layers']._modules['0']._modules['post_attention_layernorm'], 'transformers.models.llama.modeling_llama.LlamaRMSNorm', here(94711239375248))   # modeling_llama.py:310
#   not ___dict_contains('forward', L['self']._modules['model']._modules['layers']._modules['0']._modules['post_attention_layernorm'].__dict__)   # modeling_llama.py:310
#   type(L['self']._modules['model']._modules['layers']._modules['0']._modules['post_attention_layernorm']._parameters) is dict   # modeling_llama.py:66
#   tensor_matches(L['self']._modules['model']._modules['layers']._modules['0']._modules['post_attention_layernorm']._parameters['weight'], 'Parameter', torch.float32, device=None, requires_grad=True, size=[32], stride=[1], dispatch_keys='CPU, BackendSelect, ADInplaceOrView, AutogradCPU')   # modeling_llama.py:66
#   hasattr(L['self']._modules['model']._modules['layers']._modules['0']._modules['post_attention_layernorm']._parameters['weight'], '_dynamo_dynamic_indices') == False   # modeling_llama.py:66
#   hasattr(L['self']._modules['model']._modules['layers']._modules['0']._modules['post_attention_layernorm']._parameters['weight'], '_dynamo_weak_dynamic_indices') == False   # modeling_llama.py:66
#   hasattr(L['self']._modules['model']._modules['layers']._modules['0']._modules['post_attention_layernorm']._parameters['weight'], '_dynamo_unbacked_indices') == False   # modeling_llama.py:66
#   hasattr(L['self']._modules['model']._modules['layers']._modules['0']._modules['post_attention_layernorm']._parameters['weight'], '_dynamo_strict_unbacked_indices') == False   # modeling_llama.py:66
#   hasattr(L['self']._modules['model']._modules['layers']._modules['0']._modules['post_attention_layernorm']._parameters['weight'], '_dynamo_static_indices') == False   # modeling_llama.py:66
#   equals(L['self']._modules['model']._modules['layers']._modules['0']._modules['post_attention_layernorm'].variance_epsilon, 1e-06)   # modeling_llama.py:65
#   type(L['self']._modules['model']._modules['layers']._modules['0']._parameters) is dict   # modeling_llama.py:295
#   dict(type(L['self']._modules['model']._modules['layers']._modules['0']).__mro__[1].__dict__)['gradient_checkpointing'] is False   # modeling_layers.py:93
#   object_is(dict(type(L['self']._modules['model']._modules['layers']._modules['0']).__dict__)['forward'].__closure__[0].cell_contents.__code__, here(140503713955104), 'code')   # modeling_layers.py:121
#   object_is(dict(type(L['self']._modules['model']._modules['layers']._modules['0']).__dict__)['forward'].__closure__[1].cell_contents.__code__, here(94711236288416), 'code')   # modeling_layers.py:92
#   equals(list(dict.keys(L['self']._modules['model']._modules['layers']._modules))[1], '1')   # container.py:384
#   type_is(L['self']._modules['model']._modules['layers']._modules['1'], 'transformers.models.llama.modeling_llama.LlamaDecoderLayer', here(94711239523504))   # module.py:652
#   not ___dict_contains('forward', L['self']._modules['model']._modules['layers']._modules['1'].__dict__)   # modeling_llama.py:392
#   not ___dict_contains('gradient_checkpointing', L['self']._modules['model']._modules['layers']._modules['1'].__dict__)   # modeling_layers.py:93
#   type(L['self']._modules['model']._modules['layers']._modules['1']._modules) is dict   # modeling_llama.py:295
#   type_is(L['self']._modules['model']._modules['layers']._modules['1']._modules['mlp'], 'transformers.models.llama.modeling_llama.LlamaMLP', here(94711239372128))   # modeling_llama.py:311
#   not ___dict_contains('forward', L['self']._modules['model']._modules['layers']._modules['1']._modules['mlp'].__dict__)   # modeling_llama.py:311
#   type(L['self']._modules['model']._modules['layers']._modules['1']._modules['mlp']._modules) is dict   # modeling_llama.py:164
#   type_is(L['self']._modules['model']._modules['layers']._modules['1']._modules['mlp']._modules['act_fn'], 'transformers.activations.SiLUActivation', here(94711225687680))   # modeling_llama.py:164
#   not ___dict_contains('forward', L['self']._modules['model']._modules['layers']._modules['1']._modules['mlp']._modules['act_fn'].__dict__)   # modeling_llama.py:164
#   type_is(L['self']._modules['model']._modules['layers']._modules['1']._modules['mlp']._modules['up_proj'], 'torch.nn.modules.linear.Linear', here(94711159805376))   # modeling_llama.py:164
#   not ___dict_contains('forward', L['self']._modules['model']._modules['layers']._modules['1']._modules['mlp']._modules['up_proj'].__dict__)   # modeling_llama.py:164
#   type(L['self']._modules['model']._modules['layers']._modules['1']._modules['mlp']._modules['up_proj']._parameters) is dict   # linear.py:134
#   L['self']._modules['model']._modules['layers']._modules['1']._modules['mlp']._modules['up_proj']._parameters['bias'] is None   # linear.py:134
#   tensor_matches(L['self']._modules['model']._modules['layers']._modules['1']._modules['mlp']._modules['up_proj']._parameters['weight'], 'Parameter', torch.float32, device=None, requires_grad=True, size=[64, 32], stride=[32, 1], dispatch_keys='CPU, BackendSelect, ADInplaceOrView, AutogradCPU')   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['1']._modules['mlp']._modules['up_proj']._parameters['weight'], '_dynamo_dynamic_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['1']._modules['mlp']._modules['up_proj']._parameters['weight'], '_dynamo_weak_dynamic_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['1']._modules['mlp']._modules['up_proj']._parameters['weight'], '_dynamo_unbacked_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['1']._modules['mlp']._modules['up_proj']._parameters['weight'], '_dynamo_strict_unbacked_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['1']._modules['mlp']._modules['up_proj']._parameters['weight'], '_dynamo_static_indices') == False   # linear.py:134
#   type_is(L['self']._modules['model']._modules['layers']._modules['1']._modules['mlp']._modules['down_proj'], 'torch.nn.modules.linear.Linear', here(94711159805376))   # modeling_llama.py:164
#   not ___dict_contains('forward', L['self']._modules['model']._modules['layers']._modules['1']._modules['mlp']._modules['down_proj'].__dict__)   # modeling_llama.py:164
#   type(L['self']._modules['model']._modules['layers']._modules['1']._modules['mlp']._modules['down_proj']._parameters) is dict   # linear.py:134
#   L['self']._modules['model']._modules['layers']._modules['1']._modules['mlp']._modules['down_proj']._parameters['bias'] is None   # linear.py:134
#   tensor_matches(L['self']._modules['model']._modules['layers']._modules['1']._modules['mlp']._modules['down_proj']._parameters['weight'], 'Parameter', torch.float32, device=None, requires_grad=True, size=[32, 64], stride=[64, 1], dispatch_keys='CPU, BackendSelect, ADInplaceOrView, AutogradCPU')   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['1']._modules['mlp']._modules['down_proj']._parameters['weight'], '_dynamo_dynamic_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['1']._modules['mlp']._modules['down_proj']._parameters['weight'], '_dynamo_weak_dynamic_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['1']._modules['mlp']._modules['down_proj']._parameters['weight'], '_dynamo_unbacked_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['1']._modules['mlp']._modules['down_proj']._parameters['weight'], '_dynamo_strict_unbacked_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['1']._modules['mlp']._modules['down_proj']._parameters['weight'], '_dynamo_static_indices') == False   # linear.py:134
#   type_is(L['self']._modules['model']._modules['layers']._modules['1']._modules['mlp']._modules['gate_proj'], 'torch.nn.modules.linear.Linear', here(94711159805376))   # modeling_llama.py:164
#   not ___dict_contains('forward', L['self']._modules['model']._modules['layers']._modules['1']._modules['mlp']._modules['gate_proj'].__dict__)   # modeling_llama.py:164
#   type(L['self']._modules['model']._modules['layers']._modules['1']._modules['mlp']._modules['gate_proj']._parameters) is dict   # linear.py:134
#   L['self']._modules['model']._modules['layers']._modules['1']._modules['mlp']._modules['gate_proj']._parameters['bias'] is None   # linear.py:134
#   tensor_matches(L['self']._modules['model']._modules['layers']._modules['1']._modules['mlp']._modules['gate_proj']._parameters['weight'], 'Parameter', torch.float32, device=None, requires_grad=True, size=[64, 32], stride=[32, 1], dispatch_keys='CPU, BackendSelect, ADInplaceOrView, AutogradCPU')   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['1']._modules['mlp']._modules['gate_proj']._parameters['weight'], '_dynamo_dynamic_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['1']._modules['mlp']._modules['gate_proj']._parameters['weight'], '_dynamo_weak_dynamic_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['1']._modules['mlp']._modules['gate_proj']._parameters['weight'], '_dynamo_unbacked_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['1']._modules['mlp']._modules['gate_proj']._parameters['weight'], '_dynamo_strict_unbacked_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['1']._modules['mlp']._modules['gate_proj']._parameters['weight'], '_dynamo_static_indices') == False   # linear.py:134
#   type(L['self']._modules['model']._modules['layers']._modules['1']._modules['mlp']._parameters) is dict   # modeling_llama.py:164
#   type_is(L['self']._modules['model']._modules['layers']._modules['1']._modules['self_attn'], 'transformers.models.llama.modeling_llama.LlamaAttention', here(94711239006656))   # modeling_llama.py:297
#   not ___dict_contains('forward', L['self']._modules['model']._modules['layers']._modules['1']._modules['self_attn'].__dict__)   # modeling_llama.py:297
#   type(L['self']._modules['model']._modules['layers']._modules['1']._modules['self_attn'].num_key_value_groups) is int   # sdpa_attention.py:129
#   equals(L['self']._modules['model']._modules['layers']._modules['1']._modules['self_attn'].num_key_value_groups, 2)   # sdpa_attention.py:129
#   type(L['self']._modules['model']._modules['layers']._modules['1']._modules['self_attn'].is_causal) is bool   # sdpa_attention.py:143
#   equals(L['self']._modules['model']._modules['layers']._modules['1']._modules['self_attn'].scaling, 0.25)   # sdpa_attention.py:193
#   type(L['self']._modules['model']._modules['layers']._modules['1']._modules['self_attn']._modules) is dict   # modeling_llama.py:243
#   type_is(L['self']._modules['model']._modules['layers']._modules['1']._modules['self_attn']._modules['k_proj'], 'torch.nn.modules.linear.Linear', here(94711159805376))   # modeling_llama.py:244
#   not ___dict_contains('forward', L['self']._modules['model']._modules['layers']._modules['1']._modules['self_attn']._modules['k_proj'].__dict__)   # modeling_llama.py:244
#   type(L['self']._modules['model']._modules['layers']._modules['1']._modules['self_attn']._modules['k_proj']._parameters) is dict   # linear.py:134
#   L['self']._modules['model']._modules['layers']._modules['1']._modules['self_attn']._modules['k_proj']._parameters['bias'] is None   # linear.py:134
#   tensor_matches(L['self']._modules['model']._modules['layers']._modules['1']._modules['self_attn']._modules['k_proj']._parameters['weight'], 'Parameter', torch.float32, device=None, requires_grad=True, size=[16, 32], stride=[32, 1], dispatch_keys='CPU, BackendSelect, ADInplaceOrView, AutogradCPU')   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['1']._modules['self_attn']._modules['k_proj']._parameters['weight'], '_dynamo_dynamic_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['1']._modules['self_attn']._modules['k_proj']._parameters['weight'], '_dynamo_weak_dynamic_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['1']._modules['self_attn']._modules['k_proj']._parameters['weight'], '_dynamo_unbacked_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['1']._modules['self_attn']._modules['k_proj']._parameters['weight'], '_dynamo_strict_unbacked_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['1']._modules['self_attn']._modules['k_proj']._parameters['weight'], '_dynamo_static_indices') == False   # linear.py:134
#   type_is(L['self']._modules['model']._modules['layers']._modules['1']._modules['self_attn']._modules['o_proj'], 'torch.nn.modules.linear.Linear', here(94711159805376))   # modeling_llama.py:269
#   not ___dict_contains('forward', L['self']._modules['model']._modules['layers']._modules['1']._modules['self_attn']._modules['o_proj'].__dict__)   # modeling_llama.py:269
#   type(L['self']._modules['model']._modules['layers']._modules['1']._modules['self_attn']._modules['o_proj']._parameters) is dict   # linear.py:134
#   L['self']._modules['model']._modules['layers']._modules['1']._modules['self_attn']._modules['o_proj']._parameters['bias'] is None   # linear.py:134
#   tensor_matches(L['self']._modules['model']._modules['layers']._modules['1']._modules['self_attn']._modules['o_proj']._parameters['weight'], 'Parameter', torch.float32, device=None, requires_grad=True, size=[32, 32], stride=[32, 1], dispatch_keys='CPU, BackendSelect, ADInplaceOrView, AutogradCPU')   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['1']._modules['self_attn']._modules['o_proj']._parameters['weight'], '_dynamo_dynamic_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['1']._modules['self_attn']._modules['o_proj']._parameters['weight'], '_dynamo_weak_dynamic_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['1']._modules['self_attn']._modules['o_proj']._parameters['weight'], '_dynamo_unbacked_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['1']._modules['self_attn']._modules['o_proj']._parameters['weight'], '_dynamo_strict_unbacked_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['1']._modules['self_attn']._modules['o_proj']._parameters['weight'], '_dynamo_static_indices') == False   # linear.py:134
#   type_is(L['self']._modules['model']._modules['layers']._modules['1']._modules['self_attn']._modules['q_proj'], 'torch.nn.modules.linear.Linear', here(94711159805376))   # modeling_llama.py:243
#   not ___dict_contains('forward', L['self']._modules['model']._modules['layers']._modules['1']._modules['self_attn']._modules['q_proj'].__dict__)   # modeling_llama.py:243
#   type(L['self']._modules['model']._modules['layers']._modules['1']._modules['self_attn']._modules['q_proj']._parameters) is dict   # linear.py:134
#   L['self']._modules['model']._modules['layers']._modules['1']._modules['self_attn']._modules['q_proj']._parameters['bias'] is None   # linear.py:134
#   tensor_matches(L['self']._modules['model']._modules['layers']._modules['1']._modules['self_attn']._modules['q_proj']._parameters['weight'], 'Parameter', torch.float32, device=None, requires_grad=True, size=[32, 32], stride=[32, 1], dispatch_keys='CPU, BackendSelect, ADInplaceOrView, AutogradCPU')   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['1']._modules['self_attn']._modules['q_proj']._parameters['weight'], '_dynamo_dynamic_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['1']._modules['self_attn']._modules['q_proj']._parameters['weight'], '_dynamo_weak_dynamic_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['1']._modules['self_attn']._modules['q_proj']._parameters['weight'], '_dynamo_unbacked_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['1']._modules['self_attn']._modules['q_proj']._parameters['weight'], '_dynamo_strict_unbacked_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['1']._modules['self_attn']._modules['q_proj']._parameters['weight'], '_dynamo_static_indices') == False   # linear.py:134
#   type_is(L['self']._modules['model']._modules['layers']._modules['1']._modules['self_attn']._modules['v_proj'], 'torch.nn.modules.linear.Linear', here(94711159805376))   # modeling_llama.py:245
#   not ___dict_contains('forward', L['self']._modules['model']._modules['layers']._modules['1']._modules['self_attn']._modules['v_proj'].__dict__)   # modeling_llama.py:245
#   type(L['self']._modules['model']._modules['layers']._modules['1']._modules['self_attn']._modules['v_proj']._parameters) is dict   # linear.py:134
#   L['self']._modules['model']._modules['layers']._modules['1']._modules['self_attn']._modules['v_proj']._parameters['bias'] is None   # linear.py:134
#   tensor_matches(L['self']._modules['model']._modules['layers']._modules['1']._modules['self_attn']._modules['v_proj']._parameters['weight'], 'Parameter', torch.float32, device=None, requires_grad=True, size=[16, 32], stride=[32, 1], dispatch_keys='CPU, BackendSelect, ADInplaceOrView, AutogradCPU')   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['1']._modules['self_attn']._modules['v_proj']._parameters['weight'], '_dynamo_dynamic_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['1']._modules['self_attn']._modules['v_proj']._parameters['weight'], '_dynamo_weak_dynamic_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['1']._modules['self_attn']._modules['v_proj']._parameters['weight'], '_dynamo_unbacked_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['1']._modules['self_attn']._modules['v_proj']._parameters['weight'], '_dynamo_strict_unbacked_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['model']._modules['layers']._modules['1']._modules['self_attn']._modules['v_proj']._parameters['weight'], '_dynamo_static_indices') == False   # linear.py:134
#   equals(L['self']._modules['model']._modules['layers']._modules['1']._modules['self_attn'].head_dim, 16)   # modeling_llama.py:243
#   L['self']._modules['model']._modules['layers']._modules['1']._modules['self_attn'].training is True   # modeling_llama.py:263
#   type(L['self']._modules['model']._modules['layers']._modules['1']._modules['self_attn']._parameters) is dict   # modeling_llama.py:243
#   equals(L['self']._modules['model']._modules['layers']._modules['1']._modules['self_attn'].attention_dropout, 0.0)   # sdpa_attention.py:193
#   type_is(L['self']._modules['model']._modules['layers']._modules['1']._modules['input_layernorm'], 'transformers.models.llama.modeling_llama.LlamaRMSNorm', here(94711239375248))   # modeling_llama.py:295
#   not ___dict_contains('forward', L['self']._modules['model']._modules['layers']._modules['1']._modules['input_layernorm'].__dict__)   # modeling_llama.py:295
#   type(L['self']._modules['model']._modules['layers']._modules['1']._modules['input_layernorm']._parameters) is dict   # modeling_llama.py:66
#   tensor_matches(L['self']._modules['model']._modules['layers']._modules['1']._modules['input_layernorm']._parameters['weight'], 'Parameter', torch.float32, device=None, requires_grad=True, size=[32], stride=[1], dispatch_keys='CPU, BackendSelect, ADInplaceOrView, AutogradCPU')   # modeling_llama.py:66
#   hasattr(L['self']._modules['model']._modules['layers']._modules['1']._modules['input_layernorm']._parameters['weight'], '_dynamo_dynamic_indices') == False   # modeling_llama.py:66
#   hasattr(L['self']._modules['model']._modules['layers']._modules['1']._modules['input_layernorm']._parameters['weight'], '_dynamo_weak_dynamic_indices') == False   # modeling_llama.py:66
#   hasattr(L['self']._modules['model']._modules['layers']._modules['1']._modules['input_layernorm']._parameters['weight'], '_dynamo_unbacked_indices') == False   # modeling_llama.py:66
#   hasattr(L['self']._modules['model']._modules['layers']._modules['1']._modules['input_layernorm']._parameters['weight'], '_dynamo_strict_unbacked_indices') == False   # modeling_llama.py:66
#   hasattr(L['self']._modules['model']._modules['layers']._modules['1']._modules['input_layernorm']._parameters['weight'], '_dynamo_static_indices') == False   # modeling_llama.py:66
#   equals(L['self']._modules['model']._modules['layers']._modules['1']._modules['input_layernorm'].variance_epsilon, 1e-06)   # modeling_llama.py:65
#   type_is(L['self']._modules['model']._modules['layers']._modules['1']._modules['post_attention_layernorm'], 'transformers.models.llama.modeling_llama.LlamaRMSNorm', here(94711239375248))   # modeling_llama.py:310
#   not ___dict_contains('forward', L['self']._modules['model']._modules['layers']._modules['1']._modules['post_attention_layernorm'].__dict__)   # modeling_llama.py:310
#   type(L['self']._modules['model']._modules['layers']._modules['1']._modules['post_attention_layernorm']._parameters) is dict   # modeling_llama.py:66
#   tensor_matches(L['self']._modules['model']._modules['layers']._modules['1']._modules['post_attention_layernorm']._parameters['weight'], 'Parameter', torch.float32, device=None, requires_grad=True, size=[32], stride=[1], dispatch_keys='CPU, BackendSelect, ADInplaceOrView, AutogradCPU')   # modeling_llama.py:66
#   hasattr(L['self']._modules['model']._modules['layers']._modules['1']._modules['post_attention_layernorm']._parameters['weight'], '_dynamo_dynamic_indices') == False   # modeling_llama.py:66
#   hasattr(L['self']._modules['model']._modules['layers']._modules['1']._modules['post_attention_layernorm']._parameters['weight'], '_dynamo_weak_dynamic_indices') == False   # modeling_llama.py:66
#   hasattr(L['self']._modules['model']._modules['layers']._modules['1']._modules['post_attention_layernorm']._parameters['weight'], '_dynamo_unbacked_indices') == False   # modeling_llama.py:66
#   hasattr(L['self']._modules['model']._modules['layers']._modules['1']._modules['post_attention_layernorm']._parameters['weight'], '_dynamo_strict_unbacked_indices') == False   # modeling_llama.py:66
#   hasattr(L['self']._modules['model']._modules['layers']._modules['1']._modules['post_attention_layernorm']._parameters['weight'], '_dynamo_static_indices') == False   # modeling_llama.py:66
#   equals(L['self']._modules['model']._modules['layers']._modules['1']._modules['post_attention_layernorm'].variance_epsilon, 1e-06)   # modeling_llama.py:65
#   type(L['self']._modules['model']._modules['layers']._modules['1']._parameters) is dict   # modeling_llama.py:295
#   object_is(L['self']._modules['model']._modules['layers'].__class__, here(94711159840288), 'torch.nn.modules.container.ModuleList')   # container.py:384
#   L['self']._modules['model']._modules['layers'].__class__.call_super_init is False   # module.py:487
#   type_is(L['self']._modules['model']._modules['rotary_emb'], 'transformers.models.llama.modeling_llama.LlamaRotaryEmbedding', here(94711239261328))   # modeling_llama.py:389
#   not ___dict_contains('forward', L['self']._modules['model']._modules['rotary_emb'].__dict__)   # modeling_llama.py:389
#   type(L['self']._modules['model']._modules['rotary_emb']._buffers) is dict   # modeling_llama.py:111
#   tensor_matches(L['self']._modules['model']._modules['rotary_emb']._buffers['inv_freq'], 'Tensor', torch.float32, device=None, requires_grad=False, size=[8], stride=[1], dispatch_keys='CPU, BackendSelect, ADInplaceOrView, AutogradCPU')   # modeling_llama.py:111
#   hasattr(L['self']._modules['model']._modules['rotary_emb']._buffers['inv_freq'], '_dynamo_dynamic_indices') == False   # modeling_llama.py:111
#   hasattr(L['self']._modules['model']._modules['rotary_emb']._buffers['inv_freq'], '_dynamo_weak_dynamic_indices') == False   # modeling_llama.py:111
#   hasattr(L['self']._modules['model']._modules['rotary_emb']._buffers['inv_freq'], '_dynamo_unbacked_indices') == False   # modeling_llama.py:111
#   hasattr(L['self']._modules['model']._modules['rotary_emb']._buffers['inv_freq'], '_dynamo_strict_unbacked_indices') == False   # modeling_llama.py:111
#   hasattr(L['self']._modules['model']._modules['rotary_emb']._buffers['inv_freq'], '_dynamo_static_indices') == False   # modeling_llama.py:111
#   not_aliased(L['kwargs']['labels'], L['kwargs']['input_ids'], L['self']._modules['model']._modules['rotary_emb']._buffers['inv_freq'])
#   type(L['self']._modules['model']._modules['rotary_emb']._modules) is dict   # modeling_llama.py:111
#   equals(L['self']._modules['model']._modules['rotary_emb'].rope_type, 'default')   # modeling_rope_utils.py:125
#   type(L['self']._modules['model']._modules['rotary_emb']._parameters) is dict   # modeling_llama.py:111
#   equals(L['self']._modules['model']._modules['rotary_emb'].attention_scaling, 1.0)   # modeling_llama.py:113
#   type_is(dict(type(L['self']._modules['model']._modules['rotary_emb']).__dict__)['forward'].__closure__[0].cell_contents, 'method', here(140504400696000))   # _contextlib.py:123
#   object_is(dict(type(L['self']._modules['model']._modules['rotary_emb']).__dict__)['forward'].__closure__[1].cell_contents.__code__, here(140503735682544), 'code')   # _contextlib.py:124
#   type(dict(type(L['self']._modules['model']._modules['rotary_emb']).__dict__)['forward'].__closure__[1].cell_contents.__defaults__) is tuple   # _contextlib.py:124
#   length_is(dict(type(L['self']._modules['model']._modules['rotary_emb']).__dict__)['forward'].__closure__[1].cell_contents.__defaults__, 1)   # _contextlib.py:124
#   dict(type(L['self']._modules['model']._modules['rotary_emb']).__dict__)['forward'].__closure__[1].cell_contents.__defaults__[0] is None   # modeling_rope_utils.py:123
#   object_is(dict(type(L['self']._modules['model']._modules['rotary_emb']).__dict__)['forward'].__closure__[1].cell_contents.__closure__[2].cell_contents.__code__, here(94711235405152), 'code')   # modeling_rope_utils.py:129
#   type_is(L['self']._modules['model']._modules['embed_tokens'], 'torch.nn.modules.sparse.Embedding', here(94711161528960))   # modeling_llama.py:370
#   not ___dict_contains('forward', L['self']._modules['model']._modules['embed_tokens'].__dict__)   # modeling_llama.py:370
#   L['self']._modules['model']._modules['embed_tokens'].sparse is False   # sparse.py:189
#   L['self']._modules['model']._modules['embed_tokens'].max_norm is None   # sparse.py:189
#   equals(L['self']._modules['model']._modules['embed_tokens'].norm_type, 2.0)   # sparse.py:189
#   type(L['self']._modules['model']._modules['embed_tokens']._parameters) is dict   # sparse.py:191
#   tensor_matches(L['self']._modules['model']._modules['embed_tokens']._parameters['weight'], 'Parameter', torch.float32, device=None, requires_grad=True, size=[64, 32], stride=[32, 1], dispatch_keys='CPU, BackendSelect, ADInplaceOrView, AutogradCPU')   # sparse.py:191
#   hasattr(L['self']._modules['model']._modules['embed_tokens']._parameters['weight'], '_dynamo_dynamic_indices') == False   # sparse.py:191
#   hasattr(L['self']._modules['model']._modules['embed_tokens']._parameters['weight'], '_dynamo_weak_dynamic_indices') == False   # sparse.py:191
#   hasattr(L['self']._modules['model']._modules['embed_tokens']._parameters['weight'], '_dynamo_unbacked_indices') == False   # sparse.py:191
#   hasattr(L['self']._modules['model']._modules['embed_tokens']._parameters['weight'], '_dynamo_strict_unbacked_indices') == False   # sparse.py:191
#   hasattr(L['self']._modules['model']._modules['embed_tokens']._parameters['weight'], '_dynamo_static_indices') == False   # sparse.py:191
#   equals(L['self']._modules['model']._modules['embed_tokens'].padding_idx, 0)   # sparse.py:189
#   L['self']._modules['model']._modules['embed_tokens'].scale_grad_by_freq is False   # sparse.py:189
#   type(L['self']._modules['model']._parameters) is dict   # modeling_llama.py:370
#   object_is(L['self']._modules['model'].__class__, here(94711239378144), 'transformers.models.llama.modeling_llama.LlamaModel')   # output_capturing.py:50
#   object_is(dict(type(L['self']._modules['model']).__dict__)['forward'].__closure__[0].cell_contents.__code__, here(94711222970384), 'code')   # generic.py:1029
#   object_is(dict(type(L['self']._modules['model']).__dict__)['forward'].__closure__[0].cell_contents.__closure__[0].cell_contents.__code__, here(94711234128736), 'code')   # output_capturing.py:361
#   type_is(L['self']._modules['lm_head'], 'torch.nn.modules.linear.Linear', here(94711159805376))   # modeling_llama.py:468
#   not ___dict_contains('forward', L['self']._modules['lm_head'].__dict__)   # modeling_llama.py:468
#   type(L['self']._modules['lm_head']._parameters) is dict   # linear.py:134
#   L['self']._modules['lm_head']._parameters['bias'] is None   # linear.py:134
#   tensor_matches(L['self']._modules['lm_head']._parameters['weight'], 'Parameter', torch.float32, device=None, requires_grad=True, size=[64, 32], stride=[32, 1], dispatch_keys='CPU, BackendSelect, ADInplaceOrView, AutogradCPU')   # linear.py:134
#   hasattr(L['self']._modules['lm_head']._parameters['weight'], '_dynamo_dynamic_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['lm_head']._parameters['weight'], '_dynamo_weak_dynamic_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['lm_head']._parameters['weight'], '_dynamo_unbacked_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['lm_head']._parameters['weight'], '_dynamo_strict_unbacked_indices') == False   # linear.py:134
#   hasattr(L['self']._modules['lm_head']._parameters['weight'], '_dynamo_static_indices') == False   # linear.py:134
#   type(L['self']._parameters) is dict   # modeling_llama.py:456
#   not ___dict_contains('loss_function', dict(type(L['self']).__mro__[1].__dict__))   # modeling_llama.py:472
#   object_is(dict(type(L['self']).__mro__[2].__dict__)['loss_function'].fget.__code__, here(140503740487728), 'code')   # modeling_llama.py:472
#   G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].torch.Tensor is G['__import_torch'].Tensor   # generic.py:175
#   G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].torch.Tensor is G['_140504389014192_c20'].Tensor   # generic.py:114
#   G['__import_torch_dot_nn_dot_modules_dot_sparse'].F is G['__import_torch_dot_nn_dot_functional']   # functional.py:5801
#   G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].torch.nn is G['__import_transformers_dot_activations'].nn   # activations.py:103
#   G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].torch is G['__import_torch_dot_nn_dot_functional'].torch   # functional.py:5805
#   G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].torch is G['__import_transformers_dot_masking_utils'].torch   # masking_utils.py:833
#   G['__import_torch_dot_nn_dot_modules_dot_sparse'].F is G['__import_torch_dot_nn_dot_modules_dot_linear'].F   # linear.py:134
#   G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].torch is G['__import_transformers_dot_modeling_utils'].torch   # modeling_utils.py:5111
#   G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].torch.nn is G['__import_transformers_dot_loss_dot_loss_utils'].nn   # loss_utils.py:65
#   G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].torch is G['__import_torch_dot_nn_dot_modules_dot_module'].torch   # module.py:484
#   G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].torch is G['__import_transformers_dot_integrations_dot_sdpa_attention'].torch   # sdpa_attention.py:163
#   G['__import_torch_dot__dynamo_dot_polyfills'].Iterable is G['__import_torch_dot_nn_dot_modules_dot_container'].container_abcs.Iterable   # container.py:492
#   G['__import_torch_dot_nn_dot_modules_dot_sparse'].F is G['__import_transformers_dot_models_dot_llama_dot_modeling_llama'].torch.nn.functional   # sdpa_attention.py:193
#   L['self'].config is L['self']._modules['model'].config   # generic.py:1037
#   L['self'].config is L['self']._modules['model']._modules['layers']._modules['0']._modules['self_attn'].config   # modeling_llama.py:254
#   L['self'].config is L['self']._modules['model']._modules['layers']._modules['1']._modules['self_attn'].config   # modeling_llama.py:254

# ---- Training, wrapper [0/0]: Captured by Dynamo
class Graph_training_0_0_captured_graph(torch.nn.Module):
    def forward(
        self,
        input_ids: "i64[2, 16][16, 1]cpu",
        model_embed_tokens_weight: "f32[64, 32][32, 1]cpu",
        model_rotary_emb_inv_freq: "f32[8][1]cpu",
        model_layers_0_input_layernorm_weight: "f32[32][1]cpu",
        model_layers_0_self_attn_q_proj_weight: "f32[32, 32][32, 1]cpu",
        model_layers_0_self_attn_k_proj_weight: "f32[16, 32][32, 1]cpu",
        model_layers_0_self_attn_v_proj_weight: "f32[16, 32][32, 1]cpu",
        model_layers_0_self_attn_o_proj_weight: "f32[32, 32][32, 1]cpu",
        model_layers_0_post_attention_layernorm_weight: "f32[32][1]cpu",
        model_layers_0_mlp_gate_proj_weight: "f32[64, 32][32, 1]cpu",
        model_layers_0_mlp_up_proj_weight: "f32[64, 32][32, 1]cpu",
        model_layers_0_mlp_down_proj_weight: "f32[32, 64][64, 1]cpu",
        model_layers_1_input_layernorm_weight: "f32[32][1]cpu",
        model_layers_1_self_attn_q_proj_weight: "f32[32, 32][32, 1]cpu",
        model_layers_1_self_attn_k_proj_weight: "f32[16, 32][32, 1]cpu",
        model_layers_1_self_attn_v_proj_weight: "f32[16, 32][32, 1]cpu",
        model_layers_1_self_attn_o_proj_weight: "f32[32, 32][32, 1]cpu",
        model_layers_1_post_attention_layernorm_weight: "f32[32][1]cpu",
        model_layers_1_mlp_gate_proj_weight: "f32[64, 32][32, 1]cpu",
        model_layers_1_mlp_up_proj_weight: "f32[64, 32][32, 1]cpu",
        model_layers_1_mlp_down_proj_weight: "f32[32, 64][64, 1]cpu",
        model_norm_weight: "f32[32][1]cpu",
        lm_head_weight: "f32[64, 32][32, 1]cpu",
        L_kwargs_labels_: "i64[2, 16][16, 1]cpu",
    ):
        l_kwargs_labels_ = L_kwargs_labels_

        # File: modeling_llama.py:370 in forward, code: inputs_embeds: torch.Tensor = self.embed_tokens(input_ids)
        inputs_embeds: "f32[2, 16, 32][512, 32, 1]cpu" = torch.nn.functional.embedding(input_ids, model_embed_tokens_weight, 0, None, 2.0, False, False);  input_ids = model_embed_tokens_weight = None

        # File: modeling_llama.py:377 in forward, code: position_ids = torch.arange(inputs_embeds.shape[1], device=inputs_embeds.device) + past_seen_tokens
        arange: "i64[16][1]cpu" = torch.arange(16, device = device(type='cpu'))
        position_ids: "i64[16][1]cpu" = arange + 0;  arange = None

        # File: modeling_llama.py:378 in forward, code: position_ids = position_ids.unsqueeze(0)
        position_ids_1: "i64[1, 16][16, 1]cpu" = position_ids.unsqueeze(0);  position_ids = None

        # File: masking_utils.py:880 in _preprocess_mask_arguments, code: position_ids = position_ids.expand(batch_size, -1)
        position_ids_2: "i64[2, 16][0, 1]cpu" = position_ids_1.expand(2, -1)

        # File: masking_utils.py:771 in find_packed_sequence_indices, code: first_dummy_value = position_ids[:, :1] - 1  # We just need the diff on this first value to be 1
        getitem: "i64[2, 1][0, 1]cpu" = position_ids_2[(slice(None, None, None), slice(None, 1, None))]
        first_dummy_value: "i64[2, 1][1, 1]cpu" = getitem - 1;  getitem = None

        # File: masking_utils.py:772 in find_packed_sequence_indices, code: position_diff = torch.diff(position_ids, prepend=first_dummy_value, dim=-1)
        position_diff: "i64[2, 16][16, 1]cpu" = torch.diff(position_ids_2, prepend = first_dummy_value, dim = -1);  position_ids_2 = first_dummy_value = None

        # File: masking_utils.py:773 in find_packed_sequence_indices, code: packed_sequence_mask = (position_diff != 1).cumsum(-1)
        ne: "b8[2, 16][16, 1]cpu" = position_diff != 1;  position_diff = None
        packed_sequence_mask: "i64[2, 16][16, 1]cpu" = ne.cumsum(-1);  ne = None

        # File: masking_utils.py:1006 in create_causal_mask, code: mask_factory_function, position_ids.expand(batch_size, -1), packed_sequence_mask
        expand_1: "i64[2, 16][0, 1]cpu" = position_ids_1.expand(2, -1)

        # File: masking_utils.py:543 in sdpa_mask, code: batch_arange = torch.arange(batch_size, device=device)
        batch_arange: "i64[2][1]cpu" = torch.arange(2, device = device(type='cpu'))

        # File: masking_utils.py:544 in sdpa_mask, code: head_arange = torch.arange(1, device=device)
        head_arange: "i64[1][1]cpu" = torch.arange(1, device = device(type='cpu'));  head_arange = None

        # File: masking_utils.py:545 in sdpa_mask, code: q_arange = torch.arange(q_length, device=device) + q_offset
        arange_3: "i64[16][1]cpu" = torch.arange(16, device = device(type='cpu'))
        q_arange: "i64[16][1]cpu" = arange_3 + 0;  arange_3 = None

        # File: masking_utils.py:546 in sdpa_mask, code: kv_arange = torch.arange(kv_length, device=device) + kv_offset
        arange_4: "i64[16][1]cpu" = torch.arange(16, device = device(type='cpu'))
        kv_arange: "i64[16][1]cpu" = arange_4 + 0;  arange_4 = None

        # File: masking_utils.py:403 in _non_vmap_expansion_sdpa, code: batch_indices = batch_indices[:, None, None, None]
        batch_indices: "i64[2, 1, 1, 1][1, 1, 1, 1]cpu" = batch_arange[(slice(None, None, None), None, None, None)];  batch_arange = None

        # File: masking_utils.py:405 in _non_vmap_expansion_sdpa, code: q_indices = q_indices[None, None, :, None]
        q_indices: "i64[1, 1, 16, 1][16, 16, 1, 1]cpu" = q_arange[(None, None, slice(None, None, None), None)];  q_arange = None

        # File: masking_utils.py:406 in _non_vmap_expansion_sdpa, code: kv_indices = kv_indices[None, None, None, :]
        kv_indices: "i64[1, 1, 1, 16][16, 16, 16, 1]cpu" = kv_arange[(None, None, None, slice(None, None, None))];  kv_arange = None

        # File: masking_utils.py:50 in and_mask, code: result = q_idx.new_ones((), dtype=torch.bool)
        result: "b8[][]cpu" = q_indices.new_ones((), dtype = torch.bool)

        # File: masking_utils.py:188 in inner_mask, code: return packed_sequence_mask[batch_idx, q_idx] == packed_sequence_mask[batch_idx, kv_idx]
        getitem_5: "i64[2, 1, 16, 1][16, 16, 1, 1]cpu" = packed_sequence_mask[(batch_indices, q_indices)]
        getitem_6: "i64[2, 1, 1, 16][16, 16, 16, 1]cpu" = packed_sequence_mask[(batch_indices, kv_indices)];  packed_sequence_mask = None
        eq: "b8[2, 1, 16, 16][256, 256, 16, 1]cpu" = getitem_5 == getitem_6;  getitem_5 = getitem_6 = None

        # File: masking_utils.py:52 in and_mask, code: result = result & mask(batch_idx, head_idx, q_idx, kv_idx).to(result.device)
        to: "b8[2, 1, 16, 16][256, 256, 16, 1]cpu" = eq.to(device(type='cpu'));  eq = None
        result_1: "b8[2, 1, 16, 16][256, 256, 16, 1]cpu" = result & to;  result = to = None

        # File: masking_utils.py:203 in inner_mask, code: return mask_function(batch_idx, head_idx, position_ids[batch_idx, q_idx], position_ids[batch_idx, kv_idx])
        getitem_7: "i64[2, 1, 16, 1][16, 16, 1, 1]cpu" = expand_1[(batch_indices, q_indices)];  q_indices = None
        getitem_8: "i64[2, 1, 1, 16][16, 16, 16, 1]cpu" = expand_1[(batch_indices, kv_indices)];  expand_1 = batch_indices = kv_indices = None

        # File: masking_utils.py:76 in causal_mask_function, code: return kv_idx <= q_idx
        le: "b8[2, 1, 16, 16][256, 256, 16, 1]cpu" = getitem_8 <= getitem_7;  getitem_8 = getitem_7 = None

        # File: masking_utils.py:52 in and_mask, code: result = result & mask(batch_idx, head_idx, q_idx, kv_idx).to(result.device)
        to_1: "b8[2, 1, 16, 16][256, 256, 16, 1]cpu" = le.to(device(type='cpu'));  le = None
        result_2: "b8[2, 1, 16, 16][256, 256, 16, 1]cpu" = result_1 & to_1;  result_1 = to_1 = None

        # File: masking_utils.py:554 in sdpa_mask, code: attention_mask = attention_mask.expand(batch_size, -1, q_length, kv_length)
        attention_mask: "b8[2, 1, 16, 16][256, 256, 16, 1]cpu" = result_2.expand(2, -1, 16, 16);  result_2 = None

        # No stacktrace found for following nodes
        _set_grad_enabled = torch._C._set_grad_enabled(False);  _set_grad_enabled = None

        # File: modeling_llama.py:111 in forward, code: freqs = position_ids[..., None].float() * self.inv_freq.to(device=x.device, dtype=torch.float)
        getitem_9: "i64[1, 16, 1][16, 1, 1]cpu" = position_ids_1[(Ellipsis, None)];  position_ids_1 = None
        float_1: "f32[1, 16, 1][16, 1, 1]cpu" = getitem_9.float();  getitem_9 = None
        to_2: "f32[8][1]cpu" = model_rotary_emb_inv_freq.to(device = device(type='cpu'), dtype = torch.float32);  model_rotary_emb_inv_freq = None
        freqs: "f32[1, 16, 8][128, 8, 1]cpu" = float_1 * to_2;  float_1 = to_2 = None

        # File: modeling_llama.py:112 in forward, code: emb = torch.cat((freqs, freqs), dim=-1)
        emb: "f32[1, 16, 16][256, 16, 1]cpu" = torch.cat((freqs, freqs), dim = -1);  freqs = None

        # File: modeling_llama.py:113 in forward, code: cos = emb.cos() * self.attention_scaling
        cos: "f32[1, 16, 16][256, 16, 1]cpu" = emb.cos()
        cos_1: "f32[1, 16, 16][256, 16, 1]cpu" = cos * 1.0;  cos = None

        # File: modeling_llama.py:114 in forward, code: sin = emb.sin() * self.attention_scaling
        sin: "f32[1, 16, 16][256, 16, 1]cpu" = emb.sin();  emb = None
        sin_1: "f32[1, 16, 16][256, 16, 1]cpu" = sin * 1.0;  sin = None

        # File: modeling_llama.py:116 in forward, code: return cos.to(dtype=x.dtype), sin.to(dtype=x.dtype)
        cos_2: "f32[1, 16, 16][256, 16, 1]cpu" = cos_1.to(dtype = torch.float32);  cos_1 = None
        sin_2: "f32[1, 16, 16][256, 16, 1]cpu" = sin_1.to(dtype = torch.float32);  sin_1 = None

        # No stacktrace found for following nodes
        _set_grad_enabled_1 = torch._C._set_grad_enabled(True);  _set_grad_enabled_1 = None

        # File: modeling_llama.py:391 in forward, code: for decoder_layer in self.layers[: self.config.num_hidden_layers]:
        _log_api_usage_once = torch._C._log_api_usage_once('python.nn_module');  _log_api_usage_once = None

        # File: modeling_llama.py:63 in forward, code: hidden_states = hidden_states.to(torch.float32)
        hidden_states: "f32[2, 16, 32][512, 32, 1]cpu" = inputs_embeds.to(torch.float32)

        # File: modeling_llama.py:64 in forward, code: variance = hidden_states.pow(2).mean(-1, keepdim=True)
        pow_1: "f32[2, 16, 32][512, 32, 1]cpu" = hidden_states.pow(2)
        variance: "f32[2, 16, 1][16, 1, 1]cpu" = pow_1.mean(-1, keepdim = True);  pow_1 = None

        # File: modeling_llama.py:65 in forward, code: hidden_states = hidden_states * torch.rsqrt(variance + self.variance_epsilon)
        add_3: "f32[2, 16, 1][16, 1, 1]cpu" = variance + 1e-06;  variance = None
        rsqrt: "f32[2, 16, 1][16, 1, 1]cpu" = torch.rsqrt(add_3);  add_3 = None
        hidden_states_1: "f32[2, 16, 32][512, 32, 1]cpu" = hidden_states * rsqrt;  hidden_states = rsqrt = None

        # File: modeling_llama.py:66 in forward, code: return self.weight * hidden_states.to(input_dtype)
        to_6: "f32[2, 16, 32][512, 32, 1]cpu" = hidden_states_1.to(torch.float32);  hidden_states_1 = None
        hidden_states_2: "f32[2, 16, 32][512, 32, 1]cpu" = model_layers_0_input_layernorm_weight * to_6;  model_layers_0_input_layernorm_weight = to_6 = None

        # File: modeling_llama.py:243 in forward, code: query_states = self.q_proj(hidden_states).view(hidden_shape).transpose(1, 2)
        linear: "f32[2, 16, 32][512, 32, 1]cpu" = torch._C._nn.linear(hidden_states_2, model_layers_0_self_attn_q_proj_weight, None);  model_layers_0_self_attn_q_proj_weight = None
        view: "f32[2, 16, 2, 16][512, 32, 16, 1]cpu" = linear.view((2, 16, -1, 16));  linear = None
        query_states: "f32[2, 2, 16, 16][512, 16, 32, 1]cpu" = view.transpose(1, 2);  view = None

        # File: modeling_llama.py:244 in forward, code: key_states = self.k_proj(hidden_states).view(hidden_shape).transpose(1, 2)
        linear_1: "f32[2, 16, 16][256, 16, 1]cpu" = torch._C._nn.linear(hidden_states_2, model_layers_0_self_attn_k_proj_weight, None);  model_layers_0_self_attn_k_proj_weight = None
        view_1: "f32[2, 16, 1, 16][256, 16, 16, 1]cpu" = linear_1.view((2, 16, -1, 16));  linear_1 = None
        key_states: "f32[2, 1, 16, 16][256, 16, 16, 1]cpu" = view_1.transpose(1, 2);  view_1 = None

        # File: modeling_llama.py:245 in forward, code: value_states = self.v_proj(hidden_states).view(hidden_shape).transpose(1, 2)
        linear_2: "f32[2, 16, 16][256, 16, 1]cpu" = torch._C._nn.linear(hidden_states_2, model_layers_0_self_attn_v_proj_weight, None);  hidden_states_2 = model_layers_0_self_attn_v_proj_weight = None
        view_2: "f32[2, 16, 1, 16][256, 16, 16, 1]cpu" = linear_2.view((2, 16, -1, 16));  linear_2 = None
        value_states: "f32[2, 1, 16, 16][256, 16, 16, 1]cpu" = view_2.transpose(1, 2);  view_2 = None

        # File: modeling_llama.py:145 in apply_rotary_pos_emb, code: cos = cos.unsqueeze(unsqueeze_dim)
        cos_3: "f32[1, 1, 16, 16][256, 256, 16, 1]cpu" = cos_2.unsqueeze(1)

        # File: modeling_llama.py:146 in apply_rotary_pos_emb, code: sin = sin.unsqueeze(unsqueeze_dim)
        sin_3: "f32[1, 1, 16, 16][256, 256, 16, 1]cpu" = sin_2.unsqueeze(1)

        # File: modeling_llama.py:147 in apply_rotary_pos_emb, code: q_embed = (q * cos) + (rotate_half(q) * sin)
        mul_5: "f32[2, 2, 16, 16][512, 16, 32, 1]cpu" = query_states * cos_3

        # File: modeling_llama.py:121 in rotate_half, code: x1 = x[..., : x.shape[-1] // 2]
        x1: "f32[2, 2, 16, 8][512, 16, 32, 1]cpu" = query_states[(Ellipsis, slice(None, 8, None))]

        # File: modeling_llama.py:122 in rotate_half, code: x2 = x[..., x.shape[-1] // 2 :]
        x2: "f32[2, 2, 16, 8][512, 16, 32, 1]cpu" = query_states[(Ellipsis, slice(8, None, None))];  query_states = None

        # File: modeling_llama.py:123 in rotate_half, code: return torch.cat((-x2, x1), dim=-1)
        neg: "f32[2, 2, 16, 8][256, 8, 16, 1]cpu" = -x2;  x2 = None
        cat_1: "f32[2, 2, 16, 16][512, 256, 16, 1]cpu" = torch.cat((neg, x1), dim = -1);  neg = x1 = None

        # File: modeling_llama.py:147 in apply_rotary_pos_emb, code: q_embed = (q * cos) + (rotate_half(q) * sin)
        mul_6: "f32[2, 2, 16, 16][512, 256, 16, 1]cpu" = cat_1 * sin_3;  cat_1 = None
        q_embed: "f32[2, 2, 16, 16][512, 16, 32, 1]cpu" = mul_5 + mul_6;  mul_5 = mul_6 = None

        # File: modeling_llama.py:148 in apply_rotary_pos_emb, code: k_embed = (k * cos) + (rotate_half(k) * sin)
        mul_7: "f32[2, 1, 16, 16][256, 16, 16, 1]cpu" = key_states * cos_3;  cos_3 = None

        # File: modeling_llama.py:121 in rotate_half, code: x1 = x[..., : x.shape[-1] // 2]
        x1_1: "f32[2, 1, 16, 8][256, 16, 16, 1]cpu" = key_states[(Ellipsis, slice(None, 8, None))]

        # File: modeling_llama.py:122 in rotate_half, code: x2 = x[..., x.shape[-1] // 2 :]
        x2_1: "f32[2, 1, 16, 8][256, 16, 16, 1]cpu" = key_states[(Ellipsis, slice(8, None, None))];  key_states = None

        # File: modeling_llama.py:123 in rotate_half, code: return torch.cat((-x2, x1), dim=-1)
        neg_1: "f32[2, 1, 16, 8][128, 8, 8, 1]cpu" = -x2_1;  x2_1 = None
        cat_2: "f32[2, 1, 16, 16][256, 256, 16, 1]cpu" = torch.cat((neg_1, x1_1), dim = -1);  neg_1 = x1_1 = None

        # File: modeling_llama.py:148 in apply_rotary_pos_emb, code: k_embed = (k * cos) + (rotate_half(k) * sin)
        mul_8: "f32[2, 1, 16, 16][256, 256, 16, 1]cpu" = cat_2 * sin_3;  cat_2 = sin_3 = None
        k_embed: "f32[2, 1, 16, 16][256, 16, 16, 1]cpu" = mul_7 + mul_8;  mul_7 = mul_8 = None

        # File: sdpa_attention.py:28 in repeat_kv, code: hidden_states = hidden_states[:, :, None, :, :].expand(batch, num_key_value_heads, n_rep, slen, head_dim)
        getitem_14: "f32[2, 1, 1, 16, 16][256, 16, 256, 16, 1]cpu" = k_embed[(slice(None, None, None), slice(None, None, None), None, slice(None, None, None), slice(None, None, None))];  k_embed = None
        hidden_states_3: "f32[2, 1, 2, 16, 16][256, 16, 0, 16, 1]cpu" = getitem_14.expand(2, 1, 2, 16, 16);  getitem_14 = None

        # File: sdpa_attention.py:29 in repeat_kv, code: return hidden_states.reshape(batch, num_key_value_heads * n_rep, slen, head_dim)
        key: "f32[2, 2, 16, 16][256, 0, 16, 1]cpu" = hidden_states_3.reshape(2, 2, 16, 16);  hidden_states_3 = None

        # File: sdpa_attention.py:28 in repeat_kv, code: hidden_states = hidden_states[:, :, None, :, :].expand(batch, num_key_value_heads, n_rep, slen, head_dim)
        getitem_15: "f32[2, 1, 1, 16, 16][256, 16, 256, 16, 1]cpu" = value_states[(slice(None, None, None), slice(None, None, None), None, slice(None, None, None), slice(None, None, None))];  value_states = None
        hidden_states_4: "f32[2, 1, 2, 16, 16][256, 16, 0, 16, 1]cpu" = getitem_15.expand(2, 1, 2, 16, 16);  getitem_15 = None

        # File: sdpa_attention.py:29 in repeat_kv, code: return hidden_states.reshape(batch, num_key_value_heads * n_rep, slen, head_dim)
        value: "f32[2, 2, 16, 16][256, 0, 16, 1]cpu" = hidden_states_4.reshape(2, 2, 16, 16);  hidden_states_4 = None

        # File: sdpa_attention.py:193 in sdpa_attention_forward, code: attn_output = torch.nn.functional.scaled_dot_product_attention(
        attn_output: "f32[2, 2, 16, 16][512, 16, 32, 1]cpu" = torch._C._nn.scaled_dot_product_attention(q_embed, key, value, attn_mask = attention_mask, dropout_p = 0.0, scale = 0.25, is_causal = False);  q_embed = key = value = None

        # File: sdpa_attention.py:205 in sdpa_attention_forward, code: attn_output = attn_output.reshape(attn_output.shape[0], -1, q_length, value.shape[-1])
        attn_output_1: "f32[2, 2, 16, 16][512, 16, 32, 1]cpu" = attn_output.reshape(2, -1, 16, 16);  attn_output = None

        # File: sdpa_attention.py:206 in sdpa_attention_forward, code: attn_output = attn_output.transpose(1, 2).contiguous()
        transpose_3: "f32[2, 16, 2, 16][512, 32, 16, 1]cpu" = attn_output_1.transpose(1, 2);  attn_output_1 = None
        attn_output_2: "f32[2, 16, 2, 16][512, 32, 16, 1]cpu" = transpose_3.contiguous();  transpose_3 = None

        # File: modeling_llama.py:268 in forward, code: attn_output = attn_output.reshape(*input_shape, -1).contiguous()
        reshape_3: "f32[2, 16, 32][512, 32, 1]cpu" = attn_output_2.reshape(2, 16, -1);  attn_output_2 = None
        attn_output_3: "f32[2, 16, 32][512, 32, 1]cpu" = reshape_3.contiguous();  reshape_3 = None

        # File: modeling_llama.py:269 in forward, code: attn_output = self.o_proj(attn_output)
        attn_output_4: "f32[2, 16, 32][512, 32, 1]cpu" = torch._C._nn.linear(attn_output_3, model_layers_0_self_attn_o_proj_weight, None);  attn_output_3 = model_layers_0_self_attn_o_proj_weight = None

        # File: modeling_llama.py:306 in forward, code: hidden_states = residual + hidden_states
        hidden_states_5: "f32[2, 16, 32][512, 32, 1]cpu" = inputs_embeds + attn_output_4;  inputs_embeds = attn_output_4 = None

        # File: modeling_llama.py:63 in forward, code: hidden_states = hidden_states.to(torch.float32)
        hidden_states_6: "f32[2, 16, 32][512, 32, 1]cpu" = hidden_states_5.to(torch.float32)

        # File: modeling_llama.py:64 in forward, code: variance = hidden_states.pow(2).mean(-1, keepdim=True)
        pow_2: "f32[2, 16, 32][512, 32, 1]cpu" = hidden_states_6.pow(2)
        variance_1: "f32[2, 16, 1][16, 1, 1]cpu" = pow_2.mean(-1, keepdim = True);  pow_2 = None

        # File: modeling_llama.py:65 in forward, code: hidden_states = hidden_states * torch.rsqrt(variance + self.variance_epsilon)
        add_7: "f32[2, 16, 1][16, 1, 1]cpu" = variance_1 + 1e-06;  variance_1 = None
        rsqrt_1: "f32[2, 16, 1][16, 1, 1]cpu" = torch.rsqrt(add_7);  add_7 = None
        hidden_states_7: "f32[2, 16, 32][512, 32, 1]cpu" = hidden_states_6 * rsqrt_1;  hidden_states_6 = rsqrt_1 = None

        # File: modeling_llama.py:66 in forward, code: return self.weight * hidden_states.to(input_dtype)
        to_8: "f32[2, 16, 32][512, 32, 1]cpu" = hidden_states_7.to(torch.float32);  hidden_states_7 = None
        hidden_states_8: "f32[2, 16, 32][512, 32, 1]cpu" = model_layers_0_post_attention_layernorm_weight * to_8;  model_layers_0_post_attention_layernorm_weight = to_8 = None

        # File: modeling_llama.py:164 in forward, code: down_proj = self.down_proj(self.act_fn(self.gate_proj(x)) * self.up_proj(x))
        linear_4: "f32[2, 16, 64][1024, 64, 1]cpu" = torch._C._nn.linear(hidden_states_8, model_layers_0_mlp_gate_proj_weight, None);  model_layers_0_mlp_gate_proj_weight = None

        # File: activations.py:103 in forward, code: return nn.functional.silu(input)
        silu: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.nn.functional.silu(linear_4);  linear_4 = None

        # File: modeling_llama.py:164 in forward, code: down_proj = self.down_proj(self.act_fn(self.gate_proj(x)) * self.up_proj(x))
        linear_5: "f32[2, 16, 64][1024, 64, 1]cpu" = torch._C._nn.linear(hidden_states_8, model_layers_0_mlp_up_proj_weight, None);  hidden_states_8 = model_layers_0_mlp_up_proj_weight = None
        mul_11: "f32[2, 16, 64][1024, 64, 1]cpu" = silu * linear_5;  silu = linear_5 = None
        down_proj: "f32[2, 16, 32][512, 32, 1]cpu" = torch._C._nn.linear(mul_11, model_layers_0_mlp_down_proj_weight, None);  mul_11 = model_layers_0_mlp_down_proj_weight = None

        # File: modeling_llama.py:312 in forward, code: hidden_states = residual + hidden_states
        hidden_states_9: "f32[2, 16, 32][512, 32, 1]cpu" = hidden_states_5 + down_proj;  hidden_states_5 = down_proj = None

        # File: modeling_llama.py:63 in forward, code: hidden_states = hidden_states.to(torch.float32)
        hidden_states_10: "f32[2, 16, 32][512, 32, 1]cpu" = hidden_states_9.to(torch.float32)

        # File: modeling_llama.py:64 in forward, code: variance = hidden_states.pow(2).mean(-1, keepdim=True)
        pow_3: "f32[2, 16, 32][512, 32, 1]cpu" = hidden_states_10.pow(2)
        variance_2: "f32[2, 16, 1][16, 1, 1]cpu" = pow_3.mean(-1, keepdim = True);  pow_3 = None

        # File: modeling_llama.py:65 in forward, code: hidden_states = hidden_states * torch.rsqrt(variance + self.variance_epsilon)
        add_9: "f32[2, 16, 1][16, 1, 1]cpu" = variance_2 + 1e-06;  variance_2 = None
        rsqrt_2: "f32[2, 16, 1][16, 1, 1]cpu" = torch.rsqrt(add_9);  add_9 = None
        hidden_states_11: "f32[2, 16, 32][512, 32, 1]cpu" = hidden_states_10 * rsqrt_2;  hidden_states_10 = rsqrt_2 = None

        # File: modeling_llama.py:66 in forward, code: return self.weight * hidden_states.to(input_dtype)
        to_10: "f32[2, 16, 32][512, 32, 1]cpu" = hidden_states_11.to(torch.float32);  hidden_states_11 = None
        hidden_states_12: "f32[2, 16, 32][512, 32, 1]cpu" = model_layers_1_input_layernorm_weight * to_10;  model_layers_1_input_layernorm_weight = to_10 = None

        # File: modeling_llama.py:243 in forward, code: query_states = self.q_proj(hidden_states).view(hidden_shape).transpose(1, 2)
        linear_7: "f32[2, 16, 32][512, 32, 1]cpu" = torch._C._nn.linear(hidden_states_12, model_layers_1_self_attn_q_proj_weight, None);  model_layers_1_self_attn_q_proj_weight = None
        view_3: "f32[2, 16, 2, 16][512, 32, 16, 1]cpu" = linear_7.view((2, 16, -1, 16));  linear_7 = None
        query_states_1: "f32[2, 2, 16, 16][512, 16, 32, 1]cpu" = view_3.transpose(1, 2);  view_3 = None

        # File: modeling_llama.py:244 in forward, code: key_states = self.k_proj(hidden_states).view(hidden_shape).transpose(1, 2)
        linear_8: "f32[2, 16, 16][256, 16, 1]cpu" = torch._C._nn.linear(hidden_states_12, model_layers_1_self_attn_k_proj_weight, None);  model_layers_1_self_attn_k_proj_weight = None
        view_4: "f32[2, 16, 1, 16][256, 16, 16, 1]cpu" = linear_8.view((2, 16, -1, 16));  linear_8 = None
        key_states_1: "f32[2, 1, 16, 16][256, 16, 16, 1]cpu" = view_4.transpose(1, 2);  view_4 = None

        # File: modeling_llama.py:245 in forward, code: value_states = self.v_proj(hidden_states).view(hidden_shape).transpose(1, 2)
        linear_9: "f32[2, 16, 16][256, 16, 1]cpu" = torch._C._nn.linear(hidden_states_12, model_layers_1_self_attn_v_proj_weight, None);  hidden_states_12 = model_layers_1_self_attn_v_proj_weight = None
        view_5: "f32[2, 16, 1, 16][256, 16, 16, 1]cpu" = linear_9.view((2, 16, -1, 16));  linear_9 = None
        value_states_1: "f32[2, 1, 16, 16][256, 16, 16, 1]cpu" = view_5.transpose(1, 2);  view_5 = None

        # File: modeling_llama.py:145 in apply_rotary_pos_emb, code: cos = cos.unsqueeze(unsqueeze_dim)
        cos_4: "f32[1, 1, 16, 16][256, 256, 16, 1]cpu" = cos_2.unsqueeze(1);  cos_2 = None

        # File: modeling_llama.py:146 in apply_rotary_pos_emb, code: sin = sin.unsqueeze(unsqueeze_dim)
        sin_4: "f32[1, 1, 16, 16][256, 256, 16, 1]cpu" = sin_2.unsqueeze(1);  sin_2 = None

        # File: modeling_llama.py:147 in apply_rotary_pos_emb, code: q_embed = (q * cos) + (rotate_half(q) * sin)
        mul_14: "f32[2, 2, 16, 16][512, 16, 32, 1]cpu" = query_states_1 * cos_4

        # File: modeling_llama.py:121 in rotate_half, code: x1 = x[..., : x.shape[-1] // 2]
        x1_2: "f32[2, 2, 16, 8][512, 16, 32, 1]cpu" = query_states_1[(Ellipsis, slice(None, 8, None))]

        # File: modeling_llama.py:122 in rotate_half, code: x2 = x[..., x.shape[-1] // 2 :]
        x2_2: "f32[2, 2, 16, 8][512, 16, 32, 1]cpu" = query_states_1[(Ellipsis, slice(8, None, None))];  query_states_1 = None

        # File: modeling_llama.py:123 in rotate_half, code: return torch.cat((-x2, x1), dim=-1)
        neg_2: "f32[2, 2, 16, 8][256, 8, 16, 1]cpu" = -x2_2;  x2_2 = None
        cat_3: "f32[2, 2, 16, 16][512, 256, 16, 1]cpu" = torch.cat((neg_2, x1_2), dim = -1);  neg_2 = x1_2 = None

        # File: modeling_llama.py:147 in apply_rotary_pos_emb, code: q_embed = (q * cos) + (rotate_half(q) * sin)
        mul_15: "f32[2, 2, 16, 16][512, 256, 16, 1]cpu" = cat_3 * sin_4;  cat_3 = None
        q_embed_1: "f32[2, 2, 16, 16][512, 16, 32, 1]cpu" = mul_14 + mul_15;  mul_14 = mul_15 = None

        # File: modeling_llama.py:148 in apply_rotary_pos_emb, code: k_embed = (k * cos) + (rotate_half(k) * sin)
        mul_16: "f32[2, 1, 16, 16][256, 16, 16, 1]cpu" = key_states_1 * cos_4;  cos_4 = None

        # File: modeling_llama.py:121 in rotate_half, code: x1 = x[..., : x.shape[-1] // 2]
        x1_3: "f32[2, 1, 16, 8][256, 16, 16, 1]cpu" = key_states_1[(Ellipsis, slice(None, 8, None))]

        # File: modeling_llama.py:122 in rotate_half, code: x2 = x[..., x.shape[-1] // 2 :]
        x2_3: "f32[2, 1, 16, 8][256, 16, 16, 1]cpu" = key_states_1[(Ellipsis, slice(8, None, None))];  key_states_1 = None

        # File: modeling_llama.py:123 in rotate_half, code: return torch.cat((-x2, x1), dim=-1)
        neg_3: "f32[2, 1, 16, 8][128, 8, 8, 1]cpu" = -x2_3;  x2_3 = None
        cat_4: "f32[2, 1, 16, 16][256, 256, 16, 1]cpu" = torch.cat((neg_3, x1_3), dim = -1);  neg_3 = x1_3 = None

        # File: modeling_llama.py:148 in apply_rotary_pos_emb, code: k_embed = (k * cos) + (rotate_half(k) * sin)
        mul_17: "f32[2, 1, 16, 16][256, 256, 16, 1]cpu" = cat_4 * sin_4;  cat_4 = sin_4 = None
        k_embed_1: "f32[2, 1, 16, 16][256, 16, 16, 1]cpu" = mul_16 + mul_17;  mul_16 = mul_17 = None

        # File: sdpa_attention.py:28 in repeat_kv, code: hidden_states = hidden_states[:, :, None, :, :].expand(batch, num_key_value_heads, n_rep, slen, head_dim)
        getitem_20: "f32[2, 1, 1, 16, 16][256, 16, 256, 16, 1]cpu" = k_embed_1[(slice(None, None, None), slice(None, None, None), None, slice(None, None, None), slice(None, None, None))];  k_embed_1 = None
        hidden_states_13: "f32[2, 1, 2, 16, 16][256, 16, 0, 16, 1]cpu" = getitem_20.expand(2, 1, 2, 16, 16);  getitem_20 = None

        # File: sdpa_attention.py:29 in repeat_kv, code: return hidden_states.reshape(batch, num_key_value_heads * n_rep, slen, head_dim)
        key_1: "f32[2, 2, 16, 16][256, 0, 16, 1]cpu" = hidden_states_13.reshape(2, 2, 16, 16);  hidden_states_13 = None

        # File: sdpa_attention.py:28 in repeat_kv, code: hidden_states = hidden_states[:, :, None, :, :].expand(batch, num_key_value_heads, n_rep, slen, head_dim)
        getitem_21: "f32[2, 1, 1, 16, 16][256, 16, 256, 16, 1]cpu" = value_states_1[(slice(None, None, None), slice(None, None, None), None, slice(None, None, None), slice(None, None, None))];  value_states_1 = None
        hidden_states_14: "f32[2, 1, 2, 16, 16][256, 16, 0, 16, 1]cpu" = getitem_21.expand(2, 1, 2, 16, 16);  getitem_21 = None

        # File: sdpa_attention.py:29 in repeat_kv, code: return hidden_states.reshape(batch, num_key_value_heads * n_rep, slen, head_dim)
        value_1: "f32[2, 2, 16, 16][256, 0, 16, 1]cpu" = hidden_states_14.reshape(2, 2, 16, 16);  hidden_states_14 = None

        # File: sdpa_attention.py:193 in sdpa_attention_forward, code: attn_output = torch.nn.functional.scaled_dot_product_attention(
        attn_output_5: "f32[2, 2, 16, 16][512, 16, 32, 1]cpu" = torch._C._nn.scaled_dot_product_attention(q_embed_1, key_1, value_1, attn_mask = attention_mask, dropout_p = 0.0, scale = 0.25, is_causal = False);  q_embed_1 = key_1 = value_1 = attention_mask = None

        # File: sdpa_attention.py:205 in sdpa_attention_forward, code: attn_output = attn_output.reshape(attn_output.shape[0], -1, q_length, value.shape[-1])
        attn_output_6: "f32[2, 2, 16, 16][512, 16, 32, 1]cpu" = attn_output_5.reshape(2, -1, 16, 16);  attn_output_5 = None

        # File: sdpa_attention.py:206 in sdpa_attention_forward, code: attn_output = attn_output.transpose(1, 2).contiguous()
        transpose_7: "f32[2, 16, 2, 16][512, 32, 16, 1]cpu" = attn_output_6.transpose(1, 2);  attn_output_6 = None
        attn_output_7: "f32[2, 16, 2, 16][512, 32, 16, 1]cpu" = transpose_7.contiguous();  transpose_7 = None

        # File: modeling_llama.py:268 in forward, code: attn_output = attn_output.reshape(*input_shape, -1).contiguous()
        reshape_7: "f32[2, 16, 32][512, 32, 1]cpu" = attn_output_7.reshape(2, 16, -1);  attn_output_7 = None
        attn_output_8: "f32[2, 16, 32][512, 32, 1]cpu" = reshape_7.contiguous();  reshape_7 = None

        # File: modeling_llama.py:269 in forward, code: attn_output = self.o_proj(attn_output)
        attn_output_9: "f32[2, 16, 32][512, 32, 1]cpu" = torch._C._nn.linear(attn_output_8, model_layers_1_self_attn_o_proj_weight, None);  attn_output_8 = model_layers_1_self_attn_o_proj_weight = None

        # File: modeling_llama.py:306 in forward, code: hidden_states = residual + hidden_states
        hidden_states_15: "f32[2, 16, 32][512, 32, 1]cpu" = hidden_states_9 + attn_output_9;  hidden_states_9 = attn_output_9 = None

        # File: modeling_llama.py:63 in forward, code: hidden_states = hidden_states.to(torch.float32)
        hidden_states_16: "f32[2, 16, 32][512, 32, 1]cpu" = hidden_states_15.to(torch.float32)

        # File: modeling_llama.py:64 in forward, code: variance = hidden_states.pow(2).mean(-1, keepdim=True)
        pow_4: "f32[2, 16, 32][512, 32, 1]cpu" = hidden_states_16.pow(2)
        variance_3: "f32[2, 16, 1][16, 1, 1]cpu" = pow_4.mean(-1, keepdim = True);  pow_4 = None

        # File: modeling_llama.py:65 in forward, code: hidden_states = hidden_states * torch.rsqrt(variance + self.variance_epsilon)
        add_13: "f32[2, 16, 1][16, 1, 1]cpu" = variance_3 + 1e-06;  variance_3 = None
        rsqrt_3: "f32[2, 16, 1][16, 1, 1]cpu" = torch.rsqrt(add_13);  add_13 = None
        hidden_states_17: "f32[2, 16, 32][512, 32, 1]cpu" = hidden_states_16 * rsqrt_3;  hidden_states_16 = rsqrt_3 = None

        # File: modeling_llama.py:66 in forward, code: return self.weight * hidden_states.to(input_dtype)
        to_12: "f32[2, 16, 32][512, 32, 1]cpu" = hidden_states_17.to(torch.float32);  hidden_states_17 = None
        hidden_states_18: "f32[2, 16, 32][512, 32, 1]cpu" = model_layers_1_post_attention_layernorm_weight * to_12;  model_layers_1_post_attention_layernorm_weight = to_12 = None

        # File: modeling_llama.py:164 in forward, code: down_proj = self.down_proj(self.act_fn(self.gate_proj(x)) * self.up_proj(x))
        linear_11: "f32[2, 16, 64][1024, 64, 1]cpu" = torch._C._nn.linear(hidden_states_18, model_layers_1_mlp_gate_proj_weight, None);  model_layers_1_mlp_gate_proj_weight = None

        # File: activations.py:103 in forward, code: return nn.functional.silu(input)
        silu_1: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.nn.functional.silu(linear_11);  linear_11 = None

        # File: modeling_llama.py:164 in forward, code: down_proj = self.down_proj(self.act_fn(self.gate_proj(x)) * self.up_proj(x))
        linear_12: "f32[2, 16, 64][1024, 64, 1]cpu" = torch._C._nn.linear(hidden_states_18, model_layers_1_mlp_up_proj_weight, None);  hidden_states_18 = model_layers_1_mlp_up_proj_weight = None
        mul_20: "f32[2, 16, 64][1024, 64, 1]cpu" = silu_1 * linear_12;  silu_1 = linear_12 = None
        down_proj_1: "f32[2, 16, 32][512, 32, 1]cpu" = torch._C._nn.linear(mul_20, model_layers_1_mlp_down_proj_weight, None);  mul_20 = model_layers_1_mlp_down_proj_weight = None

        # File: modeling_llama.py:312 in forward, code: hidden_states = residual + hidden_states
        hidden_states_19: "f32[2, 16, 32][512, 32, 1]cpu" = hidden_states_15 + down_proj_1;  hidden_states_15 = down_proj_1 = None

        # File: modeling_llama.py:63 in forward, code: hidden_states = hidden_states.to(torch.float32)
        hidden_states_20: "f32[2, 16, 32][512, 32, 1]cpu" = hidden_states_19.to(torch.float32);  hidden_states_19 = None

        # File: modeling_llama.py:64 in forward, code: variance = hidden_states.pow(2).mean(-1, keepdim=True)
        pow_5: "f32[2, 16, 32][512, 32, 1]cpu" = hidden_states_20.pow(2)
        variance_4: "f32[2, 16, 1][16, 1, 1]cpu" = pow_5.mean(-1, keepdim = True);  pow_5 = None

        # File: modeling_llama.py:65 in forward, code: hidden_states = hidden_states * torch.rsqrt(variance + self.variance_epsilon)
        add_15: "f32[2, 16, 1][16, 1, 1]cpu" = variance_4 + 1e-06;  variance_4 = None
        rsqrt_4: "f32[2, 16, 1][16, 1, 1]cpu" = torch.rsqrt(add_15);  add_15 = None
        hidden_states_21: "f32[2, 16, 32][512, 32, 1]cpu" = hidden_states_20 * rsqrt_4;  hidden_states_20 = rsqrt_4 = None

        # File: modeling_llama.py:66 in forward, code: return self.weight * hidden_states.to(input_dtype)
        to_14: "f32[2, 16, 32][512, 32, 1]cpu" = hidden_states_21.to(torch.float32);  hidden_states_21 = None
        hidden_states_22: "f32[2, 16, 32][512, 32, 1]cpu" = model_norm_weight * to_14;  model_norm_weight = to_14 = None

        # File: modeling_utils.py:5118 in slice_logits_to_keep, code: return hidden_states[:, logits_to_keep, :]
        hidden_states_23: "f32[2, 16, 32][512, 32, 1]cpu" = hidden_states_22[(slice(None, None, None), slice(0, None, None), slice(None, None, None))];  hidden_states_22 = None

        # File: modeling_llama.py:468 in forward, code: logits = self.lm_head(hidden_states)
        logits: "f32[2, 16, 64][1024, 64, 1]cpu" = torch._C._nn.linear(hidden_states_23, lm_head_weight, None);  hidden_states_23 = lm_head_weight = None

        # File: loss_utils.py:61 in ForCausalLMLoss, code: logits = logits.float()
        logits_1: "f32[2, 16, 64][1024, 64, 1]cpu" = logits.float()

        # File: torch/nn/functional.py:5823 in pad, code: return torch._C._nn.pad(input, pad, mode, value)
        labels: "i64[2, 17][17, 1]cpu" = torch._C._nn.pad(l_kwargs_labels_, (0, 1), 'constant', -100);  l_kwargs_labels_ = None

        # File: loss_utils.py:66 in ForCausalLMLoss, code: shift_labels = labels[..., 1:].contiguous()
        getitem_23: "i64[2, 16][17, 1]cpu" = labels[(Ellipsis, slice(1, None, None))];  labels = None
        shift_labels: "i64[2, 16][16, 1]cpu" = getitem_23.contiguous();  getitem_23 = None

        # File: loss_utils.py:69 in ForCausalLMLoss, code: logits = logits.view(-1, vocab_size)
        logits_2: "f32[32, 64][64, 1]cpu" = logits_1.view(-1, 64);  logits_1 = None

        # File: loss_utils.py:70 in ForCausalLMLoss, code: shift_labels = shift_labels.view(-1)
        shift_labels_1: "i64[32][1]cpu" = shift_labels.view(-1);  shift_labels = None

        # File: loss_utils.py:71 in ForCausalLMLoss, code: shift_labels = shift_labels.to(logits.device)
        shift_labels_2: "i64[32][1]cpu" = shift_labels_1.to(device(type='cpu'));  shift_labels_1 = None

        # File: loss_utils.py:42 in fixed_cross_entropy, code: loss = nn.functional.cross_entropy(source, target, ignore_index=ignore_index, reduction=reduction)
        loss: "f32[][]cpu" = torch.nn.functional.cross_entropy(logits_2, shift_labels_2, ignore_index = -100, reduction = 'mean');  logits_2 = shift_labels_2 = None
        return (loss, logits)


def inputs_of_training_0_0_captured_graph(number=0):
    """Inputs of the recorded layout; integers are `number`."""
    return [
        tensor((2, 16), (16, 1), torch.int64, 'cpu', number),  # input_ids
        tensor((64, 32), (32, 1), torch.float32, 'cpu'),  # model_embed_tokens_weight
        tensor((8,), (1,), torch.float32, 'cpu'),  # model_rotary_emb_inv_freq
        tensor((32,), (1,), torch.float32, 'cpu'),  # model_layers_0_input_layernorm_weight
        tensor((32, 32), (32, 1), torch.float32, 'cpu'),  # model_layers_0_self_attn_q_proj_weight
        tensor((16, 32), (32, 1), torch.float32, 'cpu'),  # model_layers_0_self_attn_k_proj_weight
        tensor((16, 32), (32, 1), torch.float32, 'cpu'),  # model_layers_0_self_attn_v_proj_weight
        tensor((32, 32), (32, 1), torch.float32, 'cpu'),  # model_layers_0_self_attn_o_proj_weight
        tensor((32,), (1,), torch.float32, 'cpu'),  # model_layers_0_post_attention_layernorm_weight
        tensor((64, 32), (32, 1), torch.float32, 'cpu'),  # model_layers_0_mlp_gate_proj_weight
        tensor((64, 32), (32, 1), torch.float32, 'cpu'),  # model_layers_0_mlp_up_proj_weight
        tensor((32, 64), (64, 1), torch.float32, 'cpu'),  # model_layers_0_mlp_down_proj_weight
        tensor((32,), (1,), torch.float32, 'cpu'),  # model_layers_1_input_layernorm_weight
        tensor((32, 32), (32, 1), torch.float32, 'cpu'),  # model_layers_1_self_attn_q_proj_weight
        tensor((16, 32), (32, 1), torch.float32, 'cpu'),  # model_layers_1_self_attn_k_proj_weight
        tensor((16, 32), (32, 1), torch.float32, 'cpu'),  # model_layers_1_self_attn_v_proj_weight
        tensor((32, 32), (32, 1), torch.float32, 'cpu'),  # model_layers_1_self_attn_o_proj_weight
        tensor((32,), (1,), torch.float32, 'cpu'),  # model_layers_1_post_attention_layernorm_weight
        tensor((64, 32), (32, 1), torch.float32, 'cpu'),  # model_layers_1_mlp_gate_proj_weight
        tensor((64, 32), (32, 1), torch.float32, 'cpu'),  # model_layers_1_mlp_up_proj_weight
        tensor((32, 64), (64, 1), torch.float32, 'cpu'),  # model_layers_1_mlp_down_proj_weight
        tensor((32,), (1,), torch.float32, 'cpu'),  # model_norm_weight
        tensor((64, 32), (32, 1), torch.float32, 'cpu'),  # lm_head_weight
        tensor((2, 16), (16, 1), torch.int64, 'cpu', number),  # L_kwargs_labels_
    ]


def run_training_0_0_captured_graph():
    graph = Graph_training_0_0_captured_graph()
    for number in (0, 1):  # an index made from zeros may lie outside
        try:
            outputs = graph.forward(*inputs_of_training_0_0_captured_graph(number))
            break
        except (IndexError, RuntimeError):
            if number == 1:
                raise
    outputs = list(outputs) if isinstance(outputs, (tuple, list)) else [outputs]
    recorded = [  # None: nothing is recorded of that output
        ((), (), torch.float32, 'cpu'),
        ((2, 16, 64), (1024, 64, 1), torch.float32, 'cpu'),
    ]
    different = len(outputs) != len(recorded)
    for i, (output, wanted) in enumerate(zip(outputs, recorded)):
        right = wanted is None or same(layout(output), wanted)
        different = different or not right
        print(f"output {i}: {layout(output)}{'' if right else f', recorded: {wanted}'}")
    return int(different)

# ---- Training, wrapper [0/0]: Forward
class Graph_training_0_0_forward_graph(torch.nn.Module):
    def forward(
        self,
        primals_1: "i64[2, 16][16, 1]cpu",  # PlainAOTInput(idx=0)
        primals_2: "f32[64, 32][32, 1]cpu",  # PlainAOTInput(idx=1)
        primals_3: "f32[8][1]cpu",  # PlainAOTInput(idx=2)
        primals_4: "f32[32][1]cpu",  # PlainAOTInput(idx=3)
        primals_5: "f32[32, 32][32, 1]cpu",  # PlainAOTInput(idx=4)
        primals_6: "f32[16, 32][32, 1]cpu",  # PlainAOTInput(idx=5)
        primals_7: "f32[16, 32][32, 1]cpu",  # PlainAOTInput(idx=6)
        primals_8: "f32[32, 32][32, 1]cpu",  # PlainAOTInput(idx=7)
        primals_9: "f32[32][1]cpu",  # PlainAOTInput(idx=8)
        primals_10: "f32[64, 32][32, 1]cpu",  # PlainAOTInput(idx=9)
        primals_11: "f32[64, 32][32, 1]cpu",  # PlainAOTInput(idx=10)
        primals_12: "f32[32, 64][64, 1]cpu",  # PlainAOTInput(idx=11)
        primals_13: "f32[32][1]cpu",  # PlainAOTInput(idx=12)
        primals_14: "f32[32, 32][32, 1]cpu",  # PlainAOTInput(idx=13)
        primals_15: "f32[16, 32][32, 1]cpu",  # PlainAOTInput(idx=14)
        primals_16: "f32[16, 32][32, 1]cpu",  # PlainAOTInput(idx=15)
        primals_17: "f32[32, 32][32, 1]cpu",  # PlainAOTInput(idx=16)
        primals_18: "f32[32][1]cpu",  # PlainAOTInput(idx=17)
        primals_19: "f32[64, 32][32, 1]cpu",  # PlainAOTInput(idx=18)
        primals_20: "f32[64, 32][32, 1]cpu",  # PlainAOTInput(idx=19)
        primals_21: "f32[32, 64][64, 1]cpu",  # PlainAOTInput(idx=20)
        primals_22: "f32[32][1]cpu",  # PlainAOTInput(idx=21)
        primals_23: "f32[64, 32][32, 1]cpu",  # PlainAOTInput(idx=22)
        primals_24: "i64[2, 16][16, 1]cpu",  # PlainAOTInput(idx=23)
    ):
        # File: modeling_llama.py:370 in forward, code: inputs_embeds: torch.Tensor = self.embed_tokens(input_ids)
        embedding: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.embedding.default(primals_2, primals_1, 0);  primals_2 = None

        # File: modeling_llama.py:377 in forward, code: position_ids = torch.arange(inputs_embeds.shape[1], device=inputs_embeds.device) + past_seen_tokens
        iota: "i64[16][1]cpu" = torch.ops.prims.iota.default(16, start = 0, step = 1, dtype = torch.int64, device = device(type='cpu'), requires_grad = False)
        add: "i64[16][1]cpu" = torch.ops.aten.add.Tensor(iota, 0);  iota = None

        # File: modeling_llama.py:378 in forward, code: position_ids = position_ids.unsqueeze(0)
        unsqueeze: "i64[1, 16][16, 1]cpu" = torch.ops.aten.unsqueeze.default(add, 0);  add = None

        # File: masking_utils.py:880 in _preprocess_mask_arguments, code: position_ids = position_ids.expand(batch_size, -1)
        expand: "i64[2, 16][0, 1]cpu" = torch.ops.aten.expand.default(unsqueeze, [2, -1])

        # File: masking_utils.py:771 in find_packed_sequence_indices, code: first_dummy_value = position_ids[:, :1] - 1  # We just need the diff on this first value to be 1
        slice_1: "i64[2, 1][0, 1]cpu" = torch.ops.aten.slice.Tensor(expand, 1, 0, 1)
        sub: "i64[2, 1][1, 1]cpu" = torch.ops.aten.sub.Tensor(slice_1, 1);  slice_1 = None

        # File: masking_utils.py:772 in find_packed_sequence_indices, code: position_diff = torch.diff(position_ids, prepend=first_dummy_value, dim=-1)
        cat: "i64[2, 17][17, 1]cpu" = torch.ops.aten.cat.default([sub, expand], -1);  sub = None
        slice_2: "i64[2, 16][17, 1]cpu" = torch.ops.aten.slice.Tensor(cat, -1, 0, 16)
        slice_3: "i64[2, 16][17, 1]cpu" = torch.ops.aten.slice.Tensor(cat, -1, 1, 17);  cat = None
        sub_1: "i64[2, 16][16, 1]cpu" = torch.ops.aten.sub.Tensor(slice_3, slice_2);  slice_3 = slice_2 = None

        # File: masking_utils.py:773 in find_packed_sequence_indices, code: packed_sequence_mask = (position_diff != 1).cumsum(-1)
        ne: "b8[2, 16][16, 1]cpu" = torch.ops.aten.ne.Scalar(sub_1, 1);  sub_1 = None
        cumsum: "i64[2, 16][16, 1]cpu" = torch.ops.aten.cumsum.default(ne, -1);  ne = None

        # File: masking_utils.py:543 in sdpa_mask, code: batch_arange = torch.arange(batch_size, device=device)
        iota_1: "i64[2][1]cpu" = torch.ops.prims.iota.default(2, start = 0, step = 1, dtype = torch.int64, device = device(type='cpu'), requires_grad = False)

        # File: masking_utils.py:403 in _non_vmap_expansion_sdpa, code: batch_indices = batch_indices[:, None, None, None]
        unsqueeze_1: "i64[2, 1][1, 1]cpu" = torch.ops.aten.unsqueeze.default(iota_1, 1);  iota_1 = None
        unsqueeze_2: "i64[2, 1, 1][1, 1, 1]cpu" = torch.ops.aten.unsqueeze.default(unsqueeze_1, 2);  unsqueeze_1 = None
        unsqueeze_3: "i64[2, 1, 1, 1][1, 1, 1, 1]cpu" = torch.ops.aten.unsqueeze.default(unsqueeze_2, 3);  unsqueeze_2 = None

        # File: masking_utils.py:405 in _non_vmap_expansion_sdpa, code: q_indices = q_indices[None, None, :, None]
        unsqueeze_5: "i64[1, 1, 16][16, 16, 1]cpu" = torch.ops.aten.unsqueeze.default(unsqueeze, 1)
        unsqueeze_6: "i64[1, 1, 16, 1][16, 16, 1, 1]cpu" = torch.ops.aten.unsqueeze.default(unsqueeze_5, 3)

        # File: masking_utils.py:406 in _non_vmap_expansion_sdpa, code: kv_indices = kv_indices[None, None, None, :]
        unsqueeze_9: "i64[1, 1, 1, 16][16, 16, 16, 1]cpu" = torch.ops.aten.unsqueeze.default(unsqueeze_5, 2);  unsqueeze_5 = None

        # File: masking_utils.py:50 in and_mask, code: result = q_idx.new_ones((), dtype=torch.bool)
        full_default: "b8[][]cpu" = torch.ops.aten.full.default([], True, dtype = torch.bool, layout = torch.strided, device = device(type='cpu'), pin_memory = False)

        # File: masking_utils.py:188 in inner_mask, code: return packed_sequence_mask[batch_idx, q_idx] == packed_sequence_mask[batch_idx, kv_idx]
        index: "i64[2, 1, 16, 1][16, 16, 1, 1]cpu" = torch.ops.aten.index.Tensor(cumsum, [unsqueeze_3, unsqueeze_6])
        index_1: "i64[2, 1, 1, 16][16, 16, 16, 1]cpu" = torch.ops.aten.index.Tensor(cumsum, [unsqueeze_3, unsqueeze_9]);  cumsum = None
        eq: "b8[2, 1, 16, 16][256, 256, 16, 1]cpu" = torch.ops.aten.eq.Tensor(index, index_1);  index = index_1 = None

        # File: masking_utils.py:52 in and_mask, code: result = result & mask(batch_idx, head_idx, q_idx, kv_idx).to(result.device)
        bitwise_and: "b8[2, 1, 16, 16][256, 256, 16, 1]cpu" = torch.ops.aten.bitwise_and.Tensor(full_default, eq);  full_default = eq = None

        # File: masking_utils.py:203 in inner_mask, code: return mask_function(batch_idx, head_idx, position_ids[batch_idx, q_idx], position_ids[batch_idx, kv_idx])
        index_2: "i64[2, 1, 16, 1][16, 16, 1, 1]cpu" = torch.ops.aten.index.Tensor(expand, [unsqueeze_3, unsqueeze_6]);  unsqueeze_6 = None
        index_3: "i64[2, 1, 1, 16][16, 16, 16, 1]cpu" = torch.ops.aten.index.Tensor(expand, [unsqueeze_3, unsqueeze_9]);  expand = unsqueeze_3 = unsqueeze_9 = None

        # File: masking_utils.py:76 in causal_mask_function, code: return kv_idx <= q_idx
        le: "b8[2, 1, 16, 16][256, 256, 16, 1]cpu" = torch.ops.aten.le.Tensor(index_3, index_2);  index_3 = index_2 = None

        # File: masking_utils.py:52 in and_mask, code: result = result & mask(batch_idx, head_idx, q_idx, kv_idx).to(result.device)
        bitwise_and_1: "b8[2, 1, 16, 16][256, 256, 16, 1]cpu" = torch.ops.aten.bitwise_and.Tensor(bitwise_and, le);  bitwise_and = le = None

        # File: masking_utils.py:554 in sdpa_mask, code: attention_mask = attention_mask.expand(batch_size, -1, q_length, kv_length)
        expand_2: "b8[2, 1, 16, 16][256, 256, 16, 1]cpu" = torch.ops.aten.expand.default(bitwise_and_1, [2, -1, 16, 16]);  bitwise_and_1 = None

        # File: modeling_llama.py:111 in forward, code: freqs = position_ids[..., None].float() * self.inv_freq.to(device=x.device, dtype=torch.float)
        unsqueeze_10: "i64[1, 16, 1][16, 1, 1]cpu" = torch.ops.aten.unsqueeze.default(unsqueeze, 2);  unsqueeze = None
        convert_element_type: "f32[1, 16, 1][16, 1, 1]cpu" = torch.ops.prims.convert_element_type.default(unsqueeze_10, torch.float32);  unsqueeze_10 = None
        mul: "f32[1, 16, 8][128, 8, 1]cpu" = torch.ops.aten.mul.Tensor(convert_element_type, primals_3);  convert_element_type = None

        # File: modeling_llama.py:112 in forward, code: emb = torch.cat((freqs, freqs), dim=-1)
        unsqueeze_11: "f32[1, 16, 1, 8][128, 8, 8, 1]cpu" = torch.ops.aten.unsqueeze.default(mul, 2);  mul = None
        expand_3: "f32[1, 16, 2, 8][128, 8, 0, 1]cpu" = torch.ops.aten.expand.default(unsqueeze_11, [1, 16, 2, 8]);  unsqueeze_11 = None
        clone: "f32[1, 16, 2, 8][256, 16, 8, 1]cpu" = torch.ops.aten.clone.default(expand_3, memory_format = torch.contiguous_format);  expand_3 = None
        view: "f32[1, 16, 16][256, 16, 1]cpu" = torch.ops.aten.view.default(clone, [1, 16, 16]);  clone = None

        # File: modeling_llama.py:113 in forward, code: cos = emb.cos() * self.attention_scaling
        cos: "f32[1, 16, 16][256, 16, 1]cpu" = torch.ops.aten.cos.default(view)
        mul_1: "f32[1, 16, 16][256, 16, 1]cpu" = torch.ops.aten.mul.Tensor(cos, 1.0);  cos = None

        # File: modeling_llama.py:114 in forward, code: sin = emb.sin() * self.attention_scaling
        sin: "f32[1, 16, 16][256, 16, 1]cpu" = torch.ops.aten.sin.default(view);  view = None
        mul_2: "f32[1, 16, 16][256, 16, 1]cpu" = torch.ops.aten.mul.Tensor(sin, 1.0);  sin = None

        # File: modeling_llama.py:64 in forward, code: variance = hidden_states.pow(2).mean(-1, keepdim=True)
        pow_1: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.pow.Tensor_Scalar(embedding, 2)
        mean: "f32[2, 16, 1][16, 1, 1]cpu" = torch.ops.aten.mean.dim(pow_1, [-1], True);  pow_1 = None

        # File: modeling_llama.py:65 in forward, code: hidden_states = hidden_states * torch.rsqrt(variance + self.variance_epsilon)
        add_3: "f32[2, 16, 1][16, 1, 1]cpu" = torch.ops.aten.add.Tensor(mean, 1e-06);  mean = None
        rsqrt: "f32[2, 16, 1][16, 1, 1]cpu" = torch.ops.aten.rsqrt.default(add_3);  add_3 = None
        mul_3: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Tensor(embedding, rsqrt)

        # File: modeling_llama.py:66 in forward, code: return self.weight * hidden_states.to(input_dtype)
        mul_4: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Tensor(primals_4, mul_3);  mul_3 = None

        # File: modeling_llama.py:243 in forward, code: query_states = self.q_proj(hidden_states).view(hidden_shape).transpose(1, 2)
        permute: "f32[32, 32][1, 32]cpu" = torch.ops.aten.permute.default(primals_5, [1, 0])
        view_1: "f32[32, 32][32, 1]cpu" = torch.ops.aten.view.default(mul_4, [32, 32]);  mul_4 = None
        mm: "f32[32, 32][32, 1]cpu" = torch.ops.aten.mm.default(view_1, permute);  permute = None
        view_2: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.view.default(mm, [2, 16, 32]);  mm = None
        view_3: "f32[2, 16, 2, 16][512, 32, 16, 1]cpu" = torch.ops.aten.view.default(view_2, [2, 16, -1, 16]);  view_2 = None
        permute_1: "f32[2, 2, 16, 16][512, 16, 32, 1]cpu" = torch.ops.aten.permute.default(view_3, [0, 2, 1, 3]);  view_3 = None

        # File: modeling_llama.py:244 in forward, code: key_states = self.k_proj(hidden_states).view(hidden_shape).transpose(1, 2)
        permute_2: "f32[32, 16][1, 32]cpu" = torch.ops.aten.permute.default(primals_6, [1, 0])
        mm_1: "f32[32, 16][16, 1]cpu" = torch.ops.aten.mm.default(view_1, permute_2);  permute_2 = None
        view_5: "f32[2, 16, 16][256, 16, 1]cpu" = torch.ops.aten.view.default(mm_1, [2, 16, 16]);  mm_1 = None
        view_6: "f32[2, 16, 1, 16][256, 16, 16, 1]cpu" = torch.ops.aten.view.default(view_5, [2, 16, -1, 16]);  view_5 = None
        permute_3: "f32[2, 1, 16, 16][256, 16, 16, 1]cpu" = torch.ops.aten.permute.default(view_6, [0, 2, 1, 3]);  view_6 = None

        # File: modeling_llama.py:245 in forward, code: value_states = self.v_proj(hidden_states).view(hidden_shape).transpose(1, 2)
        permute_4: "f32[32, 16][1, 32]cpu" = torch.ops.aten.permute.default(primals_7, [1, 0])
        mm_2: "f32[32, 16][16, 1]cpu" = torch.ops.aten.mm.default(view_1, permute_4);  permute_4 = None
        view_8: "f32[2, 16, 16][256, 16, 1]cpu" = torch.ops.aten.view.default(mm_2, [2, 16, 16])
        view_9: "f32[2, 16, 1, 16][256, 16, 16, 1]cpu" = torch.ops.aten.view.default(view_8, [2, 16, -1, 16]);  view_8 = None
        permute_5: "f32[2, 1, 16, 16][256, 16, 16, 1]cpu" = torch.ops.aten.permute.default(view_9, [0, 2, 1, 3]);  view_9 = None

        # File: modeling_llama.py:145 in apply_rotary_pos_emb, code: cos = cos.unsqueeze(unsqueeze_dim)
        unsqueeze_12: "f32[1, 1, 16, 16][256, 256, 16, 1]cpu" = torch.ops.aten.unsqueeze.default(mul_1, 1);  mul_1 = None

        # File: modeling_llama.py:146 in apply_rotary_pos_emb, code: sin = sin.unsqueeze(unsqueeze_dim)
        unsqueeze_13: "f32[1, 1, 16, 16][256, 256, 16, 1]cpu" = torch.ops.aten.unsqueeze.default(mul_2, 1);  mul_2 = None

        # File: modeling_llama.py:147 in apply_rotary_pos_emb, code: q_embed = (q * cos) + (rotate_half(q) * sin)
        mul_5: "f32[2, 2, 16, 16][512, 16, 32, 1]cpu" = torch.ops.aten.mul.Tensor(permute_1, unsqueeze_12)

        # File: modeling_llama.py:121 in rotate_half, code: x1 = x[..., : x.shape[-1] // 2]
        slice_4: "f32[2, 2, 16, 8][512, 16, 32, 1]cpu" = torch.ops.aten.slice.Tensor(permute_1, 3, 0, 8)

        # File: modeling_llama.py:122 in rotate_half, code: x2 = x[..., x.shape[-1] // 2 :]
        slice_5: "f32[2, 2, 16, 8][512, 16, 32, 1]cpu" = torch.ops.aten.slice.Tensor(permute_1, 3, 8, 9223372036854775807);  permute_1 = None

        # File: modeling_llama.py:123 in rotate_half, code: return torch.cat((-x2, x1), dim=-1)
        neg: "f32[2, 2, 16, 8][256, 8, 16, 1]cpu" = torch.ops.aten.neg.default(slice_5);  slice_5 = None
        cat_1: "f32[2, 2, 16, 16][512, 256, 16, 1]cpu" = torch.ops.aten.cat.default([neg, slice_4], -1);  neg = slice_4 = None

        # File: modeling_llama.py:147 in apply_rotary_pos_emb, code: q_embed = (q * cos) + (rotate_half(q) * sin)
        mul_6: "f32[2, 2, 16, 16][512, 256, 16, 1]cpu" = torch.ops.aten.mul.Tensor(cat_1, unsqueeze_13);  cat_1 = None
        add_4: "f32[2, 2, 16, 16][512, 16, 32, 1]cpu" = torch.ops.aten.add.Tensor(mul_5, mul_6);  mul_5 = mul_6 = None

        # File: modeling_llama.py:148 in apply_rotary_pos_emb, code: k_embed = (k * cos) + (rotate_half(k) * sin)
        mul_7: "f32[2, 1, 16, 16][256, 16, 16, 1]cpu" = torch.ops.aten.mul.Tensor(permute_3, unsqueeze_12)

        # File: modeling_llama.py:121 in rotate_half, code: x1 = x[..., : x.shape[-1] // 2]
        slice_6: "f32[2, 1, 16, 8][256, 16, 16, 1]cpu" = torch.ops.aten.slice.Tensor(permute_3, 3, 0, 8)

        # File: modeling_llama.py:122 in rotate_half, code: x2 = x[..., x.shape[-1] // 2 :]
        slice_7: "f32[2, 1, 16, 8][256, 16, 16, 1]cpu" = torch.ops.aten.slice.Tensor(permute_3, 3, 8, 9223372036854775807);  permute_3 = None

        # File: modeling_llama.py:123 in rotate_half, code: return torch.cat((-x2, x1), dim=-1)
        neg_1: "f32[2, 1, 16, 8][128, 8, 8, 1]cpu" = torch.ops.aten.neg.default(slice_7);  slice_7 = None
        cat_2: "f32[2, 1, 16, 16][256, 256, 16, 1]cpu" = torch.ops.aten.cat.default([neg_1, slice_6], -1);  neg_1 = slice_6 = None

        # File: modeling_llama.py:148 in apply_rotary_pos_emb, code: k_embed = (k * cos) + (rotate_half(k) * sin)
        mul_8: "f32[2, 1, 16, 16][256, 256, 16, 1]cpu" = torch.ops.aten.mul.Tensor(cat_2, unsqueeze_13);  cat_2 = None
        add_5: "f32[2, 1, 16, 16][256, 16, 16, 1]cpu" = torch.ops.aten.add.Tensor(mul_7, mul_8);  mul_7 = mul_8 = None

        # File: sdpa_attention.py:28 in repeat_kv, code: hidden_states = hidden_states[:, :, None, :, :].expand(batch, num_key_value_heads, n_rep, slen, head_dim)
        unsqueeze_14: "f32[2, 1, 1, 16, 16][256, 16, 256, 16, 1]cpu" = torch.ops.aten.unsqueeze.default(add_5, 2);  add_5 = None
        expand_4: "f32[2, 1, 2, 16, 16][256, 16, 0, 16, 1]cpu" = torch.ops.aten.expand.default(unsqueeze_14, [2, 1, 2, 16, 16]);  unsqueeze_14 = None

        # File: sdpa_attention.py:29 in repeat_kv, code: return hidden_states.reshape(batch, num_key_value_heads * n_rep, slen, head_dim)
        view_10: "f32[2, 2, 16, 16][256, 0, 16, 1]cpu" = torch.ops.aten.view.default(expand_4, [2, 2, 16, 16]);  expand_4 = None

        # File: sdpa_attention.py:28 in repeat_kv, code: hidden_states = hidden_states[:, :, None, :, :].expand(batch, num_key_value_heads, n_rep, slen, head_dim)
        unsqueeze_15: "f32[2, 1, 1, 16, 16][256, 16, 256, 16, 1]cpu" = torch.ops.aten.unsqueeze.default(permute_5, 2);  permute_5 = None
        expand_5: "f32[2, 1, 2, 16, 16][256, 16, 0, 16, 1]cpu" = torch.ops.aten.expand.default(unsqueeze_15, [2, 1, 2, 16, 16]);  unsqueeze_15 = None

        # File: sdpa_attention.py:29 in repeat_kv, code: return hidden_states.reshape(batch, num_key_value_heads * n_rep, slen, head_dim)
        view_11: "f32[2, 2, 16, 16][256, 0, 16, 1]cpu" = torch.ops.aten.view.default(expand_5, [2, 2, 16, 16]);  expand_5 = None

        # File: sdpa_attention.py:193 in sdpa_attention_forward, code: attn_output = torch.nn.functional.scaled_dot_product_attention(
        full_default_1: "f32[][]cpu" = torch.ops.aten.full.default([], -inf, dtype = torch.float32, layout = torch.strided, device = device(type='cpu'), pin_memory = False)
        full_default_2: "f32[][]cpu" = torch.ops.aten.full.default([], 0.0, dtype = torch.float32, layout = torch.strided, device = device(type='cpu'), pin_memory = False)
        where: "f32[2, 1, 16, 16][256, 256, 16, 1]cpu" = torch.ops.aten.where.self(expand_2, full_default_2, full_default_1);  expand_2 = full_default_1 = None
        _scaled_dot_product_flash_attention_for_cpu = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu.default(add_4, view_10, view_11, attn_mask = where, scale = 0.25);  view_11 = None
        getitem: "f32[2, 2, 16, 16][512, 16, 32, 1]cpu" = _scaled_dot_product_flash_attention_for_cpu[0]
        getitem_1: "f32[2, 2, 16][32, 1, 2]cpu" = _scaled_dot_product_flash_attention_for_cpu[1];  _scaled_dot_product_flash_attention_for_cpu = None

        # File: sdpa_attention.py:206 in sdpa_attention_forward, code: attn_output = attn_output.transpose(1, 2).contiguous()
        permute_6: "f32[2, 16, 2, 16][512, 32, 16, 1]cpu" = torch.ops.aten.permute.default(getitem, [0, 2, 1, 3])

        # File: modeling_llama.py:268 in forward, code: attn_output = attn_output.reshape(*input_shape, -1).contiguous()
        view_13: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.view.default(permute_6, [2, 16, -1]);  permute_6 = None

        # File: modeling_llama.py:269 in forward, code: attn_output = self.o_proj(attn_output)
        permute_7: "f32[32, 32][1, 32]cpu" = torch.ops.aten.permute.default(primals_8, [1, 0])
        view_14: "f32[32, 32][32, 1]cpu" = torch.ops.aten.view.default(view_13, [32, 32]);  view_13 = None
        mm_3: "f32[32, 32][32, 1]cpu" = torch.ops.aten.mm.default(view_14, permute_7);  view_14 = permute_7 = None
        view_15: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.view.default(mm_3, [2, 16, 32])

        # File: modeling_llama.py:306 in forward, code: hidden_states = residual + hidden_states
        add_6: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.add.Tensor(embedding, view_15);  view_15 = None

        # File: modeling_llama.py:64 in forward, code: variance = hidden_states.pow(2).mean(-1, keepdim=True)
        pow_2: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.pow.Tensor_Scalar(add_6, 2)
        mean_1: "f32[2, 16, 1][16, 1, 1]cpu" = torch.ops.aten.mean.dim(pow_2, [-1], True);  pow_2 = None

        # File: modeling_llama.py:65 in forward, code: hidden_states = hidden_states * torch.rsqrt(variance + self.variance_epsilon)
        add_7: "f32[2, 16, 1][16, 1, 1]cpu" = torch.ops.aten.add.Tensor(mean_1, 1e-06);  mean_1 = None
        rsqrt_1: "f32[2, 16, 1][16, 1, 1]cpu" = torch.ops.aten.rsqrt.default(add_7);  add_7 = None
        mul_9: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Tensor(add_6, rsqrt_1)

        # File: modeling_llama.py:66 in forward, code: return self.weight * hidden_states.to(input_dtype)
        mul_10: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Tensor(primals_9, mul_9);  mul_9 = None

        # File: modeling_llama.py:164 in forward, code: down_proj = self.down_proj(self.act_fn(self.gate_proj(x)) * self.up_proj(x))
        permute_8: "f32[32, 64][1, 32]cpu" = torch.ops.aten.permute.default(primals_10, [1, 0])
        view_16: "f32[32, 32][32, 1]cpu" = torch.ops.aten.view.default(mul_10, [32, 32]);  mul_10 = None
        mm_4: "f32[32, 64][64, 1]cpu" = torch.ops.aten.mm.default(view_16, permute_8);  permute_8 = None
        view_17: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.view.default(mm_4, [2, 16, 64])

        # File: activations.py:103 in forward, code: return nn.functional.silu(input)
        neg_2: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.neg.default(view_17)
        exp: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.exp.default(neg_2);  neg_2 = None
        add_8: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.add.Tensor(exp, 1);  exp = None
        div: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.div.Tensor(view_17, add_8);  view_17 = add_8 = None

        # File: modeling_llama.py:164 in forward, code: down_proj = self.down_proj(self.act_fn(self.gate_proj(x)) * self.up_proj(x))
        permute_9: "f32[32, 64][1, 32]cpu" = torch.ops.aten.permute.default(primals_11, [1, 0])
        mm_5: "f32[32, 64][64, 1]cpu" = torch.ops.aten.mm.default(view_16, permute_9);  permute_9 = None
        view_19: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.view.default(mm_5, [2, 16, 64])
        mul_11: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.mul.Tensor(div, view_19);  div = view_19 = None
        permute_10: "f32[64, 32][1, 64]cpu" = torch.ops.aten.permute.default(primals_12, [1, 0])
        view_20: "f32[32, 64][64, 1]cpu" = torch.ops.aten.view.default(mul_11, [32, 64]);  mul_11 = None
        mm_6: "f32[32, 32][32, 1]cpu" = torch.ops.aten.mm.default(view_20, permute_10);  permute_10 = None
        view_21: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.view.default(mm_6, [2, 16, 32]);  mm_6 = None

        # File: modeling_llama.py:312 in forward, code: hidden_states = residual + hidden_states
        add_9: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.add.Tensor(add_6, view_21);  add_6 = view_21 = None

        # File: modeling_llama.py:64 in forward, code: variance = hidden_states.pow(2).mean(-1, keepdim=True)
        pow_3: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.pow.Tensor_Scalar(add_9, 2)
        mean_2: "f32[2, 16, 1][16, 1, 1]cpu" = torch.ops.aten.mean.dim(pow_3, [-1], True);  pow_3 = None

        # File: modeling_llama.py:65 in forward, code: hidden_states = hidden_states * torch.rsqrt(variance + self.variance_epsilon)
        add_10: "f32[2, 16, 1][16, 1, 1]cpu" = torch.ops.aten.add.Tensor(mean_2, 1e-06);  mean_2 = None
        rsqrt_2: "f32[2, 16, 1][16, 1, 1]cpu" = torch.ops.aten.rsqrt.default(add_10);  add_10 = None
        mul_12: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Tensor(add_9, rsqrt_2)

        # File: modeling_llama.py:66 in forward, code: return self.weight * hidden_states.to(input_dtype)
        mul_13: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Tensor(primals_13, mul_12);  mul_12 = None

        # File: modeling_llama.py:243 in forward, code: query_states = self.q_proj(hidden_states).view(hidden_shape).transpose(1, 2)
        permute_11: "f32[32, 32][1, 32]cpu" = torch.ops.aten.permute.default(primals_14, [1, 0])
        view_22: "f32[32, 32][32, 1]cpu" = torch.ops.aten.view.default(mul_13, [32, 32]);  mul_13 = None
        mm_7: "f32[32, 32][32, 1]cpu" = torch.ops.aten.mm.default(view_22, permute_11);  permute_11 = None
        view_23: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.view.default(mm_7, [2, 16, 32]);  mm_7 = None
        view_24: "f32[2, 16, 2, 16][512, 32, 16, 1]cpu" = torch.ops.aten.view.default(view_23, [2, 16, -1, 16]);  view_23 = None
        permute_12: "f32[2, 2, 16, 16][512, 16, 32, 1]cpu" = torch.ops.aten.permute.default(view_24, [0, 2, 1, 3]);  view_24 = None

        # File: modeling_llama.py:244 in forward, code: key_states = self.k_proj(hidden_states).view(hidden_shape).transpose(1, 2)
        permute_13: "f32[32, 16][1, 32]cpu" = torch.ops.aten.permute.default(primals_15, [1, 0])
        mm_8: "f32[32, 16][16, 1]cpu" = torch.ops.aten.mm.default(view_22, permute_13);  permute_13 = None
        view_26: "f32[2, 16, 16][256, 16, 1]cpu" = torch.ops.aten.view.default(mm_8, [2, 16, 16]);  mm_8 = None
        view_27: "f32[2, 16, 1, 16][256, 16, 16, 1]cpu" = torch.ops.aten.view.default(view_26, [2, 16, -1, 16]);  view_26 = None
        permute_14: "f32[2, 1, 16, 16][256, 16, 16, 1]cpu" = torch.ops.aten.permute.default(view_27, [0, 2, 1, 3]);  view_27 = None

        # File: modeling_llama.py:245 in forward, code: value_states = self.v_proj(hidden_states).view(hidden_shape).transpose(1, 2)
        permute_15: "f32[32, 16][1, 32]cpu" = torch.ops.aten.permute.default(primals_16, [1, 0])
        mm_9: "f32[32, 16][16, 1]cpu" = torch.ops.aten.mm.default(view_22, permute_15);  permute_15 = None
        view_29: "f32[2, 16, 16][256, 16, 1]cpu" = torch.ops.aten.view.default(mm_9, [2, 16, 16])
        view_30: "f32[2, 16, 1, 16][256, 16, 16, 1]cpu" = torch.ops.aten.view.default(view_29, [2, 16, -1, 16]);  view_29 = None
        permute_16: "f32[2, 1, 16, 16][256, 16, 16, 1]cpu" = torch.ops.aten.permute.default(view_30, [0, 2, 1, 3]);  view_30 = None

        # File: modeling_llama.py:147 in apply_rotary_pos_emb, code: q_embed = (q * cos) + (rotate_half(q) * sin)
        mul_14: "f32[2, 2, 16, 16][512, 16, 32, 1]cpu" = torch.ops.aten.mul.Tensor(permute_12, unsqueeze_12)

        # File: modeling_llama.py:121 in rotate_half, code: x1 = x[..., : x.shape[-1] // 2]
        slice_8: "f32[2, 2, 16, 8][512, 16, 32, 1]cpu" = torch.ops.aten.slice.Tensor(permute_12, 3, 0, 8)

        # File: modeling_llama.py:122 in rotate_half, code: x2 = x[..., x.shape[-1] // 2 :]
        slice_9: "f32[2, 2, 16, 8][512, 16, 32, 1]cpu" = torch.ops.aten.slice.Tensor(permute_12, 3, 8, 9223372036854775807);  permute_12 = None

        # File: modeling_llama.py:123 in rotate_half, code: return torch.cat((-x2, x1), dim=-1)
        neg_3: "f32[2, 2, 16, 8][256, 8, 16, 1]cpu" = torch.ops.aten.neg.default(slice_9);  slice_9 = None
        cat_3: "f32[2, 2, 16, 16][512, 256, 16, 1]cpu" = torch.ops.aten.cat.default([neg_3, slice_8], -1);  neg_3 = slice_8 = None

        # File: modeling_llama.py:147 in apply_rotary_pos_emb, code: q_embed = (q * cos) + (rotate_half(q) * sin)
        mul_15: "f32[2, 2, 16, 16][512, 256, 16, 1]cpu" = torch.ops.aten.mul.Tensor(cat_3, unsqueeze_13);  cat_3 = None
        add_11: "f32[2, 2, 16, 16][512, 16, 32, 1]cpu" = torch.ops.aten.add.Tensor(mul_14, mul_15);  mul_14 = mul_15 = None

        # File: modeling_llama.py:148 in apply_rotary_pos_emb, code: k_embed = (k * cos) + (rotate_half(k) * sin)
        mul_16: "f32[2, 1, 16, 16][256, 16, 16, 1]cpu" = torch.ops.aten.mul.Tensor(permute_14, unsqueeze_12);  unsqueeze_12 = None

        # File: modeling_llama.py:121 in rotate_half, code: x1 = x[..., : x.shape[-1] // 2]
        slice_10: "f32[2, 1, 16, 8][256, 16, 16, 1]cpu" = torch.ops.aten.slice.Tensor(permute_14, 3, 0, 8)

        # File: modeling_llama.py:122 in rotate_half, code: x2 = x[..., x.shape[-1] // 2 :]
        slice_11: "f32[2, 1, 16, 8][256, 16, 16, 1]cpu" = torch.ops.aten.slice.Tensor(permute_14, 3, 8, 9223372036854775807);  permute_14 = None

        # File: modeling_llama.py:123 in rotate_half, code: return torch.cat((-x2, x1), dim=-1)
        neg_4: "f32[2, 1, 16, 8][128, 8, 8, 1]cpu" = torch.ops.aten.neg.default(slice_11);  slice_11 = None
        cat_4: "f32[2, 1, 16, 16][256, 256, 16, 1]cpu" = torch.ops.aten.cat.default([neg_4, slice_10], -1);  neg_4 = slice_10 = None

        # File: modeling_llama.py:148 in apply_rotary_pos_emb, code: k_embed = (k * cos) + (rotate_half(k) * sin)
        mul_17: "f32[2, 1, 16, 16][256, 256, 16, 1]cpu" = torch.ops.aten.mul.Tensor(cat_4, unsqueeze_13);  cat_4 = unsqueeze_13 = None
        add_12: "f32[2, 1, 16, 16][256, 16, 16, 1]cpu" = torch.ops.aten.add.Tensor(mul_16, mul_17);  mul_16 = mul_17 = None

        # File: sdpa_attention.py:28 in repeat_kv, code: hidden_states = hidden_states[:, :, None, :, :].expand(batch, num_key_value_heads, n_rep, slen, head_dim)
        unsqueeze_18: "f32[2, 1, 1, 16, 16][256, 16, 256, 16, 1]cpu" = torch.ops.aten.unsqueeze.default(add_12, 2);  add_12 = None
        expand_6: "f32[2, 1, 2, 16, 16][256, 16, 0, 16, 1]cpu" = torch.ops.aten.expand.default(unsqueeze_18, [2, 1, 2, 16, 16]);  unsqueeze_18 = None

        # File: sdpa_attention.py:29 in repeat_kv, code: return hidden_states.reshape(batch, num_key_value_heads * n_rep, slen, head_dim)
        view_31: "f32[2, 2, 16, 16][256, 0, 16, 1]cpu" = torch.ops.aten.view.default(expand_6, [2, 2, 16, 16]);  expand_6 = None

        # File: sdpa_attention.py:28 in repeat_kv, code: hidden_states = hidden_states[:, :, None, :, :].expand(batch, num_key_value_heads, n_rep, slen, head_dim)
        unsqueeze_19: "f32[2, 1, 1, 16, 16][256, 16, 256, 16, 1]cpu" = torch.ops.aten.unsqueeze.default(permute_16, 2);  permute_16 = None
        expand_7: "f32[2, 1, 2, 16, 16][256, 16, 0, 16, 1]cpu" = torch.ops.aten.expand.default(unsqueeze_19, [2, 1, 2, 16, 16]);  unsqueeze_19 = None

        # File: sdpa_attention.py:29 in repeat_kv, code: return hidden_states.reshape(batch, num_key_value_heads * n_rep, slen, head_dim)
        view_32: "f32[2, 2, 16, 16][256, 0, 16, 1]cpu" = torch.ops.aten.view.default(expand_7, [2, 2, 16, 16]);  expand_7 = None

        # File: sdpa_attention.py:193 in sdpa_attention_forward, code: attn_output = torch.nn.functional.scaled_dot_product_attention(
        _scaled_dot_product_flash_attention_for_cpu_1 = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu.default(add_11, view_31, view_32, attn_mask = where, scale = 0.25);  view_32 = None
        getitem_2: "f32[2, 2, 16, 16][512, 16, 32, 1]cpu" = _scaled_dot_product_flash_attention_for_cpu_1[0]
        getitem_3: "f32[2, 2, 16][32, 1, 2]cpu" = _scaled_dot_product_flash_attention_for_cpu_1[1];  _scaled_dot_product_flash_attention_for_cpu_1 = None

        # File: sdpa_attention.py:206 in sdpa_attention_forward, code: attn_output = attn_output.transpose(1, 2).contiguous()
        permute_17: "f32[2, 16, 2, 16][512, 32, 16, 1]cpu" = torch.ops.aten.permute.default(getitem_2, [0, 2, 1, 3])

        # File: modeling_llama.py:268 in forward, code: attn_output = attn_output.reshape(*input_shape, -1).contiguous()
        view_34: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.view.default(permute_17, [2, 16, -1]);  permute_17 = None

        # File: modeling_llama.py:269 in forward, code: attn_output = self.o_proj(attn_output)
        permute_18: "f32[32, 32][1, 32]cpu" = torch.ops.aten.permute.default(primals_17, [1, 0])
        view_35: "f32[32, 32][32, 1]cpu" = torch.ops.aten.view.default(view_34, [32, 32]);  view_34 = None
        mm_10: "f32[32, 32][32, 1]cpu" = torch.ops.aten.mm.default(view_35, permute_18);  view_35 = permute_18 = None
        view_36: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.view.default(mm_10, [2, 16, 32]);  mm_10 = None

        # File: modeling_llama.py:306 in forward, code: hidden_states = residual + hidden_states
        add_13: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.add.Tensor(add_9, view_36);  view_36 = None

        # File: modeling_llama.py:64 in forward, code: variance = hidden_states.pow(2).mean(-1, keepdim=True)
        pow_4: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.pow.Tensor_Scalar(add_13, 2)
        mean_3: "f32[2, 16, 1][16, 1, 1]cpu" = torch.ops.aten.mean.dim(pow_4, [-1], True);  pow_4 = None

        # File: modeling_llama.py:65 in forward, code: hidden_states = hidden_states * torch.rsqrt(variance + self.variance_epsilon)
        add_14: "f32[2, 16, 1][16, 1, 1]cpu" = torch.ops.aten.add.Tensor(mean_3, 1e-06);  mean_3 = None
        rsqrt_3: "f32[2, 16, 1][16, 1, 1]cpu" = torch.ops.aten.rsqrt.default(add_14);  add_14 = None
        mul_18: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Tensor(add_13, rsqrt_3)

        # File: modeling_llama.py:66 in forward, code: return self.weight * hidden_states.to(input_dtype)
        mul_19: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Tensor(primals_18, mul_18);  mul_18 = None

        # File: modeling_llama.py:164 in forward, code: down_proj = self.down_proj(self.act_fn(self.gate_proj(x)) * self.up_proj(x))
        permute_19: "f32[32, 64][1, 32]cpu" = torch.ops.aten.permute.default(primals_19, [1, 0])
        view_37: "f32[32, 32][32, 1]cpu" = torch.ops.aten.view.default(mul_19, [32, 32]);  mul_19 = None
        mm_11: "f32[32, 64][64, 1]cpu" = torch.ops.aten.mm.default(view_37, permute_19);  permute_19 = None
        view_38: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.view.default(mm_11, [2, 16, 64])

        # File: activations.py:103 in forward, code: return nn.functional.silu(input)
        neg_5: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.neg.default(view_38)
        exp_1: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.exp.default(neg_5);  neg_5 = None
        add_15: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.add.Tensor(exp_1, 1);  exp_1 = None
        div_1: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.div.Tensor(view_38, add_15);  view_38 = add_15 = None

        # File: modeling_llama.py:164 in forward, code: down_proj = self.down_proj(self.act_fn(self.gate_proj(x)) * self.up_proj(x))
        permute_20: "f32[32, 64][1, 32]cpu" = torch.ops.aten.permute.default(primals_20, [1, 0])
        mm_12: "f32[32, 64][64, 1]cpu" = torch.ops.aten.mm.default(view_37, permute_20);  permute_20 = None
        view_40: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.view.default(mm_12, [2, 16, 64])
        mul_20: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.mul.Tensor(div_1, view_40);  div_1 = view_40 = None
        permute_21: "f32[64, 32][1, 64]cpu" = torch.ops.aten.permute.default(primals_21, [1, 0])
        view_41: "f32[32, 64][64, 1]cpu" = torch.ops.aten.view.default(mul_20, [32, 64]);  mul_20 = None
        mm_13: "f32[32, 32][32, 1]cpu" = torch.ops.aten.mm.default(view_41, permute_21);  permute_21 = None
        view_42: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.view.default(mm_13, [2, 16, 32]);  mm_13 = None

        # File: modeling_llama.py:312 in forward, code: hidden_states = residual + hidden_states
        add_16: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.add.Tensor(add_13, view_42);  view_42 = None

        # File: modeling_llama.py:64 in forward, code: variance = hidden_states.pow(2).mean(-1, keepdim=True)
        pow_5: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.pow.Tensor_Scalar(add_16, 2)
        mean_4: "f32[2, 16, 1][16, 1, 1]cpu" = torch.ops.aten.mean.dim(pow_5, [-1], True);  pow_5 = None

        # File: modeling_llama.py:65 in forward, code: hidden_states = hidden_states * torch.rsqrt(variance + self.variance_epsilon)
        add_17: "f32[2, 16, 1][16, 1, 1]cpu" = torch.ops.aten.add.Tensor(mean_4, 1e-06);  mean_4 = None
        rsqrt_4: "f32[2, 16, 1][16, 1, 1]cpu" = torch.ops.aten.rsqrt.default(add_17);  add_17 = None
        mul_21: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Tensor(add_16, rsqrt_4)

        # File: modeling_llama.py:66 in forward, code: return self.weight * hidden_states.to(input_dtype)
        mul_22: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Tensor(primals_22, mul_21);  mul_21 = None

        # File: modeling_llama.py:468 in forward, code: logits = self.lm_head(hidden_states)
        permute_22: "f32[32, 64][1, 32]cpu" = torch.ops.aten.permute.default(primals_23, [1, 0])
        view_43: "f32[32, 32][32, 1]cpu" = torch.ops.aten.view.default(mul_22, [32, 32]);  mul_22 = None
        mm_14: "f32[32, 64][64, 1]cpu" = torch.ops.aten.mm.default(view_43, permute_22);  permute_22 = None
        view_44: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.view.default(mm_14, [2, 16, 64]);  mm_14 = None

        # File: torch/nn/functional.py:5823 in pad, code: return torch._C._nn.pad(input, pad, mode, value)
        constant_pad_nd: "i64[2, 17][17, 1]cpu" = torch.ops.aten.constant_pad_nd.default(primals_24, [0, 1], -100.0);  primals_24 = None

        # File: loss_utils.py:66 in ForCausalLMLoss, code: shift_labels = labels[..., 1:].contiguous()
        slice_12: "i64[2, 16][17, 1]cpu" = torch.ops.aten.slice.Tensor(constant_pad_nd, 1, 1, 9223372036854775807)
        clone_2: "i64[2, 16][16, 1]cpu" = torch.ops.aten.clone.default(slice_12, memory_format = torch.contiguous_format);  slice_12 = None

        # File: loss_utils.py:69 in ForCausalLMLoss, code: logits = logits.view(-1, vocab_size)
        view_45: "f32[32, 64][64, 1]cpu" = torch.ops.aten.view.default(view_44, [-1, 64])

        # File: loss_utils.py:70 in ForCausalLMLoss, code: shift_labels = shift_labels.view(-1)
        view_46: "i64[32][1]cpu" = torch.ops.aten.view.default(clone_2, [-1]);  clone_2 = None

        # File: loss_utils.py:42 in fixed_cross_entropy, code: loss = nn.functional.cross_entropy(source, target, ignore_index=ignore_index, reduction=reduction)
        amax: "f32[32, 1][1, 1]cpu" = torch.ops.aten.amax.default(view_45, [1], True)
        sub_2: "f32[32, 64][64, 1]cpu" = torch.ops.aten.sub.Tensor(view_45, amax);  view_45 = None
        exp_2: "f32[32, 64][64, 1]cpu" = torch.ops.aten.exp.default(sub_2)
        sum_1: "f32[32, 1][1, 1]cpu" = torch.ops.aten.sum.dim_IntList(exp_2, [1], True);  exp_2 = None
        log: "f32[32, 1][1, 1]cpu" = torch.ops.aten.log.default(sum_1);  sum_1 = None
        sub_3: "f32[32, 64][64, 1]cpu" = torch.ops.aten.sub.Tensor(sub_2, log);  sub_2 = None
        ne_1: "b8[32][1]cpu" = torch.ops.aten.ne.Scalar(view_46, -100)
        full_default_5: "i64[][]cpu" = torch.ops.aten.full.default([], 0, dtype = torch.int64, layout = torch.strided, device = device(type='cpu'), pin_memory = False)
        where_2: "i64[32][1]cpu" = torch.ops.aten.where.self(ne_1, view_46, full_default_5);  view_46 = full_default_5 = None
        unsqueeze_20: "i64[32, 1][1, 1]cpu" = torch.ops.aten.unsqueeze.default(where_2, 1);  where_2 = None
        gather: "f32[32, 1][1, 1]cpu" = torch.ops.aten.gather.default(sub_3, 1, unsqueeze_20);  sub_3 = unsqueeze_20 = None
        squeeze: "f32[32][1]cpu" = torch.ops.aten.squeeze.dim(gather, 1);  gather = None
        neg_6: "f32[32][1]cpu" = torch.ops.aten.neg.default(squeeze);  squeeze = None
        where_3: "f32[32][1]cpu" = torch.ops.aten.where.self(ne_1, neg_6, full_default_2);  neg_6 = full_default_2 = None
        sum_2: "i64[][]cpu" = torch.ops.aten.sum.default(ne_1);  ne_1 = None
        convert_element_type_1: "f32[][]cpu" = torch.ops.prims.convert_element_type.default(sum_2, torch.float32);  sum_2 = None
        sum_3: "f32[][]cpu" = torch.ops.aten.sum.default(where_3);  where_3 = None
        div_2: "f32[][]cpu" = torch.ops.aten.div.Tensor(sum_3, convert_element_type_1);  sum_3 = None
        return (
            div_2,  # PlainAOTOutput(idx=0)
            view_44,  # PlainAOTOutput(idx=1)
            primals_1,  # SavedForBackwardsAOTOutput(idx=0)
            primals_3,  # SavedForBackwardsAOTOutput(idx=1)
            primals_4,  # SavedForBackwardsAOTOutput(idx=2)
            primals_5,  # SavedForBackwardsAOTOutput(idx=3)
            primals_6,  # SavedForBackwardsAOTOutput(idx=4)
            primals_7,  # SavedForBackwardsAOTOutput(idx=5)
            primals_8,  # SavedForBackwardsAOTOutput(idx=6)
            primals_9,  # SavedForBackwardsAOTOutput(idx=7)
            primals_10,  # SavedForBackwardsAOTOutput(idx=8)
            primals_11,  # SavedForBackwardsAOTOutput(idx=9)
            primals_12,  # SavedForBackwardsAOTOutput(idx=10)
            primals_13,  # SavedForBackwardsAOTOutput(idx=11)
            primals_14,  # SavedForBackwardsAOTOutput(idx=12)
            primals_15,  # SavedForBackwardsAOTOutput(idx=13)
            primals_16,  # SavedForBackwardsAOTOutput(idx=14)
            primals_17,  # SavedForBackwardsAOTOutput(idx=15)
            primals_18,  # SavedForBackwardsAOTOutput(idx=16)
            primals_19,  # SavedForBackwardsAOTOutput(idx=17)
            primals_20,  # SavedForBackwardsAOTOutput(idx=18)
            primals_21,  # SavedForBackwardsAOTOutput(idx=19)
            primals_22,  # SavedForBackwardsAOTOutput(idx=20)
            primals_23,  # SavedForBackwardsAOTOutput(idx=21)
            embedding,  # SavedForBackwardsAOTOutput(idx=22)
            rsqrt,  # SavedForBackwardsAOTOutput(idx=23)
            view_1,  # SavedForBackwardsAOTOutput(idx=24)
            mm_2,  # SavedForBackwardsAOTOutput(idx=25)
            add_4,  # SavedForBackwardsAOTOutput(idx=26)
            view_10,  # SavedForBackwardsAOTOutput(idx=27)
            where,  # SavedForBackwardsAOTOutput(idx=28)
            getitem,  # SavedForBackwardsAOTOutput(idx=29)
            getitem_1,  # SavedForBackwardsAOTOutput(idx=30)
            mm_3,  # SavedForBackwardsAOTOutput(idx=31)
            rsqrt_1,  # SavedForBackwardsAOTOutput(idx=32)
            view_16,  # SavedForBackwardsAOTOutput(idx=33)
            mm_4,  # SavedForBackwardsAOTOutput(idx=34)
            mm_5,  # SavedForBackwardsAOTOutput(idx=35)
            view_20,  # SavedForBackwardsAOTOutput(idx=36)
            add_9,  # SavedForBackwardsAOTOutput(idx=37)
            rsqrt_2,  # SavedForBackwardsAOTOutput(idx=38)
            view_22,  # SavedForBackwardsAOTOutput(idx=39)
            mm_9,  # SavedForBackwardsAOTOutput(idx=40)
            add_11,  # SavedForBackwardsAOTOutput(idx=41)
            view_31,  # SavedForBackwardsAOTOutput(idx=42)
            getitem_2,  # SavedForBackwardsAOTOutput(idx=43)
            getitem_3,  # SavedForBackwardsAOTOutput(idx=44)
            add_13,  # SavedForBackwardsAOTOutput(idx=45)
            rsqrt_3,  # SavedForBackwardsAOTOutput(idx=46)
            view_37,  # SavedForBackwardsAOTOutput(idx=47)
            mm_11,  # SavedForBackwardsAOTOutput(idx=48)
            mm_12,  # SavedForBackwardsAOTOutput(idx=49)
            view_41,  # SavedForBackwardsAOTOutput(idx=50)
            add_16,  # SavedForBackwardsAOTOutput(idx=51)
            rsqrt_4,  # SavedForBackwardsAOTOutput(idx=52)
            view_43,  # SavedForBackwardsAOTOutput(idx=53)
            view_44,  # SavedForBackwardsAOTOutput(idx=54)
            constant_pad_nd,  # SavedForBackwardsAOTOutput(idx=55)
            amax,  # SavedForBackwardsAOTOutput(idx=56)
            log,  # SavedForBackwardsAOTOutput(idx=57)
            convert_element_type_1,  # SavedForBackwardsAOTOutput(idx=58)
        )


def inputs_of_training_0_0_forward_graph(number=0):
    """Inputs of the recorded layout; integers are `number`."""
    return [
        tensor((2, 16), (16, 1), torch.int64, 'cpu', number),  # primals_1
        tensor((64, 32), (32, 1), torch.float32, 'cpu'),  # primals_2
        tensor((8,), (1,), torch.float32, 'cpu'),  # primals_3
        tensor((32,), (1,), torch.float32, 'cpu'),  # primals_4
        tensor((32, 32), (32, 1), torch.float32, 'cpu'),  # primals_5
        tensor((16, 32), (32, 1), torch.float32, 'cpu'),  # primals_6
        tensor((16, 32), (32, 1), torch.float32, 'cpu'),  # primals_7
        tensor((32, 32), (32, 1), torch.float32, 'cpu'),  # primals_8
        tensor((32,), (1,), torch.float32, 'cpu'),  # primals_9
        tensor((64, 32), (32, 1), torch.float32, 'cpu'),  # primals_10
        tensor((64, 32), (32, 1), torch.float32, 'cpu'),  # primals_11
        tensor((32, 64), (64, 1), torch.float32, 'cpu'),  # primals_12
        tensor((32,), (1,), torch.float32, 'cpu'),  # primals_13
        tensor((32, 32), (32, 1), torch.float32, 'cpu'),  # primals_14
        tensor((16, 32), (32, 1), torch.float32, 'cpu'),  # primals_15
        tensor((16, 32), (32, 1), torch.float32, 'cpu'),  # primals_16
        tensor((32, 32), (32, 1), torch.float32, 'cpu'),  # primals_17
        tensor((32,), (1,), torch.float32, 'cpu'),  # primals_18
        tensor((64, 32), (32, 1), torch.float32, 'cpu'),  # primals_19
        tensor((64, 32), (32, 1), torch.float32, 'cpu'),  # primals_20
        tensor((32, 64), (64, 1), torch.float32, 'cpu'),  # primals_21
        tensor((32,), (1,), torch.float32, 'cpu'),  # primals_22
        tensor((64, 32), (32, 1), torch.float32, 'cpu'),  # primals_23
        tensor((2, 16), (16, 1), torch.int64, 'cpu', number),  # primals_24
    ]


def run_training_0_0_forward_graph():
    graph = Graph_training_0_0_forward_graph()
    for number in (0, 1):  # an index made from zeros may lie outside
        try:
            outputs = graph.forward(*inputs_of_training_0_0_forward_graph(number))
            break
        except (IndexError, RuntimeError):
            if number == 1:
                raise
    outputs = list(outputs) if isinstance(outputs, (tuple, list)) else [outputs]
    recorded = [  # None: nothing is recorded of that output
        ((), (), torch.float32, 'cpu'),
        ((2, 16, 64), (1024, 64, 1), torch.float32, 'cpu'),
        ((2, 16), (16, 1), torch.int64, 'cpu'),
        ((8,), (1,), torch.float32, 'cpu'),
        ((32,), (1,), torch.float32, 'cpu'),
        ((32, 32), (32, 1), torch.float32, 'cpu'),
        ((16, 32), (32, 1), torch.float32, 'cpu'),
        ((16, 32), (32, 1), torch.float32, 'cpu'),
        ((32, 32), (32, 1), torch.float32, 'cpu'),
        ((32,), (1,), torch.float32, 'cpu'),
        ((64, 32), (32, 1), torch.float32, 'cpu'),
        ((64, 32), (32, 1), torch.float32, 'cpu'),
        ((32, 64), (64, 1), torch.float32, 'cpu'),
        ((32,), (1,), torch.float32, 'cpu'),
        ((32, 32), (32, 1), torch.float32, 'cpu'),
        ((16, 32), (32, 1), torch.float32, 'cpu'),
        ((16, 32), (32, 1), torch.float32, 'cpu'),
        ((32, 32), (32, 1), torch.float32, 'cpu'),
        ((32,), (1,), torch.float32, 'cpu'),
        ((64, 32), (32, 1), torch.float32, 'cpu'),
        ((64, 32), (32, 1), torch.float32, 'cpu'),
        ((32, 64), (64, 1), torch.float32, 'cpu'),
        ((32,), (1,), torch.float32, 'cpu'),
        ((64, 32), (32, 1), torch.float32, 'cpu'),
        ((2, 16, 32), (512, 32, 1), torch.float32, 'cpu'),
        ((2, 16, 1), (16, 1, 1), torch.float32, 'cpu'),
        ((32, 32), (32, 1), torch.float32, 'cpu'),
        ((32, 16), (16, 1), torch.float32, 'cpu'),
        ((2, 2, 16, 16), (512, 16, 32, 1), torch.float32, 'cpu'),
        ((2, 2, 16, 16), (256, 0, 16, 1), torch.float32, 'cpu'),
        ((2, 1, 16, 16), (256, 256, 16, 1), torch.float32, 'cpu'),
        ((2, 2, 16, 16), (512, 16, 32, 1), torch.float32, 'cpu'),
        ((2, 2, 16), (32, 1, 2), torch.float32, 'cpu'),
        ((32, 32), (32, 1), torch.float32, 'cpu'),
        ((2, 16, 1), (16, 1, 1), torch.float32, 'cpu'),
        ((32, 32), (32, 1), torch.float32, 'cpu'),
        ((32, 64), (64, 1), torch.float32, 'cpu'),
        ((32, 64), (64, 1), torch.float32, 'cpu'),
        ((32, 64), (64, 1), torch.float32, 'cpu'),
        ((2, 16, 32), (512, 32, 1), torch.float32, 'cpu'),
        ((2, 16, 1), (16, 1, 1), torch.float32, 'cpu'),
        ((32, 32), (32, 1), torch.float32, 'cpu'),
        ((32, 16), (16, 1), torch.float32, 'cpu'),
        ((2, 2, 16, 16), (512, 16, 32, 1), torch.float32, 'cpu'),
        ((2, 2, 16, 16), (256, 0, 16, 1), torch.float32, 'cpu'),
        ((2, 2, 16, 16), (512, 16, 32, 1), torch.float32, 'cpu'),
        ((2, 2, 16), (32, 1, 2), torch.float32, 'cpu'),
        ((2, 16, 32), (512, 32, 1), torch.float32, 'cpu'),
        ((2, 16, 1), (16, 1, 1), torch.float32, 'cpu'),
        ((32, 32), (32, 1), torch.float32, 'cpu'),
        ((32, 64), (64, 1), torch.float32, 'cpu'),
        ((32, 64), (64, 1), torch.float32, 'cpu'),
        ((32, 64), (64, 1), torch.float32, 'cpu'),
        ((2, 16, 32), (512, 32, 1), torch.float32, 'cpu'),
        ((2, 16, 1), (16, 1, 1), torch.float32, 'cpu'),
        ((32, 32), (32, 1), torch.float32, 'cpu'),
        ((2, 16, 64), (1024, 64, 1), torch.float32, 'cpu'),
        ((2, 17), (17, 1), torch.int64, 'cpu'),
        ((32, 1), (1, 1), torch.float32, 'cpu'),
        ((32, 1), (1, 1), torch.float32, 'cpu'),
        ((), (), torch.float32, 'cpu'),
    ]
    different = len(outputs) != len(recorded)
    for i, (output, wanted) in enumerate(zip(outputs, recorded)):
        right = wanted is None or same(layout(output), wanted)
        different = different or not right
        print(f"output {i}: {layout(output)}{'' if right else f', recorded: {wanted}'}")
    return int(different)

# ---- Training, wrapper [0/0]: Backward
class Graph_training_0_0_backward_graph(torch.nn.Module):
    def forward(
        self,
        primals_1: "i64[2, 16][16, 1]cpu",  # PlainAOTInput(idx=0)
        primals_3: "f32[8][1]cpu",  # PlainAOTInput(idx=2)
        primals_4: "f32[32][1]cpu",  # PlainAOTInput(idx=3)
        primals_5: "f32[32, 32][32, 1]cpu",  # PlainAOTInput(idx=4)
        primals_6: "f32[16, 32][32, 1]cpu",  # PlainAOTInput(idx=5)
        primals_7: "f32[16, 32][32, 1]cpu",  # PlainAOTInput(idx=6)
        primals_8: "f32[32, 32][32, 1]cpu",  # PlainAOTInput(idx=7)
        primals_9: "f32[32][1]cpu",  # PlainAOTInput(idx=8)
        primals_10: "f32[64, 32][32, 1]cpu",  # PlainAOTInput(idx=9)
        primals_11: "f32[64, 32][32, 1]cpu",  # PlainAOTInput(idx=10)
        primals_12: "f32[32, 64][64, 1]cpu",  # PlainAOTInput(idx=11)
        primals_13: "f32[32][1]cpu",  # PlainAOTInput(idx=12)
        primals_14: "f32[32, 32][32, 1]cpu",  # PlainAOTInput(idx=13)
        primals_15: "f32[16, 32][32, 1]cpu",  # PlainAOTInput(idx=14)
        primals_16: "f32[16, 32][32, 1]cpu",  # PlainAOTInput(idx=15)
        primals_17: "f32[32, 32][32, 1]cpu",  # PlainAOTInput(idx=16)
        primals_18: "f32[32][1]cpu",  # PlainAOTInput(idx=17)
        primals_19: "f32[64, 32][32, 1]cpu",  # PlainAOTInput(idx=18)
        primals_20: "f32[64, 32][32, 1]cpu",  # PlainAOTInput(idx=19)
        primals_21: "f32[32, 64][64, 1]cpu",  # PlainAOTInput(idx=20)
        primals_22: "f32[32][1]cpu",  # PlainAOTInput(idx=21)
        primals_23: "f32[64, 32][32, 1]cpu",  # PlainAOTInput(idx=22)
        embedding: "f32[2, 16, 32][512, 32, 1]cpu",
        rsqrt: "f32[2, 16, 1][16, 1, 1]cpu",
        view_1: "f32[32, 32][32, 1]cpu",
        mm_2: "f32[32, 16][16, 1]cpu",
        add_4: "f32[2, 2, 16, 16][512, 16, 32, 1]cpu",
        view_10: "f32[2, 2, 16, 16][256, 0, 16, 1]cpu",
        where: "f32[2, 1, 16, 16][256, 256, 16, 1]cpu",
        getitem: "f32[2, 2, 16, 16][512, 16, 32, 1]cpu",
        getitem_1: "f32[2, 2, 16][32, 1, 2]cpu",
        mm_3: "f32[32, 32][32, 1]cpu",
        rsqrt_1: "f32[2, 16, 1][16, 1, 1]cpu",
        view_16: "f32[32, 32][32, 1]cpu",
        mm_4: "f32[32, 64][64, 1]cpu",
        mm_5: "f32[32, 64][64, 1]cpu",
        view_20: "f32[32, 64][64, 1]cpu",
        add_9: "f32[2, 16, 32][512, 32, 1]cpu",
        rsqrt_2: "f32[2, 16, 1][16, 1, 1]cpu",
        view_22: "f32[32, 32][32, 1]cpu",
        mm_9: "f32[32, 16][16, 1]cpu",
        add_11: "f32[2, 2, 16, 16][512, 16, 32, 1]cpu",
        view_31: "f32[2, 2, 16, 16][256, 0, 16, 1]cpu",
        getitem_2: "f32[2, 2, 16, 16][512, 16, 32, 1]cpu",
        getitem_3: "f32[2, 2, 16][32, 1, 2]cpu",
        add_13: "f32[2, 16, 32][512, 32, 1]cpu",
        rsqrt_3: "f32[2, 16, 1][16, 1, 1]cpu",
        view_37: "f32[32, 32][32, 1]cpu",
        mm_11: "f32[32, 64][64, 1]cpu",
        mm_12: "f32[32, 64][64, 1]cpu",
        view_41: "f32[32, 64][64, 1]cpu",
        add_16: "f32[2, 16, 32][512, 32, 1]cpu",
        rsqrt_4: "f32[2, 16, 1][16, 1, 1]cpu",
        view_43: "f32[32, 32][32, 1]cpu",
        view_44: "f32[2, 16, 64][1024, 64, 1]cpu",
        constant_pad_nd: "i64[2, 17][17, 1]cpu",
        amax: "f32[32, 1][1, 1]cpu",
        log: "f32[32, 1][1, 1]cpu",
        convert_element_type_1: "f32[][]cpu",
        tangents_1: "f32[][]cpu",  # TangentAOTInput(output=PlainAOTOutput(idx=0))
        tangents_2: "f32[2, 16, 64][1024, 64, 1]cpu",  # TangentAOTInput(output=PlainAOTOutput(idx=1))
    ):
        # File: loss_utils.py:42 in fixed_cross_entropy, code: loss = nn.functional.cross_entropy(source, target, ignore_index=ignore_index, reduction=reduction)
        div_3: "f32[][]cpu" = torch.ops.aten.div.Tensor(tangents_1, convert_element_type_1);  tangents_1 = convert_element_type_1 = None

        # File: loss_utils.py:66 in ForCausalLMLoss, code: shift_labels = labels[..., 1:].contiguous()
        slice_12: "i64[2, 16][17, 1]cpu" = torch.ops.aten.slice.Tensor(constant_pad_nd, 1, 1, 9223372036854775807);  constant_pad_nd = None
        clone_2: "i64[2, 16][16, 1]cpu" = torch.ops.aten.clone.default(slice_12, memory_format = torch.contiguous_format);  slice_12 = None

        # File: loss_utils.py:70 in ForCausalLMLoss, code: shift_labels = shift_labels.view(-1)
        view_46: "i64[32][1]cpu" = torch.ops.aten.view.default(clone_2, [-1]);  clone_2 = None

        # File: loss_utils.py:42 in fixed_cross_entropy, code: loss = nn.functional.cross_entropy(source, target, ignore_index=ignore_index, reduction=reduction)
        unsqueeze_21: "i64[32, 1][1, 1]cpu" = torch.ops.aten.unsqueeze.default(view_46, 1);  view_46 = None
        ne_4: "b8[32, 1][1, 1]cpu" = torch.ops.aten.ne.Scalar(unsqueeze_21, -100)
        full_default_5: "i64[][]cpu" = torch.ops.aten.full.default([], 0, dtype = torch.int64, layout = torch.strided, device = device(type='cpu'), pin_memory = False)
        where_4: "i64[32, 1][1, 1]cpu" = torch.ops.aten.where.self(ne_4, unsqueeze_21, full_default_5);  unsqueeze_21 = full_default_5 = None

        # No stacktrace found for following nodes
        iota_default: "i64[64][1]cpu" = torch.ops.prims.iota.default(64, start = 0, step = 1, dtype = torch.int64, device = device(type='cpu'), requires_grad = False)
        view_default: "i64[1, 64][64, 1]cpu" = torch.ops.aten.view.default(iota_default, [1, 64]);  iota_default = None
        expand_default: "i64[32, 64][1, 0]cpu" = torch.ops.aten.expand.default(where_4, [32, 64]);  where_4 = None
        eq_tensor: "b8[32, 64][64, 1]cpu" = torch.ops.aten.eq.Tensor(expand_default, view_default);  expand_default = view_default = None
        scalar_tensor_default: "f32[][]cpu" = torch.ops.aten.scalar_tensor.default(0, dtype = torch.float32, layout = torch.strided, device = device(type='cpu'))
        scalar_tensor_default_1: "f32[][]cpu" = torch.ops.aten.scalar_tensor.default(-1.0, dtype = torch.float32, layout = torch.strided, device = device(type='cpu'))

        # File: loss_utils.py:42 in fixed_cross_entropy, code: loss = nn.functional.cross_entropy(source, target, ignore_index=ignore_index, reduction=reduction)
        where_self: "f32[32, 64][64, 1]cpu" = torch.ops.aten.where.self(eq_tensor, scalar_tensor_default_1, scalar_tensor_default);  eq_tensor = scalar_tensor_default_1 = scalar_tensor_default = None

        # File: sdpa_attention.py:193 in sdpa_attention_forward, code: attn_output = torch.nn.functional.scaled_dot_product_attention(
        full_default_2: "f32[][]cpu" = torch.ops.aten.full.default([], 0.0, dtype = torch.float32, layout = torch.strided, device = device(type='cpu'), pin_memory = False)

        # File: loss_utils.py:42 in fixed_cross_entropy, code: loss = nn.functional.cross_entropy(source, target, ignore_index=ignore_index, reduction=reduction)
        where_5: "f32[32, 1][1, 1]cpu" = torch.ops.aten.where.self(ne_4, div_3, full_default_2);  ne_4 = div_3 = full_default_2 = None
        mul_23: "f32[32, 64][64, 1]cpu" = torch.ops.aten.mul.Tensor(where_self, where_5);  where_self = where_5 = None

        # File: loss_utils.py:69 in ForCausalLMLoss, code: logits = logits.view(-1, vocab_size)
        view_45: "f32[32, 64][64, 1]cpu" = torch.ops.aten.view.default(view_44, [-1, 64]);  view_44 = None

        # File: loss_utils.py:42 in fixed_cross_entropy, code: loss = nn.functional.cross_entropy(source, target, ignore_index=ignore_index, reduction=reduction)
        sub_2: "f32[32, 64][64, 1]cpu" = torch.ops.aten.sub.Tensor(view_45, amax);  view_45 = amax = None
        sub_3: "f32[32, 64][64, 1]cpu" = torch.ops.aten.sub.Tensor(sub_2, log);  sub_2 = log = None
        exp_3: "f32[32, 64][64, 1]cpu" = torch.ops.aten.exp.default(sub_3);  sub_3 = None
        sum_4: "f32[32, 1][1, 1]cpu" = torch.ops.aten.sum.dim_IntList(mul_23, [1], True)
        mul_24: "f32[32, 64][64, 1]cpu" = torch.ops.aten.mul.Tensor(exp_3, sum_4);  exp_3 = sum_4 = None
        sub_4: "f32[32, 64][64, 1]cpu" = torch.ops.aten.sub.Tensor(mul_23, mul_24);  mul_23 = mul_24 = None

        # File: loss_utils.py:69 in ForCausalLMLoss, code: logits = logits.view(-1, vocab_size)
        view_47: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.view.default(sub_4, [2, 16, 64]);  sub_4 = None
        add_18: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.add.Tensor(tangents_2, view_47);  tangents_2 = view_47 = None

        # File: modeling_llama.py:468 in forward, code: logits = self.lm_head(hidden_states)
        view_48: "f32[32, 64][64, 1]cpu" = torch.ops.aten.view.default(add_18, [32, 64]);  add_18 = None
        permute_23: "f32[64, 32][1, 64]cpu" = torch.ops.aten.permute.default(view_48, [1, 0])
        mm_15: "f32[64, 32][32, 1]cpu" = torch.ops.aten.mm.default(permute_23, view_43);  permute_23 = view_43 = None
        permute_22: "f32[32, 64][1, 32]cpu" = torch.ops.aten.permute.default(primals_23, [1, 0]);  primals_23 = None
        permute_25: "f32[64, 32][32, 1]cpu" = torch.ops.aten.permute.default(permute_22, [1, 0]);  permute_22 = None
        mm_16: "f32[32, 32][32, 1]cpu" = torch.ops.aten.mm.default(view_48, permute_25);  view_48 = permute_25 = None
        view_49: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.view.default(mm_16, [2, 16, 32]);  mm_16 = None

        # File: modeling_llama.py:66 in forward, code: return self.weight * hidden_states.to(input_dtype)
        mul_25: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Tensor(view_49, primals_22);  primals_22 = None

        # File: modeling_llama.py:65 in forward, code: hidden_states = hidden_states * torch.rsqrt(variance + self.variance_epsilon)
        mul_21: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Tensor(add_16, rsqrt_4)

        # File: modeling_llama.py:66 in forward, code: return self.weight * hidden_states.to(input_dtype)
        mul_26: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Tensor(view_49, mul_21);  view_49 = mul_21 = None
        sum_5: "f32[1, 1, 32][32, 32, 1]cpu" = torch.ops.aten.sum.dim_IntList(mul_26, [0, 1], True);  mul_26 = None
        view_50: "f32[32][1]cpu" = torch.ops.aten.view.default(sum_5, [32]);  sum_5 = None

        # File: modeling_llama.py:65 in forward, code: hidden_states = hidden_states * torch.rsqrt(variance + self.variance_epsilon)
        mul_27: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Tensor(mul_25, add_16)
        mul_28: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Tensor(mul_25, rsqrt_4);  mul_25 = None
        sum_6: "f32[2, 16, 1][16, 1, 1]cpu" = torch.ops.aten.sum.dim_IntList(mul_27, [2], True);  mul_27 = None
        pow_6: "f32[2, 16, 1][16, 1, 1]cpu" = torch.ops.aten.pow.Tensor_Scalar(rsqrt_4, 3);  rsqrt_4 = None
        mul_29: "f32[2, 16, 1][16, 1, 1]cpu" = torch.ops.aten.mul.Scalar(sum_6, -0.5);  sum_6 = None
        mul_30: "f32[2, 16, 1][16, 1, 1]cpu" = torch.ops.aten.mul.Tensor(mul_29, pow_6);  mul_29 = pow_6 = None

        # File: modeling_llama.py:64 in forward, code: variance = hidden_states.pow(2).mean(-1, keepdim=True)
        expand_8: "f32[2, 16, 32][16, 1, 0]cpu" = torch.ops.aten.expand.default(mul_30, [2, 16, 32]);  mul_30 = None
        div_4: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.div.Scalar(expand_8, 32);  expand_8 = None
        pow_7: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.pow.Tensor_Scalar(add_16, 1.0);  add_16 = None
        mul_31: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Scalar(pow_7, 2.0);  pow_7 = None
        mul_32: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Tensor(div_4, mul_31);  div_4 = mul_31 = None
        add_19: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.add.Tensor(mul_28, mul_32);  mul_28 = mul_32 = None

        # File: modeling_llama.py:164 in forward, code: down_proj = self.down_proj(self.act_fn(self.gate_proj(x)) * self.up_proj(x))
        view_51: "f32[32, 32][32, 1]cpu" = torch.ops.aten.view.default(add_19, [32, 32])
        permute_27: "f32[32, 32][1, 32]cpu" = torch.ops.aten.permute.default(view_51, [1, 0])
        mm_17: "f32[32, 64][64, 1]cpu" = torch.ops.aten.mm.default(permute_27, view_41);  permute_27 = view_41 = None
        permute_21: "f32[64, 32][1, 64]cpu" = torch.ops.aten.permute.default(primals_21, [1, 0]);  primals_21 = None
        permute_29: "f32[32, 64][64, 1]cpu" = torch.ops.aten.permute.default(permute_21, [1, 0]);  permute_21 = None
        mm_18: "f32[32, 64][64, 1]cpu" = torch.ops.aten.mm.default(view_51, permute_29);  view_51 = permute_29 = None
        view_52: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.view.default(mm_18, [2, 16, 64]);  mm_18 = None
        view_38: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.view.default(mm_11, [2, 16, 64]);  mm_11 = None

        # File: activations.py:103 in forward, code: return nn.functional.silu(input)
        neg_5: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.neg.default(view_38)
        exp_1: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.exp.default(neg_5);  neg_5 = None
        add_15: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.add.Tensor(exp_1, 1);  exp_1 = None
        div_1: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.div.Tensor(view_38, add_15);  add_15 = None

        # File: modeling_llama.py:164 in forward, code: down_proj = self.down_proj(self.act_fn(self.gate_proj(x)) * self.up_proj(x))
        mul_33: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.mul.Tensor(view_52, div_1);  div_1 = None
        view_40: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.view.default(mm_12, [2, 16, 64]);  mm_12 = None
        mul_34: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.mul.Tensor(view_52, view_40);  view_52 = view_40 = None
        view_53: "f32[32, 64][64, 1]cpu" = torch.ops.aten.view.default(mul_33, [32, 64]);  mul_33 = None
        permute_31: "f32[64, 32][1, 64]cpu" = torch.ops.aten.permute.default(view_53, [1, 0])
        mm_19: "f32[64, 32][32, 1]cpu" = torch.ops.aten.mm.default(permute_31, view_37);  permute_31 = None
        permute_20: "f32[32, 64][1, 32]cpu" = torch.ops.aten.permute.default(primals_20, [1, 0]);  primals_20 = None
        permute_33: "f32[64, 32][32, 1]cpu" = torch.ops.aten.permute.default(permute_20, [1, 0]);  permute_20 = None
        mm_20: "f32[32, 32][32, 1]cpu" = torch.ops.aten.mm.default(view_53, permute_33);  view_53 = permute_33 = None
        view_54: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.view.default(mm_20, [2, 16, 32]);  mm_20 = None

        # File: activations.py:103 in forward, code: return nn.functional.silu(input)
        sigmoid: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.sigmoid.default(view_38)
        mul_35: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.mul.Tensor(mul_34, sigmoid);  mul_34 = None
        sub_5: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.sub.Tensor(1, sigmoid);  sigmoid = None
        mul_36: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.mul.Tensor(view_38, sub_5);  view_38 = sub_5 = None
        add_20: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.add.Tensor(mul_36, 1);  mul_36 = None
        mul_37: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.mul.Tensor(mul_35, add_20);  mul_35 = add_20 = None

        # File: modeling_llama.py:164 in forward, code: down_proj = self.down_proj(self.act_fn(self.gate_proj(x)) * self.up_proj(x))
        view_55: "f32[32, 64][64, 1]cpu" = torch.ops.aten.view.default(mul_37, [32, 64]);  mul_37 = None
        permute_35: "f32[64, 32][1, 64]cpu" = torch.ops.aten.permute.default(view_55, [1, 0])
        mm_21: "f32[64, 32][32, 1]cpu" = torch.ops.aten.mm.default(permute_35, view_37);  permute_35 = view_37 = None
        permute_19: "f32[32, 64][1, 32]cpu" = torch.ops.aten.permute.default(primals_19, [1, 0]);  primals_19 = None
        permute_37: "f32[64, 32][32, 1]cpu" = torch.ops.aten.permute.default(permute_19, [1, 0]);  permute_19 = None
        mm_22: "f32[32, 32][32, 1]cpu" = torch.ops.aten.mm.default(view_55, permute_37);  view_55 = permute_37 = None
        view_56: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.view.default(mm_22, [2, 16, 32]);  mm_22 = None
        add_21: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.add.Tensor(view_54, view_56);  view_54 = view_56 = None

        # File: modeling_llama.py:66 in forward, code: return self.weight * hidden_states.to(input_dtype)
        mul_38: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Tensor(add_21, primals_18);  primals_18 = None

        # File: modeling_llama.py:65 in forward, code: hidden_states = hidden_states * torch.rsqrt(variance + self.variance_epsilon)
        mul_18: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Tensor(add_13, rsqrt_3)

        # File: modeling_llama.py:66 in forward, code: return self.weight * hidden_states.to(input_dtype)
        mul_39: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Tensor(add_21, mul_18);  add_21 = mul_18 = None
        sum_7: "f32[1, 1, 32][32, 32, 1]cpu" = torch.ops.aten.sum.dim_IntList(mul_39, [0, 1], True);  mul_39 = None
        view_57: "f32[32][1]cpu" = torch.ops.aten.view.default(sum_7, [32]);  sum_7 = None

        # File: modeling_llama.py:65 in forward, code: hidden_states = hidden_states * torch.rsqrt(variance + self.variance_epsilon)
        mul_40: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Tensor(mul_38, add_13)
        mul_41: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Tensor(mul_38, rsqrt_3);  mul_38 = None
        sum_8: "f32[2, 16, 1][16, 1, 1]cpu" = torch.ops.aten.sum.dim_IntList(mul_40, [2], True);  mul_40 = None
        add_22: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.add.Tensor(add_19, mul_41);  add_19 = mul_41 = None
        pow_8: "f32[2, 16, 1][16, 1, 1]cpu" = torch.ops.aten.pow.Tensor_Scalar(rsqrt_3, 3);  rsqrt_3 = None
        mul_42: "f32[2, 16, 1][16, 1, 1]cpu" = torch.ops.aten.mul.Scalar(sum_8, -0.5);  sum_8 = None
        mul_43: "f32[2, 16, 1][16, 1, 1]cpu" = torch.ops.aten.mul.Tensor(mul_42, pow_8);  mul_42 = pow_8 = None

        # File: modeling_llama.py:64 in forward, code: variance = hidden_states.pow(2).mean(-1, keepdim=True)
        expand_9: "f32[2, 16, 32][16, 1, 0]cpu" = torch.ops.aten.expand.default(mul_43, [2, 16, 32]);  mul_43 = None
        div_5: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.div.Scalar(expand_9, 32);  expand_9 = None
        pow_9: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.pow.Tensor_Scalar(add_13, 1.0);  add_13 = None
        mul_44: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Scalar(pow_9, 2.0);  pow_9 = None
        mul_45: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Tensor(div_5, mul_44);  div_5 = mul_44 = None
        add_23: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.add.Tensor(add_22, mul_45);  add_22 = mul_45 = None

        # File: modeling_llama.py:269 in forward, code: attn_output = self.o_proj(attn_output)
        view_58: "f32[32, 32][32, 1]cpu" = torch.ops.aten.view.default(add_23, [32, 32])
        permute_39: "f32[32, 32][1, 32]cpu" = torch.ops.aten.permute.default(view_58, [1, 0])

        # File: sdpa_attention.py:206 in sdpa_attention_forward, code: attn_output = attn_output.transpose(1, 2).contiguous()
        permute_17: "f32[2, 16, 2, 16][512, 32, 16, 1]cpu" = torch.ops.aten.permute.default(getitem_2, [0, 2, 1, 3])

        # File: modeling_llama.py:268 in forward, code: attn_output = attn_output.reshape(*input_shape, -1).contiguous()
        view_34: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.view.default(permute_17, [2, 16, -1]);  permute_17 = None

        # File: modeling_llama.py:269 in forward, code: attn_output = self.o_proj(attn_output)
        view_35: "f32[32, 32][32, 1]cpu" = torch.ops.aten.view.default(view_34, [32, 32]);  view_34 = None
        mm_23: "f32[32, 32][32, 1]cpu" = torch.ops.aten.mm.default(permute_39, view_35);  permute_39 = view_35 = None
        permute_18: "f32[32, 32][1, 32]cpu" = torch.ops.aten.permute.default(primals_17, [1, 0]);  primals_17 = None
        permute_41: "f32[32, 32][32, 1]cpu" = torch.ops.aten.permute.default(permute_18, [1, 0]);  permute_18 = None
        mm_24: "f32[32, 32][32, 1]cpu" = torch.ops.aten.mm.default(view_58, permute_41);  view_58 = permute_41 = None
        view_59: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.view.default(mm_24, [2, 16, 32]);  mm_24 = None

        # File: modeling_llama.py:268 in forward, code: attn_output = attn_output.reshape(*input_shape, -1).contiguous()
        view_60: "f32[2, 16, 2, 16][512, 32, 16, 1]cpu" = torch.ops.aten.view.default(view_59, [2, 16, 2, 16]);  view_59 = None

        # File: sdpa_attention.py:206 in sdpa_attention_forward, code: attn_output = attn_output.transpose(1, 2).contiguous()
        permute_43: "f32[2, 2, 16, 16][512, 16, 32, 1]cpu" = torch.ops.aten.permute.default(view_60, [0, 2, 1, 3]);  view_60 = None

        # File: modeling_llama.py:245 in forward, code: value_states = self.v_proj(hidden_states).view(hidden_shape).transpose(1, 2)
        view_29: "f32[2, 16, 16][256, 16, 1]cpu" = torch.ops.aten.view.default(mm_9, [2, 16, 16]);  mm_9 = None
        view_30: "f32[2, 16, 1, 16][256, 16, 16, 1]cpu" = torch.ops.aten.view.default(view_29, [2, 16, -1, 16]);  view_29 = None
        permute_16: "f32[2, 1, 16, 16][256, 16, 16, 1]cpu" = torch.ops.aten.permute.default(view_30, [0, 2, 1, 3]);  view_30 = None

        # File: sdpa_attention.py:28 in repeat_kv, code: hidden_states = hidden_states[:, :, None, :, :].expand(batch, num_key_value_heads, n_rep, slen, head_dim)
        unsqueeze_19: "f32[2, 1, 1, 16, 16][256, 16, 256, 16, 1]cpu" = torch.ops.aten.unsqueeze.default(permute_16, 2);  permute_16 = None
        expand_7: "f32[2, 1, 2, 16, 16][256, 16, 0, 16, 1]cpu" = torch.ops.aten.expand.default(unsqueeze_19, [2, 1, 2, 16, 16]);  unsqueeze_19 = None

        # File: sdpa_attention.py:29 in repeat_kv, code: return hidden_states.reshape(batch, num_key_value_heads * n_rep, slen, head_dim)
        view_32: "f32[2, 2, 16, 16][256, 0, 16, 1]cpu" = torch.ops.aten.view.default(expand_7, [2, 2, 16, 16]);  expand_7 = None

        # File: sdpa_attention.py:193 in sdpa_attention_forward, code: attn_output = torch.nn.functional.scaled_dot_product_attention(
        _scaled_dot_product_flash_attention_for_cpu_backward = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu_backward.default(permute_43, add_11, view_31, view_32, getitem_2, getitem_3, 0.0, False, attn_mask = where, scale = 0.25);  permute_43 = add_11 = view_31 = view_32 = getitem_2 = getitem_3 = None
        getitem_4: "f32[2, 2, 16, 16][512, 16, 32, 1]cpu" = _scaled_dot_product_flash_attention_for_cpu_backward[0]
        getitem_5: "f32[2, 2, 16, 16][512, 16, 32, 1]cpu" = _scaled_dot_product_flash_attention_for_cpu_backward[1]
        getitem_6: "f32[2, 2, 16, 16][512, 16, 32, 1]cpu" = _scaled_dot_product_flash_attention_for_cpu_backward[2];  _scaled_dot_product_flash_attention_for_cpu_backward = None

        # File: sdpa_attention.py:29 in repeat_kv, code: return hidden_states.reshape(batch, num_key_value_heads * n_rep, slen, head_dim)
        view_62: "f32[2, 1, 2, 16, 16][512, 32, 16, 32, 1]cpu" = torch.ops.aten.view.default(getitem_6, [2, 1, 2, 16, 16]);  getitem_6 = None

        # File: sdpa_attention.py:28 in repeat_kv, code: hidden_states = hidden_states[:, :, None, :, :].expand(batch, num_key_value_heads, n_rep, slen, head_dim)
        sum_9: "f32[2, 1, 1, 16, 16][256, 256, 256, 16, 1]cpu" = torch.ops.aten.sum.dim_IntList(view_62, [2], True);  view_62 = None
        squeeze_1: "f32[2, 1, 16, 16][256, 256, 16, 1]cpu" = torch.ops.aten.squeeze.dim(sum_9, 2);  sum_9 = None

        # File: sdpa_attention.py:29 in repeat_kv, code: return hidden_states.reshape(batch, num_key_value_heads * n_rep, slen, head_dim)
        view_63: "f32[2, 1, 2, 16, 16][512, 32, 16, 32, 1]cpu" = torch.ops.aten.view.default(getitem_5, [2, 1, 2, 16, 16]);  getitem_5 = None

        # File: sdpa_attention.py:28 in repeat_kv, code: hidden_states = hidden_states[:, :, None, :, :].expand(batch, num_key_value_heads, n_rep, slen, head_dim)
        sum_10: "f32[2, 1, 1, 16, 16][256, 256, 256, 16, 1]cpu" = torch.ops.aten.sum.dim_IntList(view_63, [2], True);  view_63 = None
        squeeze_2: "f32[2, 1, 16, 16][256, 256, 16, 1]cpu" = torch.ops.aten.squeeze.dim(sum_10, 2);  sum_10 = None

        # File: modeling_llama.py:377 in forward, code: position_ids = torch.arange(inputs_embeds.shape[1], device=inputs_embeds.device) + past_seen_tokens
        iota: "i64[16][1]cpu" = torch.ops.prims.iota.default(16, start = 0, step = 1, dtype = torch.int64, device = device(type='cpu'), requires_grad = False)
        add: "i64[16][1]cpu" = torch.ops.aten.add.Tensor(iota, 0);  iota = None

        # File: modeling_llama.py:378 in forward, code: position_ids = position_ids.unsqueeze(0)
        unsqueeze: "i64[1, 16][16, 1]cpu" = torch.ops.aten.unsqueeze.default(add, 0);  add = None

        # File: modeling_llama.py:111 in forward, code: freqs = position_ids[..., None].float() * self.inv_freq.to(device=x.device, dtype=torch.float)
        unsqueeze_10: "i64[1, 16, 1][16, 1, 1]cpu" = torch.ops.aten.unsqueeze.default(unsqueeze, 2);  unsqueeze = None
        convert_element_type: "f32[1, 16, 1][16, 1, 1]cpu" = torch.ops.prims.convert_element_type.default(unsqueeze_10, torch.float32);  unsqueeze_10 = None
        mul: "f32[1, 16, 8][128, 8, 1]cpu" = torch.ops.aten.mul.Tensor(convert_element_type, primals_3);  convert_element_type = primals_3 = None

        # File: modeling_llama.py:112 in forward, code: emb = torch.cat((freqs, freqs), dim=-1)
        unsqueeze_11: "f32[1, 16, 1, 8][128, 8, 8, 1]cpu" = torch.ops.aten.unsqueeze.default(mul, 2);  mul = None
        expand_3: "f32[1, 16, 2, 8][128, 8, 0, 1]cpu" = torch.ops.aten.expand.default(unsqueeze_11, [1, 16, 2, 8]);  unsqueeze_11 = None
        clone: "f32[1, 16, 2, 8][256, 16, 8, 1]cpu" = torch.ops.aten.clone.default(expand_3, memory_format = torch.contiguous_format);  expand_3 = None
        view: "f32[1, 16, 16][256, 16, 1]cpu" = torch.ops.aten.view.default(clone, [1, 16, 16]);  clone = None

        # File: modeling_llama.py:114 in forward, code: sin = emb.sin() * self.attention_scaling
        sin: "f32[1, 16, 16][256, 16, 1]cpu" = torch.ops.aten.sin.default(view)
        mul_2: "f32[1, 16, 16][256, 16, 1]cpu" = torch.ops.aten.mul.Tensor(sin, 1.0);  sin = None

        # File: modeling_llama.py:146 in apply_rotary_pos_emb, code: sin = sin.unsqueeze(unsqueeze_dim)
        unsqueeze_13: "f32[1, 1, 16, 16][256, 256, 16, 1]cpu" = torch.ops.aten.unsqueeze.default(mul_2, 1);  mul_2 = None

        # File: modeling_llama.py:148 in apply_rotary_pos_emb, code: k_embed = (k * cos) + (rotate_half(k) * sin)
        mul_46: "f32[2, 1, 16, 16][256, 256, 16, 1]cpu" = torch.ops.aten.mul.Tensor(squeeze_2, unsqueeze_13)

        # File: modeling_llama.py:123 in rotate_half, code: return torch.cat((-x2, x1), dim=-1)
        slice_13: "f32[2, 1, 16, 8][256, 256, 16, 1]cpu" = torch.ops.aten.slice.Tensor(mul_46, 3, 0, 8)
        slice_14: "f32[2, 1, 16, 8][256, 256, 16, 1]cpu" = torch.ops.aten.slice.Tensor(mul_46, 3, 8, 16);  mul_46 = None
        neg_7: "f32[2, 1, 16, 8][128, 128, 8, 1]cpu" = torch.ops.aten.neg.default(slice_13);  slice_13 = None

        # File: modeling_llama.py:122 in rotate_half, code: x2 = x[..., x.shape[-1] // 2 :]
        full_default_10: "f32[2, 1, 16, 16][256, 256, 16, 1]cpu" = torch.ops.aten.full.default([2, 1, 16, 16], 0, dtype = torch.float32, layout = torch.strided, device = device(type='cpu'), pin_memory = False)
        slice_scatter: "f32[2, 1, 16, 16][256, 256, 16, 1]cpu" = torch.ops.aten.slice_scatter.default(full_default_10, neg_7, 3, 8, 9223372036854775807);  neg_7 = None

        # File: modeling_llama.py:121 in rotate_half, code: x1 = x[..., : x.shape[-1] // 2]
        slice_scatter_1: "f32[2, 1, 16, 16][256, 256, 16, 1]cpu" = torch.ops.aten.slice_scatter.default(full_default_10, slice_14, 3, 0, 8);  slice_14 = None
        add_24: "f32[2, 1, 16, 16][256, 256, 16, 1]cpu" = torch.ops.aten.add.Tensor(slice_scatter, slice_scatter_1);  slice_scatter = slice_scatter_1 = None

        # File: modeling_llama.py:113 in forward, code: cos = emb.cos() * self.attention_scaling
        cos: "f32[1, 16, 16][256, 16, 1]cpu" = torch.ops.aten.cos.default(view);  view = None
        mul_1: "f32[1, 16, 16][256, 16, 1]cpu" = torch.ops.aten.mul.Tensor(cos, 1.0);  cos = None

        # File: modeling_llama.py:145 in apply_rotary_pos_emb, code: cos = cos.unsqueeze(unsqueeze_dim)
        unsqueeze_12: "f32[1, 1, 16, 16][256, 256, 16, 1]cpu" = torch.ops.aten.unsqueeze.default(mul_1, 1);  mul_1 = None

        # File: modeling_llama.py:148 in apply_rotary_pos_emb, code: k_embed = (k * cos) + (rotate_half(k) * sin)
        mul_47: "f32[2, 1, 16, 16][256, 256, 16, 1]cpu" = torch.ops.aten.mul.Tensor(squeeze_2, unsqueeze_12);  squeeze_2 = None
        add_25: "f32[2, 1, 16, 16][256, 256, 16, 1]cpu" = torch.ops.aten.add.Tensor(add_24, mul_47);  add_24 = mul_47 = None

        # File: modeling_llama.py:147 in apply_rotary_pos_emb, code: q_embed = (q * cos) + (rotate_half(q) * sin)
        mul_48: "f32[2, 2, 16, 16][512, 16, 32, 1]cpu" = torch.ops.aten.mul.Tensor(getitem_4, unsqueeze_13)

        # File: modeling_llama.py:123 in rotate_half, code: return torch.cat((-x2, x1), dim=-1)
        slice_15: "f32[2, 2, 16, 8][512, 16, 32, 1]cpu" = torch.ops.aten.slice.Tensor(mul_48, 3, 0, 8)
        slice_16: "f32[2, 2, 16, 8][512, 16, 32, 1]cpu" = torch.ops.aten.slice.Tensor(mul_48, 3, 8, 16);  mul_48 = None
        neg_8: "f32[2, 2, 16, 8][256, 8, 16, 1]cpu" = torch.ops.aten.neg.default(slice_15);  slice_15 = None

        # File: modeling_llama.py:122 in rotate_half, code: x2 = x[..., x.shape[-1] // 2 :]
        full_default_12: "f32[2, 2, 16, 16][512, 256, 16, 1]cpu" = torch.ops.aten.full.default([2, 2, 16, 16], 0, dtype = torch.float32, layout = torch.strided, device = device(type='cpu'), pin_memory = False)
        slice_scatter_2: "f32[2, 2, 16, 16][512, 256, 16, 1]cpu" = torch.ops.aten.slice_scatter.default(full_default_12, neg_8, 3, 8, 9223372036854775807);  neg_8 = None

        # File: modeling_llama.py:121 in rotate_half, code: x1 = x[..., : x.shape[-1] // 2]
        slice_scatter_3: "f32[2, 2, 16, 16][512, 256, 16, 1]cpu" = torch.ops.aten.slice_scatter.default(full_default_12, slice_16, 3, 0, 8);  slice_16 = None
        add_26: "f32[2, 2, 16, 16][512, 256, 16, 1]cpu" = torch.ops.aten.add.Tensor(slice_scatter_2, slice_scatter_3);  slice_scatter_2 = slice_scatter_3 = None

        # File: modeling_llama.py:147 in apply_rotary_pos_emb, code: q_embed = (q * cos) + (rotate_half(q) * sin)
        mul_49: "f32[2, 2, 16, 16][512, 16, 32, 1]cpu" = torch.ops.aten.mul.Tensor(getitem_4, unsqueeze_12);  getitem_4 = None
        add_27: "f32[2, 2, 16, 16][512, 256, 16, 1]cpu" = torch.ops.aten.add.Tensor(add_26, mul_49);  add_26 = mul_49 = None

        # File: modeling_llama.py:245 in forward, code: value_states = self.v_proj(hidden_states).view(hidden_shape).transpose(1, 2)
        permute_44: "f32[2, 16, 1, 16][256, 16, 256, 1]cpu" = torch.ops.aten.permute.default(squeeze_1, [0, 2, 1, 3]);  squeeze_1 = None
        view_64: "f32[2, 16, 16][256, 16, 1]cpu" = torch.ops.aten.view.default(permute_44, [2, 16, 16]);  permute_44 = None
        view_65: "f32[32, 16][16, 1]cpu" = torch.ops.aten.view.default(view_64, [32, 16]);  view_64 = None
        permute_45: "f32[16, 32][1, 16]cpu" = torch.ops.aten.permute.default(view_65, [1, 0])
        mm_25: "f32[16, 32][32, 1]cpu" = torch.ops.aten.mm.default(permute_45, view_22);  permute_45 = None
        permute_15: "f32[32, 16][1, 32]cpu" = torch.ops.aten.permute.default(primals_16, [1, 0]);  primals_16 = None
        permute_47: "f32[16, 32][32, 1]cpu" = torch.ops.aten.permute.default(permute_15, [1, 0]);  permute_15 = None
        mm_26: "f32[32, 32][32, 1]cpu" = torch.ops.aten.mm.default(view_65, permute_47);  view_65 = permute_47 = None
        view_66: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.view.default(mm_26, [2, 16, 32]);  mm_26 = None

        # File: modeling_llama.py:244 in forward, code: key_states = self.k_proj(hidden_states).view(hidden_shape).transpose(1, 2)
        permute_49: "f32[2, 16, 1, 16][256, 16, 256, 1]cpu" = torch.ops.aten.permute.default(add_25, [0, 2, 1, 3]);  add_25 = None
        view_67: "f32[2, 16, 16][256, 16, 1]cpu" = torch.ops.aten.view.default(permute_49, [2, 16, 16]);  permute_49 = None
        view_68: "f32[32, 16][16, 1]cpu" = torch.ops.aten.view.default(view_67, [32, 16]);  view_67 = None
        permute_50: "f32[16, 32][1, 16]cpu" = torch.ops.aten.permute.default(view_68, [1, 0])
        mm_27: "f32[16, 32][32, 1]cpu" = torch.ops.aten.mm.default(permute_50, view_22);  permute_50 = None
        permute_13: "f32[32, 16][1, 32]cpu" = torch.ops.aten.permute.default(primals_15, [1, 0]);  primals_15 = None
        permute_52: "f32[16, 32][32, 1]cpu" = torch.ops.aten.permute.default(permute_13, [1, 0]);  permute_13 = None
        mm_28: "f32[32, 32][32, 1]cpu" = torch.ops.aten.mm.default(view_68, permute_52);  view_68 = permute_52 = None
        view_69: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.view.default(mm_28, [2, 16, 32]);  mm_28 = None
        add_28: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.add.Tensor(view_66, view_69);  view_66 = view_69 = None

        # File: modeling_llama.py:243 in forward, code: query_states = self.q_proj(hidden_states).view(hidden_shape).transpose(1, 2)
        permute_54: "f32[2, 16, 2, 16][512, 16, 256, 1]cpu" = torch.ops.aten.permute.default(add_27, [0, 2, 1, 3]);  add_27 = None
        clone_3: "f32[2, 16, 2, 16][512, 32, 16, 1]cpu" = torch.ops.aten.clone.default(permute_54, memory_format = torch.contiguous_format);  permute_54 = None
        view_70: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.view.default(clone_3, [2, 16, 32]);  clone_3 = None
        view_71: "f32[32, 32][32, 1]cpu" = torch.ops.aten.view.default(view_70, [32, 32]);  view_70 = None
        permute_55: "f32[32, 32][1, 32]cpu" = torch.ops.aten.permute.default(view_71, [1, 0])
        mm_29: "f32[32, 32][32, 1]cpu" = torch.ops.aten.mm.default(permute_55, view_22);  permute_55 = view_22 = None
        permute_11: "f32[32, 32][1, 32]cpu" = torch.ops.aten.permute.default(primals_14, [1, 0]);  primals_14 = None
        permute_57: "f32[32, 32][32, 1]cpu" = torch.ops.aten.permute.default(permute_11, [1, 0]);  permute_11 = None
        mm_30: "f32[32, 32][32, 1]cpu" = torch.ops.aten.mm.default(view_71, permute_57);  view_71 = permute_57 = None
        view_72: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.view.default(mm_30, [2, 16, 32]);  mm_30 = None
        add_29: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.add.Tensor(add_28, view_72);  add_28 = view_72 = None

        # File: modeling_llama.py:66 in forward, code: return self.weight * hidden_states.to(input_dtype)
        mul_50: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Tensor(add_29, primals_13);  primals_13 = None

        # File: modeling_llama.py:65 in forward, code: hidden_states = hidden_states * torch.rsqrt(variance + self.variance_epsilon)
        mul_12: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Tensor(add_9, rsqrt_2)

        # File: modeling_llama.py:66 in forward, code: return self.weight * hidden_states.to(input_dtype)
        mul_51: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Tensor(add_29, mul_12);  add_29 = mul_12 = None
        sum_11: "f32[1, 1, 32][32, 32, 1]cpu" = torch.ops.aten.sum.dim_IntList(mul_51, [0, 1], True);  mul_51 = None
        view_73: "f32[32][1]cpu" = torch.ops.aten.view.default(sum_11, [32]);  sum_11 = None

        # File: modeling_llama.py:65 in forward, code: hidden_states = hidden_states * torch.rsqrt(variance + self.variance_epsilon)
        mul_52: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Tensor(mul_50, add_9)
        mul_53: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Tensor(mul_50, rsqrt_2);  mul_50 = None
        sum_12: "f32[2, 16, 1][16, 1, 1]cpu" = torch.ops.aten.sum.dim_IntList(mul_52, [2], True);  mul_52 = None
        add_30: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.add.Tensor(add_23, mul_53);  add_23 = mul_53 = None
        pow_10: "f32[2, 16, 1][16, 1, 1]cpu" = torch.ops.aten.pow.Tensor_Scalar(rsqrt_2, 3);  rsqrt_2 = None
        mul_54: "f32[2, 16, 1][16, 1, 1]cpu" = torch.ops.aten.mul.Scalar(sum_12, -0.5);  sum_12 = None
        mul_55: "f32[2, 16, 1][16, 1, 1]cpu" = torch.ops.aten.mul.Tensor(mul_54, pow_10);  mul_54 = pow_10 = None

        # File: modeling_llama.py:64 in forward, code: variance = hidden_states.pow(2).mean(-1, keepdim=True)
        expand_10: "f32[2, 16, 32][16, 1, 0]cpu" = torch.ops.aten.expand.default(mul_55, [2, 16, 32]);  mul_55 = None
        div_6: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.div.Scalar(expand_10, 32);  expand_10 = None
        pow_11: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.pow.Tensor_Scalar(add_9, 1.0);  add_9 = None
        mul_56: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Scalar(pow_11, 2.0);  pow_11 = None
        mul_57: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Tensor(div_6, mul_56);  div_6 = mul_56 = None
        add_31: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.add.Tensor(add_30, mul_57);  add_30 = mul_57 = None

        # File: modeling_llama.py:164 in forward, code: down_proj = self.down_proj(self.act_fn(self.gate_proj(x)) * self.up_proj(x))
        view_74: "f32[32, 32][32, 1]cpu" = torch.ops.aten.view.default(add_31, [32, 32])
        permute_59: "f32[32, 32][1, 32]cpu" = torch.ops.aten.permute.default(view_74, [1, 0])
        mm_31: "f32[32, 64][64, 1]cpu" = torch.ops.aten.mm.default(permute_59, view_20);  permute_59 = view_20 = None
        permute_10: "f32[64, 32][1, 64]cpu" = torch.ops.aten.permute.default(primals_12, [1, 0]);  primals_12 = None
        permute_61: "f32[32, 64][64, 1]cpu" = torch.ops.aten.permute.default(permute_10, [1, 0]);  permute_10 = None
        mm_32: "f32[32, 64][64, 1]cpu" = torch.ops.aten.mm.default(view_74, permute_61);  view_74 = permute_61 = None
        view_75: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.view.default(mm_32, [2, 16, 64]);  mm_32 = None
        view_17: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.view.default(mm_4, [2, 16, 64]);  mm_4 = None

        # File: activations.py:103 in forward, code: return nn.functional.silu(input)
        neg_2: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.neg.default(view_17)
        exp: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.exp.default(neg_2);  neg_2 = None
        add_8: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.add.Tensor(exp, 1);  exp = None
        div: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.div.Tensor(view_17, add_8);  add_8 = None

        # File: modeling_llama.py:164 in forward, code: down_proj = self.down_proj(self.act_fn(self.gate_proj(x)) * self.up_proj(x))
        mul_58: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.mul.Tensor(view_75, div);  div = None
        view_19: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.view.default(mm_5, [2, 16, 64]);  mm_5 = None
        mul_59: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.mul.Tensor(view_75, view_19);  view_75 = view_19 = None
        view_76: "f32[32, 64][64, 1]cpu" = torch.ops.aten.view.default(mul_58, [32, 64]);  mul_58 = None
        permute_63: "f32[64, 32][1, 64]cpu" = torch.ops.aten.permute.default(view_76, [1, 0])
        mm_33: "f32[64, 32][32, 1]cpu" = torch.ops.aten.mm.default(permute_63, view_16);  permute_63 = None
        permute_9: "f32[32, 64][1, 32]cpu" = torch.ops.aten.permute.default(primals_11, [1, 0]);  primals_11 = None
        permute_65: "f32[64, 32][32, 1]cpu" = torch.ops.aten.permute.default(permute_9, [1, 0]);  permute_9 = None
        mm_34: "f32[32, 32][32, 1]cpu" = torch.ops.aten.mm.default(view_76, permute_65);  view_76 = permute_65 = None
        view_77: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.view.default(mm_34, [2, 16, 32]);  mm_34 = None

        # File: activations.py:103 in forward, code: return nn.functional.silu(input)
        sigmoid_1: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.sigmoid.default(view_17)
        mul_60: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.mul.Tensor(mul_59, sigmoid_1);  mul_59 = None
        sub_6: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.sub.Tensor(1, sigmoid_1);  sigmoid_1 = None
        mul_61: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.mul.Tensor(view_17, sub_6);  view_17 = sub_6 = None
        add_32: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.add.Tensor(mul_61, 1);  mul_61 = None
        mul_62: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.mul.Tensor(mul_60, add_32);  mul_60 = add_32 = None

        # File: modeling_llama.py:164 in forward, code: down_proj = self.down_proj(self.act_fn(self.gate_proj(x)) * self.up_proj(x))
        view_78: "f32[32, 64][64, 1]cpu" = torch.ops.aten.view.default(mul_62, [32, 64]);  mul_62 = None
        permute_67: "f32[64, 32][1, 64]cpu" = torch.ops.aten.permute.default(view_78, [1, 0])
        mm_35: "f32[64, 32][32, 1]cpu" = torch.ops.aten.mm.default(permute_67, view_16);  permute_67 = view_16 = None
        permute_8: "f32[32, 64][1, 32]cpu" = torch.ops.aten.permute.default(primals_10, [1, 0]);  primals_10 = None
        permute_69: "f32[64, 32][32, 1]cpu" = torch.ops.aten.permute.default(permute_8, [1, 0]);  permute_8 = None
        mm_36: "f32[32, 32][32, 1]cpu" = torch.ops.aten.mm.default(view_78, permute_69);  view_78 = permute_69 = None
        view_79: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.view.default(mm_36, [2, 16, 32]);  mm_36 = None
        add_33: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.add.Tensor(view_77, view_79);  view_77 = view_79 = None

        # File: modeling_llama.py:66 in forward, code: return self.weight * hidden_states.to(input_dtype)
        mul_63: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Tensor(add_33, primals_9);  primals_9 = None

        # File: modeling_llama.py:269 in forward, code: attn_output = self.o_proj(attn_output)
        view_15: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.view.default(mm_3, [2, 16, 32]);  mm_3 = None

        # File: modeling_llama.py:306 in forward, code: hidden_states = residual + hidden_states
        add_6: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.add.Tensor(embedding, view_15);  view_15 = None

        # File: modeling_llama.py:65 in forward, code: hidden_states = hidden_states * torch.rsqrt(variance + self.variance_epsilon)
        mul_9: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Tensor(add_6, rsqrt_1)

        # File: modeling_llama.py:66 in forward, code: return self.weight * hidden_states.to(input_dtype)
        mul_64: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Tensor(add_33, mul_9);  add_33 = mul_9 = None
        sum_13: "f32[1, 1, 32][32, 32, 1]cpu" = torch.ops.aten.sum.dim_IntList(mul_64, [0, 1], True);  mul_64 = None
        view_80: "f32[32][1]cpu" = torch.ops.aten.view.default(sum_13, [32]);  sum_13 = None

        # File: modeling_llama.py:65 in forward, code: hidden_states = hidden_states * torch.rsqrt(variance + self.variance_epsilon)
        mul_65: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Tensor(mul_63, add_6)
        mul_66: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Tensor(mul_63, rsqrt_1);  mul_63 = None
        sum_14: "f32[2, 16, 1][16, 1, 1]cpu" = torch.ops.aten.sum.dim_IntList(mul_65, [2], True);  mul_65 = None
        add_34: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.add.Tensor(add_31, mul_66);  add_31 = mul_66 = None
        pow_12: "f32[2, 16, 1][16, 1, 1]cpu" = torch.ops.aten.pow.Tensor_Scalar(rsqrt_1, 3);  rsqrt_1 = None
        mul_67: "f32[2, 16, 1][16, 1, 1]cpu" = torch.ops.aten.mul.Scalar(sum_14, -0.5);  sum_14 = None
        mul_68: "f32[2, 16, 1][16, 1, 1]cpu" = torch.ops.aten.mul.Tensor(mul_67, pow_12);  mul_67 = pow_12 = None

        # File: modeling_llama.py:64 in forward, code: variance = hidden_states.pow(2).mean(-1, keepdim=True)
        expand_11: "f32[2, 16, 32][16, 1, 0]cpu" = torch.ops.aten.expand.default(mul_68, [2, 16, 32]);  mul_68 = None
        div_7: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.div.Scalar(expand_11, 32);  expand_11 = None
        pow_13: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.pow.Tensor_Scalar(add_6, 1.0);  add_6 = None
        mul_69: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Scalar(pow_13, 2.0);  pow_13 = None
        mul_70: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Tensor(div_7, mul_69);  div_7 = mul_69 = None
        add_35: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.add.Tensor(add_34, mul_70);  add_34 = mul_70 = None

        # File: modeling_llama.py:269 in forward, code: attn_output = self.o_proj(attn_output)
        view_81: "f32[32, 32][32, 1]cpu" = torch.ops.aten.view.default(add_35, [32, 32])
        permute_71: "f32[32, 32][1, 32]cpu" = torch.ops.aten.permute.default(view_81, [1, 0])

        # File: sdpa_attention.py:206 in sdpa_attention_forward, code: attn_output = attn_output.transpose(1, 2).contiguous()
        permute_6: "f32[2, 16, 2, 16][512, 32, 16, 1]cpu" = torch.ops.aten.permute.default(getitem, [0, 2, 1, 3])

        # File: modeling_llama.py:268 in forward, code: attn_output = attn_output.reshape(*input_shape, -1).contiguous()
        view_13: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.view.default(permute_6, [2, 16, -1]);  permute_6 = None

        # File: modeling_llama.py:269 in forward, code: attn_output = self.o_proj(attn_output)
        view_14: "f32[32, 32][32, 1]cpu" = torch.ops.aten.view.default(view_13, [32, 32]);  view_13 = None
        mm_37: "f32[32, 32][32, 1]cpu" = torch.ops.aten.mm.default(permute_71, view_14);  permute_71 = view_14 = None
        permute_7: "f32[32, 32][1, 32]cpu" = torch.ops.aten.permute.default(primals_8, [1, 0]);  primals_8 = None
        permute_73: "f32[32, 32][32, 1]cpu" = torch.ops.aten.permute.default(permute_7, [1, 0]);  permute_7 = None
        mm_38: "f32[32, 32][32, 1]cpu" = torch.ops.aten.mm.default(view_81, permute_73);  view_81 = permute_73 = None
        view_82: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.view.default(mm_38, [2, 16, 32]);  mm_38 = None

        # File: modeling_llama.py:268 in forward, code: attn_output = attn_output.reshape(*input_shape, -1).contiguous()
        view_83: "f32[2, 16, 2, 16][512, 32, 16, 1]cpu" = torch.ops.aten.view.default(view_82, [2, 16, 2, 16]);  view_82 = None

        # File: sdpa_attention.py:206 in sdpa_attention_forward, code: attn_output = attn_output.transpose(1, 2).contiguous()
        permute_75: "f32[2, 2, 16, 16][512, 16, 32, 1]cpu" = torch.ops.aten.permute.default(view_83, [0, 2, 1, 3]);  view_83 = None

        # File: modeling_llama.py:245 in forward, code: value_states = self.v_proj(hidden_states).view(hidden_shape).transpose(1, 2)
        view_8: "f32[2, 16, 16][256, 16, 1]cpu" = torch.ops.aten.view.default(mm_2, [2, 16, 16]);  mm_2 = None
        view_9: "f32[2, 16, 1, 16][256, 16, 16, 1]cpu" = torch.ops.aten.view.default(view_8, [2, 16, -1, 16]);  view_8 = None
        permute_5: "f32[2, 1, 16, 16][256, 16, 16, 1]cpu" = torch.ops.aten.permute.default(view_9, [0, 2, 1, 3]);  view_9 = None

        # File: sdpa_attention.py:28 in repeat_kv, code: hidden_states = hidden_states[:, :, None, :, :].expand(batch, num_key_value_heads, n_rep, slen, head_dim)
        unsqueeze_15: "f32[2, 1, 1, 16, 16][256, 16, 256, 16, 1]cpu" = torch.ops.aten.unsqueeze.default(permute_5, 2);  permute_5 = None
        expand_5: "f32[2, 1, 2, 16, 16][256, 16, 0, 16, 1]cpu" = torch.ops.aten.expand.default(unsqueeze_15, [2, 1, 2, 16, 16]);  unsqueeze_15 = None

        # File: sdpa_attention.py:29 in repeat_kv, code: return hidden_states.reshape(batch, num_key_value_heads * n_rep, slen, head_dim)
        view_11: "f32[2, 2, 16, 16][256, 0, 16, 1]cpu" = torch.ops.aten.view.default(expand_5, [2, 2, 16, 16]);  expand_5 = None

        # File: sdpa_attention.py:193 in sdpa_attention_forward, code: attn_output = torch.nn.functional.scaled_dot_product_attention(
        _scaled_dot_product_flash_attention_for_cpu_backward_1 = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu_backward.default(permute_75, add_4, view_10, view_11, getitem, getitem_1, 0.0, False, attn_mask = where, scale = 0.25);  permute_75 = add_4 = view_10 = view_11 = getitem = getitem_1 = where = None
        getitem_7: "f32[2, 2, 16, 16][512, 16, 32, 1]cpu" = _scaled_dot_product_flash_attention_for_cpu_backward_1[0]
        getitem_8: "f32[2, 2, 16, 16][512, 16, 32, 1]cpu" = _scaled_dot_product_flash_attention_for_cpu_backward_1[1]
        getitem_9: "f32[2, 2, 16, 16][512, 16, 32, 1]cpu" = _scaled_dot_product_flash_attention_for_cpu_backward_1[2];  _scaled_dot_product_flash_attention_for_cpu_backward_1 = None

        # File: sdpa_attention.py:29 in repeat_kv, code: return hidden_states.reshape(batch, num_key_value_heads * n_rep, slen, head_dim)
        view_85: "f32[2, 1, 2, 16, 16][512, 32, 16, 32, 1]cpu" = torch.ops.aten.view.default(getitem_9, [2, 1, 2, 16, 16]);  getitem_9 = None

        # File: sdpa_attention.py:28 in repeat_kv, code: hidden_states = hidden_states[:, :, None, :, :].expand(batch, num_key_value_heads, n_rep, slen, head_dim)
        sum_15: "f32[2, 1, 1, 16, 16][256, 256, 256, 16, 1]cpu" = torch.ops.aten.sum.dim_IntList(view_85, [2], True);  view_85 = None
        squeeze_3: "f32[2, 1, 16, 16][256, 256, 16, 1]cpu" = torch.ops.aten.squeeze.dim(sum_15, 2);  sum_15 = None

        # File: sdpa_attention.py:29 in repeat_kv, code: return hidden_states.reshape(batch, num_key_value_heads * n_rep, slen, head_dim)
        view_86: "f32[2, 1, 2, 16, 16][512, 32, 16, 32, 1]cpu" = torch.ops.aten.view.default(getitem_8, [2, 1, 2, 16, 16]);  getitem_8 = None

        # File: sdpa_attention.py:28 in repeat_kv, code: hidden_states = hidden_states[:, :, None, :, :].expand(batch, num_key_value_heads, n_rep, slen, head_dim)
        sum_16: "f32[2, 1, 1, 16, 16][256, 256, 256, 16, 1]cpu" = torch.ops.aten.sum.dim_IntList(view_86, [2], True);  view_86 = None
        squeeze_4: "f32[2, 1, 16, 16][256, 256, 16, 1]cpu" = torch.ops.aten.squeeze.dim(sum_16, 2);  sum_16 = None

        # File: modeling_llama.py:148 in apply_rotary_pos_emb, code: k_embed = (k * cos) + (rotate_half(k) * sin)
        mul_71: "f32[2, 1, 16, 16][256, 256, 16, 1]cpu" = torch.ops.aten.mul.Tensor(squeeze_4, unsqueeze_13)

        # File: modeling_llama.py:123 in rotate_half, code: return torch.cat((-x2, x1), dim=-1)
        slice_17: "f32[2, 1, 16, 8][256, 256, 16, 1]cpu" = torch.ops.aten.slice.Tensor(mul_71, 3, 0, 8)
        slice_18: "f32[2, 1, 16, 8][256, 256, 16, 1]cpu" = torch.ops.aten.slice.Tensor(mul_71, 3, 8, 16);  mul_71 = None
        neg_9: "f32[2, 1, 16, 8][128, 128, 8, 1]cpu" = torch.ops.aten.neg.default(slice_17);  slice_17 = None

        # File: modeling_llama.py:122 in rotate_half, code: x2 = x[..., x.shape[-1] // 2 :]
        slice_scatter_4: "f32[2, 1, 16, 16][256, 256, 16, 1]cpu" = torch.ops.aten.slice_scatter.default(full_default_10, neg_9, 3, 8, 9223372036854775807);  neg_9 = None

        # File: modeling_llama.py:121 in rotate_half, code: x1 = x[..., : x.shape[-1] // 2]
        slice_scatter_5: "f32[2, 1, 16, 16][256, 256, 16, 1]cpu" = torch.ops.aten.slice_scatter.default(full_default_10, slice_18, 3, 0, 8);  full_default_10 = slice_18 = None
        add_36: "f32[2, 1, 16, 16][256, 256, 16, 1]cpu" = torch.ops.aten.add.Tensor(slice_scatter_4, slice_scatter_5);  slice_scatter_4 = slice_scatter_5 = None

        # File: modeling_llama.py:148 in apply_rotary_pos_emb, code: k_embed = (k * cos) + (rotate_half(k) * sin)
        mul_72: "f32[2, 1, 16, 16][256, 256, 16, 1]cpu" = torch.ops.aten.mul.Tensor(squeeze_4, unsqueeze_12);  squeeze_4 = None
        add_37: "f32[2, 1, 16, 16][256, 256, 16, 1]cpu" = torch.ops.aten.add.Tensor(add_36, mul_72);  add_36 = mul_72 = None

        # File: modeling_llama.py:147 in apply_rotary_pos_emb, code: q_embed = (q * cos) + (rotate_half(q) * sin)
        mul_73: "f32[2, 2, 16, 16][512, 16, 32, 1]cpu" = torch.ops.aten.mul.Tensor(getitem_7, unsqueeze_13);  unsqueeze_13 = None

        # File: modeling_llama.py:123 in rotate_half, code: return torch.cat((-x2, x1), dim=-1)
        slice_19: "f32[2, 2, 16, 8][512, 16, 32, 1]cpu" = torch.ops.aten.slice.Tensor(mul_73, 3, 0, 8)
        slice_20: "f32[2, 2, 16, 8][512, 16, 32, 1]cpu" = torch.ops.aten.slice.Tensor(mul_73, 3, 8, 16);  mul_73 = None
        neg_10: "f32[2, 2, 16, 8][256, 8, 16, 1]cpu" = torch.ops.aten.neg.default(slice_19);  slice_19 = None

        # File: modeling_llama.py:122 in rotate_half, code: x2 = x[..., x.shape[-1] // 2 :]
        slice_scatter_6: "f32[2, 2, 16, 16][512, 256, 16, 1]cpu" = torch.ops.aten.slice_scatter.default(full_default_12, neg_10, 3, 8, 9223372036854775807);  neg_10 = None

        # File: modeling_llama.py:121 in rotate_half, code: x1 = x[..., : x.shape[-1] // 2]
        slice_scatter_7: "f32[2, 2, 16, 16][512, 256, 16, 1]cpu" = torch.ops.aten.slice_scatter.default(full_default_12, slice_20, 3, 0, 8);  full_default_12 = slice_20 = None
        add_38: "f32[2, 2, 16, 16][512, 256, 16, 1]cpu" = torch.ops.aten.add.Tensor(slice_scatter_6, slice_scatter_7);  slice_scatter_6 = slice_scatter_7 = None

        # File: modeling_llama.py:147 in apply_rotary_pos_emb, code: q_embed = (q * cos) + (rotate_half(q) * sin)
        mul_74: "f32[2, 2, 16, 16][512, 16, 32, 1]cpu" = torch.ops.aten.mul.Tensor(getitem_7, unsqueeze_12);  getitem_7 = unsqueeze_12 = None
        add_39: "f32[2, 2, 16, 16][512, 256, 16, 1]cpu" = torch.ops.aten.add.Tensor(add_38, mul_74);  add_38 = mul_74 = None

        # File: modeling_llama.py:245 in forward, code: value_states = self.v_proj(hidden_states).view(hidden_shape).transpose(1, 2)
        permute_76: "f32[2, 16, 1, 16][256, 16, 256, 1]cpu" = torch.ops.aten.permute.default(squeeze_3, [0, 2, 1, 3]);  squeeze_3 = None
        view_87: "f32[2, 16, 16][256, 16, 1]cpu" = torch.ops.aten.view.default(permute_76, [2, 16, 16]);  permute_76 = None
        view_88: "f32[32, 16][16, 1]cpu" = torch.ops.aten.view.default(view_87, [32, 16]);  view_87 = None
        permute_77: "f32[16, 32][1, 16]cpu" = torch.ops.aten.permute.default(view_88, [1, 0])
        mm_39: "f32[16, 32][32, 1]cpu" = torch.ops.aten.mm.default(permute_77, view_1);  permute_77 = None
        permute_4: "f32[32, 16][1, 32]cpu" = torch.ops.aten.permute.default(primals_7, [1, 0]);  primals_7 = None
        permute_79: "f32[16, 32][32, 1]cpu" = torch.ops.aten.permute.default(permute_4, [1, 0]);  permute_4 = None
        mm_40: "f32[32, 32][32, 1]cpu" = torch.ops.aten.mm.default(view_88, permute_79);  view_88 = permute_79 = None
        view_89: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.view.default(mm_40, [2, 16, 32]);  mm_40 = None

        # File: modeling_llama.py:244 in forward, code: key_states = self.k_proj(hidden_states).view(hidden_shape).transpose(1, 2)
        permute_81: "f32[2, 16, 1, 16][256, 16, 256, 1]cpu" = torch.ops.aten.permute.default(add_37, [0, 2, 1, 3]);  add_37 = None
        view_90: "f32[2, 16, 16][256, 16, 1]cpu" = torch.ops.aten.view.default(permute_81, [2, 16, 16]);  permute_81 = None
        view_91: "f32[32, 16][16, 1]cpu" = torch.ops.aten.view.default(view_90, [32, 16]);  view_90 = None
        permute_82: "f32[16, 32][1, 16]cpu" = torch.ops.aten.permute.default(view_91, [1, 0])
        mm_41: "f32[16, 32][32, 1]cpu" = torch.ops.aten.mm.default(permute_82, view_1);  permute_82 = None
        permute_2: "f32[32, 16][1, 32]cpu" = torch.ops.aten.permute.default(primals_6, [1, 0]);  primals_6 = None
        permute_84: "f32[16, 32][32, 1]cpu" = torch.ops.aten.permute.default(permute_2, [1, 0]);  permute_2 = None
        mm_42: "f32[32, 32][32, 1]cpu" = torch.ops.aten.mm.default(view_91, permute_84);  view_91 = permute_84 = None
        view_92: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.view.default(mm_42, [2, 16, 32]);  mm_42 = None
        add_40: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.add.Tensor(view_89, view_92);  view_89 = view_92 = None

        # File: modeling_llama.py:243 in forward, code: query_states = self.q_proj(hidden_states).view(hidden_shape).transpose(1, 2)
        permute_86: "f32[2, 16, 2, 16][512, 16, 256, 1]cpu" = torch.ops.aten.permute.default(add_39, [0, 2, 1, 3]);  add_39 = None
        clone_4: "f32[2, 16, 2, 16][512, 32, 16, 1]cpu" = torch.ops.aten.clone.default(permute_86, memory_format = torch.contiguous_format);  permute_86 = None
        view_93: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.view.default(clone_4, [2, 16, 32]);  clone_4 = None
        view_94: "f32[32, 32][32, 1]cpu" = torch.ops.aten.view.default(view_93, [32, 32]);  view_93 = None
        permute_87: "f32[32, 32][1, 32]cpu" = torch.ops.aten.permute.default(view_94, [1, 0])
        mm_43: "f32[32, 32][32, 1]cpu" = torch.ops.aten.mm.default(permute_87, view_1);  permute_87 = view_1 = None
        permute: "f32[32, 32][1, 32]cpu" = torch.ops.aten.permute.default(primals_5, [1, 0]);  primals_5 = None
        permute_89: "f32[32, 32][32, 1]cpu" = torch.ops.aten.permute.default(permute, [1, 0]);  permute = None
        mm_44: "f32[32, 32][32, 1]cpu" = torch.ops.aten.mm.default(view_94, permute_89);  view_94 = permute_89 = None
        view_95: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.view.default(mm_44, [2, 16, 32]);  mm_44 = None
        add_41: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.add.Tensor(add_40, view_95);  add_40 = view_95 = None

        # File: modeling_llama.py:66 in forward, code: return self.weight * hidden_states.to(input_dtype)
        mul_75: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Tensor(add_41, primals_4);  primals_4 = None

        # File: modeling_llama.py:65 in forward, code: hidden_states = hidden_states * torch.rsqrt(variance + self.variance_epsilon)
        mul_3: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Tensor(embedding, rsqrt)

        # File: modeling_llama.py:66 in forward, code: return self.weight * hidden_states.to(input_dtype)
        mul_76: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Tensor(add_41, mul_3);  add_41 = mul_3 = None
        sum_17: "f32[1, 1, 32][32, 32, 1]cpu" = torch.ops.aten.sum.dim_IntList(mul_76, [0, 1], True);  mul_76 = None
        view_96: "f32[32][1]cpu" = torch.ops.aten.view.default(sum_17, [32]);  sum_17 = None

        # File: modeling_llama.py:65 in forward, code: hidden_states = hidden_states * torch.rsqrt(variance + self.variance_epsilon)
        mul_77: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Tensor(mul_75, embedding)
        mul_78: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Tensor(mul_75, rsqrt);  mul_75 = None
        sum_18: "f32[2, 16, 1][16, 1, 1]cpu" = torch.ops.aten.sum.dim_IntList(mul_77, [2], True);  mul_77 = None
        add_42: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.add.Tensor(add_35, mul_78);  add_35 = mul_78 = None
        pow_14: "f32[2, 16, 1][16, 1, 1]cpu" = torch.ops.aten.pow.Tensor_Scalar(rsqrt, 3);  rsqrt = None
        mul_79: "f32[2, 16, 1][16, 1, 1]cpu" = torch.ops.aten.mul.Scalar(sum_18, -0.5);  sum_18 = None
        mul_80: "f32[2, 16, 1][16, 1, 1]cpu" = torch.ops.aten.mul.Tensor(mul_79, pow_14);  mul_79 = pow_14 = None

        # File: modeling_llama.py:64 in forward, code: variance = hidden_states.pow(2).mean(-1, keepdim=True)
        expand_12: "f32[2, 16, 32][16, 1, 0]cpu" = torch.ops.aten.expand.default(mul_80, [2, 16, 32]);  mul_80 = None
        div_8: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.div.Scalar(expand_12, 32);  expand_12 = None
        pow_15: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.pow.Tensor_Scalar(embedding, 1.0);  embedding = None
        mul_81: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Scalar(pow_15, 2.0);  pow_15 = None
        mul_82: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Tensor(div_8, mul_81);  div_8 = mul_81 = None
        add_43: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.add.Tensor(add_42, mul_82);  add_42 = mul_82 = None

        # File: modeling_llama.py:370 in forward, code: inputs_embeds: torch.Tensor = self.embed_tokens(input_ids)
        ge: "b8[2, 16][16, 1]cpu" = torch.ops.aten.ge.Scalar(primals_1, 0)
        lt: "b8[2, 16][16, 1]cpu" = torch.ops.aten.lt.Scalar(primals_1, 64)
        bitwise_and_2: "b8[2, 16][16, 1]cpu" = torch.ops.aten.bitwise_and.Tensor(ge, lt);  ge = lt = None
        ne_6: "b8[2, 16][16, 1]cpu" = torch.ops.aten.ne.Scalar(primals_1, 0)
        bitwise_and_3: "b8[2, 16][16, 1]cpu" = torch.ops.aten.bitwise_and.Tensor(bitwise_and_2, ne_6);  bitwise_and_2 = ne_6 = None
        unsqueeze_22: "b8[2, 16, 1][16, 1, 1]cpu" = torch.ops.aten.unsqueeze.default(bitwise_and_3, -1);  bitwise_and_3 = None
        full_default_18: "f32[64, 32][32, 1]cpu" = torch.ops.aten.full.default([64, 32], 0, dtype = torch.float32, layout = torch.strided, device = device(type='cpu'), pin_memory = False)
        _unsafe_masked_index_put_accumulate: "f32[64, 32][32, 1]cpu" = torch.ops.aten._unsafe_masked_index_put_accumulate.default(full_default_18, unsqueeze_22, [primals_1], add_43);  full_default_18 = unsqueeze_22 = primals_1 = add_43 = None
        return (
            None,  # None
            _unsafe_masked_index_put_accumulate,  # GradAOTOutput(grad_of=PlainAOTInput(idx=1))
            None,  # None
            view_96,  # GradAOTOutput(grad_of=PlainAOTInput(idx=3))
            mm_43,  # GradAOTOutput(grad_of=PlainAOTInput(idx=4))
            mm_41,  # GradAOTOutput(grad_of=PlainAOTInput(idx=5))
            mm_39,  # GradAOTOutput(grad_of=PlainAOTInput(idx=6))
            mm_37,  # GradAOTOutput(grad_of=PlainAOTInput(idx=7))
            view_80,  # GradAOTOutput(grad_of=PlainAOTInput(idx=8))
            mm_35,  # GradAOTOutput(grad_of=PlainAOTInput(idx=9))
            mm_33,  # GradAOTOutput(grad_of=PlainAOTInput(idx=10))
            mm_31,  # GradAOTOutput(grad_of=PlainAOTInput(idx=11))
            view_73,  # GradAOTOutput(grad_of=PlainAOTInput(idx=12))
            mm_29,  # GradAOTOutput(grad_of=PlainAOTInput(idx=13))
            mm_27,  # GradAOTOutput(grad_of=PlainAOTInput(idx=14))
            mm_25,  # GradAOTOutput(grad_of=PlainAOTInput(idx=15))
            mm_23,  # GradAOTOutput(grad_of=PlainAOTInput(idx=16))
            view_57,  # GradAOTOutput(grad_of=PlainAOTInput(idx=17))
            mm_21,  # GradAOTOutput(grad_of=PlainAOTInput(idx=18))
            mm_19,  # GradAOTOutput(grad_of=PlainAOTInput(idx=19))
            mm_17,  # GradAOTOutput(grad_of=PlainAOTInput(idx=20))
            view_50,  # GradAOTOutput(grad_of=PlainAOTInput(idx=21))
            mm_15,  # GradAOTOutput(grad_of=PlainAOTInput(idx=22))
            None,  # None
        )


def inputs_of_training_0_0_backward_graph(number=0):
    """Inputs of the recorded layout; integers are `number`."""
    return [
        tensor((2, 16), (16, 1), torch.int64, 'cpu', number),  # primals_1
        tensor((8,), (1,), torch.float32, 'cpu'),  # primals_3
        tensor((32,), (1,), torch.float32, 'cpu'),  # primals_4
        tensor((32, 32), (32, 1), torch.float32, 'cpu'),  # primals_5
        tensor((16, 32), (32, 1), torch.float32, 'cpu'),  # primals_6
        tensor((16, 32), (32, 1), torch.float32, 'cpu'),  # primals_7
        tensor((32, 32), (32, 1), torch.float32, 'cpu'),  # primals_8
        tensor((32,), (1,), torch.float32, 'cpu'),  # primals_9
        tensor((64, 32), (32, 1), torch.float32, 'cpu'),  # primals_10
        tensor((64, 32), (32, 1), torch.float32, 'cpu'),  # primals_11
        tensor((32, 64), (64, 1), torch.float32, 'cpu'),  # primals_12
        tensor((32,), (1,), torch.float32, 'cpu'),  # primals_13
        tensor((32, 32), (32, 1), torch.float32, 'cpu'),  # primals_14
        tensor((16, 32), (32, 1), torch.float32, 'cpu'),  # primals_15
        tensor((16, 32), (32, 1), torch.float32, 'cpu'),  # primals_16
        tensor((32, 32), (32, 1), torch.float32, 'cpu'),  # primals_17
        tensor((32,), (1,), torch.float32, 'cpu'),  # primals_18
        tensor((64, 32), (32, 1), torch.float32, 'cpu'),  # primals_19
        tensor((64, 32), (32, 1), torch.float32, 'cpu'),  # primals_20
        tensor((32, 64), (64, 1), torch.float32, 'cpu'),  # primals_21
        tensor((32,), (1,), torch.float32, 'cpu'),  # primals_22
        tensor((64, 32), (32, 1), torch.float32, 'cpu'),  # primals_23
        tensor((2, 16, 32), (512, 32, 1), torch.float32, 'cpu'),  # embedding
        tensor((2, 16, 1), (16, 1, 1), torch.float32, 'cpu'),  # rsqrt
        tensor((32, 32), (32, 1), torch.float32, 'cpu'),  # view_1
        tensor((32, 16), (16, 1), torch.float32, 'cpu'),  # mm_2
        tensor((2, 2, 16, 16), (512, 16, 32, 1), torch.float32, 'cpu'),  # add_4
        tensor((2, 2, 16, 16), (256, 0, 16, 1), torch.float32, 'cpu'),  # view_10
        tensor((2, 1, 16, 16), (256, 256, 16, 1), torch.float32, 'cpu'),  # where
        tensor((2, 2, 16, 16), (512, 16, 32, 1), torch.float32, 'cpu'),  # getitem
        tensor((2, 2, 16), (32, 1, 2), torch.float32, 'cpu'),  # getitem_1
        tensor((32, 32), (32, 1), torch.float32, 'cpu'),  # mm_3
        tensor((2, 16, 1), (16, 1, 1), torch.float32, 'cpu'),  # rsqrt_1
        tensor((32, 32), (32, 1), torch.float32, 'cpu'),  # view_16
        tensor((32, 64), (64, 1), torch.float32, 'cpu'),  # mm_4
        tensor((32, 64), (64, 1), torch.float32, 'cpu'),  # mm_5
        tensor((32, 64), (64, 1), torch.float32, 'cpu'),  # view_20
        tensor((2, 16, 32), (512, 32, 1), torch.float32, 'cpu'),  # add_9
        tensor((2, 16, 1), (16, 1, 1), torch.float32, 'cpu'),  # rsqrt_2
        tensor((32, 32), (32, 1), torch.float32, 'cpu'),  # view_22
        tensor((32, 16), (16, 1), torch.float32, 'cpu'),  # mm_9
        tensor((2, 2, 16, 16), (512, 16, 32, 1), torch.float32, 'cpu'),  # add_11
        tensor((2, 2, 16, 16), (256, 0, 16, 1), torch.float32, 'cpu'),  # view_31
        tensor((2, 2, 16, 16), (512, 16, 32, 1), torch.float32, 'cpu'),  # getitem_2
        tensor((2, 2, 16), (32, 1, 2), torch.float32, 'cpu'),  # getitem_3
        tensor((2, 16, 32), (512, 32, 1), torch.float32, 'cpu'),  # add_13
        tensor((2, 16, 1), (16, 1, 1), torch.float32, 'cpu'),  # rsqrt_3
        tensor((32, 32), (32, 1), torch.float32, 'cpu'),  # view_37
        tensor((32, 64), (64, 1), torch.float32, 'cpu'),  # mm_11
        tensor((32, 64), (64, 1), torch.float32, 'cpu'),  # mm_12
        tensor((32, 64), (64, 1), torch.float32, 'cpu'),  # view_41
        tensor((2, 16, 32), (512, 32, 1), torch.float32, 'cpu'),  # add_16
        tensor((2, 16, 1), (16, 1, 1), torch.float32, 'cpu'),  # rsqrt_4
        tensor((32, 32), (32, 1), torch.float32, 'cpu'),  # view_43
        tensor((2, 16, 64), (1024, 64, 1), torch.float32, 'cpu'),  # view_44
        tensor((2, 17), (17, 1), torch.int64, 'cpu', number),  # constant_pad_nd
        tensor((32, 1), (1, 1), torch.float32, 'cpu'),  # amax
        tensor((32, 1), (1, 1), torch.float32, 'cpu'),  # log
        tensor((), (), torch.float32, 'cpu'),  # convert_element_type_1
        tensor((), (), torch.float32, 'cpu'),  # tangents_1
        tensor((2, 16, 64), (1024, 64, 1), torch.float32, 'cpu'),  # tangents_2
    ]


def run_training_0_0_backward_graph():
    graph = Graph_training_0_0_backward_graph()
    for number in (0, 1):  # an index made from zeros may lie outside
        try:
            outputs = graph.forward(*inputs_of_training_0_0_backward_graph(number))
            break
        except (IndexError, RuntimeError):
            if number == 1:
                raise
    outputs = list(outputs) if isinstance(outputs, (tuple, list)) else [outputs]
    recorded = [  # None: nothing is recorded of that output
        None,
        ((64, 32), (32, 1), torch.float32, 'cpu'),
        None,
        ((32,), (1,), torch.float32, 'cpu'),
        ((32, 32), (32, 1), torch.float32, 'cpu'),
        ((16, 32), (32, 1), torch.float32, 'cpu'),
        ((16, 32), (32, 1), torch.float32, 'cpu'),
        ((32, 32), (32, 1), torch.float32, 'cpu'),
        ((32,), (1,), torch.float32, 'cpu'),
        ((64, 32), (32, 1), torch.float32, 'cpu'),
        ((64, 32), (32, 1), torch.float32, 'cpu'),
        ((32, 64), (64, 1), torch.float32, 'cpu'),
        ((32,), (1,), torch.float32, 'cpu'),
        ((32, 32), (32, 1), torch.float32, 'cpu'),
        ((16, 32), (32, 1), torch.float32, 'cpu'),
        ((16, 32), (32, 1), torch.float32, 'cpu'),
        ((32, 32), (32, 1), torch.float32, 'cpu'),
        ((32,), (1,), torch.float32, 'cpu'),
        ((64, 32), (32, 1), torch.float32, 'cpu'),
        ((64, 32), (32, 1), torch.float32, 'cpu'),
        ((32, 64), (64, 1), torch.float32, 'cpu'),
        ((32,), (1,), torch.float32, 'cpu'),
        ((64, 32), (32, 1), torch.float32, 'cpu'),
        None,
    ]
    different = len(outputs) != len(recorded)
    for i, (output, wanted) in enumerate(zip(outputs, recorded)):
        right = wanted is None or same(layout(output), wanted)
        different = different or not right
        print(f"output {i}: {layout(output)}{'' if right else f', recorded: {wanted}'}")
    return int(different)

# ---- Training, wrapper [0/0]: Forward after Inductor's passes
class Graph_training_0_0_after_post_grad(torch.nn.Module):
    def forward(
        self,
        primals_1: "i64[2, 16][16, 1]cpu",
        primals_2: "f32[64, 32][32, 1]cpu",
        primals_3: "f32[8][1]cpu",
        primals_4: "f32[32][1]cpu",
        primals_5: "f32[32, 32][32, 1]cpu",
        primals_6: "f32[16, 32][32, 1]cpu",
        primals_7: "f32[16, 32][32, 1]cpu",
        primals_8: "f32[32, 32][32, 1]cpu",
        primals_9: "f32[32][1]cpu",
        primals_10: "f32[64, 32][32, 1]cpu",
        primals_11: "f32[64, 32][32, 1]cpu",
        primals_12: "f32[32, 64][64, 1]cpu",
        primals_13: "f32[32][1]cpu",
        primals_14: "f32[32, 32][32, 1]cpu",
        primals_15: "f32[16, 32][32, 1]cpu",
        primals_16: "f32[16, 32][32, 1]cpu",
        primals_17: "f32[32, 32][32, 1]cpu",
        primals_18: "f32[32][1]cpu",
        primals_19: "f32[64, 32][32, 1]cpu",
        primals_20: "f32[64, 32][32, 1]cpu",
        primals_21: "f32[32, 64][64, 1]cpu",
        primals_22: "f32[32][1]cpu",
        primals_23: "f32[64, 32][32, 1]cpu",
        primals_24: "i64[2, 16][16, 1]cpu",
    ):
        # File: modeling_llama.py:370 in forward, code: inputs_embeds: torch.Tensor = self.embed_tokens(input_ids)
        embedding: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.embedding.default(primals_2, primals_1, 0);  primals_2 = None

        # File: modeling_llama.py:377 in forward, code: position_ids = torch.arange(inputs_embeds.shape[1], device=inputs_embeds.device) + past_seen_tokens
        iota: "i64[16][1]cpu" = torch.ops.prims.iota.default(16, start = 0, step = 1, dtype = torch.int64, device = device(type='cpu'), requires_grad = False)
        add: "i64[16][1]cpu" = torch.ops.aten.add.Tensor(iota, 0);  iota = None

        # File: modeling_llama.py:378 in forward, code: position_ids = position_ids.unsqueeze(0)
        unsqueeze: "i64[1, 16][16, 1]cpu" = torch.ops.aten.unsqueeze.default(add, 0);  add = None

        # File: masking_utils.py:880 in _preprocess_mask_arguments, code: position_ids = position_ids.expand(batch_size, -1)
        expand: "i64[2, 16][0, 1]cpu" = torch.ops.aten.expand.default(unsqueeze, [2, -1])

        # File: masking_utils.py:771 in find_packed_sequence_indices, code: first_dummy_value = position_ids[:, :1] - 1  # We just need the diff on this first value to be 1
        slice_1: "i64[2, 1][0, 1]cpu" = torch.ops.aten.slice.Tensor(expand, 1, 0, 1)
        sub: "i64[2, 1][1, 1]cpu" = torch.ops.aten.sub.Tensor(slice_1, 1);  slice_1 = None

        # File: masking_utils.py:772 in find_packed_sequence_indices, code: position_diff = torch.diff(position_ids, prepend=first_dummy_value, dim=-1)
        cat: "i64[2, 17][17, 1]cpu" = torch.ops.aten.cat.default([sub, expand], -1);  sub = None
        slice_2: "i64[2, 16][17, 1]cpu" = torch.ops.aten.slice.Tensor(cat, -1, 0, 16)
        slice_3: "i64[2, 16][17, 1]cpu" = torch.ops.aten.slice.Tensor(cat, -1, 1, 17);  cat = None
        sub_1: "i64[2, 16][16, 1]cpu" = torch.ops.aten.sub.Tensor(slice_3, slice_2);  slice_3 = slice_2 = None

        # File: masking_utils.py:773 in find_packed_sequence_indices, code: packed_sequence_mask = (position_diff != 1).cumsum(-1)
        ne: "b8[2, 16][16, 1]cpu" = torch.ops.aten.ne.Scalar(sub_1, 1);  sub_1 = None
        cumsum: "i64[2, 16][16, 1]cpu" = torch.ops.aten.cumsum.default(ne, -1);  ne = None

        # File: masking_utils.py:543 in sdpa_mask, code: batch_arange = torch.arange(batch_size, device=device)
        iota_1: "i64[2][1]cpu" = torch.ops.prims.iota.default(2, start = 0, step = 1, dtype = torch.int64, device = device(type='cpu'), requires_grad = False)

        # File: masking_utils.py:403 in _non_vmap_expansion_sdpa, code: batch_indices = batch_indices[:, None, None, None]
        unsqueeze_1: "i64[2, 1][1, 1]cpu" = torch.ops.aten.unsqueeze.default(iota_1, 1);  iota_1 = None
        unsqueeze_2: "i64[2, 1, 1][1, 1, 1]cpu" = torch.ops.aten.unsqueeze.default(unsqueeze_1, 2);  unsqueeze_1 = None
        unsqueeze_3: "i64[2, 1, 1, 1][1, 1, 1, 1]cpu" = torch.ops.aten.unsqueeze.default(unsqueeze_2, 3);  unsqueeze_2 = None

        # File: masking_utils.py:405 in _non_vmap_expansion_sdpa, code: q_indices = q_indices[None, None, :, None]
        unsqueeze_5: "i64[1, 1, 16][16, 16, 1]cpu" = torch.ops.aten.unsqueeze.default(unsqueeze, 1)
        unsqueeze_6: "i64[1, 1, 16, 1][16, 16, 1, 1]cpu" = torch.ops.aten.unsqueeze.default(unsqueeze_5, 3)

        # File: masking_utils.py:406 in _non_vmap_expansion_sdpa, code: kv_indices = kv_indices[None, None, None, :]
        unsqueeze_9: "i64[1, 1, 1, 16][16, 16, 16, 1]cpu" = torch.ops.aten.unsqueeze.default(unsqueeze_5, 2);  unsqueeze_5 = None

        # File: masking_utils.py:50 in and_mask, code: result = q_idx.new_ones((), dtype=torch.bool)
        full_default: "b8[][]cpu" = torch.ops.aten.full.default([], True, dtype = torch.bool, layout = torch.strided, device = device(type='cpu'), pin_memory = False)

        # File: masking_utils.py:188 in inner_mask, code: return packed_sequence_mask[batch_idx, q_idx] == packed_sequence_mask[batch_idx, kv_idx]
        index: "i64[2, 1, 16, 1][16, 16, 1, 1]cpu" = torch.ops.aten.index.Tensor(cumsum, [unsqueeze_3, unsqueeze_6])
        index_1: "i64[2, 1, 1, 16][16, 16, 16, 1]cpu" = torch.ops.aten.index.Tensor(cumsum, [unsqueeze_3, unsqueeze_9]);  cumsum = None
        eq: "b8[2, 1, 16, 16][256, 256, 16, 1]cpu" = torch.ops.aten.eq.Tensor(index, index_1);  index = index_1 = None

        # File: masking_utils.py:52 in and_mask, code: result = result & mask(batch_idx, head_idx, q_idx, kv_idx).to(result.device)
        bitwise_and: "b8[2, 1, 16, 16][256, 256, 16, 1]cpu" = torch.ops.aten.bitwise_and.Tensor(full_default, eq);  full_default = eq = None

        # File: masking_utils.py:203 in inner_mask, code: return mask_function(batch_idx, head_idx, position_ids[batch_idx, q_idx], position_ids[batch_idx, kv_idx])
        index_2: "i64[2, 1, 16, 1][16, 16, 1, 1]cpu" = torch.ops.aten.index.Tensor(expand, [unsqueeze_3, unsqueeze_6]);  unsqueeze_6 = None
        index_3: "i64[2, 1, 1, 16][16, 16, 16, 1]cpu" = torch.ops.aten.index.Tensor(expand, [unsqueeze_3, unsqueeze_9]);  expand = unsqueeze_3 = unsqueeze_9 = None

        # File: masking_utils.py:76 in causal_mask_function, code: return kv_idx <= q_idx
        le: "b8[2, 1, 16, 16][256, 256, 16, 1]cpu" = torch.ops.aten.le.Tensor(index_3, index_2);  index_3 = index_2 = None

        # File: masking_utils.py:52 in and_mask, code: result = result & mask(batch_idx, head_idx, q_idx, kv_idx).to(result.device)
        bitwise_and_1: "b8[2, 1, 16, 16][256, 256, 16, 1]cpu" = torch.ops.aten.bitwise_and.Tensor(bitwise_and, le);  bitwise_and = le = None

        # File: masking_utils.py:554 in sdpa_mask, code: attention_mask = attention_mask.expand(batch_size, -1, q_length, kv_length)
        expand_2: "b8[2, 1, 16, 16][256, 256, 16, 1]cpu" = torch.ops.aten.expand.default(bitwise_and_1, [2, -1, 16, 16]);  bitwise_and_1 = None

        # File: modeling_llama.py:111 in forward, code: freqs = position_ids[..., None].float() * self.inv_freq.to(device=x.device, dtype=torch.float)
        unsqueeze_10: "i64[1, 16, 1][16, 1, 1]cpu" = torch.ops.aten.unsqueeze.default(unsqueeze, 2);  unsqueeze = None
        convert_element_type: "f32[1, 16, 1][16, 1, 1]cpu" = torch.ops.prims.convert_element_type.default(unsqueeze_10, torch.float32);  unsqueeze_10 = None
        mul: "f32[1, 16, 8][128, 8, 1]cpu" = torch.ops.aten.mul.Tensor(convert_element_type, primals_3);  convert_element_type = None

        # File: modeling_llama.py:112 in forward, code: emb = torch.cat((freqs, freqs), dim=-1)
        unsqueeze_11: "f32[1, 16, 1, 8][128, 8, 8, 1]cpu" = torch.ops.aten.unsqueeze.default(mul, 2);  mul = None
        expand_3: "f32[1, 16, 2, 8][128, 8, 0, 1]cpu" = torch.ops.aten.expand.default(unsqueeze_11, [1, 16, 2, 8]);  unsqueeze_11 = None
        clone: "f32[1, 16, 2, 8][256, 16, 8, 1]cpu" = torch.ops.aten.clone.default(expand_3, memory_format = torch.contiguous_format);  expand_3 = None
        view: "f32[1, 16, 16][256, 16, 1]cpu" = torch.ops.aten.reshape.default(clone, [1, 16, 16]);  clone = None

        # File: modeling_llama.py:113 in forward, code: cos = emb.cos() * self.attention_scaling
        cos: "f32[1, 16, 16][256, 16, 1]cpu" = torch.ops.aten.cos.default(view)
        mul_1: "f32[1, 16, 16][256, 16, 1]cpu" = torch.ops.aten.mul.Tensor(cos, 1.0);  cos = None

        # File: modeling_llama.py:114 in forward, code: sin = emb.sin() * self.attention_scaling
        sin: "f32[1, 16, 16][256, 16, 1]cpu" = torch.ops.aten.sin.default(view);  view = None
        mul_2: "f32[1, 16, 16][256, 16, 1]cpu" = torch.ops.aten.mul.Tensor(sin, 1.0);  sin = None

        # File: modeling_llama.py:64 in forward, code: variance = hidden_states.pow(2).mean(-1, keepdim=True)
        pow_1: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.pow.Tensor_Scalar(embedding, 2)
        mean: "f32[2, 16, 1][16, 1, 1]cpu" = torch.ops.aten.mean.dim(pow_1, [-1], True);  pow_1 = None

        # File: modeling_llama.py:65 in forward, code: hidden_states = hidden_states * torch.rsqrt(variance + self.variance_epsilon)
        add_3: "f32[2, 16, 1][16, 1, 1]cpu" = torch.ops.aten.add.Tensor(mean, 1e-06);  mean = None
        rsqrt: "f32[2, 16, 1][16, 1, 1]cpu" = torch.ops.aten.rsqrt.default(add_3);  add_3 = None
        mul_3: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Tensor(embedding, rsqrt)

        # File: modeling_llama.py:66 in forward, code: return self.weight * hidden_states.to(input_dtype)
        mul_4: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Tensor(primals_4, mul_3);  mul_3 = None

        # File: modeling_llama.py:243 in forward, code: query_states = self.q_proj(hidden_states).view(hidden_shape).transpose(1, 2)
        permute: "f32[32, 32][1, 32]cpu" = torch.ops.aten.permute.default(primals_5, [1, 0])
        view_1: "f32[32, 32][32, 1]cpu" = torch.ops.aten.reshape.default(mul_4, [32, 32]);  mul_4 = None
        mm: "f32[32, 32][32, 1]cpu" = torch.ops.aten.mm.default(view_1, permute);  permute = None
        view_2: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.reshape.default(mm, [2, 16, 32]);  mm = None
        view_3: "f32[2, 16, 2, 16][512, 32, 16, 1]cpu" = torch.ops.aten.reshape.default(view_2, [2, 16, -1, 16]);  view_2 = None
        permute_1: "f32[2, 2, 16, 16][512, 16, 32, 1]cpu" = torch.ops.aten.permute.default(view_3, [0, 2, 1, 3]);  view_3 = None

        # File: modeling_llama.py:244 in forward, code: key_states = self.k_proj(hidden_states).view(hidden_shape).transpose(1, 2)
        permute_2: "f32[32, 16][1, 32]cpu" = torch.ops.aten.permute.default(primals_6, [1, 0])
        mm_1: "f32[32, 16][16, 1]cpu" = torch.ops.aten.mm.default(view_1, permute_2);  permute_2 = None
        view_5: "f32[2, 16, 16][256, 16, 1]cpu" = torch.ops.aten.reshape.default(mm_1, [2, 16, 16]);  mm_1 = None
        view_6: "f32[2, 16, 1, 16][256, 16, 16, 1]cpu" = torch.ops.aten.reshape.default(view_5, [2, 16, -1, 16]);  view_5 = None
        permute_3: "f32[2, 1, 16, 16][256, 16, 16, 1]cpu" = torch.ops.aten.permute.default(view_6, [0, 2, 1, 3]);  view_6 = None

        # File: modeling_llama.py:245 in forward, code: value_states = self.v_proj(hidden_states).view(hidden_shape).transpose(1, 2)
        permute_4: "f32[32, 16][1, 32]cpu" = torch.ops.aten.permute.default(primals_7, [1, 0])
        mm_2: "f32[32, 16][16, 1]cpu" = torch.ops.aten.mm.default(view_1, permute_4);  permute_4 = None
        view_8: "f32[2, 16, 16][256, 16, 1]cpu" = torch.ops.aten.reshape.default(mm_2, [2, 16, 16])
        view_9: "f32[2, 16, 1, 16][256, 16, 16, 1]cpu" = torch.ops.aten.reshape.default(view_8, [2, 16, -1, 16]);  view_8 = None
        permute_5: "f32[2, 1, 16, 16][256, 16, 16, 1]cpu" = torch.ops.aten.permute.default(view_9, [0, 2, 1, 3]);  view_9 = None

        # File: modeling_llama.py:145 in apply_rotary_pos_emb, code: cos = cos.unsqueeze(unsqueeze_dim)
        unsqueeze_12: "f32[1, 1, 16, 16][256, 256, 16, 1]cpu" = torch.ops.aten.unsqueeze.default(mul_1, 1);  mul_1 = None

        # File: modeling_llama.py:146 in apply_rotary_pos_emb, code: sin = sin.unsqueeze(unsqueeze_dim)
        unsqueeze_13: "f32[1, 1, 16, 16][256, 256, 16, 1]cpu" = torch.ops.aten.unsqueeze.default(mul_2, 1);  mul_2 = None

        # File: modeling_llama.py:147 in apply_rotary_pos_emb, code: q_embed = (q * cos) + (rotate_half(q) * sin)
        mul_5: "f32[2, 2, 16, 16][512, 16, 32, 1]cpu" = torch.ops.aten.mul.Tensor(permute_1, unsqueeze_12)

        # File: modeling_llama.py:121 in rotate_half, code: x1 = x[..., : x.shape[-1] // 2]
        slice_4: "f32[2, 2, 16, 8][512, 16, 32, 1]cpu" = torch.ops.aten.slice.Tensor(permute_1, 3, 0, 8)

        # File: modeling_llama.py:122 in rotate_half, code: x2 = x[..., x.shape[-1] // 2 :]
        slice_5: "f32[2, 2, 16, 8][512, 16, 32, 1]cpu" = torch.ops.aten.slice.Tensor(permute_1, 3, 8, 9223372036854775807);  permute_1 = None

        # File: modeling_llama.py:123 in rotate_half, code: return torch.cat((-x2, x1), dim=-1)
        neg: "f32[2, 2, 16, 8][256, 8, 16, 1]cpu" = torch.ops.aten.neg.default(slice_5);  slice_5 = None
        cat_1: "f32[2, 2, 16, 16][512, 256, 16, 1]cpu" = torch.ops.aten.cat.default([neg, slice_4], -1);  neg = slice_4 = None

        # File: modeling_llama.py:147 in apply_rotary_pos_emb, code: q_embed = (q * cos) + (rotate_half(q) * sin)
        mul_6: "f32[2, 2, 16, 16][512, 256, 16, 1]cpu" = torch.ops.aten.mul.Tensor(cat_1, unsqueeze_13);  cat_1 = None
        add_4: "f32[2, 2, 16, 16][512, 16, 32, 1]cpu" = torch.ops.aten.add.Tensor(mul_5, mul_6);  mul_5 = mul_6 = None

        # File: modeling_llama.py:148 in apply_rotary_pos_emb, code: k_embed = (k * cos) + (rotate_half(k) * sin)
        mul_7: "f32[2, 1, 16, 16][256, 16, 16, 1]cpu" = torch.ops.aten.mul.Tensor(permute_3, unsqueeze_12)

        # File: modeling_llama.py:121 in rotate_half, code: x1 = x[..., : x.shape[-1] // 2]
        slice_6: "f32[2, 1, 16, 8][256, 16, 16, 1]cpu" = torch.ops.aten.slice.Tensor(permute_3, 3, 0, 8)

        # File: modeling_llama.py:122 in rotate_half, code: x2 = x[..., x.shape[-1] // 2 :]
        slice_7: "f32[2, 1, 16, 8][256, 16, 16, 1]cpu" = torch.ops.aten.slice.Tensor(permute_3, 3, 8, 9223372036854775807);  permute_3 = None

        # File: modeling_llama.py:123 in rotate_half, code: return torch.cat((-x2, x1), dim=-1)
        neg_1: "f32[2, 1, 16, 8][128, 8, 8, 1]cpu" = torch.ops.aten.neg.default(slice_7);  slice_7 = None
        cat_2: "f32[2, 1, 16, 16][256, 256, 16, 1]cpu" = torch.ops.aten.cat.default([neg_1, slice_6], -1);  neg_1 = slice_6 = None

        # File: modeling_llama.py:148 in apply_rotary_pos_emb, code: k_embed = (k * cos) + (rotate_half(k) * sin)
        mul_8: "f32[2, 1, 16, 16][256, 256, 16, 1]cpu" = torch.ops.aten.mul.Tensor(cat_2, unsqueeze_13);  cat_2 = None
        add_5: "f32[2, 1, 16, 16][256, 16, 16, 1]cpu" = torch.ops.aten.add.Tensor(mul_7, mul_8);  mul_7 = mul_8 = None

        # File: sdpa_attention.py:28 in repeat_kv, code: hidden_states = hidden_states[:, :, None, :, :].expand(batch, num_key_value_heads, n_rep, slen, head_dim)
        unsqueeze_14: "f32[2, 1, 1, 16, 16][256, 16, 256, 16, 1]cpu" = torch.ops.aten.unsqueeze.default(add_5, 2);  add_5 = None
        expand_4: "f32[2, 1, 2, 16, 16][256, 16, 0, 16, 1]cpu" = torch.ops.aten.expand.default(unsqueeze_14, [2, 1, 2, 16, 16]);  unsqueeze_14 = None

        # File: sdpa_attention.py:29 in repeat_kv, code: return hidden_states.reshape(batch, num_key_value_heads * n_rep, slen, head_dim)
        view_10: "f32[2, 2, 16, 16][256, 0, 16, 1]cpu" = torch.ops.aten.reshape.default(expand_4, [2, 2, 16, 16]);  expand_4 = None

        # File: sdpa_attention.py:28 in repeat_kv, code: hidden_states = hidden_states[:, :, None, :, :].expand(batch, num_key_value_heads, n_rep, slen, head_dim)
        unsqueeze_15: "f32[2, 1, 1, 16, 16][256, 16, 256, 16, 1]cpu" = torch.ops.aten.unsqueeze.default(permute_5, 2);  permute_5 = None
        expand_5: "f32[2, 1, 2, 16, 16][256, 16, 0, 16, 1]cpu" = torch.ops.aten.expand.default(unsqueeze_15, [2, 1, 2, 16, 16]);  unsqueeze_15 = None

        # File: sdpa_attention.py:29 in repeat_kv, code: return hidden_states.reshape(batch, num_key_value_heads * n_rep, slen, head_dim)
        view_11: "f32[2, 2, 16, 16][256, 0, 16, 1]cpu" = torch.ops.aten.reshape.default(expand_5, [2, 2, 16, 16]);  expand_5 = None

        # File: sdpa_attention.py:193 in sdpa_attention_forward, code: attn_output = torch.nn.functional.scaled_dot_product_attention(
        full_default_1: "f32[][]cpu" = torch.ops.aten.full.default([], -inf, dtype = torch.float32, layout = torch.strided, device = device(type='cpu'), pin_memory = False)
        full_default_2: "f32[][]cpu" = torch.ops.aten.full.default([], 0.0, dtype = torch.float32, layout = torch.strided, device = device(type='cpu'), pin_memory = False)
        where: "f32[2, 1, 16, 16][256, 256, 16, 1]cpu" = torch.ops.aten.where.self(expand_2, full_default_2, full_default_1);  expand_2 = full_default_1 = None
        _scaled_dot_product_flash_attention_for_cpu = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu.default(add_4, view_10, view_11, attn_mask = where, scale = 0.25);  view_11 = None
        getitem: "f32[2, 2, 16, 16][512, 16, 32, 1]cpu" = _scaled_dot_product_flash_attention_for_cpu[0]
        getitem_1: "f32[2, 2, 16][32, 1, 2]cpu" = _scaled_dot_product_flash_attention_for_cpu[1]

        # File: sdpa_attention.py:206 in sdpa_attention_forward, code: attn_output = attn_output.transpose(1, 2).contiguous()
        permute_6: "f32[2, 16, 2, 16][512, 32, 16, 1]cpu" = torch.ops.aten.permute.default(getitem, [0, 2, 1, 3])

        # File: modeling_llama.py:268 in forward, code: attn_output = attn_output.reshape(*input_shape, -1).contiguous()
        view_13: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.reshape.default(permute_6, [2, 16, -1]);  permute_6 = None

        # File: modeling_llama.py:269 in forward, code: attn_output = self.o_proj(attn_output)
        permute_7: "f32[32, 32][1, 32]cpu" = torch.ops.aten.permute.default(primals_8, [1, 0])
        view_14: "f32[32, 32][32, 1]cpu" = torch.ops.aten.reshape.default(view_13, [32, 32]);  view_13 = None
        mm_3: "f32[32, 32][32, 1]cpu" = torch.ops.aten.mm.default(view_14, permute_7);  view_14 = permute_7 = None
        view_15: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.reshape.default(mm_3, [2, 16, 32])

        # File: modeling_llama.py:306 in forward, code: hidden_states = residual + hidden_states
        add_6: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.add.Tensor(embedding, view_15);  view_15 = None

        # File: modeling_llama.py:64 in forward, code: variance = hidden_states.pow(2).mean(-1, keepdim=True)
        pow_2: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.pow.Tensor_Scalar(add_6, 2)
        mean_1: "f32[2, 16, 1][16, 1, 1]cpu" = torch.ops.aten.mean.dim(pow_2, [-1], True);  pow_2 = None

        # File: modeling_llama.py:65 in forward, code: hidden_states = hidden_states * torch.rsqrt(variance + self.variance_epsilon)
        add_7: "f32[2, 16, 1][16, 1, 1]cpu" = torch.ops.aten.add.Tensor(mean_1, 1e-06);  mean_1 = None
        rsqrt_1: "f32[2, 16, 1][16, 1, 1]cpu" = torch.ops.aten.rsqrt.default(add_7);  add_7 = None
        mul_9: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Tensor(add_6, rsqrt_1)

        # File: modeling_llama.py:66 in forward, code: return self.weight * hidden_states.to(input_dtype)
        mul_10: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Tensor(primals_9, mul_9);  mul_9 = None

        # File: modeling_llama.py:164 in forward, code: down_proj = self.down_proj(self.act_fn(self.gate_proj(x)) * self.up_proj(x))
        permute_8: "f32[32, 64][1, 32]cpu" = torch.ops.aten.permute.default(primals_10, [1, 0])
        view_16: "f32[32, 32][32, 1]cpu" = torch.ops.aten.reshape.default(mul_10, [32, 32]);  mul_10 = None
        mm_4: "f32[32, 64][64, 1]cpu" = torch.ops.aten.mm.default(view_16, permute_8);  permute_8 = None
        view_17: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.reshape.default(mm_4, [2, 16, 64])

        # File: activations.py:103 in forward, code: return nn.functional.silu(input)
        neg_2: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.neg.default(view_17)
        exp: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.exp.default(neg_2);  neg_2 = None
        add_8: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.add.Tensor(exp, 1);  exp = None
        div: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.div.Tensor(view_17, add_8);  view_17 = add_8 = None

        # File: modeling_llama.py:164 in forward, code: down_proj = self.down_proj(self.act_fn(self.gate_proj(x)) * self.up_proj(x))
        permute_9: "f32[32, 64][1, 32]cpu" = torch.ops.aten.permute.default(primals_11, [1, 0])
        mm_5: "f32[32, 64][64, 1]cpu" = torch.ops.aten.mm.default(view_16, permute_9);  permute_9 = None
        view_19: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.reshape.default(mm_5, [2, 16, 64])
        mul_11: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.mul.Tensor(div, view_19);  div = view_19 = None
        permute_10: "f32[64, 32][1, 64]cpu" = torch.ops.aten.permute.default(primals_12, [1, 0])
        view_20: "f32[32, 64][64, 1]cpu" = torch.ops.aten.reshape.default(mul_11, [32, 64]);  mul_11 = None
        mm_6: "f32[32, 32][32, 1]cpu" = torch.ops.aten.mm.default(view_20, permute_10);  permute_10 = None
        view_21: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.reshape.default(mm_6, [2, 16, 32]);  mm_6 = None

        # File: modeling_llama.py:312 in forward, code: hidden_states = residual + hidden_states
        add_9: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.add.Tensor(add_6, view_21);  add_6 = view_21 = None

        # File: modeling_llama.py:64 in forward, code: variance = hidden_states.pow(2).mean(-1, keepdim=True)
        pow_3: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.pow.Tensor_Scalar(add_9, 2)
        mean_2: "f32[2, 16, 1][16, 1, 1]cpu" = torch.ops.aten.mean.dim(pow_3, [-1], True);  pow_3 = None

        # File: modeling_llama.py:65 in forward, code: hidden_states = hidden_states * torch.rsqrt(variance + self.variance_epsilon)
        add_10: "f32[2, 16, 1][16, 1, 1]cpu" = torch.ops.aten.add.Tensor(mean_2, 1e-06);  mean_2 = None
        rsqrt_2: "f32[2, 16, 1][16, 1, 1]cpu" = torch.ops.aten.rsqrt.default(add_10);  add_10 = None
        mul_12: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Tensor(add_9, rsqrt_2)

        # File: modeling_llama.py:66 in forward, code: return self.weight * hidden_states.to(input_dtype)
        mul_13: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Tensor(primals_13, mul_12);  mul_12 = None

        # File: modeling_llama.py:243 in forward, code: query_states = self.q_proj(hidden_states).view(hidden_shape).transpose(1, 2)
        permute_11: "f32[32, 32][1, 32]cpu" = torch.ops.aten.permute.default(primals_14, [1, 0])
        view_22: "f32[32, 32][32, 1]cpu" = torch.ops.aten.reshape.default(mul_13, [32, 32]);  mul_13 = None
        mm_7: "f32[32, 32][32, 1]cpu" = torch.ops.aten.mm.default(view_22, permute_11);  permute_11 = None
        view_23: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.reshape.default(mm_7, [2, 16, 32]);  mm_7 = None
        view_24: "f32[2, 16, 2, 16][512, 32, 16, 1]cpu" = torch.ops.aten.reshape.default(view_23, [2, 16, -1, 16]);  view_23 = None
        permute_12: "f32[2, 2, 16, 16][512, 16, 32, 1]cpu" = torch.ops.aten.permute.default(view_24, [0, 2, 1, 3]);  view_24 = None

        # File: modeling_llama.py:244 in forward, code: key_states = self.k_proj(hidden_states).view(hidden_shape).transpose(1, 2)
        permute_13: "f32[32, 16][1, 32]cpu" = torch.ops.aten.permute.default(primals_15, [1, 0])
        mm_8: "f32[32, 16][16, 1]cpu" = torch.ops.aten.mm.default(view_22, permute_13);  permute_13 = None
        view_26: "f32[2, 16, 16][256, 16, 1]cpu" = torch.ops.aten.reshape.default(mm_8, [2, 16, 16]);  mm_8 = None
        view_27: "f32[2, 16, 1, 16][256, 16, 16, 1]cpu" = torch.ops.aten.reshape.default(view_26, [2, 16, -1, 16]);  view_26 = None
        permute_14: "f32[2, 1, 16, 16][256, 16, 16, 1]cpu" = torch.ops.aten.permute.default(view_27, [0, 2, 1, 3]);  view_27 = None

        # File: modeling_llama.py:245 in forward, code: value_states = self.v_proj(hidden_states).view(hidden_shape).transpose(1, 2)
        permute_15: "f32[32, 16][1, 32]cpu" = torch.ops.aten.permute.default(primals_16, [1, 0])
        mm_9: "f32[32, 16][16, 1]cpu" = torch.ops.aten.mm.default(view_22, permute_15);  permute_15 = None
        view_29: "f32[2, 16, 16][256, 16, 1]cpu" = torch.ops.aten.reshape.default(mm_9, [2, 16, 16])
        view_30: "f32[2, 16, 1, 16][256, 16, 16, 1]cpu" = torch.ops.aten.reshape.default(view_29, [2, 16, -1, 16]);  view_29 = None
        permute_16: "f32[2, 1, 16, 16][256, 16, 16, 1]cpu" = torch.ops.aten.permute.default(view_30, [0, 2, 1, 3]);  view_30 = None

        # File: modeling_llama.py:147 in apply_rotary_pos_emb, code: q_embed = (q * cos) + (rotate_half(q) * sin)
        mul_14: "f32[2, 2, 16, 16][512, 16, 32, 1]cpu" = torch.ops.aten.mul.Tensor(permute_12, unsqueeze_12)

        # File: modeling_llama.py:121 in rotate_half, code: x1 = x[..., : x.shape[-1] // 2]
        slice_8: "f32[2, 2, 16, 8][512, 16, 32, 1]cpu" = torch.ops.aten.slice.Tensor(permute_12, 3, 0, 8)

        # File: modeling_llama.py:122 in rotate_half, code: x2 = x[..., x.shape[-1] // 2 :]
        slice_9: "f32[2, 2, 16, 8][512, 16, 32, 1]cpu" = torch.ops.aten.slice.Tensor(permute_12, 3, 8, 9223372036854775807);  permute_12 = None

        # File: modeling_llama.py:123 in rotate_half, code: return torch.cat((-x2, x1), dim=-1)
        neg_3: "f32[2, 2, 16, 8][256, 8, 16, 1]cpu" = torch.ops.aten.neg.default(slice_9);  slice_9 = None
        cat_3: "f32[2, 2, 16, 16][512, 256, 16, 1]cpu" = torch.ops.aten.cat.default([neg_3, slice_8], -1);  neg_3 = slice_8 = None

        # File: modeling_llama.py:147 in apply_rotary_pos_emb, code: q_embed = (q * cos) + (rotate_half(q) * sin)
        mul_15: "f32[2, 2, 16, 16][512, 256, 16, 1]cpu" = torch.ops.aten.mul.Tensor(cat_3, unsqueeze_13);  cat_3 = None
        add_11: "f32[2, 2, 16, 16][512, 16, 32, 1]cpu" = torch.ops.aten.add.Tensor(mul_14, mul_15);  mul_14 = mul_15 = None

        # File: modeling_llama.py:148 in apply_rotary_pos_emb, code: k_embed = (k * cos) + (rotate_half(k) * sin)
        mul_16: "f32[2, 1, 16, 16][256, 16, 16, 1]cpu" = torch.ops.aten.mul.Tensor(permute_14, unsqueeze_12);  unsqueeze_12 = None

        # File: modeling_llama.py:121 in rotate_half, code: x1 = x[..., : x.shape[-1] // 2]
        slice_10: "f32[2, 1, 16, 8][256, 16, 16, 1]cpu" = torch.ops.aten.slice.Tensor(permute_14, 3, 0, 8)

        # File: modeling_llama.py:122 in rotate_half, code: x2 = x[..., x.shape[-1] // 2 :]
        slice_11: "f32[2, 1, 16, 8][256, 16, 16, 1]cpu" = torch.ops.aten.slice.Tensor(permute_14, 3, 8, 9223372036854775807);  permute_14 = None

        # File: modeling_llama.py:123 in rotate_half, code: return torch.cat((-x2, x1), dim=-1)
        neg_4: "f32[2, 1, 16, 8][128, 8, 8, 1]cpu" = torch.ops.aten.neg.default(slice_11);  slice_11 = None
        cat_4: "f32[2, 1, 16, 16][256, 256, 16, 1]cpu" = torch.ops.aten.cat.default([neg_4, slice_10], -1);  neg_4 = slice_10 = None

        # File: modeling_llama.py:148 in apply_rotary_pos_emb, code: k_embed = (k * cos) + (rotate_half(k) * sin)
        mul_17: "f32[2, 1, 16, 16][256, 256, 16, 1]cpu" = torch.ops.aten.mul.Tensor(cat_4, unsqueeze_13);  cat_4 = unsqueeze_13 = None
        add_12: "f32[2, 1, 16, 16][256, 16, 16, 1]cpu" = torch.ops.aten.add.Tensor(mul_16, mul_17);  mul_16 = mul_17 = None

        # File: sdpa_attention.py:28 in repeat_kv, code: hidden_states = hidden_states[:, :, None, :, :].expand(batch, num_key_value_heads, n_rep, slen, head_dim)
        unsqueeze_18: "f32[2, 1, 1, 16, 16][256, 16, 256, 16, 1]cpu" = torch.ops.aten.unsqueeze.default(add_12, 2);  add_12 = None
        expand_6: "f32[2, 1, 2, 16, 16][256, 16, 0, 16, 1]cpu" = torch.ops.aten.expand.default(unsqueeze_18, [2, 1, 2, 16, 16]);  unsqueeze_18 = None

        # File: sdpa_attention.py:29 in repeat_kv, code: return hidden_states.reshape(batch, num_key_value_heads * n_rep, slen, head_dim)
        view_31: "f32[2, 2, 16, 16][256, 0, 16, 1]cpu" = torch.ops.aten.reshape.default(expand_6, [2, 2, 16, 16]);  expand_6 = None

        # File: sdpa_attention.py:28 in repeat_kv, code: hidden_states = hidden_states[:, :, None, :, :].expand(batch, num_key_value_heads, n_rep, slen, head_dim)
        unsqueeze_19: "f32[2, 1, 1, 16, 16][256, 16, 256, 16, 1]cpu" = torch.ops.aten.unsqueeze.default(permute_16, 2);  permute_16 = None
        expand_7: "f32[2, 1, 2, 16, 16][256, 16, 0, 16, 1]cpu" = torch.ops.aten.expand.default(unsqueeze_19, [2, 1, 2, 16, 16]);  unsqueeze_19 = None

        # File: sdpa_attention.py:29 in repeat_kv, code: return hidden_states.reshape(batch, num_key_value_heads * n_rep, slen, head_dim)
        view_32: "f32[2, 2, 16, 16][256, 0, 16, 1]cpu" = torch.ops.aten.reshape.default(expand_7, [2, 2, 16, 16]);  expand_7 = None

        # No stacktrace found for following nodes
        subgraph__scaled_dot_product_flash_attention_for_cpu_1 = self.subgraph__scaled_dot_product_flash_attention_for_cpu_1

        # File: sdpa_attention.py:193 in sdpa_attention_forward, code: attn_output = torch.nn.functional.scaled_dot_product_attention(
        _scaled_dot_product_flash_attention_for_cpu_1 = torch.ops.higher_order.control_deps((_scaled_dot_product_flash_attention_for_cpu,), subgraph__scaled_dot_product_flash_attention_for_cpu_1, add_11, view_31, view_32, where);  _scaled_dot_product_flash_attention_for_cpu = subgraph__scaled_dot_product_flash_attention_for_cpu_1 = view_32 = None
        getitem_2: "f32[2, 2, 16, 16][512, 16, 32, 1]cpu" = _scaled_dot_product_flash_attention_for_cpu_1[0]
        getitem_3: "f32[2, 2, 16][32, 1, 2]cpu" = _scaled_dot_product_flash_attention_for_cpu_1[1];  _scaled_dot_product_flash_attention_for_cpu_1 = None

        # File: sdpa_attention.py:206 in sdpa_attention_forward, code: attn_output = attn_output.transpose(1, 2).contiguous()
        permute_17: "f32[2, 16, 2, 16][512, 32, 16, 1]cpu" = torch.ops.aten.permute.default(getitem_2, [0, 2, 1, 3])

        # File: modeling_llama.py:268 in forward, code: attn_output = attn_output.reshape(*input_shape, -1).contiguous()
        view_34: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.reshape.default(permute_17, [2, 16, -1]);  permute_17 = None

        # File: modeling_llama.py:269 in forward, code: attn_output = self.o_proj(attn_output)
        permute_18: "f32[32, 32][1, 32]cpu" = torch.ops.aten.permute.default(primals_17, [1, 0])
        view_35: "f32[32, 32][32, 1]cpu" = torch.ops.aten.reshape.default(view_34, [32, 32]);  view_34 = None
        mm_10: "f32[32, 32][32, 1]cpu" = torch.ops.aten.mm.default(view_35, permute_18);  view_35 = permute_18 = None
        view_36: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.reshape.default(mm_10, [2, 16, 32]);  mm_10 = None

        # File: modeling_llama.py:306 in forward, code: hidden_states = residual + hidden_states
        add_13: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.add.Tensor(add_9, view_36);  view_36 = None

        # File: modeling_llama.py:64 in forward, code: variance = hidden_states.pow(2).mean(-1, keepdim=True)
        pow_4: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.pow.Tensor_Scalar(add_13, 2)
        mean_3: "f32[2, 16, 1][16, 1, 1]cpu" = torch.ops.aten.mean.dim(pow_4, [-1], True);  pow_4 = None

        # File: modeling_llama.py:65 in forward, code: hidden_states = hidden_states * torch.rsqrt(variance + self.variance_epsilon)
        add_14: "f32[2, 16, 1][16, 1, 1]cpu" = torch.ops.aten.add.Tensor(mean_3, 1e-06);  mean_3 = None
        rsqrt_3: "f32[2, 16, 1][16, 1, 1]cpu" = torch.ops.aten.rsqrt.default(add_14);  add_14 = None
        mul_18: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Tensor(add_13, rsqrt_3)

        # File: modeling_llama.py:66 in forward, code: return self.weight * hidden_states.to(input_dtype)
        mul_19: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Tensor(primals_18, mul_18);  mul_18 = None

        # File: modeling_llama.py:164 in forward, code: down_proj = self.down_proj(self.act_fn(self.gate_proj(x)) * self.up_proj(x))
        permute_19: "f32[32, 64][1, 32]cpu" = torch.ops.aten.permute.default(primals_19, [1, 0])
        view_37: "f32[32, 32][32, 1]cpu" = torch.ops.aten.reshape.default(mul_19, [32, 32]);  mul_19 = None
        mm_11: "f32[32, 64][64, 1]cpu" = torch.ops.aten.mm.default(view_37, permute_19);  permute_19 = None
        view_38: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.reshape.default(mm_11, [2, 16, 64])

        # File: activations.py:103 in forward, code: return nn.functional.silu(input)
        neg_5: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.neg.default(view_38)
        exp_1: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.exp.default(neg_5);  neg_5 = None
        add_15: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.add.Tensor(exp_1, 1);  exp_1 = None
        div_1: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.div.Tensor(view_38, add_15);  view_38 = add_15 = None

        # File: modeling_llama.py:164 in forward, code: down_proj = self.down_proj(self.act_fn(self.gate_proj(x)) * self.up_proj(x))
        permute_20: "f32[32, 64][1, 32]cpu" = torch.ops.aten.permute.default(primals_20, [1, 0])
        mm_12: "f32[32, 64][64, 1]cpu" = torch.ops.aten.mm.default(view_37, permute_20);  permute_20 = None
        view_40: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.reshape.default(mm_12, [2, 16, 64])
        mul_20: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.mul.Tensor(div_1, view_40);  div_1 = view_40 = None
        permute_21: "f32[64, 32][1, 64]cpu" = torch.ops.aten.permute.default(primals_21, [1, 0])
        view_41: "f32[32, 64][64, 1]cpu" = torch.ops.aten.reshape.default(mul_20, [32, 64]);  mul_20 = None
        mm_13: "f32[32, 32][32, 1]cpu" = torch.ops.aten.mm.default(view_41, permute_21);  permute_21 = None
        view_42: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.reshape.default(mm_13, [2, 16, 32]);  mm_13 = None

        # File: modeling_llama.py:312 in forward, code: hidden_states = residual + hidden_states
        add_16: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.add.Tensor(add_13, view_42);  view_42 = None

        # File: modeling_llama.py:64 in forward, code: variance = hidden_states.pow(2).mean(-1, keepdim=True)
        pow_5: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.pow.Tensor_Scalar(add_16, 2)
        mean_4: "f32[2, 16, 1][16, 1, 1]cpu" = torch.ops.aten.mean.dim(pow_5, [-1], True);  pow_5 = None

        # File: modeling_llama.py:65 in forward, code: hidden_states = hidden_states * torch.rsqrt(variance + self.variance_epsilon)
        add_17: "f32[2, 16, 1][16, 1, 1]cpu" = torch.ops.aten.add.Tensor(mean_4, 1e-06);  mean_4 = None
        rsqrt_4: "f32[2, 16, 1][16, 1, 1]cpu" = torch.ops.aten.rsqrt.default(add_17);  add_17 = None
        mul_21: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Tensor(add_16, rsqrt_4)

        # File: modeling_llama.py:66 in forward, code: return self.weight * hidden_states.to(input_dtype)
        mul_22: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Tensor(primals_22, mul_21);  mul_21 = None

        # File: modeling_llama.py:468 in forward, code: logits = self.lm_head(hidden_states)
        permute_22: "f32[32, 64][1, 32]cpu" = torch.ops.aten.permute.default(primals_23, [1, 0])
        view_43: "f32[32, 32][32, 1]cpu" = torch.ops.aten.reshape.default(mul_22, [32, 32]);  mul_22 = None
        mm_14: "f32[32, 64][64, 1]cpu" = torch.ops.aten.mm.default(view_43, permute_22);  permute_22 = None
        view_44: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.reshape.default(mm_14, [2, 16, 64]);  mm_14 = None

        # File: torch/nn/functional.py:5823 in pad, code: return torch._C._nn.pad(input, pad, mode, value)
        constant_pad_nd: "i64[2, 17][17, 1]cpu" = torch.ops.aten.constant_pad_nd.default(primals_24, [0, 1], -100.0);  primals_24 = None

        # File: loss_utils.py:66 in ForCausalLMLoss, code: shift_labels = labels[..., 1:].contiguous()
        slice_12: "i64[2, 16][17, 1]cpu" = torch.ops.aten.slice.Tensor(constant_pad_nd, 1, 1, 9223372036854775807)
        clone_2: "i64[2, 16][16, 1]cpu" = torch.ops.aten.clone.default(slice_12, memory_format = torch.contiguous_format);  slice_12 = None

        # File: loss_utils.py:69 in ForCausalLMLoss, code: logits = logits.view(-1, vocab_size)
        view_45: "f32[32, 64][64, 1]cpu" = torch.ops.aten.reshape.default(view_44, [-1, 64])

        # File: loss_utils.py:70 in ForCausalLMLoss, code: shift_labels = shift_labels.view(-1)
        view_46: "i64[32][1]cpu" = torch.ops.aten.reshape.default(clone_2, [-1]);  clone_2 = None

        # File: loss_utils.py:42 in fixed_cross_entropy, code: loss = nn.functional.cross_entropy(source, target, ignore_index=ignore_index, reduction=reduction)
        amax: "f32[32, 1][1, 1]cpu" = torch.ops.aten.amax.default(view_45, [1], True)
        sub_2: "f32[32, 64][64, 1]cpu" = torch.ops.aten.sub.Tensor(view_45, amax);  view_45 = None
        exp_2: "f32[32, 64][64, 1]cpu" = torch.ops.aten.exp.default(sub_2)
        sum_1: "f32[32, 1][1, 1]cpu" = torch.ops.aten.sum.dim_IntList(exp_2, [1], True);  exp_2 = None
        log: "f32[32, 1][1, 1]cpu" = torch.ops.aten.log.default(sum_1);  sum_1 = None
        sub_3: "f32[32, 64][64, 1]cpu" = torch.ops.aten.sub.Tensor(sub_2, log);  sub_2 = None
        ne_1: "b8[32][1]cpu" = torch.ops.aten.ne.Scalar(view_46, -100)
        full_default_5: "i64[][]cpu" = torch.ops.aten.full.default([], 0, dtype = torch.int64, layout = torch.strided, device = device(type='cpu'), pin_memory = False)
        where_2: "i64[32][1]cpu" = torch.ops.aten.where.self(ne_1, view_46, full_default_5);  view_46 = full_default_5 = None
        unsqueeze_20: "i64[32, 1][1, 1]cpu" = torch.ops.aten.unsqueeze.default(where_2, 1);  where_2 = None
        gather: "f32[32, 1][1, 1]cpu" = torch.ops.aten.gather.default(sub_3, 1, unsqueeze_20);  sub_3 = unsqueeze_20 = None
        squeeze: "f32[32][1]cpu" = torch.ops.aten.squeeze.dim(gather, 1);  gather = None
        neg_6: "f32[32][1]cpu" = torch.ops.aten.neg.default(squeeze);  squeeze = None
        where_3: "f32[32][1]cpu" = torch.ops.aten.where.self(ne_1, neg_6, full_default_2);  neg_6 = full_default_2 = None
        sum_2: "i64[][]cpu" = torch.ops.aten.sum.default(ne_1);  ne_1 = None
        convert_element_type_1: "f32[][]cpu" = torch.ops.prims.convert_element_type.default(sum_2, torch.float32);  sum_2 = None
        sum_3: "f32[][]cpu" = torch.ops.aten.sum.default(where_3);  where_3 = None
        div_2: "f32[][]cpu" = torch.ops.aten.div.Tensor(sum_3, convert_element_type_1);  sum_3 = None
        return (div_2, view_44, primals_1, primals_3, primals_4, primals_5, primals_6, primals_7, primals_8, primals_9, primals_10, primals_11, primals_12, primals_13, primals_14, primals_15, primals_16, primals_17, primals_18, primals_19, primals_20, primals_21, primals_22, primals_23, embedding, rsqrt, view_1, mm_2, add_4, view_10, where, getitem, getitem_1, mm_3, rsqrt_1, view_16, mm_4, mm_5, view_20, add_9, rsqrt_2, view_22, mm_9, add_11, view_31, getitem_2, getitem_3, add_13, rsqrt_3, view_37, mm_11, mm_12, view_41, add_16, rsqrt_4, view_43, view_44, constant_pad_nd, amax, log, convert_element_type_1)

    class subgraph__scaled_dot_product_flash_attention_for_cpu_1(torch.nn.Module):
        def forward(
            self,
            arg_0: "f32[2, 2, 16, 16][512, 16, 32, 1]cpu",
            arg_1: "f32[2, 2, 16, 16][256, 0, 16, 1]cpu",
            arg_2: "f32[2, 2, 16, 16][256, 0, 16, 1]cpu",
            arg_3: "f32[2, 1, 16, 16][256, 256, 16, 1]cpu",
        ):
            # File: sdpa_attention.py:193 in sdpa_attention_forward, code: attn_output = torch.nn.functional.scaled_dot_product_attention(
            _scaled_dot_product_flash_attention_for_cpu_default = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu.default(arg_0, arg_1, arg_2, attn_mask = arg_3, scale = 0.25);  arg_0 = arg_1 = arg_2 = arg_3 = None
            return _scaled_dot_product_flash_attention_for_cpu_default


def inputs_of_training_0_0_after_post_grad(number=0):
    """Inputs of the recorded layout; integers are `number`."""
    return [
        tensor((2, 16), (16, 1), torch.int64, 'cpu', number),  # primals_1
        tensor((64, 32), (32, 1), torch.float32, 'cpu'),  # primals_2
        tensor((8,), (1,), torch.float32, 'cpu'),  # primals_3
        tensor((32,), (1,), torch.float32, 'cpu'),  # primals_4
        tensor((32, 32), (32, 1), torch.float32, 'cpu'),  # primals_5
        tensor((16, 32), (32, 1), torch.float32, 'cpu'),  # primals_6
        tensor((16, 32), (32, 1), torch.float32, 'cpu'),  # primals_7
        tensor((32, 32), (32, 1), torch.float32, 'cpu'),  # primals_8
        tensor((32,), (1,), torch.float32, 'cpu'),  # primals_9
        tensor((64, 32), (32, 1), torch.float32, 'cpu'),  # primals_10
        tensor((64, 32), (32, 1), torch.float32, 'cpu'),  # primals_11
        tensor((32, 64), (64, 1), torch.float32, 'cpu'),  # primals_12
        tensor((32,), (1,), torch.float32, 'cpu'),  # primals_13
        tensor((32, 32), (32, 1), torch.float32, 'cpu'),  # primals_14
        tensor((16, 32), (32, 1), torch.float32, 'cpu'),  # primals_15
        tensor((16, 32), (32, 1), torch.float32, 'cpu'),  # primals_16
        tensor((32, 32), (32, 1), torch.float32, 'cpu'),  # primals_17
        tensor((32,), (1,), torch.float32, 'cpu'),  # primals_18
        tensor((64, 32), (32, 1), torch.float32, 'cpu'),  # primals_19
        tensor((64, 32), (32, 1), torch.float32, 'cpu'),  # primals_20
        tensor((32, 64), (64, 1), torch.float32, 'cpu'),  # primals_21
        tensor((32,), (1,), torch.float32, 'cpu'),  # primals_22
        tensor((64, 32), (32, 1), torch.float32, 'cpu'),  # primals_23
        tensor((2, 16), (16, 1), torch.int64, 'cpu', number),  # primals_24
    ]


def run_training_0_0_after_post_grad():
    graph = Graph_training_0_0_after_post_grad()
    vars(graph)['subgraph__scaled_dot_product_flash_attention_for_cpu_1'] = torch.fx.symbolic_trace(Graph_training_0_0_after_post_grad.subgraph__scaled_dot_product_flash_attention_for_cpu_1())
    for number in (0, 1):  # an index made from zeros may lie outside
        try:
            outputs = graph.forward(*inputs_of_training_0_0_after_post_grad(number))
            break
        except (IndexError, RuntimeError):
            if number == 1:
                raise
    outputs = list(outputs) if isinstance(outputs, (tuple, list)) else [outputs]
    recorded = [  # None: nothing is recorded of that output
        ((), (), torch.float32, 'cpu'),
        ((2, 16, 64), (1024, 64, 1), torch.float32, 'cpu'),
        ((2, 16), (16, 1), torch.int64, 'cpu'),
        ((8,), (1,), torch.float32, 'cpu'),
        ((32,), (1,), torch.float32, 'cpu'),
        ((32, 32), (32, 1), torch.float32, 'cpu'),
        ((16, 32), (32, 1), torch.float32, 'cpu'),
        ((16, 32), (32, 1), torch.float32, 'cpu'),
        ((32, 32), (32, 1), torch.float32, 'cpu'),
        ((32,), (1,), torch.float32, 'cpu'),
        ((64, 32), (32, 1), torch.float32, 'cpu'),
        ((64, 32), (32, 1), torch.float32, 'cpu'),
        ((32, 64), (64, 1), torch.float32, 'cpu'),
        ((32,), (1,), torch.float32, 'cpu'),
        ((32, 32), (32, 1), torch.float32, 'cpu'),
        ((16, 32), (32, 1), torch.float32, 'cpu'),
        ((16, 32), (32, 1), torch.float32, 'cpu'),
        ((32, 32), (32, 1), torch.float32, 'cpu'),
        ((32,), (1,), torch.float32, 'cpu'),
        ((64, 32), (32, 1), torch.float32, 'cpu'),
        ((64, 32), (32, 1), torch.float32, 'cpu'),
        ((32, 64), (64, 1), torch.float32, 'cpu'),
        ((32,), (1,), torch.float32, 'cpu'),
        ((64, 32), (32, 1), torch.float32, 'cpu'),
        ((2, 16, 32), (512, 32, 1), torch.float32, 'cpu'),
        ((2, 16, 1), (16, 1, 1), torch.float32, 'cpu'),
        ((32, 32), (32, 1), torch.float32, 'cpu'),
        ((32, 16), (16, 1), torch.float32, 'cpu'),
        ((2, 2, 16, 16), (512, 16, 32, 1), torch.float32, 'cpu'),
        ((2, 2, 16, 16), (256, 0, 16, 1), torch.float32, 'cpu'),
        ((2, 1, 16, 16), (256, 256, 16, 1), torch.float32, 'cpu'),
        ((2, 2, 16, 16), (512, 16, 32, 1), torch.float32, 'cpu'),
        ((2, 2, 16), (32, 1, 2), torch.float32, 'cpu'),
        ((32, 32), (32, 1), torch.float32, 'cpu'),
        ((2, 16, 1), (16, 1, 1), torch.float32, 'cpu'),
        ((32, 32), (32, 1), torch.float32, 'cpu'),
        ((32, 64), (64, 1), torch.float32, 'cpu'),
        ((32, 64), (64, 1), torch.float32, 'cpu'),
        ((32, 64), (64, 1), torch.float32, 'cpu'),
        ((2, 16, 32), (512, 32, 1), torch.float32, 'cpu'),
        ((2, 16, 1), (16, 1, 1), torch.float32, 'cpu'),
        ((32, 32), (32, 1), torch.float32, 'cpu'),
        ((32, 16), (16, 1), torch.float32, 'cpu'),
        ((2, 2, 16, 16), (512, 16, 32, 1), torch.float32, 'cpu'),
        ((2, 2, 16, 16), (256, 0, 16, 1), torch.float32, 'cpu'),
        ((2, 2, 16, 16), (512, 16, 32, 1), torch.float32, 'cpu'),
        ((2, 2, 16), (32, 1, 2), torch.float32, 'cpu'),
        ((2, 16, 32), (512, 32, 1), torch.float32, 'cpu'),
        ((2, 16, 1), (16, 1, 1), torch.float32, 'cpu'),
        ((32, 32), (32, 1), torch.float32, 'cpu'),
        ((32, 64), (64, 1), torch.float32, 'cpu'),
        ((32, 64), (64, 1), torch.float32, 'cpu'),
        ((32, 64), (64, 1), torch.float32, 'cpu'),
        ((2, 16, 32), (512, 32, 1), torch.float32, 'cpu'),
        ((2, 16, 1), (16, 1, 1), torch.float32, 'cpu'),
        ((32, 32), (32, 1), torch.float32, 'cpu'),
        ((2, 16, 64), (1024, 64, 1), torch.float32, 'cpu'),
        ((2, 17), (17, 1), torch.int64, 'cpu'),
        ((32, 1), (1, 1), torch.float32, 'cpu'),
        ((32, 1), (1, 1), torch.float32, 'cpu'),
        ((), (), torch.float32, 'cpu'),
    ]
    different = len(outputs) != len(recorded)
    for i, (output, wanted) in enumerate(zip(outputs, recorded)):
        right = wanted is None or same(layout(output), wanted)
        different = different or not right
        print(f"output {i}: {layout(output)}{'' if right else f', recorded: {wanted}'}")
    return int(different)

# ---- Training, wrapper [0/0]: Backward after Inductor's passes
class Graph_training_0_0_after_post_grad_1(torch.nn.Module):
    def forward(
        self,
        primals_1: "i64[2, 16][16, 1]cpu",
        primals_3: "f32[8][1]cpu",
        primals_4: "f32[32][1]cpu",
        primals_5: "f32[32, 32][32, 1]cpu",
        primals_6: "f32[16, 32][32, 1]cpu",
        primals_7: "f32[16, 32][32, 1]cpu",
        primals_8: "f32[32, 32][32, 1]cpu",
        primals_9: "f32[32][1]cpu",
        primals_10: "f32[64, 32][32, 1]cpu",
        primals_11: "f32[64, 32][32, 1]cpu",
        primals_12: "f32[32, 64][64, 1]cpu",
        primals_13: "f32[32][1]cpu",
        primals_14: "f32[32, 32][32, 1]cpu",
        primals_15: "f32[16, 32][32, 1]cpu",
        primals_16: "f32[16, 32][32, 1]cpu",
        primals_17: "f32[32, 32][32, 1]cpu",
        primals_18: "f32[32][1]cpu",
        primals_19: "f32[64, 32][32, 1]cpu",
        primals_20: "f32[64, 32][32, 1]cpu",
        primals_21: "f32[32, 64][64, 1]cpu",
        primals_22: "f32[32][1]cpu",
        primals_23: "f32[64, 32][32, 1]cpu",
        embedding: "f32[2, 16, 32][512, 32, 1]cpu",
        rsqrt: "f32[2, 16, 1][16, 1, 1]cpu",
        view_1: "f32[32, 32][32, 1]cpu",
        mm_2: "f32[32, 16][16, 1]cpu",
        add_4: "f32[2, 2, 16, 16][512, 16, 32, 1]cpu",
        view_10: "f32[2, 2, 16, 16][256, 0, 16, 1]cpu",
        where: "f32[2, 1, 16, 16][256, 256, 16, 1]cpu",
        getitem: "f32[2, 2, 16, 16][512, 16, 32, 1]cpu",
        getitem_1: "f32[2, 2, 16][32, 1, 2]cpu",
        mm_3: "f32[32, 32][32, 1]cpu",
        rsqrt_1: "f32[2, 16, 1][16, 1, 1]cpu",
        view_16: "f32[32, 32][32, 1]cpu",
        mm_4: "f32[32, 64][64, 1]cpu",
        mm_5: "f32[32, 64][64, 1]cpu",
        view_20: "f32[32, 64][64, 1]cpu",
        add_9: "f32[2, 16, 32][512, 32, 1]cpu",
        rsqrt_2: "f32[2, 16, 1][16, 1, 1]cpu",
        view_22: "f32[32, 32][32, 1]cpu",
        mm_9: "f32[32, 16][16, 1]cpu",
        add_11: "f32[2, 2, 16, 16][512, 16, 32, 1]cpu",
        view_31: "f32[2, 2, 16, 16][256, 0, 16, 1]cpu",
        getitem_2: "f32[2, 2, 16, 16][512, 16, 32, 1]cpu",
        getitem_3: "f32[2, 2, 16][32, 1, 2]cpu",
        add_13: "f32[2, 16, 32][512, 32, 1]cpu",
        rsqrt_3: "f32[2, 16, 1][16, 1, 1]cpu",
        view_37: "f32[32, 32][32, 1]cpu",
        mm_11: "f32[32, 64][64, 1]cpu",
        mm_12: "f32[32, 64][64, 1]cpu",
        view_41: "f32[32, 64][64, 1]cpu",
        add_16: "f32[2, 16, 32][512, 32, 1]cpu",
        rsqrt_4: "f32[2, 16, 1][16, 1, 1]cpu",
        view_43: "f32[32, 32][32, 1]cpu",
        view_44: "f32[2, 16, 64][1024, 64, 1]cpu",
        constant_pad_nd: "i64[2, 17][17, 1]cpu",
        amax: "f32[32, 1][1, 1]cpu",
        log: "f32[32, 1][1, 1]cpu",
        convert_element_type_1: "f32[][]cpu",
        tangents_1: "f32[][]cpu",
        tangents_2: "f32[2, 16, 64][1024, 64, 1]cpu",
    ):
        # File: loss_utils.py:42 in fixed_cross_entropy, code: loss = nn.functional.cross_entropy(source, target, ignore_index=ignore_index, reduction=reduction)
        div_3: "f32[][]cpu" = torch.ops.aten.div.Tensor(tangents_1, convert_element_type_1);  tangents_1 = convert_element_type_1 = None

        # File: loss_utils.py:66 in ForCausalLMLoss, code: shift_labels = labels[..., 1:].contiguous()
        slice_12: "i64[2, 16][17, 1]cpu" = torch.ops.aten.slice.Tensor(constant_pad_nd, 1, 1, 9223372036854775807);  constant_pad_nd = None
        clone_2: "i64[2, 16][16, 1]cpu" = torch.ops.aten.clone.default(slice_12, memory_format = torch.contiguous_format);  slice_12 = None

        # File: loss_utils.py:70 in ForCausalLMLoss, code: shift_labels = shift_labels.view(-1)
        view_46: "i64[32][1]cpu" = torch.ops.aten.reshape.default(clone_2, [-1]);  clone_2 = None

        # File: loss_utils.py:42 in fixed_cross_entropy, code: loss = nn.functional.cross_entropy(source, target, ignore_index=ignore_index, reduction=reduction)
        unsqueeze_21: "i64[32, 1][1, 1]cpu" = torch.ops.aten.unsqueeze.default(view_46, 1);  view_46 = None
        ne_4: "b8[32, 1][1, 1]cpu" = torch.ops.aten.ne.Scalar(unsqueeze_21, -100)
        full_default_5: "i64[][]cpu" = torch.ops.aten.full.default([], 0, dtype = torch.int64, layout = torch.strided, device = device(type='cpu'), pin_memory = False)
        where_4: "i64[32, 1][1, 1]cpu" = torch.ops.aten.where.self(ne_4, unsqueeze_21, full_default_5);  unsqueeze_21 = full_default_5 = None

        # No stacktrace found for following nodes
        iota_default: "i64[64][1]cpu" = torch.ops.prims.iota.default(64, start = 0, step = 1, dtype = torch.int64, device = device(type='cpu'), requires_grad = False)
        view_default: "i64[1, 64][64, 1]cpu" = torch.ops.aten.reshape.default(iota_default, [1, 64]);  iota_default = None
        expand_default: "i64[32, 64][1, 0]cpu" = torch.ops.aten.expand.default(where_4, [32, 64]);  where_4 = None
        eq_tensor: "b8[32, 64][64, 1]cpu" = torch.ops.aten.eq.Tensor(expand_default, view_default);  expand_default = view_default = None
        scalar_tensor_default: "f32[][]cpu" = torch.ops.aten.scalar_tensor.default(0, dtype = torch.float32, layout = torch.strided, device = device(type='cpu'))
        scalar_tensor_default_1: "f32[][]cpu" = torch.ops.aten.scalar_tensor.default(-1.0, dtype = torch.float32, layout = torch.strided, device = device(type='cpu'))

        # File: loss_utils.py:42 in fixed_cross_entropy, code: loss = nn.functional.cross_entropy(source, target, ignore_index=ignore_index, reduction=reduction)
        where_self: "f32[32, 64][64, 1]cpu" = torch.ops.aten.where.self(eq_tensor, scalar_tensor_default_1, scalar_tensor_default);  eq_tensor = scalar_tensor_default_1 = scalar_tensor_default = None

        # File: sdpa_attention.py:193 in sdpa_attention_forward, code: attn_output = torch.nn.functional.scaled_dot_product_attention(
        full_default_2: "f32[][]cpu" = torch.ops.aten.full.default([], 0.0, dtype = torch.float32, layout = torch.strided, device = device(type='cpu'), pin_memory = False)

        # File: loss_utils.py:42 in fixed_cross_entropy, code: loss = nn.functional.cross_entropy(source, target, ignore_index=ignore_index, reduction=reduction)
        where_5: "f32[32, 1][1, 1]cpu" = torch.ops.aten.where.self(ne_4, div_3, full_default_2);  ne_4 = div_3 = full_default_2 = None
        mul_23: "f32[32, 64][64, 1]cpu" = torch.ops.aten.mul.Tensor(where_self, where_5);  where_self = where_5 = None

        # File: loss_utils.py:69 in ForCausalLMLoss, code: logits = logits.view(-1, vocab_size)
        view_45: "f32[32, 64][64, 1]cpu" = torch.ops.aten.reshape.default(view_44, [-1, 64]);  view_44 = None

        # File: loss_utils.py:42 in fixed_cross_entropy, code: loss = nn.functional.cross_entropy(source, target, ignore_index=ignore_index, reduction=reduction)
        sub_2: "f32[32, 64][64, 1]cpu" = torch.ops.aten.sub.Tensor(view_45, amax);  view_45 = amax = None
        sub_3: "f32[32, 64][64, 1]cpu" = torch.ops.aten.sub.Tensor(sub_2, log);  sub_2 = log = None
        exp_3: "f32[32, 64][64, 1]cpu" = torch.ops.aten.exp.default(sub_3);  sub_3 = None
        sum_4: "f32[32, 1][1, 1]cpu" = torch.ops.aten.sum.dim_IntList(mul_23, [1], True)
        mul_24: "f32[32, 64][64, 1]cpu" = torch.ops.aten.mul.Tensor(exp_3, sum_4);  exp_3 = sum_4 = None
        sub_4: "f32[32, 64][64, 1]cpu" = torch.ops.aten.sub.Tensor(mul_23, mul_24);  mul_23 = mul_24 = None

        # File: loss_utils.py:69 in ForCausalLMLoss, code: logits = logits.view(-1, vocab_size)
        view_47: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.reshape.default(sub_4, [2, 16, 64]);  sub_4 = None
        add_18: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.add.Tensor(tangents_2, view_47);  tangents_2 = view_47 = None

        # File: modeling_llama.py:468 in forward, code: logits = self.lm_head(hidden_states)
        view_48: "f32[32, 64][64, 1]cpu" = torch.ops.aten.reshape.default(add_18, [32, 64]);  add_18 = None
        permute_23: "f32[64, 32][1, 64]cpu" = torch.ops.aten.permute.default(view_48, [1, 0])
        mm_15: "f32[64, 32][32, 1]cpu" = torch.ops.aten.mm.default(permute_23, view_43);  permute_23 = view_43 = None
        permute_22: "f32[32, 64][1, 32]cpu" = torch.ops.aten.permute.default(primals_23, [1, 0]);  primals_23 = None
        permute_25: "f32[64, 32][32, 1]cpu" = torch.ops.aten.permute.default(permute_22, [1, 0]);  permute_22 = None
        mm_16: "f32[32, 32][32, 1]cpu" = torch.ops.aten.mm.default(view_48, permute_25);  view_48 = permute_25 = None
        view_49: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.reshape.default(mm_16, [2, 16, 32]);  mm_16 = None

        # File: modeling_llama.py:66 in forward, code: return self.weight * hidden_states.to(input_dtype)
        mul_25: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Tensor(view_49, primals_22);  primals_22 = None

        # File: modeling_llama.py:65 in forward, code: hidden_states = hidden_states * torch.rsqrt(variance + self.variance_epsilon)
        mul_21: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Tensor(add_16, rsqrt_4)

        # File: modeling_llama.py:66 in forward, code: return self.weight * hidden_states.to(input_dtype)
        mul_26: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Tensor(view_49, mul_21);  view_49 = mul_21 = None
        sum_5: "f32[1, 1, 32][32, 32, 1]cpu" = torch.ops.aten.sum.dim_IntList(mul_26, [0, 1], True);  mul_26 = None
        view_50: "f32[32][1]cpu" = torch.ops.aten.reshape.default(sum_5, [32]);  sum_5 = None

        # File: modeling_llama.py:65 in forward, code: hidden_states = hidden_states * torch.rsqrt(variance + self.variance_epsilon)
        mul_27: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Tensor(mul_25, add_16)
        mul_28: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Tensor(mul_25, rsqrt_4);  mul_25 = None
        sum_6: "f32[2, 16, 1][16, 1, 1]cpu" = torch.ops.aten.sum.dim_IntList(mul_27, [2], True);  mul_27 = None
        pow_6: "f32[2, 16, 1][16, 1, 1]cpu" = torch.ops.aten.pow.Tensor_Scalar(rsqrt_4, 3);  rsqrt_4 = None
        mul_29: "f32[2, 16, 1][16, 1, 1]cpu" = torch.ops.aten.mul.Scalar(sum_6, -0.5);  sum_6 = None
        mul_30: "f32[2, 16, 1][16, 1, 1]cpu" = torch.ops.aten.mul.Tensor(mul_29, pow_6);  mul_29 = pow_6 = None

        # File: modeling_llama.py:64 in forward, code: variance = hidden_states.pow(2).mean(-1, keepdim=True)
        expand_8: "f32[2, 16, 32][16, 1, 0]cpu" = torch.ops.aten.expand.default(mul_30, [2, 16, 32]);  mul_30 = None
        div_4: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.div.Scalar(expand_8, 32);  expand_8 = None
        pow_7: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.pow.Tensor_Scalar(add_16, 1.0);  add_16 = None
        mul_31: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Scalar(pow_7, 2.0);  pow_7 = None
        mul_32: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Tensor(div_4, mul_31);  div_4 = mul_31 = None
        add_19: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.add.Tensor(mul_28, mul_32);  mul_28 = mul_32 = None

        # File: modeling_llama.py:164 in forward, code: down_proj = self.down_proj(self.act_fn(self.gate_proj(x)) * self.up_proj(x))
        view_51: "f32[32, 32][32, 1]cpu" = torch.ops.aten.reshape.default(add_19, [32, 32])
        permute_27: "f32[32, 32][1, 32]cpu" = torch.ops.aten.permute.default(view_51, [1, 0])
        mm_17: "f32[32, 64][64, 1]cpu" = torch.ops.aten.mm.default(permute_27, view_41);  permute_27 = view_41 = None
        permute_21: "f32[64, 32][1, 64]cpu" = torch.ops.aten.permute.default(primals_21, [1, 0]);  primals_21 = None
        permute_29: "f32[32, 64][64, 1]cpu" = torch.ops.aten.permute.default(permute_21, [1, 0]);  permute_21 = None
        mm_18: "f32[32, 64][64, 1]cpu" = torch.ops.aten.mm.default(view_51, permute_29);  view_51 = permute_29 = None
        view_52: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.reshape.default(mm_18, [2, 16, 64]);  mm_18 = None
        view_38: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.reshape.default(mm_11, [2, 16, 64]);  mm_11 = None

        # File: activations.py:103 in forward, code: return nn.functional.silu(input)
        neg_5: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.neg.default(view_38)
        exp_1: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.exp.default(neg_5);  neg_5 = None
        add_15: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.add.Tensor(exp_1, 1);  exp_1 = None
        div_1: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.div.Tensor(view_38, add_15);  add_15 = None

        # File: modeling_llama.py:164 in forward, code: down_proj = self.down_proj(self.act_fn(self.gate_proj(x)) * self.up_proj(x))
        mul_33: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.mul.Tensor(view_52, div_1);  div_1 = None
        view_40: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.reshape.default(mm_12, [2, 16, 64]);  mm_12 = None
        mul_34: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.mul.Tensor(view_52, view_40);  view_52 = view_40 = None
        view_53: "f32[32, 64][64, 1]cpu" = torch.ops.aten.reshape.default(mul_33, [32, 64]);  mul_33 = None
        permute_31: "f32[64, 32][1, 64]cpu" = torch.ops.aten.permute.default(view_53, [1, 0])
        mm_19: "f32[64, 32][32, 1]cpu" = torch.ops.aten.mm.default(permute_31, view_37);  permute_31 = None
        permute_20: "f32[32, 64][1, 32]cpu" = torch.ops.aten.permute.default(primals_20, [1, 0]);  primals_20 = None
        permute_33: "f32[64, 32][32, 1]cpu" = torch.ops.aten.permute.default(permute_20, [1, 0]);  permute_20 = None
        mm_20: "f32[32, 32][32, 1]cpu" = torch.ops.aten.mm.default(view_53, permute_33);  view_53 = permute_33 = None
        view_54: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.reshape.default(mm_20, [2, 16, 32]);  mm_20 = None

        # File: activations.py:103 in forward, code: return nn.functional.silu(input)
        sigmoid: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.sigmoid.default(view_38)
        mul_35: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.mul.Tensor(mul_34, sigmoid);  mul_34 = None
        sub_5: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.sub.Tensor(1, sigmoid);  sigmoid = None
        mul_36: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.mul.Tensor(view_38, sub_5);  view_38 = sub_5 = None
        add_20: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.add.Tensor(mul_36, 1);  mul_36 = None
        mul_37: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.mul.Tensor(mul_35, add_20);  mul_35 = add_20 = None

        # File: modeling_llama.py:164 in forward, code: down_proj = self.down_proj(self.act_fn(self.gate_proj(x)) * self.up_proj(x))
        view_55: "f32[32, 64][64, 1]cpu" = torch.ops.aten.reshape.default(mul_37, [32, 64]);  mul_37 = None
        permute_35: "f32[64, 32][1, 64]cpu" = torch.ops.aten.permute.default(view_55, [1, 0])
        mm_21: "f32[64, 32][32, 1]cpu" = torch.ops.aten.mm.default(permute_35, view_37);  permute_35 = view_37 = None
        permute_19: "f32[32, 64][1, 32]cpu" = torch.ops.aten.permute.default(primals_19, [1, 0]);  primals_19 = None
        permute_37: "f32[64, 32][32, 1]cpu" = torch.ops.aten.permute.default(permute_19, [1, 0]);  permute_19 = None
        mm_22: "f32[32, 32][32, 1]cpu" = torch.ops.aten.mm.default(view_55, permute_37);  view_55 = permute_37 = None
        view_56: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.reshape.default(mm_22, [2, 16, 32]);  mm_22 = None
        add_21: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.add.Tensor(view_54, view_56);  view_54 = view_56 = None

        # File: modeling_llama.py:66 in forward, code: return self.weight * hidden_states.to(input_dtype)
        mul_38: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Tensor(add_21, primals_18);  primals_18 = None

        # File: modeling_llama.py:65 in forward, code: hidden_states = hidden_states * torch.rsqrt(variance + self.variance_epsilon)
        mul_18: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Tensor(add_13, rsqrt_3)

        # File: modeling_llama.py:66 in forward, code: return self.weight * hidden_states.to(input_dtype)
        mul_39: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Tensor(add_21, mul_18);  add_21 = mul_18 = None
        sum_7: "f32[1, 1, 32][32, 32, 1]cpu" = torch.ops.aten.sum.dim_IntList(mul_39, [0, 1], True);  mul_39 = None
        view_57: "f32[32][1]cpu" = torch.ops.aten.reshape.default(sum_7, [32]);  sum_7 = None

        # File: modeling_llama.py:65 in forward, code: hidden_states = hidden_states * torch.rsqrt(variance + self.variance_epsilon)
        mul_40: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Tensor(mul_38, add_13)
        mul_41: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Tensor(mul_38, rsqrt_3);  mul_38 = None
        sum_8: "f32[2, 16, 1][16, 1, 1]cpu" = torch.ops.aten.sum.dim_IntList(mul_40, [2], True);  mul_40 = None
        add_22: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.add.Tensor(add_19, mul_41);  add_19 = mul_41 = None
        pow_8: "f32[2, 16, 1][16, 1, 1]cpu" = torch.ops.aten.pow.Tensor_Scalar(rsqrt_3, 3);  rsqrt_3 = None
        mul_42: "f32[2, 16, 1][16, 1, 1]cpu" = torch.ops.aten.mul.Scalar(sum_8, -0.5);  sum_8 = None
        mul_43: "f32[2, 16, 1][16, 1, 1]cpu" = torch.ops.aten.mul.Tensor(mul_42, pow_8);  mul_42 = pow_8 = None

        # File: modeling_llama.py:64 in forward, code: variance = hidden_states.pow(2).mean(-1, keepdim=True)
        expand_9: "f32[2, 16, 32][16, 1, 0]cpu" = torch.ops.aten.expand.default(mul_43, [2, 16, 32]);  mul_43 = None
        div_5: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.div.Scalar(expand_9, 32);  expand_9 = None
        pow_9: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.pow.Tensor_Scalar(add_13, 1.0);  add_13 = None
        mul_44: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Scalar(pow_9, 2.0);  pow_9 = None
        mul_45: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Tensor(div_5, mul_44);  div_5 = mul_44 = None
        add_23: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.add.Tensor(add_22, mul_45);  add_22 = mul_45 = None

        # File: modeling_llama.py:269 in forward, code: attn_output = self.o_proj(attn_output)
        view_58: "f32[32, 32][32, 1]cpu" = torch.ops.aten.reshape.default(add_23, [32, 32])
        permute_39: "f32[32, 32][1, 32]cpu" = torch.ops.aten.permute.default(view_58, [1, 0])

        # File: sdpa_attention.py:206 in sdpa_attention_forward, code: attn_output = attn_output.transpose(1, 2).contiguous()
        permute_17: "f32[2, 16, 2, 16][512, 32, 16, 1]cpu" = torch.ops.aten.permute.default(getitem_2, [0, 2, 1, 3])

        # File: modeling_llama.py:268 in forward, code: attn_output = attn_output.reshape(*input_shape, -1).contiguous()
        view_34: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.reshape.default(permute_17, [2, 16, -1]);  permute_17 = None

        # File: modeling_llama.py:269 in forward, code: attn_output = self.o_proj(attn_output)
        view_35: "f32[32, 32][32, 1]cpu" = torch.ops.aten.reshape.default(view_34, [32, 32]);  view_34 = None
        mm_23: "f32[32, 32][32, 1]cpu" = torch.ops.aten.mm.default(permute_39, view_35);  permute_39 = view_35 = None
        permute_18: "f32[32, 32][1, 32]cpu" = torch.ops.aten.permute.default(primals_17, [1, 0]);  primals_17 = None
        permute_41: "f32[32, 32][32, 1]cpu" = torch.ops.aten.permute.default(permute_18, [1, 0]);  permute_18 = None
        mm_24: "f32[32, 32][32, 1]cpu" = torch.ops.aten.mm.default(view_58, permute_41);  view_58 = permute_41 = None
        view_59: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.reshape.default(mm_24, [2, 16, 32]);  mm_24 = None

        # File: modeling_llama.py:268 in forward, code: attn_output = attn_output.reshape(*input_shape, -1).contiguous()
        view_60: "f32[2, 16, 2, 16][512, 32, 16, 1]cpu" = torch.ops.aten.reshape.default(view_59, [2, 16, 2, 16]);  view_59 = None

        # File: sdpa_attention.py:206 in sdpa_attention_forward, code: attn_output = attn_output.transpose(1, 2).contiguous()
        permute_43: "f32[2, 2, 16, 16][512, 16, 32, 1]cpu" = torch.ops.aten.permute.default(view_60, [0, 2, 1, 3]);  view_60 = None

        # File: modeling_llama.py:245 in forward, code: value_states = self.v_proj(hidden_states).view(hidden_shape).transpose(1, 2)
        view_29: "f32[2, 16, 16][256, 16, 1]cpu" = torch.ops.aten.reshape.default(mm_9, [2, 16, 16]);  mm_9 = None
        view_30: "f32[2, 16, 1, 16][256, 16, 16, 1]cpu" = torch.ops.aten.reshape.default(view_29, [2, 16, -1, 16]);  view_29 = None
        permute_16: "f32[2, 1, 16, 16][256, 16, 16, 1]cpu" = torch.ops.aten.permute.default(view_30, [0, 2, 1, 3]);  view_30 = None

        # File: sdpa_attention.py:28 in repeat_kv, code: hidden_states = hidden_states[:, :, None, :, :].expand(batch, num_key_value_heads, n_rep, slen, head_dim)
        unsqueeze_19: "f32[2, 1, 1, 16, 16][256, 16, 256, 16, 1]cpu" = torch.ops.aten.unsqueeze.default(permute_16, 2);  permute_16 = None
        expand_7: "f32[2, 1, 2, 16, 16][256, 16, 0, 16, 1]cpu" = torch.ops.aten.expand.default(unsqueeze_19, [2, 1, 2, 16, 16]);  unsqueeze_19 = None

        # File: sdpa_attention.py:29 in repeat_kv, code: return hidden_states.reshape(batch, num_key_value_heads * n_rep, slen, head_dim)
        view_32: "f32[2, 2, 16, 16][256, 0, 16, 1]cpu" = torch.ops.aten.reshape.default(expand_7, [2, 2, 16, 16]);  expand_7 = None

        # File: sdpa_attention.py:193 in sdpa_attention_forward, code: attn_output = torch.nn.functional.scaled_dot_product_attention(
        _scaled_dot_product_flash_attention_for_cpu_backward = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu_backward.default(permute_43, add_11, view_31, view_32, getitem_2, getitem_3, 0.0, False, attn_mask = where, scale = 0.25);  permute_43 = add_11 = view_31 = view_32 = getitem_2 = getitem_3 = None
        getitem_4: "f32[2, 2, 16, 16][512, 16, 32, 1]cpu" = _scaled_dot_product_flash_attention_for_cpu_backward[0]
        getitem_5: "f32[2, 2, 16, 16][512, 16, 32, 1]cpu" = _scaled_dot_product_flash_attention_for_cpu_backward[1]
        getitem_6: "f32[2, 2, 16, 16][512, 16, 32, 1]cpu" = _scaled_dot_product_flash_attention_for_cpu_backward[2];  _scaled_dot_product_flash_attention_for_cpu_backward = None

        # File: sdpa_attention.py:29 in repeat_kv, code: return hidden_states.reshape(batch, num_key_value_heads * n_rep, slen, head_dim)
        view_62: "f32[2, 1, 2, 16, 16][512, 32, 16, 32, 1]cpu" = torch.ops.aten.reshape.default(getitem_6, [2, 1, 2, 16, 16]);  getitem_6 = None

        # File: sdpa_attention.py:28 in repeat_kv, code: hidden_states = hidden_states[:, :, None, :, :].expand(batch, num_key_value_heads, n_rep, slen, head_dim)
        sum_9: "f32[2, 1, 1, 16, 16][256, 256, 256, 16, 1]cpu" = torch.ops.aten.sum.dim_IntList(view_62, [2], True);  view_62 = None
        squeeze_1: "f32[2, 1, 16, 16][256, 256, 16, 1]cpu" = torch.ops.aten.squeeze.dim(sum_9, 2);  sum_9 = None

        # File: sdpa_attention.py:29 in repeat_kv, code: return hidden_states.reshape(batch, num_key_value_heads * n_rep, slen, head_dim)
        view_63: "f32[2, 1, 2, 16, 16][512, 32, 16, 32, 1]cpu" = torch.ops.aten.reshape.default(getitem_5, [2, 1, 2, 16, 16]);  getitem_5 = None

        # File: sdpa_attention.py:28 in repeat_kv, code: hidden_states = hidden_states[:, :, None, :, :].expand(batch, num_key_value_heads, n_rep, slen, head_dim)
        sum_10: "f32[2, 1, 1, 16, 16][256, 256, 256, 16, 1]cpu" = torch.ops.aten.sum.dim_IntList(view_63, [2], True);  view_63 = None
        squeeze_2: "f32[2, 1, 16, 16][256, 256, 16, 1]cpu" = torch.ops.aten.squeeze.dim(sum_10, 2);  sum_10 = None

        # File: modeling_llama.py:377 in forward, code: position_ids = torch.arange(inputs_embeds.shape[1], device=inputs_embeds.device) + past_seen_tokens
        iota: "i64[16][1]cpu" = torch.ops.prims.iota.default(16, start = 0, step = 1, dtype = torch.int64, device = device(type='cpu'), requires_grad = False)
        add: "i64[16][1]cpu" = torch.ops.aten.add.Tensor(iota, 0);  iota = None

        # File: modeling_llama.py:378 in forward, code: position_ids = position_ids.unsqueeze(0)
        unsqueeze: "i64[1, 16][16, 1]cpu" = torch.ops.aten.unsqueeze.default(add, 0);  add = None

        # File: modeling_llama.py:111 in forward, code: freqs = position_ids[..., None].float() * self.inv_freq.to(device=x.device, dtype=torch.float)
        unsqueeze_10: "i64[1, 16, 1][16, 1, 1]cpu" = torch.ops.aten.unsqueeze.default(unsqueeze, 2);  unsqueeze = None
        convert_element_type: "f32[1, 16, 1][16, 1, 1]cpu" = torch.ops.prims.convert_element_type.default(unsqueeze_10, torch.float32);  unsqueeze_10 = None
        mul: "f32[1, 16, 8][128, 8, 1]cpu" = torch.ops.aten.mul.Tensor(convert_element_type, primals_3);  convert_element_type = primals_3 = None

        # File: modeling_llama.py:112 in forward, code: emb = torch.cat((freqs, freqs), dim=-1)
        unsqueeze_11: "f32[1, 16, 1, 8][128, 8, 8, 1]cpu" = torch.ops.aten.unsqueeze.default(mul, 2);  mul = None
        expand_3: "f32[1, 16, 2, 8][128, 8, 0, 1]cpu" = torch.ops.aten.expand.default(unsqueeze_11, [1, 16, 2, 8]);  unsqueeze_11 = None
        clone: "f32[1, 16, 2, 8][256, 16, 8, 1]cpu" = torch.ops.aten.clone.default(expand_3, memory_format = torch.contiguous_format);  expand_3 = None
        view: "f32[1, 16, 16][256, 16, 1]cpu" = torch.ops.aten.reshape.default(clone, [1, 16, 16]);  clone = None

        # File: modeling_llama.py:114 in forward, code: sin = emb.sin() * self.attention_scaling
        sin: "f32[1, 16, 16][256, 16, 1]cpu" = torch.ops.aten.sin.default(view)
        mul_2: "f32[1, 16, 16][256, 16, 1]cpu" = torch.ops.aten.mul.Tensor(sin, 1.0);  sin = None

        # File: modeling_llama.py:146 in apply_rotary_pos_emb, code: sin = sin.unsqueeze(unsqueeze_dim)
        unsqueeze_13: "f32[1, 1, 16, 16][256, 256, 16, 1]cpu" = torch.ops.aten.unsqueeze.default(mul_2, 1);  mul_2 = None

        # File: modeling_llama.py:148 in apply_rotary_pos_emb, code: k_embed = (k * cos) + (rotate_half(k) * sin)
        mul_46: "f32[2, 1, 16, 16][256, 256, 16, 1]cpu" = torch.ops.aten.mul.Tensor(squeeze_2, unsqueeze_13)

        # File: modeling_llama.py:123 in rotate_half, code: return torch.cat((-x2, x1), dim=-1)
        slice_13: "f32[2, 1, 16, 8][256, 256, 16, 1]cpu" = torch.ops.aten.slice.Tensor(mul_46, 3, 0, 8)
        slice_14: "f32[2, 1, 16, 8][256, 256, 16, 1]cpu" = torch.ops.aten.slice.Tensor(mul_46, 3, 8, 16);  mul_46 = None
        neg_7: "f32[2, 1, 16, 8][128, 128, 8, 1]cpu" = torch.ops.aten.neg.default(slice_13);  slice_13 = None

        # File: modeling_llama.py:122 in rotate_half, code: x2 = x[..., x.shape[-1] // 2 :]
        full_default_10: "f32[2, 1, 16, 16][256, 256, 16, 1]cpu" = torch.ops.aten.full.default([2, 1, 16, 16], 0, dtype = torch.float32, layout = torch.strided, device = device(type='cpu'), pin_memory = False)

        # No stacktrace found for following nodes
        slice_scatter_default: "f32[2, 1, 16, 16][256, 256, 16, 1]cpu" = torch.ops.aten.slice_scatter.default(full_default_10, neg_7, 3, 8, 9223372036854775807);  neg_7 = None
        slice_scatter_default_1: "f32[2, 1, 16, 16][256, 256, 16, 1]cpu" = torch.ops.aten.slice_scatter.default(full_default_10, slice_14, 3, 0, 8);  slice_14 = None

        # File: modeling_llama.py:121 in rotate_half, code: x1 = x[..., : x.shape[-1] // 2]
        add_24: "f32[2, 1, 16, 16][256, 256, 16, 1]cpu" = torch.ops.aten.add.Tensor(slice_scatter_default, slice_scatter_default_1);  slice_scatter_default = slice_scatter_default_1 = None

        # File: modeling_llama.py:113 in forward, code: cos = emb.cos() * self.attention_scaling
        cos: "f32[1, 16, 16][256, 16, 1]cpu" = torch.ops.aten.cos.default(view);  view = None
        mul_1: "f32[1, 16, 16][256, 16, 1]cpu" = torch.ops.aten.mul.Tensor(cos, 1.0);  cos = None

        # File: modeling_llama.py:145 in apply_rotary_pos_emb, code: cos = cos.unsqueeze(unsqueeze_dim)
        unsqueeze_12: "f32[1, 1, 16, 16][256, 256, 16, 1]cpu" = torch.ops.aten.unsqueeze.default(mul_1, 1);  mul_1 = None

        # File: modeling_llama.py:148 in apply_rotary_pos_emb, code: k_embed = (k * cos) + (rotate_half(k) * sin)
        mul_47: "f32[2, 1, 16, 16][256, 256, 16, 1]cpu" = torch.ops.aten.mul.Tensor(squeeze_2, unsqueeze_12);  squeeze_2 = None
        add_25: "f32[2, 1, 16, 16][256, 256, 16, 1]cpu" = torch.ops.aten.add.Tensor(add_24, mul_47);  add_24 = mul_47 = None

        # File: modeling_llama.py:147 in apply_rotary_pos_emb, code: q_embed = (q * cos) + (rotate_half(q) * sin)
        mul_48: "f32[2, 2, 16, 16][512, 16, 32, 1]cpu" = torch.ops.aten.mul.Tensor(getitem_4, unsqueeze_13)

        # File: modeling_llama.py:123 in rotate_half, code: return torch.cat((-x2, x1), dim=-1)
        slice_15: "f32[2, 2, 16, 8][512, 16, 32, 1]cpu" = torch.ops.aten.slice.Tensor(mul_48, 3, 0, 8)
        slice_16: "f32[2, 2, 16, 8][512, 16, 32, 1]cpu" = torch.ops.aten.slice.Tensor(mul_48, 3, 8, 16);  mul_48 = None
        neg_8: "f32[2, 2, 16, 8][256, 8, 16, 1]cpu" = torch.ops.aten.neg.default(slice_15);  slice_15 = None

        # File: modeling_llama.py:122 in rotate_half, code: x2 = x[..., x.shape[-1] // 2 :]
        full_default_12: "f32[2, 2, 16, 16][512, 256, 16, 1]cpu" = torch.ops.aten.full.default([2, 2, 16, 16], 0, dtype = torch.float32, layout = torch.strided, device = device(type='cpu'), pin_memory = False)

        # No stacktrace found for following nodes
        slice_scatter_default_2: "f32[2, 2, 16, 16][512, 256, 16, 1]cpu" = torch.ops.aten.slice_scatter.default(full_default_12, neg_8, 3, 8, 9223372036854775807);  neg_8 = None
        slice_scatter_default_3: "f32[2, 2, 16, 16][512, 256, 16, 1]cpu" = torch.ops.aten.slice_scatter.default(full_default_12, slice_16, 3, 0, 8);  slice_16 = None

        # File: modeling_llama.py:121 in rotate_half, code: x1 = x[..., : x.shape[-1] // 2]
        add_26: "f32[2, 2, 16, 16][512, 256, 16, 1]cpu" = torch.ops.aten.add.Tensor(slice_scatter_default_2, slice_scatter_default_3);  slice_scatter_default_2 = slice_scatter_default_3 = None

        # File: modeling_llama.py:147 in apply_rotary_pos_emb, code: q_embed = (q * cos) + (rotate_half(q) * sin)
        mul_49: "f32[2, 2, 16, 16][512, 16, 32, 1]cpu" = torch.ops.aten.mul.Tensor(getitem_4, unsqueeze_12);  getitem_4 = None
        add_27: "f32[2, 2, 16, 16][512, 256, 16, 1]cpu" = torch.ops.aten.add.Tensor(add_26, mul_49);  add_26 = mul_49 = None

        # File: modeling_llama.py:245 in forward, code: value_states = self.v_proj(hidden_states).view(hidden_shape).transpose(1, 2)
        permute_44: "f32[2, 16, 1, 16][256, 16, 256, 1]cpu" = torch.ops.aten.permute.default(squeeze_1, [0, 2, 1, 3]);  squeeze_1 = None
        view_64: "f32[2, 16, 16][256, 16, 1]cpu" = torch.ops.aten.reshape.default(permute_44, [2, 16, 16]);  permute_44 = None
        view_65: "f32[32, 16][16, 1]cpu" = torch.ops.aten.reshape.default(view_64, [32, 16]);  view_64 = None
        permute_45: "f32[16, 32][1, 16]cpu" = torch.ops.aten.permute.default(view_65, [1, 0])
        mm_25: "f32[16, 32][32, 1]cpu" = torch.ops.aten.mm.default(permute_45, view_22);  permute_45 = None
        permute_15: "f32[32, 16][1, 32]cpu" = torch.ops.aten.permute.default(primals_16, [1, 0]);  primals_16 = None
        permute_47: "f32[16, 32][32, 1]cpu" = torch.ops.aten.permute.default(permute_15, [1, 0]);  permute_15 = None
        mm_26: "f32[32, 32][32, 1]cpu" = torch.ops.aten.mm.default(view_65, permute_47);  view_65 = permute_47 = None
        view_66: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.reshape.default(mm_26, [2, 16, 32]);  mm_26 = None

        # File: modeling_llama.py:244 in forward, code: key_states = self.k_proj(hidden_states).view(hidden_shape).transpose(1, 2)
        permute_49: "f32[2, 16, 1, 16][256, 16, 256, 1]cpu" = torch.ops.aten.permute.default(add_25, [0, 2, 1, 3]);  add_25 = None
        view_67: "f32[2, 16, 16][256, 16, 1]cpu" = torch.ops.aten.reshape.default(permute_49, [2, 16, 16]);  permute_49 = None
        view_68: "f32[32, 16][16, 1]cpu" = torch.ops.aten.reshape.default(view_67, [32, 16]);  view_67 = None
        permute_50: "f32[16, 32][1, 16]cpu" = torch.ops.aten.permute.default(view_68, [1, 0])
        mm_27: "f32[16, 32][32, 1]cpu" = torch.ops.aten.mm.default(permute_50, view_22);  permute_50 = None
        permute_13: "f32[32, 16][1, 32]cpu" = torch.ops.aten.permute.default(primals_15, [1, 0]);  primals_15 = None
        permute_52: "f32[16, 32][32, 1]cpu" = torch.ops.aten.permute.default(permute_13, [1, 0]);  permute_13 = None
        mm_28: "f32[32, 32][32, 1]cpu" = torch.ops.aten.mm.default(view_68, permute_52);  view_68 = permute_52 = None
        view_69: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.reshape.default(mm_28, [2, 16, 32]);  mm_28 = None
        add_28: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.add.Tensor(view_66, view_69);  view_66 = view_69 = None

        # File: modeling_llama.py:243 in forward, code: query_states = self.q_proj(hidden_states).view(hidden_shape).transpose(1, 2)
        permute_54: "f32[2, 16, 2, 16][512, 16, 256, 1]cpu" = torch.ops.aten.permute.default(add_27, [0, 2, 1, 3]);  add_27 = None
        clone_3: "f32[2, 16, 2, 16][512, 32, 16, 1]cpu" = torch.ops.aten.clone.default(permute_54, memory_format = torch.contiguous_format);  permute_54 = None
        view_70: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.reshape.default(clone_3, [2, 16, 32]);  clone_3 = None
        view_71: "f32[32, 32][32, 1]cpu" = torch.ops.aten.reshape.default(view_70, [32, 32]);  view_70 = None
        permute_55: "f32[32, 32][1, 32]cpu" = torch.ops.aten.permute.default(view_71, [1, 0])
        mm_29: "f32[32, 32][32, 1]cpu" = torch.ops.aten.mm.default(permute_55, view_22);  permute_55 = view_22 = None
        permute_11: "f32[32, 32][1, 32]cpu" = torch.ops.aten.permute.default(primals_14, [1, 0]);  primals_14 = None
        permute_57: "f32[32, 32][32, 1]cpu" = torch.ops.aten.permute.default(permute_11, [1, 0]);  permute_11 = None
        mm_30: "f32[32, 32][32, 1]cpu" = torch.ops.aten.mm.default(view_71, permute_57);  view_71 = permute_57 = None
        view_72: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.reshape.default(mm_30, [2, 16, 32]);  mm_30 = None
        add_29: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.add.Tensor(add_28, view_72);  add_28 = view_72 = None

        # File: modeling_llama.py:66 in forward, code: return self.weight * hidden_states.to(input_dtype)
        mul_50: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Tensor(add_29, primals_13);  primals_13 = None

        # File: modeling_llama.py:65 in forward, code: hidden_states = hidden_states * torch.rsqrt(variance + self.variance_epsilon)
        mul_12: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Tensor(add_9, rsqrt_2)

        # File: modeling_llama.py:66 in forward, code: return self.weight * hidden_states.to(input_dtype)
        mul_51: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Tensor(add_29, mul_12);  add_29 = mul_12 = None
        sum_11: "f32[1, 1, 32][32, 32, 1]cpu" = torch.ops.aten.sum.dim_IntList(mul_51, [0, 1], True);  mul_51 = None
        view_73: "f32[32][1]cpu" = torch.ops.aten.reshape.default(sum_11, [32]);  sum_11 = None

        # File: modeling_llama.py:65 in forward, code: hidden_states = hidden_states * torch.rsqrt(variance + self.variance_epsilon)
        mul_52: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Tensor(mul_50, add_9)
        mul_53: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Tensor(mul_50, rsqrt_2);  mul_50 = None
        sum_12: "f32[2, 16, 1][16, 1, 1]cpu" = torch.ops.aten.sum.dim_IntList(mul_52, [2], True);  mul_52 = None
        add_30: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.add.Tensor(add_23, mul_53);  add_23 = mul_53 = None
        pow_10: "f32[2, 16, 1][16, 1, 1]cpu" = torch.ops.aten.pow.Tensor_Scalar(rsqrt_2, 3);  rsqrt_2 = None
        mul_54: "f32[2, 16, 1][16, 1, 1]cpu" = torch.ops.aten.mul.Scalar(sum_12, -0.5);  sum_12 = None
        mul_55: "f32[2, 16, 1][16, 1, 1]cpu" = torch.ops.aten.mul.Tensor(mul_54, pow_10);  mul_54 = pow_10 = None

        # File: modeling_llama.py:64 in forward, code: variance = hidden_states.pow(2).mean(-1, keepdim=True)
        expand_10: "f32[2, 16, 32][16, 1, 0]cpu" = torch.ops.aten.expand.default(mul_55, [2, 16, 32]);  mul_55 = None
        div_6: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.div.Scalar(expand_10, 32);  expand_10 = None
        pow_11: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.pow.Tensor_Scalar(add_9, 1.0);  add_9 = None
        mul_56: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Scalar(pow_11, 2.0);  pow_11 = None
        mul_57: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Tensor(div_6, mul_56);  div_6 = mul_56 = None
        add_31: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.add.Tensor(add_30, mul_57);  add_30 = mul_57 = None

        # File: modeling_llama.py:164 in forward, code: down_proj = self.down_proj(self.act_fn(self.gate_proj(x)) * self.up_proj(x))
        view_74: "f32[32, 32][32, 1]cpu" = torch.ops.aten.reshape.default(add_31, [32, 32])
        permute_59: "f32[32, 32][1, 32]cpu" = torch.ops.aten.permute.default(view_74, [1, 0])
        mm_31: "f32[32, 64][64, 1]cpu" = torch.ops.aten.mm.default(permute_59, view_20);  permute_59 = view_20 = None
        permute_10: "f32[64, 32][1, 64]cpu" = torch.ops.aten.permute.default(primals_12, [1, 0]);  primals_12 = None
        permute_61: "f32[32, 64][64, 1]cpu" = torch.ops.aten.permute.default(permute_10, [1, 0]);  permute_10 = None
        mm_32: "f32[32, 64][64, 1]cpu" = torch.ops.aten.mm.default(view_74, permute_61);  view_74 = permute_61 = None
        view_75: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.reshape.default(mm_32, [2, 16, 64]);  mm_32 = None
        view_17: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.reshape.default(mm_4, [2, 16, 64]);  mm_4 = None

        # File: activations.py:103 in forward, code: return nn.functional.silu(input)
        neg_2: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.neg.default(view_17)
        exp: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.exp.default(neg_2);  neg_2 = None
        add_8: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.add.Tensor(exp, 1);  exp = None
        div: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.div.Tensor(view_17, add_8);  add_8 = None

        # File: modeling_llama.py:164 in forward, code: down_proj = self.down_proj(self.act_fn(self.gate_proj(x)) * self.up_proj(x))
        mul_58: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.mul.Tensor(view_75, div);  div = None
        view_19: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.reshape.default(mm_5, [2, 16, 64]);  mm_5 = None
        mul_59: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.mul.Tensor(view_75, view_19);  view_75 = view_19 = None
        view_76: "f32[32, 64][64, 1]cpu" = torch.ops.aten.reshape.default(mul_58, [32, 64]);  mul_58 = None
        permute_63: "f32[64, 32][1, 64]cpu" = torch.ops.aten.permute.default(view_76, [1, 0])
        mm_33: "f32[64, 32][32, 1]cpu" = torch.ops.aten.mm.default(permute_63, view_16);  permute_63 = None
        permute_9: "f32[32, 64][1, 32]cpu" = torch.ops.aten.permute.default(primals_11, [1, 0]);  primals_11 = None
        permute_65: "f32[64, 32][32, 1]cpu" = torch.ops.aten.permute.default(permute_9, [1, 0]);  permute_9 = None
        mm_34: "f32[32, 32][32, 1]cpu" = torch.ops.aten.mm.default(view_76, permute_65);  view_76 = permute_65 = None
        view_77: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.reshape.default(mm_34, [2, 16, 32]);  mm_34 = None

        # File: activations.py:103 in forward, code: return nn.functional.silu(input)
        sigmoid_1: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.sigmoid.default(view_17)
        mul_60: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.mul.Tensor(mul_59, sigmoid_1);  mul_59 = None
        sub_6: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.sub.Tensor(1, sigmoid_1);  sigmoid_1 = None
        mul_61: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.mul.Tensor(view_17, sub_6);  view_17 = sub_6 = None
        add_32: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.add.Tensor(mul_61, 1);  mul_61 = None
        mul_62: "f32[2, 16, 64][1024, 64, 1]cpu" = torch.ops.aten.mul.Tensor(mul_60, add_32);  mul_60 = add_32 = None

        # File: modeling_llama.py:164 in forward, code: down_proj = self.down_proj(self.act_fn(self.gate_proj(x)) * self.up_proj(x))
        view_78: "f32[32, 64][64, 1]cpu" = torch.ops.aten.reshape.default(mul_62, [32, 64]);  mul_62 = None
        permute_67: "f32[64, 32][1, 64]cpu" = torch.ops.aten.permute.default(view_78, [1, 0])
        mm_35: "f32[64, 32][32, 1]cpu" = torch.ops.aten.mm.default(permute_67, view_16);  permute_67 = view_16 = None
        permute_8: "f32[32, 64][1, 32]cpu" = torch.ops.aten.permute.default(primals_10, [1, 0]);  primals_10 = None
        permute_69: "f32[64, 32][32, 1]cpu" = torch.ops.aten.permute.default(permute_8, [1, 0]);  permute_8 = None
        mm_36: "f32[32, 32][32, 1]cpu" = torch.ops.aten.mm.default(view_78, permute_69);  view_78 = permute_69 = None
        view_79: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.reshape.default(mm_36, [2, 16, 32]);  mm_36 = None
        add_33: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.add.Tensor(view_77, view_79);  view_77 = view_79 = None

        # File: modeling_llama.py:66 in forward, code: return self.weight * hidden_states.to(input_dtype)
        mul_63: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Tensor(add_33, primals_9);  primals_9 = None

        # File: modeling_llama.py:269 in forward, code: attn_output = self.o_proj(attn_output)
        view_15: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.reshape.default(mm_3, [2, 16, 32]);  mm_3 = None

        # File: modeling_llama.py:306 in forward, code: hidden_states = residual + hidden_states
        add_6: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.add.Tensor(embedding, view_15);  view_15 = None

        # File: modeling_llama.py:65 in forward, code: hidden_states = hidden_states * torch.rsqrt(variance + self.variance_epsilon)
        mul_9: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Tensor(add_6, rsqrt_1)

        # File: modeling_llama.py:66 in forward, code: return self.weight * hidden_states.to(input_dtype)
        mul_64: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Tensor(add_33, mul_9);  add_33 = mul_9 = None
        sum_13: "f32[1, 1, 32][32, 32, 1]cpu" = torch.ops.aten.sum.dim_IntList(mul_64, [0, 1], True);  mul_64 = None
        view_80: "f32[32][1]cpu" = torch.ops.aten.reshape.default(sum_13, [32]);  sum_13 = None

        # File: modeling_llama.py:65 in forward, code: hidden_states = hidden_states * torch.rsqrt(variance + self.variance_epsilon)
        mul_65: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Tensor(mul_63, add_6)
        mul_66: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Tensor(mul_63, rsqrt_1);  mul_63 = None
        sum_14: "f32[2, 16, 1][16, 1, 1]cpu" = torch.ops.aten.sum.dim_IntList(mul_65, [2], True);  mul_65 = None
        add_34: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.add.Tensor(add_31, mul_66);  add_31 = mul_66 = None
        pow_12: "f32[2, 16, 1][16, 1, 1]cpu" = torch.ops.aten.pow.Tensor_Scalar(rsqrt_1, 3);  rsqrt_1 = None
        mul_67: "f32[2, 16, 1][16, 1, 1]cpu" = torch.ops.aten.mul.Scalar(sum_14, -0.5);  sum_14 = None
        mul_68: "f32[2, 16, 1][16, 1, 1]cpu" = torch.ops.aten.mul.Tensor(mul_67, pow_12);  mul_67 = pow_12 = None

        # File: modeling_llama.py:64 in forward, code: variance = hidden_states.pow(2).mean(-1, keepdim=True)
        expand_11: "f32[2, 16, 32][16, 1, 0]cpu" = torch.ops.aten.expand.default(mul_68, [2, 16, 32]);  mul_68 = None
        div_7: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.div.Scalar(expand_11, 32);  expand_11 = None
        pow_13: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.pow.Tensor_Scalar(add_6, 1.0);  add_6 = None
        mul_69: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Scalar(pow_13, 2.0);  pow_13 = None
        mul_70: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Tensor(div_7, mul_69);  div_7 = mul_69 = None
        add_35: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.add.Tensor(add_34, mul_70);  add_34 = mul_70 = None

        # File: modeling_llama.py:269 in forward, code: attn_output = self.o_proj(attn_output)
        view_81: "f32[32, 32][32, 1]cpu" = torch.ops.aten.reshape.default(add_35, [32, 32])
        permute_71: "f32[32, 32][1, 32]cpu" = torch.ops.aten.permute.default(view_81, [1, 0])

        # File: sdpa_attention.py:206 in sdpa_attention_forward, code: attn_output = attn_output.transpose(1, 2).contiguous()
        permute_6: "f32[2, 16, 2, 16][512, 32, 16, 1]cpu" = torch.ops.aten.permute.default(getitem, [0, 2, 1, 3])

        # File: modeling_llama.py:268 in forward, code: attn_output = attn_output.reshape(*input_shape, -1).contiguous()
        view_13: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.reshape.default(permute_6, [2, 16, -1]);  permute_6 = None

        # File: modeling_llama.py:269 in forward, code: attn_output = self.o_proj(attn_output)
        view_14: "f32[32, 32][32, 1]cpu" = torch.ops.aten.reshape.default(view_13, [32, 32]);  view_13 = None
        mm_37: "f32[32, 32][32, 1]cpu" = torch.ops.aten.mm.default(permute_71, view_14);  permute_71 = view_14 = None
        permute_7: "f32[32, 32][1, 32]cpu" = torch.ops.aten.permute.default(primals_8, [1, 0]);  primals_8 = None
        permute_73: "f32[32, 32][32, 1]cpu" = torch.ops.aten.permute.default(permute_7, [1, 0]);  permute_7 = None
        mm_38: "f32[32, 32][32, 1]cpu" = torch.ops.aten.mm.default(view_81, permute_73);  view_81 = permute_73 = None
        view_82: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.reshape.default(mm_38, [2, 16, 32]);  mm_38 = None

        # File: modeling_llama.py:268 in forward, code: attn_output = attn_output.reshape(*input_shape, -1).contiguous()
        view_83: "f32[2, 16, 2, 16][512, 32, 16, 1]cpu" = torch.ops.aten.reshape.default(view_82, [2, 16, 2, 16]);  view_82 = None

        # File: sdpa_attention.py:206 in sdpa_attention_forward, code: attn_output = attn_output.transpose(1, 2).contiguous()
        permute_75: "f32[2, 2, 16, 16][512, 16, 32, 1]cpu" = torch.ops.aten.permute.default(view_83, [0, 2, 1, 3]);  view_83 = None

        # File: modeling_llama.py:245 in forward, code: value_states = self.v_proj(hidden_states).view(hidden_shape).transpose(1, 2)
        view_8: "f32[2, 16, 16][256, 16, 1]cpu" = torch.ops.aten.reshape.default(mm_2, [2, 16, 16]);  mm_2 = None
        view_9: "f32[2, 16, 1, 16][256, 16, 16, 1]cpu" = torch.ops.aten.reshape.default(view_8, [2, 16, -1, 16]);  view_8 = None
        permute_5: "f32[2, 1, 16, 16][256, 16, 16, 1]cpu" = torch.ops.aten.permute.default(view_9, [0, 2, 1, 3]);  view_9 = None

        # File: sdpa_attention.py:28 in repeat_kv, code: hidden_states = hidden_states[:, :, None, :, :].expand(batch, num_key_value_heads, n_rep, slen, head_dim)
        unsqueeze_15: "f32[2, 1, 1, 16, 16][256, 16, 256, 16, 1]cpu" = torch.ops.aten.unsqueeze.default(permute_5, 2);  permute_5 = None
        expand_5: "f32[2, 1, 2, 16, 16][256, 16, 0, 16, 1]cpu" = torch.ops.aten.expand.default(unsqueeze_15, [2, 1, 2, 16, 16]);  unsqueeze_15 = None

        # File: sdpa_attention.py:29 in repeat_kv, code: return hidden_states.reshape(batch, num_key_value_heads * n_rep, slen, head_dim)
        view_11: "f32[2, 2, 16, 16][256, 0, 16, 1]cpu" = torch.ops.aten.reshape.default(expand_5, [2, 2, 16, 16]);  expand_5 = None

        # File: sdpa_attention.py:193 in sdpa_attention_forward, code: attn_output = torch.nn.functional.scaled_dot_product_attention(
        _scaled_dot_product_flash_attention_for_cpu_backward_1 = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu_backward.default(permute_75, add_4, view_10, view_11, getitem, getitem_1, 0.0, False, attn_mask = where, scale = 0.25);  permute_75 = add_4 = view_10 = view_11 = getitem = getitem_1 = where = None
        getitem_7: "f32[2, 2, 16, 16][512, 16, 32, 1]cpu" = _scaled_dot_product_flash_attention_for_cpu_backward_1[0]
        getitem_8: "f32[2, 2, 16, 16][512, 16, 32, 1]cpu" = _scaled_dot_product_flash_attention_for_cpu_backward_1[1]
        getitem_9: "f32[2, 2, 16, 16][512, 16, 32, 1]cpu" = _scaled_dot_product_flash_attention_for_cpu_backward_1[2];  _scaled_dot_product_flash_attention_for_cpu_backward_1 = None

        # File: sdpa_attention.py:29 in repeat_kv, code: return hidden_states.reshape(batch, num_key_value_heads * n_rep, slen, head_dim)
        view_85: "f32[2, 1, 2, 16, 16][512, 32, 16, 32, 1]cpu" = torch.ops.aten.reshape.default(getitem_9, [2, 1, 2, 16, 16]);  getitem_9 = None

        # File: sdpa_attention.py:28 in repeat_kv, code: hidden_states = hidden_states[:, :, None, :, :].expand(batch, num_key_value_heads, n_rep, slen, head_dim)
        sum_15: "f32[2, 1, 1, 16, 16][256, 256, 256, 16, 1]cpu" = torch.ops.aten.sum.dim_IntList(view_85, [2], True);  view_85 = None
        squeeze_3: "f32[2, 1, 16, 16][256, 256, 16, 1]cpu" = torch.ops.aten.squeeze.dim(sum_15, 2);  sum_15 = None

        # File: sdpa_attention.py:29 in repeat_kv, code: return hidden_states.reshape(batch, num_key_value_heads * n_rep, slen, head_dim)
        view_86: "f32[2, 1, 2, 16, 16][512, 32, 16, 32, 1]cpu" = torch.ops.aten.reshape.default(getitem_8, [2, 1, 2, 16, 16]);  getitem_8 = None

        # File: sdpa_attention.py:28 in repeat_kv, code: hidden_states = hidden_states[:, :, None, :, :].expand(batch, num_key_value_heads, n_rep, slen, head_dim)
        sum_16: "f32[2, 1, 1, 16, 16][256, 256, 256, 16, 1]cpu" = torch.ops.aten.sum.dim_IntList(view_86, [2], True);  view_86 = None
        squeeze_4: "f32[2, 1, 16, 16][256, 256, 16, 1]cpu" = torch.ops.aten.squeeze.dim(sum_16, 2);  sum_16 = None

        # File: modeling_llama.py:148 in apply_rotary_pos_emb, code: k_embed = (k * cos) + (rotate_half(k) * sin)
        mul_71: "f32[2, 1, 16, 16][256, 256, 16, 1]cpu" = torch.ops.aten.mul.Tensor(squeeze_4, unsqueeze_13)

        # File: modeling_llama.py:123 in rotate_half, code: return torch.cat((-x2, x1), dim=-1)
        slice_17: "f32[2, 1, 16, 8][256, 256, 16, 1]cpu" = torch.ops.aten.slice.Tensor(mul_71, 3, 0, 8)
        slice_18: "f32[2, 1, 16, 8][256, 256, 16, 1]cpu" = torch.ops.aten.slice.Tensor(mul_71, 3, 8, 16);  mul_71 = None
        neg_9: "f32[2, 1, 16, 8][128, 128, 8, 1]cpu" = torch.ops.aten.neg.default(slice_17);  slice_17 = None

        # No stacktrace found for following nodes
        slice_scatter_default_4: "f32[2, 1, 16, 16][256, 256, 16, 1]cpu" = torch.ops.aten.slice_scatter.default(full_default_10, neg_9, 3, 8, 9223372036854775807);  neg_9 = None
        slice_scatter_default_5: "f32[2, 1, 16, 16][256, 256, 16, 1]cpu" = torch.ops.aten.slice_scatter.default(full_default_10, slice_18, 3, 0, 8);  full_default_10 = slice_18 = None

        # File: modeling_llama.py:121 in rotate_half, code: x1 = x[..., : x.shape[-1] // 2]
        add_36: "f32[2, 1, 16, 16][256, 256, 16, 1]cpu" = torch.ops.aten.add.Tensor(slice_scatter_default_4, slice_scatter_default_5);  slice_scatter_default_4 = slice_scatter_default_5 = None

        # File: modeling_llama.py:148 in apply_rotary_pos_emb, code: k_embed = (k * cos) + (rotate_half(k) * sin)
        mul_72: "f32[2, 1, 16, 16][256, 256, 16, 1]cpu" = torch.ops.aten.mul.Tensor(squeeze_4, unsqueeze_12);  squeeze_4 = None
        add_37: "f32[2, 1, 16, 16][256, 256, 16, 1]cpu" = torch.ops.aten.add.Tensor(add_36, mul_72);  add_36 = mul_72 = None

        # File: modeling_llama.py:147 in apply_rotary_pos_emb, code: q_embed = (q * cos) + (rotate_half(q) * sin)
        mul_73: "f32[2, 2, 16, 16][512, 16, 32, 1]cpu" = torch.ops.aten.mul.Tensor(getitem_7, unsqueeze_13);  unsqueeze_13 = None

        # File: modeling_llama.py:123 in rotate_half, code: return torch.cat((-x2, x1), dim=-1)
        slice_19: "f32[2, 2, 16, 8][512, 16, 32, 1]cpu" = torch.ops.aten.slice.Tensor(mul_73, 3, 0, 8)
        slice_20: "f32[2, 2, 16, 8][512, 16, 32, 1]cpu" = torch.ops.aten.slice.Tensor(mul_73, 3, 8, 16);  mul_73 = None
        neg_10: "f32[2, 2, 16, 8][256, 8, 16, 1]cpu" = torch.ops.aten.neg.default(slice_19);  slice_19 = None

        # No stacktrace found for following nodes
        slice_scatter_default_6: "f32[2, 2, 16, 16][512, 256, 16, 1]cpu" = torch.ops.aten.slice_scatter.default(full_default_12, neg_10, 3, 8, 9223372036854775807);  neg_10 = None
        slice_scatter_default_7: "f32[2, 2, 16, 16][512, 256, 16, 1]cpu" = torch.ops.aten.slice_scatter.default(full_default_12, slice_20, 3, 0, 8);  full_default_12 = slice_20 = None

        # File: modeling_llama.py:121 in rotate_half, code: x1 = x[..., : x.shape[-1] // 2]
        add_38: "f32[2, 2, 16, 16][512, 256, 16, 1]cpu" = torch.ops.aten.add.Tensor(slice_scatter_default_6, slice_scatter_default_7);  slice_scatter_default_6 = slice_scatter_default_7 = None

        # File: modeling_llama.py:147 in apply_rotary_pos_emb, code: q_embed = (q * cos) + (rotate_half(q) * sin)
        mul_74: "f32[2, 2, 16, 16][512, 16, 32, 1]cpu" = torch.ops.aten.mul.Tensor(getitem_7, unsqueeze_12);  getitem_7 = unsqueeze_12 = None
        add_39: "f32[2, 2, 16, 16][512, 256, 16, 1]cpu" = torch.ops.aten.add.Tensor(add_38, mul_74);  add_38 = mul_74 = None

        # File: modeling_llama.py:245 in forward, code: value_states = self.v_proj(hidden_states).view(hidden_shape).transpose(1, 2)
        permute_76: "f32[2, 16, 1, 16][256, 16, 256, 1]cpu" = torch.ops.aten.permute.default(squeeze_3, [0, 2, 1, 3]);  squeeze_3 = None
        view_87: "f32[2, 16, 16][256, 16, 1]cpu" = torch.ops.aten.reshape.default(permute_76, [2, 16, 16]);  permute_76 = None
        view_88: "f32[32, 16][16, 1]cpu" = torch.ops.aten.reshape.default(view_87, [32, 16]);  view_87 = None
        permute_77: "f32[16, 32][1, 16]cpu" = torch.ops.aten.permute.default(view_88, [1, 0])
        mm_39: "f32[16, 32][32, 1]cpu" = torch.ops.aten.mm.default(permute_77, view_1);  permute_77 = None
        permute_4: "f32[32, 16][1, 32]cpu" = torch.ops.aten.permute.default(primals_7, [1, 0]);  primals_7 = None
        permute_79: "f32[16, 32][32, 1]cpu" = torch.ops.aten.permute.default(permute_4, [1, 0]);  permute_4 = None
        mm_40: "f32[32, 32][32, 1]cpu" = torch.ops.aten.mm.default(view_88, permute_79);  view_88 = permute_79 = None
        view_89: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.reshape.default(mm_40, [2, 16, 32]);  mm_40 = None

        # File: modeling_llama.py:244 in forward, code: key_states = self.k_proj(hidden_states).view(hidden_shape).transpose(1, 2)
        permute_81: "f32[2, 16, 1, 16][256, 16, 256, 1]cpu" = torch.ops.aten.permute.default(add_37, [0, 2, 1, 3]);  add_37 = None
        view_90: "f32[2, 16, 16][256, 16, 1]cpu" = torch.ops.aten.reshape.default(permute_81, [2, 16, 16]);  permute_81 = None
        view_91: "f32[32, 16][16, 1]cpu" = torch.ops.aten.reshape.default(view_90, [32, 16]);  view_90 = None
        permute_82: "f32[16, 32][1, 16]cpu" = torch.ops.aten.permute.default(view_91, [1, 0])
        mm_41: "f32[16, 32][32, 1]cpu" = torch.ops.aten.mm.default(permute_82, view_1);  permute_82 = None
        permute_2: "f32[32, 16][1, 32]cpu" = torch.ops.aten.permute.default(primals_6, [1, 0]);  primals_6 = None
        permute_84: "f32[16, 32][32, 1]cpu" = torch.ops.aten.permute.default(permute_2, [1, 0]);  permute_2 = None
        mm_42: "f32[32, 32][32, 1]cpu" = torch.ops.aten.mm.default(view_91, permute_84);  view_91 = permute_84 = None
        view_92: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.reshape.default(mm_42, [2, 16, 32]);  mm_42 = None
        add_40: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.add.Tensor(view_89, view_92);  view_89 = view_92 = None

        # File: modeling_llama.py:243 in forward, code: query_states = self.q_proj(hidden_states).view(hidden_shape).transpose(1, 2)
        permute_86: "f32[2, 16, 2, 16][512, 16, 256, 1]cpu" = torch.ops.aten.permute.default(add_39, [0, 2, 1, 3]);  add_39 = None
        clone_4: "f32[2, 16, 2, 16][512, 32, 16, 1]cpu" = torch.ops.aten.clone.default(permute_86, memory_format = torch.contiguous_format);  permute_86 = None
        view_93: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.reshape.default(clone_4, [2, 16, 32]);  clone_4 = None
        view_94: "f32[32, 32][32, 1]cpu" = torch.ops.aten.reshape.default(view_93, [32, 32]);  view_93 = None
        permute_87: "f32[32, 32][1, 32]cpu" = torch.ops.aten.permute.default(view_94, [1, 0])
        mm_43: "f32[32, 32][32, 1]cpu" = torch.ops.aten.mm.default(permute_87, view_1);  permute_87 = view_1 = None
        permute: "f32[32, 32][1, 32]cpu" = torch.ops.aten.permute.default(primals_5, [1, 0]);  primals_5 = None
        permute_89: "f32[32, 32][32, 1]cpu" = torch.ops.aten.permute.default(permute, [1, 0]);  permute = None
        mm_44: "f32[32, 32][32, 1]cpu" = torch.ops.aten.mm.default(view_94, permute_89);  view_94 = permute_89 = None
        view_95: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.reshape.default(mm_44, [2, 16, 32]);  mm_44 = None
        add_41: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.add.Tensor(add_40, view_95);  add_40 = view_95 = None

        # File: modeling_llama.py:66 in forward, code: return self.weight * hidden_states.to(input_dtype)
        mul_75: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Tensor(add_41, primals_4);  primals_4 = None

        # File: modeling_llama.py:65 in forward, code: hidden_states = hidden_states * torch.rsqrt(variance + self.variance_epsilon)
        mul_3: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Tensor(embedding, rsqrt)

        # File: modeling_llama.py:66 in forward, code: return self.weight * hidden_states.to(input_dtype)
        mul_76: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Tensor(add_41, mul_3);  add_41 = mul_3 = None
        sum_17: "f32[1, 1, 32][32, 32, 1]cpu" = torch.ops.aten.sum.dim_IntList(mul_76, [0, 1], True);  mul_76 = None
        view_96: "f32[32][1]cpu" = torch.ops.aten.reshape.default(sum_17, [32]);  sum_17 = None

        # File: modeling_llama.py:65 in forward, code: hidden_states = hidden_states * torch.rsqrt(variance + self.variance_epsilon)
        mul_77: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Tensor(mul_75, embedding)
        mul_78: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Tensor(mul_75, rsqrt);  mul_75 = None
        sum_18: "f32[2, 16, 1][16, 1, 1]cpu" = torch.ops.aten.sum.dim_IntList(mul_77, [2], True);  mul_77 = None
        add_42: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.add.Tensor(add_35, mul_78);  add_35 = mul_78 = None
        pow_14: "f32[2, 16, 1][16, 1, 1]cpu" = torch.ops.aten.pow.Tensor_Scalar(rsqrt, 3);  rsqrt = None
        mul_79: "f32[2, 16, 1][16, 1, 1]cpu" = torch.ops.aten.mul.Scalar(sum_18, -0.5);  sum_18 = None
        mul_80: "f32[2, 16, 1][16, 1, 1]cpu" = torch.ops.aten.mul.Tensor(mul_79, pow_14);  mul_79 = pow_14 = None

        # File: modeling_llama.py:64 in forward, code: variance = hidden_states.pow(2).mean(-1, keepdim=True)
        expand_12: "f32[2, 16, 32][16, 1, 0]cpu" = torch.ops.aten.expand.default(mul_80, [2, 16, 32]);  mul_80 = None
        div_8: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.div.Scalar(expand_12, 32);  expand_12 = None
        pow_15: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.pow.Tensor_Scalar(embedding, 1.0);  embedding = None
        mul_81: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Scalar(pow_15, 2.0);  pow_15 = None
        mul_82: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.mul.Tensor(div_8, mul_81);  div_8 = mul_81 = None
        add_43: "f32[2, 16, 32][512, 32, 1]cpu" = torch.ops.aten.add.Tensor(add_42, mul_82);  add_42 = mul_82 = None

        # File: modeling_llama.py:370 in forward, code: inputs_embeds: torch.Tensor = self.embed_tokens(input_ids)
        ge: "b8[2, 16][16, 1]cpu" = torch.ops.aten.ge.Scalar(primals_1, 0)
        lt: "b8[2, 16][16, 1]cpu" = torch.ops.aten.lt.Scalar(primals_1, 64)
        bitwise_and_2: "b8[2, 16][16, 1]cpu" = torch.ops.aten.bitwise_and.Tensor(ge, lt);  ge = lt = None
        ne_6: "b8[2, 16][16, 1]cpu" = torch.ops.aten.ne.Scalar(primals_1, 0)
        bitwise_and_3: "b8[2, 16][16, 1]cpu" = torch.ops.aten.bitwise_and.Tensor(bitwise_and_2, ne_6);  bitwise_and_2 = ne_6 = None
        unsqueeze_22: "b8[2, 16, 1][16, 1, 1]cpu" = torch.ops.aten.unsqueeze.default(bitwise_and_3, -1);  bitwise_and_3 = None
        full_default_18: "f32[64, 32][32, 1]cpu" = torch.ops.aten.full.default([64, 32], 0, dtype = torch.float32, layout = torch.strided, device = device(type='cpu'), pin_memory = False)
        _unsafe_masked_index_put_accumulate: "f32[64, 32][32, 1]cpu" = torch.ops.aten._unsafe_masked_index_put_accumulate.default(full_default_18, unsqueeze_22, [primals_1], add_43);  full_default_18 = unsqueeze_22 = primals_1 = add_43 = None
        return (None, _unsafe_masked_index_put_accumulate, None, view_96, mm_43, mm_41, mm_39, mm_37, view_80, mm_35, mm_33, mm_31, view_73, mm_29, mm_27, mm_25, mm_23, view_57, mm_21, mm_19, mm_17, view_50, mm_15, None)


def inputs_of_training_0_0_after_post_grad_1(number=0):
    """Inputs of the recorded layout; integers are `number`."""
    return [
        tensor((2, 16), (16, 1), torch.int64, 'cpu', number),  # primals_1
        tensor((8,), (1,), torch.float32, 'cpu'),  # primals_3
        tensor((32,), (1,), torch.float32, 'cpu'),  # primals_4
        tensor((32, 32), (32, 1), torch.float32, 'cpu'),  # primals_5
        tensor((16, 32), (32, 1), torch.float32, 'cpu'),  # primals_6
        tensor((16, 32), (32, 1), torch.float32, 'cpu'),  # primals_7
        tensor((32, 32), (32, 1), torch.float32, 'cpu'),  # primals_8
        tensor((32,), (1,), torch.float32, 'cpu'),  # primals_9
        tensor((64, 32), (32, 1), torch.float32, 'cpu'),  # primals_10
        tensor((64, 32), (32, 1), torch.float32, 'cpu'),  # primals_11
        tensor((32, 64), (64, 1), torch.float32, 'cpu'),  # primals_12
        tensor((32,), (1,), torch.float32, 'cpu'),  # primals_13
        tensor((32, 32), (32, 1), torch.float32, 'cpu'),  # primals_14
        tensor((16, 32), (32, 1), torch.float32, 'cpu'),  # primals_15
        tensor((16, 32), (32, 1), torch.float32, 'cpu'),  # primals_16
        tensor((32, 32), (32, 1), torch.float32, 'cpu'),  # primals_17
        tensor((32,), (1,), torch.float32, 'cpu'),  # primals_18
        tensor((64, 32), (32, 1), torch.float32, 'cpu'),  # primals_19
        tensor((64, 32), (32, 1), torch.float32, 'cpu'),  # primals_20
        tensor((32, 64), (64, 1), torch.float32, 'cpu'),  # primals_21
        tensor((32,), (1,), torch.float32, 'cpu'),  # primals_22
        tensor((64, 32), (32, 1), torch.float32, 'cpu'),  # primals_23
        tensor((2, 16, 32), (512, 32, 1), torch.float32, 'cpu'),  # embedding
        tensor((2, 16, 1), (16, 1, 1), torch.float32, 'cpu'),  # rsqrt
        tensor((32, 32), (32, 1), torch.float32, 'cpu'),  # view_1
        tensor((32, 16), (16, 1), torch.float32, 'cpu'),  # mm_2
        tensor((2, 2, 16, 16), (512, 16, 32, 1), torch.float32, 'cpu'),  # add_4
        tensor((2, 2, 16, 16), (256, 0, 16, 1), torch.float32, 'cpu'),  # view_10
        tensor((2, 1, 16, 16), (256, 256, 16, 1), torch.float32, 'cpu'),  # where
        tensor((2, 2, 16, 16), (512, 16, 32, 1), torch.float32, 'cpu'),  # getitem
        tensor((2, 2, 16), (32, 1, 2), torch.float32, 'cpu'),  # getitem_1
        tensor((32, 32), (32, 1), torch.float32, 'cpu'),  # mm_3
        tensor((2, 16, 1), (16, 1, 1), torch.float32, 'cpu'),  # rsqrt_1
        tensor((32, 32), (32, 1), torch.float32, 'cpu'),  # view_16
        tensor((32, 64), (64, 1), torch.float32, 'cpu'),  # mm_4
        tensor((32, 64), (64, 1), torch.float32, 'cpu'),  # mm_5
        tensor((32, 64), (64, 1), torch.float32, 'cpu'),  # view_20
        tensor((2, 16, 32), (512, 32, 1), torch.float32, 'cpu'),  # add_9
        tensor((2, 16, 1), (16, 1, 1), torch.float32, 'cpu'),  # rsqrt_2
        tensor((32, 32), (32, 1), torch.float32, 'cpu'),  # view_22
        tensor((32, 16), (16, 1), torch.float32, 'cpu'),  # mm_9
        tensor((2, 2, 16, 16), (512, 16, 32, 1), torch.float32, 'cpu'),  # add_11
        tensor((2, 2, 16, 16), (256, 0, 16, 1), torch.float32, 'cpu'),  # view_31
        tensor((2, 2, 16, 16), (512, 16, 32, 1), torch.float32, 'cpu'),  # getitem_2
        tensor((2, 2, 16), (32, 1, 2), torch.float32, 'cpu'),  # getitem_3
        tensor((2, 16, 32), (512, 32, 1), torch.float32, 'cpu'),  # add_13
        tensor((2, 16, 1), (16, 1, 1), torch.float32, 'cpu'),  # rsqrt_3
        tensor((32, 32), (32, 1), torch.float32, 'cpu'),  # view_37
        tensor((32, 64), (64, 1), torch.float32, 'cpu'),  # mm_11
        tensor((32, 64), (64, 1), torch.float32, 'cpu'),  # mm_12
        tensor((32, 64), (64, 1), torch.float32, 'cpu'),  # view_41
        tensor((2, 16, 32), (512, 32, 1), torch.float32, 'cpu'),  # add_16
        tensor((2, 16, 1), (16, 1, 1), torch.float32, 'cpu'),  # rsqrt_4
        tensor((32, 32), (32, 1), torch.float32, 'cpu'),  # view_43
        tensor((2, 16, 64), (1024, 64, 1), torch.float32, 'cpu'),  # view_44
        tensor((2, 17), (17, 1), torch.int64, 'cpu', number),  # constant_pad_nd
        tensor((32, 1), (1, 1), torch.float32, 'cpu'),  # amax
        tensor((32, 1), (1, 1), torch.float32, 'cpu'),  # log
        tensor((), (), torch.float32, 'cpu'),  # convert_element_type_1
        tensor((), (), torch.float32, 'cpu'),  # tangents_1
        tensor((2, 16, 64), (1024, 64, 1), torch.float32, 'cpu'),  # tangents_2
    ]


def run_training_0_0_after_post_grad_1():
    graph = Graph_training_0_0_after_post_grad_1()
    for number in (0, 1):  # an index made from zeros may lie outside
        try:
            outputs = graph.forward(*inputs_of_training_0_0_after_post_grad_1(number))
            break
        except (IndexError, RuntimeError):
            if number == 1:
                raise
    outputs = list(outputs) if isinstance(outputs, (tuple, list)) else [outputs]
    recorded = [  # None: nothing is recorded of that output
        None,
        ((64, 32), (32, 1), torch.float32, 'cpu'),
        None,
        ((32,), (1,), torch.float32, 'cpu'),
        ((32, 32), (32, 1), torch.float32, 'cpu'),
        ((16, 32), (32, 1), torch.float32, 'cpu'),
        ((16, 32), (32, 1), torch.float32, 'cpu'),
        ((32, 32), (32, 1), torch.float32, 'cpu'),
        ((32,), (1,), torch.float32, 'cpu'),
        ((64, 32), (32, 1), torch.float32, 'cpu'),
        ((64, 32), (32, 1), torch.float32, 'cpu'),
        ((32, 64), (64, 1), torch.float32, 'cpu'),
        ((32,), (1,), torch.float32, 'cpu'),
        ((32, 32), (32, 1), torch.float32, 'cpu'),
        ((16, 32), (32, 1), torch.float32, 'cpu'),
        ((16, 32), (32, 1), torch.float32, 'cpu'),
        ((32, 32), (32, 1), torch.float32, 'cpu'),
        ((32,), (1,), torch.float32, 'cpu'),
        ((64, 32), (32, 1), torch.float32, 'cpu'),
        ((64, 32), (32, 1), torch.float32, 'cpu'),
        ((32, 64), (64, 1), torch.float32, 'cpu'),
        ((32,), (1,), torch.float32, 'cpu'),
        ((64, 32), (32, 1), torch.float32, 'cpu'),
        None,
    ]
    different = len(outputs) != len(recorded)
    for i, (output, wanted) in enumerate(zip(outputs, recorded)):
        right = wanted is None or same(layout(output), wanted)
        different = different or not right
        print(f"output {i}: {layout(output)}{'' if right else f', recorded: {wanted}'}")
    return int(different)

# ---- Training, [0/0]: Inductor's code, which runs
# # AOT ID: ['7_forward']
# from ctypes import c_void_p, c_long, c_int
# import torch
# import math
# import random
# import os
# import tempfile
# from math import inf, nan
# from cmath import nanj
# from torch._inductor.hooks import run_intermediate_hooks
# from torch._inductor.utils import maybe_profile
# from torch._inductor.codegen.memory_planning import _align as align
# from torch import device, empty_strided
# from torch._inductor.async_compile import AsyncCompile
# from torch._inductor.select_algorithm import extern_kernels
# 
# aten = torch.ops.aten
# inductor_ops = torch.ops.inductor
# _quantized = torch.ops._quantized
# assert_size_stride = torch._C._dynamo.guards.assert_size_stride
# assert_alignment = torch._C._dynamo.guards.assert_alignment
# empty_strided_cpu = torch._C._dynamo.guards._empty_strided_cpu
# empty_strided_cpu_pinned = torch._C._dynamo.guards._empty_strided_cpu_pinned
# empty_strided_cuda = torch._C._dynamo.guards._empty_strided_cuda
# empty_strided_xpu = torch._C._dynamo.guards._empty_strided_xpu
# empty_strided_mtia = torch._C._dynamo.guards._empty_strided_mtia
# reinterpret_tensor = torch._C._dynamo.guards._reinterpret_tensor
# alloc_from_pool = torch.ops.inductor._alloc_from_pool
# async_compile = AsyncCompile()
# empty_strided_p2p = torch._C._distributed_c10d._SymmetricMemory.empty_strided_p2p
# 
# 
# cpp_fused_add_arange_cat_cumsum_embedding_expand_mean_mul_ne_pow_rsqrt_slice_sub_unsqueeze_0 = async_compile.cpp_pybinding(['float*', 'const int64_t*', 'const float*', 'const float*', 'const int64_t*', 'float*', 'float*', 'int64_t*', 'int64_t*', 'int64_t*'], r'''
# #include <torch/csrc/inductor/cpp_prefix.h>
# extern "C"  void  kernel(float* in_out_ptr0,
#                        const int64_t* in_ptr0,
#                        const float* in_ptr1,
#                        const float* in_ptr2,
#                        const int64_t* in_ptr3,
#                        float* out_ptr0,
#                        float* out_ptr2,
#                        int64_t* out_ptr3,
#                        int64_t* out_ptr4,
#                        int64_t* out_ptr5)
# {
#     std::atomic<int> inductor_cpu_integer_div_error{0};
#     inductor_cpu_integer_div_error_flag = &inductor_cpu_integer_div_error;
#     auto out_ptr1 = in_out_ptr0;
#     {
#         #pragma GCC ivdep
#         for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(32L); x0+=static_cast<int64_t>(1L))
#         {
#             {
#                 float tmp_acc0 = 0;
#                 at::vec::Vectorized<float> tmp_acc0_vec = at::vec::Vectorized<float>(0);
#                 for(int64_t x1=static_cast<int64_t>(0L); x1<static_cast<int64_t>(32L); x1+=static_cast<int64_t>(16L))
#                 {
#                     {
#                         if(C10_LIKELY(x1 >= static_cast<int64_t>(0) && x1 < static_cast<int64_t>(32L)))
#                         {
#                             auto tmp0 = in_ptr0[static_cast<int64_t>(x0)];
#                             auto tmp1 = tmp0;
#                             auto tmp2 = c10::convert<int64_t>(tmp1);
#                             TORCH_CHECK((0 <= tmp2) & (tmp2 < 64L), "index out of bounds: 0 <= tmp2 < 64L");
#                             auto tmp4 = at::vec::Vectorized<float>::loadu(in_ptr1 + static_cast<int64_t>(x1 + 32L*tmp0), static_cast<int64_t>(16));
#                             auto tmp5 = tmp4 * tmp4;
#                             tmp4.store(out_ptr0 + static_cast<int64_t>(x1 + 32L*x0));
#                             tmp_acc0_vec = tmp_acc0_vec + tmp5;
#                         }
#                     }
#                 }
#                 tmp_acc0 = tmp_acc0 + at::vec::vec_reduce_all<float, 1>([](at::vec::Vectorized<float>& x, at::vec::Vectorized<float>& y) { return x + y; }, tmp_acc0_vec);
#                 in_out_ptr0[static_cast<int64_t>(x0)] = static_cast<float>(tmp_acc0);
#             }
#         }
#     }
#     {
#         for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(32L); x0+=static_cast<int64_t>(16L))
#         {
#             {
#                 if(C10_LIKELY(x0 >= static_cast<int64_t>(0) && x0 < static_cast<int64_t>(32L)))
#                 {
#                     auto tmp0 = at::vec::Vectorized<float>::loadu(out_ptr1 + static_cast<int64_t>(x0), static_cast<int64_t>(16));
#                     auto tmp1 = static_cast<float>(32.0);
#                     auto tmp2 = at::vec::Vectorized<float>(tmp1);
#                     auto tmp3 = tmp0 / tmp2;
#                     auto tmp4 = static_cast<float>(1e-06);
#                     auto tmp5 = at::vec::Vectorized<float>(tmp4);
#                     auto tmp6 = tmp3 + tmp5;
#                     auto tmp7 = tmp6.rsqrt();
#                     tmp7.store(in_out_ptr0 + static_cast<int64_t>(x0));
#                 }
#             }
#         }
#     }
#     {
#         #pragma GCC ivdep
#         for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(32L); x0+=static_cast<int64_t>(1L))
#         {
#             for(int64_t x1=static_cast<int64_t>(0L); x1<static_cast<int64_t>(32L); x1+=static_cast<int64_t>(16L))
#             {
#                 {
#                     if(C10_LIKELY(x1 >= static_cast<int64_t>(0) && x1 < static_cast<int64_t>(32L)))
#                     {
#                         auto tmp0 = at::vec::Vectorized<float>::loadu(in_ptr2 + static_cast<int64_t>(x1), static_cast<int64_t>(16));
#                         auto tmp1 = at::vec::Vectorized<float>::loadu(out_ptr0 + static_cast<int64_t>(x1 + 32L*x0), static_cast<int64_t>(16));
#                         auto tmp2 = in_out_ptr0[static_cast<int64_t>(x0)];
#                         auto tmp3 = at::vec::Vectorized<float>(tmp2);
#                         auto tmp4 = tmp1 * tmp3;
#                         auto tmp5 = tmp0 * tmp4;
#                         tmp5.store(out_ptr2 + static_cast<int64_t>(x1 + 32L*x0));
#                     }
#                 }
#             }
#         }
#     }
#     {
#         #pragma GCC ivdep
#         for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(2L); x0+=static_cast<int64_t>(1L))
#         {
#             {
#                 {
#                     auto tmp0 = static_cast<int64_t>(-1);
#                     out_ptr3[static_cast<int64_t>(17L*x0)] = tmp0;
#                 }
#             }
#         }
#     }
#     {
#         #pragma GCC ivdep
#         for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(2L); x0+=static_cast<int64_t>(1L))
#         {
#             for(int64_t x1=static_cast<int64_t>(0L); x1<static_cast<int64_t>(16L); x1+=static_cast<int64_t>(16L))
#             {
#                 {
#                     if(C10_LIKELY(x1 >= static_cast<int64_t>(0) && x1 < static_cast<int64_t>(16L)))
#                     {
#                         auto tmp0 = x1;
#                         auto tmp1 = c10::convert<int64_t>(tmp0);
#                         auto tmp2 = at::vec::VectorizedN<int64_t,2>::arange(tmp1, 1);
#                         tmp2.store(out_ptr4 + static_cast<int64_t>(x1 + 17L*x0), static_cast<int64_t>(16));
#                     }
#                 }
#             }
#         }
#     }
#     {
#         #pragma GCC ivdep
#         for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(2L); x0+=static_cast<int64_t>(1L))
#         {
#             for(int64_t x1=static_cast<int64_t>(0L); x1<static_cast<int64_t>(16L); x1+=static_cast<int64_t>(16L))
#             {
#                 {
#                     if(C10_LIKELY(x1 >= static_cast<int64_t>(0) && x1 < static_cast<int64_t>(16L)))
#                     {
#                         auto tmp0 = at::vec::VectorizedN<int64_t,2>::loadu(in_ptr3 + static_cast<int64_t>(1L + x1 + 17L*x0), static_cast<int64_t>(16));
#                         auto tmp1 = at::vec::VectorizedN<int64_t,2>::loadu(in_ptr3 + static_cast<int64_t>(x1 + 17L*x0), static_cast<int64_t>(16));
#                         auto tmp2 = tmp0 - tmp1;
#                         auto tmp3 = static_cast<int64_t>(1);
#                         auto tmp4 = at::vec::VectorizedN<int64_t,2>(tmp3);
#                         auto tmp5 = at::vec::VecMask<int64_t,2>(tmp2 != tmp4);
#                         auto tmp6 = tmp5.to<int64_t,2>();
#                         tmp6.store(out_ptr5 + static_cast<int64_t>(x1 + 16L*x0), static_cast<int64_t>(16));
#                     }
#                 }
#             }
#         }
#     }
#     inductor_cpu_integer_div_error_flag = nullptr;
#     inductor_cpu_throw_if_integer_div_error(inductor_cpu_integer_div_error);
# }
# ''')
# 
# 
# cpp_fused__scaled_dot_product_flash_attention_for_cpu__to_copy__unsafe_view_add_arange_bitwise_and_cat_cos_eq_expand_index_le_mul_neg_new_ones_scalar_tensor_sin_slice_transpose_unsqueeze_view_where_1 = async_compile.cpp_pybinding(['float*', 'float*', 'const float*', 'const float*', 'const float*', 'const int64_t*', 'const float*', 'float*', 'float*', 'float*', 'float*', 'float*', 'float*', 'float*'], r'''
# #include <torch/csrc/inductor/cpp_prefix.h>
# extern "C"  void  kernel(float* in_out_ptr0,
#                        float* in_out_ptr1,
#                        const float* in_ptr1,
#                        const float* in_ptr2,
#                        const float* in_ptr4,
#                        const int64_t* in_ptr5,
#                        const float* in_ptr6,
#                        float* out_ptr0,
#                        float* out_ptr1,
#                        float* out_ptr2,
#                        float* out_ptr3,
#                        float* out_ptr4,
#                        float* out_ptr5,
#                        float* out_ptr6)
# {
#     std::atomic<int> inductor_cpu_integer_div_error{0};
#     inductor_cpu_integer_div_error_flag = &inductor_cpu_integer_div_error;
#     auto in_ptr0 = in_out_ptr0;
#     auto in_ptr3 = in_out_ptr1;
#     {
#         #pragma GCC ivdep
#         for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(2L); x0+=static_cast<int64_t>(1L))
#         {
#             #pragma GCC ivdep
#             for(int64_t x1=static_cast<int64_t>(0L); x1<static_cast<int64_t>(2L); x1+=static_cast<int64_t>(1L))
#             {
#                 #pragma GCC ivdep
#                 for(int64_t x2=static_cast<int64_t>(0L); x2<static_cast<int64_t>(16L); x2+=static_cast<int64_t>(1L))
#                 {
#                     for(int64_t x3=static_cast<int64_t>(0L); x3<static_cast<int64_t>(8L); x3+=static_cast<int64_t>(16L))
#                     {
#                         {
#                             if(C10_LIKELY(x3 >= static_cast<int64_t>(0L) && x3 < static_cast<int64_t>(8L)))
#                             {
#                                 auto tmp0 = at::vec::Vectorized<float>::loadu(in_ptr0 + static_cast<int64_t>(8L + x3 + 16L*x1 + 32L*x2 + 512L*x0), static_cast<int64_t>(8L));
#                                 auto tmp1 = tmp0.neg();
#                                 tmp1.store(out_ptr0 + static_cast<int64_t>(x3 + 16L*x2 + 256L*x1 + 512L*x0), static_cast<int64_t>(8L));
#                             }
#                         }
#                     }
#                 }
#             }
#         }
#     }
#     {
#         #pragma GCC ivdep
#         for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(2L); x0+=static_cast<int64_t>(1L))
#         {
#             #pragma GCC ivdep
#             for(int64_t x1=static_cast<int64_t>(0L); x1<static_cast<int64_t>(2L); x1+=static_cast<int64_t>(1L))
#             {
#                 #pragma GCC ivdep
#                 for(int64_t x2=static_cast<int64_t>(0L); x2<static_cast<int64_t>(16L); x2+=static_cast<int64_t>(1L))
#                 {
#                     for(int64_t x3=static_cast<int64_t>(0L); x3<static_cast<int64_t>(8L); x3+=static_cast<int64_t>(16L))
#                     {
#                         {
#                             if(C10_LIKELY(x3 >= static_cast<int64_t>(0L) && x3 < static_cast<int64_t>(8L)))
#                             {
#                                 auto tmp0 = at::vec::Vectorized<float>::loadu(in_ptr0 + static_cast<int64_t>(x3 + 16L*x1 + 32L*x2 + 512L*x0), static_cast<int64_t>(8L));
#                                 tmp0.store(out_ptr1 + static_cast<int64_t>(x3 + 16L*x2 + 256L*x1 + 512L*x0), static_cast<int64_t>(8L));
#                             }
#                         }
#                     }
#                 }
#             }
#         }
#     }
#     {
#         #pragma GCC ivdep
#         for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(2L); x0+=static_cast<int64_t>(1L))
#         {
#             #pragma GCC ivdep
#             for(int64_t x1=static_cast<int64_t>(0L); x1<static_cast<int64_t>(16L); x1+=static_cast<int64_t>(1L))
#             {
#                 #pragma GCC ivdep
#                 for(int64_t x2=static_cast<int64_t>(0L); x2<static_cast<int64_t>(2L); x2+=static_cast<int64_t>(1L))
#                 {
#                     #pragma GCC ivdep
#                     for(int64_t x3=static_cast<int64_t>(0L); x3<static_cast<int64_t>(16L); x3+=static_cast<int64_t>(1L))
#                     {
#                         {
#                             {
#                                 auto tmp0 = in_out_ptr0[static_cast<int64_t>(x3 + 16L*x2 + 32L*x1 + 512L*x0)];
#                                 auto tmp1 = in_ptr1[static_cast<int64_t>((static_cast<int64_t>(x3) % static_cast<int64_t>(8L)))];
#                                 auto tmp9 = in_ptr2[static_cast<int64_t>(x3 + 16L*x1 + 256L*x2 + 512L*x0)];
#                                 auto tmp2 = x1;
#                                 auto tmp3 = c10::convert<float>(tmp2);
#                                 auto tmp4 = float(tmp3 * tmp1);
#                                 auto tmp5 = std::cos(tmp4);
#                                 auto tmp6 = static_cast<float>(1.0);
#                                 auto tmp7 = float(tmp5 * tmp6);
#                                 auto tmp8 = float(tmp0 * tmp7);
#                                 auto tmp10 = std::sin(tmp4);
#                                 auto tmp11 = float(tmp10 * tmp6);
#                                 auto tmp12 = float(tmp9 * tmp11);
#                                 auto tmp13 = float(tmp8 + tmp12);
#                                 in_out_ptr0[static_cast<int64_t>(x3 + 16L*x2 + 32L*x1 + 512L*x0)] = tmp13;
#                             }
#                         }
#                     }
#                 }
#             }
#         }
#     }
#     {
#         #pragma GCC ivdep
#         for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(32L); x0+=static_cast<int64_t>(1L))
#         {
#             for(int64_t x1=static_cast<int64_t>(0L); x1<static_cast<int64_t>(8L); x1+=static_cast<int64_t>(16L))
#             {
#                 {
#                     if(C10_LIKELY(x1 >= static_cast<int64_t>(0L) && x1 < static_cast<int64_t>(8L)))
#                     {
#                         auto tmp0 = at::vec::Vectorized<float>::loadu(in_ptr3 + static_cast<int64_t>(8L + x1 + 16L*x0), static_cast<int64_t>(8L));
#                         auto tmp1 = tmp0.neg();
#                         tmp1.store(out_ptr2 + static_cast<int64_t>(x1 + 16L*x0), static_cast<int64_t>(8L));
#                     }
#                 }
#             }
#         }
#     }
#     {
#         #pragma GCC ivdep
#         for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(32L); x0+=static_cast<int64_t>(1L))
#         {
#             for(int64_t x1=static_cast<int64_t>(0L); x1<static_cast<int64_t>(8L); x1+=static_cast<int64_t>(16L))
#             {
#                 {
#                     if(C10_LIKELY(x1 >= static_cast<int64_t>(0L) && x1 < static_cast<int64_t>(8L)))
#                     {
#                         auto tmp0 = at::vec::Vectorized<float>::loadu(in_ptr3 + static_cast<int64_t>(x1 + 16L*x0), static_cast<int64_t>(8L));
#                         tmp0.store(out_ptr3 + static_cast<int64_t>(x1 + 16L*x0), static_cast<int64_t>(8L));
#                     }
#                 }
#             }
#         }
#     }
#     {
#         #pragma GCC ivdep
#         for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(2L); x0+=static_cast<int64_t>(1L))
#         {
#             #pragma GCC ivdep
#             for(int64_t x1=static_cast<int64_t>(0L); x1<static_cast<int64_t>(16L); x1+=static_cast<int64_t>(1L))
#             {
#                 #pragma GCC ivdep
#                 for(int64_t x2=static_cast<int64_t>(0L); x2<static_cast<int64_t>(16L); x2+=static_cast<int64_t>(1L))
#                 {
#                     {
#                         {
#                             auto tmp0 = in_out_ptr1[static_cast<int64_t>(x2 + 16L*x1 + 256L*x0)];
#                             auto tmp1 = in_ptr1[static_cast<int64_t>((static_cast<int64_t>(x2) % static_cast<int64_t>(8L)))];
#                             auto tmp9 = in_ptr4[static_cast<int64_t>(x2 + 16L*x1 + 256L*x0)];
#                             auto tmp2 = x1;
#                             auto tmp3 = c10::convert<float>(tmp2);
#                             auto tmp4 = float(tmp3 * tmp1);
#                             auto tmp5 = std::cos(tmp4);
#                             auto tmp6 = static_cast<float>(1.0);
#                             auto tmp7 = float(tmp5 * tmp6);
#                             auto tmp8 = float(tmp0 * tmp7);
#                             auto tmp10 = std::sin(tmp4);
#                             auto tmp11 = float(tmp10 * tmp6);
#                             auto tmp12 = float(tmp9 * tmp11);
#                             auto tmp13 = float(tmp8 + tmp12);
#                             in_out_ptr1[static_cast<int64_t>(x2 + 16L*x1 + 256L*x0)] = tmp13;
#                         }
#                     }
#                 }
#             }
#         }
#     }
#     {
#         #pragma GCC ivdep
#         for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(2L); x0+=static_cast<int64_t>(1L))
#         {
#             #pragma GCC ivdep
#             for(int64_t x1=static_cast<int64_t>(0L); x1<static_cast<int64_t>(16L); x1+=static_cast<int64_t>(1L))
#             {
#                 for(int64_t x2=static_cast<int64_t>(0L); x2<static_cast<int64_t>(16L); x2+=static_cast<int64_t>(16L))
#                 {
#                     {
#                         if(C10_LIKELY(x2 >= static_cast<int64_t>(0) && x2 < static_cast<int64_t>(16L)))
#                         {
#                             auto tmp0 = in_ptr5[static_cast<int64_t>(x1 + 16L*x0)];
#                             auto tmp1 = at::vec::VectorizedN<int64_t,2>::loadu(in_ptr5 + static_cast<int64_t>(x2 + 16L*x0), static_cast<int64_t>(16));
#                             auto tmp2 = at::vec::VectorizedN<int64_t,2>(tmp0);
#                             auto tmp3 = at::vec::VecMask<int64_t,2>(tmp2 == tmp1);
#                             auto tmp4 = static_cast<bool>(true);
#                             auto tmp5 = at::vec::VecMask<float,1>::from(tmp4);
#                             auto tmp6 = tmp5.template cast<int32_t,1>();
#                             auto tmp7 = tmp3.template cast<int32_t,1>();
#                             auto tmp8 = tmp6 & tmp7;
#                             auto tmp9 = x2;
#                             auto tmp10 = c10::convert<int64_t>(tmp9);
#                             auto tmp11 = at::vec::VectorizedN<int64_t,2>::arange(tmp10, 1);
#                             auto tmp12 = x1;
#                             auto tmp13 = c10::convert<int64_t>(tmp12);
#                             auto tmp14 = at::vec::VectorizedN<int64_t,2>(tmp13);
#                             auto tmp15 = at::vec::VecMask<int64_t,2>(tmp11 <= tmp14);
#                             auto tmp16 = tmp8.template cast<int32_t,1>();
#                             auto tmp17 = tmp15.template cast<int32_t,1>();
#                             auto tmp18 = tmp16 & tmp17;
#                             auto tmp19 = static_cast<float>(0.0);
#                             auto tmp20 = -std::numeric_limits<float>::infinity();
#                             auto tmp21 = at::vec::Vectorized<float>(tmp19);
#                             auto tmp22 = at::vec::Vectorized<float>(tmp20);
#                             auto tmp23 = decltype(tmp21)::blendv(tmp22, tmp21, tmp18.template cast<float,1>());
#                             tmp23.store(out_ptr4 + static_cast<int64_t>(x2 + 16L*x1 + 256L*x0));
#                         }
#                     }
#                 }
#             }
#         }
#     }
#     {
#         #pragma GCC ivdep
#         for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(2L); x0+=static_cast<int64_t>(1L))
#         {
#             #pragma GCC ivdep
#             for(int64_t x1=static_cast<int64_t>(0L); x1<static_cast<int64_t>(2L); x1+=static_cast<int64_t>(1L))
#             {
#                 for(int64_t x2=static_cast<int64_t>(0L); x2<static_cast<int64_t>(256L); x2+=static_cast<int64_t>(16L))
#                 {
#                     {
#                         if(C10_LIKELY(x2 >= static_cast<int64_t>(0) && x2 < static_cast<int64_t>(256L)))
#                         {
#                             auto tmp0 = at::vec::Vectorized<float>::loadu(in_out_ptr1 + static_cast<int64_t>(x2 + 256L*x0), static_cast<int64_t>(16));
#                             tmp0.store(out_ptr5 + static_cast<int64_t>(x2 + 256L*x1 + 512L*x0));
#                         }
#                     }
#                 }
#             }
#         }
#     }
#     {
#         #pragma GCC ivdep
#         for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(2L); x0+=static_cast<int64_t>(1L))
#         {
#             #pragma GCC ivdep
#             for(int64_t x1=static_cast<int64_t>(0L); x1<static_cast<int64_t>(2L); x1+=static_cast<int64_t>(1L))
#             {
#                 for(int64_t x2=static_cast<int64_t>(0L); x2<static_cast<int64_t>(256L); x2+=static_cast<int64_t>(16L))
#                 {
#                     {
#                         if(C10_LIKELY(x2 >= static_cast<int64_t>(0) && x2 < static_cast<int64_t>(256L)))
#                         {
#                             auto tmp0 = at::vec::Vectorized<float>::loadu(in_ptr6 + static_cast<int64_t>(x2 + 256L*x0), static_cast<int64_t>(16));
#                             tmp0.store(out_ptr6 + static_cast<int64_t>(x2 + 256L*x1 + 512L*x0));
#                         }
#                     }
#                 }
#             }
#         }
#     }
#     inductor_cpu_integer_div_error_flag = nullptr;
#     inductor_cpu_throw_if_integer_div_error(inductor_cpu_integer_div_error);
# }
# ''')
# 
# 
# cpp_fused__unsafe_view_add_mean_mul_pow_rsqrt_2 = async_compile.cpp_pybinding(['float*', 'const float*', 'const float*', 'const float*', 'float*'], r'''
# #include <torch/csrc/inductor/cpp_prefix.h>
# extern "C"  void  kernel(float* in_out_ptr0,
#                        const float* in_ptr0,
#                        const float* in_ptr1,
#                        const float* in_ptr2,
#                        float* out_ptr1)
# {
#     std::atomic<int> inductor_cpu_integer_div_error{0};
#     inductor_cpu_integer_div_error_flag = &inductor_cpu_integer_div_error;
#     auto out_ptr0 = in_out_ptr0;
#     {
#         #pragma GCC ivdep
#         for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(32L); x0+=static_cast<int64_t>(1L))
#         {
#             {
#                 float tmp_acc0 = 0;
#                 at::vec::Vectorized<float> tmp_acc0_vec = at::vec::Vectorized<float>(0);
#                 for(int64_t x1=static_cast<int64_t>(0L); x1<static_cast<int64_t>(32L); x1+=static_cast<int64_t>(16L))
#                 {
#                     {
#                         if(C10_LIKELY(x1 >= static_cast<int64_t>(0) && x1 < static_cast<int64_t>(32L)))
#                         {
#                             auto tmp0 = at::vec::Vectorized<float>::loadu(in_ptr0 + static_cast<int64_t>(x1 + 32L*x0), static_cast<int64_t>(16));
#                             auto tmp1 = at::vec::Vectorized<float>::loadu(in_ptr1 + static_cast<int64_t>(x1 + 32L*x0), static_cast<int64_t>(16));
#                             auto tmp2 = tmp0 + tmp1;
#                             auto tmp3 = tmp2 * tmp2;
#                             tmp_acc0_vec = tmp_acc0_vec + tmp3;
#                         }
#                     }
#                 }
#                 tmp_acc0 = tmp_acc0 + at::vec::vec_reduce_all<float, 1>([](at::vec::Vectorized<float>& x, at::vec::Vectorized<float>& y) { return x + y; }, tmp_acc0_vec);
#                 in_out_ptr0[static_cast<int64_t>(x0)] = static_cast<float>(tmp_acc0);
#             }
#         }
#     }
#     {
#         for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(32L); x0+=static_cast<int64_t>(16L))
#         {
#             {
#                 if(C10_LIKELY(x0 >= static_cast<int64_t>(0) && x0 < static_cast<int64_t>(32L)))
#                 {
#                     auto tmp0 = at::vec::Vectorized<float>::loadu(out_ptr0 + static_cast<int64_t>(x0), static_cast<int64_t>(16));
#                     auto tmp1 = static_cast<float>(32.0);
#                     auto tmp2 = at::vec::Vectorized<float>(tmp1);
#                     auto tmp3 = tmp0 / tmp2;
#                     auto tmp4 = static_cast<float>(1e-06);
#                     auto tmp5 = at::vec::Vectorized<float>(tmp4);
#                     auto tmp6 = tmp3 + tmp5;
#                     auto tmp7 = tmp6.rsqrt();
#                     tmp7.store(in_out_ptr0 + static_cast<int64_t>(x0));
#                 }
#             }
#         }
#     }
#     {
#         #pragma GCC ivdep
#         for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(32L); x0+=static_cast<int64_t>(1L))
#         {
#             for(int64_t x1=static_cast<int64_t>(0L); x1<static_cast<int64_t>(32L); x1+=static_cast<int64_t>(16L))
#             {
#                 {
#                     if(C10_LIKELY(x1 >= static_cast<int64_t>(0) && x1 < static_cast<int64_t>(32L)))
#                     {
#                         auto tmp0 = at::vec::Vectorized<float>::loadu(in_ptr2 + static_cast<int64_t>(x1), static_cast<int64_t>(16));
#                         auto tmp1 = at::vec::Vectorized<float>::loadu(in_ptr0 + static_cast<int64_t>(x1 + 32L*x0), static_cast<int64_t>(16));
#                         auto tmp2 = at::vec::Vectorized<float>::loadu(in_ptr1 + static_cast<int64_t>(x1 + 32L*x0), static_cast<int64_t>(16));
#                         auto tmp4 = in_out_ptr0[static_cast<int64_t>(x0)];
#                         auto tmp3 = tmp1 + tmp2;
#                         auto tmp5 = at::vec::Vectorized<float>(tmp4);
#                         auto tmp6 = tmp3 * tmp5;
#                         auto tmp7 = tmp0 * tmp6;
#                         tmp7.store(out_ptr1 + static_cast<int64_t>(x1 + 32L*x0));
#                     }
#                 }
#             }
#         }
#     }
#     inductor_cpu_integer_div_error_flag = nullptr;
#     inductor_cpu_throw_if_integer_div_error(inductor_cpu_integer_div_error);
# }
# ''')
# 
# 
# cpp_fused__unsafe_view_mul_silu_3 = async_compile.cpp_pybinding(['const float*', 'const float*', 'float*'], r'''
# #include <torch/csrc/inductor/cpp_prefix.h>
# extern "C"  void  kernel(const float* in_ptr0,
#                        const float* in_ptr1,
#                        float* out_ptr0)
# {
#     std::atomic<int> inductor_cpu_integer_div_error{0};
#     inductor_cpu_integer_div_error_flag = &inductor_cpu_integer_div_error;
#     {
#         for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(2048L); x0+=static_cast<int64_t>(16L))
#         {
#             {
#                 if(C10_LIKELY(x0 >= static_cast<int64_t>(0) && x0 < static_cast<int64_t>(2048L)))
#                 {
#                     auto tmp0 = at::vec::Vectorized<float>::loadu(in_ptr0 + static_cast<int64_t>(x0), static_cast<int64_t>(16));
#                     auto tmp7 = at::vec::Vectorized<float>::loadu(in_ptr1 + static_cast<int64_t>(x0), static_cast<int64_t>(16));
#                     auto tmp1 = tmp0.neg();
#                     auto tmp2 = tmp1.exp();
#                     auto tmp3 = static_cast<float>(1.0);
#                     auto tmp4 = at::vec::Vectorized<float>(tmp3);
#                     auto tmp5 = tmp2 + tmp4;
#                     auto tmp6 = tmp0 / tmp5;
#                     auto tmp8 = tmp6 * tmp7;
#                     tmp8.store(out_ptr0 + static_cast<int64_t>(x0));
#                 }
#             }
#         }
#     }
#     inductor_cpu_integer_div_error_flag = nullptr;
#     inductor_cpu_throw_if_integer_div_error(inductor_cpu_integer_div_error);
# }
# ''')
# 
# 
# cpp_fused__unsafe_view_add_mean_mul_pow_rsqrt_4 = async_compile.cpp_pybinding(['float*', 'float*', 'const float*', 'const float*', 'const float*', 'float*'], r'''
# #include <torch/csrc/inductor/cpp_prefix.h>
# extern "C"  void  kernel(float* in_out_ptr0,
#                        float* in_out_ptr1,
#                        const float* in_ptr0,
#                        const float* in_ptr1,
#                        const float* in_ptr2,
#                        float* out_ptr1)
# {
#     std::atomic<int> inductor_cpu_integer_div_error{0};
#     inductor_cpu_integer_div_error_flag = &inductor_cpu_integer_div_error;
#     auto out_ptr0 = in_out_ptr1;
#     {
#         for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(1024L); x0+=static_cast<int64_t>(16L))
#         {
#             {
#                 if(C10_LIKELY(x0 >= static_cast<int64_t>(0) && x0 < static_cast<int64_t>(1024L)))
#                 {
#                     auto tmp0 = at::vec::Vectorized<float>::loadu(in_ptr0 + static_cast<int64_t>(x0), static_cast<int64_t>(16));
#                     auto tmp1 = at::vec::Vectorized<float>::loadu(in_ptr1 + static_cast<int64_t>(x0), static_cast<int64_t>(16));
#                     auto tmp3 = at::vec::Vectorized<float>::loadu(in_out_ptr0 + static_cast<int64_t>(x0), static_cast<int64_t>(16));
#                     auto tmp2 = tmp0 + tmp1;
#                     auto tmp4 = tmp2 + tmp3;
#                     tmp4.store(in_out_ptr0 + static_cast<int64_t>(x0));
#                 }
#             }
#         }
#     }
#     {
#         #pragma GCC ivdep
#         for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(32L); x0+=static_cast<int64_t>(1L))
#         {
#             {
#                 float tmp_acc0 = 0;
#                 at::vec::Vectorized<float> tmp_acc0_vec = at::vec::Vectorized<float>(0);
#                 for(int64_t x1=static_cast<int64_t>(0L); x1<static_cast<int64_t>(32L); x1+=static_cast<int64_t>(16L))
#                 {
#                     {
#                         if(C10_LIKELY(x1 >= static_cast<int64_t>(0) && x1 < static_cast<int64_t>(32L)))
#                         {
#                             auto tmp0 = at::vec::Vectorized<float>::loadu(in_out_ptr0 + static_cast<int64_t>(x1 + 32L*x0), static_cast<int64_t>(16));
#                             auto tmp1 = tmp0 * tmp0;
#                             tmp_acc0_vec = tmp_acc0_vec + tmp1;
#                         }
#                     }
#                 }
#                 tmp_acc0 = tmp_acc0 + at::vec::vec_reduce_all<float, 1>([](at::vec::Vectorized<float>& x, at::vec::Vectorized<float>& y) { return x + y; }, tmp_acc0_vec);
#                 in_out_ptr1[static_cast<int64_t>(x0)] = static_cast<float>(tmp_acc0);
#             }
#         }
#     }
#     {
#         for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(32L); x0+=static_cast<int64_t>(16L))
#         {
#             {
#                 if(C10_LIKELY(x0 >= static_cast<int64_t>(0) && x0 < static_cast<int64_t>(32L)))
#                 {
#                     auto tmp0 = at::vec::Vectorized<float>::loadu(out_ptr0 + static_cast<int64_t>(x0), static_cast<int64_t>(16));
#                     auto tmp1 = static_cast<float>(32.0);
#                     auto tmp2 = at::vec::Vectorized<float>(tmp1);
#                     auto tmp3 = tmp0 / tmp2;
#                     auto tmp4 = static_cast<float>(1e-06);
#                     auto tmp5 = at::vec::Vectorized<float>(tmp4);
#                     auto tmp6 = tmp3 + tmp5;
#                     auto tmp7 = tmp6.rsqrt();
#                     tmp7.store(in_out_ptr1 + static_cast<int64_t>(x0));
#                 }
#             }
#         }
#     }
#     {
#         #pragma GCC ivdep
#         for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(32L); x0+=static_cast<int64_t>(1L))
#         {
#             for(int64_t x1=static_cast<int64_t>(0L); x1<static_cast<int64_t>(32L); x1+=static_cast<int64_t>(16L))
#             {
#                 {
#                     if(C10_LIKELY(x1 >= static_cast<int64_t>(0) && x1 < static_cast<int64_t>(32L)))
#                     {
#                         auto tmp0 = at::vec::Vectorized<float>::loadu(in_ptr2 + static_cast<int64_t>(x1), static_cast<int64_t>(16));
#                         auto tmp1 = at::vec::Vectorized<float>::loadu(in_out_ptr0 + static_cast<int64_t>(x1 + 32L*x0), static_cast<int64_t>(16));
#                         auto tmp2 = in_out_ptr1[static_cast<int64_t>(x0)];
#                         auto tmp3 = at::vec::Vectorized<float>(tmp2);
#                         auto tmp4 = tmp1 * tmp3;
#                         auto tmp5 = tmp0 * tmp4;
#                         tmp5.store(out_ptr1 + static_cast<int64_t>(x1 + 32L*x0));
#                     }
#                 }
#             }
#         }
#     }
#     inductor_cpu_integer_div_error_flag = nullptr;
#     inductor_cpu_throw_if_integer_div_error(inductor_cpu_integer_div_error);
# }
# ''')
# 
# 
# cpp_fused__scaled_dot_product_flash_attention_for_cpu__to_copy__unsafe_view_add_arange_cat_cos_expand_mul_neg_sin_slice_transpose_unsqueeze_view_5 = async_compile.cpp_pybinding(['float*', 'float*', 'const float*', 'const float*', 'const float*', 'const float*', 'float*', 'float*', 'float*', 'float*', 'float*', 'float*'], r'''
# #include <torch/csrc/inductor/cpp_prefix.h>
# extern "C"  void  kernel(float* in_out_ptr0,
#                        float* in_out_ptr1,
#                        const float* in_ptr1,
#                        const float* in_ptr2,
#                        const float* in_ptr4,
#                        const float* in_ptr5,
#                        float* out_ptr0,
#                        float* out_ptr1,
#                        float* out_ptr2,
#                        float* out_ptr3,
#                        float* out_ptr4,
#                        float* out_ptr5)
# {
#     std::atomic<int> inductor_cpu_integer_div_error{0};
#     inductor_cpu_integer_div_error_flag = &inductor_cpu_integer_div_error;
#     auto in_ptr0 = in_out_ptr0;
#     auto in_ptr3 = in_out_ptr1;
#     {
#         #pragma GCC ivdep
#         for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(2L); x0+=static_cast<int64_t>(1L))
#         {
#             #pragma GCC ivdep
#             for(int64_t x1=static_cast<int64_t>(0L); x1<static_cast<int64_t>(2L); x1+=static_cast<int64_t>(1L))
#             {
#                 #pragma GCC ivdep
#                 for(int64_t x2=static_cast<int64_t>(0L); x2<static_cast<int64_t>(16L); x2+=static_cast<int64_t>(1L))
#                 {
#                     for(int64_t x3=static_cast<int64_t>(0L); x3<static_cast<int64_t>(8L); x3+=static_cast<int64_t>(16L))
#                     {
#                         {
#                             if(C10_LIKELY(x3 >= static_cast<int64_t>(0L) && x3 < static_cast<int64_t>(8L)))
#                             {
#                                 auto tmp0 = at::vec::Vectorized<float>::loadu(in_ptr0 + static_cast<int64_t>(8L + x3 + 16L*x1 + 32L*x2 + 512L*x0), static_cast<int64_t>(8L));
#                                 auto tmp1 = tmp0.neg();
#                                 tmp1.store(out_ptr0 + static_cast<int64_t>(x3 + 16L*x2 + 256L*x1 + 512L*x0), static_cast<int64_t>(8L));
#                             }
#                         }
#                     }
#                 }
#             }
#         }
#     }
#     {
#         #pragma GCC ivdep
#         for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(2L); x0+=static_cast<int64_t>(1L))
#         {
#             #pragma GCC ivdep
#             for(int64_t x1=static_cast<int64_t>(0L); x1<static_cast<int64_t>(2L); x1+=static_cast<int64_t>(1L))
#             {
#                 #pragma GCC ivdep
#                 for(int64_t x2=static_cast<int64_t>(0L); x2<static_cast<int64_t>(16L); x2+=static_cast<int64_t>(1L))
#                 {
#                     for(int64_t x3=static_cast<int64_t>(0L); x3<static_cast<int64_t>(8L); x3+=static_cast<int64_t>(16L))
#                     {
#                         {
#                             if(C10_LIKELY(x3 >= static_cast<int64_t>(0L) && x3 < static_cast<int64_t>(8L)))
#                             {
#                                 auto tmp0 = at::vec::Vectorized<float>::loadu(in_ptr0 + static_cast<int64_t>(x3 + 16L*x1 + 32L*x2 + 512L*x0), static_cast<int64_t>(8L));
#                                 tmp0.store(out_ptr1 + static_cast<int64_t>(x3 + 16L*x2 + 256L*x1 + 512L*x0), static_cast<int64_t>(8L));
#                             }
#                         }
#                     }
#                 }
#             }
#         }
#     }
#     {
#         #pragma GCC ivdep
#         for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(2L); x0+=static_cast<int64_t>(1L))
#         {
#             #pragma GCC ivdep
#             for(int64_t x1=static_cast<int64_t>(0L); x1<static_cast<int64_t>(16L); x1+=static_cast<int64_t>(1L))
#             {
#                 #pragma GCC ivdep
#                 for(int64_t x2=static_cast<int64_t>(0L); x2<static_cast<int64_t>(2L); x2+=static_cast<int64_t>(1L))
#                 {
#                     #pragma GCC ivdep
#                     for(int64_t x3=static_cast<int64_t>(0L); x3<static_cast<int64_t>(16L); x3+=static_cast<int64_t>(1L))
#                     {
#                         {
#                             {
#                                 auto tmp0 = in_out_ptr0[static_cast<int64_t>(x3 + 16L*x2 + 32L*x1 + 512L*x0)];
#                                 auto tmp1 = in_ptr1[static_cast<int64_t>((static_cast<int64_t>(x3) % static_cast<int64_t>(8L)))];
#                                 auto tmp9 = in_ptr2[static_cast<int64_t>(x3 + 16L*x1 + 256L*x2 + 512L*x0)];
#                                 auto tmp2 = x1;
#                                 auto tmp3 = c10::convert<float>(tmp2);
#                                 auto tmp4 = float(tmp3 * tmp1);
#                                 auto tmp5 = std::cos(tmp4);
#                                 auto tmp6 = static_cast<float>(1.0);
#                                 auto tmp7 = float(tmp5 * tmp6);
#                                 auto tmp8 = float(tmp0 * tmp7);
#                                 auto tmp10 = std::sin(tmp4);
#                                 auto tmp11 = float(tmp10 * tmp6);
#                                 auto tmp12 = float(tmp9 * tmp11);
#                                 auto tmp13 = float(tmp8 + tmp12);
#                                 in_out_ptr0[static_cast<int64_t>(x3 + 16L*x2 + 32L*x1 + 512L*x0)] = tmp13;
#                             }
#                         }
#                     }
#                 }
#             }
#         }
#     }
#     {
#         #pragma GCC ivdep
#         for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(32L); x0+=static_cast<int64_t>(1L))
#         {
#             for(int64_t x1=static_cast<int64_t>(0L); x1<static_cast<int64_t>(8L); x1+=static_cast<int64_t>(16L))
#             {
#                 {
#                     if(C10_LIKELY(x1 >= static_cast<int64_t>(0L) && x1 < static_cast<int64_t>(8L)))
#                     {
#                         auto tmp0 = at::vec::Vectorized<float>::loadu(in_ptr3 + static_cast<int64_t>(8L + x1 + 16L*x0), static_cast<int64_t>(8L));
#                         auto tmp1 = tmp0.neg();
#                         tmp1.store(out_ptr2 + static_cast<int64_t>(x1 + 16L*x0), static_cast<int64_t>(8L));
#                     }
#                 }
#             }
#         }
#     }
#     {
#         #pragma GCC ivdep
#         for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(32L); x0+=static_cast<int64_t>(1L))
#         {
#             for(int64_t x1=static_cast<int64_t>(0L); x1<static_cast<int64_t>(8L); x1+=static_cast<int64_t>(16L))
#             {
#                 {
#                     if(C10_LIKELY(x1 >= static_cast<int64_t>(0L) && x1 < static_cast<int64_t>(8L)))
#                     {
#                         auto tmp0 = at::vec::Vectorized<float>::loadu(in_ptr3 + static_cast<int64_t>(x1 + 16L*x0), static_cast<int64_t>(8L));
#                         tmp0.store(out_ptr3 + static_cast<int64_t>(x1 + 16L*x0), static_cast<int64_t>(8L));
#                     }
#                 }
#             }
#         }
#     }
#     {
#         #pragma GCC ivdep
#         for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(2L); x0+=static_cast<int64_t>(1L))
#         {
#             #pragma GCC ivdep
#             for(int64_t x1=static_cast<int64_t>(0L); x1<static_cast<int64_t>(16L); x1+=static_cast<int64_t>(1L))
#             {
#                 #pragma GCC ivdep
#                 for(int64_t x2=static_cast<int64_t>(0L); x2<static_cast<int64_t>(16L); x2+=static_cast<int64_t>(1L))
#                 {
#                     {
#                         {
#                             auto tmp0 = in_out_ptr1[static_cast<int64_t>(x2 + 16L*x1 + 256L*x0)];
#                             auto tmp1 = in_ptr1[static_cast<int64_t>((static_cast<int64_t>(x2) % static_cast<int64_t>(8L)))];
#                             auto tmp9 = in_ptr4[static_cast<int64_t>(x2 + 16L*x1 + 256L*x0)];
#                             auto tmp2 = x1;
#                             auto tmp3 = c10::convert<float>(tmp2);
#                             auto tmp4 = float(tmp3 * tmp1);
#                             auto tmp5 = std::cos(tmp4);
#                             auto tmp6 = static_cast<float>(1.0);
#                             auto tmp7 = float(tmp5 * tmp6);
#                             auto tmp8 = float(tmp0 * tmp7);
#                             auto tmp10 = std::sin(tmp4);
#                             auto tmp11 = float(tmp10 * tmp6);
#                             auto tmp12 = float(tmp9 * tmp11);
#                             auto tmp13 = float(tmp8 + tmp12);
#                             in_out_ptr1[static_cast<int64_t>(x2 + 16L*x1 + 256L*x0)] = tmp13;
#                         }
#                     }
#                 }
#             }
#         }
#     }
#     {
#         #pragma GCC ivdep
#         for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(2L); x0+=static_cast<int64_t>(1L))
#         {
#             #pragma GCC ivdep
#             for(int64_t x1=static_cast<int64_t>(0L); x1<static_cast<int64_t>(2L); x1+=static_cast<int64_t>(1L))
#             {
#                 for(int64_t x2=static_cast<int64_t>(0L); x2<static_cast<int64_t>(256L); x2+=static_cast<int64_t>(16L))
#                 {
#                     {
#                         if(C10_LIKELY(x2 >= static_cast<int64_t>(0) && x2 < static_cast<int64_t>(256L)))
#                         {
#                             auto tmp0 = at::vec::Vectorized<float>::loadu(in_out_ptr1 + static_cast<int64_t>(x2 + 256L*x0), static_cast<int64_t>(16));
#                             tmp0.store(out_ptr4 + static_cast<int64_t>(x2 + 256L*x1 + 512L*x0));
#                         }
#                     }
#                 }
#             }
#         }
#     }
#     {
#         #pragma GCC ivdep
#         for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(2L); x0+=static_cast<int64_t>(1L))
#         {
#             #pragma GCC ivdep
#             for(int64_t x1=static_cast<int64_t>(0L); x1<static_cast<int64_t>(2L); x1+=static_cast<int64_t>(1L))
#             {
#                 for(int64_t x2=static_cast<int64_t>(0L); x2<static_cast<int64_t>(256L); x2+=static_cast<int64_t>(16L))
#                 {
#                     {
#                         if(C10_LIKELY(x2 >= static_cast<int64_t>(0) && x2 < static_cast<int64_t>(256L)))
#                         {
#                             auto tmp0 = at::vec::Vectorized<float>::loadu(in_ptr5 + static_cast<int64_t>(x2 + 256L*x0), static_cast<int64_t>(16));
#                             tmp0.store(out_ptr5 + static_cast<int64_t>(x2 + 256L*x1 + 512L*x0));
#                         }
#                     }
#                 }
#             }
#         }
#     }
#     inductor_cpu_integer_div_error_flag = nullptr;
#     inductor_cpu_throw_if_integer_div_error(inductor_cpu_integer_div_error);
# }
# ''')
# 
# 
# cpp_fused__unsafe_view_add_mean_mul_pow_rsqrt_6 = async_compile.cpp_pybinding(['float*', 'float*', 'const float*', 'const float*', 'float*'], r'''
# #include <torch/csrc/inductor/cpp_prefix.h>
# extern "C"  void  kernel(float* in_out_ptr0,
#                        float* in_out_ptr1,
#                        const float* in_ptr0,
#                        const float* in_ptr1,
#                        float* out_ptr1)
# {
#     std::atomic<int> inductor_cpu_integer_div_error{0};
#     inductor_cpu_integer_div_error_flag = &inductor_cpu_integer_div_error;
#     auto out_ptr0 = in_out_ptr1;
#     {
#         for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(1024L); x0+=static_cast<int64_t>(16L))
#         {
#             {
#                 if(C10_LIKELY(x0 >= static_cast<int64_t>(0) && x0 < static_cast<int64_t>(1024L)))
#                 {
#                     auto tmp0 = at::vec::Vectorized<float>::loadu(in_ptr0 + static_cast<int64_t>(x0), static_cast<int64_t>(16));
#                     auto tmp1 = at::vec::Vectorized<float>::loadu(in_out_ptr0 + static_cast<int64_t>(x0), static_cast<int64_t>(16));
#                     auto tmp2 = tmp0 + tmp1;
#                     tmp2.store(in_out_ptr0 + static_cast<int64_t>(x0));
#                 }
#             }
#         }
#     }
#     {
#         #pragma GCC ivdep
#         for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(32L); x0+=static_cast<int64_t>(1L))
#         {
#             {
#                 float tmp_acc0 = 0;
#                 at::vec::Vectorized<float> tmp_acc0_vec = at::vec::Vectorized<float>(0);
#                 for(int64_t x1=static_cast<int64_t>(0L); x1<static_cast<int64_t>(32L); x1+=static_cast<int64_t>(16L))
#                 {
#                     {
#                         if(C10_LIKELY(x1 >= static_cast<int64_t>(0) && x1 < static_cast<int64_t>(32L)))
#                         {
#                             auto tmp0 = at::vec::Vectorized<float>::loadu(in_out_ptr0 + static_cast<int64_t>(x1 + 32L*x0), static_cast<int64_t>(16));
#                             auto tmp1 = tmp0 * tmp0;
#                             tmp_acc0_vec = tmp_acc0_vec + tmp1;
#                         }
#                     }
#                 }
#                 tmp_acc0 = tmp_acc0 + at::vec::vec_reduce_all<float, 1>([](at::vec::Vectorized<float>& x, at::vec::Vectorized<float>& y) { return x + y; }, tmp_acc0_vec);
#                 in_out_ptr1[static_cast<int64_t>(x0)] = static_cast<float>(tmp_acc0);
#             }
#         }
#     }
#     {
#         for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(32L); x0+=static_cast<int64_t>(16L))
#         {
#             {
#                 if(C10_LIKELY(x0 >= static_cast<int64_t>(0) && x0 < static_cast<int64_t>(32L)))
#                 {
#                     auto tmp0 = at::vec::Vectorized<float>::loadu(out_ptr0 + static_cast<int64_t>(x0), static_cast<int64_t>(16));
#                     auto tmp1 = static_cast<float>(32.0);
#                     auto tmp2 = at::vec::Vectorized<float>(tmp1);
#                     auto tmp3 = tmp0 / tmp2;
#                     auto tmp4 = static_cast<float>(1e-06);
#                     auto tmp5 = at::vec::Vectorized<float>(tmp4);
#                     auto tmp6 = tmp3 + tmp5;
#                     auto tmp7 = tmp6.rsqrt();
#                     tmp7.store(in_out_ptr1 + static_cast<int64_t>(x0));
#                 }
#             }
#         }
#     }
#     {
#         #pragma GCC ivdep
#         for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(32L); x0+=static_cast<int64_t>(1L))
#         {
#             for(int64_t x1=static_cast<int64_t>(0L); x1<static_cast<int64_t>(32L); x1+=static_cast<int64_t>(16L))
#             {
#                 {
#                     if(C10_LIKELY(x1 >= static_cast<int64_t>(0) && x1 < static_cast<int64_t>(32L)))
#                     {
#                         auto tmp0 = at::vec::Vectorized<float>::loadu(in_ptr1 + static_cast<int64_t>(x1), static_cast<int64_t>(16));
#                         auto tmp1 = at::vec::Vectorized<float>::loadu(in_out_ptr0 + static_cast<int64_t>(x1 + 32L*x0), static_cast<int64_t>(16));
#                         auto tmp2 = in_out_ptr1[static_cast<int64_t>(x0)];
#                         auto tmp3 = at::vec::Vectorized<float>(tmp2);
#                         auto tmp4 = tmp1 * tmp3;
#                         auto tmp5 = tmp0 * tmp4;
#                         tmp5.store(out_ptr1 + static_cast<int64_t>(x1 + 32L*x0));
#                     }
#                 }
#             }
#         }
#     }
#     inductor_cpu_integer_div_error_flag = nullptr;
#     inductor_cpu_throw_if_integer_div_error(inductor_cpu_integer_div_error);
# }
# ''')
# 
# 
# cpp_fused__log_softmax__unsafe_view_clone_constant_pad_nd_nll_loss_forward_scalar_tensor_slice_view_7 = async_compile.cpp_pybinding(['float*', 'float*', 'const int64_t*', 'const float*', 'int64_t*', 'float*', 'int64_t*', 'float*'], r'''
# #include <torch/csrc/inductor/cpp_prefix.h>
# extern "C"  void  kernel(float* in_out_ptr0,
#                        float* in_out_ptr1,
#                        const int64_t* in_ptr0,
#                        const float* in_ptr1,
#                        int64_t* out_ptr0,
#                        float* out_ptr1,
#                        int64_t* out_ptr3,
#                        float* out_ptr5)
# {
#     std::atomic<int> inductor_cpu_integer_div_error{0};
#     inductor_cpu_integer_div_error_flag = &inductor_cpu_integer_div_error;
#     auto out_ptr2 = in_out_ptr0;
#     auto out_ptr4 = in_out_ptr1;
#     {
#         #pragma GCC ivdep
#         for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(2L); x0+=static_cast<int64_t>(1L))
#         {
#             for(int64_t x1=static_cast<int64_t>(0L); x1<static_cast<int64_t>(17L); x1+=static_cast<int64_t>(16L))
#             {
#                 {
#                     if(C10_LIKELY(x1 >= static_cast<int64_t>(0) && x1 < static_cast<int64_t>(16L)))
#                     {
#                         auto tmp0 = x1;
#                         auto tmp1 = c10::convert<int64_t>(tmp0);
#                         auto tmp2 = at::vec::VectorizedN<int64_t,2>::arange(tmp1, 1);
#                         auto tmp3 = static_cast<int64_t>(16);
#                         auto tmp4 = at::vec::VectorizedN<int64_t,2>(tmp3);
#                         auto tmp5 = at::vec::VecMask<int64_t,2>(tmp2 < tmp4);
#                         auto tmp6 = [&]
#                         {
#                             auto tmp7 = tmp5.template cast<float,1>().template loadu<int64_t,2>(in_ptr0 + static_cast<int64_t>(x1 + 16L*x0));
#                             return tmp7;
#                         }
#                         ;
#                         auto tmp10 =
#                         [&]
#                         {
#                             if (tmp5.all_zero())
#                             {
#                                 return at::vec::VectorizedN<int64_t,2>(static_cast<int64_t>(-100));
#                             }
#                             else
#                             {
#                                 auto tmp8 = tmp6();
#                                 auto tmp9 = at::vec::VectorizedN<int64_t,2>(static_cast<int64_t>(-100));
#                                 return decltype(tmp8)::blendv(tmp9, tmp8, tmp5.template cast<int64_t,2>());
#                             }
#                         }
#                         ()
#                         ;
#                         tmp10.store(out_ptr0 + static_cast<int64_t>(x1 + 17L*x0), static_cast<int64_t>(16));
#                     }
#                     if(C10_UNLIKELY(x1 >= static_cast<int64_t>(16L) && x1 < static_cast<int64_t>(17L)))
#                     {
#                         auto tmp0 = x1;
#                         auto tmp1 = c10::convert<int64_t>(tmp0);
#                         auto tmp2 = at::vec::VectorizedN<int64_t,2>::arange(tmp1, 1);
#                         auto tmp3 = static_cast<int64_t>(16);
#                         auto tmp4 = at::vec::VectorizedN<int64_t,2>(tmp3);
#                         auto tmp5 = at::vec::VecMask<int64_t,2>(tmp2 < tmp4);
#                         auto tmp6 = [&]
#                         {
#                             auto tmp7 = tmp5.template cast<float,1>().template loadu<int64_t,2>(in_ptr0 + static_cast<int64_t>(x1 + 16L*x0));
#                             return tmp7;
#                         }
#                         ;
#                         auto tmp10 =
#                         [&]
#                         {
#                             if (tmp5.all_zero())
#                             {
#                                 return at::vec::VectorizedN<int64_t,2>(static_cast<int64_t>(-100));
#                             }
#                             else
#                             {
#                                 auto tmp8 = tmp6();
#                                 auto tmp9 = at::vec::VectorizedN<int64_t,2>(static_cast<int64_t>(-100));
#                                 return decltype(tmp8)::blendv(tmp9, tmp8, tmp5.template cast<int64_t,2>());
#                             }
#                         }
#                         ()
#                         ;
#                         tmp10.store(out_ptr0 + static_cast<int64_t>(x1 + 17L*x0), static_cast<int64_t>(1L));
#                     }
#                 }
#             }
#         }
#     }
#     {
#         #pragma GCC ivdep
#         for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(32L); x0+=static_cast<int64_t>(1L))
#         {
#             {
#                 float tmp_acc0 = -std::numeric_limits<float>::infinity();
#                 at::vec::Vectorized<float> tmp_acc0_vec = at::vec::Vectorized<float>(-std::numeric_limits<float>::infinity());
#                 for(int64_t x1=static_cast<int64_t>(0L); x1<static_cast<int64_t>(64L); x1+=static_cast<int64_t>(16L))
#                 {
#                     {
#                         if(C10_LIKELY(x1 >= static_cast<int64_t>(0) && x1 < static_cast<int64_t>(64L)))
#                         {
#                             auto tmp0 = at::vec::Vectorized<float>::loadu(in_ptr1 + static_cast<int64_t>(x1 + 64L*x0), static_cast<int64_t>(16));
#                             tmp_acc0_vec = at::vec::maximum(tmp_acc0_vec, tmp0);
#                         }
#                     }
#                 }
#                 tmp_acc0 = max_propagate_nan(tmp_acc0, at::vec::vec_reduce_all<float, 1>([](at::vec::Vectorized<float>& x, at::vec::Vectorized<float>& y) { return at::vec::maximum(x, y); }, tmp_acc0_vec));
#                 out_ptr1[static_cast<int64_t>(x0)] = static_cast<float>(tmp_acc0);
#             }
#             {
#                 float tmp_acc0 = 0;
#                 at::vec::Vectorized<float> tmp_acc0_vec = at::vec::Vectorized<float>(0);
#                 for(int64_t x1=static_cast<int64_t>(0L); x1<static_cast<int64_t>(64L); x1+=static_cast<int64_t>(16L))
#                 {
#                     {
#                         if(C10_LIKELY(x1 >= static_cast<int64_t>(0) && x1 < static_cast<int64_t>(64L)))
#                         {
#                             auto tmp0 = at::vec::Vectorized<float>::loadu(in_ptr1 + static_cast<int64_t>(x1 + 64L*x0), static_cast<int64_t>(16));
#                             auto tmp1 = out_ptr1[static_cast<int64_t>(x0)];
#                             auto tmp2 = at::vec::Vectorized<float>(tmp1);
#                             auto tmp3 = tmp0 - tmp2;
#                             auto tmp4 = tmp3.exp();
#                             tmp_acc0_vec = tmp_acc0_vec + tmp4;
#                         }
#                     }
#                 }
#                 tmp_acc0 = tmp_acc0 + at::vec::vec_reduce_all<float, 1>([](at::vec::Vectorized<float>& x, at::vec::Vectorized<float>& y) { return x + y; }, tmp_acc0_vec);
#                 out_ptr2[static_cast<int64_t>(x0)] = static_cast<float>(tmp_acc0);
#             }
#         }
#     }
#     {
#         {
#             int64_t tmp_acc0 = 0;
#             at::vec::VectorizedN<int64_t,2> tmp_acc0_vec = at::vec::VectorizedN<int64_t,2>(0);
#             float tmp_acc1 = 0;
#             at::vec::Vectorized<float> tmp_acc1_vec = at::vec::Vectorized<float>(0);
#             for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(32L); x0+=static_cast<int64_t>(16L))
#             {
#                 {
#                     if(C10_LIKELY(x0 >= static_cast<int64_t>(0) && x0 < static_cast<int64_t>(32L)))
#                     {
#                         auto tmp0 = at::vec::Vectorized<float>::loadu(out_ptr2 + static_cast<int64_t>(x0), static_cast<int64_t>(16));
#                         auto tmp2 = at::vec::VectorizedN<int64_t,2>::loadu(out_ptr0 + static_cast<int64_t>(1L + 17L*(c10::div_floor_integer(static_cast<int64_t>(x0), static_cast<int64_t>(16L))) + ((static_cast<int64_t>(x0) % static_cast<int64_t>(16L)))), static_cast<int64_t>(16));
#                         auto tmp14 = at::vec::Vectorized<float>::loadu(out_ptr1 + static_cast<int64_t>(x0), static_cast<int64_t>(16));
#                         auto tmp1 = tmp0.log();
#                         auto tmp3 = static_cast<int64_t>(-100);
#                         auto tmp4 = at::vec::VectorizedN<int64_t,2>(tmp3);
#                         auto tmp5 = at::vec::VecMask<int64_t,2>(tmp2 != tmp4);
#                         auto tmp6 = tmp5.to<int64_t,2>();
#                         auto tmp7 = static_cast<int64_t>(0);
#                         auto tmp8 = at::vec::VectorizedN<int64_t,2>(tmp7);
#                         auto tmp9 = decltype(tmp2)::blendv(tmp8, tmp2, tmp5.template cast<int64_t,2>());
#                         auto tmp10 =
#                         [&]
#                         {
#                             __at_align__ std::array<int64_t, 16> tmpbuf;
#                             tmp9.store(tmpbuf.data(), static_cast<int64_t>(16));
#                             return tmpbuf;
#                         }
#                         ()
#                         ;
#                         auto tmp11 =
#                         [&]
#                         {
#                             __at_align__ std::array<int64_t, 16> tmpbuf;
#                             #pragma GCC unroll 16
#                             for (long x0_inner = 0; x0_inner < static_cast<int64_t>(16); x0_inner++)
#                             {
#                                 tmpbuf[x0_inner] = static_cast<int64_t>(tmp10[x0_inner]);
#                             }
#                             return at::vec::VectorizedN<int64_t,2>::loadu(tmpbuf.data(), static_cast<int64_t>(16));
#                         }
#                         ()
#                         ;
#                         TORCH_CHECK((at::vec::VecMask<int64_t,2>((at::vec::VectorizedN<int64_t,2>(0) <= tmp11) & (tmp11 < at::vec::VectorizedN<int64_t,2>(64L)))).all_masked(), "index out of bounds: 0 <= tmp11 < 64L");
#                         auto tmp13 =
#                         [&]
#                         {
#                             __at_align__ std::array<float, 16> tmpbuf;
#                             #pragma GCC unroll 16
#                             for (long x0_inner = 0; x0_inner < static_cast<int64_t>(16); x0_inner++)
#                             {
#                                 tmpbuf[x0_inner] = in_ptr1[static_cast<int64_t>(tmp10[x0_inner] + 64L*x0 + 64L*x0_inner)];
#                             }
#                             return at::vec::Vectorized<float>::loadu(tmpbuf.data(), static_cast<int64_t>(16));
#                         }
#                         ()
#                         ;
#                         auto tmp15 = tmp13 - tmp14;
#                         auto tmp16 = tmp15 - tmp1;
#                         auto tmp17 = tmp16.neg();
#                         auto tmp18 = static_cast<float>(0.0);
#                         auto tmp19 = at::vec::Vectorized<float>(tmp18);
#                         auto tmp20 = decltype(tmp17)::blendv(tmp19, tmp17, tmp5.template cast<float,1>());
#                         tmp1.store(in_out_ptr0 + static_cast<int64_t>(x0));
#                         tmp_acc0_vec = tmp_acc0_vec + tmp6;
#                         tmp_acc1_vec = tmp_acc1_vec + tmp20;
#                     }
#                 }
#             }
#             tmp_acc0 = tmp_acc0 + at::vec::vec_reduce_all<int64_t, 2>([](at::vec::Vectorized<int64_t>& x, at::vec::Vectorized<int64_t>& y) { return x + y; }, tmp_acc0_vec);
#             out_ptr3[static_cast<int64_t>(0L)] = static_cast<int64_t>(tmp_acc0);
#             tmp_acc1 = tmp_acc1 + at::vec::vec_reduce_all<float, 1>([](at::vec::Vectorized<float>& x, at::vec::Vectorized<float>& y) { return x + y; }, tmp_acc1_vec);
#             out_ptr4[static_cast<int64_t>(0L)] = static_cast<float>(tmp_acc1);
#         }
#     }
#     {
#         {
#             {
#                 auto tmp0 = out_ptr3[static_cast<int64_t>(0L)];
#                 auto tmp2 = out_ptr4[static_cast<int64_t>(0L)];
#                 auto tmp1 = c10::convert<float>(tmp0);
#                 auto tmp3 = tmp2 / tmp1;
#                 out_ptr5[static_cast<int64_t>(0L)] = tmp1;
#                 in_out_ptr1[static_cast<int64_t>(0L)] = tmp3;
#             }
#         }
#     }
#     inductor_cpu_integer_div_error_flag = nullptr;
#     inductor_cpu_throw_if_integer_div_error(inductor_cpu_integer_div_error);
# }
# ''')
# 
# 
# async_compile.wait(globals())
# del async_compile
# 
# class Runner:
#     def __init__(self, partitions):
#         self.partitions = partitions
# 
#     def recursively_apply_fns(self, fns):
#         new_callables = []
#         for fn, c in zip(fns, self.partitions):
#             new_callables.append(fn(c))
#         self.partitions = new_callables
# 
#     def call(self, args):
#         primals_1, primals_2, primals_3, primals_4, primals_5, primals_6, primals_7, primals_8, primals_9, primals_10, primals_11, primals_12, primals_13, primals_14, primals_15, primals_16, primals_17, primals_18, primals_19, primals_20, primals_21, primals_22, primals_23, primals_24 = args
#         args.clear()
#         assert_size_stride(primals_1, (2, 16), (16, 1), 'input')
#         assert_size_stride(primals_2, (64, 32), (32, 1), 'input')
#         assert_size_stride(primals_4, (32, ), (1, ), 'input')
#         buf0 = empty_strided_cpu((2, 16, 32), (512, 32, 1), torch.float32)
#         buf7 = empty_strided_cpu((2, 16, 1), (16, 1, 32), torch.float32)
#         buf8 = reinterpret_tensor(buf7, (2, 16, 1), (16, 1, 1), 0); del buf7  # reuse
#         buf9 = empty_strided_cpu((2, 16, 32), (512, 32, 1), torch.float32)
#         buf3 = empty_strided_cpu((2, 17), (17, 1), torch.int64)
#         buf1 = reinterpret_tensor(buf3, (2, 1), (17, 1), 0)  # alias
#         buf2 = reinterpret_tensor(buf3, (2, 16), (17, 1), 1)  # alias
#         buf4 = empty_strided_cpu((2, 16), (16, 1), torch.int64)
#         cpp_fused_add_arange_cat_cumsum_embedding_expand_mean_mul_ne_pow_rsqrt_slice_sub_unsqueeze_0(buf8, primals_1, primals_2, primals_4, buf3, buf0, buf9, buf1, buf2, buf4)
#         del buf1
#         del buf2
#         del primals_2
#         # Topologically Sorted Source Nodes: [position_diff, ne, packed_sequence_mask], Original ATen: [aten.slice, aten.sub, aten.ne, aten.cumsum]
#         buf5 = torch.ops.aten.cumsum.default(buf4, dim=-1, dtype=torch.int64)
#         del buf4
#         buf6 = buf5
#         assert_size_stride(buf6, (2, 16), (16, 1), 'torch.ops.aten.cumsum.default')
#         assert_alignment(buf6, 16, 'torch.ops.aten.cumsum.default')
#         del buf5
#         assert_size_stride(primals_5, (32, 32), (32, 1), 'input')
#         buf10 = empty_strided_cpu((32, 32), (32, 1), torch.float32)
#         # Topologically Sorted Source Nodes: [hidden_states_1, hidden_states_2, linear], Original ATen: [aten.mul, aten.t, aten.view, aten.mm]
#         extern_kernels.mm(reinterpret_tensor(buf9, (32, 32), (32, 1), 0), reinterpret_tensor(primals_5, (32, 32), (1, 32), 0), out=buf10)
#         assert_size_stride(primals_6, (16, 32), (32, 1), 'input')
#         buf11 = empty_strided_cpu((32, 16), (16, 1), torch.float32)
#         # Topologically Sorted Source Nodes: [hidden_states_1, hidden_states_2, linear, linear_1], Original ATen: [aten.mul, aten.view, aten.t, aten.mm]
#         extern_kernels.mm(reinterpret_tensor(buf9, (32, 32), (32, 1), 0), reinterpret_tensor(primals_6, (32, 16), (1, 32), 0), out=buf11)
#         assert_size_stride(primals_7, (16, 32), (32, 1), 'input')
#         buf12 = empty_strided_cpu((32, 16), (16, 1), torch.float32)
#         # Topologically Sorted Source Nodes: [hidden_states_1, hidden_states_2, linear, linear_2], Original ATen: [aten.mul, aten.view, aten.t, aten.mm]
#         extern_kernels.mm(reinterpret_tensor(buf9, (32, 32), (32, 1), 0), reinterpret_tensor(primals_7, (32, 16), (1, 32), 0), out=buf12)
#         buf15 = empty_strided_cpu((2, 2, 16, 16), (512, 256, 16, 1), torch.float32)
#         buf13 = reinterpret_tensor(buf15, (2, 2, 16, 8), (512, 256, 16, 1), 0)  # alias
#         buf14 = reinterpret_tensor(buf15, (2, 2, 16, 8), (512, 256, 16, 1), 8)  # alias
#         assert_size_stride(primals_3, (8, ), (1, ), 'input')
#         buf16 = reinterpret_tensor(buf10, (2, 2, 16, 16), (512, 16, 32, 1), 0); del buf10  # reuse
#         buf19 = empty_strided_cpu((2, 1, 16, 16), (256, 256, 16, 1), torch.float32)
#         buf17 = reinterpret_tensor(buf19, (2, 1, 16, 8), (256, 256, 16, 1), 0)  # alias
#         buf18 = reinterpret_tensor(buf19, (2, 1, 16, 8), (256, 256, 16, 1), 8)  # alias
#         buf20 = reinterpret_tensor(buf11, (2, 1, 16, 16), (256, 1, 16, 1), 0); del buf11  # reuse
#         buf21 = empty_strided_cpu((2, 1, 16, 16), (256, 256, 16, 1), torch.float32)
#         buf22 = empty_strided_cpu((2, 2, 16, 16), (512, 256, 16, 1), torch.float32)
#         buf23 = empty_strided_cpu((2, 2, 16, 16), (512, 256, 16, 1), torch.float32)
#         cpp_fused__scaled_dot_product_flash_attention_for_cpu__to_copy__unsafe_view_add_arange_bitwise_and_cat_cos_eq_expand_index_le_mul_neg_new_ones_scalar_tensor_sin_slice_transpose_unsqueeze_view_where_1(buf16, buf20, primals_3, buf15, buf19, buf6, buf12, buf13, buf14, buf17, buf18, buf21, buf22, buf23)
#         del buf13
#         del buf14
#         del buf17
#         del buf18
#         del buf6
#         # Topologically Sorted Source Nodes: [arange, position_ids, position_ids_1, getitem_9, float_1, freqs, emb, cos, cos_1, sin, sin_1, linear_1, view_1, key_states, linear_2, view_2, value_states, cos_3, sin_3, mul_7, mul_8, k_embed, getitem_14, hidden_states_3, key, getitem_15, hidden_states_4, value, attn_output], Original ATen: [aten.arange, aten.add, aten.unsqueeze, aten._to_copy, aten.mul, aten.cat, aten.cos, aten.sin, aten._unsafe_view, aten.view, aten.transpose, aten.expand, aten._scaled_dot_product_flash_attention_for_cpu]
#         buf24 = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu.default(buf16, buf22, buf23, attn_mask=buf21, scale=0.25)
#         buf25 = buf24[0]
#         assert_size_stride(buf25, (2, 2, 16, 16), (512, 16, 32, 1), 'torch.ops.aten._scaled_dot_product_flash_attention_for_cpu.default')
#         assert_alignment(buf25, 16, 'torch.ops.aten._scaled_dot_product_flash_attention_for_cpu.default')
#         buf26 = buf24[1]
#         assert_size_stride(buf26, (2, 2, 16), (32, 1, 2), 'torch.ops.aten._scaled_dot_product_flash_attention_for_cpu.default')
#         assert_alignment(buf26, 16, 'torch.ops.aten._scaled_dot_product_flash_attention_for_cpu.default')
#         del buf24
#         assert_size_stride(primals_8, (32, 32), (32, 1), 'input')
#         buf27 = reinterpret_tensor(buf23, (32, 32), (32, 1), 0); del buf23  # reuse
#         # Topologically Sorted Source Nodes: [transpose_3, reshape_3, attn_output_4], Original ATen: [aten.transpose, aten.view, aten.t, aten.mm]
#         extern_kernels.mm(reinterpret_tensor(buf25, (32, 32), (32, 1), 0), reinterpret_tensor(primals_8, (32, 32), (1, 32), 0), out=buf27)
#         assert_size_stride(primals_9, (32, ), (1, ), 'input')
#         buf28 = empty_strided_cpu((2, 16, 1), (16, 1, 32), torch.float32)
#         buf29 = reinterpret_tensor(buf28, (2, 16, 1), (16, 1, 1), 0); del buf28  # reuse
#         buf30 = reinterpret_tensor(buf22, (2, 16, 32), (512, 32, 1), 0); del buf22  # reuse
#         assert_size_stride(primals_10, (64, 32), (32, 1), 'input')
#         cpp_fused__unsafe_view_add_mean_mul_pow_rsqrt_2(buf29, buf0, buf27, primals_9, buf30)
#         buf31 = empty_strided_cpu((32, 64), (64, 1), torch.float32)
#         # Topologically Sorted Source Nodes: [attn_output_4, hidden_states_5, hidden_states_7, hidden_states_8, linear_4], Original ATen: [aten._unsafe_view, aten.add, aten.mul, aten.t, aten.view, aten.mm]
#         extern_kernels.mm(reinterpret_tensor(buf30, (32, 32), (32, 1), 0), reinterpret_tensor(primals_10, (32, 64), (1, 32), 0), out=buf31)
#         assert_size_stride(primals_11, (64, 32), (32, 1), 'input')
#         buf32 = empty_strided_cpu((32, 64), (64, 1), torch.float32)
#         # Topologically Sorted Source Nodes: [attn_output_4, hidden_states_5, hidden_states_7, hidden_states_8, linear_4, linear_5], Original ATen: [aten._unsafe_view, aten.add, aten.mul, aten.view, aten.t, aten.mm]
#         extern_kernels.mm(reinterpret_tensor(buf30, (32, 32), (32, 1), 0), reinterpret_tensor(primals_11, (32, 64), (1, 32), 0), out=buf32)
#         buf33 = empty_strided_cpu((2, 16, 64), (1024, 64, 1), torch.float32)
#         assert_size_stride(primals_12, (32, 64), (64, 1), 'input')
#         cpp_fused__unsafe_view_mul_silu_3(buf31, buf32, buf33)
#         buf34 = reinterpret_tensor(buf15, (32, 32), (32, 1), 0); del buf15  # reuse
#         # Topologically Sorted Source Nodes: [linear_4, silu, linear_5, mul_11, down_proj], Original ATen: [aten._unsafe_view, aten.silu, aten.mul, aten.t, aten.view, aten.mm]
#         extern_kernels.mm(reinterpret_tensor(buf33, (32, 64), (64, 1), 0), reinterpret_tensor(primals_12, (64, 32), (1, 64), 0), out=buf34)
#         buf35 = reinterpret_tensor(buf34, (2, 16, 32), (512, 32, 1), 0); del buf34  # reuse
#         assert_size_stride(primals_13, (32, ), (1, ), 'input')
#         buf36 = empty_strided_cpu((2, 16, 1), (16, 1, 32), torch.float32)
#         buf37 = reinterpret_tensor(buf36, (2, 16, 1), (16, 1, 1), 0); del buf36  # reuse
#         buf38 = empty_strided_cpu((2, 16, 32), (512, 32, 1), torch.float32)
#         assert_size_stride(primals_14, (32, 32), (32, 1), 'input')
#         cpp_fused__unsafe_view_add_mean_mul_pow_rsqrt_4(buf35, buf37, buf0, buf27, primals_13, buf38)
#         buf39 = empty_strided_cpu((32, 32), (32, 1), torch.float32)
#         # Topologically Sorted Source Nodes: [hidden_states_11, hidden_states_12, linear_7], Original ATen: [aten.mul, aten.t, aten.view, aten.mm]
#         extern_kernels.mm(reinterpret_tensor(buf38, (32, 32), (32, 1), 0), reinterpret_tensor(primals_14, (32, 32), (1, 32), 0), out=buf39)
#         assert_size_stride(primals_15, (16, 32), (32, 1), 'input')
#         buf40 = reinterpret_tensor(buf19, (32, 16), (16, 1), 0); del buf19  # reuse
#         # Topologically Sorted Source Nodes: [hidden_states_11, hidden_states_12, linear_7, linear_8], Original ATen: [aten.mul, aten.view, aten.t, aten.mm]
#         extern_kernels.mm(reinterpret_tensor(buf38, (32, 32), (32, 1), 0), reinterpret_tensor(primals_15, (32, 16), (1, 32), 0), out=buf40)
#         assert_size_stride(primals_16, (16, 32), (32, 1), 'input')
#         buf41 = empty_strided_cpu((32, 16), (16, 1), torch.float32)
#         # Topologically Sorted Source Nodes: [hidden_states_11, hidden_states_12, linear_7, linear_9], Original ATen: [aten.mul, aten.view, aten.t, aten.mm]
#         extern_kernels.mm(reinterpret_tensor(buf38, (32, 32), (32, 1), 0), reinterpret_tensor(primals_16, (32, 16), (1, 32), 0), out=buf41)
#         buf44 = empty_strided_cpu((2, 2, 16, 16), (512, 256, 16, 1), torch.float32)
#         buf42 = reinterpret_tensor(buf44, (2, 2, 16, 8), (512, 256, 16, 1), 0)  # alias
#         buf43 = reinterpret_tensor(buf44, (2, 2, 16, 8), (512, 256, 16, 1), 8)  # alias
#         buf45 = reinterpret_tensor(buf39, (2, 2, 16, 16), (512, 16, 32, 1), 0); del buf39  # reuse
#         buf48 = empty_strided_cpu((2, 1, 16, 16), (256, 256, 16, 1), torch.float32)
#         buf46 = reinterpret_tensor(buf48, (2, 1, 16, 8), (256, 256, 16, 1), 0)  # alias
#         buf47 = reinterpret_tensor(buf48, (2, 1, 16, 8), (256, 256, 16, 1), 8)  # alias
#         buf49 = reinterpret_tensor(buf40, (2, 1, 16, 16), (256, 1, 16, 1), 0); del buf40  # reuse
#         buf50 = empty_strided_cpu((2, 2, 16, 16), (512, 256, 16, 1), torch.float32)
#         buf51 = empty_strided_cpu((2, 2, 16, 16), (512, 256, 16, 1), torch.float32)
#         cpp_fused__scaled_dot_product_flash_attention_for_cpu__to_copy__unsafe_view_add_arange_cat_cos_expand_mul_neg_sin_slice_transpose_unsqueeze_view_5(buf45, buf49, primals_3, buf44, buf48, buf41, buf42, buf43, buf46, buf47, buf50, buf51)
#         del buf42
#         del buf43
#         del buf46
#         del buf47
#         del buf48
#         # Unsorted Source Nodes: [attn_output_5, key_1, hidden_states_13, getitem_20, k_embed_1, mul_16, key_states_1, view_4, linear_8, cos_3, cos_1, cos, emb, freqs, float_1, getitem_9, position_ids_1, position_ids, arange, mul_17, sin_3, sin_1, sin, value_1, hidden_states_14, getitem_21, value_states_1, view_5, linear_9], Original ATen: [aten._scaled_dot_product_flash_attention_for_cpu, aten.view, aten.expand, aten.unsqueeze, aten.add, aten.mul, aten.transpose, aten._unsafe_view, aten.cos, aten.cat, aten._to_copy, aten.arange, aten.sin]
#         buf52 = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu.default(buf45, buf50, buf51, attn_mask=buf21, scale=0.25)
#         buf53 = buf52[0]
#         assert_size_stride(buf53, (2, 2, 16, 16), (512, 16, 32, 1), 'torch.ops.aten._scaled_dot_product_flash_attention_for_cpu.default')
#         assert_alignment(buf53, 16, 'torch.ops.aten._scaled_dot_product_flash_attention_for_cpu.default')
#         buf54 = buf52[1]
#         assert_size_stride(buf54, (2, 2, 16), (32, 1, 2), 'torch.ops.aten._scaled_dot_product_flash_attention_for_cpu.default')
#         assert_alignment(buf54, 16, 'torch.ops.aten._scaled_dot_product_flash_attention_for_cpu.default')
#         del buf52
#         assert_size_stride(primals_17, (32, 32), (32, 1), 'input')
#         buf55 = reinterpret_tensor(buf51, (32, 32), (32, 1), 0); del buf51  # reuse
#         # Topologically Sorted Source Nodes: [transpose_7, reshape_7, attn_output_9], Original ATen: [aten.transpose, aten.view, aten.t, aten.mm]
#         extern_kernels.mm(reinterpret_tensor(buf53, (32, 32), (32, 1), 0), reinterpret_tensor(primals_17, (32, 32), (1, 32), 0), out=buf55)
#         buf56 = reinterpret_tensor(buf55, (2, 16, 32), (512, 32, 1), 0); del buf55  # reuse
#         assert_size_stride(primals_18, (32, ), (1, ), 'input')
#         buf57 = empty_strided_cpu((2, 16, 1), (16, 1, 32), torch.float32)
#         buf58 = reinterpret_tensor(buf57, (2, 16, 1), (16, 1, 1), 0); del buf57  # reuse
#         buf59 = reinterpret_tensor(buf50, (2, 16, 32), (512, 32, 1), 0); del buf50  # reuse
#         assert_size_stride(primals_19, (64, 32), (32, 1), 'input')
#         cpp_fused__unsafe_view_add_mean_mul_pow_rsqrt_6(buf56, buf58, buf35, primals_18, buf59)
#         buf60 = empty_strided_cpu((32, 64), (64, 1), torch.float32)
#         # Topologically Sorted Source Nodes: [hidden_states_17, hidden_states_18, linear_11], Original ATen: [aten.mul, aten.t, aten.view, aten.mm]
#         extern_kernels.mm(reinterpret_tensor(buf59, (32, 32), (32, 1), 0), reinterpret_tensor(primals_19, (32, 64), (1, 32), 0), out=buf60)
#         assert_size_stride(primals_20, (64, 32), (32, 1), 'input')
#         buf61 = empty_strided_cpu((32, 64), (64, 1), torch.float32)
#         # Topologically Sorted Source Nodes: [hidden_states_17, hidden_states_18, linear_11, linear_12], Original ATen: [aten.mul, aten.view, aten.t, aten.mm]
#         extern_kernels.mm(reinterpret_tensor(buf59, (32, 32), (32, 1), 0), reinterpret_tensor(primals_20, (32, 64), (1, 32), 0), out=buf61)
#         buf62 = empty_strided_cpu((2, 16, 64), (1024, 64, 1), torch.float32)
#         assert_size_stride(primals_21, (32, 64), (64, 1), 'input')
#         cpp_fused__unsafe_view_mul_silu_3(buf60, buf61, buf62)
#         buf63 = reinterpret_tensor(buf44, (32, 32), (32, 1), 0); del buf44  # reuse
#         # Topologically Sorted Source Nodes: [linear_11, silu_1, linear_12, mul_20, down_proj_1], Original ATen: [aten._unsafe_view, aten.silu, aten.mul, aten.t, aten.view, aten.mm]
#         extern_kernels.mm(reinterpret_tensor(buf62, (32, 64), (64, 1), 0), reinterpret_tensor(primals_21, (64, 32), (1, 64), 0), out=buf63)
#         buf64 = reinterpret_tensor(buf63, (2, 16, 32), (512, 32, 1), 0); del buf63  # reuse
#         assert_size_stride(primals_22, (32, ), (1, ), 'input')
#         buf65 = empty_strided_cpu((2, 16, 1), (16, 1, 32), torch.float32)
#         buf66 = reinterpret_tensor(buf65, (2, 16, 1), (16, 1, 1), 0); del buf65  # reuse
#         buf67 = empty_strided_cpu((2, 16, 32), (512, 32, 1), torch.float32)
#         assert_size_stride(primals_23, (64, 32), (32, 1), 'input')
#         cpp_fused__unsafe_view_add_mean_mul_pow_rsqrt_6(buf64, buf66, buf56, primals_22, buf67)
#         buf68 = empty_strided_cpu((32, 64), (64, 1), torch.float32)
#         # Topologically Sorted Source Nodes: [hidden_states_21, hidden_states_22, logits], Original ATen: [aten.mul, aten.t, aten.view, aten.mm]
#         extern_kernels.mm(reinterpret_tensor(buf67, (32, 32), (32, 1), 0), reinterpret_tensor(primals_23, (32, 64), (1, 32), 0), out=buf68)
#         assert_size_stride(primals_24, (2, 16), (16, 1), 'input')
#         buf69 = buf3; del buf3  # reuse
#         buf70 = empty_strided_cpu((32, 1), (1, 1), torch.float32)
#         buf71 = empty_strided_cpu((32, 1), (1, 32), torch.float32)
#         buf72 = reinterpret_tensor(buf71, (32, 1), (1, 1), 0); del buf71  # reuse
#         buf73 = empty_strided_cpu((), (), torch.int64)
#         buf75 = empty_strided_cpu((), (), torch.float32)
#         buf74 = empty_strided_cpu((), (), torch.float32)
#         buf76 = buf75; del buf75  # reuse
#         cpp_fused__log_softmax__unsafe_view_clone_constant_pad_nd_nll_loss_forward_scalar_tensor_slice_view_7(buf72, buf76, primals_24, buf68, buf69, buf70, buf73, buf74)
#         del buf73
#         del primals_24
#         return (buf76, reinterpret_tensor(buf68, (2, 16, 64), (1024, 64, 1), 0), primals_1, primals_3, primals_4, primals_5, primals_6, primals_7, primals_8, primals_9, primals_10, primals_11, primals_12, primals_13, primals_14, primals_15, primals_16, primals_17, primals_18, primals_19, primals_20, primals_21, primals_22, primals_23, buf0, buf8, reinterpret_tensor(buf9, (32, 32), (32, 1), 0), buf12, buf16, reinterpret_tensor(buf20, (2, 2, 16, 16), (256, 0, 16, 1), 0), buf21, buf25, buf26, buf27, buf29, reinterpret_tensor(buf30, (32, 32), (32, 1), 0), buf31, buf32, reinterpret_tensor(buf33, (32, 64), (64, 1), 0), buf35, buf37, reinterpret_tensor(buf38, (32, 32), (32, 1), 0), buf41, buf45, reinterpret_tensor(buf49, (2, 2, 16, 16), (256, 0, 16, 1), 0), buf53, buf54, buf56, buf58, reinterpret_tensor(buf59, (32, 32), (32, 1), 0), buf60, buf61, reinterpret_tensor(buf62, (32, 64), (64, 1), 0), buf64, buf66, reinterpret_tensor(buf67, (32, 32), (32, 1), 0), reinterpret_tensor(buf68, (2, 16, 64), (1024, 64, 1), 0), buf69, buf70, buf72, buf74, )
# 
# runner = Runner(partitions=[])
# call = runner.call
# recursively_apply_fns = runner.recursively_apply_fns
# 
# 
# def get_args():
#     from torch._dynamo.testing import rand_strided
#     primals_1 = rand_strided((2, 16), (16, 1), device='cpu', dtype=torch.int64)
#     primals_2 = rand_strided((64, 32), (32, 1), device='cpu', dtype=torch.float32)
#     primals_3 = rand_strided((8, ), (1, ), device='cpu', dtype=torch.float32)
#     primals_4 = rand_strided((32, ), (1, ), device='cpu', dtype=torch.float32)
#     primals_5 = rand_strided((32, 32), (32, 1), device='cpu', dtype=torch.float32)
#     primals_6 = rand_strided((16, 32), (32, 1), device='cpu', dtype=torch.float32)
#     primals_7 = rand_strided((16, 32), (32, 1), device='cpu', dtype=torch.float32)
#     primals_8 = rand_strided((32, 32), (32, 1), device='cpu', dtype=torch.float32)
#     primals_9 = rand_strided((32, ), (1, ), device='cpu', dtype=torch.float32)
#     primals_10 = rand_strided((64, 32), (32, 1), device='cpu', dtype=torch.float32)
#     primals_11 = rand_strided((64, 32), (32, 1), device='cpu', dtype=torch.float32)
#     primals_12 = rand_strided((32, 64), (64, 1), device='cpu', dtype=torch.float32)
#     primals_13 = rand_strided((32, ), (1, ), device='cpu', dtype=torch.float32)
#     primals_14 = rand_strided((32, 32), (32, 1), device='cpu', dtype=torch.float32)
#     primals_15 = rand_strided((16, 32), (32, 1), device='cpu', dtype=torch.float32)
#     primals_16 = rand_strided((16, 32), (32, 1), device='cpu', dtype=torch.float32)
#     primals_17 = rand_strided((32, 32), (32, 1), device='cpu', dtype=torch.float32)
#     primals_18 = rand_strided((32, ), (1, ), device='cpu', dtype=torch.float32)
#     primals_19 = rand_strided((64, 32), (32, 1), device='cpu', dtype=torch.float32)
#     primals_20 = rand_strided((64, 32), (32, 1), device='cpu', dtype=torch.float32)
#     primals_21 = rand_strided((32, 64), (64, 1), device='cpu', dtype=torch.float32)
#     primals_22 = rand_strided((32, ), (1, ), device='cpu', dtype=torch.float32)
#     primals_23 = rand_strided((64, 32), (32, 1), device='cpu', dtype=torch.float32)
#     primals_24 = rand_strided((2, 16), (16, 1), device='cpu', dtype=torch.int64)
#     return [primals_1, primals_2, primals_3, primals_4, primals_5, primals_6, primals_7, primals_8, primals_9, primals_10, primals_11, primals_12, primals_13, primals_14, primals_15, primals_16, primals_17, primals_18, primals_19, primals_20, primals_21, primals_22, primals_23, primals_24]
# 
# 
# def benchmark_compiled_module(args, times=10, repeat=10):
#     from torch._inductor.utils import print_performance
#     fn = lambda: call(list(args))
#     return print_performance(fn, times=times, repeat=repeat, device='cpu')
# 
# 
# if __name__ == "__main__":
#     from torch._inductor.wrapper_benchmark import compiled_module_main
#     args = get_args()
#     compiled_module_main('None', lambda times, repeat: benchmark_compiled_module(args, times=times, repeat=repeat))

# ---- Training, [0/0]: Inductor's code, which runs
# # AOT ID: ['7_backward']
# from ctypes import c_void_p, c_long, c_int
# import torch
# import math
# import random
# import os
# import tempfile
# from math import inf, nan
# from cmath import nanj
# from torch._inductor.hooks import run_intermediate_hooks
# from torch._inductor.utils import maybe_profile
# from torch._inductor.codegen.memory_planning import _align as align
# from torch import device, empty_strided
# from torch._inductor.async_compile import AsyncCompile
# from torch._inductor.select_algorithm import extern_kernels
# 
# aten = torch.ops.aten
# inductor_ops = torch.ops.inductor
# _quantized = torch.ops._quantized
# assert_size_stride = torch._C._dynamo.guards.assert_size_stride
# assert_alignment = torch._C._dynamo.guards.assert_alignment
# empty_strided_cpu = torch._C._dynamo.guards._empty_strided_cpu
# empty_strided_cpu_pinned = torch._C._dynamo.guards._empty_strided_cpu_pinned
# empty_strided_cuda = torch._C._dynamo.guards._empty_strided_cuda
# empty_strided_xpu = torch._C._dynamo.guards._empty_strided_xpu
# empty_strided_mtia = torch._C._dynamo.guards._empty_strided_mtia
# reinterpret_tensor = torch._C._dynamo.guards._reinterpret_tensor
# alloc_from_pool = torch.ops.inductor._alloc_from_pool
# async_compile = AsyncCompile()
# empty_strided_p2p = torch._C._distributed_c10d._SymmetricMemory.empty_strided_p2p
# 
# 
# cpp_fused__log_softmax__log_softmax_backward_data_add_arange_clone_eq_expand_nll_loss_backward_nll_loss_forward_scalar_tensor_slice_view_0 = async_compile.cpp_pybinding(['const int64_t*', 'const float*', 'const float*', 'const float*', 'const float*', 'const float*', 'const float*', 'float*', 'float*'], r'''
# #include <torch/csrc/inductor/cpp_prefix.h>
# extern "C"  void  kernel(const int64_t* in_ptr0,
#                        const float* in_ptr1,
#                        const float* in_ptr2,
#                        const float* in_ptr3,
#                        const float* in_ptr4,
#                        const float* in_ptr5,
#                        const float* in_ptr6,
#                        float* out_ptr0,
#                        float* out_ptr1)
# {
#     std::atomic<int> inductor_cpu_integer_div_error{0};
#     inductor_cpu_integer_div_error_flag = &inductor_cpu_integer_div_error;
#     {
#         for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(32L); x0+=static_cast<int64_t>(16L))
#         {
#             {
#                 float tmp_acc0_arr[16];
#                 for (int i = 0; i < 16; i++)
#                 {
#                     tmp_acc0_arr[i] = 0;
#                 }
#                 float tmp_acc0 = 0;
#                 at::vec::Vectorized<float> tmp_acc0_vec = at::vec::Vectorized<float>(0);
#                 for(int64_t x1=static_cast<int64_t>(0L); x1<static_cast<int64_t>(64L); x1+=static_cast<int64_t>(1L))
#                 {
#                     {
#                         if(C10_LIKELY(x0 >= static_cast<int64_t>(0) && x0 < static_cast<int64_t>(32L)))
#                         {
#                             auto tmp0 = at::vec::VectorizedN<int64_t,2>::loadu(in_ptr0 + static_cast<int64_t>(1L + 17L*(c10::div_floor_integer(static_cast<int64_t>(x0), static_cast<int64_t>(16L))) + ((static_cast<int64_t>(x0) % static_cast<int64_t>(16L)))), static_cast<int64_t>(16));
#                             auto tmp16 = in_ptr1[static_cast<int64_t>(0L)];
#                             auto tmp17 = in_ptr2[static_cast<int64_t>(0L)];
#                             auto tmp1 = static_cast<int64_t>(-100);
#                             auto tmp2 = at::vec::VectorizedN<int64_t,2>(tmp1);
#                             auto tmp3 = at::vec::VecMask<int64_t,2>(tmp0 != tmp2);
#                             auto tmp4 = static_cast<int64_t>(0);
#                             auto tmp5 = at::vec::VectorizedN<int64_t,2>(tmp4);
#                             auto tmp6 = decltype(tmp0)::blendv(tmp5, tmp0, tmp3.template cast<int64_t,2>());
#                             auto tmp7 = x1;
#                             auto tmp8 = c10::convert<int64_t>(tmp7);
#                             auto tmp9 = at::vec::VectorizedN<int64_t,2>(tmp8);
#                             auto tmp10 = at::vec::VecMask<int64_t,2>(tmp6 == tmp9);
#                             auto tmp11 = static_cast<float>(-1.0);
#                             auto tmp12 = static_cast<float>(0.0);
#                             auto tmp13 = at::vec::Vectorized<float>(tmp11);
#                             auto tmp14 = at::vec::Vectorized<float>(tmp12);
#                             auto tmp15 = decltype(tmp13)::blendv(tmp14, tmp13, tmp10.template cast<float,1>());
#                             auto tmp18 = tmp16 / tmp17;
#                             auto tmp19 = at::vec::Vectorized<float>(tmp18);
#                             auto tmp20 = decltype(tmp19)::blendv(tmp14, tmp19, tmp3.template cast<float,1>());
#                             auto tmp21 = tmp15 * tmp20;
#                             tmp_acc0_vec = tmp_acc0_vec + tmp21;
#                         }
#                     }
#                 }
#                 if(C10_LIKELY(x0 >= static_cast<int64_t>(0) && x0 < static_cast<int64_t>(32L)))
#                 {
#                     tmp_acc0_vec.store(out_ptr0 + static_cast<int64_t>(x0));
#                 }
#             }
#         }
#     }
#     {
#         #pragma GCC ivdep
#         for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(2L); x0+=static_cast<int64_t>(1L))
#         {
#             #pragma GCC ivdep
#             for(int64_t x1=static_cast<int64_t>(0L); x1<static_cast<int64_t>(16L); x1+=static_cast<int64_t>(1L))
#             {
#                 for(int64_t x2=static_cast<int64_t>(0L); x2<static_cast<int64_t>(64L); x2+=static_cast<int64_t>(16L))
#                 {
#                     {
#                         if(C10_LIKELY(x2 >= static_cast<int64_t>(0) && x2 < static_cast<int64_t>(64L)))
#                         {
#                             auto tmp0 = at::vec::Vectorized<float>::loadu(in_ptr3 + static_cast<int64_t>(x2 + 64L*x1 + 1024L*x0), static_cast<int64_t>(16));
#                             auto tmp1 = in_ptr0[static_cast<int64_t>(1L + x1 + 17L*x0)];
#                             auto tmp16 = in_ptr1[static_cast<int64_t>(0L)];
#                             auto tmp17 = in_ptr2[static_cast<int64_t>(0L)];
#                             auto tmp22 = at::vec::Vectorized<float>::loadu(in_ptr4 + static_cast<int64_t>(x2 + 64L*x1 + 1024L*x0), static_cast<int64_t>(16));
#                             auto tmp23 = in_ptr5[static_cast<int64_t>(x1 + 16L*x0)];
#                             auto tmp26 = in_ptr6[static_cast<int64_t>(x1 + 16L*x0)];
#                             auto tmp30 = out_ptr0[static_cast<int64_t>(x1 + 16L*x0)];
#                             auto tmp2 = static_cast<int64_t>(-100);
#                             auto tmp3 = tmp1 != tmp2;
#                             auto tmp4 = static_cast<int64_t>(0);
#                             auto tmp5 = tmp3 ? tmp1 : tmp4;
#                             auto tmp6 = x2;
#                             auto tmp7 = c10::convert<int64_t>(tmp6);
#                             auto tmp8 = at::vec::VectorizedN<int64_t,2>::arange(tmp7, 1);
#                             auto tmp9 = at::vec::VectorizedN<int64_t,2>(tmp5);
#                             auto tmp10 = at::vec::VecMask<int64_t,2>(tmp9 == tmp8);
#                             auto tmp11 = static_cast<float>(-1.0);
#                             auto tmp12 = static_cast<float>(0.0);
#                             auto tmp13 = at::vec::Vectorized<float>(tmp11);
#                             auto tmp14 = at::vec::Vectorized<float>(tmp12);
#                             auto tmp15 = decltype(tmp13)::blendv(tmp14, tmp13, tmp10.template cast<float,1>());
#                             auto tmp18 = tmp16 / tmp17;
#                             auto tmp19 = tmp3 ? tmp18 : tmp12;
#                             auto tmp20 = at::vec::Vectorized<float>(tmp19);
#                             auto tmp21 = tmp15 * tmp20;
#                             auto tmp24 = at::vec::Vectorized<float>(tmp23);
#                             auto tmp25 = tmp22 - tmp24;
#                             auto tmp27 = at::vec::Vectorized<float>(tmp26);
#                             auto tmp28 = tmp25 - tmp27;
#                             auto tmp29 = tmp28.exp();
#                             auto tmp31 = at::vec::Vectorized<float>(tmp30);
#                             auto tmp32 = tmp29 * tmp31;
#                             auto tmp33 = tmp21 - tmp32;
#                             auto tmp34 = tmp0 + tmp33;
#                             tmp34.store(out_ptr1 + static_cast<int64_t>(x2 + 64L*x1 + 1024L*x0));
#                         }
#                     }
#                 }
#             }
#         }
#     }
#     inductor_cpu_integer_div_error_flag = nullptr;
#     inductor_cpu_throw_if_integer_div_error(inductor_cpu_integer_div_error);
# }
# ''')
# 
# 
# cpp_fused_add_div_expand_mul_pow_sum_view_1 = async_compile.cpp_pybinding(['float*', 'const float*', 'const float*', 'const float*', 'float*', 'float*'], r'''
# #include <torch/csrc/inductor/cpp_prefix.h>
# extern "C"  void  kernel(float* in_out_ptr0,
#                        const float* in_ptr1,
#                        const float* in_ptr2,
#                        const float* in_ptr3,
#                        float* out_ptr0,
#                        float* out_ptr1)
# {
#     std::atomic<int> inductor_cpu_integer_div_error{0};
#     inductor_cpu_integer_div_error_flag = &inductor_cpu_integer_div_error;
#     auto in_ptr0 = in_out_ptr0;
#     {
#         for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(32L); x0+=static_cast<int64_t>(16L))
#         {
#             {
#                 float tmp_acc0 = 0;
#                 at::vec::Vectorized<float> tmp_acc0_vec = at::vec::Vectorized<float>(0);
#                 for(int64_t x1=static_cast<int64_t>(0L); x1<static_cast<int64_t>(32L); x1+=static_cast<int64_t>(1L))
#                 {
#                     {
#                         if(C10_LIKELY(x0 >= static_cast<int64_t>(0) && x0 < static_cast<int64_t>(32L)))
#                         {
#                             auto tmp0 = at::vec::Vectorized<float>::loadu(in_ptr0 + static_cast<int64_t>(x0 + 32L*x1), static_cast<int64_t>(16));
#                             auto tmp1 = at::vec::Vectorized<float>::loadu(in_ptr1 + static_cast<int64_t>(x0 + 32L*x1), static_cast<int64_t>(16));
#                             auto tmp2 = in_ptr2[static_cast<int64_t>(x1)];
#                             auto tmp3 = at::vec::Vectorized<float>(tmp2);
#                             auto tmp4 = tmp1 * tmp3;
#                             auto tmp5 = tmp0 * tmp4;
#                             tmp_acc0_vec = tmp_acc0_vec + tmp5;
#                         }
#                     }
#                 }
#                 if(C10_LIKELY(x0 >= static_cast<int64_t>(0) && x0 < static_cast<int64_t>(32L)))
#                 {
#                     tmp_acc0_vec.store(out_ptr0 + static_cast<int64_t>(x0));
#                 }
#             }
#         }
#     }
#     {
#         #pragma GCC ivdep
#         for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(32L); x0+=static_cast<int64_t>(1L))
#         {
#             {
#                 float tmp_acc0 = 0;
#                 at::vec::Vectorized<float> tmp_acc0_vec = at::vec::Vectorized<float>(0);
#                 for(int64_t x1=static_cast<int64_t>(0L); x1<static_cast<int64_t>(32L); x1+=static_cast<int64_t>(16L))
#                 {
#                     {
#                         if(C10_LIKELY(x1 >= static_cast<int64_t>(0) && x1 < static_cast<int64_t>(32L)))
#                         {
#                             auto tmp0 = at::vec::Vectorized<float>::loadu(in_ptr0 + static_cast<int64_t>(x1 + 32L*x0), static_cast<int64_t>(16));
#                             auto tmp1 = at::vec::Vectorized<float>::loadu(in_ptr3 + static_cast<int64_t>(x1), static_cast<int64_t>(16));
#                             auto tmp3 = at::vec::Vectorized<float>::loadu(in_ptr1 + static_cast<int64_t>(x1 + 32L*x0), static_cast<int64_t>(16));
#                             auto tmp2 = tmp0 * tmp1;
#                             auto tmp4 = tmp2 * tmp3;
#                             tmp_acc0_vec = tmp_acc0_vec + tmp4;
#                         }
#                     }
#                 }
#                 tmp_acc0 = tmp_acc0 + at::vec::vec_reduce_all<float, 1>([](at::vec::Vectorized<float>& x, at::vec::Vectorized<float>& y) { return x + y; }, tmp_acc0_vec);
#                 out_ptr1[static_cast<int64_t>(x0)] = static_cast<float>(tmp_acc0);
#             }
#             for(int64_t x1=static_cast<int64_t>(0L); x1<static_cast<int64_t>(32L); x1+=static_cast<int64_t>(16L))
#             {
#                 {
#                     if(C10_LIKELY(x1 >= static_cast<int64_t>(0) && x1 < static_cast<int64_t>(32L)))
#                     {
#                         auto tmp0 = at::vec::Vectorized<float>::loadu(in_out_ptr0 + static_cast<int64_t>(x1 + 32L*x0), static_cast<int64_t>(16));
#                         auto tmp1 = at::vec::Vectorized<float>::loadu(in_ptr3 + static_cast<int64_t>(x1), static_cast<int64_t>(16));
#                         auto tmp3 = in_ptr2[static_cast<int64_t>(x0)];
#                         auto tmp6 = out_ptr1[static_cast<int64_t>(x0)];
#                         auto tmp14 = at::vec::Vectorized<float>::loadu(in_ptr1 + static_cast<int64_t>(x1 + 32L*x0), static_cast<int64_t>(16));
#                         auto tmp2 = tmp0 * tmp1;
#                         auto tmp4 = at::vec::Vectorized<float>(tmp3);
#                         auto tmp5 = tmp2 * tmp4;
#                         auto tmp7 = static_cast<float>(-0.5);
#                         auto tmp8 = float(tmp6 * tmp7);
#                         auto tmp9 = float(tmp3 * tmp3);
#                         auto tmp10 = float(tmp9 * tmp3);
#                         auto tmp11 = float(tmp8 * tmp10);
#                         auto tmp12 = static_cast<float>(32.0);
#                         auto tmp13 = tmp11 / tmp12;
#                         auto tmp15 = static_cast<float>(2.0);
#                         auto tmp16 = at::vec::Vectorized<float>(tmp15);
#                         auto tmp17 = tmp14 * tmp16;
#                         auto tmp18 = at::vec::Vectorized<float>(tmp13);
#                         auto tmp19 = tmp18 * tmp17;
#                         auto tmp20 = tmp5 + tmp19;
#                         tmp20.store(in_out_ptr0 + static_cast<int64_t>(x1 + 32L*x0));
#                     }
#                 }
#             }
#         }
#     }
#     inductor_cpu_integer_div_error_flag = nullptr;
#     inductor_cpu_throw_if_integer_div_error(inductor_cpu_integer_div_error);
# }
# ''')
# 
# 
# cpp_fused__unsafe_view_mul_silu_silu_backward_view_2 = async_compile.cpp_pybinding(['float*', 'const float*', 'const float*', 'float*'], r'''
# #include <torch/csrc/inductor/cpp_prefix.h>
# extern "C"  void  kernel(float* in_out_ptr0,
#                        const float* in_ptr0,
#                        const float* in_ptr1,
#                        float* out_ptr0)
# {
#     std::atomic<int> inductor_cpu_integer_div_error{0};
#     inductor_cpu_integer_div_error_flag = &inductor_cpu_integer_div_error;
#     {
#         for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(2048L); x0+=static_cast<int64_t>(16L))
#         {
#             {
#                 if(C10_LIKELY(x0 >= static_cast<int64_t>(0) && x0 < static_cast<int64_t>(2048L)))
#                 {
#                     auto tmp0 = at::vec::Vectorized<float>::loadu(in_ptr0 + static_cast<int64_t>(x0), static_cast<int64_t>(16));
#                     auto tmp1 = at::vec::Vectorized<float>::loadu(in_ptr1 + static_cast<int64_t>(x0), static_cast<int64_t>(16));
#                     auto tmp10 = at::vec::Vectorized<float>::loadu(in_out_ptr0 + static_cast<int64_t>(x0), static_cast<int64_t>(16));
#                     auto tmp2 = tmp1.neg();
#                     auto tmp3 = tmp2.exp();
#                     auto tmp4 = static_cast<float>(1.0);
#                     auto tmp5 = at::vec::Vectorized<float>(tmp4);
#                     auto tmp6 = tmp3 + tmp5;
#                     auto tmp7 = tmp1 / tmp6;
#                     auto tmp8 = tmp0 * tmp7;
#                     auto tmp9 = decltype(tmp1)(1)/(decltype(tmp1)(1) + tmp1.neg().exp());
#                     auto tmp11 = tmp0 * tmp10;
#                     auto tmp12 = tmp11 * tmp9;
#                     auto tmp13 = tmp5 - tmp9;
#                     auto tmp14 = tmp1 * tmp13;
#                     auto tmp15 = tmp14 + tmp5;
#                     auto tmp16 = tmp12 * tmp15;
#                     tmp8.store(out_ptr0 + static_cast<int64_t>(x0));
#                     tmp16.store(in_out_ptr0 + static_cast<int64_t>(x0));
#                 }
#             }
#         }
#     }
#     inductor_cpu_integer_div_error_flag = nullptr;
#     inductor_cpu_throw_if_integer_div_error(inductor_cpu_integer_div_error);
# }
# ''')
# 
# 
# cpp_fused_add_div_expand_mul_pow_sum_view_3 = async_compile.cpp_pybinding(['float*', 'const float*', 'const float*', 'const float*', 'const float*', 'const float*', 'float*', 'float*'], r'''
# #include <torch/csrc/inductor/cpp_prefix.h>
# extern "C"  void  kernel(float* in_out_ptr0,
#                        const float* in_ptr0,
#                        const float* in_ptr1,
#                        const float* in_ptr2,
#                        const float* in_ptr3,
#                        const float* in_ptr4,
#                        float* out_ptr0,
#                        float* out_ptr1)
# {
#     std::atomic<int> inductor_cpu_integer_div_error{0};
#     inductor_cpu_integer_div_error_flag = &inductor_cpu_integer_div_error;
#     {
#         for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(32L); x0+=static_cast<int64_t>(16L))
#         {
#             {
#                 float tmp_acc0 = 0;
#                 at::vec::Vectorized<float> tmp_acc0_vec = at::vec::Vectorized<float>(0);
#                 for(int64_t x1=static_cast<int64_t>(0L); x1<static_cast<int64_t>(32L); x1+=static_cast<int64_t>(1L))
#                 {
#                     {
#                         if(C10_LIKELY(x0 >= static_cast<int64_t>(0) && x0 < static_cast<int64_t>(32L)))
#                         {
#                             auto tmp0 = at::vec::Vectorized<float>::loadu(in_ptr0 + static_cast<int64_t>(x0 + 32L*x1), static_cast<int64_t>(16));
#                             auto tmp1 = at::vec::Vectorized<float>::loadu(in_ptr1 + static_cast<int64_t>(x0 + 32L*x1), static_cast<int64_t>(16));
#                             auto tmp3 = at::vec::Vectorized<float>::loadu(in_ptr2 + static_cast<int64_t>(x0 + 32L*x1), static_cast<int64_t>(16));
#                             auto tmp4 = in_ptr3[static_cast<int64_t>(x1)];
#                             auto tmp2 = tmp0 + tmp1;
#                             auto tmp5 = at::vec::Vectorized<float>(tmp4);
#                             auto tmp6 = tmp3 * tmp5;
#                             auto tmp7 = tmp2 * tmp6;
#                             tmp_acc0_vec = tmp_acc0_vec + tmp7;
#                         }
#                     }
#                 }
#                 if(C10_LIKELY(x0 >= static_cast<int64_t>(0) && x0 < static_cast<int64_t>(32L)))
#                 {
#                     tmp_acc0_vec.store(out_ptr0 + static_cast<int64_t>(x0));
#                 }
#             }
#         }
#     }
#     {
#         #pragma GCC ivdep
#         for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(32L); x0+=static_cast<int64_t>(1L))
#         {
#             {
#                 float tmp_acc0 = 0;
#                 at::vec::Vectorized<float> tmp_acc0_vec = at::vec::Vectorized<float>(0);
#                 for(int64_t x1=static_cast<int64_t>(0L); x1<static_cast<int64_t>(32L); x1+=static_cast<int64_t>(16L))
#                 {
#                     {
#                         if(C10_LIKELY(x1 >= static_cast<int64_t>(0) && x1 < static_cast<int64_t>(32L)))
#                         {
#                             auto tmp0 = at::vec::Vectorized<float>::loadu(in_ptr0 + static_cast<int64_t>(x1 + 32L*x0), static_cast<int64_t>(16));
#                             auto tmp1 = at::vec::Vectorized<float>::loadu(in_ptr1 + static_cast<int64_t>(x1 + 32L*x0), static_cast<int64_t>(16));
#                             auto tmp3 = at::vec::Vectorized<float>::loadu(in_ptr4 + static_cast<int64_t>(x1), static_cast<int64_t>(16));
#                             auto tmp5 = at::vec::Vectorized<float>::loadu(in_ptr2 + static_cast<int64_t>(x1 + 32L*x0), static_cast<int64_t>(16));
#                             auto tmp2 = tmp0 + tmp1;
#                             auto tmp4 = tmp2 * tmp3;
#                             auto tmp6 = tmp4 * tmp5;
#                             tmp_acc0_vec = tmp_acc0_vec + tmp6;
#                         }
#                     }
#                 }
#                 tmp_acc0 = tmp_acc0 + at::vec::vec_reduce_all<float, 1>([](at::vec::Vectorized<float>& x, at::vec::Vectorized<float>& y) { return x + y; }, tmp_acc0_vec);
#                 out_ptr1[static_cast<int64_t>(x0)] = static_cast<float>(tmp_acc0);
#             }
#             for(int64_t x1=static_cast<int64_t>(0L); x1<static_cast<int64_t>(32L); x1+=static_cast<int64_t>(16L))
#             {
#                 {
#                     if(C10_LIKELY(x1 >= static_cast<int64_t>(0) && x1 < static_cast<int64_t>(32L)))
#                     {
#                         auto tmp0 = at::vec::Vectorized<float>::loadu(in_out_ptr0 + static_cast<int64_t>(x1 + 32L*x0), static_cast<int64_t>(16));
#                         auto tmp1 = at::vec::Vectorized<float>::loadu(in_ptr0 + static_cast<int64_t>(x1 + 32L*x0), static_cast<int64_t>(16));
#                         auto tmp2 = at::vec::Vectorized<float>::loadu(in_ptr1 + static_cast<int64_t>(x1 + 32L*x0), static_cast<int64_t>(16));
#                         auto tmp4 = at::vec::Vectorized<float>::loadu(in_ptr4 + static_cast<int64_t>(x1), static_cast<int64_t>(16));
#                         auto tmp6 = in_ptr3[static_cast<int64_t>(x0)];
#                         auto tmp10 = out_ptr1[static_cast<int64_t>(x0)];
#                         auto tmp18 = at::vec::Vectorized<float>::loadu(in_ptr2 + static_cast<int64_t>(x1 + 32L*x0), static_cast<int64_t>(16));
#                         auto tmp3 = tmp1 + tmp2;
#                         auto tmp5 = tmp3 * tmp4;
#                         auto tmp7 = at::vec::Vectorized<float>(tmp6);
#                         auto tmp8 = tmp5 * tmp7;
#                         auto tmp9 = tmp0 + tmp8;
#                         auto tmp11 = static_cast<float>(-0.5);
#                         auto tmp12 = float(tmp10 * tmp11);
#                         auto tmp13 = float(tmp6 * tmp6);
#                         auto tmp14 = float(tmp13 * tmp6);
#                         auto tmp15 = float(tmp12 * tmp14);
#                         auto tmp16 = static_cast<float>(32.0);
#                         auto tmp17 = tmp15 / tmp16;
#                         auto tmp19 = static_cast<float>(2.0);
#                         auto tmp20 = at::vec::Vectorized<float>(tmp19);
#                         auto tmp21 = tmp18 * tmp20;
#                         auto tmp22 = at::vec::Vectorized<float>(tmp17);
#                         auto tmp23 = tmp22 * tmp21;
#                         auto tmp24 = tmp9 + tmp23;
#                         tmp24.store(in_out_ptr0 + static_cast<int64_t>(x1 + 32L*x0));
#                     }
#                 }
#             }
#         }
#     }
#     inductor_cpu_integer_div_error_flag = nullptr;
#     inductor_cpu_throw_if_integer_div_error(inductor_cpu_integer_div_error);
# }
# ''')
# 
# 
# cpp_fused__scaled_dot_product_flash_attention_for_cpu_backward__unsafe_view_expand_transpose_unsqueeze_view_4 = async_compile.cpp_pybinding(['const float*', 'const float*', 'const float*', 'float*', 'float*', 'float*'], r'''
# #include <torch/csrc/inductor/cpp_prefix.h>
# extern "C"  void  kernel(const float* in_ptr0,
#                        const float* in_ptr1,
#                        const float* in_ptr2,
#                        float* out_ptr0,
#                        float* out_ptr1,
#                        float* out_ptr2)
# {
#     std::atomic<int> inductor_cpu_integer_div_error{0};
#     inductor_cpu_integer_div_error_flag = &inductor_cpu_integer_div_error;
#     {
#         #pragma GCC ivdep
#         for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(2L); x0+=static_cast<int64_t>(1L))
#         {
#             #pragma GCC ivdep
#             for(int64_t x1=static_cast<int64_t>(0L); x1<static_cast<int64_t>(2L); x1+=static_cast<int64_t>(1L))
#             {
#                 for(int64_t x2=static_cast<int64_t>(0L); x2<static_cast<int64_t>(256L); x2+=static_cast<int64_t>(16L))
#                 {
#                     {
#                         if(C10_LIKELY(x2 >= static_cast<int64_t>(0) && x2 < static_cast<int64_t>(256L)))
#                         {
#                             auto tmp0 = at::vec::Vectorized<float>::loadu(in_ptr0 + static_cast<int64_t>(x2 + 256L*x0), static_cast<int64_t>(16));
#                             tmp0.store(out_ptr0 + static_cast<int64_t>(x2 + 256L*x1 + 512L*x0));
#                         }
#                     }
#                 }
#             }
#         }
#     }
#     {
#         #pragma GCC ivdep
#         for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(2L); x0+=static_cast<int64_t>(1L))
#         {
#             #pragma GCC ivdep
#             for(int64_t x1=static_cast<int64_t>(0L); x1<static_cast<int64_t>(2L); x1+=static_cast<int64_t>(1L))
#             {
#                 for(int64_t x2=static_cast<int64_t>(0L); x2<static_cast<int64_t>(256L); x2+=static_cast<int64_t>(16L))
#                 {
#                     {
#                         if(C10_LIKELY(x2 >= static_cast<int64_t>(0) && x2 < static_cast<int64_t>(256L)))
#                         {
#                             auto tmp0 = at::vec::Vectorized<float>::loadu(in_ptr1 + static_cast<int64_t>(x2 + 256L*x0), static_cast<int64_t>(16));
#                             tmp0.store(out_ptr1 + static_cast<int64_t>(x2 + 256L*x1 + 512L*x0));
#                         }
#                     }
#                 }
#             }
#         }
#     }
#     {
#         #pragma GCC ivdep
#         for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(2L); x0+=static_cast<int64_t>(1L))
#         {
#             for(int64_t x1=static_cast<int64_t>(0L); x1<static_cast<int64_t>(2L); x1+=static_cast<int64_t>(16L))
#             {
#                 for(int64_t x2=static_cast<int64_t>(0L); x2<static_cast<int64_t>(16L); x2+=static_cast<int64_t>(16L))
#                 {
#                     {
#                         if(C10_LIKELY(x1 >= static_cast<int64_t>(0L) && x1 < static_cast<int64_t>(2L) && x2 >= static_cast<int64_t>(0) && x2 < static_cast<int64_t>(16L)))
#                         {
#                             alignas(std::max(std::size_t(16), alignof(float))) float tmp0[16*16];
#                             transpose_mxn<float,static_cast<int64_t>(16),static_cast<int64_t>(2L),false>(in_ptr2 + static_cast<int64_t>(x1 + 2L*x2 + 32L*x0), static_cast<int64_t>(2L), tmp0, static_cast<int64_t>(16));
#                             for (long x1_inner = 0; x1_inner < static_cast<int64_t>(2L); x1_inner++)
#                             {
#                                 auto tmp1 = at::vec::Vectorized<float>::loadu(tmp0 + static_cast<int64_t>(16L*x1_inner), static_cast<int64_t>(16));
#                                 tmp1.store(out_ptr2 + static_cast<int64_t>(x2 + 16L*x1 + 16L*x1_inner + 32L*x0));
#                             }
#                         }
#                     }
#                 }
#             }
#         }
#     }
#     inductor_cpu_integer_div_error_flag = nullptr;
#     inductor_cpu_throw_if_integer_div_error(inductor_cpu_integer_div_error);
# }
# ''')
# 
# 
# cpp_fused_sum_view_5 = async_compile.cpp_pybinding(['const float*', 'float*'], r'''
# #include <torch/csrc/inductor/cpp_prefix.h>
# extern "C"  void  kernel(const float* in_ptr0,
#                        float* out_ptr0)
# {
#     std::atomic<int> inductor_cpu_integer_div_error{0};
#     inductor_cpu_integer_div_error_flag = &inductor_cpu_integer_div_error;
#     {
#         #pragma GCC ivdep
#         for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(32L); x0+=static_cast<int64_t>(1L))
#         {
#             for(int64_t x1=static_cast<int64_t>(0L); x1<static_cast<int64_t>(16L); x1+=static_cast<int64_t>(16L))
#             {
#                 {
#                     if(C10_LIKELY(x1 >= static_cast<int64_t>(0) && x1 < static_cast<int64_t>(16L)))
#                     {
#                         auto tmp0 = at::vec::Vectorized<float>::loadu(in_ptr0 + static_cast<int64_t>(x1 + 32L*x0), static_cast<int64_t>(16));
#                         auto tmp1 = at::vec::Vectorized<float>::loadu(in_ptr0 + static_cast<int64_t>(16L + x1 + 32L*x0), static_cast<int64_t>(16));
#                         auto tmp2 = tmp0 + tmp1;
#                         tmp2.store(out_ptr0 + static_cast<int64_t>(x1 + 16L*x0));
#                     }
#                 }
#             }
#         }
#     }
#     inductor_cpu_integer_div_error_flag = nullptr;
#     inductor_cpu_throw_if_integer_div_error(inductor_cpu_integer_div_error);
# }
# ''')
# 
# 
# cpp_fused__to_copy_add_arange_cat_cos_mul_neg_sin_slice_slice_backward_squeeze_sum_unsqueeze_view_6 = async_compile.cpp_pybinding(['const float*', 'const float*', 'float*'], r'''
# #include <torch/csrc/inductor/cpp_prefix.h>
# extern "C"  void  kernel(const float* in_ptr0,
#                        const float* in_ptr1,
#                        float* out_ptr0)
# {
#     std::atomic<int> inductor_cpu_integer_div_error{0};
#     inductor_cpu_integer_div_error_flag = &inductor_cpu_integer_div_error;
#     {
#         #pragma GCC ivdep
#         for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(2L); x0+=static_cast<int64_t>(1L))
#         {
#             #pragma GCC ivdep
#             for(int64_t x1=static_cast<int64_t>(0L); x1<static_cast<int64_t>(16L); x1+=static_cast<int64_t>(1L))
#             {
#                 for(int64_t x2=static_cast<int64_t>(0L); x2<static_cast<int64_t>(16L); x2+=static_cast<int64_t>(16L))
#                 {
#                     {
#                         if(C10_LIKELY(x2 >= static_cast<int64_t>(0) && x2 < static_cast<int64_t>(16L)))
#                         {
#                             auto tmp47 = at::vec::Vectorized<float>::loadu(in_ptr0 + static_cast<int64_t>(x2 + 32L*x1 + 512L*x0), static_cast<int64_t>(16));
#                             auto tmp48 = at::vec::Vectorized<float>::loadu(in_ptr0 + static_cast<int64_t>(16L + x2 + 32L*x1 + 512L*x0), static_cast<int64_t>(16));
#                             auto tmp50 =
#                             [&]
#                             {
#                                 __at_align__ std::array<float, 16> tmpbuf;
#                                 #pragma GCC unroll 16
#                                 for (long x2_inner = 0; x2_inner < static_cast<int64_t>(16); x2_inner++)
#                                 {
#                                     tmpbuf[x2_inner] = in_ptr1[static_cast<int64_t>((static_cast<int64_t>(x2 + x2_inner) % static_cast<int64_t>(8L)))];
#                                 }
#                                 return at::vec::Vectorized<float>::loadu(tmpbuf.data(), static_cast<int64_t>(16));
#                             }
#                             ()
#                             ;
#                             auto tmp0 = x2;
#                             auto tmp1 = c10::convert<int64_t>(tmp0);
#                             auto tmp2 = at::vec::VectorizedN<int64_t,2>::arange(tmp1, 1);
#                             auto tmp3 = static_cast<int64_t>(8);
#                             auto tmp4 = at::vec::VectorizedN<int64_t,2>(tmp3);
#                             auto tmp5 = at::vec::VecMask<int64_t,2>(tmp2 >= tmp4);
#                             auto tmp6 = [&]
#                             {
#                                 auto tmp7 = tmp5.template cast<float,1>().template loadu<float,1>(in_ptr0 + static_cast<int64_t>((-8L) + x2 + 32L*x1 + 512L*x0));
#                                 auto tmp8 = tmp5.template cast<float,1>().template loadu<float,1>(in_ptr0 + static_cast<int64_t>(8L + x2 + 32L*x1 + 512L*x0));
#                                 auto tmp9 = tmp7 + tmp8;
#                                 auto tmp10 =
#                                 [&]
#                                 {
#                                     __at_align__ std::array<float, 16> tmpbuf;
#                                     #pragma GCC unroll 16
#                                     for (long x2_inner = 0; x2_inner < static_cast<int64_t>(16); x2_inner++)
#                                     {
#                                         if (tmp5.is_masked(x2_inner))
#                                         {
#                                             tmpbuf[x2_inner] = in_ptr1[static_cast<int64_t>((static_cast<int64_t>(x2 + x2_inner) % static_cast<int64_t>(8L)))];
#                                         }
#                                     }
#                                     return at::vec::Vectorized<float>::loadu(tmpbuf.data(), static_cast<int64_t>(16));
#                                 }
#                                 ()
#                                 ;
#                                 auto tmp11 = x1;
#                                 auto tmp12 = c10::convert<float>(tmp11);
#                                 auto tmp13 = at::vec::Vectorized<float>(tmp12);
#                                 auto tmp14 = tmp13 * tmp10;
#                                 auto tmp15 = tmp14.sin();
#                                 auto tmp16 = static_cast<float>(1.0);
#                                 auto tmp17 = at::vec::Vectorized<float>(tmp16);
#                                 auto tmp18 = tmp15 * tmp17;
#                                 auto tmp19 = tmp9 * tmp18;
#                                 auto tmp20 = tmp19.neg();
#                                 return tmp20;
#                             }
#                             ;
#                             auto tmp23 =
#                             [&]
#                             {
#                                 if (tmp5.all_zero())
#                                 {
#                                     return at::vec::Vectorized<float>(static_cast<float>(0.0));
#                                 }
#                                 else
#                                 {
#                                     auto tmp21 = tmp6();
#                                     auto tmp22 = at::vec::Vectorized<float>(static_cast<float>(0.0));
#                                     return decltype(tmp21)::blendv(tmp22, tmp21, tmp5.template cast<float,1>());
#                                 }
#                             }
#                             ()
#                             ;
#                             auto tmp24 = static_cast<float>(0.0);
#                             auto tmp25 = at::vec::Vectorized<float>(tmp24);
#                             auto tmp26 = decltype(tmp23)::blendv(tmp25, tmp23, tmp5.template cast<float,1>());
#                             auto tmp27 = at::vec::VecMask<int64_t,2>(tmp2 < tmp4);
#                             auto tmp28 = [&]
#                             {
#                                 auto tmp29 = tmp27.template cast<float,1>().template loadu<float,1>(in_ptr0 + static_cast<int64_t>(8L + x2 + 32L*x1 + 512L*x0));
#                                 auto tmp30 = tmp27.template cast<float,1>().template loadu<float,1>(in_ptr0 + static_cast<int64_t>(24L + x2 + 32L*x1 + 512L*x0));
#                                 auto tmp31 = tmp29 + tmp30;
#                                 auto tmp32 =
#                                 [&]
#                                 {
#                                     __at_align__ std::array<float, 16> tmpbuf;
#                                     #pragma GCC unroll 16
#                                     for (long x2_inner = 0; x2_inner < static_cast<int64_t>(16); x2_inner++)
#                                     {
#                                         if (tmp27.is_masked(x2_inner))
#                                         {
#                                             tmpbuf[x2_inner] = in_ptr1[static_cast<int64_t>((static_cast<int64_t>(x2 + x2_inner) % static_cast<int64_t>(8L)))];
#                                         }
#                                     }
#                                     return at::vec::Vectorized<float>::loadu(tmpbuf.data(), static_cast<int64_t>(16));
#                                 }
#                                 ()
#                                 ;
#                                 auto tmp33 = x1;
#                                 auto tmp34 = c10::convert<float>(tmp33);
#                                 auto tmp35 = at::vec::Vectorized<float>(tmp34);
#                                 auto tmp36 = tmp35 * tmp32;
#                                 auto tmp37 = tmp36.sin();
#                                 auto tmp38 = static_cast<float>(1.0);
#                                 auto tmp39 = at::vec::Vectorized<float>(tmp38);
#                                 auto tmp40 = tmp37 * tmp39;
#                                 auto tmp41 = tmp31 * tmp40;
#                                 return tmp41;
#                             }
#                             ;
#                             auto tmp44 =
#                             [&]
#                             {
#                                 if (tmp27.all_zero())
#                                 {
#                                     return at::vec::Vectorized<float>(static_cast<float>(0.0));
#                                 }
#                                 else
#                                 {
#                                     auto tmp42 = tmp28();
#                                     auto tmp43 = at::vec::Vectorized<float>(static_cast<float>(0.0));
#                                     return decltype(tmp42)::blendv(tmp43, tmp42, tmp27.template cast<float,1>());
#                                 }
#                             }
#                             ()
#                             ;
#                             auto tmp45 = decltype(tmp44)::blendv(tmp25, tmp44, tmp27.template cast<float,1>());
#                             auto tmp46 = tmp26 + tmp45;
#                             auto tmp49 = tmp47 + tmp48;
#                             auto tmp51 = x1;
#                             auto tmp52 = c10::convert<float>(tmp51);
#                             auto tmp53 = at::vec::Vectorized<float>(tmp52);
#                             auto tmp54 = tmp53 * tmp50;
#                             auto tmp55 = tmp54.cos();
#                             auto tmp56 = static_cast<float>(1.0);
#                             auto tmp57 = at::vec::Vectorized<float>(tmp56);
#                             auto tmp58 = tmp55 * tmp57;
#                             auto tmp59 = tmp49 * tmp58;
#                             auto tmp60 = tmp46 + tmp59;
#                             tmp60.store(out_ptr0 + static_cast<int64_t>(x2 + 16L*x1 + 256L*x0));
#                         }
#                     }
#                 }
#             }
#         }
#     }
#     inductor_cpu_integer_div_error_flag = nullptr;
#     inductor_cpu_throw_if_integer_div_error(inductor_cpu_integer_div_error);
# }
# ''')
# 
# 
# cpp_fused__to_copy_add_arange_cat_clone_cos_mul_neg_sin_slice_slice_backward_transpose_unsqueeze_7 = async_compile.cpp_pybinding(['const float*', 'const float*', 'float*'], r'''
# #include <torch/csrc/inductor/cpp_prefix.h>
# extern "C"  void  kernel(const float* in_ptr0,
#                        const float* in_ptr1,
#                        float* out_ptr0)
# {
#     std::atomic<int> inductor_cpu_integer_div_error{0};
#     inductor_cpu_integer_div_error_flag = &inductor_cpu_integer_div_error;
#     {
#         #pragma GCC ivdep
#         for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(2L); x0+=static_cast<int64_t>(1L))
#         {
#             #pragma GCC ivdep
#             for(int64_t x1=static_cast<int64_t>(0L); x1<static_cast<int64_t>(16L); x1+=static_cast<int64_t>(1L))
#             {
#                 #pragma GCC ivdep
#                 for(int64_t x2=static_cast<int64_t>(0L); x2<static_cast<int64_t>(2L); x2+=static_cast<int64_t>(1L))
#                 {
#                     for(int64_t x3=static_cast<int64_t>(0L); x3<static_cast<int64_t>(16L); x3+=static_cast<int64_t>(16L))
#                     {
#                         {
#                             if(C10_LIKELY(x3 >= static_cast<int64_t>(0) && x3 < static_cast<int64_t>(16L)))
#                             {
#                                 auto tmp43 = at::vec::Vectorized<float>::loadu(in_ptr0 + static_cast<int64_t>(x3 + 16L*x2 + 32L*x1 + 512L*x0), static_cast<int64_t>(16));
#                                 auto tmp44 =
#                                 [&]
#                                 {
#                                     __at_align__ std::array<float, 16> tmpbuf;
#                                     #pragma GCC unroll 16
#                                     for (long x3_inner = 0; x3_inner < static_cast<int64_t>(16); x3_inner++)
#                                     {
#                                         tmpbuf[x3_inner] = in_ptr1[static_cast<int64_t>((static_cast<int64_t>(x3 + x3_inner) % static_cast<int64_t>(8L)))];
#                                     }
#                                     return at::vec::Vectorized<float>::loadu(tmpbuf.data(), static_cast<int64_t>(16));
#                                 }
#                                 ()
#                                 ;
#                                 auto tmp0 = x3;
#                                 auto tmp1 = c10::convert<int64_t>(tmp0);
#                                 auto tmp2 = at::vec::VectorizedN<int64_t,2>::arange(tmp1, 1);
#                                 auto tmp3 = static_cast<int64_t>(8);
#                                 auto tmp4 = at::vec::VectorizedN<int64_t,2>(tmp3);
#                                 auto tmp5 = at::vec::VecMask<int64_t,2>(tmp2 >= tmp4);
#                                 auto tmp6 = [&]
#                                 {
#                                     auto tmp7 = tmp5.template cast<float,1>().template loadu<float,1>(in_ptr0 + static_cast<int64_t>((-8L) + x3 + 16L*x2 + 32L*x1 + 512L*x0));
#                                     auto tmp8 =
#                                     [&]
#                                     {
#                                         __at_align__ std::array<float, 16> tmpbuf;
#                                         #pragma GCC unroll 16
#                                         for (long x3_inner = 0; x3_inner < static_cast<int64_t>(16); x3_inner++)
#                                         {
#                                             if (tmp5.is_masked(x3_inner))
#                                             {
#                                                 tmpbuf[x3_inner] = in_ptr1[static_cast<int64_t>((static_cast<int64_t>(x3 + x3_inner) % static_cast<int64_t>(8L)))];
#                                             }
#                                         }
#                                         return at::vec::Vectorized<float>::loadu(tmpbuf.data(), static_cast<int64_t>(16));
#                                     }
#                                     ()
#                                     ;
#                                     auto tmp9 = x1;
#                                     auto tmp10 = c10::convert<float>(tmp9);
#                                     auto tmp11 = at::vec::Vectorized<float>(tmp10);
#                                     auto tmp12 = tmp11 * tmp8;
#                                     auto tmp13 = tmp12.sin();
#                                     auto tmp14 = static_cast<float>(1.0);
#                                     auto tmp15 = at::vec::Vectorized<float>(tmp14);
#                                     auto tmp16 = tmp13 * tmp15;
#                                     auto tmp17 = tmp7 * tmp16;
#                                     auto tmp18 = tmp17.neg();
#                                     return tmp18;
#                                 }
#                                 ;
#                                 auto tmp21 =
#                                 [&]
#                                 {
#                                     if (tmp5.all_zero())
#                                     {
#                                         return at::vec::Vectorized<float>(static_cast<float>(0.0));
#                                     }
#                                     else
#                                     {
#                                         auto tmp19 = tmp6();
#                                         auto tmp20 = at::vec::Vectorized<float>(static_cast<float>(0.0));
#                                         return decltype(tmp19)::blendv(tmp20, tmp19, tmp5.template cast<float,1>());
#                                     }
#                                 }
#                                 ()
#                                 ;
#                                 auto tmp22 = static_cast<float>(0.0);
#                                 auto tmp23 = at::vec::Vectorized<float>(tmp22);
#                                 auto tmp24 = decltype(tmp21)::blendv(tmp23, tmp21, tmp5.template cast<float,1>());
#                                 auto tmp25 = at::vec::VecMask<int64_t,2>(tmp2 < tmp4);
#                                 auto tmp26 = [&]
#                                 {
#                                     auto tmp27 = tmp25.template cast<float,1>().template loadu<float,1>(in_ptr0 + static_cast<int64_t>(8L + x3 + 16L*x2 + 32L*x1 + 512L*x0));
#                                     auto tmp28 =
#                                     [&]
#                                     {
#                                         __at_align__ std::array<float, 16> tmpbuf;
#                                         #pragma GCC unroll 16
#                                         for (long x3_inner = 0; x3_inner < static_cast<int64_t>(16); x3_inner++)
#                                         {
#                                             if (tmp25.is_masked(x3_inner))
#                                             {
#                                                 tmpbuf[x3_inner] = in_ptr1[static_cast<int64_t>((static_cast<int64_t>(x3 + x3_inner) % static_cast<int64_t>(8L)))];
#                                             }
#                                         }
#                                         return at::vec::Vectorized<float>::loadu(tmpbuf.data(), static_cast<int64_t>(16));
#                                     }
#                                     ()
#                                     ;
#                                     auto tmp29 = x1;
#                                     auto tmp30 = c10::convert<float>(tmp29);
#                                     auto tmp31 = at::vec::Vectorized<float>(tmp30);
#                                     auto tmp32 = tmp31 * tmp28;
#                                     auto tmp33 = tmp32.sin();
#                                     auto tmp34 = static_cast<float>(1.0);
#                                     auto tmp35 = at::vec::Vectorized<float>(tmp34);
#                                     auto tmp36 = tmp33 * tmp35;
#                                     auto tmp37 = tmp27 * tmp36;
#                                     return tmp37;
#                                 }
#                                 ;
#                                 auto tmp40 =
#                                 [&]
#                                 {
#                                     if (tmp25.all_zero())
#                                     {
#                                         return at::vec::Vectorized<float>(static_cast<float>(0.0));
#                                     }
#                                     else
#                                     {
#                                         auto tmp38 = tmp26();
#                                         auto tmp39 = at::vec::Vectorized<float>(static_cast<float>(0.0));
#                                         return decltype(tmp38)::blendv(tmp39, tmp38, tmp25.template cast<float,1>());
#                                     }
#                                 }
#                                 ()
#                                 ;
#                                 auto tmp41 = decltype(tmp40)::blendv(tmp23, tmp40, tmp25.template cast<float,1>());
#                                 auto tmp42 = tmp24 + tmp41;
#                                 auto tmp45 = x1;
#                                 auto tmp46 = c10::convert<float>(tmp45);
#                                 auto tmp47 = at::vec::Vectorized<float>(tmp46);
#                                 auto tmp48 = tmp47 * tmp44;
#                                 auto tmp49 = tmp48.cos();
#                                 auto tmp50 = static_cast<float>(1.0);
#                                 auto tmp51 = at::vec::Vectorized<float>(tmp50);
#                                 auto tmp52 = tmp49 * tmp51;
#                                 auto tmp53 = tmp43 * tmp52;
#                                 auto tmp54 = tmp42 + tmp53;
#                                 tmp54.store(out_ptr0 + static_cast<int64_t>(x3 + 16L*x2 + 32L*x1 + 512L*x0));
#                             }
#                         }
#                     }
#                 }
#             }
#         }
#     }
#     inductor_cpu_integer_div_error_flag = nullptr;
#     inductor_cpu_throw_if_integer_div_error(inductor_cpu_integer_div_error);
# }
# ''')
# 
# 
# cpp_fused_add_div_expand_mul_pow_sum_view_8 = async_compile.cpp_pybinding(['float*', 'const float*', 'const float*', 'const float*', 'const float*', 'const float*', 'const float*', 'float*', 'float*'], r'''
# #include <torch/csrc/inductor/cpp_prefix.h>
# extern "C"  void  kernel(float* in_out_ptr0,
#                        const float* in_ptr0,
#                        const float* in_ptr1,
#                        const float* in_ptr2,
#                        const float* in_ptr3,
#                        const float* in_ptr4,
#                        const float* in_ptr5,
#                        float* out_ptr0,
#                        float* out_ptr1)
# {
#     std::atomic<int> inductor_cpu_integer_div_error{0};
#     inductor_cpu_integer_div_error_flag = &inductor_cpu_integer_div_error;
#     {
#         for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(32L); x0+=static_cast<int64_t>(16L))
#         {
#             {
#                 float tmp_acc0 = 0;
#                 at::vec::Vectorized<float> tmp_acc0_vec = at::vec::Vectorized<float>(0);
#                 for(int64_t x1=static_cast<int64_t>(0L); x1<static_cast<int64_t>(32L); x1+=static_cast<int64_t>(1L))
#                 {
#                     {
#                         if(C10_LIKELY(x0 >= static_cast<int64_t>(0) && x0 < static_cast<int64_t>(32L)))
#                         {
#                             auto tmp0 = at::vec::Vectorized<float>::loadu(in_ptr0 + static_cast<int64_t>(x0 + 32L*x1), static_cast<int64_t>(16));
#                             auto tmp1 = at::vec::Vectorized<float>::loadu(in_ptr1 + static_cast<int64_t>(x0 + 32L*x1), static_cast<int64_t>(16));
#                             auto tmp3 = at::vec::Vectorized<float>::loadu(in_ptr2 + static_cast<int64_t>(x0 + 32L*x1), static_cast<int64_t>(16));
#                             auto tmp5 = at::vec::Vectorized<float>::loadu(in_ptr3 + static_cast<int64_t>(x0 + 32L*x1), static_cast<int64_t>(16));
#                             auto tmp6 = in_ptr4[static_cast<int64_t>(x1)];
#                             auto tmp2 = tmp0 + tmp1;
#                             auto tmp4 = tmp2 + tmp3;
#                             auto tmp7 = at::vec::Vectorized<float>(tmp6);
#                             auto tmp8 = tmp5 * tmp7;
#                             auto tmp9 = tmp4 * tmp8;
#                             tmp_acc0_vec = tmp_acc0_vec + tmp9;
#                         }
#                     }
#                 }
#                 if(C10_LIKELY(x0 >= static_cast<int64_t>(0) && x0 < static_cast<int64_t>(32L)))
#                 {
#                     tmp_acc0_vec.store(out_ptr0 + static_cast<int64_t>(x0));
#                 }
#             }
#         }
#     }
#     {
#         #pragma GCC ivdep
#         for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(32L); x0+=static_cast<int64_t>(1L))
#         {
#             {
#                 float tmp_acc0 = 0;
#                 at::vec::Vectorized<float> tmp_acc0_vec = at::vec::Vectorized<float>(0);
#                 for(int64_t x1=static_cast<int64_t>(0L); x1<static_cast<int64_t>(32L); x1+=static_cast<int64_t>(16L))
#                 {
#                     {
#                         if(C10_LIKELY(x1 >= static_cast<int64_t>(0) && x1 < static_cast<int64_t>(32L)))
#                         {
#                             auto tmp0 = at::vec::Vectorized<float>::loadu(in_ptr0 + static_cast<int64_t>(x1 + 32L*x0), static_cast<int64_t>(16));
#                             auto tmp1 = at::vec::Vectorized<float>::loadu(in_ptr1 + static_cast<int64_t>(x1 + 32L*x0), static_cast<int64_t>(16));
#                             auto tmp3 = at::vec::Vectorized<float>::loadu(in_ptr2 + static_cast<int64_t>(x1 + 32L*x0), static_cast<int64_t>(16));
#                             auto tmp5 = at::vec::Vectorized<float>::loadu(in_ptr5 + static_cast<int64_t>(x1), static_cast<int64_t>(16));
#                             auto tmp7 = at::vec::Vectorized<float>::loadu(in_ptr3 + static_cast<int64_t>(x1 + 32L*x0), static_cast<int64_t>(16));
#                             auto tmp2 = tmp0 + tmp1;
#                             auto tmp4 = tmp2 + tmp3;
#                             auto tmp6 = tmp4 * tmp5;
#                             auto tmp8 = tmp6 * tmp7;
#                             tmp_acc0_vec = tmp_acc0_vec + tmp8;
#                         }
#                     }
#                 }
#                 tmp_acc0 = tmp_acc0 + at::vec::vec_reduce_all<float, 1>([](at::vec::Vectorized<float>& x, at::vec::Vectorized<float>& y) { return x + y; }, tmp_acc0_vec);
#                 out_ptr1[static_cast<int64_t>(x0)] = static_cast<float>(tmp_acc0);
#             }
#             for(int64_t x1=static_cast<int64_t>(0L); x1<static_cast<int64_t>(32L); x1+=static_cast<int64_t>(16L))
#             {
#                 {
#                     if(C10_LIKELY(x1 >= static_cast<int64_t>(0) && x1 < static_cast<int64_t>(32L)))
#                     {
#                         auto tmp0 = at::vec::Vectorized<float>::loadu(in_out_ptr0 + static_cast<int64_t>(x1 + 32L*x0), static_cast<int64_t>(16));
#                         auto tmp1 = at::vec::Vectorized<float>::loadu(in_ptr0 + static_cast<int64_t>(x1 + 32L*x0), static_cast<int64_t>(16));
#                         auto tmp2 = at::vec::Vectorized<float>::loadu(in_ptr1 + static_cast<int64_t>(x1 + 32L*x0), static_cast<int64_t>(16));
#                         auto tmp4 = at::vec::Vectorized<float>::loadu(in_ptr2 + static_cast<int64_t>(x1 + 32L*x0), static_cast<int64_t>(16));
#                         auto tmp6 = at::vec::Vectorized<float>::loadu(in_ptr5 + static_cast<int64_t>(x1), static_cast<int64_t>(16));
#                         auto tmp8 = in_ptr4[static_cast<int64_t>(x0)];
#                         auto tmp12 = out_ptr1[static_cast<int64_t>(x0)];
#                         auto tmp20 = at::vec::Vectorized<float>::loadu(in_ptr3 + static_cast<int64_t>(x1 + 32L*x0), static_cast<int64_t>(16));
#                         auto tmp3 = tmp1 + tmp2;
#                         auto tmp5 = tmp3 + tmp4;
#                         auto tmp7 = tmp5 * tmp6;
#                         auto tmp9 = at::vec::Vectorized<float>(tmp8);
#                         auto tmp10 = tmp7 * tmp9;
#                         auto tmp11 = tmp0 + tmp10;
#                         auto tmp13 = static_cast<float>(-0.5);
#                         auto tmp14 = float(tmp12 * tmp13);
#                         auto tmp15 = float(tmp8 * tmp8);
#                         auto tmp16 = float(tmp15 * tmp8);
#                         auto tmp17 = float(tmp14 * tmp16);
#                         auto tmp18 = static_cast<float>(32.0);
#                         auto tmp19 = tmp17 / tmp18;
#                         auto tmp21 = static_cast<float>(2.0);
#                         auto tmp22 = at::vec::Vectorized<float>(tmp21);
#                         auto tmp23 = tmp20 * tmp22;
#                         auto tmp24 = at::vec::Vectorized<float>(tmp19);
#                         auto tmp25 = tmp24 * tmp23;
#                         auto tmp26 = tmp11 + tmp25;
#                         tmp26.store(in_out_ptr0 + static_cast<int64_t>(x1 + 32L*x0));
#                     }
#                 }
#             }
#         }
#     }
#     inductor_cpu_integer_div_error_flag = nullptr;
#     inductor_cpu_throw_if_integer_div_error(inductor_cpu_integer_div_error);
# }
# ''')
# 
# 
# cpp_fused__unsafe_view_add_div_expand_mul_pow_sum_view_9 = async_compile.cpp_pybinding(['float*', 'const float*', 'const float*', 'const float*', 'const float*', 'const float*', 'const float*', 'float*'], r'''
# #include <torch/csrc/inductor/cpp_prefix.h>
# extern "C"  void  kernel(float* in_out_ptr0,
#                        const float* in_ptr0,
#                        const float* in_ptr1,
#                        const float* in_ptr2,
#                        const float* in_ptr3,
#                        const float* in_ptr4,
#                        const float* in_ptr5,
#                        float* out_ptr0)
# {
#     std::atomic<int> inductor_cpu_integer_div_error{0};
#     inductor_cpu_integer_div_error_flag = &inductor_cpu_integer_div_error;
#     {
#         #pragma GCC ivdep
#         for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(32L); x0+=static_cast<int64_t>(1L))
#         {
#             {
#                 float tmp_acc0 = 0;
#                 at::vec::Vectorized<float> tmp_acc0_vec = at::vec::Vectorized<float>(0);
#                 for(int64_t x1=static_cast<int64_t>(0L); x1<static_cast<int64_t>(32L); x1+=static_cast<int64_t>(16L))
#                 {
#                     {
#                         if(C10_LIKELY(x1 >= static_cast<int64_t>(0) && x1 < static_cast<int64_t>(32L)))
#                         {
#                             auto tmp0 = at::vec::Vectorized<float>::loadu(in_ptr0 + static_cast<int64_t>(x1 + 32L*x0), static_cast<int64_t>(16));
#                             auto tmp1 = at::vec::Vectorized<float>::loadu(in_ptr1 + static_cast<int64_t>(x1 + 32L*x0), static_cast<int64_t>(16));
#                             auto tmp3 = at::vec::Vectorized<float>::loadu(in_ptr2 + static_cast<int64_t>(x1), static_cast<int64_t>(16));
#                             auto tmp5 = at::vec::Vectorized<float>::loadu(in_ptr3 + static_cast<int64_t>(x1 + 32L*x0), static_cast<int64_t>(16));
#                             auto tmp6 = at::vec::Vectorized<float>::loadu(in_ptr4 + static_cast<int64_t>(x1 + 32L*x0), static_cast<int64_t>(16));
#                             auto tmp2 = tmp0 + tmp1;
#                             auto tmp4 = tmp2 * tmp3;
#                             auto tmp7 = tmp5 + tmp6;
#                             auto tmp8 = tmp4 * tmp7;
#                             tmp_acc0_vec = tmp_acc0_vec + tmp8;
#                         }
#                     }
#                 }
#                 tmp_acc0 = tmp_acc0 + at::vec::vec_reduce_all<float, 1>([](at::vec::Vectorized<float>& x, at::vec::Vectorized<float>& y) { return x + y; }, tmp_acc0_vec);
#                 out_ptr0[static_cast<int64_t>(x0)] = static_cast<float>(tmp_acc0);
#             }
#             for(int64_t x1=static_cast<int64_t>(0L); x1<static_cast<int64_t>(32L); x1+=static_cast<int64_t>(16L))
#             {
#                 {
#                     if(C10_LIKELY(x1 >= static_cast<int64_t>(0) && x1 < static_cast<int64_t>(32L)))
#                     {
#                         auto tmp0 = at::vec::Vectorized<float>::loadu(in_out_ptr0 + static_cast<int64_t>(x1 + 32L*x0), static_cast<int64_t>(16));
#                         auto tmp1 = at::vec::Vectorized<float>::loadu(in_ptr0 + static_cast<int64_t>(x1 + 32L*x0), static_cast<int64_t>(16));
#                         auto tmp2 = at::vec::Vectorized<float>::loadu(in_ptr1 + static_cast<int64_t>(x1 + 32L*x0), static_cast<int64_t>(16));
#                         auto tmp4 = at::vec::Vectorized<float>::loadu(in_ptr2 + static_cast<int64_t>(x1), static_cast<int64_t>(16));
#                         auto tmp6 = in_ptr5[static_cast<int64_t>(x0)];
#                         auto tmp10 = out_ptr0[static_cast<int64_t>(x0)];
#                         auto tmp18 = at::vec::Vectorized<float>::loadu(in_ptr3 + static_cast<int64_t>(x1 + 32L*x0), static_cast<int64_t>(16));
#                         auto tmp19 = at::vec::Vectorized<float>::loadu(in_ptr4 + static_cast<int64_t>(x1 + 32L*x0), static_cast<int64_t>(16));
#                         auto tmp3 = tmp1 + tmp2;
#                         auto tmp5 = tmp3 * tmp4;
#                         auto tmp7 = at::vec::Vectorized<float>(tmp6);
#                         auto tmp8 = tmp5 * tmp7;
#                         auto tmp9 = tmp0 + tmp8;
#                         auto tmp11 = static_cast<float>(-0.5);
#                         auto tmp12 = float(tmp10 * tmp11);
#                         auto tmp13 = float(tmp6 * tmp6);
#                         auto tmp14 = float(tmp13 * tmp6);
#                         auto tmp15 = float(tmp12 * tmp14);
#                         auto tmp16 = static_cast<float>(32.0);
#                         auto tmp17 = tmp15 / tmp16;
#                         auto tmp20 = tmp18 + tmp19;
#                         auto tmp21 = static_cast<float>(2.0);
#                         auto tmp22 = at::vec::Vectorized<float>(tmp21);
#                         auto tmp23 = tmp20 * tmp22;
#                         auto tmp24 = at::vec::Vectorized<float>(tmp17);
#                         auto tmp25 = tmp24 * tmp23;
#                         auto tmp26 = tmp9 + tmp25;
#                         tmp26.store(in_out_ptr0 + static_cast<int64_t>(x1 + 32L*x0));
#                     }
#                 }
#             }
#         }
#     }
#     inductor_cpu_integer_div_error_flag = nullptr;
#     inductor_cpu_throw_if_integer_div_error(inductor_cpu_integer_div_error);
# }
# ''')
# 
# 
# cpp_fused__unsafe_view_add_mul_sum_view_10 = async_compile.cpp_pybinding(['const float*', 'const float*', 'const float*', 'const float*', 'const float*', 'const float*', 'const float*', 'const float*', 'const float*', 'float*', 'float*'], r'''
# #include <torch/csrc/inductor/cpp_prefix.h>
# extern "C"  void  kernel(const float* in_ptr0,
#                        const float* in_ptr1,
#                        const float* in_ptr2,
#                        const float* in_ptr3,
#                        const float* in_ptr4,
#                        const float* in_ptr5,
#                        const float* in_ptr6,
#                        const float* in_ptr7,
#                        const float* in_ptr8,
#                        float* out_ptr0,
#                        float* out_ptr1)
# {
#     std::atomic<int> inductor_cpu_integer_div_error{0};
#     inductor_cpu_integer_div_error_flag = &inductor_cpu_integer_div_error;
#     {
#         for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(32L); x0+=static_cast<int64_t>(16L))
#         {
#             {
#                 float tmp_acc0 = 0;
#                 at::vec::Vectorized<float> tmp_acc0_vec = at::vec::Vectorized<float>(0);
#                 float tmp_acc1 = 0;
#                 at::vec::Vectorized<float> tmp_acc1_vec = at::vec::Vectorized<float>(0);
#                 for(int64_t x1=static_cast<int64_t>(0L); x1<static_cast<int64_t>(32L); x1+=static_cast<int64_t>(1L))
#                 {
#                     {
#                         if(C10_LIKELY(x0 >= static_cast<int64_t>(0) && x0 < static_cast<int64_t>(32L)))
#                         {
#                             auto tmp0 = at::vec::Vectorized<float>::loadu(in_ptr0 + static_cast<int64_t>(x0 + 32L*x1), static_cast<int64_t>(16));
#                             auto tmp1 = at::vec::Vectorized<float>::loadu(in_ptr1 + static_cast<int64_t>(x0 + 32L*x1), static_cast<int64_t>(16));
#                             auto tmp3 = at::vec::Vectorized<float>::loadu(in_ptr2 + static_cast<int64_t>(x0 + 32L*x1), static_cast<int64_t>(16));
#                             auto tmp4 = at::vec::Vectorized<float>::loadu(in_ptr3 + static_cast<int64_t>(x0 + 32L*x1), static_cast<int64_t>(16));
#                             auto tmp6 = in_ptr4[static_cast<int64_t>(x1)];
#                             auto tmp10 = at::vec::Vectorized<float>::loadu(in_ptr5 + static_cast<int64_t>(x0 + 32L*x1), static_cast<int64_t>(16));
#                             auto tmp11 = at::vec::Vectorized<float>::loadu(in_ptr6 + static_cast<int64_t>(x0 + 32L*x1), static_cast<int64_t>(16));
#                             auto tmp13 = at::vec::Vectorized<float>::loadu(in_ptr7 + static_cast<int64_t>(x0 + 32L*x1), static_cast<int64_t>(16));
#                             auto tmp15 = in_ptr8[static_cast<int64_t>(x1)];
#                             auto tmp2 = tmp0 + tmp1;
#                             auto tmp5 = tmp3 + tmp4;
#                             auto tmp7 = at::vec::Vectorized<float>(tmp6);
#                             auto tmp8 = tmp5 * tmp7;
#                             auto tmp9 = tmp2 * tmp8;
#                             auto tmp12 = tmp10 + tmp11;
#                             auto tmp14 = tmp12 + tmp13;
#                             auto tmp16 = at::vec::Vectorized<float>(tmp15);
#                             auto tmp17 = tmp3 * tmp16;
#                             auto tmp18 = tmp14 * tmp17;
#                             tmp_acc0_vec = tmp_acc0_vec + tmp9;
#                             tmp_acc1_vec = tmp_acc1_vec + tmp18;
#                         }
#                     }
#                 }
#                 if(C10_LIKELY(x0 >= static_cast<int64_t>(0) && x0 < static_cast<int64_t>(32L)))
#                 {
#                     tmp_acc0_vec.store(out_ptr0 + static_cast<int64_t>(x0));
#                     tmp_acc1_vec.store(out_ptr1 + static_cast<int64_t>(x0));
#                 }
#             }
#         }
#     }
#     inductor_cpu_integer_div_error_flag = nullptr;
#     inductor_cpu_throw_if_integer_div_error(inductor_cpu_integer_div_error);
# }
# ''')
# 
# 
# cpp_fused_add_div_embedding_dense_backward_expand_mul_pow_sum_view_11 = async_compile.cpp_pybinding(['const float*', 'const float*', 'const float*', 'const float*', 'const float*', 'const int64_t*', 'const float*', 'const float*', 'float*', 'float*'], r'''
# #include <torch/csrc/inductor/cpp_prefix.h>
# extern "C"  void  kernel(const float* in_ptr0,
#                        const float* in_ptr1,
#                        const float* in_ptr2,
#                        const float* in_ptr3,
#                        const float* in_ptr4,
#                        const int64_t* in_ptr5,
#                        const float* in_ptr6,
#                        const float* in_ptr7,
#                        float* out_ptr0,
#                        float* out_ptr1)
# {
#     std::atomic<int> inductor_cpu_integer_div_error{0};
#     inductor_cpu_integer_div_error_flag = &inductor_cpu_integer_div_error;
#     {
#         for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(2048L); x0+=static_cast<int64_t>(16L))
#         {
#             {
#                 if(C10_LIKELY(x0 >= static_cast<int64_t>(0) && x0 < static_cast<int64_t>(2048L)))
#                 {
#                     auto tmp0 = static_cast<float>(0.0);
#                     auto tmp1 = at::vec::Vectorized<float>(tmp0);
#                     tmp1.store(out_ptr0 + static_cast<int64_t>(x0));
#                 }
#             }
#         }
#     }
#     {
#         #pragma GCC ivdep
#         for(int64_t x0=static_cast<int64_t>(0L); x0<static_cast<int64_t>(32L); x0+=static_cast<int64_t>(1L))
#         {
#             {
#                 float tmp_acc0 = 0;
#                 at::vec::Vectorized<float> tmp_acc0_vec = at::vec::Vectorized<float>(0);
#                 for(int64_t x1=static_cast<int64_t>(0L); x1<static_cast<int64_t>(32L); x1+=static_cast<int64_t>(16L))
#                 {
#                     {
#                         if(C10_LIKELY(x1 >= static_cast<int64_t>(0) && x1 < static_cast<int64_t>(32L)))
#                         {
#                             auto tmp0 = at::vec::Vectorized<float>::loadu(in_ptr0 + static_cast<int64_t>(x1 + 32L*x0), static_cast<int64_t>(16));
#                             auto tmp1 = at::vec::Vectorized<float>::loadu(in_ptr1 + static_cast<int64_t>(x1 + 32L*x0), static_cast<int64_t>(16));
#                             auto tmp3 = at::vec::Vectorized<float>::loadu(in_ptr2 + static_cast<int64_t>(x1 + 32L*x0), static_cast<int64_t>(16));
#                             auto tmp5 = at::vec::Vectorized<float>::loadu(in_ptr3 + static_cast<int64_t>(x1), static_cast<int64_t>(16));
#                             auto tmp7 = at::vec::Vectorized<float>::loadu(in_ptr4 + static_cast<int64_t>(x1 + 32L*x0), static_cast<int64_t>(16));
#                             auto tmp2 = tmp0 + tmp1;
#                             auto tmp4 = tmp2 + tmp3;
#                             auto tmp6 = tmp4 * tmp5;
#                             auto tmp8 = tmp6 * tmp7;
#                             tmp_acc0_vec = tmp_acc0_vec + tmp8;
#                         }
#                     }
#                 }
#                 tmp_acc0 = tmp_acc0 + at::vec::vec_reduce_all<float, 1>([](at::vec::Vectorized<float>& x, at::vec::Vectorized<float>& y) { return x + y; }, tmp_acc0_vec);
#                 out_ptr1[static_cast<int64_t>(x0)] = static_cast<float>(tmp_acc0);
#             }
#             for(int64_t x1=static_cast<int64_t>(0L); x1<static_cast<int64_t>(32L); x1+=static_cast<int64_t>(16L))
#             {
#                 {
#                     if(C10_LIKELY(x1 >= static_cast<int64_t>(0) && x1 < static_cast<int64_t>(32L)))
#                     {
#                         auto tmp0 = in_ptr5[static_cast<int64_t>(x0)];
#                         auto tmp17 = at::vec::Vectorized<float>::loadu(in_ptr6 + static_cast<int64_t>(x1 + 32L*x0), static_cast<int64_t>(16));
#                         auto tmp18 = at::vec::Vectorized<float>::loadu(in_ptr0 + static_cast<int64_t>(x1 + 32L*x0), static_cast<int64_t>(16));
#                         auto tmp19 = at::vec::Vectorized<float>::loadu(in_ptr1 + static_cast<int64_t>(x1 + 32L*x0), static_cast<int64_t>(16));
#                         auto tmp21 = at::vec::Vectorized<float>::loadu(in_ptr2 + static_cast<int64_t>(x1 + 32L*x0), static_cast<int64_t>(16));
#                         auto tmp23 = at::vec::Vectorized<float>::loadu(in_ptr3 + static_cast<int64_t>(x1), static_cast<int64_t>(16));
#                         auto tmp25 = in_ptr7[static_cast<int64_t>(x0)];
#                         auto tmp29 = out_ptr1[static_cast<int64_t>(x0)];
#                         auto tmp37 = at::vec::Vectorized<float>::loadu(in_ptr4 + static_cast<int64_t>(x1 + 32L*x0), static_cast<int64_t>(16));
#                         auto tmp1 = static_cast<int64_t>(63);
#                         auto tmp2 = min_propagate_nan(tmp1, tmp0);
#                         auto tmp3 = static_cast<int64_t>(-64);
#                         auto tmp4 = max_propagate_nan(tmp3, tmp2);
#                         auto tmp5 = 64L;
#                         auto tmp6 = c10::convert<int64_t>(tmp5);
#                         auto tmp7 = int64_t(tmp4 + tmp6);
#                         auto tmp8 = tmp4 < 0;
#                         auto tmp9 = tmp8 ? tmp7 : tmp4;
#                         auto tmp10 = static_cast<int64_t>(0);
#                         auto tmp11 = tmp0 >= tmp10;
#                         auto tmp12 = static_cast<int64_t>(64);
#                         auto tmp13 = tmp0 < tmp12;
#                         auto tmp14 = decltype(tmp11)(tmp11 & tmp13);
#                         auto tmp15 = tmp0 != tmp10;
#                         auto tmp16 = decltype(tmp14)(tmp14 & tmp15);
#                         auto tmp20 = tmp18 + tmp19;
#                         auto tmp22 = tmp20 + tmp21;
#                         auto tmp24 = tmp22 * tmp23;
#                         auto tmp26 = at::vec::Vectorized<float>(tmp25);
#                         auto tmp27 = tmp24 * tmp26;
#                         auto tmp28 = tmp17 + tmp27;
#                         auto tmp30 = static_cast<float>(-0.5);
#                         auto tmp31 = float(tmp29 * tmp30);
#                         auto tmp32 = float(tmp25 * tmp25);
#                         auto tmp33 = float(tmp32 * tmp25);
#                         auto tmp34 = float(tmp31 * tmp33);
#                         auto tmp35 = static_cast<float>(32.0);
#                         auto tmp36 = tmp34 / tmp35;
#                         auto tmp38 = static_cast<float>(2.0);
#                         auto tmp39 = at::vec::Vectorized<float>(tmp38);
#                         auto tmp40 = tmp37 * tmp39;
#                         auto tmp41 = at::vec::Vectorized<float>(tmp36);
#                         auto tmp42 = tmp41 * tmp40;
#                         auto tmp43 = tmp28 + tmp42;
#                         auto tmp44 = static_cast<float>(0.0);
#                         auto tmp45 = at::vec::VecMask<float,1>::from(tmp16);
#                         auto tmp46 = at::vec::Vectorized<float>(tmp44);
#                         auto tmp47 = decltype(tmp43)::blendv(tmp46, tmp43, tmp45.template cast<float,1>());
#                         (tmp47 + at::vec::Vectorized<float>::loadu(out_ptr0 + static_cast<int64_t>(x1 + 32L*tmp9))).store(out_ptr0 + static_cast<int64_t>(x1 + 32L*tmp9));
#                     }
#                 }
#             }
#         }
#     }
#     inductor_cpu_integer_div_error_flag = nullptr;
#     inductor_cpu_throw_if_integer_div_error(inductor_cpu_integer_div_error);
# }
# ''')
# 
# 
# async_compile.wait(globals())
# del async_compile
# 
# class Runner:
#     def __init__(self, partitions):
#         self.partitions = partitions
# 
#     def recursively_apply_fns(self, fns):
#         new_callables = []
#         for fn, c in zip(fns, self.partitions):
#             new_callables.append(fn(c))
#         self.partitions = new_callables
# 
#     def call(self, args):
#         primals_1, primals_3, primals_4, primals_5, primals_6, primals_7, primals_8, primals_9, primals_10, primals_11, primals_12, primals_13, primals_14, primals_15, primals_16, primals_17, primals_18, primals_19, primals_20, primals_21, primals_22, primals_23, embedding, rsqrt, view_1, mm_2, add_4, view_10, where, getitem, getitem_1, mm_3, rsqrt_1, view_16, mm_4, mm_5, view_20, add_9, rsqrt_2, view_22, mm_9, add_11, view_31, getitem_2, getitem_3, add_13, rsqrt_3, view_37, mm_11, mm_12, view_41, add_16, rsqrt_4, view_43, view_44, constant_pad_nd, amax, log, convert_element_type_1, tangents_1, tangents_2 = args
#         args.clear()
#         assert_size_stride(constant_pad_nd, (2, 17), (17, 1), 'input')
#         assert_size_stride(tangents_1, (), (), 'input')
#         assert_size_stride(convert_element_type_1, (), (), 'input')
#         buf0 = empty_strided_cpu((32, 1), (1, 32), torch.float32)
#         assert_size_stride(tangents_2, (2, 16, 64), (1024, 64, 1), 'input')
#         assert_size_stride(view_44, (2, 16, 64), (1024, 64, 1), 'input')
#         assert_size_stride(amax, (32, 1), (1, 1), 'input')
#         assert_size_stride(log, (32, 1), (1, 1), 'input')
#         buf1 = empty_strided_cpu((2, 16, 64), (1024, 64, 1), torch.float32)
#         assert_size_stride(view_43, (32, 32), (32, 1), 'input')
#         cpp_fused__log_softmax__log_softmax_backward_data_add_arange_clone_eq_expand_nll_loss_backward_nll_loss_forward_scalar_tensor_slice_view_0(constant_pad_nd, tangents_1, convert_element_type_1, tangents_2, view_44, amax, log, buf0, buf1)
#         del amax
#         del constant_pad_nd
#         del convert_element_type_1
#         del log
#         del tangents_1
#         del tangents_2
#         del view_44
#         buf2 = empty_strided_cpu((64, 32), (32, 1), torch.float32)
#         # Topologically Sorted Source Nodes: [div_3, getitem_23, shift_labels, shift_labels_1, unsqueeze_21, ne_4, loss, where_4, where_self, attn_output, where_5, mul_23, logits_2, exp_3, mul_24, sub_4, view_47, add_18, view_48, permute_23, mm_15], Original ATen: [aten.nll_loss_backward, aten.slice, aten.clone, aten.view, aten.nll_loss_forward, aten.arange, aten.expand, aten.eq, aten.scalar_tensor, aten._log_softmax, aten._log_softmax_backward_data, aten.add, aten.t, aten.mm]
#         extern_kernels.mm(reinterpret_tensor(buf1, (64, 32), (1, 64), 0), view_43, out=buf2)
#         del view_43
#         assert_size_stride(primals_23, (64, 32), (32, 1), 'input')
#         buf3 = empty_strided_cpu((32, 32), (32, 1), torch.float32)
#         # Topologically Sorted Source Nodes: [div_3, getitem_23, shift_labels, shift_labels_1, unsqueeze_21, ne_4, loss, where_4, where_self, attn_output, where_5, mul_23, logits_2, exp_3, mul_24, sub_4, view_47, add_18, view_48, logits, permute_25, mm_16], Original ATen: [aten.nll_loss_backward, aten.slice, aten.clone, aten.view, aten.nll_loss_forward, aten.arange, aten.expand, aten.eq, aten.scalar_tensor, aten._log_softmax, aten._log_softmax_backward_data, aten.add, aten.t, aten.mm]
#         extern_kernels.mm(reinterpret_tensor(buf1, (32, 64), (64, 1), 0), primals_23, out=buf3)
#         del primals_23
#         assert_size_stride(add_16, (2, 16, 32), (512, 32, 1), 'input')
#         assert_size_stride(rsqrt_4, (2, 16, 1), (16, 1, 1), 'input')
#         buf4 = reinterpret_tensor(buf0, (1, 1, 32), (32, 32, 1), 0); del buf0  # reuse
#         assert_size_stride(primals_22, (32, ), (1, ), 'input')
#         buf5 = empty_strided_cpu((2, 16, 1), (16, 1, 32), torch.float32)
#         buf6 = reinterpret_tensor(buf3, (2, 16, 32), (512, 32, 1), 0); del buf3  # reuse
#         assert_size_stride(view_41, (32, 64), (64, 1), 'input')
#         cpp_fused_add_div_expand_mul_pow_sum_view_1(buf6, add_16, rsqrt_4, primals_22, buf4, buf5)
#         del add_16
#         del buf5
#         del primals_22
#         del rsqrt_4
#         buf7 = reinterpret_tensor(buf1, (32, 64), (64, 1), 0); del buf1  # reuse
#         # Topologically Sorted Source Nodes: [view_51, permute_27, mm_17], Original ATen: [aten.view, aten.t, aten.mm]
#         extern_kernels.mm(reinterpret_tensor(buf6, (32, 32), (1, 32), 0), view_41, out=buf7)
#         del view_41
#         assert_size_stride(primals_21, (32, 64), (64, 1), 'input')
#         buf8 = empty_strided_cpu((32, 64), (64, 1), torch.float32)
#         # Topologically Sorted Source Nodes: [view_51, down_proj_1, permute_29, mm_18], Original ATen: [aten.view, aten.t, aten.mm]
#         extern_kernels.mm(reinterpret_tensor(buf6, (32, 32), (32, 1), 0), primals_21, out=buf8)
#         del primals_21
#         assert_size_stride(mm_11, (32, 64), (64, 1), 'input')
#         assert_size_stride(mm_12, (32, 64), (64, 1), 'input')
#         buf9 = empty_strided_cpu((2, 16, 64), (1024, 64, 1), torch.float32)
#         buf13 = reinterpret_tensor(mm_12, (2, 16, 64), (1024, 64, 1), 0); del mm_12  # reuse
#         assert_size_stride(view_37, (32, 32), (32, 1), 'input')
#         cpp_fused__unsafe_view_mul_silu_silu_backward_view_2(buf13, buf8, mm_11, buf9)
#         del mm_11
#         buf10 = reinterpret_tensor(buf8, (64, 32), (32, 1), 0); del buf8  # reuse
#         # Topologically Sorted Source Nodes: [view_52, linear_11, silu_1, mul_33, view_53, permute_31, mm_19], Original ATen: [aten.view, aten._unsafe_view, aten.silu, aten.mul, aten.t, aten.mm]
#         extern_kernels.mm(reinterpret_tensor(buf9, (64, 32), (1, 64), 0), view_37, out=buf10)
#         assert_size_stride(primals_20, (64, 32), (32, 1), 'input')
#         buf11 = empty_strided_cpu((32, 32), (32, 1), torch.float32)
#         # Topologically Sorted Source Nodes: [view_52, linear_11, silu_1, mul_33, view_53, linear_12, permute_33, mm_20], Original ATen: [aten.view, aten._unsafe_view, aten.silu, aten.mul, aten.t, aten.mm]
#         extern_kernels.mm(reinterpret_tensor(buf9, (32, 64), (64, 1), 0), primals_20, out=buf11)
#         del primals_20
#         buf14 = reinterpret_tensor(buf9, (64, 32), (32, 1), 0); del buf9  # reuse
#         # Topologically Sorted Source Nodes: [view_52, linear_11, linear_12, mul_34, mul_35, sub_5, mul_36, add_20, mul_37, view_55, permute_35, mm_21], Original ATen: [aten.view, aten._unsafe_view, aten.mul, aten.silu_backward, aten.t, aten.mm]
#         extern_kernels.mm(reinterpret_tensor(buf13, (64, 32), (1, 64), 0), view_37, out=buf14)
#         del view_37
#         assert_size_stride(primals_19, (64, 32), (32, 1), 'input')
#         buf15 = empty_strided_cpu((32, 32), (32, 1), torch.float32)
#         # Topologically Sorted Source Nodes: [view_52, linear_11, linear_12, mul_34, mul_35, sub_5, mul_36, add_20, mul_37, view_55, permute_37, mm_22], Original ATen: [aten.view, aten._unsafe_view, aten.mul, aten.silu_backward, aten.t, aten.mm]
#         extern_kernels.mm(reinterpret_tensor(buf13, (32, 64), (64, 1), 0), primals_19, out=buf15)
#         del buf13
#         del primals_19
#         assert_size_stride(add_13, (2, 16, 32), (512, 32, 1), 'input')
#         assert_size_stride(rsqrt_3, (2, 16, 1), (16, 1, 1), 'input')
#         buf16 = empty_strided_cpu((1, 1, 32), (32, 32, 1), torch.float32)
#         assert_size_stride(primals_18, (32, ), (1, ), 'input')
#         buf17 = empty_strided_cpu((2, 16, 1), (16, 1, 32), torch.float32)
#         buf18 = buf6; del buf6  # reuse
#         assert_size_stride(getitem_2, (2, 2, 16, 16), (512, 16, 32, 1), 'input')
#         cpp_fused_add_div_expand_mul_pow_sum_view_3(buf18, buf11, buf15, add_13, rsqrt_3, primals_18, buf16, buf17)
#         del add_13
#         del primals_18
#         del rsqrt_3
#         buf19 = buf15; del buf15  # reuse
#         # Topologically Sorted Source Nodes: [view_58, permute_39, transpose_7, reshape_7, attn_output_9, mm_23], Original ATen: [aten.view, aten.t, aten.transpose, aten.mm]
#         extern_kernels.mm(reinterpret_tensor(buf18, (32, 32), (1, 32), 0), reinterpret_tensor(getitem_2, (32, 32), (32, 1), 0), out=buf19)
#         assert_size_stride(primals_17, (32, 32), (32, 1), 'input')
#         buf20 = buf11; del buf11  # reuse
#         # Topologically Sorted Source Nodes: [view_58, attn_output_9, permute_41, mm_24], Original ATen: [aten.view, aten.t, aten.mm]
#         extern_kernels.mm(reinterpret_tensor(buf18, (32, 32), (32, 1), 0), primals_17, out=buf20)
#         del primals_17
#         assert_size_stride(view_31, (2, 2, 16, 16), (256, 0, 16, 1), 'input')
#         buf21 = empty_strided_cpu((2, 2, 16, 16), (512, 256, 16, 1), torch.float32)
#         assert_size_stride(mm_9, (32, 16), (16, 1), 'input')
#         buf22 = empty_strided_cpu((2, 2, 16, 16), (512, 256, 16, 1), torch.float32)
#         assert_size_stride(getitem_3, (2, 2, 16), (32, 1, 2), 'input')
#         buf23 = empty_strided_cpu((2, 2, 16), (32, 16, 1), torch.float32)
#         assert_size_stride(add_11, (2, 2, 16, 16), (512, 16, 32, 1), 'input')
#         assert_size_stride(where, (2, 1, 16, 16), (256, 256, 16, 1), 'input')
#         cpp_fused__scaled_dot_product_flash_attention_for_cpu_backward__unsafe_view_expand_transpose_unsqueeze_view_4(view_31, mm_9, getitem_3, buf21, buf22, buf23)
#         del getitem_3
#         del mm_9
#         del view_31
#         # Topologically Sorted Source Nodes: [view_59, view_60, permute_43, linear_9, view_5, value_states_1, getitem_21, hidden_states_14, value_1, _scaled_dot_product_flash_attention_for_cpu_backward], Original ATen: [aten.view, aten.transpose, aten._unsafe_view, aten.unsqueeze, aten.expand, aten._scaled_dot_product_flash_attention_for_cpu_backward]
#         buf24 = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu_backward.default(reinterpret_tensor(buf20, (2, 2, 16, 16), (512, 16, 32, 1), 0), add_11, buf21, buf22, getitem_2, buf23, 0.0, False, attn_mask=where, scale=0.25)
#         del add_11
#         del buf23
#         del getitem_2
#         buf25 = buf24[0]
#         assert_size_stride(buf25, (2, 2, 16, 16), (512, 16, 32, 1), 'torch.ops.aten._scaled_dot_product_flash_attention_for_cpu_backward.default')
#         # buffer buf25 (op: torch.ops.aten._scaled_dot_product_flash_attention_for_cpu_backward.default) is assumed to be not aligned
#         buf26 = buf24[1]
#         assert_size_stride(buf26, (2, 2, 16, 16), (512, 16, 32, 1), 'torch.ops.aten._scaled_dot_product_flash_attention_for_cpu_backward.default')
#         # buffer buf26 (op: torch.ops.aten._scaled_dot_product_flash_attention_for_cpu_backward.default) is assumed to be not aligned
#         buf27 = buf24[2]
#         assert_size_stride(buf27, (2, 2, 16, 16), (512, 16, 32, 1), 'torch.ops.aten._scaled_dot_product_flash_attention_for_cpu_backward.default')
#         # buffer buf27 (op: torch.ops.aten._scaled_dot_product_flash_attention_for_cpu_backward.default) is assumed to be not aligned
#         del buf24
#         buf28 = empty_strided_cpu((2, 1, 1, 16, 16), (256, 1, 512, 16, 1), torch.float32)
#         assert_size_stride(view_22, (32, 32), (32, 1), 'input')
#         cpp_fused_sum_view_5(buf27, buf28)
#         del buf27
#         buf29 = empty_strided_cpu((16, 32), (32, 1), torch.float32)
#         # Topologically Sorted Source Nodes: [view_62, sum_9, squeeze_1, permute_44, view_64, view_65, permute_45, mm_25], Original ATen: [aten.view, aten.sum, aten.squeeze, aten.transpose, aten.t, aten.mm]
#         extern_kernels.mm(reinterpret_tensor(buf28, (16, 32), (1, 16), 0), view_22, out=buf29)
#         assert_size_stride(primals_16, (16, 32), (32, 1), 'input')
#         buf30 = reinterpret_tensor(buf22, (32, 32), (32, 1), 0); del buf22  # reuse
#         # Topologically Sorted Source Nodes: [view_62, sum_9, squeeze_1, permute_44, view_64, view_65, linear_9, permute_47, mm_26], Original ATen: [aten.view, aten.sum, aten.squeeze, aten.transpose, aten.t, aten.mm]
#         extern_kernels.mm(reinterpret_tensor(buf28, (32, 16), (16, 1), 0), primals_16, out=buf30)
#         del primals_16
#         assert_size_stride(primals_3, (8, ), (1, ), 'input')
#         buf31 = reinterpret_tensor(buf28, (2, 1, 16, 16), (256, 1, 16, 1), 0); del buf28  # reuse
#         cpp_fused__to_copy_add_arange_cat_cos_mul_neg_sin_slice_slice_backward_squeeze_sum_unsqueeze_view_6(buf26, primals_3, buf31)
#         del buf26
#         buf32 = empty_strided_cpu((16, 32), (32, 1), torch.float32)
#         # Topologically Sorted Source Nodes: [view_63, sum_10, squeeze_2, arange, position_ids, position_ids_1, getitem_9, float_1, freqs, emb, sin, sin_1, sin_3, mul_46, slice_13, slice_14, neg_7, full_default_10, add_24, cos, cos_1, cos_3, mul_47, add_25, permute_49, view_67, view_68, permute_50, mm_27], Original ATen: [aten.view, aten.sum, aten.squeeze, aten.arange, aten.add, aten.unsqueeze, aten._to_copy, aten.mul, aten.cat, aten.sin, aten.slice, aten.neg, aten.slice_backward, aten.cos, aten.transpose, aten.t, aten.mm]
#         extern_kernels.mm(reinterpret_tensor(buf31, (16, 32), (1, 16), 0), view_22, out=buf32)
#         assert_size_stride(primals_15, (16, 32), (32, 1), 'input')
#         buf33 = reinterpret_tensor(buf21, (32, 32), (32, 1), 0); del buf21  # reuse
#         # Topologically Sorted Source Nodes: [view_63, sum_10, squeeze_2, arange, position_ids, position_ids_1, getitem_9, float_1, freqs, emb, sin, sin_1, sin_3, mul_46, slice_13, slice_14, neg_7, full_default_10, add_24, cos, cos_1, cos_3, mul_47, add_25, permute_49, view_67, view_68, linear_8, permute_52, mm_28], Original ATen: [aten.view, aten.sum, aten.squeeze, aten.arange, aten.add, aten.unsqueeze, aten._to_copy, aten.mul, aten.cat, aten.sin, aten.slice, aten.neg, aten.slice_backward, aten.cos, aten.transpose, aten.t, aten.mm]
#         extern_kernels.mm(reinterpret_tensor(buf31, (32, 16), (16, 1), 0), primals_15, out=buf33)
#         del buf31
#         del primals_15
#         buf34 = reinterpret_tensor(buf20, (2, 16, 2, 16), (512, 32, 16, 1), 0); del buf20  # reuse
#         cpp_fused__to_copy_add_arange_cat_clone_cos_mul_neg_sin_slice_slice_backward_transpose_unsqueeze_7(buf25, primals_3, buf34)
#         del buf25
#         buf35 = empty_strided_cpu((32, 32), (32, 1), torch.float32)
#         # Topologically Sorted Source Nodes: [arange, position_ids, position_ids_1, getitem_9, float_1, freqs, emb, sin, sin_1, sin_3, cos, cos_1, cos_3, mul_48, slice_15, slice_16, neg_8, full_default_12, add_26, mul_49, add_27, permute_54, clone_3, view_70, view_71, permute_55, mm_29], Original ATen: [aten.arange, aten.add, aten.unsqueeze, aten._to_copy, aten.mul, aten.cat, aten.sin, aten.cos, aten.slice, aten.neg, aten.slice_backward, aten.transpose, aten.clone, aten._unsafe_view, aten.view, aten.t, aten.mm]
#         extern_kernels.mm(reinterpret_tensor(buf34, (32, 32), (1, 32), 0), view_22, out=buf35)
#         del view_22
#         assert_size_stride(primals_14, (32, 32), (32, 1), 'input')
#         buf36 = empty_strided_cpu((32, 32), (32, 1), torch.float32)
#         # Topologically Sorted Source Nodes: [arange, position_ids, position_ids_1, getitem_9, float_1, freqs, emb, sin, sin_1, sin_3, cos, cos_1, cos_3, mul_48, slice_15, slice_16, neg_8, full_default_12, add_26, mul_49, add_27, permute_54, clone_3, view_70, view_71, linear_7, permute_57, mm_30], Original ATen: [aten.arange, aten.add, aten.unsqueeze, aten._to_copy, aten.mul, aten.cat, aten.sin, aten.cos, aten.slice, aten.neg, aten.slice_backward, aten.transpose, aten.clone, aten._unsafe_view, aten.view, aten.t, aten.mm]
#         extern_kernels.mm(reinterpret_tensor(buf34, (32, 32), (32, 1), 0), primals_14, out=buf36)
#         del primals_14
#         assert_size_stride(add_9, (2, 16, 32), (512, 32, 1), 'input')
#         assert_size_stride(rsqrt_2, (2, 16, 1), (16, 1, 1), 'input')
#         buf37 = reinterpret_tensor(buf17, (1, 1, 32), (32, 32, 1), 0); del buf17  # reuse
#         assert_size_stride(primals_13, (32, ), (1, ), 'input')
#         buf38 = empty_strided_cpu((2, 16, 1), (16, 1, 32), torch.float32)
#         buf39 = buf18; del buf18  # reuse
#         assert_size_stride(view_20, (32, 64), (64, 1), 'input')
#         cpp_fused_add_div_expand_mul_pow_sum_view_8(buf39, buf30, buf33, buf36, add_9, rsqrt_2, primals_13, buf37, buf38)
#         del add_9
#         del primals_13
#         del rsqrt_2
#         buf40 = empty_strided_cpu((32, 64), (64, 1), torch.float32)
#         # Topologically Sorted Source Nodes: [view_74, permute_59, mm_31], Original ATen: [aten.view, aten.t, aten.mm]
#         extern_kernels.mm(reinterpret_tensor(buf39, (32, 32), (1, 32), 0), view_20, out=buf40)
#         del view_20
#         assert_size_stride(primals_12, (32, 64), (64, 1), 'input')
#         buf41 = empty_strided_cpu((32, 64), (64, 1), torch.float32)
#         # Topologically Sorted Source Nodes: [view_74, down_proj, permute_61, mm_32], Original ATen: [aten.view, aten.t, aten.mm]
#         extern_kernels.mm(reinterpret_tensor(buf39, (32, 32), (32, 1), 0), primals_12, out=buf41)
#         del primals_12
#         assert_size_stride(mm_4, (32, 64), (64, 1), 'input')
#         assert_size_stride(mm_5, (32, 64), (64, 1), 'input')
#         buf42 = empty_strided_cpu((2, 16, 64), (1024, 64, 1), torch.float32)
#         buf46 = reinterpret_tensor(mm_5, (2, 16, 64), (1024, 64, 1), 0); del mm_5  # reuse
#         assert_size_stride(view_16, (32, 32), (32, 1), 'input')
#         cpp_fused__unsafe_view_mul_silu_silu_backward_view_2(buf46, buf41, mm_4, buf42)
#         del mm_4
#         buf43 = reinterpret_tensor(buf41, (64, 32), (32, 1), 0); del buf41  # reuse
#         # Topologically Sorted Source Nodes: [view_75, linear_4, silu, mul_58, view_76, permute_63, mm_33], Original ATen: [aten.view, aten._unsafe_view, aten.silu, aten.mul, aten.t, aten.mm]
#         extern_kernels.mm(reinterpret_tensor(buf42, (64, 32), (1, 64), 0), view_16, out=buf43)
#         assert_size_stride(primals_11, (64, 32), (32, 1), 'input')
#         buf44 = buf36; del buf36  # reuse
#         # Topologically Sorted Source Nodes: [view_75, linear_4, silu, mul_58, view_76, linear_5, permute_65, mm_34], Original ATen: [aten.view, aten._unsafe_view, aten.silu, aten.mul, aten.t, aten.mm]
#         extern_kernels.mm(reinterpret_tensor(buf42, (32, 64), (64, 1), 0), primals_11, out=buf44)
#         del primals_11
#         buf47 = reinterpret_tensor(buf42, (64, 32), (32, 1), 0); del buf42  # reuse
#         # Topologically Sorted Source Nodes: [view_75, linear_4, linear_5, mul_59, mul_60, sub_6, mul_61, add_32, mul_62, view_78, permute_67, mm_35], Original ATen: [aten.view, aten._unsafe_view, aten.mul, aten.silu_backward, aten.t, aten.mm]
#         extern_kernels.mm(reinterpret_tensor(buf46, (64, 32), (1, 64), 0), view_16, out=buf47)
#         del view_16
#         assert_size_stride(primals_10, (64, 32), (32, 1), 'input')
#         buf48 = buf33; del buf33  # reuse
#         # Topologically Sorted Source Nodes: [view_75, linear_4, linear_5, mul_59, mul_60, sub_6, mul_61, add_32, mul_62, view_78, permute_69, mm_36], Original ATen: [aten.view, aten._unsafe_view, aten.mul, aten.silu_backward, aten.t, aten.mm]
#         extern_kernels.mm(reinterpret_tensor(buf46, (32, 64), (64, 1), 0), primals_10, out=buf48)
#         del buf46
#         del primals_10
#         assert_size_stride(primals_9, (32, ), (1, ), 'input')
#         assert_size_stride(embedding, (2, 16, 32), (512, 32, 1), 'input')
#         assert_size_stride(mm_3, (32, 32), (32, 1), 'input')
#         assert_size_stride(rsqrt_1, (2, 16, 1), (16, 1, 1), 'input')
#         buf50 = buf38; del buf38  # reuse
#         buf51 = buf39; del buf39  # reuse
#         assert_size_stride(primals_8, (32, 32), (32, 1), 'input')
#         cpp_fused__unsafe_view_add_div_expand_mul_pow_sum_view_9(buf51, buf44, buf48, primals_9, embedding, mm_3, rsqrt_1, buf50)
#         del primals_9
#         buf53 = buf30; del buf30  # reuse
#         # Topologically Sorted Source Nodes: [view_81, attn_output_4, permute_73, mm_38], Original ATen: [aten.view, aten.t, aten.mm]
#         extern_kernels.mm(reinterpret_tensor(buf51, (32, 32), (32, 1), 0), primals_8, out=buf53)
#         del primals_8
#         assert_size_stride(view_10, (2, 2, 16, 16), (256, 0, 16, 1), 'input')
#         buf54 = reinterpret_tensor(buf34, (2, 2, 16, 16), (512, 256, 16, 1), 0); del buf34  # reuse
#         assert_size_stride(mm_2, (32, 16), (16, 1), 'input')
#         buf55 = empty_strided_cpu((2, 2, 16, 16), (512, 256, 16, 1), torch.float32)
#         assert_size_stride(getitem_1, (2, 2, 16), (32, 1, 2), 'input')
#         buf56 = empty_strided_cpu((2, 2, 16), (32, 16, 1), torch.float32)
#         assert_size_stride(add_4, (2, 2, 16, 16), (512, 16, 32, 1), 'input')
#         assert_size_stride(getitem, (2, 2, 16, 16), (512, 16, 32, 1), 'input')
#         cpp_fused__scaled_dot_product_flash_attention_for_cpu_backward__unsafe_view_expand_transpose_unsqueeze_view_4(view_10, mm_2, getitem_1, buf54, buf55, buf56)
#         del getitem_1
#         del mm_2
#         del view_10
#         # Topologically Sorted Source Nodes: [view_82, view_83, permute_75, linear_2, view_2, value_states, getitem_15, hidden_states_4, value, _scaled_dot_product_flash_attention_for_cpu_backward_1], Original ATen: [aten.view, aten.transpose, aten._unsafe_view, aten.unsqueeze, aten.expand, aten._scaled_dot_product_flash_attention_for_cpu_backward]
#         buf57 = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu_backward.default(reinterpret_tensor(buf53, (2, 2, 16, 16), (512, 16, 32, 1), 0), add_4, buf54, buf55, getitem, buf56, 0.0, False, attn_mask=where, scale=0.25)
#         del add_4
#         del buf56
#         del where
#         buf60 = buf57[2]
#         assert_size_stride(buf60, (2, 2, 16, 16), (512, 16, 32, 1), 'torch.ops.aten._scaled_dot_product_flash_attention_for_cpu_backward.default')
#         # buffer buf60 (op: torch.ops.aten._scaled_dot_product_flash_attention_for_cpu_backward.default) is assumed to be not aligned
#         buf61 = empty_strided_cpu((2, 1, 1, 16, 16), (256, 1, 512, 16, 1), torch.float32)
#         assert_size_stride(primals_7, (16, 32), (32, 1), 'input')
#         cpp_fused_sum_view_5(buf60, buf61)
#         del buf60
#         buf63 = reinterpret_tensor(buf55, (32, 32), (32, 1), 0); del buf55  # reuse
#         # Topologically Sorted Source Nodes: [view_85, sum_15, squeeze_3, permute_76, view_87, view_88, linear_2, permute_79, mm_40], Original ATen: [aten.view, aten.sum, aten.squeeze, aten.transpose, aten.t, aten.mm]
#         extern_kernels.mm(reinterpret_tensor(buf61, (32, 16), (16, 1), 0), primals_7, out=buf63)
#         del primals_7
#         buf59 = buf57[1]
#         assert_size_stride(buf59, (2, 2, 16, 16), (512, 16, 32, 1), 'torch.ops.aten._scaled_dot_product_flash_attention_for_cpu_backward.default')
#         # buffer buf59 (op: torch.ops.aten._scaled_dot_product_flash_attention_for_cpu_backward.default) is assumed to be not aligned
#         buf64 = empty_strided_cpu((2, 1, 16, 16), (256, 1, 16, 1), torch.float32)
#         assert_size_stride(primals_6, (16, 32), (32, 1), 'input')
#         cpp_fused__to_copy_add_arange_cat_cos_mul_neg_sin_slice_slice_backward_squeeze_sum_unsqueeze_view_6(buf59, primals_3, buf64)
#         del buf59
#         buf66 = reinterpret_tensor(buf54, (32, 32), (32, 1), 0); del buf54  # reuse
#         # Topologically Sorted Source Nodes: [arange, position_ids, position_ids_1, getitem_9, float_1, freqs, emb, sin, sin_1, sin_3, full_default_10, cos, cos_1, cos_3, view_86, sum_16, squeeze_4, mul_71, slice_17, slice_18, neg_9, add_36, mul_72, add_37, permute_81, view_90, view_91, linear_1, permute_84, mm_42], Original ATen: [aten.arange, aten.add, aten.unsqueeze, aten._to_copy, aten.mul, aten.cat, aten.sin, aten.slice_backward, aten.cos, aten.view, aten.sum, aten.squeeze, aten.slice, aten.neg, aten.transpose, aten.t, aten.mm]
#         extern_kernels.mm(reinterpret_tensor(buf64, (32, 16), (16, 1), 0), primals_6, out=buf66)
#         del primals_6
#         buf58 = buf57[0]
#         assert_size_stride(buf58, (2, 2, 16, 16), (512, 16, 32, 1), 'torch.ops.aten._scaled_dot_product_flash_attention_for_cpu_backward.default')
#         # buffer buf58 (op: torch.ops.aten._scaled_dot_product_flash_attention_for_cpu_backward.default) is assumed to be not aligned
#         del buf57
#         buf67 = reinterpret_tensor(buf53, (2, 16, 2, 16), (512, 32, 16, 1), 0); del buf53  # reuse
#         assert_size_stride(primals_5, (32, 32), (32, 1), 'input')
#         cpp_fused__to_copy_add_arange_cat_clone_cos_mul_neg_sin_slice_slice_backward_transpose_unsqueeze_7(buf58, primals_3, buf67)
#         del buf58
#         del primals_3
#         buf69 = empty_strided_cpu((32, 32), (32, 1), torch.float32)
#         # Topologically Sorted Source Nodes: [arange, position_ids, position_ids_1, getitem_9, float_1, freqs, emb, sin, sin_1, sin_3, cos, cos_1, cos_3, full_default_12, mul_73, slice_19, slice_20, neg_10, add_38, mul_74, add_39, permute_86, clone_4, view_93, view_94, linear, permute_89, mm_44], Original ATen: [aten.arange, aten.add, aten.unsqueeze, aten._to_copy, aten.mul, aten.cat, aten.sin, aten.cos, aten.slice_backward, aten.slice, aten.neg, aten.transpose, aten.clone, aten._unsafe_view, aten.view, aten.t, aten.mm]
#         extern_kernels.mm(reinterpret_tensor(buf67, (32, 32), (32, 1), 0), primals_5, out=buf69)
#         del primals_5
#         assert_size_stride(rsqrt, (2, 16, 1), (16, 1, 1), 'input')
#         buf49 = reinterpret_tensor(buf50, (1, 1, 32), (32, 32, 1), 0); del buf50  # reuse
#         buf70 = empty_strided_cpu((1, 1, 32), (32, 32, 1), torch.float32)
#         cpp_fused__unsafe_view_add_mul_sum_view_10(buf44, buf48, embedding, mm_3, rsqrt_1, buf63, buf66, buf69, rsqrt, buf49, buf70)
#         del mm_3
#         del rsqrt_1
#         buf52 = buf48; del buf48  # reuse
#         # Topologically Sorted Source Nodes: [view_81, permute_71, transpose_3, reshape_3, attn_output_4, mm_37], Original ATen: [aten.view, aten.t, aten.transpose, aten.mm]
#         extern_kernels.mm(reinterpret_tensor(buf51, (32, 32), (1, 32), 0), reinterpret_tensor(getitem, (32, 32), (32, 1), 0), out=buf52)
#         del getitem
#         assert_size_stride(view_1, (32, 32), (32, 1), 'input')
#         buf62 = empty_strided_cpu((16, 32), (32, 1), torch.float32)
#         # Topologically Sorted Source Nodes: [view_85, sum_15, squeeze_3, permute_76, view_87, view_88, permute_77, mm_39], Original ATen: [aten.view, aten.sum, aten.squeeze, aten.transpose, aten.t, aten.mm]
#         extern_kernels.mm(reinterpret_tensor(buf61, (16, 32), (1, 16), 0), view_1, out=buf62)
#         buf65 = reinterpret_tensor(buf61, (16, 32), (32, 1), 0); del buf61  # reuse
#         # Topologically Sorted Source Nodes: [arange, position_ids, position_ids_1, getitem_9, float_1, freqs, emb, sin, sin_1, sin_3, full_default_10, cos, cos_1, cos_3, view_86, sum_16, squeeze_4, mul_71, slice_17, slice_18, neg_9, add_36, mul_72, add_37, permute_81, view_90, view_91, permute_82, mm_41], Original ATen: [aten.arange, aten.add, aten.unsqueeze, aten._to_copy, aten.mul, aten.cat, aten.sin, aten.slice_backward, aten.cos, aten.view, aten.sum, aten.squeeze, aten.slice, aten.neg, aten.transpose, aten.t, aten.mm]
#         extern_kernels.mm(reinterpret_tensor(buf64, (16, 32), (1, 16), 0), view_1, out=buf65)
#         del buf64
#         buf68 = buf44; del buf44  # reuse
#         # Topologically Sorted Source Nodes: [arange, position_ids, position_ids_1, getitem_9, float_1, freqs, emb, sin, sin_1, sin_3, cos, cos_1, cos_3, full_default_12, mul_73, slice_19, slice_20, neg_10, add_38, mul_74, add_39, permute_86, clone_4, view_93, view_94, permute_87, mm_43], Original ATen: [aten.arange, aten.add, aten.unsqueeze, aten._to_copy, aten.mul, aten.cat, aten.sin, aten.cos, aten.slice_backward, aten.slice, aten.neg, aten.transpose, aten.clone, aten._unsafe_view, aten.view, aten.t, aten.mm]
#         extern_kernels.mm(reinterpret_tensor(buf67, (32, 32), (1, 32), 0), view_1, out=buf68)
#         del buf67
#         del view_1
#         buf72 = empty_strided_cpu((64, 32), (32, 1), torch.float32)
#         assert_size_stride(primals_4, (32, ), (1, ), 'input')
#         assert_size_stride(primals_1, (2, 16), (16, 1), 'input')
#         buf71 = empty_strided_cpu((2, 16, 1), (16, 1, 32), torch.float32)
#         cpp_fused_add_div_embedding_dense_backward_expand_mul_pow_sum_view_11(buf63, buf66, buf69, primals_4, embedding, primals_1, buf51, rsqrt, buf72, buf71)
#         del buf51
#         del buf63
#         del buf66
#         del buf69
#         del buf71
#         del embedding
#         del primals_1
#         del primals_4
#         del rsqrt
#         return (None, buf72, None, reinterpret_tensor(buf70, (32, ), (1, ), 0), buf68, buf65, buf62, buf52, reinterpret_tensor(buf49, (32, ), (1, ), 0), buf47, buf43, buf40, reinterpret_tensor(buf37, (32, ), (1, ), 0), buf35, buf32, buf29, buf19, reinterpret_tensor(buf16, (32, ), (1, ), 0), buf14, buf10, buf7, reinterpret_tensor(buf4, (32, ), (1, ), 0), buf2, None, )
# 
# runner = Runner(partitions=[])
# call = runner.call
# recursively_apply_fns = runner.recursively_apply_fns
# 
# 
# def get_args():
#     from torch._dynamo.testing import rand_strided
#     primals_1 = rand_strided((2, 16), (16, 1), device='cpu', dtype=torch.int64)
#     primals_3 = rand_strided((8, ), (1, ), device='cpu', dtype=torch.float32)
#     primals_4 = rand_strided((32, ), (1, ), device='cpu', dtype=torch.float32)
#     primals_5 = rand_strided((32, 32), (32, 1), device='cpu', dtype=torch.float32)
#     primals_6 = rand_strided((16, 32), (32, 1), device='cpu', dtype=torch.float32)
#     primals_7 = rand_strided((16, 32), (32, 1), device='cpu', dtype=torch.float32)
#     primals_8 = rand_strided((32, 32), (32, 1), device='cpu', dtype=torch.float32)
#     primals_9 = rand_strided((32, ), (1, ), device='cpu', dtype=torch.float32)
#     primals_10 = rand_strided((64, 32), (32, 1), device='cpu', dtype=torch.float32)
#     primals_11 = rand_strided((64, 32), (32, 1), device='cpu', dtype=torch.float32)
#     primals_12 = rand_strided((32, 64), (64, 1), device='cpu', dtype=torch.float32)
#     primals_13 = rand_strided((32, ), (1, ), device='cpu', dtype=torch.float32)
#     primals_14 = rand_strided((32, 32), (32, 1), device='cpu', dtype=torch.float32)
#     primals_15 = rand_strided((16, 32), (32, 1), device='cpu', dtype=torch.float32)
#     primals_16 = rand_strided((16, 32), (32, 1), device='cpu', dtype=torch.float32)
#     primals_17 = rand_strided((32, 32), (32, 1), device='cpu', dtype=torch.float32)
#     primals_18 = rand_strided((32, ), (1, ), device='cpu', dtype=torch.float32)
#     primals_19 = rand_strided((64, 32), (32, 1), device='cpu', dtype=torch.float32)
#     primals_20 = rand_strided((64, 32), (32, 1), device='cpu', dtype=torch.float32)
#     primals_21 = rand_strided((32, 64), (64, 1), device='cpu', dtype=torch.float32)
#     primals_22 = rand_strided((32, ), (1, ), device='cpu', dtype=torch.float32)
#     primals_23 = rand_strided((64, 32), (32, 1), device='cpu', dtype=torch.float32)
#     embedding = rand_strided((2, 16, 32), (512, 32, 1), device='cpu', dtype=torch.float32)
#     rsqrt = rand_strided((2, 16, 1), (16, 1, 1), device='cpu', dtype=torch.float32)
#     view_1 = rand_strided((32, 32), (32, 1), device='cpu', dtype=torch.float32)
#     mm_2 = rand_strided((32, 16), (16, 1), device='cpu', dtype=torch.float32)
#     add_4 = rand_strided((2, 2, 16, 16), (512, 16, 32, 1), device='cpu', dtype=torch.float32)
#     view_10 = rand_strided((2, 2, 16, 16), (256, 0, 16, 1), device='cpu', dtype=torch.float32)
#     where = rand_strided((2, 1, 16, 16), (256, 256, 16, 1), device='cpu', dtype=torch.float32)
#     getitem = rand_strided((2, 2, 16, 16), (512, 16, 32, 1), device='cpu', dtype=torch.float32)
#     getitem_1 = rand_strided((2, 2, 16), (32, 1, 2), device='cpu', dtype=torch.float32)
#     mm_3 = rand_strided((32, 32), (32, 1), device='cpu', dtype=torch.float32)
#     rsqrt_1 = rand_strided((2, 16, 1), (16, 1, 1), device='cpu', dtype=torch.float32)
#     view_16 = rand_strided((32, 32), (32, 1), device='cpu', dtype=torch.float32)
#     mm_4 = rand_strided((32, 64), (64, 1), device='cpu', dtype=torch.float32)
#     mm_5 = rand_strided((32, 64), (64, 1), device='cpu', dtype=torch.float32)
#     view_20 = rand_strided((32, 64), (64, 1), device='cpu', dtype=torch.float32)
#     add_9 = rand_strided((2, 16, 32), (512, 32, 1), device='cpu', dtype=torch.float32)
#     rsqrt_2 = rand_strided((2, 16, 1), (16, 1, 1), device='cpu', dtype=torch.float32)
#     view_22 = rand_strided((32, 32), (32, 1), device='cpu', dtype=torch.float32)
#     mm_9 = rand_strided((32, 16), (16, 1), device='cpu', dtype=torch.float32)
#     add_11 = rand_strided((2, 2, 16, 16), (512, 16, 32, 1), device='cpu', dtype=torch.float32)
#     view_31 = rand_strided((2, 2, 16, 16), (256, 0, 16, 1), device='cpu', dtype=torch.float32)
#     getitem_2 = rand_strided((2, 2, 16, 16), (512, 16, 32, 1), device='cpu', dtype=torch.float32)
#     getitem_3 = rand_strided((2, 2, 16), (32, 1, 2), device='cpu', dtype=torch.float32)
#     add_13 = rand_strided((2, 16, 32), (512, 32, 1), device='cpu', dtype=torch.float32)
#     rsqrt_3 = rand_strided((2, 16, 1), (16, 1, 1), device='cpu', dtype=torch.float32)
#     view_37 = rand_strided((32, 32), (32, 1), device='cpu', dtype=torch.float32)
#     mm_11 = rand_strided((32, 64), (64, 1), device='cpu', dtype=torch.float32)
#     mm_12 = rand_strided((32, 64), (64, 1), device='cpu', dtype=torch.float32)
#     view_41 = rand_strided((32, 64), (64, 1), device='cpu', dtype=torch.float32)
#     add_16 = rand_strided((2, 16, 32), (512, 32, 1), device='cpu', dtype=torch.float32)
#     rsqrt_4 = rand_strided((2, 16, 1), (16, 1, 1), device='cpu', dtype=torch.float32)
#     view_43 = rand_strided((32, 32), (32, 1), device='cpu', dtype=torch.float32)
#     view_44 = rand_strided((2, 16, 64), (1024, 64, 1), device='cpu', dtype=torch.float32)
#     constant_pad_nd = rand_strided((2, 17), (17, 1), device='cpu', dtype=torch.int64)
#     amax = rand_strided((32, 1), (1, 1), device='cpu', dtype=torch.float32)
#     log = rand_strided((32, 1), (1, 1), device='cpu', dtype=torch.float32)
#     convert_element_type_1 = rand_strided((), (), device='cpu', dtype=torch.float32)
#     tangents_1 = rand_strided((), (), device='cpu', dtype=torch.float32)
#     tangents_2 = rand_strided((2, 16, 64), (1024, 64, 1), device='cpu', dtype=torch.float32)
#     return [primals_1, primals_3, primals_4, primals_5, primals_6, primals_7, primals_8, primals_9, primals_10, primals_11, primals_12, primals_13, primals_14, primals_15, primals_16, primals_17, primals_18, primals_19, primals_20, primals_21, primals_22, primals_23, embedding, rsqrt, view_1, mm_2, add_4, view_10, where, getitem, getitem_1, mm_3, rsqrt_1, view_16, mm_4, mm_5, view_20, add_9, rsqrt_2, view_22, mm_9, add_11, view_31, getitem_2, getitem_3, add_13, rsqrt_3, view_37, mm_11, mm_12, view_41, add_16, rsqrt_4, view_43, view_44, constant_pad_nd, amax, log, convert_element_type_1, tangents_1, tangents_2]
# 
# 
# def benchmark_compiled_module(args, times=10, repeat=10):
#     from torch._inductor.utils import print_performance
#     fn = lambda: call(list(args))
#     return print_performance(fn, times=times, repeat=repeat, device='cpu')
# 
# 
# if __name__ == "__main__":
#     from torch._inductor.wrapper_benchmark import compiled_module_main
#     args = get_args()
#     compiled_module_main('None', lambda times, repeat: benchmark_compiled_module(args, times=times, repeat=repeat))

if __name__ == "__main__":
    different = 0
    for run in (run_inference_0_0_captured_graph, run_inference_0_0_forward_graph, run_inference_0_0_after_post_grad, run_training_0_0_captured_graph, run_training_0_0_forward_graph, run_training_0_0_backward_graph, run_training_0_0_after_post_grad, run_training_0_0_after_post_grad_1, ):
        print(run.__name__)
        try:
            different += run()
        except (IndexError, RuntimeError) as error:  # made-up numbers may be no valid indices
            print("needs real values:", error)
    raise SystemExit(different)
