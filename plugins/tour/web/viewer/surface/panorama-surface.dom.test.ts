import { Blob as NodeBlob } from 'node:buffer';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { toDirection, Emitter, type Point3 } from '#core';
import type { PanoramaEngine, PanoramaEvents, PanoramaPicture, SiteDepth, SurfacePick } from '#plugins/tour';
import { PanoramaSurface } from './panorama-surface.ts';

const width = 2048;
const height = 1024;
const tileSize = 512;
const position: Point3 = [10, 20, 5];
const heading = 30;

/** Computes the ranges of a room with walls at 3 m on all four sides, a floor 1.7 m below, and no ceiling. */
function computeRange(pan: number, tilt: number): number {
  const [x, y, z] = toDirection(pan, tilt);
  const ranges = [3 / Math.abs(x), 3 / Math.abs(y), z < 0 ? 1.7 / -z : Number.POSITIVE_INFINITY];
  return tilt > 60 ? 0 : Math.min(...ranges);
}

/** Creates the tile whose URL is the text of the blob. Replaces the decoder of the browser. */
async function decode(blob: Blob): Promise<{ readonly width: number; readonly data: Uint16Array }> {
  const [, column = 0, row = 0] = /range\/(\d+)_(\d+)\.webp$/.exec(await blob.text())?.map(Number) ?? [];
  const offset = (pixel: number): number => {
    const pan = heading + ((column * tileSize + (pixel % tileSize) + 0.5) / width - 0.5) * 360;
    const tilt = 90 - ((row * tileSize + Math.floor(pixel / tileSize) + 0.5) / height) * 180;
    return Math.round(computeRange(pan, tilt) * 1000);
  };
  return { width: tileSize, data: Uint16Array.from({ length: tileSize * tileSize }, (_, pixel) => offset(pixel)) };
}

// From Node 24 on, a response creates its blobs with jsdom's Blob, which has no `text`.
const read = vi.fn(async (url: string) => Object.assign(new Response(), { blob: async () => new NodeBlob([url]) }));
vi.stubGlobal('fetch', read);
beforeEach(() => read.mockClear());

interface SetupOptions {
  readonly pan?: number;
  readonly tilt?: number;
  readonly ranges?: boolean;
  readonly source?: 'MODEL' | 'CLOUD';
}

function setup({ pan = 0, tilt = 0, ranges = true, source }: SetupOptions = {}) {
  const picture: PanoramaPicture = {
    tiles: { id: 'p', address: '/p', tileSize, levels: [], mesh: false },
    heading,
    position,
    ...(ranges
      ? { ranges: { id: 'r', address: '/r', width, height, tileSize, sigma: 0.003, ...(source && { source }) } }
      : {}),
  };
  const toPixel = vi.fn((atPan: number, atTilt: number) => ({ x: atPan, y: atTilt }));
  const engine = {
    // A tenth of a degree per pixel.
    directionAt: (x: number) => ({ pan: pan + (x - 1) / 10, tilt }),
    toPixel,
    takePicture: () => Promise.resolve(new Blob()),
    on: () => () => undefined,
  };
  return {
    surface: new PanoramaSurface(
      'scan.module',
      { engine, host: document.createElement('div'), picture: () => picture, eye: () => picture?.position },
      decode,
    ),
    toPixel,
    picture,
  };
}

