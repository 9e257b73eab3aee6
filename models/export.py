"""From trained networks to the model file: ONNX of standard operators and plain arrays."""

from __future__ import annotations

import io
import warnings
from typing import Any

import numpy as np
import torch
from torch import nn

from models.nets import ColourContext, Finder, Namer
from vision.model import CONTEXT_LAYERS, FORMAT, Model


def _folded(net: nn.Module) -> nn.Module:
    """The same network with the normalisation folded into the convolutions before it."""
    for name, child in net.named_children():
        is_block = isinstance(child, nn.Sequential) and len(child) == 3
        if is_block and isinstance(child[1], nn.BatchNorm2d):
            fused = torch.nn.utils.fusion.fuse_conv_bn_eval(child[0], child[1])
            setattr(net, name, nn.Sequential(fused, nn.ReLU()))
        else:
            _folded(child)
    return net


def to_onnx(net: nn.Module, example: torch.Tensor, free_axes: tuple[int, ...]) -> bytes:
    """Serialise a network; the given axes of its input may have any size."""
    buffer = io.BytesIO()
    axes = {axis: f"d{axis}" for axis in free_axes}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            _folded(net.eval()),
            (example,),
            buffer,
            dynamo=False,
            opset_version=13,
            input_names=["input"],
            output_names=["output"],
            dynamic_axes={"input": axes, "output": axes},
        )
    return buffer.getvalue()


def to_model(finder: Finder, namer: Namer, context: ColourContext, header: dict[str, Any]) -> Model:
    """The model as it is shipped, not yet calibrated."""
    weights = {}
    for layer in CONTEXT_LAYERS:
        linear = getattr(context, layer)
        weights[f"{layer}_weight"] = linear.weight.detach().numpy().astype(np.float32)
        weights[f"{layer}_bias"] = linear.bias.detach().numpy().astype(np.float32)
    return Model(
        {"format": FORMAT, **header},
        to_onnx(finder, torch.rand(1, 3, 64, 64), (2, 3)),
        to_onnx(namer, torch.rand(2, 3, 48, 48), (0,)),
        weights,
        np.ones(3, np.float32),
        np.zeros((context.out.out_features, context.own.in_features), np.float32),
        np.eye(context.own.in_features, dtype=np.float32),
    )
