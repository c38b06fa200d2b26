"""Materials of the demo plant: paint with dirt, chips and rust runs, galvanised steel, cladding sheet, wet deck, signs."""
import bpy

# name: (linear base colour, roughness, metallic, wear in [0, 1])
PAINTS = {
    "paint-white": ((0.70, 0.70, 0.67), 0.38, 0.0, 0.35),
    "paint-grey": ((0.33, 0.35, 0.36), 0.45, 0.0, 0.45),
    "paint-cream": ((0.66, 0.60, 0.46), 0.45, 0.0, 0.25),
    "paint-yellow": ((0.72, 0.40, 0.015), 0.40, 0.0, 0.55),
    "paint-red": ((0.45, 0.022, 0.014), 0.38, 0.0, 0.35),
    "paint-blue": ((0.035, 0.115, 0.27), 0.40, 0.0, 0.40),
    "paint-green": ((0.035, 0.16, 0.095), 0.42, 0.0, 0.35),
    "paint-orange": ((0.80, 0.16, 0.012), 0.45, 0.0, 0.10),
    "steel-structure": ((0.40, 0.42, 0.42), 0.50, 0.0, 0.70),
    "marking-yellow": ((0.68, 0.42, 0.03), 0.65, 0.0, 1.0),
    "marking-white": ((0.75, 0.75, 0.72), 0.6, 0.0, 0.5),
}
# name: (linear base colour, roughness, metallic)
PLAIN = {
    "rubber": ((0.018, 0.018, 0.019), 0.65, 0.0),
    "black": ((0.012, 0.012, 0.013), 0.45, 0.0),
    "glass": ((0.012, 0.017, 0.022), 0.06, 0.0),
    "brass": ((0.55, 0.36, 0.12), 0.35, 1.0),
    "plastic-white": ((0.72, 0.73, 0.70), 0.45, 0.0),
    "plastic-red": ((0.60, 0.02, 0.015), 0.30, 0.0),
    "cable": ((0.022, 0.022, 0.025), 0.6, 0.0),
}


class Graph:
    """Builds the node tree of one material."""

    def __init__(self, name):
        self.material = bpy.data.materials.new(name)
        self.material.use_nodes = True
        self.tree = self.material.node_tree
        self.surface = self.tree.nodes["Principled BSDF"]
        self.coordinates = self.node("ShaderNodeTexCoord").outputs["Object"]

    def node(self, kind, **settings):
        created = self.tree.nodes.new(kind)
        for key, value in settings.items():
            setattr(created, key, value)
        return created

    def link(self, source, target):
        self.tree.links.new(source, target)

    def scaled(self, x, y, z):
        mapping = self.node("ShaderNodeMapping")
        mapping.inputs["Scale"].default_value = (x, y, z)
        self.link(self.coordinates, mapping.inputs["Vector"])
        return mapping.outputs["Vector"]

    def noise(self, scale, detail=4.0, roughness=0.55, vector=None):
        created = self.node("ShaderNodeTexNoise")
        created.inputs["Scale"].default_value = scale
        created.inputs["Detail"].default_value = detail
        created.inputs["Roughness"].default_value = roughness
        self.link(vector or self.coordinates, created.inputs["Vector"])
        return created.outputs["Fac"]

    def ramp(self, value, low, high, first=0.0, last=1.0):
        created = self.node("ShaderNodeMapRange", interpolation_type="SMOOTHSTEP")
        for name, number in (("From Min", low), ("From Max", high), ("To Min", first), ("To Max", last)):
            created.inputs[name].default_value = number
        self.link(value, created.inputs["Value"])
        return created.outputs["Result"]

    def mix(self, factor, first, second, blend="MIX"):
        created = self.node("ShaderNodeMixRGB", blend_type=blend)
        for value, socket in ((factor, created.inputs["Fac"]), (first, created.inputs["Color1"]), (second, created.inputs["Color2"])):
            if isinstance(value, (int, float)):
                socket.default_value = value if socket.name == "Fac" else (value, value, value, 1)
            elif isinstance(value, tuple):
                socket.default_value = (*value, 1)
            else:
                self.link(value, socket)
        return created.outputs["Color"]

    def math(self, operation, first, second):
        created = self.node("ShaderNodeMath", operation=operation)
        for value, socket in zip((first, second), created.inputs):
            if isinstance(value, (int, float)):
                socket.default_value = value
            else:
                self.link(value, socket)
        return created.outputs["Value"]

    def bump(self, height, strength, distance):
        created = self.node("ShaderNodeBump")
        created.inputs["Strength"].default_value = strength
        created.inputs["Distance"].default_value = distance
        self.link(height, created.inputs["Height"])
        self.link(created.outputs["Normal"], self.surface.inputs["Normal"])

    def set(self, name, value):
        socket = self.surface.inputs[name]
        if isinstance(value, (int, float)):
            socket.default_value = value
        elif isinstance(value, tuple):
            socket.default_value = (*value, 1)
        else:
            self.link(value, socket)


