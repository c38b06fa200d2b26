// Reads the entries of a ZIP file one at a time within a size limit. An entry must not be larger than it
// declares.
import { isUtf8 } from 'node:buffer';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import yauzl from 'yauzl';
import { ValidationError } from './model-io.mjs';

const maxEntries = 100_000;
const maxBytes = 2 * 1024 ** 3;
const maxEntryBytes = 256 * 1024 ** 2;

/** Lists two names if the entry is not marked as UTF-8 but may be, because some programs omit the mark. */
function listNames({ fileName, fileNameRaw }) {
  return new Set(isUtf8(fileNameRaw) ? [fileName, fileNameRaw.toString('utf8')] : [fileName]);
}

/** Returns the name of the entry to which a file of the folder refers by a relative address. */
export function toEntryName(address, folder) {
  if (/^([a-z][a-z0-9+.-]*:|\/\/)/i.test(address))
    throw new ValidationError('model-3d.refused.zipOutside', { address: address.slice(0, 80) });
  const [addressPath = ''] = address.split('?');
  return path.posix.normalize(path.posix.join(folder, decodeAddress(addressPath)));
}

/** Returns an invalid address unchanged, because some programs do not encode names in addresses. */
function decodeAddress(address) {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}

export class ZipEntries {
  #zip;
  #entries;

  constructor(zip, entries) {
    this.#zip = zip;
    this.#entries = entries;
  }

  static async open(file) {
    // The library refuses entries outside the folder, and ends a stream that exceeds the declared size.
    const zip = await promisify(yauzl.open)(file, {
      lazyEntries: true,
      autoClose: false,
      validateEntrySizes: true,
    }).catch((error) => {
      throw new ValidationError('model-3d.refused.zipUnreadable', {}, undefined, { cause: error });
    });
    const entries = new Map();
    let [count, bytes] = [0, 0];
    await new Promise((resolve, reject) => {
      zip.on('error', (error) =>
        reject(new ValidationError('model-3d.refused.zipUnreadable', {}, undefined, { cause: error })),
      );
      zip.on('end', resolve);
      zip.on('entry', (entry) => {
        count += 1;
        bytes += entry.uncompressedSize;
        if (count > maxEntries || bytes > maxBytes)
          return reject(
            new ValidationError('model-3d.refused.zipTooMuch', { most: maxEntries, gigabytes: maxBytes / 1024 ** 3 }),
          );
        if (entry.isEncrypted()) return reject(new ValidationError('model-3d.refused.zipPassword'));
        if (!entry.fileName.endsWith('/'))
          for (const name of listNames(entry)) entries.set(path.posix.normalize(name), entry);
        zip.readEntry();
      });
      zip.readEntry();
    }).catch((error) => {
      zip.close();
      throw error;
    });
    return new ZipEntries(zip, entries);
  }

  get names() {
    return [...this.#entries.keys()];
  }

  get count() {
    return this.#entries.size;
  }

  /** Reads an entry, or returns undefined if there is none of this name. */
  async read(name) {
    const entry = this.#entries.get(name);
    if (!entry) return undefined;
    if (entry.uncompressedSize > maxEntryBytes)
      throw new ValidationError('model-3d.refused.entryTooLarge', { megabytes: maxEntryBytes / 1024 ** 2 }, name);
    try {
      return await buffer(await promisify(this.#zip.openReadStream.bind(this.#zip))(entry));
    } catch (error) {
      throw new ValidationError('model-3d.refused.entryDamaged', {}, name, { cause: error });
    }
  }

  close() {
    this.#zip.close();
  }
}
