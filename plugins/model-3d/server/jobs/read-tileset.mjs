// Reads a delivered 3D Tiles set (1.0 and 1.1) from a ZIP file and rewrites it, so that browsers get one kind of tile:
// GLB with meshopt, boxes, objects with keys.
import path from 'node:path';
import { getBounds } from '@gltf-transform/core';
import { dedup, prune } from '@gltf-transform/functions';
import { countTriangles, forget, leaveOut, maxVertices, ValidationError, shrinkPictures, toSite } from './model-io.mjs';
import { explicitTile, findRule } from './implicit-tiles.mjs';
import { unpackKtx2 } from './read-ktx2.mjs';
import { identity, largestScale, levelFrame, multiply, yUpToZUp, zUpToYUp } from './tile-frames.mjs';
import { ContentNames } from './tile-features.mjs';
import { openContent } from './tile-content.mjs';
import { boxVolume, emptyBox, isEmpty, join, minError } from './tile-writer.mjs';
import { toEntryName, ZipEntries } from './zip-entries.mjs';

const maxTiles = 50_000;
const deepest = 64;

/** Returns bounds (model's frame, z up) and the report. `say` receives the progress, 0 to 1. */
export async function readTileset(file, io, writer, say) {
  const zip = await ZipEntries.open(file);
  try {
    return await new TilesetReader(zip, io, writer, say).read();
  } finally {
    zip.close();
  }
}

