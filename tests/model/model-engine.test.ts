import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { convertModel } from '../../plugins/model-3d/server/jobs/convert-model.ts';
import { formatBrowserTitle, noBrowser } from '../browser/browser.ts';
import { manyObjects } from './many-objects.ts';
import { setupModelPage } from './model-ground.ts';

const context = setupModelPage(async (folder) => {
  const [raw, small] = [path.join(folder, 'raw.glb'), path.join(folder, 'small.glb')];
  writeFileSync(raw, await manyObjects(1500));
  await convertModel(raw, small);
  return { '/small.glb': readFileSync(small) };
});

describe.skipIf(noBrowser)(formatBrowserTitle('model engine'), () => {
  it('[TOUR-13] draws 1,500 objects by few draw calls and picks the same objects as the plain scene at 100 pixels', async () => {
    await context.page.evaluate(() => window.modelPage.open('/small.glb'));
    await context.page.evaluate(() => window.modelPage.openNaive('/small.glb'));
    const answers = await context.page.evaluate(() =>
      [0, 0.27, 0.5, 0.81].flatMap((share) => window.modelPage.picks(share, 25)),
    );
    expect(answers).toHaveLength(100);
    expect(answers.filter(({ own, naive }) => own !== naive)).toEqual([]);
    expect(await context.page.evaluate(() => window.modelPage.draws('own'))).toBeLessThanOrEqual(10);
  });

  it('[TOUR-08] returns the point under a pixel to the millimetre, its normal, and the surrounding wall', async () => {
    await context.page.evaluate(() => window.modelPage.open(undefined));
    const found = await context.page.evaluate(async () => {
      const { engine } = window.modelPage;
      // V-11 is at the origin with a wall radius of 0.8 m; the eye looks north at it.
      engine.setState({ position: [0, -6, 2], pan: 0, tilt: 0, fov: 60 });
      await window.modelPage.nextFrame();
      const pick = engine.pick(480, 270)!;
      const patch = engine.patch(pick, 0.3);
      return {
        pick,
        radii: Array.from({ length: patch.length / 3 }, (_, at) => Math.hypot(patch[at * 3]!, patch[at * 3 + 1]!)),
        back: engine.toPixel(pick.point),
        behind: engine.toPixel([0, -20, 2]),
        sees: engine.sees(pick.point),
        hidden: engine.sees([0, 0.9, 2]),
        tag: window.modelPage.findObjectId('V-11'),
      };
    });
    expect(found.pick.point.map((value) => Math.round(value * 1000) / 1000)).toEqual(
      [0, -0.8, 2].map((value) => expect.closeTo(value, 2) as number),
    );
    expect(found.pick.normal?.[1]).toBeLessThan(-0.99);
    expect(found.pick.object).toBe(found.tag);
    expect(found.pick).toMatchObject({ source: 'MODEL', edge: false });
    expect(found.back).toEqual({ x: expect.closeTo(480, 3) as number, y: expect.closeTo(270, 3) as number });
    expect(found.behind).toBeUndefined();
    expect([found.sees, found.hidden]).toEqual([true, false]);
    expect(found.radii.length).toBeGreaterThan(200);
    // With 48 sides, the middles of the facets are 1.7 mm inside the circle.
    expect(Math.max(...found.radii) - 0.8).toBeLessThan(0.0005);
    expect(Math.min(...found.radii)).toBeGreaterThan(0.798);
  });

  it('[TOUR-13] neither draws nor picks hidden or clipped objects', async () => {
    await context.page.evaluate(() => window.modelPage.open(undefined));
    const hits = await context.page.evaluate(async () => {
      const { engine, looks, findObjectId, nextFrame } = window.modelPage;
      engine.setState({ position: [0, -6, 2], pan: 0, tilt: 0, fov: 60 });
      const first = findObjectId('V-11');
      const names: (number | undefined)[] = [engine.pick(480, 270)?.object];
      looks({ hidden: new Set([first]) });
      await nextFrame();
      names.push(engine.pick(480, 270)?.object);
      looks({ section: { axis: 'y', offset: 6, flipped: true } });
      await nextFrame();
      names.push(engine.pick(480, 270)?.object);
      return { names, expected: [first, findObjectId('V-21'), findObjectId('V-31')] };
    });
    expect(hits.names).toEqual(hits.expected);
  });

  it('[TOUR-13] draws again after the graphics context was lost', async () => {
    await context.page.evaluate(() => window.modelPage.open(undefined));
    const highlighted = async (): Promise<number> =>
      context.page.evaluate(async () => (await window.modelPage.engine.picture()).size);
    await context.page.evaluate(() =>
      window.modelPage.engine.setState({ position: [-6, -9, 6], pan: 42, tilt: -14, fov: 60 }),
    );
    const before = await highlighted();
    await context.page.evaluate(() => window.modelPage.loseContext());
    expect(Math.abs((await highlighted()) - before)).toBeLessThan(before * 0.02);
  });

  it('[TOUR-13] frees all GPU objects of selections, x-ray and other models', async () => {
    await context.page.evaluate(() => window.modelPage.open(undefined));
    const round = async (): Promise<number> => {
      await context.page.evaluate(async () => {
        const { looks, nextFrame, findObjectId, again } = window.modelPage;
        for (const tag of ['V-11', 'V-23', 'P-12']) {
          looks({ selected: [findObjectId(tag)], xray: true });
          await nextFrame();
          await nextFrame();
          looks({});
          await nextFrame();
          await nextFrame();
        }
        again();
        await nextFrame();
        await nextFrame();
      });
      return context.countLiveObjects();
    };
    const first = await round();
    expect(first).toBeGreaterThan(0);
    for (let repeat = 0; repeat < 5; repeat++) await round();
    expect(await round()).toBe(first);
  });
});
