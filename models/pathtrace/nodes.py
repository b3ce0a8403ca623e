"""Shader nodes in a few words."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np


class Shader:
    """Builds one material; every ``add`` returns the new node."""

    def __init__(self, name: str) -> None:
        self.material = bpy.data.materials.new(name)
        self.material.use_nodes = True
        self._tree = self.material.node_tree
        self._tree.nodes.clear()
        self.bsdf = self.add("ShaderNodeBsdfPrincipled")
        out = self.add("ShaderNodeOutputMaterial")
        self.link(self.bsdf.outputs[0], out.inputs[0])

    def add(self, kind: str, **values: Any) -> Any:
        """Add a node. Names that are inputs (with _ for a space) are set or linked; other names are its own settings."""
        node = self._tree.nodes.new(kind)
        for name, value in values.items():
            key = name.replace("_", " ")
            if key in node.inputs:
                self.put(node.inputs[key], value)
            else:
                setattr(node, name, value)
        return node

    def put(self, socket: Any, value: Any) -> None:
        if hasattr(value, "is_output"):
            self.link(value, socket)
        elif isinstance(value, (tuple, list, np.ndarray)) and len(value) == 3 and socket.type == "RGBA":
            socket.default_value = (*value, 1.0)
        else:
            socket.default_value = value

    def link(self, source: Any, target: Any) -> None:
        self._tree.links.new(source, target)

    def where(self, scale: float | tuple[float, float, float] = 1.0, offset: float = 0.0, turn: float = 0.0) -> Any:
        """Return coordinates on the object, in cm times ``scale``."""
        scale = (scale,) * 3 if isinstance(scale, (int, float)) else scale
        place = self.add("ShaderNodeTexCoord").outputs["Object"]
        mapping = self.add("ShaderNodeMapping", Vector=place)
        mapping.inputs["Scale"].default_value = scale
        mapping.inputs["Location"].default_value = (offset, offset * 1.7, offset * 0.6)
        mapping.inputs["Rotation"].default_value = (0, 0, turn)
        return mapping.outputs[0]

    def noise(self, where: Any, scale: float = 1.0, detail: float = 3.0, distortion: float = 0.0) -> Any:
        node = self.add("ShaderNodeTexNoise", Vector=where, Scale=scale, Detail=detail, Distortion=distortion)
        return node.outputs[0]

    def ramp(self, value: Any, *stops: tuple[float, Any]) -> Any:
        """Return colours along a value: (position, grey or RGB) each."""
        node = self.add("ShaderNodeValToRGB")
        node.inputs[0].default_value = 0
        self.link(value, node.inputs[0])
        elements = node.color_ramp.elements
        while len(elements) < len(stops):
            elements.new(0.5)
        for element, (position, colour) in zip(elements, stops, strict=True):
            element.position = float(position)
            rgb = (colour,) * 3 if isinstance(colour, (int, float)) else colour
            element.color = (*(float(c) for c in rgb), 1.0)
        return node.outputs[0]

    def mix(self, share: Any, a: Any, b: Any) -> Any:
        """Return colour ``a`` where the share is 0 and ``b`` where it is 1."""
        node = self.add("ShaderNodeMix", data_type="RGBA")
        for socket, value in ((node.inputs[0], share), (node.inputs[6], a), (node.inputs[7], b)):
            self.put(socket, value)
        return node.outputs[2]

    def maths(self, what: str, a: Any, b: Any = 0.0) -> Any:
        node = self.add("ShaderNodeMath", operation=what)
        self.put(node.inputs[0], a)
        self.put(node.inputs[1], b)
        return node.outputs[0]

    def bump(self, height: Any, distance: float, strength: float = 1.0, over: Any = None) -> Any:
        node = self.add("ShaderNodeBump", Strength=float(strength), Distance=float(distance), Height=height)
        if over is not None:
            self.link(over, node.inputs["Normal"])
        return node.outputs[0]

    def set(self, **values: Any) -> bpy.types.Material:
        """Set or link the surface's own inputs and return the material."""
        for name, value in values.items():
            self.put(self.bsdf.inputs[name.replace("_", " ")], value)
        return self.material


def image(name: str, pixels: np.ndarray, *, colour: bool) -> bpy.types.Image:
    """Return a Blender image of (h, w, 3) uint8 RGB, row 0 on top."""
    height, width = pixels.shape[:2]
    made = bpy.data.images.new(name, width, height, alpha=False, float_buffer=False)
    made.colorspace_settings.name = "sRGB" if colour else "Non-Color"
    full = np.ones((height, width, 4), np.float32)
    full[..., :3] = pixels[::-1].astype(np.float32) / 255
    made.pixels.foreach_set(full.ravel())
    made.update()
    return made


def srgb(*rgb: float) -> tuple[float, ...]:
    """Return 0..1 screen values as linear light."""
    return tuple(float(np.clip(c, 0, 1)) ** 2.2 for c in rgb)


def mesh_object(name: str, vertices: Any, polygons: Any, material: bpy.types.Material | None = None) -> Any:
    """Put a mesh into the scene."""
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata([tuple(map(float, v)) for v in vertices], [], [list(map(int, p)) for p in polygons])
    if material is not None:
        mesh.materials.append(material)
    made = bpy.data.objects.new(name, mesh)
    bpy.context.scene.collection.objects.link(made)
    return made
