import type { StaticDecode } from 'typebox';
import type { describeHeader } from '../../../contract/api/cloud.ts';
import {
  completeSystem,
  findUnmeasurable,
  toSourceUnit,
  toVerticalUnit,
} from '../../adapters/coordinates/resolve-system.ts';
import { openBytes } from '../../adapters/byte-source.ts';
import { isEptNode } from '../../adapters/ept/open-ept.ts';
import { readLasHeader } from '../../adapters/las/las-header.ts';
import { ScanUnreadable } from '../../adapters/scan-unreadable.ts';

interface FileHead {
  readonly name: string;
  readonly bytes: number;
  /** Base64. */
  readonly head: string;
}

type HeaderReply = StaticDecode<typeof describeHeader.reply>;

/** Describes the coordinates of a file from its first bytes; `header` is null if they do not suffice. */
export async function readHeader({ name, bytes, head }: FileHead): Promise<HeaderReply> {
  const firstBytes = openBytes(Buffer.from(head, 'base64'));
  try {
    const { count, system, software } = await readLasHeader({ ...firstBytes, size: bytes }, { headOnly: true });
    const stated = await completeSystem(system);
    return {
      header: {
        points: count,
        part: isEptNode(name, { software }),
        horizontal: stated?.unit ? toSourceUnit(stated.unit, 'FILE') : null,
        vertical: stated?.unit || stated?.verticalUnit ? toVerticalUnit(stated) : null,
        name: stated?.name ?? null,
        epsg: stated?.epsg ?? null,
        unmeasurable: findUnmeasurable(stated) ?? null,
      },
    };
  } catch (error) {
    if (error instanceof ScanUnreadable) return { header: null };
    throw error;
  }
}
