// Writes a ZIP file as a stream.
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import yazl from 'yazl';

/**
 * Writes entries in order, each by its name and its chunks of text or bytes; an entry is generated when its turn comes.
 * Removes the file if it fails.
 *
 * @param {Iterable<[string, string | (() => AsyncIterable<string | Uint8Array>)]>} entries
 */
export async function writeZip(file, entries) {
  const zip = new yazl.ZipFile();
  const failure = new Promise((_, reject) => zip.on('error', reject));
  for (const [name, content] of entries)
    if (typeof content === 'string') zip.addBuffer(Buffer.from(content), name, { mtime });
    else
      zip.addReadStreamLazy(name, { mtime }, (callback) => {
        const stream = Readable.from(content(), { objectMode: false });
        // The library does not forward errors of its sources.
        stream.on('error', (error) => zip.emit('error', error));
        callback(null, stream);
      });
  zip.end();
  const completion = pipeline(zip.outputStream, createWriteStream(file));
  try {
    await Promise.race([completion, failure]);
  } catch (error) {
    zip.outputStream.destroy();
    await completion.catch(() => undefined);
    await rm(file, { force: true });
    throw error;
  }
}

/** A fixed time, so that equal data give equal bytes. */
const mtime = new Date(2020, 0, 1);
