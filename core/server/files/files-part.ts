import { LocationStore } from '../access/location-store.ts';
import type { CorePart } from '../kernel/core-part.ts';
import type { DiskSpaceMonitor } from '../kernel/disk-space.ts';
import type { ServerConfig } from '../kernel/server-config.ts';
import type { BlobStore } from './blob-store.ts';
import { DiskBlobs } from './disk-blobs.ts';
import { FileGuards } from './file-guards.ts';
import { FileStore } from './file-store.ts';
import { fileMigrations } from './file-tables.ts';
import { removeOldUploads, uploadsFolder } from './receive-upload.ts';
import { S3Blobs } from './s3-blobs.ts';
import { serveFiles } from './serve-file.ts';
import { StoredFiles } from './stored-files.ts';

const cleanupIntervalMs = 10 * 60_000;

/** See `DiskBlobs` for `disk`. */
export const openBlobs = async (config: ServerConfig['files'], disk?: DiskSpaceMonitor): Promise<BlobStore> =>
  config.kind === 'disk' ? new DiskBlobs(config.folder, disk) : S3Blobs.open(config);

/** Core's part for files: provides `FileStore`, serves the files, and removes unfinished files of killed processes. */
export const filesPart: CorePart = {
  id: 'files',
  migrations: fileMigrations,
  async mount(api, context) {
    const { config, database, clock } = context;
    const blobs = await openBlobs(config.files, context.disk);
    const files = new StoredFiles(database, blobs, context.log, config.apiUrl);
    context.provide(FileStore, files);
    const guards = new FileGuards();
    context.provide(FileGuards, guards);
    serveFiles(api, files, () => context.service(LocationStore), guards);

    context.onStart(async () => {
      await blobs.check();
      // This process holds the lock of the embedded database, so unfinished writes belong to a killed process.
      const isOnlyProcess = database.kind === 'embedded';
      await removeOldUploads(uploadsFolder(config), isOnlyProcess, clock.now());
      await files.cleanUp(isOnlyProcess);
      const cleanupTimer = setInterval(
        () =>
          void files
            .cleanUp(false)
            .catch((error: unknown) =>
              context.log.warn({ err: error }, 'The cleanup of files failed. It is repeated in ten minutes.'),
            ),
        cleanupIntervalMs,
      );
      context.onStop(() => {
        clearInterval(cleanupTimer);
        blobs.close();
      });
    });
  },
};
