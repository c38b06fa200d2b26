import { expect, it } from 'vitest';
import { createToGeographic } from './to-geographic.ts';

const frame = { crs: 32632, origin: { east: 500_000, north: 6_640_000, up: 10 }, rotation: 30, unit: 'm' } as const;

it('converts the site frame to longitude and latitude', async () => {
  const convert = (await createToGeographic(frame))!;
  const [longitude, latitude, height] = convert([0, 0, 2]);
  // The central meridian of zone 32 is 9 degrees east, and its easting is 500 km.
  expect(longitude).toBeCloseTo(9, 9);
  expect(latitude).toBeCloseTo(59.896, 2);
  expect(height).toBe(12);
  // 1 km along the site's north is turned clockwise from the grid's: 500 m to the east.
  const [east, north] = convert([0, 1000, 0]);
  expect((east - longitude) * 111_320 * Math.cos((latitude * Math.PI) / 180)).toBeCloseTo(500, -1);
  expect((north - latitude) * 111_420).toBeCloseTo(866, -1);
});

it('converts nothing without a projected CRS', async () => {
  expect(await createToGeographic({ ...frame, crs: 'local' })).toBeUndefined();
  expect(await createToGeographic({ ...frame, crs: 4326 })).toBeUndefined();
});
