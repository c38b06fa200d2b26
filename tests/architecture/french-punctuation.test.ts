import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { listCatalogues, root } from './list-catalogues.ts';

/** A plain space before what French sets off from its word, but for the skeletons of ICU (`::`). */
const breakable = / [;!?»]| :(?!:)|« /;

it('[PRO-20] no line of a French text begins with its punctuation: the space before it does not break', () => {
  const catalogues = listCatalogues(/^fr$/);
  expect(catalogues.length).toBeGreaterThan(10);
  const loose = catalogues.flatMap((file) =>
    Object.entries(JSON.parse(readFileSync(path.join(root, file), 'utf8')) as Readonly<Record<string, string>>).flatMap(
      ([id, text]) => (breakable.test(text) ? [`${file}: ${id}`] : []),
    ),
  );
  expect(loose).toEqual([]);
});
