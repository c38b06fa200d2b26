import type { RequestOf } from '#core';
import { toNodeCode } from '../../../../common/to-node-code.ts';
import type { ContentDeck, createNodes } from '../../../../contract/api/tour-content.ts';
import { toEyePoint } from '../poses.ts';
import { proposeNodeCode } from '../propose-codes.ts';
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
  const codes = [...taken];
  const used = new Set(taken.map((code) => code.toUpperCase()));
  return batch.files.flatMap((row) => {
    if (row.match || !row.position) return [];
    const named = toNodeCode(row.file.name);
    const code = named === '' || used.has(named.toUpperCase()) ? proposeNodeCode(codes) : named;
    codes.push(code);
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
