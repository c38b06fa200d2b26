import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseTree } from 'jsonc-parser';
import { expect, it } from 'vitest';
import { listCatalogues, root } from './list-catalogues.ts';

it('[PRO-20] finds no duplicate ids in the catalogues', () => {
  const catalogues = listCatalogues();
  expect(catalogues.length).toBeGreaterThan(20);
  const duplicates = catalogues.flatMap((file) => {
    const ids = (parseTree(readFileSync(path.join(root, file), 'utf8'))?.children ?? []).map(
      ({ children: [key] = [] }) => String(key?.value),
    );
    expect(ids, file).not.toEqual([]);
    return ids.flatMap((id, index) => (ids.indexOf(id) < index ? [`${file}: ${id}`] : []));
  });
  expect(duplicates).toEqual([]);
});
