import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { convertModel } from '../../plugins/model-3d/server/jobs/convert-model.ts';
import { formatBrowserTestTitle, noBrowser } from '../browser/browser.ts';
import { buildManyObjects } from './many-objects.ts';
import { setupModelPage } from './model-page-context.ts';

const context = setupModelPage(async (folder) => {
  const [raw, small] = [path.join(folder, 'raw.glb'), path.join(folder, 'small.glb')];
  writeFileSync(raw, await buildManyObjects(1500));
  await convertModel(raw, small);
  return { '/small.glb': readFileSync(small) };
});

describe.skipIf(noBrowser)(formatBrowserTestTitle('ThreeModelEngine'), () => {
  it('[TOUR-13] picks the same objects as the reference scene at 100 pixels', async () => {
    await context.page.evaluate(() => window.modelPage.open('/small.glb'));
    await context.page.evaluate(() => window.modelPage.openReference('/small.glb'));
    const picks = await context.page.evaluate(() =>
      [0, 0.27, 0.5, 0.81].flatMap((fraction) => window.modelPage.comparePicks(fraction, 25)),
    );
    expect(picks).toHaveLength(100);
    expect(picks.filter(({ own, reference }) => own !== reference)).toEqual([]);
    expect(await context.page.evaluate(() => window.modelPage.countDrawCalls('own'))).toBeLessThanOrEqual(10);
  });

  it('[TOUR-08] returns the surface under a pixel to the millimetre', async () => {
    await context.page.evaluate(() => window.modelPage.open(undefined));
    const result = await context.page.evaluate(async () => {
      const { engine } = window.modelPage;
      // The eye looks north at V-11, which is at the origin and has a radius of 0.8 m.
      engine.setView({ position: [0, -6, 2], pan: 0, tilt: 0, fov: 60 });
      await window.modelPage.nextFrame();
      const pick = engine.pick(480, 270)!;
      const patch = engine.findSurfacePoints(pick, 0.3);
      return {
        pick,
        radii: Array.from({ length: patch.length / 3 }, (_, index) =>
          Math.hypot(patch[index * 3]!, patch[index * 3 + 1]!),
        ),
        pixel: engine.toPixel(pick.point),
        pixelBehind: engine.toPixel([0, -20, 2]),
        sees: engine.sees(pick.point),
        hidden: engine.sees([0, 0.9, 2]),
        vessel: window.modelPage.findObjectId('V-11'),
      };
    });
    expect(result.pick.point.map((value) => Math.round(value * 1000) / 1000)).toEqual(
      [0, -0.8, 2].map((value) => expect.closeTo(value, 2) as number),
    );
    expect(result.pick.normal?.[1]).toBeLessThan(-0.99);
    expect(result.pick.object).toBe(result.vessel);
    expect(result.pick).toMatchObject({ source: 'MODEL', edge: false });
    expect(result.pixel).toEqual({ x: expect.closeTo(480, 3) as number, y: expect.closeTo(270, 3) as number });
    expect(result.pixelBehind).toBeUndefined();
    expect([result.sees, result.hidden]).toEqual([true, false]);
    expect(result.radii.length).toBeGreaterThan(200);
    // The mesh has 48 facets, whose middles are 1.7 mm inside the circle.
    expect(Math.max(...result.radii) - 0.8).toBeLessThan(0.0005);
    expect(Math.min(...result.radii)).toBeGreaterThan(0.798);
  });

  it('[TOUR-13] neither draws nor picks hidden or clipped objects', async () => {
    await context.page.evaluate(() => window.modelPage.open(undefined));
    const hits = await context.page.evaluate(async () => {
      const { engine, setAppearance, findObjectId, nextFrame } = window.modelPage;
      engine.setView({ position: [0, -6, 2], pan: 0, tilt: 0, fov: 60 });
      const first = findObjectId('V-11');
      const pickedIds: (number | undefined)[] = [engine.pick(480, 270)?.object];
      setAppearance({ hidden: new Set([first]) });
      await nextFrame();
      pickedIds.push(engine.pick(480, 270)?.object);
      setAppearance({ section: { axis: 'y', offset: 6, flipped: true } });
      await nextFrame();
      pickedIds.push(engine.pick(480, 270)?.object);
      return { picked: pickedIds, expected: [first, findObjectId('V-21'), findObjectId('V-31')] };
    });
    expect(hits.picked).toEqual(hits.expected);
  });

  it('[TOUR-13] draws showSample after the graphics context was lost', async () => {
    await context.page.evaluate(() => window.modelPage.open(undefined));
    const measurePicture = async (): Promise<number> =>
      context.page.evaluate(async () => (await window.modelPage.engine.takePicture()).size);
    await context.page.evaluate(() =>
      window.modelPage.engine.setView({ position: [-6, -9, 6], pan: 42, tilt: -14, fov: 60 }),
    );
    const previousSize = await measurePicture();
    await context.page.evaluate(() => window.modelPage.loseContext());
    expect(Math.abs((await measurePicture()) - previousSize)).toBeLessThan(previousSize * 0.02);
  });

  it('[TOUR-13] frees all GPU objects of selections and replaced models', async () => {
    await context.page.evaluate(() => window.modelPage.open(undefined));
    const runRound = async (): Promise<number> => {
      await context.page.evaluate(async () => {
        const { setAppearance, nextFrame, findObjectId, showSample } = window.modelPage;
        for (const tag of ['V-11', 'V-23', 'P-12']) {
          setAppearance({ selected: [findObjectId(tag)], xray: true });
          await nextFrame();
          await nextFrame();
          setAppearance({});
          await nextFrame();
          await nextFrame();
        }
        showSample();
        await nextFrame();
        await nextFrame();
      });
      return context.countLiveObjects();
    };
    const first = await runRound();
    expect(first).toBeGreaterThan(0);
    for (let repeat = 0; repeat < 5; repeat++) await runRound();
    expect(await runRound()).toBe(first);
  });
});
