import { openPoints } from '../../adapters/open-points.ts';
import type { PointBatch, PointSource } from '../../adapters/point-source.ts';
import { ScanUnreadable } from '../../adapters/scan-unreadable.ts';
import type { ImportContext } from './import-cloud.ts';
import { openStoredFile } from './open-stored-file.ts';

/** An opened file of a delivery. */
export interface OpenedFile {
  readonly name: string;
  readonly source: PointSource;
  /** Number of points with a position that the latest reading has yielded so far. */
  readCount: number;
}

/** Opens a file of the delivery. With several files, errors name the file. */
export async function openSource(
  { files }: Pick<ImportContext, 'files'>,
  id: string,
  isOneOfSeveral: boolean,
): Promise<OpenedFile> {
  const bytes = await openStoredFile(files, id);
  const name = (await files.find(id))?.name ?? id;
  const addFileName = (error: unknown): unknown =>
    isOneOfSeveral && error instanceof ScanUnreadable ? error.addFileName(name) : error;
  try {
    const source = await openPoints(bytes, name);
    const openedFile: OpenedFile = {
      name,
      source: { ...source, readPoints: () => readAndCount(source, openedFile, addFileName) },
      readCount: 0,
    };
    return openedFile;
  } catch (error) {
    throw addFileName(error);
  }
}

async function* readAndCount(
  source: PointSource,
  openedFile: OpenedFile,
  addFileName: (error: unknown) => unknown,
): AsyncGenerator<PointBatch> {
  openedFile.readCount = 0;
  try {
    for await (const batch of source.readPoints()) {
      openedFile.readCount += batch.count;
      yield batch;
    }
  } catch (error) {
    throw addFileName(error);
  }
}
