// Writes a model as 3D Tiles 1.1: `tileset.json`, a gzipped GLB with meshopt for each tile, separate files for shared
// pictures, and `objects.json.gz`, the list of objects.
import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { Format, getBounds } from '@gltf-transform/core';
import { ValidationError, shrinkShapes, toSite } from './model-io.mjs';

const compress = promisify(gzip);
/** Limit, because a small file may reference one large tile many thousand times. */
const maxBytes = 4 * 1024 ** 3;
const round = (value) => Math.round(value * 1e4) / 1e4;

/**
 * Precision of a coordinate with 16 bits, in metres. It is above zero, because a tile without an error is loaded at any
 * distance.
 */
export const minError = 0.001;

export const emptyBox = () => ({ min: [Infinity, Infinity, Infinity], max: [-Infinity, -Infinity, -Infinity] });
export const isEmpty = ({ min, max }) => !(min[0] <= max[0] && min[1] <= max[1] && min[2] <= max[2]);
/** Expands the first box by the second. */
export function join(box, { min, max }) {
  for (let axis = 0; axis < 3; axis++) {
    box.min[axis] = Math.min(box.min[axis], min[axis]);
    box.max[axis] = Math.max(box.max[axis], max[axis]);
  }
  return box;
}
export const diagonal = ({ min, max }) => Math.hypot(max[0] - min[0], max[1] - min[1], max[2] - min[2]);

/** The box format of 3D Tiles: centre, then three half axes. */
export const boxVolume = ({ min, max }) => ({
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
  /** Number of objects with a tag. */
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
  reach(index, box) {
    const row = this.#rows[index];
    row.box = join(row.box ?? emptyBox(), box);
  }
  /**
   * One line per object: parent (-1 for none), key, name, tag, box, then alternately name and value of each property.
   */
  toJson() {
    const words = (properties) =>
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
        words(properties),
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
   * Writes a document as a tile. `sharing`: its pictures are also in other tiles and become separate files. Returns its
   * address and its box, z up.
   */
  async write(document, { sharing = false } = {}) {
    const [scene] = document.getRoot().listScenes();
    const box = toSite(getBounds(scene));
    await document.transform(...shrinkShapes());
    // Meshopt relies on a general compressor: gzip reduces a tile to a quarter.
    const uri = `tiles/${this.tiles}.glb.gz`;
    this.tiles += 1;
    await this.#put(
      uri,
      await compress(sharing ? await this.#sharing(document) : await this.#io.writeBinary(document)),
    );
    return { uri, box };
  }

  async finish(tileset) {
    await this.#put('objects.json.gz', await compress(this.objects.toJson()));
    await this.#put(
      'tileset.json',
      Buffer.from(JSON.stringify({ asset: { version: '1.1', generator: 'Walkdown' }, ...tileset })),
    );
  }

  /** A GLB that references its pictures by address. */
  async #sharing(document) {
    for (const texture of document.getRoot().listTextures())
      texture.setURI(`../${await this.#picture(texture.getImage())}`);
    const { json, resources } = await this.#io.writeJSON(document, { format: Format.GLTF });
    const [bytes = new Uint8Array()] = (json.buffers ?? []).flatMap(({ uri }) =>
      uri === undefined ? [] : [resources[uri]],
    );
    for (const buffer of json.buffers ?? []) delete buffer.uri;
    return createGlb(json, bytes);
  }

  async #picture(image) {
    const hash = createHash('sha256').update(image).digest('hex');
    const known = this.#pictures.get(hash);
    if (known) return known;
    const uri = `pictures/${this.#pictures.size}.webp`;
    this.#pictures.set(hash, uri);
    await this.#put(uri, image);
    return uri;
  }

  async #put(uri, content) {
    if (this.bytes + content.byteLength > maxBytes)
      throw new ValidationError('model-3d.refused.tilesTooLarge', { gigabytes: maxBytes / 1024 ** 3 });
    const file = path.join(this.#folder, uri);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, content);
    this.bytes += content.byteLength;
  }
}

function createGlb(json, binary) {
  const padded = (bytes, filler) => Buffer.concat([bytes, Buffer.alloc((4 - (bytes.byteLength % 4)) % 4, filler)]);
  const chunk = (bytes, type) => {
    const head = Buffer.alloc(8);
    head.writeUInt32LE(bytes.length, 0);
    head.writeUInt32LE(type, 4);
    return Buffer.concat([head, bytes]);
  };
  const chunks = [
    chunk(padded(Buffer.from(JSON.stringify(json)), ' '), 0x4e4f534a),
    ...(binary.byteLength > 0 ? [chunk(padded(binary, 0), 0x004e4942)] : []),
  ];
  const head = Buffer.alloc(12);
  head.write('glTF', 0, 'latin1');
  head.writeUInt32LE(2, 4);
  head.writeUInt32LE(12 + chunks.reduce((sum, part) => sum + part.length, 0), 8);
  return Buffer.concat([head, ...chunks]);
}
