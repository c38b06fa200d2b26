import type { RequestOf } from '#core';
import { toNodeCode } from '../../../../common/to-node-code.ts';
import type { ContentDeck, createNodes } from '../../../../contract/api/tour-content.ts';
import { toEyePoint } from '../to-eye-point.ts';
import type { BatchFile } from './batch-file.ts';
import type { PanoramaBatch } from './panorama-batch.ts';

interface NewNode {
  readonly batchFile: BatchFile;
  readonly node: RequestOf<typeof createNodes>['body']['nodes'][number];
}

interface NewNodesOptions {
  /** The deck on which the pictures were taken. Undefined to use the heights in their metadata. */
  readonly deck: Pick<ContentDeck, 'uid' | 'elevation'> | undefined;
  readonly takenCodes: readonly string[];
}

/** Builds nodes for unassigned files with a known position, named after the files. */
export function toNewNodes(batch: PanoramaBatch, { deck, takenCodes }: NewNodesOptions): readonly NewNode[] {
  const usedCodes = new Set(takenCodes.map((code) => code.toUpperCase()));
  return batch.files.flatMap((batchFile) => {
    if (batchFile.assignment || !batchFile.position) return [];
    const code = findFreeCode(toNodeCode(batchFile.file.name) || 'N', usedCodes);
    usedCodes.add(code.toUpperCase());
    const [east, north, up] = batchFile.position;
    return [
      {
        batchFile,
        node: {
          uid: crypto.randomUUID(),
          code,
          name: batchFile.file.name.slice(0, 200),
          deck: deck?.uid ?? null,
          position: deck ? toEyePoint([east, north], deck.elevation) : [east, north, up],
          heading: batch.findSiteHeading(batchFile) ?? 0,
        },
      },
    ];
  });
}

/** Returns the code, with the lowest free number appended if it is used. Codes have at most 50 characters. */
function findFreeCode(code: string, usedCodes: ReadonlySet<string>): string {
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? code : `${code.slice(0, 43)}-${number}`;
    if (!usedCodes.has(candidate.toUpperCase())) return candidate;
  }
}
