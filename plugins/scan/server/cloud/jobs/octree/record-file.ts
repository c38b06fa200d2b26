import { closeSync, openSync, writeSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { recordBytes, Records } from './records.ts';

const recordsAtOnce = 8192;

/** Points in a temporary file: written once, read in blocks, then deleted. */
export class RecordFile {
  count = 0;
  readonly #path: string;
  readonly #descriptor: number;
  readonly #buffer = new Records(recordsAtOnce);
  #open = true;

  constructor(path: string) {
    this.#path = path;
    this.#descriptor = openSync(path, 'wx');
  }

  /** The block to fill next. Call `filled` after each point. */
  get buffer(): Records {
    return this.#buffer;
  }

  filled(): void {
    this.count++;
    if (this.#buffer.count === recordsAtOnce) this.#flush();
  }

  /** Finishes writing. */
  close(): void {
    if (!this.#open) return;
    this.#flush();
    closeSync(this.#descriptor);
    this.#open = false;
  }

  /** Yields blocks. Each block is overwritten by the next one. */
  async *blocks(): AsyncGenerator<Records> {
    this.close();
    const file = await open(this.#path, 'r');
    try {
      const block = new Records(recordsAtOnce);
      for (let done = 0; done < this.count; done += block.count) {
        block.count = Math.min(recordsAtOnce, this.count - done);
        await readFully(file, block.bytes.subarray(0, block.count * recordBytes), done * recordBytes);
        yield block;
      }
    } finally {
      await file.close();
    }
  }

  async load(): Promise<Records> {
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
    for (let done = 0; done < bytes.length;) done += writeSync(this.#descriptor, bytes, done);
    this.#buffer.count = 0;
  }
}

async function readFully(file: Awaited<ReturnType<typeof open>>, into: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < into.length;) {
    const { bytesRead } = await file.read(into, done, into.length - done, position + done);
    if (bytesRead === 0)
      throw new Error('A temporary file of the import became shorter. Is the disk full, or does something clean it?');
    done += bytesRead;
  }
}
