import { openPoints } from '../../adapters/open-points.ts';
import type { PointBatch, PointSource } from '../../adapters/point-source.ts';
import { ScanUnreadable } from '../../adapters/scan-unreadable.ts';
import type { ImportContext } from './import-cloud.ts';
import { storedBytes } from './stored-bytes.ts';

/** A file of a delivery and the number of its points read so far. */
export interface OpenedFile {
  readonly name: string;
  readonly source: PointSource;
  /** Points with a position in the latest reading. */
  read: number;
}

/** Opens a file of the delivery. With several files, errors name the file. */
export async function openSource(
  { files }: Pick<ImportContext, 'files'>,
  id: string,
  oneOfSeveral: boolean,
): Promise<OpenedFile> {
  const bytes = await storedBytes(files, id);
  const name = (await files.find(id))?.name ?? id;
  const inFile = (error: unknown): unknown =>
    oneOfSeveral && error instanceof ScanUnreadable ? error.in(name) : error;
  try {
    const source = await openPoints(bytes, name);
    const opened: OpenedFile = {
      name,
      source: { ...source, points: () => pointsIn(source, opened, inFile) },
      read: 0,
    };
    return opened;
  } catch (error) {
    throw inFile(error);
  }
}

async function* pointsIn(
  source: PointSource,
  opened: OpenedFile,
  inFile: (error: unknown) => unknown,
): AsyncGenerator<PointBatch> {
  opened.read = 0;
  try {
    for await (const batch of source.points()) {
      opened.read += batch.count;
      yield batch;
    }
  } catch (error) {
    throw inFile(error);
  }
}