def paint(name, colour, roughness, metallic, wear):
    """Paint with fading and dirt, runs on vertical faces, and chips down to rust."""
    g = Graph(name)
    broad = g.noise(0.9, 3)
    runs = g.noise(1.0, 3, 0.6, g.scaled(9, 9, 0.55))
    chips = g.noise(7.0, 5, 0.65)
    faded = g.mix(g.ramp(broad, 0.35, 0.7), colour, tuple(min(1.0, c * 0.80 + 0.018) for c in colour))
    dirty = g.mix(g.ramp(runs, 0.5, 0.78, 0.0, 0.16 + 0.26 * wear), faded, (0.10, 0.075, 0.05))
    limit = 0.70 - 0.075 * wear
    spots = g.ramp(g.math("ADD", chips, g.math("MULTIPLY", g.math("SUBTRACT", broad, 0.5), 0.22)), limit, limit + 0.022)
    rust = g.mix(chips, (0.19, 0.075, 0.028), (0.085, 0.038, 0.018))
    if name.startswith("marking"):
        rust = (0.13, 0.16, 0.14)
    g.set("Base Color", g.mix(spots, dirty, rust))
    g.set("Metallic", metallic)
    g.set("Roughness", g.mix(spots, g.ramp(runs, 0.3, 0.8, roughness, min(1.0, roughness + 0.22)), 0.85))
    return g.material


def galvanised():
    g = Graph("galvanised")
    spangle = g.node("ShaderNodeTexVoronoi")
    spangle.inputs["Scale"].default_value = 45
    g.link(g.coordinates, spangle.inputs["Vector"])
    broad = g.noise(1.7, 3)
    tone = g.mix(spangle.outputs["Color"], (0.40, 0.42, 0.43), (0.52, 0.54, 0.55))
    g.set("Base Color", g.mix(g.ramp(broad, 0.48, 0.75, 0, 0.55), tone, (0.30, 0.28, 0.25)))
    g.set("Metallic", 0.3)
    g.set("Roughness", g.ramp(broad, 0.3, 0.7, 0.38, 0.62))
    return g.material


def stainless():
    g = Graph("stainless")
    g.set("Base Color", (0.60, 0.59, 0.57))
    g.set("Metallic", 1.0)
    g.set("Roughness", g.ramp(g.noise(5, 3), 0.3, 0.7, 0.22, 0.40))
    return g.material


def cladding():
    """Aluminium sheet, slightly dented and dulled by salt."""
    g = Graph("cladding")
    dents = g.noise(2.6, 2)
    salt = g.noise(1.3, 4, 0.62, g.scaled(2, 2, 0.7))
    g.set("Base Color", g.mix(g.ramp(salt, 0.42, 0.74, 0, 0.7), (0.66, 0.67, 0.68), (0.47, 0.46, 0.44)))
    g.set("Metallic", 0.9)
    g.set("Roughness", g.ramp(salt, 0.35, 0.72, 0.27, 0.52))
    g.bump(dents, 0.16, 0.02)
    return g.material


