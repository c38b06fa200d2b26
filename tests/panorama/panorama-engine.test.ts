import type { Browser, Page } from 'playwright';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { normalizePan, shortestTurn } from '#core';
import type { PanoramaTransition, PanoramaView } from '#plugins/tour';
import { formatBrowserTitle, launchBrowserForPictures, noBrowser } from '../browser/browser.ts';
import type { EnginePage } from './engine-page.ts';
import { blueOfLevel, buildPicture, PictureServer, previewBlue } from './picture-server.ts';

declare global {
  interface Window {
    readonly page: EnginePage;
  }
}

const size = { width: 1280, height: 720 };
const pictures = new PictureServer();
let browser: Browser;
let page: Page;
const problems: string[] = [];

beforeAll(async () => {
  await pictures.start();
  browser = await launchBrowserForPictures();
});
afterAll(async () => {
  await browser.close();
  await pictures.stop();
});
beforeEach(async () => {
  page = await browser.newPage({ viewport: size });
  page.on('pageerror', (error) => problems.push(error.message));
  await page.goto(pictures.address);
});
afterEach(async () => {
  await page.close();
  pictures.reset();
  expect(problems.splice(0)).toEqual([]);
});

interface Shown {
  readonly id: string;
  readonly heading?: number;
  readonly x?: number;
  readonly mesh?: boolean;
  readonly transition?: PanoramaTransition;
  readonly view?: Partial<PanoramaView>;
}

/** Shows a panorama and resolves when it is visible. */
function show({ id, heading = 0, x = 0, mesh = false, ...options }: Shown): Promise<boolean> {
  return page.evaluate(
    ([tiles, heading, x, options]) => window.page.engine.show({ tiles, heading, position: [x, 0, 1.7] }, options),
    [buildPicture(id, mesh), heading, x, options] as const,
  );
}

const waitForEvent = (event: string): Promise<unknown> =>
  page.waitForFunction((name) => window.page.events.includes(name), event);
const view = (): Promise<PanoramaView> => page.evaluate(() => window.page.engine.view);
const drawCalls = (): Promise<number> => page.evaluate(() => window.page.engine.statistics.drawCalls);
const nextFrames = (count: number): Promise<void> =>
  page.evaluate(
    (frames) =>
      new Promise<void>((resolve) => {
        const step = (left: number): void =>
          void (left === 0 ? resolve() : requestAnimationFrame(() => step(left - 1)));
        step(frames);
      }),
    count,
  );

/** The direction encoded in a pixel, and its source. */
async function pixel(
  x: number,
  y: number,
  heading = 0,
): Promise<{ readonly pan: number; readonly tilt: number; readonly blue: number }> {
  const { data } = await sharp(await page.screenshot({ clip: { x, y, width: 1, height: 1 } }))
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return {
    pan: normalizePan(heading - 180 + (data[0]! / 255) * 360),
    tilt: 90 - (data[1]! / 255) * 180,
    blue: data[2]!,
  };
}

const eventually = <T>(read: () => T): ReturnType<typeof expect.poll<T>> => expect.poll(read, { interval: 20 });

/** The image's colours have steps of 1.4 degrees. */
const step = 2;

