"""Sky with thin clouds, a sun, and a sea that fades into haze in the distance."""
import math

import bpy

HAZE = (0.50, 0.62, 0.76)
SKY_STRENGTH = 0.17
SUN_STRENGTH = 3.9


def build(sun, sea_level):
    world(sun)
    lamp = bpy.data.lights.new("sun", "SUN")
    lamp.energy = SUN_STRENGTH
    lamp.angle = math.radians(0.7)
    lamp.color = (1.0, 0.93, 0.82)
    scene_object = bpy.data.objects.new("sun", lamp)
    # A sun lamp shines along its -z; azimuth is clockwise from north.
    scene_object.rotation_euler = (math.radians(90 - sun["elevation"]), 0, math.pi - math.radians(sun["azimuth"]))
    bpy.context.scene.collection.objects.link(scene_object)
    sea(sea_level)


def world(sun):
    sky_world = bpy.data.worlds.new("sky")
    bpy.context.scene.world = sky_world
    sky_world.use_nodes = True
    tree = sky_world.node_tree
    background = tree.nodes["Background"]
    sky = tree.nodes.new("ShaderNodeTexSky")
    sky.sky_type = "NISHITA"
    sky.sun_disc = False
    sky.sun_elevation = math.radians(sun["elevation"])
    sky.sun_rotation = math.radians(sun["azimuth"])
    sky.altitude = 20
    sky.air_density = 1.0
    sky.dust_density = 1.2
    sky.ozone_density = 1.3

    coordinates = tree.nodes.new("ShaderNodeTexCoord").outputs["Generated"]
    parts = tree.nodes.new("ShaderNodeSeparateXYZ")
    tree.links.new(coordinates, parts.inputs["Vector"])

    def calc(operation, first, second=0.0, third=None):
        node = tree.nodes.new("ShaderNodeMath")
        node.operation = operation
        for value, socket in zip((first, second, third), node.inputs):
            if value is None:
                continue
            if isinstance(value, (int, float)):
                socket.default_value = value
            else:
                tree.links.new(value, socket)
        return node.outputs["Value"]

    def smooth(value, low, high, first=0.0, last=1.0):
        node = tree.nodes.new("ShaderNodeMapRange")
        node.interpolation_type = "SMOOTHSTEP"
        for name, number in (("From Min", low), ("From Max", high), ("To Min", first), ("To Max", last)):
            node.inputs[name].default_value = number
        tree.links.new(value, node.inputs["Value"])
        return node.outputs["Result"]

    # Clouds lie on a plane overhead: the view direction is stretched toward the horizon.
    height = calc("ADD", calc("MAXIMUM", parts.outputs["Z"], 0.0), 0.12)
    flat = tree.nodes.new("ShaderNodeCombineXYZ")
    tree.links.new(calc("DIVIDE", parts.outputs["X"], height), flat.inputs["X"])
    tree.links.new(calc("DIVIDE", parts.outputs["Y"], height), flat.inputs["Y"])

    def cloud(scale, detail, roughness, distortion):
        node = tree.nodes.new("ShaderNodeTexNoise")
        node.inputs["Scale"].default_value = scale
        node.inputs["Detail"].default_value = detail
        node.inputs["Roughness"].default_value = roughness
        node.inputs["Distortion"].default_value = distortion
        tree.links.new(flat.outputs["Vector"], node.inputs["Vector"])
        return node.outputs["Fac"]

    shape = cloud(0.85, 9, 0.58, 0.35)
    cover = calc("MULTIPLY", smooth(shape, 0.50, 0.72), smooth(parts.outputs["Z"], 0.02, 0.22))
    veil = calc("MULTIPLY", smooth(cloud(0.35, 6, 0.6, 1.2), 0.42, 0.8, 0.0, 0.45), smooth(parts.outputs["Z"], 0.0, 0.3))
    density = calc("MINIMUM", calc("MAXIMUM", calc("MULTIPLY", cover, 0.85), veil), 0.9)
    shade = smooth(shape, 0.56, 0.80, 1.0, 0.62)
    tint = tree.nodes.new("ShaderNodeMixRGB")
    tint.blend_type = "MULTIPLY"
    tint.inputs["Fac"].default_value = 1.0
    tint.inputs["Color1"].default_value = (7.6, 7.8, 8.1, 1)
    tree.links.new(shade, tint.inputs["Color2"])
    mixed = tree.nodes.new("ShaderNodeMixRGB")
    tree.links.new(density, mixed.inputs["Fac"])
    tree.links.new(sky.outputs["Color"], mixed.inputs["Color1"])
    tree.links.new(tint.outputs["Color"], mixed.inputs["Color2"])
    # The haze below and near the horizon has the colour into which the sea fades.
    low = tree.nodes.new("ShaderNodeMixRGB")
    tree.links.new(smooth(parts.outputs["Z"], 0.0, 0.075, 0.92, 0.0), low.inputs["Fac"])
    tree.links.new(mixed.outputs["Color"], low.inputs["Color1"])
    low.inputs["Color2"].default_value = (*(c / SKY_STRENGTH for c in HAZE), 1)
    tree.links.new(low.outputs["Color"], background.inputs["Color"])
    background.inputs["Strength"].default_value = SKY_STRENGTH
    sky_world.cycles.sampling_method = "MANUAL"
    sky_world.cycles.sample_map_resolution = 512


