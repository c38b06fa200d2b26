import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
// Makes `epsg-index` a dependency of the product. Entries are read one by one, because the whole index takes 8 MB.
import 'epsg-index';

/** A coordinate system of the EPSG register. */
export interface EpsgEntry {
  readonly name: string;
  /** Such as `metre` or `degree (supplier to define representation)`. */
  readonly unit: string | null;
  /** Definition for proj4; null if unknown. */
  readonly proj4: string | null;
}

const { resolve } = createRequire(import.meta.url);

/** Finds a system by its code in the bundled register, without network access. */
export async function readEpsgEntry(code: number): Promise<EpsgEntry | undefined> {
  if (!Number.isInteger(code) || code < 1) return undefined;
  const text = await readFile(findPath(code), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as EpsgEntry);
}

function findPath(code: number): string {
  try {
    return resolve(`epsg-index/s/${code}.json`);
  } catch {
    return '';
  }
}
