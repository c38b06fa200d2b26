// Writes a model as 3D Tiles 1.1. The files are `tileset.json`, a gzipped GLB with meshopt for each tile, the pictures
// that tiles share, and `objects.json.gz`, the list of objects.
import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { Format, getBounds } from '@gltf-transform/core';
import { ValidationError, compressShapes, toSite } from './model-io.mjs';

const compress = promisify(gzip);
/** A limit is needed, because a small file may reference one large tile many thousand times. */
const maxBytes = 4 * 1024 ** 3;
const round = (value) => Math.round(value * 1e4) / 1e4;

/**
 * The smallest geometric error of a tile, in metres. It is above zero, because a tile without an error is loaded at any
 * distance.
 */
export const minError = 0.001;

export const emptyBox = () => ({ min: [Infinity, Infinity, Infinity], max: [-Infinity, -Infinity, -Infinity] });
export const isEmpty = ({ min, max }) => !(min[0] <= max[0] && min[1] <= max[1] && min[2] <= max[2]);
/** Expands the first box by the second. */
export function expandBox(box, { min, max }) {
  for (let axis = 0; axis < 3; axis++) {
    box.min[axis] = Math.min(box.min[axis], min[axis]);
    box.max[axis] = Math.max(box.max[axis], max[axis]);
  }
  return box;
}
export const computeDiagonal = ({ min, max }) => Math.hypot(max[0] - min[0], max[1] - min[1], max[2] - min[2]);

/** Converts a box to the format of 3D Tiles, which is the centre and three half axes. */
export const toBoxVolume = ({ min, max }) => ({
  box: [
    ...min.map((low, axis) => round((low + max[axis]) / 2)),
    round((max[0] - min[0]) / 2),
    0,
    0,
    0,
    round((max[1] - min[1]) / 2),
    0,
    0,
    0,
    round((max[2] - min[2]) / 2),
  ],
});

/** The objects of a model, parents before their children. Boxes are in the model's frame, z up. */
export class ObjectRows {
  #rows = [];
  #byKey = new Map();

  get count() {
    return this.#rows.length;
  }
  /** The tags of all objects that have one. */
  get tags() {
    return this.#rows.flatMap(({ tag }) => tag ?? []);
  }
  find(key) {
    return this.#byKey.get(key);
  }
  /** Returns the index of the new row. */
  add({ parent, key, name, tag, properties = {} }) {
    const index = this.#rows.push({ parent: parent ?? -1, key, name, tag, properties, box: undefined }) - 1;
    this.#byKey.set(key, index);
    return index;
  }
  /** Expands the box of a row. */
  addBox(index, box) {
    const row = this.#rows[index];
    row.box = expandBox(row.box ?? emptyBox(), box);
  }
  /** Formats the rows as `TiledObjects` of the contract. */
  toJson() {
    const listProperties = (properties) =>
      Object.entries(properties).flatMap(([name, value]) =>
        ['string', 'number', 'boolean'].includes(typeof value) &&
        value !== '' &&
        !['object', 'tag', 'name'].includes(name)
          ? [name, String(value).slice(0, 500)]
          : [],
      );
    return JSON.stringify({
      version: 1,
      objects: this.#rows.map(({ parent, key, name, tag, box, properties }) => [
        parent,
        key,
        name,
        tag ?? null,
        box ? [...box.min, ...box.max].map(round) : null,
        listProperties(properties),
      ]),
    });
  }
}

export class TileWriter {
  objects = new ObjectRows();
  bytes = 0;
  tiles = 0;
  #folder;
  #io;
  #pictures = new Map();

  constructor(folder, io) {
    this.#folder = folder;
    this.#io = io;
  }

  /**
   * Writes a document as a tile. With `sharesPictures`, its pictures become separate files for several tiles. Returns
   * the URI and the box (z up) of the tile.
   */
  async write(document, { sharesPictures = false } = {}) {
    const [scene] = document.getRoot().listScenes();
    const box = toSite(getBounds(scene));
    await document.transform(...compressShapes());
    // Meshopt output is designed to be compressed again. Here gzip reduces a tile to a quarter.
    const uri = `tiles/${this.tiles}.glb.gz`;
    this.tiles += 1;
    await this.#writeFile(
      uri,
      await compress(
        sharesPictures ? await this.#writeWithSharedPictures(document) : await this.#io.writeBinary(document),
      ),
    );
    return { uri, box };
  }

  async finish(tileset) {
    await this.#writeFile('objects.json.gz', await compress(this.objects.toJson()));
    await this.#writeFile(
      'tileset.json',
      Buffer.from(JSON.stringify({ asset: { version: '1.1', generator: 'Walkdown' }, ...tileset })),
    );
  }

  /** Writes a GLB that references its pictures by URI. */
  async #writeWithSharedPictures(document) {
    for (const texture of document.getRoot().listTextures())
      texture.setURI(`../${await this.#writePicture(texture.getImage())}`);
    const { json, resources } = await this.#io.writeJSON(document, { format: Format.GLTF });
    const [bytes = new Uint8Array()] = (json.buffers ?? []).flatMap(({ uri }) =>
      uri === undefined ? [] : [resources[uri]],
    );
    for (const buffer of json.buffers ?? []) delete buffer.uri;
    return createGlb(json, bytes);
  }

  async #writePicture(image) {
    const hash = createHash('sha256').update(image).digest('hex');
    const existingUri = this.#pictures.get(hash);
    if (existingUri) return existingUri;
    const uri = `pictures/${this.#pictures.size}.webp`;
    this.#pictures.set(hash, uri);
    await this.#writeFile(uri, image);
    return uri;
  }

  async #writeFile(uri, content) {
    if (this.bytes + content.byteLength > maxBytes)
      throw new ValidationError('model-3d.refused.tilesTooLarge', { gigabytes: maxBytes / 1024 ** 3 });
    const file = path.join(this.#folder, uri);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, content);
    this.bytes += content.byteLength;
  }
}

function createGlb(json, binary) {
  const pad = (bytes, filler) => Buffer.concat([bytes, Buffer.alloc((4 - (bytes.byteLength % 4)) % 4, filler)]);
  const createChunk = (bytes, type) => {
    const header = Buffer.alloc(8);
    header.writeUInt32LE(bytes.length, 0);
    header.writeUInt32LE(type, 4);
    return Buffer.concat([header, bytes]);
  };
  const chunks = [
    createChunk(pad(Buffer.from(JSON.stringify(json)), ' '), 0x4e4f534a),
    ...(binary.byteLength > 0 ? [createChunk(pad(binary, 0), 0x004e4942)] : []),
  ];
  const header = Buffer.alloc(12);
  header.write('glTF', 0, 'latin1');
  header.writeUInt32LE(2, 4);
  header.writeUInt32LE(12 + chunks.reduce((sum, chunk) => sum + chunk.length, 0), 8);
  return Buffer.concat([header, ...chunks]);
}
