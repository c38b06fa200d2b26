import type { ByteSource } from './byte-source.ts';
import { openE57, type E57File } from './e57/open-e57.ts';
import { openLas, type LasFile } from './las/open-las.ts';
import { ScanUnreadable } from './scan-unreadable.ts';

/** Opens a file of points by what its first bytes say: E57, LAS, LAZ or COPC. Throws `ScanUnreadable`. */
export async function openPoints(source: ByteSource): Promise<E57File | LasFile> {
  const magic = (await source.read(0, Math.min(8, source.size))).toString('latin1');
  if (magic === 'ASTM-E57') return openE57(source);
  if (magic.startsWith('LASF')) return openLas(source);
  throw new ScanUnreadable('scan.refused.notPoints');
}
