import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { toDirection, type Point3 } from '#core';
import type { SurfacePick } from '#plugins/tour';
import { formatBrowserTestTitle, launchBrowserForPictures, noBrowser } from '../browser/browser.ts';
import { createMesh } from '../../cli/demo/geometry/plant-mesh.ts';
import { PlantRays } from '../../cli/demo/geometry/plant-rays.ts';
import { plant } from '../../cli/demo/plant/plant.ts';
import { createRandom } from '../../cli/demo/plant/vector.ts';
import { scanPoints } from '../../cli/demo/scan/scan-points.ts';
import { maxWaitMs } from '../../core/testing/max-wait.ts';
import { findSkipReason, samplePath } from '../../core/testing/sample-data.ts';
import { writeCloud } from '../../plugins/scan/server/cloud/jobs/octree/write-cloud.ts';
import type { CameraView } from '../../plugins/tour/contract/services/camera-controller.ts';
import type { CloudPage } from './cloud-page.ts';
import { CloudServer } from './cloud-server.ts';

declare global {
  interface Window {
    readonly cloudPage: CloudPage;
  }
}

const size = { width: 1280, height: 720 };
const copcSample = 'pointcloud/copc/ellipsoid.copc.laz';
const missingCopc = noBrowser ?? findSkipReason(copcSample);
const server = new CloudServer();
let browser: Browser;
let page: Page;
const pageErrors: string[] = [];

beforeAll(async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'walkdown-test-'));
  for await (const entry of writeCloud(scanPoints({ seed: 3 }), { folder }))
    server.files.set(`cloud/${entry.path}`, entry.content);
  await rm(folder, { recursive: true });
  if (!missingCopc) server.files.set('site.copc.laz', await readFile(samplePath(copcSample)));
  await server.start();
  browser = await launchBrowserForPictures();
});
afterAll(async () => {
  await browser.close();
  await server.stop();
});
beforeEach(async () => {
  // Clicks and tile selection use CSS pixels, so a low resolution is enough.
  page = await browser.newPage({ viewport: size, deviceScaleFactor: 0.5 });
  page.on('pageerror', (error) => pageErrors.push(error.message));
  await page.goto(server.url);
});
afterEach(async () => {
  await page.close();
  server.reset();
  expect(pageErrors.splice(0)).toEqual([]);
});

const openCloud = (kind: 'TILES' | 'COPC', url: string) =>
  page.evaluate(
    async ([cloudKind, cloudUrl]) => {
      const { count } = await window.cloudPage.surface.open({ kind: cloudKind, url: cloudUrl });
      return count;
    },
    [kind, url] as const,
  );
const setView = (view: Partial<CameraView>) =>
  page.evaluate(async (newView) => {
    window.cloudPage.surface.setView(newView);
    await window.cloudPage.settle();
    return window.cloudPage.surface.statistics;
  }, view);
const countPoints = (point: Point3, radius: number): Promise<number> =>
  page.evaluate(
    async ([centre, patchRadius]) =>
      (
        await window.cloudPage.surface.findSurfacePoints(
          { point: centre, normal: undefined, source: 'POINT_CLOUD', sigma: undefined, edge: false },
          patchRadius,
        )
      ).length / 3,
    [point, radius] as const,
  );
const pick = (x: number, y: number): Promise<SurfacePick | undefined> =>
  page.evaluate(([pixelX, pixelY]) => window.cloudPage.surface.pick(pixelX, pixelY), [x, y] as const);

