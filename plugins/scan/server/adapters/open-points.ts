import type { ByteSource } from './byte-source.ts';
import { openE57, type E57File } from './e57/open-e57.ts';
import { isEptNode, openEpt, type EptFile } from './ept/open-ept.ts';
import { openLas, type LasFile } from './las/open-las.ts';
import { ScanUnreadable } from './scan-unreadable.ts';

/**
 * Opens a point file: E57, LAS, LAZ, COPC, or EPT in a ZIP file. Its first bytes determine the format. `name`
 * distinguishes a single node of an EPT tree from a whole cloud. Throws `ScanUnreadable`.
 */
export async function openPoints(source: ByteSource, name = ''): Promise<E57File | LasFile | EptFile> {
  const head = (await source.read(0, Math.min(512, source.size))).toString('latin1');
  if (head.startsWith('ASTM-E57')) return openE57(source);
  if (head.startsWith('PK\u0003\u0004')) return openEpt(source);
  if (head.startsWith('LASF')) {
    const file = await openLas(source);
    if (isEptNode(name, file.header)) throw new ScanUnreadable('scan.refused.eptNode');
    return file;
  }
  if (/^\s*\{/.test(head) && isEptPart(name, head)) throw new ScanUnreadable('scan.refused.eptNode');
  throw new ScanUnreadable('scan.refused.notPoints');
}

const isEptPart = (name: string, head: string): boolean =>
  /^ept\.json$/i.test(name) || head.includes('"hierarchyType"') || /"\d+-\d+-\d+-\d+"/.test(head);