describe.skipIf(noBrowser)(formatBrowserTitle('panorama engine'), () => {
  it('shows the preview at once and then the tiles in view, the centre first', async () => {
    pictures.hold = /\/\d+\/\d+_\d+\.jpg$/;
    expect(await show({ id: 'a', view: { pan: 0, tilt: 0, fov: 58.7 } })).toBe(true);
    expect((await pixel(640, 360)).blue).toBe(previewBlue);
    expect(await page.evaluate(() => window.page.events)).toEqual(['shown:a']);
    await eventually(() => pictures.requested.filter((path) => !path.includes('preview')).length).toBe(6);
    expect(
      pictures.requested
        .filter((path) => !path.includes('preview'))
        .slice(0, 2)
        .map((path) => path.split('/').at(-1)),
    ).toEqual(expect.arrayContaining([expect.stringMatching(/^[34]_[12]/)]));
    pictures.release();
    await waitForEvent('sharp:a');
    expect((await pixel(640, 360)).blue).toBeGreaterThan(previewBlue);
    for (const [x, y] of [
      [40, 40],
      [1240, 40],
      [640, 360],
      [40, 680],
      [1240, 680],
    ] as const)
      expect((await pixel(x, y)).blue).toBeGreaterThanOrEqual(blueOfLevel(1) - 2);
  });

  it('draws each direction where the camera expects it, for any heading', async () => {
    for (const look of [
      { pan: 77, tilt: 12, fov: 60 },
      { pan: 301, tilt: -48, fov: 90 },
      { pan: 180, tilt: 80, fov: 75 },
    ]) {
      await show({ id: `at-${look.pan}`, heading: 137, view: look });
      await page.evaluate((next) => window.page.engine.setView(next), look);
      await waitForEvent(`sharp:at-${look.pan}`);
      for (const [x, y] of [
        [640, 360],
        [100, 100],
        [1200, 600],
        [900, 200],
      ] as const) {
        const expected = await page.evaluate(([across, down]) => window.page.engine.directionAt(across, down), [
          x + 0.5,
          y + 0.5,
        ] as const);
        const seen = await pixel(x, y, 137);
        expect(Math.abs(seen.tilt - expected.tilt)).toBeLessThan(step);
        if (Math.abs(expected.tilt) < 75) expect(Math.abs(shortestTurn(seen.pan, expected.pan))).toBeLessThan(step);
      }
    }
  });

  it('corrects brightness and contrast of previews and tiles, and restores the original image', async () => {
    const at = async (x: number, y: number): Promise<readonly number[]> => [
      ...(await sharp(await page.screenshot({ clip: { x, y, width: 1, height: 1 } }))
        .removeAlpha()
        .raw()
        .toBuffer()),
    ];
    const correct = (brightness: number, contrast: number) =>
      page.evaluate(([b, c]) => window.page.engine.correct({ brightness: b, contrast: c }), [
        brightness,
        contrast,
      ] as const);
    const expected = (tone: number, brightness: number, contrast: number): number =>
      255 * Math.min(1, Math.max(0, ((tone / 255) ** (2 ** -brightness) - 0.5) * 2 ** contrast + 0.5));
    pictures.hold = /\/\d+\/\d+_\d+\.jpg$/;
    await show({ id: 'a', view: { pan: 0, tilt: 0, fov: 58.7 } });
    for (const tiles of [false, true]) {
      if (tiles) {
        pictures.release();
        await waitForEvent('sharp:a');
      }
      await correct(0, 0);
      await nextFrames(3);
      const taken = await at(500, 300);
      for (const [brightness, contrast] of [
        [0.5, 0],
        [-0.5, 0.5],
        [0, -1],
      ] as const) {
        await correct(brightness, contrast);
        await nextFrames(3);
        (await at(500, 300)).forEach((tone, channel) =>
          expect(Math.abs(tone - expected(taken[channel]!, brightness, contrast))).toBeLessThan(4),
        );
      }
      await correct(0, 0);
      await nextFrames(3);
      expect(await at(500, 300)).toEqual(taken);
    }
  });

  it('draws a frame in at most 40 draw calls in any direction', async () => {
    await show({ id: 'a' });
    for (const next of [
      { pan: 0, tilt: 0, fov: 58.7 },
      { pan: 90, tilt: -89, fov: 100 },
      { pan: 200, tilt: 45, fov: 20 },
    ]) {
      await page.evaluate((to) => window.page.engine.setView(to), next);
      for (let frames = 0; frames < 5; frames++) {
        await nextFrames(2);
        expect(await drawCalls()).toBeLessThanOrEqual(40);
      }
    }
  });

  it('draws nothing while nothing changes', async () => {
    await show({ id: 'a' });
    await waitForEvent('sharp:a');
    await nextFrames(3);
    const before = await page.evaluate(() => window.page.engine.statistics.frames);
    await nextFrames(20);
    expect(await page.evaluate(() => window.page.engine.statistics.frames)).toBe(before);
  });

  it('cancels fetches of tiles that left the view, and all fetches on leaving', async () => {
    pictures.hold = /\/\d+\/\d+_\d+\.jpg$/;
    await show({ id: 'a', view: { pan: 0, tilt: 0, fov: 40 } });
    await eventually(() => pictures.requested.length).toBeGreaterThanOrEqual(5);
    const before = pictures.requested.filter((path) => !path.includes('preview'));
    await page.evaluate(() => window.page.engine.setView({ pan: 180 }));
    await eventually(() => before.every((path) => pictures.abandoned.includes(path))).toBe(true);
    await eventually(() => pictures.requested.length).toBeGreaterThan(before.length + 1);
    await page.evaluate(() => window.page.detach());
    const tiles = (): string[] => pictures.requested.filter((path) => !path.includes('preview'));
    await eventually(() => tiles().every((path) => pictures.abandoned.includes(path))).toBe(true);
  });

  it('draws everything again after the graphics context was lost', async () => {
    await show({ id: 'a', view: { pan: 30, tilt: 0, fov: 60 } });
    await waitForEvent('sharp:a');
    const before = await page.screenshot();
    await page.evaluate(() => {
      window.page.events.length = 0;
      const gl = document.querySelector('canvas')!.getContext('webgl2')!;
      const loss = gl.getExtension('WEBGL_lose_context')!;
      loss.loseContext();
      window.page.engine.on('contextLost', () => setTimeout(() => loss.restoreContext(), 0));
    });
    await waitForEvent('sharp:a');
    expect(await page.evaluate(() => window.page.events)).toEqual([
      'contextLost',
      'contextRestored',
      'shown:a',
      'sharp:a',
    ]);
    expect(
      (await sharp(before).raw().toBuffer()).equals(
        await sharp(await page.screenshot())
          .raw()
          .toBuffer(),
      ),
    ).toBe(true);
  });

  it('[TOUR-05] keeps the direction on walking, fading or jumping to another node', async () => {
    const look = { pan: 123.4, tilt: -7.25, fov: 62 };
    await show({ id: 'a', mesh: true, view: look });
    let heading = 40;
    for (const transition of ['walk', 'fade', 'none'] as const) {
      heading += 50;
      expect(await show({ id: transition, mesh: true, heading, x: 3, transition })).toBe(true);
      const after = await view();
      expect(Math.abs(shortestTurn(after.pan, look.pan))).toBeLessThan(0.1);
      expect(Math.abs(after.tilt - look.tilt)).toBeLessThan(0.1);
      await waitForEvent(`sharp:${transition}`);
      const seen = await pixel(640, 360, heading);
      expect(Math.abs(shortestTurn(seen.pan, look.pan))).toBeLessThan(step);
      expect(Math.abs(seen.tilt - look.tilt)).toBeLessThan(step);
    }
  });

  it('moves through the room on a walk: near objects grow, and it starts and ends at the nodes', async () => {
    // The walls are four metres away. Looking and walking east, the right edge of the view (45.6 degrees) moves along
    // the wall: after a fifth of the time, 10.4 % of two metres, by the law of sines asin(0.208 sin 45.6 / 4) = 2.1
    // degrees.
    const shares = [0, 0.2, 0.25, 1];
    const reds = await page.evaluate(([from, to, at]) => window.page.walkReds(from, to, 2, at, 1279, 360), [
      buildPicture('a', true),
      buildPicture('b', true),
      shares,
    ] as const);
    const degrees = reds.map((red) => (red / 255) * 360 - 180);
    expect(degrees[0]).toBeGreaterThan(135.6 - step);
    expect(degrees[0]).toBeLessThan(135.6 + step);
    expect(degrees[1]).toBeLessThan(degrees[0]! - 1);
    expect(degrees[2]).toBeLessThan(degrees[1]!);
    expect(Math.abs(degrees[3]! - degrees[0]!)).toBeLessThan(step);
  });

  it('fades quickly if reduced motion is preferred', async () => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await show({ id: 'a', mesh: true });
    const frames = await page.evaluate(() => window.page.engine.statistics.frames);
    expect(await show({ id: 'b', mesh: true, x: 9, transition: 'walk' })).toBe(true);
    expect((await page.evaluate(() => window.page.engine.statistics.frames)) - frames).toBeLessThan(20);
    expect(pictures.requested.filter((path) => path.includes('mesh'))).toHaveLength(0);
  });

  it('reports an unreadable preview, and shows it on retry', async () => {
    pictures.fail = /preview/;
    expect(await show({ id: 'a' })).toBe(false);
    expect(await page.evaluate(() => window.page.events)).toContain('failed:a');
    pictures.fail = undefined;
    expect(await show({ id: 'a' })).toBe(true);
  });

  it('prefetches previews and first tiles of linked panoramas only once all visible tiles are loaded', async () => {
    pictures.hold = /\/a\/\d\/[34]_1/;
    await show({ id: 'a' });
    await eventually(() => pictures.requested.filter((path) => /\/a\/\d\/[34]_1/.test(path)).length).toBe(2);
    await page.evaluate(
      (tiles) => window.page.engine.preload([{ tiles, heading: 0, position: [1, 0, 1.7] }]),
      buildPicture('b'),
    );
    await nextFrames(5);
    expect(pictures.requested.filter((path) => path.includes('/b/'))).toEqual([]);
    pictures.release();
    await eventually(() => pictures.requested.filter((path) => path.includes('/b/preview')).length).toBe(1);
    await eventually(() => pictures.requested.filter((path) => /\/b\/\d/.test(path)).length).toBe(4);
  });

  it('turns, zooms and resets the view by keys', async () => {
    await show({ id: 'a', heading: 200, view: { pan: 10, tilt: 0, fov: 75 } });
    await page.getByRole('application', { name: 'Panorama' }).focus();
    await page.keyboard.down('ArrowRight');
    await eventually(async () => (await view()).pan).toBeGreaterThan(12);
    await page.keyboard.up('ArrowRight');
    const { pan } = await view();
    await nextFrames(5);
    expect((await view()).pan).toBe(pan);
    await page.keyboard.down('+');
    await eventually(async () => (await view()).fov).toBeLessThan(70);
    await page.keyboard.up('+');
    await page.keyboard.press('Home');
    await eventually(view).toEqual({ pan: 200, tilt: 0, fov: 75 });
  });

  it('follows the pointer, and zooms about the cursor', async () => {
    await show({ id: 'a', view: { pan: 100, tilt: 0, fov: 60 } });
    await page.mouse.move(640, 360);
    await page.mouse.down();
    await page.mouse.move(500, 360, { steps: 8 });
    const dragged = await view();
    expect(dragged.pan).toBeGreaterThan(105);
    await page.mouse.up();
    await page.evaluate(() => window.page.engine.setView({}));
    const before = await page.evaluate(() => window.page.engine.directionAt(1000, 200));
    await page.mouse.move(1000, 200);
    await page.mouse.wheel(0, -400);
    await eventually(async () => (await view()).fov).toBeLessThan(50);
    const after = await page.evaluate(() => window.page.engine.directionAt(1000, 200));
    expect(Math.abs(shortestTurn(before.pan, after.pan))).toBeLessThan(0.1);
    expect(Math.abs(before.tilt - after.tilt)).toBeLessThan(0.1);
  });

  it('[RTE-09] draws the built-in sample sharply without a server', async () => {
    await page.evaluate(() =>
      window.page.engine.show(window.page.samplePicture(), { view: { pan: 0, tilt: 0, fov: 60 } }),
    );
    await waitForEvent('sharp:vr.sample');
    expect(pictures.requested).toEqual([]);
    const { data, info } = await sharp(await page.screenshot())
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    const at = (x: number, y: number): readonly number[] => [
      ...data.subarray((y * info.width + x) * 3, (y * info.width + x) * 3 + 3),
    ];
    const [sky, ground] = [at(700, 150), at(700, 600)];
    expect(sky[2]).toBeGreaterThan(sky[0]! + 20);
    expect(Math.max(...ground)).toBeLessThan(110);
  });

  it('keeps its only graphics context when it moves to another part of the page', async () => {
    await show({ id: 'a' });
    await waitForEvent('sharp:a');
    pictures.requested.length = 0;
    const same = await page.evaluate(
      async ({ tiles }) => {
        const { engine, detach, host } = window.page;
        const canvas = host.querySelector('canvas');
        detach();
        const other = document.createElement('div');
        other.style.cssText = 'position:relative;width:900px;height:500px';
        document.body.append(other);
        engine.attach(other, { label: 'Elsewhere' });
        await engine.show({ tiles, heading: 0, position: [0, 0, 1.7] });
        return other.querySelector('canvas') === canvas;
      },
      { tiles: buildPicture('a') },
    );
    expect(same).toBe(true);
    expect(pictures.requested.filter((path) => path.includes('preview'))).toEqual([]);
  });

  it('keeps elements of others above image and pins when it moves to another part of the page', async () => {
    const order = await page.evaluate(() => {
      const { engine, detach, host } = window.page;
      const over = document.createElement('svg');
      engine.surface('test').host.append(over);
      detach();
      engine.attach(host, { label: 'Again' });
      return [...(over.parentElement?.children ?? [])].map((child) => child.tagName.toLowerCase());
    });
    expect(order.at(0)).toBe('canvas');
    expect(order.at(-1)).toBe('svg');
    expect(order).toHaveLength(4);
  });
});

