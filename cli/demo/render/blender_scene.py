"""Builds the demo plant in Blender and renders its pictures.

Called by render.ts:  blender -b -noaudio -P blender_scene.py -- <jobs.json>

jobs.json: { "scene": folder with scene.json, scene.bin and atlas.png, "sun": { "azimuth", "elevation" } in degrees,
             "seaLevel": metres, "jobs": [ { "out", "kind": "PANORAMA" | "PERSPECTIVE" | "MAP", "position", "heading", "tilt", "fov", "span",
             "width", "height", "samples", "hide": [decks], "band": [lowest, highest row as fractions from below] } ] }
Each job becomes one uncompressed multilayer EXR of linear light for the filter in denoise.ts. It has separate layers for diffuse, glossy, emission
and environment, and layers for normal and depth. A job whose file exists is skipped, so an interrupted run resumes.
"""
import array
import json
import math
import os
import sys
import time

import bpy

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import blender_materials  # noqa: E402
import blender_world  # noqa: E402


def load(path, jobs):
    with open(os.path.join(path, "scene.json")) as handle:
        description = json.load(handle)
    with open(os.path.join(path, "scene.bin"), "rb") as handle:
        data = handle.read()
    materials = blender_materials.build(os.path.join(path, "atlas.png"), {mesh["material"] for mesh in description["meshes"]})
    for mesh in description["meshes"]:
        add_mesh(mesh, data, materials[mesh["material"]])
    blender_world.build(jobs["sun"], jobs["seaLevel"])


def view(data, kind, offset, count):
    values = array.array(kind)
    values.frombytes(data[offset:offset + count * 4])
    return values


def add_mesh(part, data, material):
    triangles = part["triangles"]
    mesh = bpy.data.meshes.new(part["name"])
    mesh.vertices.add(part["vertices"])
    mesh.vertices.foreach_set("co", view(data, "f", part["positions"], part["vertices"] * 3))
    corners = view(data, "I", part["indices"], triangles * 3)
    mesh.loops.add(triangles * 3)
    mesh.loops.foreach_set("vertex_index", array.array("i", corners))
    mesh.polygons.add(triangles)
    mesh.polygons.foreach_set("loop_start", array.array("i", range(0, triangles * 3, 3)))
    mesh.polygons.foreach_set("loop_total", array.array("i", [3]) * triangles)
    mesh.polygons.foreach_set("use_smooth", array.array("b", [1]) * triangles)
    if part["material"] == "sign":
        uvs = view(data, "f", part["uvs"], part["vertices"] * 2)
        flat = array.array("f")
        for corner in corners:
            flat.append(uvs[corner * 2])
            flat.append(uvs[corner * 2 + 1])
        mesh.uv_layers.new(name="UVMap").data.foreach_set("uv", flat)
    mesh.update(calc_edges=True)
    mesh.materials.append(material)
    scene_object = bpy.data.objects.new(part["name"], mesh)
    scene_object["deck"] = part["deck"]
    bpy.context.scene.collection.objects.link(scene_object)


def prepare():
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    cycles = scene.cycles
    cycles.device = "CPU"
    cycles.use_denoising = False
    cycles.use_adaptive_sampling = False
    cycles.max_bounces = 3
    cycles.diffuse_bounces = 2
    cycles.glossy_bounces = 2
    # Light after the first bounce is replaced by ambient light with occlusion. This takes a third of the time and looks nearly the same outdoors.
    cycles.use_fast_gi = True
    cycles.fast_gi_method = "REPLACE"
    cycles.ao_bounces_render = 1
    cycles.transmission_bounces = 0
    cycles.transparent_max_bounces = 4
    cycles.sample_clamp_direct = 12.0
    cycles.sample_clamp_indirect = 2.5
    cycles.caustics_reflective = False
    cycles.caustics_refractive = False
    cycles.blur_glossy = 1.0
    cycles.filter_width = 1.35
    cycles.use_auto_tile = False
    scene.render.use_persistent_data = True
    scene.render.threads_mode = "AUTO"
    scene.render.image_settings.file_format = "OPEN_EXR_MULTILAYER"
    scene.render.image_settings.exr_codec = "NONE"
    scene.render.image_settings.color_depth = "16"
    scene.world.light_settings.ao_factor = 1.0
    scene.world.light_settings.distance = 8.0
    layer = bpy.context.view_layer
    layer.use_pass_diffuse_direct = layer.use_pass_diffuse_indirect = layer.use_pass_diffuse_color = True
    layer.use_pass_glossy_direct = layer.use_pass_glossy_indirect = layer.use_pass_glossy_color = True
    layer.use_pass_emit = layer.use_pass_environment = True
    layer.use_pass_normal = layer.use_pass_z = True
    camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
    scene.collection.objects.link(camera)
    scene.camera = camera
    return scene, camera


def aim(camera, job):
    lens = camera.data
    lens.clip_start = 0.05
    lens.clip_end = 50000
    camera.location = job["position"]
    heading = math.radians(job.get("heading", 0))
    if job["kind"] == "PANORAMA":
        lens.type = "PANO"
        lens.cycles.panorama_type = "EQUIRECTANGULAR"
        camera.rotation_euler = (math.pi / 2, 0, -heading)
    elif job["kind"] == "PERSPECTIVE":
        lens.type = "PERSP"
        lens.sensor_fit = "VERTICAL"
        lens.angle_y = math.radians(job["fov"])
        camera.rotation_euler = (math.pi / 2 + math.radians(job["tilt"]), 0, -heading)
    else:
        lens.type = "ORTHO"
        lens.sensor_fit = "HORIZONTAL"
        lens.ortho_scale = job["span"]
        camera.rotation_euler = (0, 0, 0)


def main():
    with open(sys.argv[-1]) as handle:
        jobs = json.load(handle)
    bpy.ops.wm.read_factory_settings(use_empty=True)
    load(jobs["scene"], jobs)
    scene, camera = prepare()
    for job in jobs["jobs"]:
        if os.path.exists(job["out"]):
            continue
        started = time.time()
        aim(camera, job)
        for scene_object in scene.objects:
            if "deck" in scene_object:
                scene_object.hide_render = scene_object["deck"] in job.get("hide", [])
        scene.render.resolution_x = job["width"]
        scene.render.resolution_y = job["height"]
        scene.render.resolution_percentage = 100
        low, high = job.get("band", [0, 1])
        scene.render.use_border = scene.render.use_crop_to_border = [low, high] != [0, 1]
        scene.render.border_min_x, scene.render.border_max_x = 0, 1
        scene.render.border_min_y, scene.render.border_max_y = low, high
        scene.cycles.samples = job["samples"]
        scene.cycles.seed = job.get("seed", 1)
        scene.render.filepath = job["out"] + ".part.exr"
        bpy.ops.render.render(write_still=True)
        os.replace(job["out"] + ".part.exr", job["out"])
        print("RENDERED %s in %.0f s" % (os.path.basename(job["out"]), time.time() - started), flush=True)


main()
