import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { FileStore } from '#core/server';
import { objectsFile, toBox, type TiledObjects } from '../../contract/index.ts';
import type { StoredObject } from './model-objects.ts';
import { addChildBoxes, type ObjectBox } from './object-boxes.ts';

const unpack = promisify(gunzip);

/** Reads the objects of a tiled model from its object list. */
export async function readTiledObjects(files: FileStore, id: string): Promise<readonly StoredObject[]> {
  const { objects } = JSON.parse(
    (await unpack(await buffer(await files.read(id, undefined, objectsFile)))).toString('utf8'),
  ) as TiledObjects;
  const ancestorNames: (readonly string[])[] = [];
  const rows = objects.map((object) => {
    const [parent, key, name, tag, , properties] = object;
    const parentRow = objects[parent];
    const namePath = parentRow ? [...ancestorNames[parent]!, parentRow[2]] : [];
    ancestorNames.push(namePath);
    const { min, max } = toBox(object) ?? {};
    const box: ObjectBox | undefined = min && max ? [...min, ...max] : undefined;
    return {
      key,
      name,
      within: namePath,
      tag: tag ?? undefined,
      parent: parentRow ? parent : undefined,
      attributes: toAttributes(properties),
      box,
    };
  });
  addChildBoxes(rows);
  return rows;
}

function toAttributes(properties: readonly string[]): Readonly<Record<string, string>> {
  const attributes: Record<string, string> = {};
  for (let index = 0; index + 1 < properties.length; index += 2)
    attributes[properties[index]!] = properties[index + 1]!;
  return attributes;
}
