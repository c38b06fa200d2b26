import { closeSync, openSync, writeSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { recordBytes, Records } from './records.ts';

const recordsPerBlock = 8192;

/** Points in a temporary file: written once, read in blocks, then deleted. */
export class RecordFile {
  count = 0;
  readonly #path: string;
  readonly #descriptor: number;
  readonly #buffer = new Records(recordsPerBlock);
  #open = true;

  constructor(path: string) {
    this.#path = path;
    this.#descriptor = openSync(path, 'wx');
  }

  /** The block to write the next point to. Call `commitPoint` after each point. */
  get buffer(): Records {
    return this.#buffer;
  }

  commitPoint(): void {
    this.count++;
    if (this.#buffer.count === recordsPerBlock) this.#flush();
  }

  /** Finishes writing. */
  close(): void {
    if (!this.#open) return;
    this.#flush();
    closeSync(this.#descriptor);
    this.#open = false;
  }

  /** Yields blocks. Each block is overwritten by the next one. */
  async *readBlocks(): AsyncGenerator<Records> {
    this.close();
    const file = await open(this.#path, 'r');
    try {
      const block = new Records(recordsPerBlock);
      for (let position = 0; position < this.count; position += block.count) {
        block.count = Math.min(recordsPerBlock, this.count - position);
        await readFully(file, block.bytes.subarray(0, block.count * recordBytes), position * recordBytes);
        yield block;
      }
    } finally {
      await file.close();
    }
  }

  async readAll(): Promise<Records> {
    this.close();
    const all = new Records(this.count);
    const file = await open(this.#path, 'r');
    try {
      await readFully(file, all.bytes, 0);
    } finally {
      await file.close();
    }
    all.count = this.count;
    return all;
  }

  async remove(): Promise<void> {
    this.close();
    await rm(this.#path, { force: true });
  }

  #flush(): void {
    const bytes = this.#buffer.bytes.subarray(0, this.#buffer.count * recordBytes);
    for (let position = 0; position < bytes.length;) position += writeSync(this.#descriptor, bytes, position);
    this.#buffer.count = 0;
  }
}

async function readFully(file: Awaited<ReturnType<typeof open>>, target: Uint8Array, offset: number): Promise<void> {
  for (let bytesDone = 0; bytesDone < target.length;) {
    const { bytesRead } = await file.read(target, bytesDone, target.length - bytesDone, offset + bytesDone);
    if (bytesRead === 0)
      throw new Error('A temporary file of the import became shorter. Is the disk full, or does something clean it?');
    bytesDone += bytesRead;
  }
}
