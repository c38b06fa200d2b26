import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The name in the project's package.json, which identifies its root. */
const projectName = 'walkdown';

function findRoot(start: string): string {
  for (let folder = start; ; folder = path.dirname(folder)) {
    const file = path.join(folder, 'package.json');
    if (existsSync(file) && (JSON.parse(readFileSync(file, 'utf8')) as { name?: string }).name === projectName)
      return folder;
    if (path.dirname(folder) === folder) throw new Error(`No package.json of '${projectName}' above ${start}.`);
  }
}

/** Absolute path of the project's folder. Also works if this code runs from the CLI's bundle. */
export const projectRoot = findRoot(path.dirname(fileURLToPath(import.meta.url)));

/** The path of a file for messages: relative to the project if the file is in it, with forward slashes. */
export function displayPath(file: string): string {
  const relative = path.relative(projectRoot, path.resolve(projectRoot, file));
  return (relative === '' ? '.' : relative.startsWith('..') ? file : relative).split(path.sep).join('/');
}
