import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { convertModel, toTilesFolder } from '../../plugins/model-3d/server/jobs/convert-model.ts';
import { formatBrowserTestTitle, noBrowser } from '../browser/browser.ts';
import { buildManyObjects } from './many-objects.ts';
import { setupModelPage } from './model-page-context.ts';
import { readTiles } from './read-tiles.ts';

const tileset = '/tiled/tileset.json';
/** A view from close above the south-west corner of the field. */
const nearView = { position: [-2, -2, 3], pan: 45, tilt: -20, fov: 60 } as const;

const context = setupModelPage(async (folder) => {
  const [raw, output] = [path.join(folder, 'raw.glb'), path.join(folder, 'model.glb')];
  const file = await buildManyObjects(900);
  writeFileSync(raw, file);
  const { tiles } = await convertModel(raw, output, { tilingThresholds: { triangles: 100_000, bytes: 1e9 } });
  expect(tiles).toBeGreaterThan(3);
  return { '/raw.glb': file, ...readTiles(toTilesFolder(output), '/tiled') };
});

describe.skipIf(noBrowser)(formatBrowserTestTitle('ThreeModelEngine with a tiled model'), () => {
  it('[TOUR-13] picks the same objects as the reference scene at 100 pixels', async () => {
    expect(await context.page.evaluate((address) => window.modelPage.openTiled(address), tileset)).toBe(901);
    await context.page.evaluate(() => window.modelPage.openReference('/raw.glb'));
    const picks = await context.page.evaluate(async () => {
      const comparedPicks = [];
      for (const fraction of [0, 0.27, 0.5, 0.81]) {
        window.modelPage.setView(fraction);
        await window.modelPage.waitForTiles();
        comparedPicks.push(...window.modelPage.comparePicks(fraction, 25));
      }
      return comparedPicks;
    });
    expect(picks).toHaveLength(100);
    expect(picks.filter(({ own, reference }) => own !== reference)).toEqual([]);
    expect(await context.page.evaluate(() => window.modelPage.countDrawCalls('own'))).toBeLessThanOrEqual(30);
  });

  it('[TOUR-13] fetches only the tiles in view', async () => {
    const initialCount = await context.page.evaluate(
      async ([address, view]) => {
        await window.modelPage.openTiled(address, view);
        await window.modelPage.waitForTiles();
        return window.modelPage.listFetchedUrls().length;
      },
      [tileset, { ...nearView, pan: 225 }] as const,
    );
    // The camera looks away from the model at first.
    expect(initialCount).toBe(0);
    const result = await context.page.evaluate(async () => {
      const { engine, findObjectId, setAppearance } = window.modelPage;
      const target = findObjectId('OB-00899');
      const bounds = engine.computeBounds([target])!;
      setAppearance({ selected: [target] });
      const middle = bounds.min.map((low, axis) => (low + bounds.max[axis]!) / 2) as [number, number, number];
      engine.setView({ position: [middle[0], middle[1], middle[2] + 2.5], pan: 0, tilt: -90, fov: 60 });
      await window.modelPage.waitForTiles();
      const pixel = engine.toPixel(middle)!;
      return {
        object: engine.pick(pixel.x, pixel.y)?.object,
        target,
        fetchedCount: window.modelPage.listFetchedUrls().length,
      };
    });
    expect(result.object).toBe(result.target);
    expect(result.fetchedCount).toBeGreaterThan(0);
  });

  it('[TOUR-13] neither draws nor picks hidden or clipped objects of later tiles', async () => {
    const hits = await context.page.evaluate(
      async ([address, view]) => {
        const { modelPage } = window;
        await modelPage.openTiled(address, view);
        const { engine } = modelPage;
        const objects = Array.from({ length: 900 }, (_, index) =>
          modelPage.findObjectId(`OB-${String(index).padStart(5, '0')}`),
        );
        const visible = modelPage.findObjectId('OB-00002');
        const [x, y] = [480, 270];
        const pickObjects = async (): Promise<(number | undefined)[]> => {
          await modelPage.waitForTiles();
          const { min, max } = engine.computeBounds([visible])!;
          const pixel = engine.toPixel([(min[0] + max[0]) / 2, (min[1] + max[1]) / 2, (min[2] + max[2]) / 2])!;
          return [engine.pick(pixel.x, pixel.y)?.object, engine.pick(x, y)?.object];
        };
        modelPage.setAppearance({ hidden: new Set(objects.filter((id) => id !== visible)) });
        const pickedIds = await pickObjects();
        modelPage.setAppearance({ section: { axis: 'z', offset: 100, flipped: true } });
        await modelPage.nextFrame();
        return { picked: pickedIds, clipped: engine.pick(x, y)?.object, visible };
      },
      [tileset, nearView] as const,
    );
    expect(hits.picked).toEqual([hits.visible, undefined]);
    expect(hits.clipped).toBeUndefined();
  });

  it('[TOUR-13] loads failed and damaged tiles on retry', async () => {
    const states = await context.page.evaluate(
      async ([address, view]) => {
        const { modelPage } = window;
        modelPage.failFiles('tiles/0\\.glb');
        modelPage.truncateFiles('tiles/1\\.glb');
        await modelPage.openTiled(address, view);
        const failedState = await modelPage.waitForTiles();
        modelPage.failFiles(undefined);
        modelPage.truncateFiles(undefined);
        modelPage.engine.retryTiles();
        return { failedState, retriedState: await modelPage.waitForMoreTiles(failedState.shownCount) };
      },
      [tileset, { ...nearView, position: [-12, -12, 12] }] as const,
    );
    expect(states.failedState.failedCount).toBe(2);
    expect(states.failedState.shownCount).toBeGreaterThan(0);
    expect(states.retriedState.failedCount).toBe(0);
  });

  it('[TOUR-13] draws showSample after the graphics context was lost', async () => {
    const sizes = await context.page.evaluate(
      async ([address, view]) => {
        const { modelPage } = window;
        await modelPage.openTiled(address, view);
        await modelPage.waitForTiles();
        const measurePicture = async (): Promise<number> => (await modelPage.engine.takePicture()).size;
        const previousSize = await measurePicture();
        await modelPage.loseContext();
        return [previousSize, await measurePicture()] as const;
      },
      [tileset, nearView] as const,
    );
    expect(Math.abs(sizes[1] - sizes[0])).toBeLessThan(sizes[0] * 0.02);
  });

  it('[TOUR-13] frees all GPU objects of selections and replaced models', async () => {
    await context.page.evaluate(([address, view]) => window.modelPage.openTiled(address, view), [
      tileset,
      nearView,
    ] as const);
    const runRound = async (): Promise<number> => {
      await context.page.evaluate(async (view) => {
        const { modelPage } = window;
        modelPage.engine.setView(view);
        await modelPage.waitForTiles();
        for (const tag of ['OB-00002', 'OB-00041']) {
          modelPage.setAppearance({ selected: [modelPage.findObjectId(tag)], xray: true });
          await modelPage.nextFrame();
          await modelPage.nextFrame();
          modelPage.setAppearance({});
          await modelPage.nextFrame();
          await modelPage.nextFrame();
        }
        await modelPage.reopen();
        await modelPage.nextFrame();
        await modelPage.nextFrame();
        await modelPage.waitForTiles();
      }, nearView);
      return context.countLiveObjects();
    };
    const first = await runRound();
    expect(first).toBeGreaterThan(0);
    expect([await runRound(), await runRound()]).toEqual([first, first]);
  });

  it('[TOUR-13] ends loading when memory is full', async () => {
    const result = await context.page.evaluate(
      async ([address, view]) => {
        const { modelPage } = window;
        modelPage.stallFiles('/[1-9]\\d*\\.glb');
        try {
          await modelPage.openTiled(address, view);
          modelPage.limitMemory(1);
          await modelPage.waitForFirstTiles();
          const tiles = await modelPage.waitForTiles();
          return {
            ...tiles,
            full: modelPage.engine.tiles?.isMemoryFull,
            wasLoading: modelPage.countStalledRequests() > 0,
          };
        } finally {
          modelPage.stallFiles(undefined);
        }
      },
      [tileset, nearView] as const,
    );
    expect(result).toEqual({ shownCount: 1, failedCount: 0, full: true, wasLoading: true });
  });

  it('[TOUR-13] frees invisible tiles if memory is full', async () => {
    const result = await context.page.evaluate(
      async ([address, view]) => {
        const { modelPage } = window;
        await modelPage.openTiled(address, { ...view, pan: 225 });
        // The limit is smaller than a single tile.
        modelPage.limitMemory(1);
        const { engine } = modelPage;
        engine.setView({ ...view, position: [-12, -12, 12] });
        const { shownCount: tileCount } = await modelPage.waitForTiles();
        const full = engine.tiles?.isMemoryFull;
        // Moves to the other end and looks down, so that the first tiles become invisible and are freed.
        const target = modelPage.findObjectId('OB-00899');
        const { min, max } = engine.computeBounds([target])!;
        const middle = min.map((low, axis) => (low + max[axis]!) / 2) as [number, number, number];
        engine.setView({ position: [middle[0], middle[1], middle[2] + 2.5], pan: 0, tilt: -90, fov: 60 });
        const pixel = engine.toPixel(middle)!;
        await modelPage.waitForObject(target, pixel);
        return { shown: tileCount, full, shownAfterMove: engine.tiles?.shownCount };
      },
      [tileset, nearView] as const,
    );
    expect(result).toEqual({ shown: 1, full: true, shownAfterMove: 1 });
  });
});