describe.skipIf(noBrowser)(formatBrowserTestTitle('point cloud of the demo'), () => {
  it('fills the image within its budget of points', async () => {
    // Tiles of earlier views stay in graphics memory, so the test uses one view from the start.
    const view = { position: [-5, -3, 1.7], pan: 119, tilt: -2 } as const;
    await page.evaluate((initial) => window.cloudPage.surface.setView(initial), view);
    expect(await openCloud('TILES', '/cloud')).toBeGreaterThan(2_000_000);
    const { points, drawnNodes, uploadedNodes } = await setView(view);
    expect(points).toBeGreaterThan(100_000);
    expect(points).toBeLessThanOrEqual(1_000_000);
    expect(uploadedNodes).toBe(drawnNodes);
    expect(await page.evaluate(() => window.cloudPage.computeCoverage())).toBeGreaterThan(0.5);
  });

  it('shows a deck without gaps at close range, even while its details are loading', async () => {
    const view = { position: [-5, -3, 1.7], pan: 119, tilt: -60 } as const;
    const computeCoverage = () => page.evaluate(() => window.cloudPage.computeCoverage());
    server.failingPaths = /tiles\/r\d/;
    await openCloud('TILES', '/cloud');
    expect((await setView(view)).drawnNodes).toBe(1);
    expect(await computeCoverage()).toBeGreaterThan(0.85);
    server.failingPaths = undefined;
    await page.evaluate(() => window.cloudPage.surface.retry());
    expect((await setView(view)).drawnNodes).toBeGreaterThan(10);
    expect(await computeCoverage()).toBeGreaterThan(0.999);
  });

  it('shows the points in the first frame after a change of size', async () => {
    await openCloud('TILES', '/cloud');
    await setView({ position: [-5, -3, 1.7], pan: 119, tilt: -60 });
    expect(await page.evaluate(() => window.cloudPage.resize(800, 600))).toBeGreaterThan(0.99);
  });

  it('picks the front surface at 100 pixels of views away from scanners', async () => {
    await openCloud('TILES', '/cloud');
    const rays = new PlantRays(createMesh(plant.parts).mesh);
    const random = createRandom(20_261);
    const eyes: readonly Point3[] = [
      [-8, -3.4, 1.6],
      [2, -2.6, 1.5],
      [8.5, 3.2, 1.6],
      [-4, 4.2, 8.6],
      [12.5, -3.5, 1.9],
    ];
    const wrongPicks: string[] = [];
    let pickCount = 0;
    for (const eye of eyes) {
      for (let viewCount = 0; viewCount < 2; viewCount++) {
        const pan = random() * 360;
        await setView({ position: eye, pan, tilt: -5, fov: 60 });
        for (let pixelCount = 0; pixelCount < 10;) {
          const [x, y] = [40 + random() * (size.width - 80), 40 + random() * (size.height - 80)];
          const ray = computeRay(pan, -5, 60, x, y);
          const trueDistance = rays.computeDistance(eye, ray);
          // In the air and in gaps of the scan, there is no surface to pick.
          if (trueDistance === undefined || trueDistance > 15) continue;
          const surfacePoint: Point3 = [
            eye[0] + ray[0] * trueDistance,
            eye[1] + ray[1] * trueDistance,
            eye[2] + ray[2] * trueDistance,
          ];
          if (!isScanned(rays, surfacePoint) || (await countPoints(surfacePoint, 0.06)) < 6) continue;
          pixelCount++;
          const surfacePick = await pick(x, y);
          if (!surfacePick) continue;
          pickCount++;
          if (!isInFront(rays, eye, surfacePick.point))
            wrongPicks.push(
              `${eye.join()} pan ${pan.toFixed(1)} pixel ${x.toFixed(0)} ${y.toFixed(0)}: surface at ` +
                `${trueDistance.toFixed(2)} ` +
                `m, picked ${computeDistance(eye, surfacePick.point).toFixed(2)} m`,
            );
        }
      }
    }
    expect(wrongPicks).toEqual([]);
    expect(pickCount).toBeGreaterThanOrEqual(98);
  });

  it('returns the surface points around a pick and finds occluded points', async () => {
    await openCloud('TILES', '/cloud');
    await setView({ position: [-5, -3, 1.7], pan: 119, tilt: -20 });
    const result = await page.evaluate(async () => {
      const { surface } = window.cloudPage;
      const hit = await surface.pick(640, 600);
      if (!hit) return undefined;
      const patch = await surface.findSurfacePoints(hit, 0.3);
      const [x, y, z] = hit.point;
      const eye = surface.view.position;
      const beyond = [eye[0] + (x - eye[0]) * 3, eye[1] + (y - eye[1]) * 3, eye[2] + (z - eye[2]) * 3] as const;
      return {
        pixel: surface.toPixel(hit.point),
        points: patch.length / 3,
        sees: surface.sees(hit.point),
        beyond: surface.sees(beyond),
        behind: surface.toPixel([eye[0] * 2 - x, eye[1] * 2 - y, eye[2] * 2 - z]),
      };
    });
    expect(result).toBeDefined();
    expect(Math.hypot(result!.pixel!.x - 640, result!.pixel!.y - 600)).toBeLessThanOrEqual(6.01);
    expect(result!.points).toBeGreaterThan(50);
    expect([result!.sees, result!.beyond, result!.behind]).toEqual([true, false, undefined]);
  });

  it('neither draws nor picks points outside the clipping box', async () => {
    await openCloud('TILES', '/cloud');
    await setView({ position: [-5, -3, 1.7], pan: 119, tilt: -20 });
    const previousCoverage = await page.evaluate(() => window.cloudPage.computeCoverage());
    await page.evaluate(() =>
      window.cloudPage.surface.setAppearance({ clip: { centre: [0, 0, 100], half: [1, 1, 1], pan: 30 } }),
    );
    expect(await page.evaluate(() => window.cloudPage.computeCoverage())).toBe(0);
    expect(await pick(640, 600)).toBeUndefined();
    await page.evaluate(() => window.cloudPage.surface.setAppearance({ clip: undefined }));
    expect(await page.evaluate(() => window.cloudPage.computeCoverage())).toBeCloseTo(previousCoverage, 5);
  });

  it('draws again after the graphics context was lost', async () => {
    await openCloud('TILES', '/cloud');
    await setView({ position: [-5, -3, 1.7], pan: 119, tilt: -2 });
    const previousCoverage = await page.evaluate(() => window.cloudPage.computeCoverage());
    await page.evaluate(async () => {
      const extension = (document.querySelector('canvas') as HTMLCanvasElement)
        .getContext('webgl2')
        ?.getExtension('WEBGL_lose_context');
      extension?.loseContext();
      await window.cloudPage.waitForEvent('contextLost');
      extension?.restoreContext();
      await window.cloudPage.waitForEvent('contextRestored');
    });
    expect(await page.evaluate(() => window.cloudPage.computeCoverage())).toBeCloseTo(previousCoverage, 3);
  });

  it('shows the other tiles if a tile is truncated', async () => {
    server.damage = (name, bytes) => (name.endsWith('/r.glb') ? bytes.subarray(0, bytes.length >> 1) : bytes);
    await openCloud('TILES', '/cloud');
    // The failure is reported after two retries, which wait for one and for four seconds.
    await page.waitForFunction(() => window.cloudPage.events.some((event) => event.startsWith('failed: ')), undefined, {
      timeout: maxWaitMs,
    });
    expect(await page.evaluate(() => window.cloudPage.events.find((event) => event.startsWith('failed: ')))).toContain(
      'damaged or cut off',
    );
    const { points } = await setView({ position: [-5, -3, 1.7], pan: 119, tilt: -2 });
    expect(points).toBeGreaterThan(100_000);
    server.damage = undefined;
    await page.evaluate(() => window.cloudPage.surface.retry());
    await page.waitForFunction((previous) => window.cloudPage.surface.statistics.points > previous, points, {
      timeout: maxWaitMs,
    });
  });

  it('reports a damaged or missing description', async () => {
    server.damage = (name, bytes) => (name.endsWith('.json') ? bytes.subarray(0, 100) : bytes);
    await expect(openCloud('TILES', '/cloud')).rejects.toThrow('damaged');
    await expect(openCloud('TILES', '/nothing')).rejects.toThrow('404');
    await expect(openCloud('COPC', '/cloud/tileset.json')).rejects.toThrow(/cut off|no COPC/);
  });
});

