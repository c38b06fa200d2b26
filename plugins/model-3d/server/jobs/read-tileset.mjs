// Reads a 3D Tiles tileset (1.0 or 1.1) from a ZIP file and rewrites it, so that browsers get only one kind of tile: a
// GLB with meshopt and a bounding box, whose objects have keys.
import path from 'node:path';
import { getBounds } from '@gltf-transform/core';
import { dedup, prune } from '@gltf-transform/functions';
import {
  countTriangles,
  disposeExtensions,
  removeUnsupported,
  maxVertices,
  ValidationError,
  compressPictures,
  toSite,
} from './model-io.mjs';
import { toExplicitTile, findImplicitTiling } from './implicit-tiles.mjs';
import { decodeKtx2 } from './read-ktx2.mjs';
import { identity, computeLargestScale, computeLevelFrame, multiply, yUpToZUp, zUpToYUp } from './tile-frames.mjs';
import { ContentFeatures } from './tile-features.mjs';
import { openContent } from './tile-content.mjs';
import { toBoxVolume, emptyBox, isEmpty, expandBox, minError } from './tile-writer.mjs';
import { toEntryName, ZipEntries } from './zip-entries.mjs';

const maxTiles = 50_000;
const maxDepth = 64;

/** Returns the report and the bounds in the model's frame, z up. `onProgress` receives the progress, from 0 to 1. */
export async function readTileset(file, io, writer, onProgress) {
  const zip = await ZipEntries.open(file);
  try {
    return await new TilesetReader(zip, io, writer, onProgress).read();
  } finally {
    zip.close();
  }
}