describe.skipIf(noBrowser)(formatBrowserTitle('pins'), () => {
  async function pin(...pans: readonly number[]): Promise<void> {
    await page.evaluate(
      (all) => {
        const activated: string[] = [];
        Object.assign(window, { activated });
        window.page.engine.setPins(
          all.map((pan) => ({
            id: `p${pan}`,
            pan,
            tilt: 0,
            label: `Pin ${pan}`,
            className: 'pin',
            render: (button) => void (button.textContent = String(pan)),
            onActivate: () => activated.push(`p${pan}`),
          })),
        );
      },
      [...pans],
    );
    await nextFrames(2);
  }

  it('are at their directions and hidden outside of the view', async () => {
    await show({ id: 'a', view: { pan: 0, tilt: 0, fov: 60 } });
    await pin(0, 20, 180);
    const box = (await page.getByRole('button', { name: 'Pin 20' }).boundingBox())!;
    const expected = (await page.evaluate(() => window.page.engine.toPixel(20, 0)))!;
    expect(box.x + box.width / 2).toBeCloseTo(expected.x, 0);
    expect(box.y + box.height / 2).toBeCloseTo(expected.y, 0);
    expect(await page.getByRole('button', { name: 'Pin 180' }).count()).toBe(0);
  });

  it('are focused by Tab from left to right, also across north, and activated by Enter', async () => {
    await show({ id: 'a', view: { pan: 0, tilt: 0, fov: 60 } });
    await pin(20, 350, 170, 10, 340, 190);
    await page.getByRole('application').focus();
    const order: string[] = [];
    for (let count = 0; count < 4; count++) {
      await page.keyboard.press('Tab');
      order.push(await page.evaluate(() => document.activeElement?.textContent ?? ''));
    }
    expect(order).toEqual(['340', '350', '10', '20']);
    await page.keyboard.press('Enter');
    expect(await page.evaluate(() => (window as unknown as { activated: string[] }).activated)).toEqual(['p20']);
  });

  it('hide pins that would overlap them, the first one wins, and show them again on zoom', async () => {
    await show({ id: 'a', view: { pan: 0, tilt: 0, fov: 90 } });
    await pin(2, 1, 30);
    expect((await page.getByRole('button').allTextContents()).sort()).toEqual(['2', '30']);
    await page.evaluate(() => window.page.engine.setView({ fov: 15 }));
    await nextFrames(2);
    expect((await page.getByRole('button').allTextContents()).sort()).toEqual(['1', '2']);
  });

  it('keep focus while the view turns all around', async () => {
    await show({ id: 'a', view: { pan: 0, tilt: 0, fov: 60 } });
    await pin(...Array.from({ length: 36 }, (_, index) => index * 10));
    await page.getByRole('button', { name: 'Pin 20' }).focus();
    for (const pan of [15, 30, 40]) {
      await page.evaluate((to) => window.page.engine.setView({ pan: to }), pan);
      await nextFrames(2);
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('20');
    }
    const names = await page.getByRole('button').allTextContents();
    expect(names.map(Number)).toEqual(names.map(Number).sort((a, b) => shortestTurn(40, a) - shortestTurn(40, b)));
  });
});
