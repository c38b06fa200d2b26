import { expect, it } from 'vitest';
import { plant } from '../plant/plant.ts';
import { markers } from './markers.ts';
import { writePdf } from './write-pdf.ts';

it('has markers with unique names that refer to tags, nodes and locations of the plant', () => {
  const tags = new Set(plant.tags.map(({ tag }) => tag));
  const nodes = new Set(plant.nodes.map(({ code }) => code));
  for (const { name, kind, target, document, location, points } of markers) {
    if (kind === 'TAG') expect(tags.has(target ?? ''), name).toBe(true);
    if (kind === 'HOTSPOT') expect(nodes.has(target ?? ''), name).toBe(true);
    expect(document !== undefined, name).toBe(kind === 'DOCUMENT');
    expect(
      plant.locations.some(({ uid }) => uid === location),
      name,
    ).toBe(true);
    expect(points.length === 1 || points.length >= 3, name).toBe(true);
  }
  expect(new Set(markers.map(({ name }) => name)).size).toBe(markers.length);
});

it('writes data sheets with a valid object table', () => {
  const file = Buffer.from(writePdf('V-1 (A)', 'Vessel', [['Size', '1.20 m']])).toString('latin1');
  expect(file).toContain('(V-1 \\(A\\)) Tj');
  const start = Number(/startxref\n(\d+)/.exec(file)?.[1]);
  expect(file.slice(start, start + 4)).toBe('xref');
  const offsets = [...file.slice(start).matchAll(/^(\d{10}) 00000 n/gm)].map(([, at]) => Number(at));
  expect(offsets.map((at) => file.slice(at, at + 7))).toEqual(offsets.map((_, index) => `${index + 1} 0 obj`));
});
