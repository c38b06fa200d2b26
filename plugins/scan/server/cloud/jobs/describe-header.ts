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
    const statedSystem = await completeSystem(system);
    return {
      header: {
        points: count,
        part: isEptNode(name, { software }),
        horizontal: statedSystem?.unit ? toSourceUnit(statedSystem.unit, 'FILE') : null,
        vertical: statedSystem?.unit || statedSystem?.verticalUnit ? toVerticalUnit(statedSystem) : null,
        name: statedSystem?.name ?? null,
        epsg: statedSystem?.epsg ?? null,
        unmeasurable: findUnmeasurable(statedSystem) ?? null,
      },
    };
  } catch (error) {
    if (error instanceof ScanUnreadable) return { header: null };
    throw error;
  }
}
