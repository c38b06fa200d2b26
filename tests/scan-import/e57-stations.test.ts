import sharp from 'sharp';
import { beforeAll, expect, it } from 'vitest';
import { createMesh } from '../../cli/demo/geometry/plant-mesh.ts';
import { PlantRays } from '../../cli/demo/geometry/plant-rays.ts';
import { plant } from '../../cli/demo/plant/plant.ts';
import { add, scale, createRandom, subtract } from '../../cli/demo/plant/vector.ts';
import { computePixelDirection } from '../../cli/demo/render/equirectangular.ts';
import { bytesInMemory } from '../../plugins/scan/server/adapters/byte-source.ts';
import { openE57 } from '../../plugins/scan/server/adapters/e57/open-e57.ts';
import { createStation, type MadeStation } from '../../plugins/scan/server/stations/jobs/make-station.ts';
import { toRotation, type Rotation } from '../../plugins/scan/server/stations/jobs/scan-frame.ts';
import { writeE57 } from '../../plugins/scan/testing/server/write-e57.ts';

/** A tilted scanner at a node of the demo plant, simulated from the description alone, with noise of 3 mm. */
const sigma = 0.003;
const rows = 420;
const columns = 900;
const tilted = unit([0.9, 0.02, -0.03, 0.4]);

function unit([w, x, y, z]: readonly [number, number, number, number]): [number, number, number, number] {
  const length = Math.hypot(w, x, y, z);
  return [w / length, x / length, y / length, z / length];
}

const turned = (m: Rotation, [x, y, z]: readonly [number, number, number]): [number, number, number] => [
  m[0] * x + m[1] * y + m[2] * z,
  m[3] * x + m[4] * y + m[5] * z,
  m[6] * x + m[7] * y + m[8] * z,
];

let rays: PlantRays;
let station: MadeStation;
const node = plant.nodes[0]!;

beforeAll(async () => {
  rays = new PlantRays(createMesh(plant.parts).mesh);
  const random = createRandom(20_260);
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const rotation = toRotation({ rotation: tilted, translation: [0, 0, 0] });
  const positions: number[] = [];
  const at: { readonly rows: number[]; readonly columns: number[] } = { rows: [], columns: [] };
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const azimuth = 2 * Math.PI * (column / columns - 0.5);
      const elevation = Math.PI * (0.5 - (row + 0.5) / 450);
      const own: [number, number, number] = [
        Math.cos(azimuth) * Math.cos(elevation),
        Math.sin(azimuth) * Math.cos(elevation),
        Math.sin(elevation),
      ];
      const range = rays.computeDistance(node.position, turned(rotation, own));
      if (range === undefined || range > 60) continue;
      const measured = range + sigma * normal();
      positions.push(...own.map((value) => value * measured));
      at.rows.push(row);
      at.columns.push(column);
    }
  }
  const file = writeE57([
    {
      name: 'S1',
      guid: 'scan-1',
      pose: { rotation: tilted, translation: [...node.position] },
      positions: Float32Array.from(positions),
      grid: { rows: Uint16Array.from(at.rows), columns: Uint16Array.from(at.columns) },
      intensities: Float32Array.from({ length: at.rows.length }, (_, k) => (k % 97) / 97),
    },
  ]);
  const opened = await openE57(bytesInMemory(file));
  const made = await createStation(opened, opened.scans[0]!, async () => undefined);
  if (typeof made === 'string') throw new Error(made);
  station = made;
});

it('reads pose and precision of a station from an E57 file', async () => {
  expect(station.position).toEqual(node.position);
  expect(station.picture).toBe('INTENSITY');
  expect(station.sigma).toBeGreaterThan(0.7 * sigma);
  expect(station.sigma).toBeLessThan(1.5 * sigma);
  const { width, height } = await sharp(station.panorama).metadata();
  expect([width, height]).toEqual([width, width / 2]);
});

it('picks within the noise of the description in a station of an E57 file, except near edges', async () => {
  const { data, info } = await sharp(station.range).raw().toBuffer({ resolveWithObject: true });
  const random = createRandom(7);
  const off: number[] = [];
  let missing = 0;
  while (off.length < 1000) {
    const x = Math.floor(random() * info.width);
    const y = Math.floor(info.height * (0.05 + 0.8 * random()));
    const direction = computePixelDirection(x, y, info.width, info.height, station.heading);
    const truth = rays.findHit(node.position, direction);
    if (!truth || truth.distance > 30) continue;
    const around = [
      [-3, 0],
      [3, 0],
      [0, -3],
      [0, 3],
    ].map(([dx, dy]) =>
      rays.findHit(node.position, computePixelDirection(x + dx!, y + dy!, info.width, info.height, station.heading)),
    );
    // Only points on one surface and not at a steep angle: near an edge, a pick may hit either side.
    if (
      around.some(
        (beside) => beside?.id !== truth.id || Math.abs(beside.distance - truth.distance) > 0.03 * truth.distance,
      )
    )
      continue;
    const stored = data[(y * info.width + x) * 3]! * 256 + data[(y * info.width + x) * 3 + 1]!;
    if (stored === 0) missing++;
    const point = add(node.position, scale(direction, stored / 1000));
    off.push(Math.hypot(...subtract(point, add(node.position, scale(direction, truth.distance)))));
  }
  off.sort((a, b) => a - b);
  expect(missing).toBeLessThan(10);
  expect(off[500]).toBeLessThan(sigma);
  expect(off[900]).toBeLessThan(2.5 * sigma);
});
