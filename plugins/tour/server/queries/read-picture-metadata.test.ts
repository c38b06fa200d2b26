import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { deflateSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { readPictureMetadata } from './read-picture-metadata.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'walkdown-metadata-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const xmp = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
  <rdf:Description xmlns:GPano="http://ns.google.com/photos/1.0/panorama/" GPano:PoseHeadingDegrees="90"/>
</rdf:RDF></x:xmpmeta>`;

function buildChunk(type: string, data: Buffer): Buffer {
  const chunk = Buffer.alloc(12 + data.length);
  chunk.writeUInt32BE(data.length, 0);
  chunk.write(type, 4, 'latin1');
  data.copy(chunk, 8);
  return chunk;
}

/** The header of a PNG and a text (PNG 3, 11.3.3), without pixels. */
function buildPng(type: string, text: Buffer): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(1024, 0);
  header.writeUInt32BE(512, 4);
  header.set([8, 2], 8);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    buildChunk('IHDR', header),
    buildChunk(type, text),
    buildChunk('IEND', Buffer.alloc(0)),
  ]);
}

it('reads XMP of a PNG, but decompresses no text', async () => {
  const read = async (content: Buffer) => {
    const file = path.join(folder, 'a.png');
    await writeFile(file, content);
    return readPictureMetadata(file);
  };
  expect(await read(buildPng('iTXt', Buffer.from(`XML:com.adobe.xmp\0\0\0\0\0${xmp}`)))).toEqual({ heading: 90 });
  const decompress = vi.spyOn(globalThis, 'DecompressionStream');
  expect(await read(buildPng('zTXt', Buffer.concat([Buffer.from('Comment\0\0'), deflateSync('Hello')])))).toEqual({});
  expect(decompress).not.toHaveBeenCalled();
});