class TilesetReader {
  #zip;
  #io;
  #writer;
  #onProgress;
  #features;
  /** Matrix from the tileset's frame to a level frame whose origin is near the model. */
  #levelFrame = identity;
  /** Matrix of the content to z up. Old tilesets may declare that their content is z up already. */
  #upRotation = yUpToZUp;
  #tileCount = 0;
  #readContentCount = 0;
  #vertexCount = 0;
  #triangleCount = 0;
  #meshCounts = { before: 0, after: 0 };
  #notes = {
    animationsDropped: 0,
    linesDropped: 0,
    texturesDropped: 0,
    pointsDropped: 0,
    tilesDropped: 0,
    tagsRepeated: 0,
  };

  constructor(zip, io, writer, onProgress) {
    this.#zip = zip;
    this.#io = io;
    this.#writer = writer;
    this.#onProgress = onProgress;
    this.#features = new ContentFeatures(writer.objects);
  }

  async read() {
    const name = this.#zip.names
      .filter((entryName) => path.posix.basename(entryName) === 'tileset.json' && !entryName.startsWith('__MACOSX/'))
      .sort((a, b) => a.split('/').length - b.split('/').length)[0];
    if (name === undefined) throw new ValidationError('model-3d.refused.noTileset');
    const tileset = await this.#readTileset(name);
    this.#levelFrame = computeLevelFrame(tileset.root);
    if (String(tileset.asset.gltfUpAxis).toUpperCase() === 'Z') this.#upRotation = identity;
    const root = await this.#readTile(tileset.root, {
      folder: path.posix.dirname(name),
      matrix: identity,
      refine: 'REPLACE',
      depth: 0,
      ancestorSets: [name],
    });
    const { objects } = this.#writer;
    if (!root || objects.count + this.#triangleCount === 0 || isEmpty(root.bounds))
      throw new ValidationError(
        this.#notes.pointsDropped > 0 ? 'model-3d.refused.tilesArePoints' : 'model-3d.refused.tilesNoSurface',
      );
    if (![...root.bounds.min, ...root.bounds.max].every(Number.isFinite))
      throw new ValidationError('model-3d.refused.tilesNotNumbers');
    await this.#writer.finish({
      geometricError: Math.max(Number(tileset.geometricError) || 0, root.tile.geometricError),
      root: root.tile,
    });
    const { tags } = objects;
    const seenTags = new Set();
    const repeatedTags = new Set();
    for (const tag of tags) (seenTags.has(tag) ? repeatedTags : seenTags).add(tag);
    return {
      bounds: root.bounds,
      report: {
        meshesBefore: this.#meshCounts.before,
        meshesAfter: this.#meshCounts.after,
        objects: objects.count,
        tagged: tags.length,
        triangles: this.#triangleCount,
        notes: { ...this.#notes, tagsRepeated: repeatedTags.size },
      },
    };
  }

  async #readTileset(name) {
    const bytes = await this.#zip.read(name);
    if (!bytes) throw new ValidationError('model-3d.refused.zipLacks', { name });
    let tileset;
    try {
      tileset = JSON.parse(bytes.toString('utf8'));
    } catch {
      throw new ValidationError('model-3d.refused.notJson', {}, name);
    }
    if (!tileset?.root || !['1.0', '1.1', '0.0'].includes(String(tileset.asset?.version)))
      throw new ValidationError('model-3d.refused.tilesVersion', {}, name);
    return tileset;
  }

  /** Returns the rewritten tile with its bounds, or undefined if it is empty. */
  async #readTile(declaredTile, { folder, matrix, refine: inheritedRefine, depth, ancestorSets }) {
    const tile = findImplicitTiling(declaredTile)
      ? await toExplicitTile(declaredTile, folder, async (name) => this.#zip.read(name))
      : declaredTile;
    this.#tileCount += 1;
    if (this.#tileCount > maxTiles || depth > maxDepth)
      throw new ValidationError('model-3d.refused.tooManyTiles', { most: maxTiles, deepest: maxDepth });
    const ownMatrix =
      Array.isArray(tile.transform) && tile.transform.length === 16 && tile.transform.every(Number.isFinite)
        ? multiply(matrix, tile.transform)
        : matrix;
    const refine = ['ADD', 'REPLACE'].includes(String(tile.refine).toUpperCase())
      ? String(tile.refine).toUpperCase()
      : inheritedRefine;
    const contents = [
      ...(tile.content ? [tile.content] : []),
      ...(Array.isArray(tile.contents) ? tile.contents : []),
    ].map((content) => ({ ...content, name: toEntryName(String(content.uri ?? content.url ?? ''), folder) }));
    const geometryContents = contents.filter(({ name }) => !name.endsWith('.json'));
    const isLeaf = !(tile.children?.length > 0) && geometryContents.length === contents.length;
    const writtenTile =
      geometryContents.length === 0
        ? undefined
        : await this.#writeContent(geometryContents, {
            matrix: ownMatrix,
            isFinest: refine === 'ADD' || isLeaf,
            isOnlyTile: refine === 'ADD',
            properties: tile.metadata?.properties,
          });
    const childTiles = [];
    for (const { name } of contents.filter((content) => content.name.endsWith('.json'))) {
      if (ancestorSets.includes(name)) throw new ValidationError('model-3d.refused.containsItself', {}, name);
      const tileset = await this.#readTileset(name);
      childTiles.push(
        await this.#readTile(tileset.root, {
          folder: path.posix.dirname(name),
          matrix: ownMatrix,
          refine,
          depth: depth + 1,
          ancestorSets: [...ancestorSets, name],
        }),
      );
    }
    for (const child of tile.children ?? [])
      childTiles.push(
        await this.#readTile(child, { folder, matrix: ownMatrix, refine, depth: depth + 1, ancestorSets }),
      );
    const children = childTiles.filter((child) => child !== undefined);
    if (!writtenTile && children.length === 0) return undefined;
    const bounds = children.reduce(
      (joinedBounds, child) => expandBox(joinedBounds, child.bounds),
      writtenTile?.box ?? emptyBox(),
    );
    return {
      bounds,
      tile: {
        boundingVolume: toBoxVolume(bounds),
        geometricError: Math.max(minError, (Number(tile.geometricError) || 0) * computeLargestScale(ownMatrix)),
        refine,
        ...(writtenTile ? { content: { uri: writtenTile.uri } } : {}),
        ...(children.length > 0 ? { children: children.map((child) => child.tile) } : {}),
      },
    };
  }

  /**
   * Writes the tile's own content as one GLB, or returns undefined if it has no surface. `isFinest` means that no finer
   * tile replaces it, and `isOnlyTile` that no other tile shows the same objects.
   */
  async #writeContent(contents, { matrix, isFinest, isOnlyTile, properties }) {
    const { content, points, unread } = await openContent(this.#io, contents, async (name) => this.#zip.read(name));
    this.#notes.pointsDropped += points;
    this.#notes.tilesDropped += unread;
    this.#readContentCount += contents.length;
    this.#onProgress(Math.min(0.99, this.#readContentCount / Math.max(1, this.#zip.count - 1)));
    if (!content) return undefined;
    const { document, scene, scenes } = content;
    this.#meshCounts.before += document.getRoot().listMeshes().length;
    await decodeKtx2(document);
    for (const [code, count] of Object.entries(removeUnsupported(document))) this.#notes[code] += count;
    // Converts to the level frame in metres, y up as in glTF.
    const frame = multiply(zUpToYUp, multiply(this.#levelFrame, matrix));
    for (const { nodes, matrix: contentMatrix } of scenes) {
      const contentNode = document.createNode().setMatrix(multiply(frame, multiply(contentMatrix, this.#upRotation)));
      for (const node of nodes) contentNode.addChild(node);
      scene.addChild(contentNode);
    }
    await this.#features.assignObjects(content, { isFinest, isOnlyTile, properties });
    disposeExtensions(document, [
      'KHR_draco_mesh_compression',
      'KHR_texture_basisu',
      'KHR_animation_pointer',
      'EXT_mesh_features',
      'EXT_structural_metadata',
      'KHR_xmp_json_ld',
    ]);
    await document.transform(
      dedup({ keepUniqueNames: false }),
      prune({ keepExtras: true, keepAttributes: false, keepLeaves: false }),
      compressPictures(),
    );
    const triangles = countTriangles(document);
    if (triangles === 0) return undefined;
    this.#triangleCount += triangles;
    this.#meshCounts.after += document.getRoot().listMeshes().length;
    this.#vertexCount += document
      .getRoot()
      .listAccessors()
      .reduce((sum, accessor) => sum + accessor.getCount(), 0);
    if (this.#vertexCount > maxVertices * 3)
      throw new ValidationError('model-3d.refused.tilesTooManyValues', { most: maxVertices * 3 });
    this.#features.addBoxes(scene, (node) => toSite(getBounds(node)));
    return this.#writer.write(document);
  }
}
