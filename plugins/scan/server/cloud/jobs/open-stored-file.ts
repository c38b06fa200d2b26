import { buffer } from 'node:stream/consumers';
import { notFound, type FileStore } from '#core/server';
import type { ByteSource } from '../../adapters/byte-source.ts';
import { ScanUnreadable } from '../../adapters/scan-unreadable.ts';

/** Opens a stored file as a byte source. Throws 404 if it does not exist. */
export async function openStoredFile(files: FileStore, id: string): Promise<ByteSource> {
  const file = await files.find(id);
  if (!file) throw notFound('This file');
  const { bytes: size } = file;
  return {
    size,
    read: async (offset, length) => {
      if (length === 0) return Buffer.alloc(0);
      if (
        !Number.isSafeInteger(offset) ||
        !Number.isSafeInteger(length) ||
        offset < 0 ||
        length < 0 ||
        offset + length > size
      ) {
        throw new ScanUnreadable('scan.refused.cutShort', { size, length, offset });
      }
      return buffer(await files.read(id, { start: offset, end: offset + length - 1 }));
    },
  };
}
