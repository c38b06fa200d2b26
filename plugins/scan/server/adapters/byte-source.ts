import { open } from 'node:fs/promises';
import { ScanUnreadable } from './scan-unreadable.ts';

/** Random access to bytes, such as those of a file. */
export interface ByteSource {
  readonly size: number;
  /** Reads exactly `length` bytes from `offset`. Throws `ScanUnreadable` if the source is too short. */
  read(offset: number, length: number): Promise<Buffer>;
}

export interface OpenFile extends ByteSource {
  close(): Promise<void>;
}

/** Opens a file on disk for reading. The caller closes it. */
export async function openFile(path: string): Promise<OpenFile> {
  const handle = await open(path, 'r');
  const { size } = await handle.stat();
  return {
    size,
    read: async (offset, length) => {
      assertWithin(offset, length, size);
      const bytes = Buffer.allocUnsafe(length);
      for (let bytesDone = 0; bytesDone < length;) {
        const { bytesRead } = await handle.read(bytes, bytesDone, length - bytesDone, offset + bytesDone);
        if (bytesRead === 0) throw new ScanUnreadable('scan.refused.becameShorter', { offset: offset + bytesDone });
        bytesDone += bytesRead;
      }
      return bytes;
    },
    close: () => handle.close(),
  };
}

/** A byte source in memory. */
export function openBytes(bytes: Uint8Array): ByteSource {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return {
    size: buffer.length,
    read: async (offset, length) => {
      assertWithin(offset, length, buffer.length);
      return buffer.subarray(offset, offset + length);
    },
  };
}

function assertWithin(offset: number, length: number, size: number): void {
  if (
    !Number.isSafeInteger(offset) ||
    !Number.isSafeInteger(length) ||
    offset < 0 ||
    length < 0 ||
    offset + length > size
  ) {
    throw new ScanUnreadable('scan.refused.cutShort', { size, length, offset });
  }
}