def rust():
    g = Graph("rust")
    n = g.noise(6, 9, 0.65)
    g.set("Base Color", g.mix(n, (0.20, 0.075, 0.03), (0.06, 0.028, 0.015)))
    g.set("Roughness", 0.9)
    return g.material


def deck(name, colour):
    """Non-slip epoxy with worn and stained areas and wet patches."""
    g = Graph(name)
    broad = g.noise(0.28, 4, 0.6)
    stains = g.noise(1.6, 5, 0.66)
    grit = g.noise(320, 1)
    worn = g.mix(g.ramp(broad, 0.4, 0.68, 0.0, 0.75), colour, tuple(c * 1.25 + 0.028 for c in colour))
    stained = g.mix(g.ramp(stains, 0.52, 0.78, 0, 0.55), worn, tuple(c * 0.42 + 0.008 for c in colour))
    speck = g.mix(g.ramp(grit, 0.35, 0.7, 0.0, 0.30), stained, tuple(c * 1.7 + 0.03 for c in colour))
    spots = g.ramp(g.noise(4.3, 5, 0.6), 0.665, 0.685)
    chipped = g.mix(spots, speck, (0.13, 0.06, 0.028))
    wet = g.ramp(g.math("ADD", g.noise(0.42, 3, 0.5, g.scaled(1, 1.4, 1)), g.math("MULTIPLY", stains, 0.16)), 0.655, 0.70)
    g.set("Base Color", g.mix(wet, chipped, g.mix(0.55, chipped, (0.0, 0.0, 0.0))))
    g.set("Roughness", g.mix(wet, 0.72, 0.10))
    g.set("Specular", 0.5)
    dry = g.math("MULTIPLY", grit, g.math("SUBTRACT", 1.0, wet))
    g.bump(dry, 0.35, 0.003)
    return g.material


def sign(atlas):
    g = Graph("sign")
    picture = g.node("ShaderNodeTexImage", interpolation="Cubic")
    picture.image = bpy.data.images.load(atlas)
    uv = g.node("ShaderNodeUVMap", uv_map="UVMap")
    g.link(uv.outputs["UV"], picture.inputs["Vector"])
    dirt = g.ramp(g.noise(3.0, 7, 0.6, g.scaled(2, 2, 0.8)), 0.45, 0.8, 0, 0.30)
    g.set("Base Color", g.mix(dirt, picture.outputs["Color"], (0.16, 0.14, 0.11)))
    g.set("Roughness", 0.42)
    g.set("Specular", 0.35)
    return g.material


def lamp():
    g = Graph("lamp")
    g.set("Base Color", (0.8, 0.8, 0.8))
    g.set("Emission", (1.0, 0.93, 0.80))
    g.set("Emission Strength", 2.2)
    g.material.cycles.sample_as_light = False
    return g.material


def plain(name, colour, roughness, metallic):
    g = Graph(name)
    g.set("Base Color", colour)
    g.set("Roughness", roughness)
    g.set("Metallic", metallic)
    return g.material


def build(atlas, names):
    """Creates the named materials. Raises ValueError for an unknown name, which Blender would render white."""
    materials = {}
    for name in names:
        if name in PAINTS:
            materials[name] = paint(name, *PAINTS[name])
        elif name in PLAIN:
            materials[name] = plain(name, *PLAIN[name])
        elif name == "sign":
            materials[name] = sign(atlas)
        elif name == "deck-green":
            materials[name] = deck(name, (0.060, 0.118, 0.085))
        elif name == "deck-grey":
            materials[name] = deck(name, (0.145, 0.150, 0.150))
        elif name in ("galvanised", "stainless", "cladding", "rust", "lamp"):
            materials[name] = globals()[name]()
        else:
            raise ValueError("blender_materials.py does not define the material '%s'" % name)
    return materials
