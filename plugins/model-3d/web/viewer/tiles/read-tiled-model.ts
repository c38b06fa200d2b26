import { Box3, Matrix4, Vector3 } from 'three';
import { toBox, type TiledObjectRow, type TiledObjects } from '../../../contract/index.ts';
import type { Box, ModelContent, ModelObject } from '../model-content.ts';
import { formatName, toMatrix, createRootObject, type ModelSource } from '../read-model.ts';
import { ModelTiles } from './model-tiles.ts';
import { decompress } from './decompress.ts';

/** The files of a tiled model that are loaded before its tiles. */
export interface TiledModelFiles {
  /** URL of the `tileset.json`. */
  readonly url: string;
  /** Text of the `tileset.json`. */
  readonly tileset: string;
  /** The bytes of `objects.json.gz`. */
  readonly objects: ArrayBuffer;
  /** Fetches a tile or a picture. */
  readonly fetch: FetchBytes;
}

export type FetchBytes = (url: string, signal: AbortSignal) => Promise<ArrayBuffer>;

/** Converts from z up to y up, because `toMatrix` expects the frame of a GLB, but tilesets are z up. */
const zUpToYUp = new Matrix4().set(1, 0, 0, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1);

/**
 * Reads the object list of a tiled model. Its tiles load when they become visible.
 *
 * @throws if the list or the tileset cannot be read
 */
export async function readTiledModel(
  { url, tileset, objects: compressedObjects, fetch }: TiledModelFiles,
  { uid, name, pose }: ModelSource,
): Promise<ModelContent> {
  const { objects: rows } = (await decompress(compressedObjects).json()) as TiledObjects;
  const glbToSite = toMatrix(pose);
  const tilesetToSite = glbToSite.clone().multiply(zUpToYUp);
  const objects: readonly ModelObject[] = [
    createRootObject(uid, name),
    ...rows.map((row, index) => toObject(row, index + 1, uid)),
  ];
  const ids = new Map(objects.map((object) => [object.key, object.id]));
  JSON.parse(tileset);
  return {
    objects,
    parts: [],
    tiled: [
      {
        rootId: 0,
        boxes: [undefined, ...rows.map((row) => toSiteBox(toBox(row), tilesetToSite))],
        open: (host, rootId) =>
          new ModelTiles(
            { url, tileset, fetch, tilesetToSite, glbToSite, findObject: (key) => rootId + (ids.get(key) ?? 0) },
            host,
          ),
      },
    ],
  };
}

function toObject([parent, key, name, tag, , properties]: TiledObjectRow, id: number, model: string): ModelObject {
  const pairs: (readonly [string, string])[] = [];
  for (let index = 0; index + 1 < properties.length; index += 2)
    pairs.push([formatName(properties[index]!), properties[index + 1]!]);
  return { id, parent: parent + 1, name, model, key, tag: tag ?? undefined, node: undefined, properties: pairs };
}

function toSiteBox(box: Box | undefined, frame: Matrix4): Box | undefined {
  if (!box) return undefined;
  const { min, max } = new Box3(new Vector3(...box.min), new Vector3(...box.max)).applyMatrix4(frame);
  return { min: min.toArray(), max: max.toArray() };
}
