import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { listCatalogues, root } from './list-catalogues.ts';

/** A breakable space before French punctuation. `::` starts an ICU skeleton and is exempt. */
const breakableSpace = / [;!?»]| :(?!:)|« /;

it('[PRO-20] uses non-breaking spaces before punctuation in all French texts', () => {
  const catalogues = listCatalogues(/^fr$/);
  expect(catalogues.length).toBeGreaterThan(10);
  const violations = catalogues.flatMap((file) =>
    Object.entries(JSON.parse(readFileSync(path.join(root, file), 'utf8')) as Readonly<Record<string, string>>).flatMap(
      ([id, text]) => (breakableSpace.test(text) ? [`${file}: ${id}`] : []),
    ),
  );
  expect(violations).toEqual([]);
});
