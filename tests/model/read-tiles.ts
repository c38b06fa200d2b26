import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Reads the files of a tile folder. The keys are the paths under which the test serves them. */
export function readTiles(folder: string, basePath: string): Record<string, Uint8Array> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    files
      .map((entry) => path.join(entry.parentPath, entry.name))
      .map((file) => [`${basePath}/${path.relative(folder, file)}`, readFileSync(file)]),
  );
}
