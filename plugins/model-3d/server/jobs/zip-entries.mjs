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

/** Also lists the name read as UTF-8 if it is valid, because some programs do not mark entries as UTF-8. */
function listNames({ fileName, fileNameRaw }) {
  return new Set(isUtf8(fileNameRaw) ? [fileName, fileNameRaw.toString('utf8')] : [fileName]);
}

/** Returns the entry name for a relative URL in a file of the folder. */
export function toEntryName(url, folder) {
  if (/^([a-z][a-z0-9+.-]*:|\/\/)/i.test(url))
    throw new ValidationError('model-3d.refused.zipOutside', { address: url.slice(0, 80) });
  const [urlPath = ''] = url.split('?');
  return path.posix.normalize(path.posix.join(folder, decodeUrl(urlPath)));
}

/** Returns an invalid URL unchanged, because some programs do not encode names in URLs. */
function decodeUrl(url) {
  try {
    return decodeURIComponent(url);
  } catch {
    return url;
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
