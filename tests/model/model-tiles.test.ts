import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { convertModel, tilesFolder } from '../../plugins/model-3d/server/jobs/convert-model.ts';
import { formatBrowserTitle, noBrowser } from '../browser/browser.ts';
import { manyObjects } from './many-objects.ts';
import { setupModelPage } from './model-ground.ts';
import { readTiles } from './read-tiles.ts';

const tileset = '/tiled/tileset.json';
/** A close view above the south-west corner of the field. */
const near = { position: [-2, -2, 3], pan: 45, tilt: -20, fov: 60 } as const;

const context = setupModelPage(async (folder) => {
  const [raw, output] = [path.join(folder, 'raw.glb'), path.join(folder, 'model.glb')];
  const file = await manyObjects(900);
  writeFileSync(raw, file);
  const { tiles } = await convertModel(raw, output, { largeFrom: { triangles: 100_000, bytes: 1e9 } });
  expect(tiles).toBeGreaterThan(3);
  return { '/raw.glb': file, ...readTiles(tilesFolder(output), '/tiled') };
});

describe.skipIf(noBrowser)(formatBrowserTitle('tiled model'), () => {
  it('[TOUR-13] picks the same objects as the plain scene at 100 pixels, with few draw calls', async () => {
    expect(await context.page.evaluate((address) => window.modelPage.openTiled(address), tileset)).toBe(901);
    await context.page.evaluate(() => window.modelPage.openNaive('/raw.glb'));
    const answers = await context.page.evaluate(async () => {
      const found = [];
      for (const share of [0, 0.27, 0.5, 0.81]) {
        window.modelPage.look(share);
        await window.modelPage.tilesThere();
        found.push(...window.modelPage.picks(share, 25));
      }
      return found;
    });
    expect(answers).toHaveLength(100);
    expect(answers.filter(({ own, naive }) => own !== naive)).toEqual([]);
    expect(await context.page.evaluate(() => window.modelPage.draws('own'))).toBeLessThanOrEqual(30);
  });

  it('[TOUR-13] fetches visible tiles first, and the tiles of a requested object on moving there', async () => {
    const first = await context.page.evaluate(
      async ([address, from]) => {
        await window.modelPage.openTiled(address, from);
        await window.modelPage.tilesThere();
        return window.modelPage.fetched().length;
      },
      [tileset, { ...near, pan: 225 }] as const,
    );
    // The camera looks away from the model.
    expect(first).toBe(0);
    const found = await context.page.evaluate(async () => {
      const { engine, findObjectId, looks } = window.modelPage;
      const target = findObjectId('OB-00899');
      const bounds = engine.computeBounds([target])!;
      looks({ selected: [target] });
      const middle = bounds.min.map((low, axis) => (low + bounds.max[axis]!) / 2) as [number, number, number];
      engine.setState({ position: [middle[0], middle[1], middle[2] + 2.5], pan: 0, tilt: -90, fov: 60 });
      await window.modelPage.tilesThere();
      const pixel = engine.toPixel(middle)!;
      return { object: engine.pick(pixel.x, pixel.y)?.object, target, fetched: window.modelPage.fetched().length };
    });
    expect(found.object).toBe(found.target);
    expect(found.fetched).toBeGreaterThan(0);
  });

  it('[TOUR-13] neither draws nor picks hidden or clipped objects, also in tiles that load later', async () => {
    const hits = await context.page.evaluate(
      async ([address, from]) => {
        const { modelPage } = window;
        await modelPage.openTiled(address, from);
        const { engine } = modelPage;
        const all = Array.from({ length: 900 }, (_, index) =>
          modelPage.findObjectId(`OB-${String(index).padStart(5, '0')}`),
        );
        const visible = modelPage.findObjectId('OB-00002');
        const [x, y] = [480, 270];
        const drawn = async (): Promise<(number | undefined)[]> => {
          await modelPage.tilesThere();
          const { min, max } = engine.computeBounds([visible])!;
          const pixel = engine.toPixel([(min[0] + max[0]) / 2, (min[1] + max[1]) / 2, (min[2] + max[2]) / 2])!;
          return [engine.pick(pixel.x, pixel.y)?.object, engine.pick(x, y)?.object];
        };
        modelPage.looks({ hidden: new Set(all.filter((id) => id !== visible)) });
        const alone = await drawn();
        modelPage.looks({ section: { axis: 'z', offset: 100, flipped: true } });
        await modelPage.nextFrame();
        return { alone, cut: engine.pick(x, y)?.object, visible };
      },
      [tileset, near] as const,
    );
    expect(hits.alone).toEqual([hits.visible, undefined]);
    expect(hits.cut).toBeUndefined();
  });

  it('[TOUR-13] reports the number of failed or damaged tiles and fetches them on retry', async () => {
    const states = await context.page.evaluate(
      async ([address, from]) => {
        const { modelPage } = window;
        modelPage.breakLine('tiles/0\\.glb');
        modelPage.cutFiles('tiles/1\\.glb');
        await modelPage.openTiled(address, from);
        const broken = await modelPage.tilesThere();
        modelPage.breakLine(undefined);
        modelPage.cutFiles(undefined);
        modelPage.engine.retryTiles();
        return { broken, mended: await modelPage.moreTiles(broken.shown) };
      },
      [tileset, { ...near, position: [-12, -12, 12] }] as const,
    );
    expect(states.broken.failed).toBe(2);
    expect(states.broken.shown).toBeGreaterThan(0);
    expect(states.mended.failed).toBe(0);
  });

  it('[TOUR-13] draws again after the graphics context was lost', async () => {
    const sizes = await context.page.evaluate(
      async ([address, from]) => {
        const { modelPage } = window;
        await modelPage.openTiled(address, from);
        await modelPage.tilesThere();
        const size = async (): Promise<number> => (await modelPage.engine.picture()).size;
        const before = await size();
        await modelPage.loseContext();
        return [before, await size()] as const;
      },
      [tileset, near] as const,
    );
    expect(Math.abs(sizes[1] - sizes[0])).toBeLessThan(sizes[0] * 0.02);
  });

  it('[TOUR-13] frees all GPU objects of selections, x-ray, leaving and returning, and another model', async () => {
    await context.page.evaluate(([address, from]) => window.modelPage.openTiled(address, from), [
      tileset,
      near,
    ] as const);
    const round = async (): Promise<number> => {
      await context.page.evaluate(async (from) => {
        const { modelPage } = window;
        modelPage.engine.setState(from);
        await modelPage.tilesThere();
        for (const tag of ['OB-00002', 'OB-00041']) {
          modelPage.looks({ selected: [modelPage.findObjectId(tag)], xray: true });
          await modelPage.nextFrame();
          await modelPage.nextFrame();
          modelPage.looks({});
          await modelPage.nextFrame();
          await modelPage.nextFrame();
        }
        await modelPage.openAgain();
        await modelPage.nextFrame();
        await modelPage.nextFrame();
        await modelPage.tilesThere();
      }, near);
      return context.countLiveObjects();
    };
    const first = await round();
    expect(first).toBeGreaterThan(0);
    expect([await round(), await round()]).toEqual([first, first]);
  });

  it('[TOUR-13] settles once loading tiles are cancelled for lack of memory', async () => {
    const result = await context.page.evaluate(
      async ([address, from]) => {
        const { modelPage } = window;
        modelPage.stallFiles('/[1-9]\\d*\\.glb');
        try {
          await modelPage.openTiled(address, from);
          modelPage.limitMemory(1);
          await modelPage.firstTiles();
          const there = await modelPage.tilesThere();
          return { ...there, full: modelPage.engine.tiles?.full, wasLoading: modelPage.stalledRequests() > 0 };
        } finally {
          modelPage.stallFiles(undefined);
        }
      },
      [tileset, near] as const,
    );
    expect(result).toEqual({ shown: 1, failed: 0, full: true, wasLoading: true });
  });

  it('[TOUR-13] frees invisible tiles if memory is low, reports if not all fit, and fetches them again', async () => {
    const result = await context.page.evaluate(
      async ([address, from]) => {
        const { modelPage } = window;
        await modelPage.openTiled(address, { ...from, pan: 225 });
        // The memory does not fit a single tile.
        modelPage.limitMemory(1);
        const { engine } = modelPage;
        engine.setState({ ...from, position: [-12, -12, 12] });
        const { shown } = await modelPage.tilesThere();
        const full = engine.tiles?.full;
        // Moves to the other end and looks down, so that the tiles seen before are freed.
        const target = modelPage.findObjectId('OB-00899');
        const { min, max } = engine.computeBounds([target])!;
        const middle = min.map((low, axis) => (low + max[axis]!) / 2) as [number, number, number];
        engine.setState({ position: [middle[0], middle[1], middle[2] + 2.5], pan: 0, tilt: -90, fov: 60 });
        const pixel = engine.toPixel(middle)!;
        await modelPage.pickable(target, pixel);
        return { shown, full, after: engine.tiles?.shown };
      },
      [tileset, near] as const,
    );
    expect(result).toEqual({ shown: 1, full: true, after: 1 });
  });
});
