import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createMesh } from '../geometry/plant-mesh.ts';
import type { PlantMesh } from '../geometry/mesh-builder.ts';
import type { Part } from '../plant/types.ts';
import { renderAtlas } from './atlas-image.ts';

interface ScenePart {
  readonly name: string;
  readonly deck: string;
  readonly material: string;
  readonly vertices: number;
  readonly triangles: number;
  /** Byte offsets in scene.bin. A vertex has 3 floats of position and 2 of uvs; a triangle has 3 uint32 indices. */
  readonly positions: number;
  readonly uvs: number;
  readonly indices: number;
}

/**
 * Writes `scene.json`, `scene.bin` and `atlas.png` for Blender: one mesh for each deck and material. Returns the number
 * of triangles.
 */
export async function exportScene(parts: readonly Part[], folder: string): Promise<number> {
  await mkdir(folder, { recursive: true });
  const { mesh, atlas } = createMesh(parts);
  const deckByPart = new Map(parts.map((part) => [part.id, part.deck]));
  const trianglesByKey = new Map<string, { deck: string; material: string; triangles: number[] }>();
  for (const group of mesh.groups) {
    const deck = deckByPart.get(group.id) ?? 'OTHER';
    const key = `${deck} ${group.material}`;
    const entry = trianglesByKey.get(key) ?? { deck, material: group.material, triangles: [] };
    for (let k = 0; k < group.count; k++) entry.triangles.push(group.start + k);
    trianglesByKey.set(key, entry);
  }
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const append = (array: Float32Array | Uint32Array): number => {
    const offset = bytes;
    chunks.push(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
    bytes += array.byteLength;
    return offset;
  };
  const meshes: ScenePart[] = [];
  for (const [name, { deck, material, triangles }] of trianglesByKey) {
    const extractedMesh = extractMesh(mesh, triangles);
    meshes.push({
      name,
      deck,
      material,
      vertices: extractedMesh.positions.length / 3,
      triangles: triangles.length,
      positions: append(extractedMesh.positions),
      uvs: append(extractedMesh.uvs),
      indices: append(extractedMesh.indices),
    });
  }
  await writeFile(join(folder, 'scene.bin'), Buffer.concat(chunks));
  await writeFile(join(folder, 'scene.json'), JSON.stringify({ meshes }));
  await writeFile(join(folder, 'atlas.png'), renderAtlas(atlas));
  return mesh.indices.length / 3;
}

function extractMesh(
  mesh: PlantMesh,
  triangles: readonly number[],
): { positions: Float32Array; uvs: Float32Array; indices: Uint32Array } {
  const targetBySource = new Map<number, number>();
  const indices = new Uint32Array(triangles.length * 3);
  const sources: number[] = [];
  triangles.forEach((triangle, k) => {
    for (let c = 0; c < 3; c++) {
      const source = mesh.indices[triangle * 3 + c]!;
      let target = targetBySource.get(source);
      if (target === undefined) {
        target = sources.length;
        targetBySource.set(source, target);
        sources.push(source);
      }
      indices[k * 3 + c] = target;
    }
  });
  const positions = new Float32Array(sources.length * 3);
  const uvs = new Float32Array(sources.length * 2);
  sources.forEach((source, k) => {
    positions.set(mesh.positions.subarray(source * 3, source * 3 + 3), k * 3);
    uvs.set(mesh.uvs.subarray(source * 2, source * 2 + 2), k * 2);
  });
  return { positions, uvs, indices };
}
