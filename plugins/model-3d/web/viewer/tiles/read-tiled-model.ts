import { Box3, Matrix4, Vector3 } from 'three';
import { toBox, type TiledObjectRow, type TiledObjects } from '../../../contract/index.ts';
import type { Box, ModelContent, ModelObject } from '../model-content.ts';
import { formatName, toMatrix, rootObject, type ModelSource } from '../read-model.ts';
import { ModelTiles } from './model-tiles.ts';
import { unpack } from './unpack.ts';

/** The files of a tiled model that are loaded before any tile. */
export interface TiledModelFiles {
  /** Address of the `tileset.json`. */
  readonly address: string;
  /** Text of the `tileset.json`. */
  readonly tileset: string;
  /** The bytes of `objects.json.gz`. */
  readonly objects: ArrayBuffer;
  /** Fetches a tile or a picture by its address. */
  readonly fetch: FetchBytes;
}

export type FetchBytes = (address: string, signal: AbortSignal) => Promise<ArrayBuffer>;

/** To the site frame's y up and back: `toMatrix` expects a GLB's frame, but tiles are divided z up. */
const yUp = new Matrix4().set(1, 0, 0, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1);

/**
 * Reads the object list; tiles load as they become visible.
 *
 * @throws if list or tileset cannot be read
 */
export async function readTiledModel(
  { address, tileset, objects: packed, fetch }: TiledModelFiles,
  { uid, name, pose }: ModelSource,
): Promise<ModelContent> {
  const { objects: rows } = (await unpack(packed).json()) as TiledObjects;
  const content = toMatrix(pose);
  const frame = content.clone().multiply(yUp);
  const objects: readonly ModelObject[] = [
    rootObject(uid, name),
    ...rows.map((row, index) => toObject(row, index + 1, uid)),
  ];
  const ids = new Map(objects.map((object) => [object.key, object.id]));
  JSON.parse(tileset);
  return {
    objects,
    parts: [],
    tiled: [
      {
        first: 0,
        boxes: [undefined, ...rows.map((row) => siteBox(toBox(row), frame))],
        open: (host, first) =>
          new ModelTiles(
            { address, tileset, fetch, frame, content, toObject: (key) => first + (ids.get(key) ?? 0) },
            host,
          ),
      },
    ],
  };
}

function toObject([parent, key, name, tag, , properties]: TiledObjectRow, id: number, model: string): ModelObject {
  const pairs: (readonly [string, string])[] = [];
  for (let at = 0; at + 1 < properties.length; at += 2) pairs.push([formatName(properties[at]!), properties[at + 1]!]);
  return { id, parent: parent + 1, name, model, key, tag: tag ?? undefined, node: undefined, properties: pairs };
}

function siteBox(box: Box | undefined, frame: Matrix4): Box | undefined {
  if (!box) return undefined;
  const { min, max } = new Box3(new Vector3(...box.min), new Vector3(...box.max)).applyMatrix4(frame);
  return { min: min.toArray(), max: max.toArray() };
}