def sea(level):
    rings, spokes = [0, 30, 60, 120, 250, 500, 1000, 2000, 4000, 8000, 16000, 32000], 96
    vertices, faces = [], []
    for radius in rings:
        for k in range(spokes):
            angle = 2 * math.pi * k / spokes
            vertices.append((radius * math.cos(angle), radius * math.sin(angle), level))
    for r in range(len(rings) - 1):
        for k in range(spokes):
            a, b = r * spokes + k, r * spokes + (k + 1) % spokes
            faces.append((a, a + spokes, b + spokes, b))
    mesh = bpy.data.meshes.new("sea")
    mesh.from_pydata(vertices, [], faces)
    material = bpy.data.materials.new("sea")
    material.use_nodes = True
    tree = material.node_tree
    surface = tree.nodes["Principled BSDF"]
    surface.inputs["Base Color"].default_value = (0.010, 0.038, 0.052, 1)
    surface.inputs["Specular"].default_value = 0.5
    coordinates = tree.nodes.new("ShaderNodeTexCoord").outputs["Object"]
    distance = tree.nodes.new("ShaderNodeCameraData").outputs["View Distance"]

    def waves(scale, detail, stretch):
        mapping = tree.nodes.new("ShaderNodeMapping")
        mapping.inputs["Scale"].default_value = (1, stretch, 1)
        mapping.inputs["Rotation"].default_value = (0, 0, math.radians(28))
        tree.links.new(coordinates, mapping.inputs["Vector"])
        noise = tree.nodes.new("ShaderNodeTexNoise")
        noise.inputs["Scale"].default_value = scale
        noise.inputs["Detail"].default_value = detail
        noise.inputs["Roughness"].default_value = 0.6
        tree.links.new(mapping.outputs["Vector"], noise.inputs["Vector"])
        return noise.outputs["Fac"]

    def mapped(value, low, high, first, last):
        node = tree.nodes.new("ShaderNodeMapRange")
        for name, number in (("From Min", low), ("From Max", high), ("To Min", first), ("To Max", last)):
            node.inputs[name].default_value = number
        tree.links.new(value, node.inputs["Value"])
        return node.outputs["Result"]

    total = tree.nodes.new("ShaderNodeMath")
    total.operation = "MULTIPLY_ADD"
    swell = waves(0.045, 3, 0.45)
    chop = waves(0.32, 7, 0.7)
    tree.links.new(swell, total.inputs[0])
    total.inputs[1].default_value = 2.6
    tree.links.new(chop, total.inputs[2])
    bump = tree.nodes.new("ShaderNodeBump")
    bump.inputs["Distance"].default_value = 1.5
    tree.links.new(mapped(distance, 30, 1500, 0.55, 0.12), bump.inputs["Strength"])
    tree.links.new(total.outputs["Value"], bump.inputs["Height"])
    tree.links.new(bump.outputs["Normal"], surface.inputs["Normal"])
    tree.links.new(mapped(distance, 30, 2500, 0.10, 0.38), surface.inputs["Roughness"])
    # Foam on the highest crests.
    foam = mapped(waves(0.32, 9, 0.7), 0.665, 0.72, 0.0, 0.75)
    colour = tree.nodes.new("ShaderNodeMixRGB")
    tree.links.new(foam, colour.inputs["Fac"])
    colour.inputs["Color1"].default_value = (0.010, 0.038, 0.052, 1)
    colour.inputs["Color2"].default_value = (0.55, 0.6, 0.62, 1)
    tree.links.new(colour.outputs["Color"], surface.inputs["Base Color"])
    haze = tree.nodes.new("ShaderNodeEmission")
    haze.inputs["Color"].default_value = (*HAZE, 1)
    fade = tree.nodes.new("ShaderNodeMath")
    fade.operation = "POWER"
    tree.links.new(mapped(distance, 0, 14000, 0, 1), fade.inputs[0])
    fade.inputs[1].default_value = 0.75
    mix = tree.nodes.new("ShaderNodeMixShader")
    tree.links.new(fade.outputs["Value"], mix.inputs["Fac"])
    tree.links.new(surface.outputs["BSDF"], mix.inputs[1])
    tree.links.new(haze.outputs["Emission"], mix.inputs[2])
    tree.links.new(mix.outputs["Shader"], tree.nodes["Material Output"].inputs["Surface"])
    material.cycles.sample_as_light = False
    mesh.materials.append(material)
    bpy.context.scene.collection.objects.link(bpy.data.objects.new("sea", mesh))
