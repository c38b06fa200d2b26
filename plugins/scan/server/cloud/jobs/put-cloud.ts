import { mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { writeTemporaryFiles, type FileStore, type FolderEntry } from '#core/server';
import type { CloudExtent } from '../../../contract/api/cloud.ts';
import { writeCloud, type CloudSummary, type WriteCloudOptions } from './octree/write-cloud.ts';
import type { PointBatch } from '../../adapters/point-source.ts';
import { scanAudience } from '../../queries/scan-token.ts';

/** A stored folder with `tileset.json`, and its summary. */
export interface StoredCloud {
  readonly file: string;
  readonly extent: CloudExtent;
}

export interface PutCloudOptions extends Pick<WriteCloudOptions, 'onProgress'> {
  readonly uid: string;
  readonly location: string;
  /** Name of the temporary folder. Files of a killed attempt with this name are deleted. */
  readonly attempt: string;
  readonly signal?: AbortSignal;
}

/** Stores points as tiles. Stores nothing if it fails. Throws `temporaryFilesFull`. */
export async function putCloud(
  files: FileStore,
  batches: AsyncIterable<PointBatch>,
  { uid, location, attempt, signal, onProgress }: PutCloudOptions,
): Promise<StoredCloud> {
  const folder = path.join(tmpdir(), `walkdown-cloud-${attempt}`);
  await rm(folder, { recursive: true, force: true });
  await writeTemporaryFiles(() => mkdir(folder, { recursive: true }));
  let summary: CloudSummary | undefined;

  async function* readBatches(): AsyncGenerator<PointBatch> {
    for await (const batch of batches) {
      signal?.throwIfAborted();
      yield batch;
    }
  }
  async function* writeEntries(): AsyncGenerator<FolderEntry> {
    const tiles = writeCloud(readBatches(), { folder, ...(onProgress ? { onProgress } : {}) });
    for (;;) {
      signal?.throwIfAborted();
      const next = await writeTemporaryFiles(() => tiles.next());
      if (next.done) {
        summary = next.value;
        return;
      }
      yield next.value;
    }
  }

  try {
    const storedFile = await files.putFolder(
      { name: `${uid} cloud`, mediaType: 'application/octet-stream', audience: scanAudience(location) },
      writeEntries(),
    );
    if (!summary) throw new Error('The cloud was stored before it was written.');
    const { points, minimum, maximum, colored, intensity } = summary;
    return {
      file: storedFile.id,
      extent: { points, minimum, maximum, colored, withIntensity: intensity !== undefined },
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
