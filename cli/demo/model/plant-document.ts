import { Document, type Material as GltfMaterial, type Node } from '@gltf-transform/core';
import type { PlantMesh } from '../geometry/mesh-builder.ts';
import type { DeckCode, Material, Part } from '../plant/types.ts';
import { getAppearance } from './get-appearance.ts';
import { deckNames, describePart, getPartName, findSystem } from './find-system.ts';

/** Triangles of one object in one material. */
interface Piece {
  readonly material: Material;
  readonly triangles: (readonly [start: number, count: number])[];
}

/**
 * The plant as glTF in metres with y up. It has a tree of decks, systems and objects, one object per part with a shape,
 * and tags in `extras`. `signs` is the image of the texts.
 */
export function createPlantDocument(parts: readonly Part[], mesh: PlantMesh, signs: Uint8Array | undefined): Document {
  const document = new Document();
  const buffer = document.createBuffer();
  const scene = document.createScene('Halvorsen Bravo');
  const materials = new Map<Material, GltfMaterial>();
  const getMaterial = (name: Material): GltfMaterial => {
    const cached = materials.get(name);
    if (cached) return cached;
    const { colour, roughness, metallic } = getAppearance(name);
    const material = document
      .createMaterial(name)
      .setBaseColorFactor([...colour, 1])
      .setRoughnessFactor(roughness)
      .setMetallicFactor(metallic);
    if (name === 'sign' && signs)
      material.setBaseColorTexture(
        document
          .createTexture('signs')
          .setImage(signs as Uint8Array<ArrayBuffer>)
          .setMimeType('image/webp'),
      );
    materials.set(name, material);
    return material;
  };

  const groups = new Map<string, Node>();
  const getGroup = (deck: DeckCode, system: string): Node => {
    const key = `${deck} ${system}`;
    const cached = groups.get(key);
    if (cached) return cached;
    const deckNode = groups.get(deck) ?? document.createNode(deckNames[deck]).setExtras({ object: deck });
    if (!groups.has(deck)) scene.addChild(deckNode);
    groups.set(deck, deckNode);
    const systemNode = document.createNode(system).setExtras({ object: key });
    deckNode.addChild(systemNode);
    groups.set(key, systemNode);
    return systemNode;
  };

  const services = new Map(
    parts.flatMap((part) => (part.kind === 'line' ? [[part.number, part.service] as const] : [])),
  );
  const pieces = groupPieces(mesh);
  const extractor = new PieceExtractor(mesh);
  for (const part of parts) {
    const ownPieces = pieces.get(part.id);
    if (!ownPieces) continue;
    const shape = document.createMesh();
    for (const { material, triangles } of ownPieces.values()) {
      const { positions, normals, uvs, indices } = extractor.extract(triangles);
      const createAccessor = (
        type: 'VEC3' | 'VEC2' | 'SCALAR',
        array: Float32Array<ArrayBuffer> | Uint32Array<ArrayBuffer>,
      ) => document.createAccessor().setType(type).setArray(array).setBuffer(buffer);
      const primitive = document
        .createPrimitive()
        .setMaterial(getMaterial(material))
        .setIndices(createAccessor('SCALAR', indices))
        .setAttribute('POSITION', createAccessor('VEC3', positions))
        .setAttribute('NORMAL', createAccessor('VEC3', normals));
      if (material === 'sign') primitive.setAttribute('TEXCOORD_0', createAccessor('VEC2', uvs));
      shape.addPrimitive(primitive);
    }
    getGroup(part.deck, findSystem(part, services)).addChild(
      document.createNode(getPartName(part)).setMesh(shape).setExtras(describePart(part)),
    );
  }
  return document;
}

function groupPieces(mesh: PlantMesh): ReadonlyMap<string, ReadonlyMap<Material, Piece>> {
  const pieces = new Map<string, Map<Material, Piece>>();
  for (const { id, material, start, count } of mesh.groups) {
    const ownPieces = pieces.get(id) ?? new Map<Material, Piece>();
    const piece = ownPieces.get(material) ?? { material, triangles: [] };
    piece.triangles.push([start, count]);
    ownPieces.set(material, piece);
    pieces.set(id, ownPieces);
  }
  return pieces;
}

/** Extracts triangles with their vertices from the large mesh, rotated to y up. */
class PieceExtractor {
  readonly #mesh: PlantMesh;
  /** For each vertex of the mesh, its index in the current piece. Valid only if its `#lastRound` equals `#round`. */
  readonly #pieceIndex: Uint32Array;
  readonly #lastRound: Uint32Array;
  #round = 0;

  constructor(mesh: PlantMesh) {
    this.#mesh = mesh;
    this.#pieceIndex = new Uint32Array(mesh.positions.length / 3);
    this.#lastRound = new Uint32Array(mesh.positions.length / 3);
  }

  extract(triangles: Piece['triangles']) {
    this.#round += 1;
    const { positions, normals, uvs, indices } = this.#mesh;
    const sourceVertices: number[] = [];
    const pieceIndices = new Uint32Array(triangles.reduce((sum, [, count]) => sum + count * 3, 0));
    let position = 0;
    for (const [start, count] of triangles) {
      for (let corner = start * 3; corner < (start + count) * 3; corner++) {
        const source = indices[corner]!;
        if (this.#lastRound[source] !== this.#round) {
          this.#lastRound[source] = this.#round;
          this.#pieceIndex[source] = sourceVertices.length;
          sourceVertices.push(source);
        }
        pieceIndices[position++] = this.#pieceIndex[source]!;
      }
    }
    return {
      positions: rotateVectors(positions, sourceVertices),
      normals: rotateVectors(normals, sourceVertices),
      uvs: flipTextureCoordinates(uvs, sourceVertices),
      indices: pieceIndices,
    };
  }
}

/** Converts vectors from the site frame (z up) to glTF (y up): (x, y, z) becomes (x, z, -y). */
function rotateVectors(values: Float32Array, sources: readonly number[]): Float32Array<ArrayBuffer> {
  const result = new Float32Array(sources.length * 3);
  sources.forEach((source, index) => {
    result[index * 3] = values[source * 3]!;
    result[index * 3 + 1] = values[source * 3 + 2]!;
    result[index * 3 + 2] = -values[source * 3 + 1]!;
  });
  return result;
}

/** Flips texture coordinates, because glTF counts texture rows from the top. */
function flipTextureCoordinates(values: Float32Array, sources: readonly number[]): Float32Array<ArrayBuffer> {
  const result = new Float32Array(sources.length * 2);
  sources.forEach((source, index) => {
    result[index * 2] = values[source * 2]!;
    result[index * 2 + 1] = 1 - values[source * 2 + 1]!;
  });
  return result;
}