describe.skipIf(missingCopc)(missingCopc ? `COPC file (not run: ${missingCopc})` : 'COPC file', () => {
  it('streams by byte ranges and picks its points', async () => {
    expect(await openCloud('COPC', '/site.copc.laz')).toBe(100_000);
    const { points } = await setView({ position: [-8242596, 4966606 - 260, 0], pan: 0, tilt: 0, fov: 60 });
    expect(points).toBeGreaterThan(20_000);
    expect(server.requestedPaths.length).toBeGreaterThan(3);
    const surfacePick = await pick(640, 360);
    // The pick is at the near pole of an ellipsoid with half axes of 150, 100 and 50 m.
    expect(surfacePick!.point[1]).toBeGreaterThan(4966506 - 1);
    expect(surfacePick!.point[1]).toBeLessThan(4966506 + 5);
    expect(await page.evaluate(() => window.cloudPage.computeCoverage())).toBeGreaterThan(0.02);
  });

  it.for<readonly [string, (bytes: Uint8Array, first: number, end: number) => Uint8Array]>([
    ['truncated', (bytes, first) => bytes.subarray(0, first + 2_000)],
    ['empty', (bytes, first, end) => bytes.map((byte, offset) => (offset > first && offset < end ? 0 : byte))],
    [
      'scrambled',
      (bytes, first, end) =>
        bytes.map((byte, offset) => (offset > first && offset < end ? byte ^ (offset * 31) : byte)),
    ],
  ])('reports %s points and loads them on retry', async ([, damage]) => {
    const file = server.files.get('site.copc.laz')!;
    const header = new DataView(file.buffer, file.byteOffset);
    // The point data lie between their offset and the first extended variable length record (LAS 1.4).
    const damagedFile = damage(file, header.getUint32(96, true), Number(header.getBigUint64(235, true)));
    await page.evaluate(() => window.cloudPage.surface.setView({ position: [0, 0, 0], tilt: 90 }));
    await openCloud('COPC', '/site.copc.laz');
    server.damage = () => damagedFile;
    await setView({ position: [-8242596, 4966606 - 260, 0], pan: 0, tilt: 0, fov: 60 });
    const failures = await page.evaluate(() => window.cloudPage.events.filter((event) => event.startsWith('failed: ')));
    expect(failures).not.toEqual([]);
    for (const message of failures) expect(message).toMatch(/A part of the point cloud is (damaged or )?cut off\./);
    server.damage = undefined;
    await page.evaluate(() => window.cloudPage.surface.retry());
    await page.waitForFunction(
      () =>
        window.cloudPage.surface.statistics.points > 20_000 && window.cloudPage.surface.statistics.uploadedNodes > 4,
      undefined,
      { timeout: maxWaitMs },
    );
  });
});

