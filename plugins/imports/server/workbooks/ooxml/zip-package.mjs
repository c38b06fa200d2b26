// Opens the ZIP file of a workbook within limits. An entry that inflates to another size than it declares fails while
// it is read, so the declared sizes, which are checked first, bound what is ever inflated.
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import yauzl from 'yauzl';
import { WorkbookError } from './workbook-error.mjs';

const maxEntries = 10_000;
const maxBytes = 1024 ** 3;
/** Workbooks compress up to about 50 times, ZIP bombs 1000 times. */
const maxRatio = 200;
const minBombBytes = 64 * 1024 ** 2;
const maxPartBytes = 32 * 1024 ** 2;

export class ZipPackage {
  #zip;
  #entries;

  constructor(zip, entries) {
    this.#zip = zip;
    this.#entries = entries;
  }

  /** @throws WorkbookError */
  static async open(file, fileBytes) {
    const zip = await promisify(yauzl.open)(file, {
      lazyEntries: true,
      autoClose: false,
      validateEntrySizes: true,
    }).catch((cause) => {
      throw new WorkbookError('imports.refused.workbookDamaged', {}, { cause });
    });
    try {
      return new ZipPackage(zip, await listEntries(zip, fileBytes));
    } catch (error) {
      zip.close();
      throw error;
    }
  }

  get names() {
    return [...this.#entries.values()].map(({ fileName }) => fileName);
  }

  has(name) {
    return this.#entries.has(name.toLowerCase());
  }

  /** Inflates every part once: one that is larger or smaller than it declares is refused. @throws WorkbookError */
  async verify() {
    try {
      for (const { fileName } of this.#entries.values()) for await (const _ of await this.stream(fileName));
    } catch (cause) {
      throw cause instanceof WorkbookError
        ? cause
        : new WorkbookError('imports.refused.workbookDamaged', {}, { cause });
    }
  }

  /** Opens a part as a stream of bytes. @throws WorkbookError if it does not exist */
  async stream(name) {
    const entry = this.#entries.get(name.toLowerCase());
    if (!entry) throw new WorkbookError('imports.refused.workbookDamaged', {}, { cause: `no part ${name}` });
    return promisify(this.#zip.openReadStream.bind(this.#zip))(entry).catch((cause) => {
      throw new WorkbookError('imports.refused.workbookDamaged', {}, { cause });
    });
  }

  /** Reads a small part as text, or undefined if it does not exist. */
  async text(name, maxSize = maxPartBytes) {
    const entry = this.#entries.get(name.toLowerCase());
    if (!entry) return undefined;
    if (entry.uncompressedSize > maxSize) throw new WorkbookError('imports.refused.workbookTooComplex');
    try {
      const bytes = await buffer(await this.stream(name));
      return new TextDecoder(bytes[0] === 0xff || bytes[1] === 0 ? 'utf-16le' : 'utf-8').decode(bytes);
    } catch (cause) {
      throw cause instanceof WorkbookError
        ? cause
        : new WorkbookError('imports.refused.workbookDamaged', {}, { cause });
    }
  }

  close() {
    this.#zip.close();
  }
}

async function listEntries(zip, fileBytes) {
  const entries = new Map();
  const createInflatesError = () =>
    new WorkbookError('imports.refused.workbookInflates', { megabytes: maxBytes / 1024 ** 2, most: maxEntries });
  if (zip.entryCount > maxEntries) throw createInflatesError();
  let bytes = 0;
  await new Promise((resolve, reject) => {
    zip.on('error', (cause) => reject(new WorkbookError('imports.refused.workbookDamaged', {}, { cause })));
    zip.on('end', resolve);
    zip.on('entry', (entry) => {
      bytes += entry.uncompressedSize;
      const name = entry.fileName.toLowerCase();
      if (bytes > maxBytes || (bytes > minBombBytes && bytes > fileBytes * maxRatio))
        return reject(createInflatesError());
      if (entry.isEncrypted()) return reject(new WorkbookError('imports.refused.workbookPassword'));
      if (entries.has(name))
        return reject(new WorkbookError('imports.refused.workbookDamaged', {}, { cause: `twice: ${name}` }));
      if (!name.endsWith('/')) entries.set(name, entry);
      zip.readEntry();
    });
    zip.readEntry();
  });
  return entries;
}