class TilesetReader {
  #zip;
  #io;
  #writer;
  #say;
  #names;
  /** From the set's frame to a level frame near zero. */
  #frame = identity;
  /** Old sets may declare that their content is already z up. */
  #up = yUpToZUp;
  #tiles = 0;
  #read = 0;
  #vertices = 0;
  #triangles = 0;
  #meshes = { before: 0, after: 0 };
  #notes = {
    animationsDropped: 0,
    linesDropped: 0,
    texturesDropped: 0,
    pointsDropped: 0,
    tilesDropped: 0,
    tagsRepeated: 0,
  };

  constructor(zip, io, writer, say) {
    this.#zip = zip;
    this.#io = io;
    this.#writer = writer;
    this.#say = say;
    this.#names = new ContentNames(writer.objects);
  }

  async read() {
    const name = this.#zip.names
      .filter((each) => path.posix.basename(each) === 'tileset.json' && !each.startsWith('__MACOSX/'))
      .sort((a, b) => a.split('/').length - b.split('/').length)[0];
    if (name === undefined) throw new ValidationError('model-3d.refused.noTileset');
    const set = await this.#json(name);
    this.#frame = levelFrame(set.root);
    if (String(set.asset.gltfUpAxis).toUpperCase() === 'Z') this.#up = identity;
    const root = await this.#tile(set.root, {
      folder: path.posix.dirname(name),
      matrix: identity,
      refine: 'REPLACE',
      depth: 0,
      above: [name],
    });
    const { objects } = this.#writer;
    if (!root || objects.count + this.#triangles === 0 || isEmpty(root.bounds))
      throw new ValidationError(
        this.#notes.pointsDropped > 0 ? 'model-3d.refused.tilesArePoints' : 'model-3d.refused.tilesNoSurface',
      );
    if (![...root.bounds.min, ...root.bounds.max].every(Number.isFinite))
      throw new ValidationError('model-3d.refused.tilesNotNumbers');
    await this.#writer.finish({
      geometricError: Math.max(Number(set.geometricError) || 0, root.tile.geometricError),
      root: root.tile,
    });
    const { tags } = objects;
    const seen = new Set();
    const repeated = new Set(tags.filter((tag) => seen.has(tag) || !seen.add(tag)));
    return {
      bounds: root.bounds,
      report: {
        meshesBefore: this.#meshes.before,
        meshesAfter: this.#meshes.after,
        objects: objects.count,
        tagged: tags.length,
        triangles: this.#triangles,
        notes: { ...this.#notes, tagsRepeated: repeated.size },
      },
    };
  }

  async #json(name) {
    const bytes = await this.#zip.read(name);
    if (!bytes) throw new ValidationError('model-3d.refused.zipLacks', { name });
    let set;
    try {
      set = JSON.parse(bytes.toString('utf8'));
    } catch {
      throw new ValidationError('model-3d.refused.notJson', {}, name);
    }
    if (!set?.root || !['1.0', '1.1', '0.0'].includes(String(set.asset?.version)))
      throw new ValidationError('model-3d.refused.tilesVersion', {}, name);
    return set;
  }

  /** The rewritten tile with its bounds; undefined if it is empty. */
  async #tile(said, { folder, matrix, refine: inherited, depth, above }) {
    const tile = findRule(said) ? await explicitTile(said, folder, async (name) => this.#zip.read(name)) : said;
    this.#tiles += 1;
    if (this.#tiles > maxTiles || depth > deepest)
      throw new ValidationError('model-3d.refused.tooManyTiles', { most: maxTiles, deepest });
    const own =
      Array.isArray(tile.transform) && tile.transform.length === 16 && tile.transform.every(Number.isFinite)
        ? multiply(matrix, tile.transform)
        : matrix;
    const refine = ['ADD', 'REPLACE'].includes(String(tile.refine).toUpperCase())
      ? String(tile.refine).toUpperCase()
      : inherited;
    const contents = [
      ...(tile.content ? [tile.content] : []),
      ...(Array.isArray(tile.contents) ? tile.contents : []),
    ].map((content) => ({ ...content, name: toEntryName(String(content.uri ?? content.url ?? ''), folder) }));
    const shapes = contents.filter(({ name }) => !name.endsWith('.json'));
    const leaf = !(tile.children?.length > 0) && shapes.length === contents.length;
    const written =
      shapes.length === 0
        ? undefined
        : await this.#content(shapes, {
            matrix: own,
            whole: refine === 'ADD' || leaf,
            alone: refine === 'ADD',
            properties: tile.metadata?.properties,
          });
    const below = [];
    for (const { name } of contents.filter((content) => content.name.endsWith('.json'))) {
      if (above.includes(name)) throw new ValidationError('model-3d.refused.containsItself', {}, name);
      const set = await this.#json(name);
      below.push(
        await this.#tile(set.root, {
          folder: path.posix.dirname(name),
          matrix: own,
          refine,
          depth: depth + 1,
          above: [...above, name],
        }),
      );
    }
    for (const child of tile.children ?? [])
      below.push(await this.#tile(child, { folder, matrix: own, refine, depth: depth + 1, above }));
    const children = below.filter((child) => child !== undefined);
    if (!written && children.length === 0) return undefined;
    const bounds = children.reduce((all, child) => join(all, child.bounds), written?.box ?? emptyBox());
    return {
      bounds,
      tile: {
        boundingVolume: boxVolume(bounds),
        geometricError: Math.max(minError, (Number(tile.geometricError) || 0) * largestScale(own)),
        refine,
        ...(written ? { content: { uri: written.uri } } : {}),
        ...(children.length > 0 ? { children: children.map((child) => child.tile) } : {}),
      },
    };
  }

  /**
   * Writes the tile's own content as one GLB; undefined without a surface. `whole`: no finer tile replaces it; `alone`:
   * no other tile shows the same objects.
   */
  async #content(contents, { matrix, whole, alone, properties }) {
    const { document, points, unread } = await openContent(this.#io, contents, async (name) => this.#zip.read(name));
    this.#notes.pointsDropped += points;
    this.#notes.tilesDropped += unread;
    this.#read += contents.length;
    this.#say(Math.min(0.99, this.#read / Math.max(1, this.#zip.count - 1)));
    if (!document) return undefined;
    const { scene, parts } = document;
    const file = parts.document;
    this.#meshes.before += file.getRoot().listMeshes().length;
    await unpackKtx2(file);
    for (const [code, count] of Object.entries(leaveOut(file))) this.#notes[code] += count;
    // To the level frame in metres, y up as in glTF.
    const frame = multiply(zUpToYUp, multiply(this.#frame, matrix));
    for (const { nodes, matrix: inside } of parts.scenes) {
      const place = file.createNode().setMatrix(multiply(frame, multiply(inside, this.#up)));
      for (const node of nodes) place.addChild(node);
      scene.addChild(place);
    }
    await this.#names.name(document, { whole, alone, properties });
    forget(file, [
      'KHR_draco_mesh_compression',
      'KHR_texture_basisu',
      'KHR_animation_pointer',
      'EXT_mesh_features',
      'EXT_structural_metadata',
      'KHR_xmp_json_ld',
    ]);
    await file.transform(
      dedup({ keepUniqueNames: false }),
      prune({ keepExtras: true, keepAttributes: false, keepLeaves: false }),
      shrinkPictures(),
    );
    const triangles = countTriangles(file);
    if (triangles === 0) return undefined;
    this.#triangles += triangles;
    this.#meshes.after += file.getRoot().listMeshes().length;
    this.#vertices += file
      .getRoot()
      .listAccessors()
      .reduce((sum, accessor) => sum + accessor.getCount(), 0);
    if (this.#vertices > maxVertices * 3)
      throw new ValidationError('model-3d.refused.tilesTooManyValues', { most: maxVertices * 3 });
    this.#names.reach(scene, (node) => toSite(getBounds(node)));
    return this.#writer.write(file);
  }
}
