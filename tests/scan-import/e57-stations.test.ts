import sharp from 'sharp';
import { beforeAll, expect, it } from 'vitest';
import { createMesh } from '../../cli/demo/geometry/plant-mesh.ts';
import { PlantRays } from '../../cli/demo/geometry/plant-rays.ts';
import { plant } from '../../cli/demo/plant/plant.ts';
import { add, scale, createRandom, subtract } from '../../cli/demo/plant/vector.ts';
import { computePixelDirection } from '../../cli/demo/render/equirectangular.ts';
import { openBytes } from '../../plugins/scan/server/adapters/byte-source.ts';
import { openE57 } from '../../plugins/scan/server/adapters/e57/open-e57.ts';
import { createStation, type ImportedStation } from '../../plugins/scan/server/stations/jobs/make-station.ts';
import { toRotation, type Rotation } from '../../plugins/scan/server/stations/jobs/scan-frame.ts';
import { writeE57 } from '../../plugins/scan/testing/server/write-e57.ts';

/** A tilted scanner at a node of the demo plant is simulated from the plant's description, with noise of 3 mm. */
const sigma = 0.003;
const rows = 420;
const columns = 900;
const tiltedRotation = normalize([0.9, 0.02, -0.03, 0.4]);

function normalize([w, x, y, z]: readonly [number, number, number, number]): [number, number, number, number] {
  const length = Math.hypot(w, x, y, z);
  return [w / length, x / length, y / length, z / length];
}

const rotate = (m: Rotation, [x, y, z]: readonly [number, number, number]): [number, number, number] => [
  m[0] * x + m[1] * y + m[2] * z,
  m[3] * x + m[4] * y + m[5] * z,
  m[6] * x + m[7] * y + m[8] * z,
];

let rays: PlantRays;
let station: ImportedStation;
const node = plant.nodes[0]!;

beforeAll(async () => {
  rays = new PlantRays(createMesh(plant.parts).mesh);
  const random = createRandom(20_260);
  const createNormal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const rotation = toRotation({ rotation: tiltedRotation, translation: [0, 0, 0] });
  const positions: number[] = [];
  const grid: { readonly rows: number[]; readonly columns: number[] } = { rows: [], columns: [] };
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const azimuth = 2 * Math.PI * (column / columns - 0.5);
      const elevation = Math.PI * (0.5 - (row + 0.5) / 450);
      const localDirection: [number, number, number] = [
        Math.cos(azimuth) * Math.cos(elevation),
        Math.sin(azimuth) * Math.cos(elevation),
        Math.sin(elevation),
      ];
      const range = rays.computeDistance(node.position, rotate(rotation, localDirection));
      if (range === undefined || range > 60) continue;
      const measuredRange = range + sigma * createNormal();
      positions.push(...localDirection.map((value) => value * measuredRange));
      grid.rows.push(row);
      grid.columns.push(column);
    }
  }
  const file = writeE57([
    {
      name: 'S1',
      guid: 'scan-1',
      pose: { rotation: tiltedRotation, translation: [...node.position] },
      positions: Float32Array.from(positions),
      grid: { rows: Uint16Array.from(grid.rows), columns: Uint16Array.from(grid.columns) },
      intensities: Float32Array.from({ length: grid.rows.length }, (_, k) => (k % 97) / 97),
    },
  ]);
  const e57File = await openE57(openBytes(file));
  const result = await createStation(e57File, e57File.scans[0]!, async () => undefined);
  if (typeof result === 'string') throw new Error(result);
  station = result;
});

it('creates a station with the pose and the precision of an E57 file', async () => {
  expect(station.position).toEqual(node.position);
  expect(station.pictureSource).toBe('INTENSITY');
  expect(station.sigma).toBeGreaterThan(0.7 * sigma);
  expect(station.sigma).toBeLessThan(1.5 * sigma);
  const { width, height } = await sharp(station.panorama).metadata();
  expect([width, height]).toEqual([width, width / 2]);
});

it('creates ranges that differ from the described plant only by the noise, except near edges', async () => {
  const { data, info } = await sharp(station.range).raw().toBuffer({ resolveWithObject: true });
  const random = createRandom(7);
  const distances: number[] = [];
  let missingCount = 0;
  while (distances.length < 1000) {
    const x = Math.floor(random() * info.width);
    const y = Math.floor(info.height * (0.05 + 0.8 * random()));
    const direction = computePixelDirection(x, y, info.width, info.height, station.heading);
    const trueHit = rays.findHit(node.position, direction);
    if (!trueHit || trueHit.distance > 30) continue;
    const neighbours = [
      [-3, 0],
      [3, 0],
      [0, -3],
      [0, 3],
    ].map(([dx, dy]) =>
      rays.findHit(node.position, computePixelDirection(x + dx!, y + dy!, info.width, info.height, station.heading)),
    );
    // Near an edge a pixel may show either side, so the test uses only points on one surface at a moderate angle.
    if (
      neighbours.some(
        (neighbour) =>
          neighbour?.id !== trueHit.id || Math.abs(neighbour.distance - trueHit.distance) > 0.03 * trueHit.distance,
      )
    )
      continue;
    const storedMillimetres = data[(y * info.width + x) * 3]! * 256 + data[(y * info.width + x) * 3 + 1]!;
    if (storedMillimetres === 0) missingCount++;
    const point = add(node.position, scale(direction, storedMillimetres / 1000));
    distances.push(Math.hypot(...subtract(point, add(node.position, scale(direction, trueHit.distance)))));
  }
  distances.sort((a, b) => a - b);
  expect(missingCount).toBeLessThan(10);
  expect(distances[500]).toBeLessThan(sigma);
  expect(distances[900]).toBeLessThan(2.5 * sigma);
});
