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
import { radians } from '#core';
import type { ModelPose } from '../../contract/index.ts';
import type { ModelContent, ModelObject, ModelPart } from './model-content.ts';

/** glTF is y up, the site z up: (x, y, z) becomes (x, -z, y). */
const zUp = new Matrix4().set(1, 0, 0, 0, 0, 0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1);

export interface ModelSource {
  readonly uid: string;
  readonly name: string;
  readonly pose: ModelPose;
}

/** From glTF's frame to the site frame. */
export function toMatrix({ position, heading, scale }: ModelPose): Matrix4 {
  const turn = new Quaternion().setFromAxisAngle(new Vector3(0, 0, 1), -radians(heading));
  return new Matrix4().compose(new Vector3(...position), turn, new Vector3(scale, scale, scale)).multiply(zUp);
}

export interface ReadGlb {
  readonly scene: Group;
  /**
   * Whether an object of the scene is a node of the file. Primitives become children without a node, and are parts of
   * the parent.
   */
  readonly isNode: (thing: Object3D) => boolean;
}

/** The loader interface that GLTFLoader uses for images. */
export interface PictureLoader {
  load(
    address: string,
    onLoad: (texture: Texture) => void,
    onProgress: undefined,
    onError: (error: unknown) => void,
  ): void;
}

/**
 * Reads a GLB, also one compressed by meshopt, y up. `folder` is the base of relative addresses.
 *
 * @throws if the bytes are no GLB or reference something unreadable
 */
export async function readGlb(bytes: ArrayBuffer, folder = '', pictures?: PictureLoader): Promise<ReadGlb> {
  await MeshoptDecoder.ready;
  const loader = new GLTFLoader();
  loader.setMeshoptDecoder(MeshoptDecoder);
  // Images are decoded by elements, because the content security policy forbids to fetch a blob's address.
  loader.register((parser) => {
    const byElement = new TextureLoader(parser.options.manager);
    parser.textureLoader = pictures ? Object.assign(byElement, { load: pictures.load.bind(pictures) }) : byElement;
    return { name: 'pictures-by-element' };
  });
  const { scene, parser } = await loader.parseAsync(bytes, folder);
  return { scene, isNode: (thing) => parser.associations.get(thing)?.nodes !== undefined };
}

/** Reads a model that is a single GLB. */
export async function readModel(bytes: ArrayBuffer, { uid, name, pose }: ModelSource): Promise<ModelContent> {
  const { scene, isNode } = await readGlb(bytes);
  scene.applyMatrix4(toMatrix(pose));
  scene.updateMatrixWorld(true);

  const objects: ModelObject[] = [rootObject(uid, name)];
  const parts: ModelPart[] = [];
  const visit = (thing: Object3D, above: number): void => {
    const own =
      isNode(thing) && (thing.name !== '' || 'object' in thing.userData)
        ? objects.push(toObject(thing, objects.length, above, uid)) - 1
        : above;
    if (isMesh(thing)) parts.push(...toParts(thing, own));
    for (const child of thing.children) visit(child, own);
  };
  for (const child of scene.children) visit(child, 0);
  return { objects, parts };
}

/** The model itself as the root object. */
export const rootObject = (model: string, name: string): ModelObject => ({
  id: 0,
  parent: undefined,
  name,
  model,
  key: '',
  tag: undefined,
  node: undefined,
  properties: [],
});

export const isMesh = (thing: Object3D): thing is Mesh => 'isMesh' in thing && thing.isMesh === true;
const isInstanced = (mesh: Mesh): mesh is InstancedMesh => 'isInstancedMesh' in mesh && mesh.isInstancedMesh === true;

/** Parts of a mesh, with its current world matrix. */
export function toParts(mesh: Mesh, object: number): readonly ModelPart[] {
  const { geometry, material, matrixWorld } = mesh;
  const first = Array.isArray(material) ? material[0] : material;
  if (!first || !geometry.getAttribute('position')) return [];
  if (!isInstanced(mesh)) return [{ object, geometry, material: first, matrix: matrixWorld.clone() }];
  return Array.from({ length: mesh.count }, (_, index) => {
    const own = new Matrix4();
    mesh.getMatrixAt(index, own);
    return { object, geometry, material: first, matrix: own.premultiply(matrixWorld) };
  });
}

const hidden = new Set(['object', 'tag', 'name']);

function toObject(thing: Object3D, id: number, parent: number, model: string): ModelObject {
  const extras = thing.userData as Readonly<Record<string, unknown>>;
  const text = (value: unknown): string | undefined =>
    typeof value === 'string' && value !== ''
      ? value
      : typeof value === 'number' || typeof value === 'boolean'
        ? String(value)
        : undefined;
  const named = text(extras['name']) ?? thing.name;
  const tag = text(extras['tag']);
  const properties = Object.entries(extras).flatMap(([name, value]): (readonly [string, string])[] => {
    const shown = text(value);
    return hidden.has(name) || shown === undefined ? [] : [[formatName(name), shown]];
  });
  return {
    id,
    parent,
    name: named === '' ? (tag ?? text(extras['object']) ?? String(id)) : named,
    model,
    key: text(extras['object']) ?? named,
    tag,
    node: undefined,
    properties,
  };
}

/** Formats `outsideDiameter` and `outside_diameter` for people: `Outside diameter`. */
export function formatName(name: string): string {
  const words = name
    .replaceAll('_', ' ')
    .replaceAll(/([a-z])([A-Z])/g, (_, before: string, after: string) => `${before} ${after.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}
