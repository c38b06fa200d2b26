import type { ByteSource } from '../byte-source.ts';
import { ScanUnreadable } from '../scan-unreadable.ts';
import { crc32c } from './crc32c.ts';

const headerLength = 48;
const checksumLength = 4;
const blockLength = 256 * 1024;
const maxPageBytes = 1 << 20;

/** The offsets of the parts of an E57 file (ASTM E2807, clause 8). */
export interface E57Header {
  readonly xmlOffset: number;
  readonly xmlLength: number;
  readonly pageSize: number;
}

/**
 * The content of an E57 file without its checksums. Offsets in the file's tables are physical (with checksums), lengths
 * are logical (without). Each page is verified before its bytes are returned.
 */
export class PagedFile {
  readonly header: E57Header;
  /** Length without checksums. */
  readonly logicalSize: number;
  readonly #source: ByteSource;
  readonly #payloadBytes: number;
  readonly #pagesPerBlock: number;
  #block: { readonly first: number; readonly bytes: Buffer } | undefined;

  private constructor(source: ByteSource, header: E57Header) {
    this.#source = source;
    this.header = header;
    this.#payloadBytes = header.pageSize - checksumLength;
    this.#pagesPerBlock = Math.max(1, Math.floor(blockLength / header.pageSize));
    this.logicalSize = Math.floor(source.size / header.pageSize) * this.#payloadBytes;
  }

  static async open(source: ByteSource): Promise<PagedFile> {
    if (source.size < headerLength) throw new ScanUnreadable('scan.refused.e57Short');
    const bytes = await source.read(0, headerLength);
    if (bytes.toString('latin1', 0, 8) !== 'ASTM-E57') throw new ScanUnreadable('scan.refused.notE57');
    const major = bytes.readUInt32LE(8);
    if (major !== 1) throw new ScanUnreadable('scan.refused.e57Version', { version: major });
    const [physicalLength, xmlOffset, xmlLength, pageSize] = [16, 24, 32, 40].map((at) =>
      Number(bytes.readBigUInt64LE(at)),
    ) as [number, number, number, number];
    if (pageSize < 1024 || pageSize > maxPageBytes || (pageSize & (pageSize - 1)) !== 0)
      throw new ScanUnreadable('scan.refused.e57PageSize', { size: pageSize });
    if (source.size < physicalLength)
      throw new ScanUnreadable('scan.refused.e57CutOff', { expected: physicalLength, size: source.size });
    return new PagedFile(source, { xmlOffset, xmlLength, pageSize });
  }

  /** Converts a physical offset to a logical one. Throws if it is inside a checksum or outside of the file. */
  toLogicalOffset(physical: number): number {
    const { pageSize } = this.header;
    const offsetInPage = physical % pageSize;
    if (
      !Number.isSafeInteger(physical) ||
      physical < headerLength ||
      physical >= this.#source.size ||
      offsetInPage >= this.#payloadBytes
    ) {
      throw new ScanUnreadable('scan.refused.e57Pointer', { offset: physical });
    }
    return Math.floor(physical / pageSize) * this.#payloadBytes + offsetInPage;
  }

  /** Reads exactly `length` bytes from a logical offset. */
  async read(offset: number, length: number): Promise<Buffer> {
    if (!Number.isSafeInteger(length) || length < 0 || offset < 0 || offset + length > this.logicalSize) {
      throw new ScanUnreadable('scan.refused.e57Missing', { length, offset });
    }
    const out = Buffer.allocUnsafe(length);
    for (let doneBytes = 0; doneBytes < length;) {
      const at = offset + doneBytes;
      const page = Math.floor(at / this.#payloadBytes);
      const { first, bytes } = await this.#readBlock(page);
      const offsetInPage = at - page * this.#payloadBytes;
      const start = (page - first) * this.header.pageSize + offsetInPage;
      doneBytes += bytes.copy(
        out,
        doneBytes,
        start,
        start + Math.min(this.#payloadBytes - offsetInPage, length - doneBytes),
      );
    }
    return out;
  }

  async #readBlock(page: number): Promise<{ readonly first: number; readonly bytes: Buffer }> {
    const firstPage = page - (page % this.#pagesPerBlock);
    if (this.#block?.first === firstPage) return this.#block;
    const { pageSize } = this.header;
    const pages = Math.min(this.#pagesPerBlock, Math.floor(this.#source.size / pageSize) - firstPage);
    const bytes = await this.#source.read(firstPage * pageSize, pages * pageSize);
    for (let at = 0; at < bytes.length; at += pageSize) {
      if (crc32c(bytes, at, at + this.#payloadBytes) !== bytes.readUInt32BE(at + this.#payloadBytes)) {
        throw new ScanUnreadable('scan.refused.e57Checksum', { offset: firstPage * pageSize + at });
      }
    }
    this.#block = { first: firstPage, bytes };
    return this.#block;
  }
}
