import { Document, type Material as GltfMaterial, type Node } from '@gltf-transform/core';
import type { PlantMesh } from '../geometry/mesh-builder.ts';
import type { DeckCode, Material, Part } from '../plant/types.ts';
import { getLook } from './get-look.ts';
import { deckNames, describePart, getName, findSystem } from './find-system.ts';

/** Triangles of one object in one material. */
interface Piece {
  readonly material: Material;
  readonly triangles: (readonly [start: number, count: number])[];
}

/**
 * The plant as glTF: deck > system > object, one node per part with a shape, metres, y up, tags in `extras`. `signs`:
 * the image of the texts.
 */
export function plantDocument(parts: readonly Part[], mesh: PlantMesh, signs: Uint8Array | undefined): Document {
  const document = new Document();
  const buffer = document.createBuffer();
  const scene = document.createScene('Halvorsen Bravo');
  const materials = new Map<Material, GltfMaterial>();
  const getMaterial = (name: Material): GltfMaterial => {
    const cached = materials.get(name);
    if (cached) return cached;
    const { colour, roughness, metallic } = getLook(name);
    const made = document
      .createMaterial(name)
      .setBaseColorFactor([...colour, 1])
      .setRoughnessFactor(roughness)
      .setMetallicFactor(metallic);
    if (name === 'sign' && signs)
      made.setBaseColorTexture(
        document
          .createTexture('signs')
          .setImage(signs as Uint8Array<ArrayBuffer>)
          .setMimeType('image/webp'),
      );
    materials.set(name, made);
    return made;
  };

  const groups = new Map<string, Node>();
  const getGroup = (deck: DeckCode, system: string): Node => {
    const key = `${deck} ${system}`;
    const cached = groups.get(key);
    if (cached) return cached;
    const above = groups.get(deck) ?? document.createNode(deckNames[deck]).setExtras({ object: deck });
    if (!groups.has(deck)) scene.addChild(above);
    groups.set(deck, above);
    const made = document.createNode(system).setExtras({ object: key });
    above.addChild(made);
    groups.set(key, made);
    return made;
  };

  const services = new Map(
    parts.flatMap((part) => (part.kind === 'line' ? [[part.number, part.service] as const] : [])),
  );
  const pieces = groupPieces(mesh);
  const cut = new Cutter(mesh);
  for (const part of parts) {
    const own = pieces.get(part.id);
    if (!own) continue;
    const shape = document.createMesh();
    for (const { material, triangles } of own.values()) {
      const { positions, normals, uvs, indices } = cut.take(triangles);
      const accessor = (
        type: 'VEC3' | 'VEC2' | 'SCALAR',
        array: Float32Array<ArrayBuffer> | Uint32Array<ArrayBuffer>,
      ) => document.createAccessor().setType(type).setArray(array).setBuffer(buffer);
      const primitive = document
        .createPrimitive()
        .setMaterial(getMaterial(material))
        .setIndices(accessor('SCALAR', indices))
        .setAttribute('POSITION', accessor('VEC3', positions))
        .setAttribute('NORMAL', accessor('VEC3', normals));
      if (material === 'sign') primitive.setAttribute('TEXCOORD_0', accessor('VEC2', uvs));
      shape.addPrimitive(primitive);
    }
    getGroup(part.deck, findSystem(part, services)).addChild(
      document.createNode(getName(part)).setMesh(shape).setExtras(describePart(part)),
    );
  }
  return document;
}

function groupPieces(mesh: PlantMesh): ReadonlyMap<string, ReadonlyMap<Material, Piece>> {
  const pieces = new Map<string, Map<Material, Piece>>();
  for (const { id, material, start, count } of mesh.groups) {
    const own = pieces.get(id) ?? new Map<Material, Piece>();
    const piece = own.get(material) ?? { material, triangles: [] };
    piece.triangles.push([start, count]);
    own.set(material, piece);
    pieces.set(id, own);
  }
  return pieces;
}

/** Extracts triangles with their vertices from the large mesh, rotated to y up. */
class Cutter {
  readonly #mesh: PlantMesh;
  /** For each vertex of the mesh its index in the current piece; valid where `#round` matches. */
  readonly #place: Uint32Array;
  readonly #seen: Uint32Array;
  #round = 0;

  constructor(mesh: PlantMesh) {
    this.#mesh = mesh;
    this.#place = new Uint32Array(mesh.positions.length / 3);
    this.#seen = new Uint32Array(mesh.positions.length / 3);
  }

  take(triangles: Piece['triangles']) {
    this.#round += 1;
    const { positions, normals, uvs, indices } = this.#mesh;
    const sources: number[] = [];
    const own = new Uint32Array(triangles.reduce((sum, [, count]) => sum + count * 3, 0));
    let at = 0;
    for (const [start, count] of triangles) {
      for (let corner = start * 3; corner < (start + count) * 3; corner++) {
        const source = indices[corner]!;
        if (this.#seen[source] !== this.#round) {
          this.#seen[source] = this.#round;
          this.#place[source] = sources.length;
          sources.push(source);
        }
        own[at++] = this.#place[source]!;
      }
    }
    return {
      positions: turned(positions, sources),
      normals: turned(normals, sources),
      uvs: pairs(uvs, sources),
      indices: own,
    };
  }
}

/** Site frame (z up) to glTF (y up): (x, y, z) becomes (x, z, -y). */
function turned(values: Float32Array, sources: readonly number[]): Float32Array<ArrayBuffer> {
  const out = new Float32Array(sources.length * 3);
  sources.forEach((source, index) => {
    out[index * 3] = values[source * 3]!;
    out[index * 3 + 1] = values[source * 3 + 2]!;
    out[index * 3 + 2] = -values[source * 3 + 1]!;
  });
  return out;
}

/** glTF counts texture rows from the top. */
function pairs(values: Float32Array, sources: readonly number[]): Float32Array<ArrayBuffer> {
  const out = new Float32Array(sources.length * 2);
  sources.forEach((source, index) => {
    out[index * 2] = values[source * 2]!;
    out[index * 2 + 1] = 1 - values[source * 2 + 1]!;
  });
  return out;
}
