import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { FileStore } from '#core/server';
import { objectsFile, type TiledObjects } from '../../contract/index.ts';
import type { StoredObject } from './model-objects.ts';

const unpack = promisify(gunzip);

/** Reads the objects of a tiled model from its object list. */
export async function readTiledObjects(files: FileStore, id: string): Promise<readonly StoredObject[]> {
  const { objects } = JSON.parse(
    (await unpack(await buffer(await files.read(id, undefined, objectsFile)))).toString('utf8'),
  ) as TiledObjects;
  const ancestorNames: (readonly string[])[] = [];
  return objects.map(([parent, key, name, tag]) => {
    const parentRow = objects[parent];
    const within = parentRow ? [...ancestorNames[parent]!, parentRow[2]] : [];
    ancestorNames.push(within);
    return { key, name, within, tag: tag ?? undefined };
  });
}
