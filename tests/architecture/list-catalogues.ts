import { readdirSync } from 'node:fs';
import path from 'node:path';

export const root = path.resolve(import.meta.dirname, '../..');

/** Message catalogues of core and the plugins, relative to the project root. `pattern` matches names such as `fr`. */
export function listCatalogues(pattern = /^\w+$/): readonly string[] {
  return ['core', 'plugins'].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).flatMap((name) =>
      path.basename(path.dirname(name)) === 'messages' &&
      name.endsWith('.json') &&
      pattern.test(path.basename(name, '.json'))
        ? [path.join(folder, name)]
        : [],
    ),
  );
}
