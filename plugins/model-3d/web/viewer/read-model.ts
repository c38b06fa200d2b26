import {
  Matrix4,
  Quaternion,
  TextureLoader,
  Vector3,
  type Group,
  type InstancedMesh,
  type Mesh,
  type Object3D,
  type Texture,
} from 'three';
import { GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';
import { MeshoptDecoder } from 'meshoptimizer/decoder';
import { toRadians } from '#core';
import type { ModelPose } from '../../contract/index.ts';
import type { ModelContent, ModelObject, ModelPart } from './model-content.ts';

/** Converts from glTF (y up) to the site (z up): (x, y, z) becomes (x, -z, y). */
const yUpToZUp = new Matrix4().set(1, 0, 0, 0, 0, 0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1);

export interface ModelSource {
  readonly uid: string;
  readonly name: string;
  readonly pose: ModelPose;
}

/** Returns the matrix from glTF's frame to the site frame. */
export function toMatrix({ position, heading, scale }: ModelPose): Matrix4 {
  const rotation = new Quaternion().setFromAxisAngle(new Vector3(0, 0, 1), -toRadians(heading));
  return new Matrix4().compose(new Vector3(...position), rotation, new Vector3(scale, scale, scale)).multiply(yUpToZUp);
}

export interface GlbContent {
  readonly scene: Group;
  /**
   * Whether an object of the scene is a node of the file. The loader also creates children for primitives, which are
   * parts of the node above them.
   */
  readonly isNode: (node: Object3D) => boolean;
}

/** The loader interface that GLTFLoader uses for images. */
export interface PictureLoader {
  load(url: string, onLoad: (texture: Texture) => void, onProgress: undefined, onError: (error: unknown) => void): void;
}

/**
 * Reads a GLB (y up), which may be compressed by meshopt. `folder` is the base of relative URLs.
 *
 * @throws if the bytes are not a GLB, or if a referenced file cannot be read
 */
export async function readGlb(bytes: ArrayBuffer, folder = '', pictures?: PictureLoader): Promise<GlbContent> {
  await MeshoptDecoder.ready;
  const loader = new GLTFLoader();
  loader.setMeshoptDecoder(MeshoptDecoder);
  // Images are decoded by `img` elements, because the content security policy forbids fetching blob URLs.
  loader.register((parser) => {
    const elementLoader = new TextureLoader(parser.options.manager);
    parser.textureLoader = pictures
      ? Object.assign(elementLoader, { load: pictures.load.bind(pictures) })
      : elementLoader;
    return { name: 'pictures-by-element' };
  });
  const { scene, parser } = await loader.parseAsync(bytes, folder);
  return { scene, isNode: (node) => parser.associations.get(node)?.nodes !== undefined };
}

/** Reads a model that is a single GLB. */
export async function readModel(bytes: ArrayBuffer, { uid, name, pose }: ModelSource): Promise<ModelContent> {
  const { scene, isNode } = await readGlb(bytes);
  scene.applyMatrix4(toMatrix(pose));
  scene.updateMatrixWorld(true);

  const objects: ModelObject[] = [createRootObject(uid, name)];
  const parts: ModelPart[] = [];
  const visit = (node: Object3D, parent: number): void => {
    const object =
      isNode(node) && (node.name !== '' || 'object' in node.userData)
        ? objects.push(toObject(node, objects.length, parent, uid)) - 1
        : parent;
    if (isMesh(node)) parts.push(...toParts(node, object));
    for (const child of node.children) visit(child, object);
  };
  for (const child of scene.children) visit(child, 0);
  return { objects, parts };
}

/** Creates the root object, which stands for the model itself. */
export const createRootObject = (model: string, name: string): ModelObject => ({
  id: 0,
  parent: undefined,
  name,
  model,
  key: '',
  tag: undefined,
  node: undefined,
  properties: [],
});

export const isMesh = (node: Object3D): node is Mesh => 'isMesh' in node && node.isMesh === true;
const isInstanced = (mesh: Mesh): mesh is InstancedMesh => 'isInstancedMesh' in mesh && mesh.isInstancedMesh === true;

/** Returns the parts of a mesh with their current world matrices. */
export function toParts(mesh: Mesh, object: number): readonly ModelPart[] {
  const { geometry, material, matrixWorld } = mesh;
  const firstMaterial = Array.isArray(material) ? material[0] : material;
  if (!firstMaterial || !geometry.getAttribute('position')) return [];
  if (!isInstanced(mesh)) return [{ object, geometry, material: firstMaterial, matrix: matrixWorld.clone() }];
  return Array.from({ length: mesh.count }, (_, index) => {
    const matrix = new Matrix4();
    mesh.getMatrixAt(index, matrix);
    return { object, geometry, material: firstMaterial, matrix: matrix.premultiply(matrixWorld) };
  });
}

const hiddenProperties = new Set(['object', 'tag', 'name']);

function toObject(node: Object3D, id: number, parent: number, model: string): ModelObject {
  const extras = node.userData as Readonly<Record<string, unknown>>;
  const ownName = formatValue(extras['name']) ?? node.name;
  const tag = formatValue(extras['tag']);
  const properties = Object.entries(extras).flatMap(([name, value]): (readonly [string, string])[] => {
    const formatted = formatValue(value);
    return hiddenProperties.has(name) || formatted === undefined ? [] : [[formatName(name), formatted]];
  });
  return {
    id,
    parent,
    name: ownName === '' ? (tag ?? formatValue(extras['object']) ?? String(id)) : ownName,
    model,
    key: formatValue(extras['object']) ?? ownName,
    tag,
    node: undefined,
    properties,
  };
}

function formatValue(value: unknown): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Formats `outsideDiameter` and `outside_diameter` for people: `Outside diameter`. */
export function formatName(name: string): string {
  const words = name
    .replaceAll('_', ' ')
    .replaceAll(/([a-z])([A-Z])/g, (_, last: string, first: string) => `${last} ${first.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}
