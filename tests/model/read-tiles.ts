import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Reads the files of a tile folder by the path under which they are served. */
export function readTiles(folder: string, under: string): Record<string, Uint8Array> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    files
      .map((entry) => path.join(entry.parentPath, entry.name))
      .map((file) => [`${under}/${path.relative(folder, file)}`, readFileSync(file)]),
  );
}