describe('PanoramaSurface', () => {
  it.each([
    [0, 0, [10, 23, 5]],
    [90, 10, [13, 20, 5 + 3 * Math.tan(Math.PI / 18)]],
    [200, -60, undefined],
  ] as const)('returns the point at pan %d and tilt %d', async (pan, tilt, expected) => {
    const pick = await setup({ pan, tilt }).surface.pick(1, 1);
    const [x, y, z] = toDirection(pan, tilt);
    const range = computeRange(pan, tilt);
    const expectedPoint = expected ?? [position[0] + x * range, position[1] + y * range, position[2] + z * range];
    for (const axis of [0, 1, 2] as const)
      expect(Math.abs((pick?.point[axis] ?? 0) - (expectedPoint[axis] ?? 0))).toBeLessThan(0.003);
    expect(pick).toMatchObject({ source: 'RANGE_IMAGE', edge: false });
  });

  it.each([
    ['MODEL', 'MODEL'],
    ['CLOUD', 'POINT_CLOUD'],
  ] as const)(
    'names the source of computed ranges, and adds the error of the direction: %s',
    async (source, expected) => {
      const pick = await setup({ source }).surface.pick(1, 1);
      expect(pick).toMatchObject({ source: expected, directionSigmaPx: expect.closeTo(2, 6) });
      expect(await setup().surface.pick(1, 1)).not.toHaveProperty('directionSigmaPx');
    },
  );

  it('fetches each tile around the pick once', async () => {
    const { surface } = setup({ pan: 35, tilt: 20 });
    await surface.pick(1, 1);
    await surface.pick(1, 1);
    expect(read.mock.calls.map(([url]) => url)).toEqual(['/r/range/2_0.webp']);
  });

  it('[TOUR-08] returns the points around a pick from the picked picture, even after a walk to another picture', async () => {
    const { surface, picture } = setup();
    const pick = await surface.pick(1, 1);
    const before = await surface.findSurfacePoints(pick!, 0.2);
    Object.assign(picture, { position: [40, 20, 5], ranges: { ...picture.ranges, id: 'other', address: '/other' } });
    expect(before.length).toBeGreaterThan(0);
    expect(await surface.findSurfacePoints(pick!, 0.2)).toEqual(before);
  });

  it('picks nothing without a return and without ranges', async () => {
    expect(await setup({ tilt: 80 }).surface.pick(1, 1)).toBeUndefined();
    expect(await setup({ ranges: false }).surface.pick(1, 1)).toBeUndefined();
  });

  it('[TOUR-08] has depth if the picture has ranges', () => {
    expect([setup().surface.hasDepth(), setup({ ranges: false }).surface.hasDepth()]).toEqual([true, false]);
  });

  describe('without ranges', () => {
    const hit: SurfacePick = {
      point: [10, 23, 5],
      normal: undefined,
      source: 'POINT_CLOUD',
      sigma: 0.003,
      edge: false,
    };

    function setupDepth(depth: SiteDepth | undefined) {
      const find = vi.fn(async () => depth);
      const picture: PanoramaPicture = {
        tiles: { id: 'p', address: '/p', tileSize, levels: [], mesh: false },
        heading,
        position,
      };
      const engine = {
        // A pixel covers 0.1 degrees.
        directionAt: (x: number) => ({ pan: x / 10, tilt: 0 }),
        toPixel: () => undefined,
        takePicture: () => Promise.resolve(new Blob()),
        on: () => () => undefined,
      };
      const host = document.createElement('div');
      const clear = vi.fn();
      const depths = { hasSources: true, find, clear };
      return {
        surface: new PanoramaSurface('vr.module', {
          engine,
          host,
          picture: () => picture,
          eye: () => position,
          depthLookup: depths,
        }),
        find,
        clear,
      };
    }

    it('[TOUR-21] picks by the depth of the site along the line of sight', async () => {
      const depth = {
        pick: vi.fn<SiteDepth['pick']>(async () => hit),
        findSurfacePoints: vi.fn<SiteDepth['findSurfacePoints']>(async () => Float64Array.of(1, 2, 3)),
        mesh: vi.fn<NonNullable<SiteDepth['mesh']>>(async () => undefined),
      };
      const { surface, find } = setupDepth(depth);
      const pick = await surface.pick(900, 1);
      expect(find).toHaveBeenCalledWith(position);
      expect(depth.pick.mock.calls[0]?.[0].origin).toEqual(position);
      expect(depth.pick.mock.calls[0]?.[0].direction[0]).toBeCloseTo(1, 9);
      expect(depth.pick.mock.calls[0]?.[0].pixelRadians).toBeCloseTo(Math.PI / 1800, 6);
      expect(pick).toMatchObject(hit);
      // The direction of such a picture is uncertain by 0.2 degrees, which are two pixels here.
      expect(pick?.directionSigmaPx).toBeCloseTo(2, 3);
      expect(await surface.findSurfacePoints(pick!, 0.4)).toEqual(Float64Array.of(1, 2, 3));
      await surface.mesh(pick!, 0.4);
      expect([depth.findSurfacePoints.mock.calls, depth.mesh.mock.calls]).toEqual([[[hit, 0.4]], [[hit, 0.4]]]);
    });

    it('[TOUR-21] has depth until a pick finds no depth', async () => {
      const { surface } = setupDepth(undefined);
      expect(surface.hasDepth()).toBe(true);
      expect(await surface.pick(900, 1)).toBeUndefined();
      expect(surface.hasDepth()).toBe(false);
    });

    it('[TOUR-21] requests depth from the sources again after a failed pick, because access may have expired', async () => {
      const { surface, clear } = setupDepth({
        pick: () => Promise.reject(new Error('refused')),
        findSurfacePoints: async () => new Float64Array(),
      });
      await expect(surface.pick(900, 1)).rejects.toThrow('refused');
      expect(clear).toHaveBeenCalledTimes(1);
    });
  });

  it('is ready once its picture is loaded', async () => {
    let picture: PanoramaPicture | undefined;
    const events = new Emitter<PanoramaEvents>();
    const on: PanoramaEngine['on'] = (event, listener) => events.on(event, listener);
    const engine = {
      directionAt: () => ({ pan: 0, tilt: 0 }),
      toPixel: () => undefined,
      takePicture: () => Promise.resolve(new Blob()),
      on,
    };
    const surface = new PanoramaSurface(
      'scan.module',
      { engine, host: document.createElement('div'), picture: () => picture, eye: () => picture?.position },
      decode,
    );
    const onReady = vi.fn();
    const ready = surface.ready().then(onReady);
    await Promise.resolve();
    expect(onReady).not.toHaveBeenCalled();
    picture = { tiles: { id: 'p', address: '/p', tileSize, levels: [], mesh: false }, heading, position };
    events.emit('shown', { id: 'p' });
    await ready;
    await surface.ready();
  });

  it('[TOUR-12] is moving while the eye is away from the position of the picture, but not without a picture', () => {
    let eye: Point3 | undefined = position;
    let picture: PanoramaPicture | undefined;
    const engine = {
      directionAt: () => ({ pan: 0, tilt: 0 }),
      toPixel: () => undefined,
      takePicture: () => Promise.resolve(new Blob()),
      on: () => () => undefined,
    };
    const host = document.createElement('div');
    const surface = new PanoramaSurface('vr.module', { engine, host, picture: () => picture, eye: () => eye });
    expect(surface.isMoving()).toBe(false);
    picture = { tiles: { id: 'p', address: '/p', tileSize, levels: [], mesh: false }, heading, position };
    expect(surface.isMoving()).toBe(false);
    eye = [10, 20.5, 5];
    expect(surface.isMoving()).toBe(true);
    eye = undefined;
    expect(surface.isMoving()).toBe(true);
  });

  it('emits a change when the view turns and when the picture is resized', () => {
    const events = new Emitter<PanoramaEvents>();
    const on: PanoramaEngine['on'] = (event, listener) => events.on(event, listener);
    const engine = {
      directionAt: () => ({ pan: 0, tilt: 0 }),
      toPixel: () => undefined,
      takePicture: () => Promise.resolve(new Blob()),
      on,
    };
    const surface = new PanoramaSurface(
      'scan.module',
      { engine, host: document.createElement('div'), picture: () => undefined, eye: () => undefined },
      decode,
    );
    const onChange = vi.fn();
    const stop = surface.onChanged(onChange);
    events.emit('viewChanged', { pan: 1, tilt: 0, fov: 75 });
    events.emit('resized', undefined);
    expect(onChange).toHaveBeenCalledTimes(2);
    stop();
    events.emit('resized', undefined);
    expect(onChange).toHaveBeenCalledTimes(2);
  });

  it('returns points of the picked wall within the radius', async () => {
    const { surface } = setup({ pan: 0, tilt: 0 });
    const pick = await surface.pick(1, 1);
    const patch = pick ? await surface.findSurfacePoints(pick, 0.4) : new Float64Array(0);
    expect(patch.length).toBeGreaterThan(3 * 200);
    for (let offset = 0; offset < patch.length; offset += 3) {
      expect(Math.abs((patch[offset + 1] ?? 0) - 23)).toBeLessThan(0.002);
      expect(Math.hypot((patch[offset] ?? 0) - 10, (patch[offset + 2] ?? 0) - 5)).toBeLessThan(0.41);
    }
  });

  it('detects occlusion once the ranges are loaded and emits a change', async () => {
    const { surface } = setup();
    const pointBehind: Point3 = [10, 24, 5];
    const onChange = new Promise<void>((resolve) => void surface.onChanged(() => resolve()));
    expect(surface.sees(pointBehind)).toBe(true);
    await onChange;
    expect(surface.sees(pointBehind)).toBe(false);
    expect(surface.sees([10, 23.1, 5])).toBe(true);
  });

  it('projects a point by its direction from the camera', () => {
    const { surface, toPixel } = setup({ ranges: false });
    surface.toPixel([12, 20, 5]);
    expect(toPixel.mock.calls[0]?.[0]).toBeCloseTo(90);
    expect(toPixel.mock.calls[0]?.[1]).toBeCloseTo(0);
  });
});
