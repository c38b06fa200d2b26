import { describe, expect, it } from 'vitest';
import { createMesh } from './geometry/plant-mesh.ts';
import { PlantRays } from './geometry/plant-rays.ts';
import { getPipeSize } from './plant/pipe-sizes.ts';
import { plant } from './plant/plant.ts';
import type { Point } from './plant/types.ts';
import { computeBearing, cross, toDirection, dot, subtract } from './plant/vector.ts';

describe('the demo plant', () => {
  it('has at least two decks, twelve nodes and 60 000 triangles', () => {
    expect(plant.decks.length).toBeGreaterThanOrEqual(2);
    expect(plant.nodes.length).toBeGreaterThanOrEqual(12);
    expect(createMesh(plant.parts).mesh.indices.length / 3).toBeGreaterThan(60_000);
  });

  it('creates the same triangles each time', () => {
    const [a, b] = [createMesh(plant.parts).mesh, createMesh(plant.parts).mesh];
    expect(Buffer.compare(Buffer.from(a.positions.buffer), Buffer.from(b.positions.buffer))).toBe(0);
    expect(Buffer.compare(Buffer.from(a.indices.buffer), Buffer.from(b.indices.buffer))).toBe(0);
    expect(a.positions.every(Number.isFinite)).toBe(true);
  });

  it('shows the outside of each shape with back-face culling, as in the model', () => {
    const { positions, normals, indices, groups } = createMesh(plant.parts).mesh;
    const getVector = (values: Float32Array, vertex: number): Point => [
      values[vertex * 3]!,
      values[vertex * 3 + 1]!,
      values[vertex * 3 + 2]!,
    ];
    const inwardGroups = groups.filter(({ start, count }) =>
      Array.from({ length: count }, (_, triangleIndex) => [
        ...indices.subarray((start + triangleIndex) * 3, (start + triangleIndex) * 3 + 3),
      ]).some((corners) => {
        const [a, b, c] = corners.map((vertex) => getVector(positions, vertex)) as [Point, Point, Point];
        const front = cross(subtract(b, a), subtract(c, a));
        return corners.reduce((sum, vertex) => sum + dot(front, getVector(normals, vertex)), 0) < 0;
      }),
    );
    expect(inwardGroups.map(({ id }) => id)).toEqual([]);
  });

  it('names tags by ISA-5.1 and lines by size, service, number and class', () => {
    const tags = plant.tags.map(({ tag }) => tag);
    expect(new Set(tags).size).toBe(tags.length);
    for (const tag of tags) expect(tag).toMatch(/^[A-Z]{1,4}-\d{4}[A-C]?$/);
    for (const { number } of plant.lines) expect(number).toMatch(/^\d+( \d\/\d)?"-[A-Z]{2}-\d{5}-[A-Z]\d[A-Z]$/);
    expect(new Set(plant.lines.map(({ number }) => number)).size).toBe(plant.lines.length);
    const numbers = new Set(plant.lines.map(({ number }) => number));
    for (const tag of plant.tags) if (tag.line !== undefined) expect(numbers.has(tag.line), tag.tag).toBe(true);
  });

  it('uses pipe diameters of ASME B36.10M', () => {
    for (const line of plant.lines)
      expect(line.outsideDiameter).toBeCloseTo(getPipeSize(line.nps).outsideDiameter / 1000, 9);
    expect(getPipeSize('6').outsideDiameter).toBe(168.3);
    expect(() => getPipeSize('7')).toThrow(/No pipe size NPS "7"/);
  });

  it('lists every tree node after its parent, and every node on a deck', () => {
    const knownUids = new Set<string>();
    for (const { uid, parent } of plant.locations) {
      if (parent !== null) expect(knownUids.has(parent), uid).toBe(true);
      expect(knownUids.has(uid), uid).toBe(false);
      knownUids.add(uid);
    }
    for (const node of plant.nodes) {
      const deck = plant.decks.find(({ code }) => code === node.deck);
      expect(node.position[2] - (deck?.elevation ?? Number.NaN)).toBeCloseTo(1.7, 9);
      expect(knownUids.has(node.location)).toBe(true);
    }
  });

  it('links nodes in both directions, and only if one is visible from the other', () => {
    const rays = new PlantRays(createMesh(plant.parts).mesh);
    for (const node of plant.nodes) {
      expect(node.neighbours.length).toBeGreaterThan(0);
      for (const { code, kind } of node.neighbours) {
        const otherNode = plant.nodes.find((candidate) => candidate.code === code);
        if (!otherNode) throw new Error(`${node.code} names ${code}`);
        expect(otherNode.neighbours).toContainEqual({ code: node.code, kind });
        if (kind !== 'WALK') continue;
        const { pan, tilt, distance } = computeBearing(node.position, otherNode.position);
        const hit = rays.findHit(node.position, toDirection(pan, tilt));
        expect(hit === undefined || hit.distance > distance - 0.1, `${node.code} to ${code}: ${hit?.id}`).toBe(true);
      }
    }
  });

  it('shows a link in the first view of every node, also on a phone held upright', () => {
    const toHalfExtent = (degrees: number) => Math.tan((degrees / 2) * (Math.PI / 180));
    // The tour opens with a vertical field of view of 75 degrees. The margin leaves room for the label of a hotspot.
    const [maxRight, maxUp] = [toHalfExtent(75) * (390 / 844) * 0.75, toHalfExtent(75) * 0.75];
    for (const node of plant.nodes) {
      const isNeighbourVisible = node.neighbours.map(({ code }) => {
        const [x, y, z] = plant.nodes.find((candidate) => candidate.code === code)!.position;
        const { pan, tilt } = computeBearing(node.position, [x, y, z - 1.7]);
        const panOffset = ((pan - node.view.pan) * Math.PI) / 180;
        const [forward, right, up] = [
          Math.cos(panOffset),
          Math.sin(panOffset),
          Math.tan(((tilt - node.view.tilt) * Math.PI) / 180),
        ];
        return forward > 0 && Math.abs(right / forward) < maxRight && Math.abs(up / forward) < maxUp;
      });
      expect(isNeighbourVisible, `${node.code} looks away from all its neighbours`).toContain(true);
    }
  });

  it('connects every node with every other', () => {
    const reachable = new Set([plant.nodes[0]!.code]);
    for (const code of reachable)
      for (const next of plant.nodes.find((node) => node.code === code)!.neighbours) reachable.add(next.code);
    expect(reachable.size).toBe(plant.nodes.length);
  });
});
