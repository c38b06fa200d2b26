import type { RequestOf } from '#core';
import { toNodeCode } from '../../../../common/to-node-code.ts';
import type { ContentDeck, createNodes } from '../../../../contract/api/tour-content.ts';
import { toEyePoint } from '../to-eye-point.ts';
import type { BatchFile } from './batch-file.ts';
import type { PanoramaBatch } from './panorama-batch.ts';

interface NewNode {
  readonly row: BatchFile;
  readonly node: RequestOf<typeof createNodes>['body']['nodes'][number];
}

interface NewNodesOptions {
  /** The deck on which the pictures were taken. Undefined to take their heights as they are. */
  readonly deck: Pick<ContentDeck, 'uid' | 'elevation'> | undefined;
  /** Codes that are in use. */
  readonly taken: readonly string[];
}

/** The viewpoints of files that have none and whose places are known, named after the files. */
export function toNewNodes(batch: PanoramaBatch, { deck, taken }: NewNodesOptions): readonly NewNode[] {
  const used = new Set(taken.map((code) => code.toUpperCase()));
  return batch.files.flatMap((row) => {
    if (row.match || !row.position) return [];
    const code = findFreeCode(toNodeCode(row.file.name) || 'N', used);
    used.add(code.toUpperCase());
    const [east, north, up] = row.position;
    return [
      {
        row,
        node: {
          uid: crypto.randomUUID(),
          code,
          name: row.file.name.slice(0, 200),
          deck: deck?.uid ?? null,
          position: deck ? toEyePoint([east, north], deck.elevation) : [east, north, up],
          heading: batch.siteHeading(row) ?? 0,
        },
      },
    ];
  });
}

/** The code, or the first free one with a number behind it. Codes have at most 50 letters. */
function findFreeCode(code: string, used: ReadonlySet<string>): string {
  for (let number = 1; ; number++) {
    const free = number === 1 ? code : `${code.slice(0, 43)}-${number}`;
    if (!used.has(free.toUpperCase())) return free;
  }
}