const computeDistance = (a: Point3, b: readonly [number, number, number]): number =>
  Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);

/** Computes the direction of the ray through a pixel. */
function computeRay(pan: number, tilt: number, fov: number, x: number, y: number): Point3 {
  const forward = toDirection(pan, tilt);
  const right = toDirection(pan + 90, 0);
  const up: Point3 = [
    right[1] * forward[2] - right[2] * forward[1],
    right[2] * forward[0] - right[0] * forward[2],
    right[0] * forward[1] - right[1] * forward[0],
  ];
  const half = Math.tan((fov * Math.PI) / 360);
  const [across, upward] = [
    ((x / size.width) * 2 - 1) * half * (size.width / size.height),
    (1 - (y / size.height) * 2) * half,
  ];
  const component = (axis: 0 | 1 | 2): number => forward[axis] + across * right[axis] + upward * up[axis];
  const ray: Point3 = [component(0), component(1), component(2)];
  const length = Math.hypot(...ray);
  return [ray[0] / length, ray[1] / length, ray[2] / length];
}

/** Whether a point of a surface is visible from a scanner. */
function isScanned(rays: PlantRays, point: Point3): boolean {
  return plant.nodes.some(({ position }) => {
    const length = computeDistance(position, point);
    const hit = rays.computeDistance(position, [
      (point[0] - position[0]) / length,
      (point[1] - position[1]) / length,
      (point[2] - position[2]) / length,
    ]);
    return length < 20 && hit !== undefined && Math.abs(hit - length) < 0.01;
  });
}

/** Whether no surface occludes a measured point, which noise may have moved behind an edge by a centimetre. */
function isInFront(rays: PlantRays, eye: Point3, [x, y, z]: readonly [number, number, number]): boolean {
  const offsets = [0, -0.01, 0.01];
  return offsets.some((dx) =>
    offsets.some((dy) =>
      offsets.some((dz) => {
        const ray: Point3 = [x + dx - eye[0], y + dy - eye[1], z + dz - eye[2]];
        const length = Math.hypot(...ray);
        const hit = rays.computeDistance(eye, [ray[0] / length, ray[1] / length, ray[2] / length]);
        return hit === undefined || hit > length - 0.03;
      }),
    ),
  );
}
