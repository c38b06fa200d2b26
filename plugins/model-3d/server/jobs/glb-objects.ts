import { buffer } from 'node:stream/consumers';
import type { FileStore } from '#core/server';
import type { StoredObject } from './model-objects.ts';
import {
  addChildBoxes,
  identityMatrix,
  joinBoxes,
  toModelBox,
  toWorldMatrix,
  type GlbTransform,
  type Matrix,
  type ObjectBox,
} from './object-boxes.ts';

interface GlbNode extends GlbTransform {
  readonly name?: string;
  readonly mesh?: number;
  readonly children?: readonly number[];
  readonly extras?: Readonly<Record<string, unknown>>;
}

interface GlbAccessor {
  readonly componentType?: number;
  readonly normalized?: boolean;
  readonly min?: readonly number[];
  readonly max?: readonly number[];
}

interface GlbDescription {
  readonly scene?: number;
  readonly scenes?: readonly { readonly nodes?: readonly number[] }[];
  readonly nodes?: readonly GlbNode[];
  readonly meshes?: readonly {
    readonly primitives?: readonly { readonly attributes?: Readonly<Record<string, number>> }[];
  }[];
  readonly accessors?: readonly GlbAccessor[];
}

interface StackEntry {
  readonly index: number;
  readonly within: readonly string[];
  /** Index of the object above. */
  readonly parent: number | undefined;
  readonly matrix: Matrix;
}

/** Reads the objects of a stored GLB in file order. Loads only the JSON chunk, not the geometry. */
export async function readGlbObjects(files: FileStore, id: string): Promise<readonly StoredObject[]> {
  const header = await buffer(await files.read(id, { start: 0, end: 19 }));
  const length = header.readUInt32LE(12);
  const description = JSON.parse(
    (await buffer(await files.read(id, { start: 20, end: 19 + length }))).toString('utf8'),
  ) as GlbDescription;
  const nodes = description.nodes ?? [];
  const objects: (StoredObject & { box: ObjectBox | undefined })[] = [];
  const stack: StackEntry[] = (description.scenes?.[description.scene ?? 0]?.nodes ?? [])
    .toReversed()
    .map((index) => ({ index, within: [], parent: undefined, matrix: identityMatrix }));
  for (let entry = stack.pop(); entry; entry = stack.pop()) {
    const { index, within, parent } = entry;
    const node = nodes[index];
    if (!node) continue;
    const extras = node.extras ?? {};
    const name = toText(extras['name']) ?? node.name ?? '';
    const key = toText(extras['object']) ?? name;
    const tag = toText(extras['tag']);
    const object =
      key === ''
        ? parent
        : objects.push({
            key,
            name: name === '' ? (tag ?? key) : name,
            within,
            tag,
            parent,
            attributes: toAttributes(extras),
            box: undefined,
          }) - 1;
    const matrix = toWorldMatrix(entry.matrix, node);
    const objectRow = object === undefined ? undefined : objects[object];
    if (objectRow) objectRow.box = joinBoxes(objectRow.box, readMeshBox(description, node, matrix));
    const childPath = key === '' ? within : [...within, name === '' ? key : name];
    for (const child of (node.children ?? []).toReversed())
      stack.push({ index: child, within: childPath, parent: object, matrix });
  }
  addChildBoxes(objects);
  return objects;
}

function readMeshBox({ meshes, accessors }: GlbDescription, { mesh }: GlbNode, matrix: Matrix): ObjectBox | undefined {
  const primitives = mesh === undefined ? [] : (meshes?.[mesh]?.primitives ?? []);
  return primitives.reduce<ObjectBox | undefined>((box, { attributes }) => {
    const accessor = accessors?.[attributes?.['POSITION'] ?? -1];
    if (!accessor?.min || !accessor.max) return box;
    const unit = accessor.normalized ? (maxIntegerByType[accessor.componentType ?? 0] ?? 1) : 1;
    const toFloats = (values: readonly number[]) => values.map((value) => value / unit);
    return joinBoxes(box, toModelBox(matrix, toFloats(accessor.min), toFloats(accessor.max)));
  }, undefined);
}

/** Maxima of BYTE, UNSIGNED_BYTE, SHORT and UNSIGNED_SHORT, which normalized values are divided by. */
const maxIntegerByType: Readonly<Record<number, number>> = { 5120: 127, 5121: 255, 5122: 32_767, 5123: 65_535 };

const toAttributes = (extras: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(extras).flatMap(([path, value]) => {
      const text = typeof value === 'boolean' ? String(value) : toText(value);
      return text === undefined || path === 'object' ? [] : [[path, text]];
    }),
  );

function toText(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}
