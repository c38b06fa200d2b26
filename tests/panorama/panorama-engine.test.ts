import type { Browser, Page } from 'playwright';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { normalizePan, computeShortestTurn } from '#core';
import type { PanoramaTransition, PanoramaView } from '#plugins/tour';
import { formatBrowserTestTitle, launchBrowserForPictures, noBrowser } from '../browser/browser.ts';
import type { EnginePage } from './engine-page.ts';
import { getLevelBlue, buildPicture, PictureServer, previewBlue } from './picture-server.ts';

declare global {
  interface Window {
    readonly page: EnginePage;
  }
}

const size = { width: 1280, height: 720 };
const pictures = new PictureServer();
let browser: Browser;
let page: Page;
const pageErrors: string[] = [];

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
  page.on('pageerror', (error) => pageErrors.push(error.message));
  await page.goto(pictures.url);
});
afterEach(async () => {
  await page.close();
  pictures.reset();
  expect(pageErrors.splice(0)).toEqual([]);
});

interface ShowInput {
  readonly id: string;
  readonly heading?: number;
  readonly x?: number;
  readonly mesh?: boolean;
  readonly transition?: PanoramaTransition;
  readonly view?: Partial<PanoramaView>;
}

/** Shows a panorama and resolves when it is visible. */
function show({ id, heading = 0, x = 0, mesh = false, ...options }: ShowInput): Promise<boolean> {
  return page.evaluate(
    ([tiles, panoramaHeading, eyeX, showOptions]) =>
      window.page.engine.show({ tiles, heading: panoramaHeading, position: [eyeX, 0, 1.7] }, showOptions),
    [buildPicture(id, mesh), heading, x, options] as const,
  );
}

const waitForEvent = (event: string): Promise<unknown> =>
  page.waitForFunction((name) => window.page.events.includes(name), event);
const getView = (): Promise<PanoramaView> => page.evaluate(() => window.page.engine.view);
const countDrawCalls = (): Promise<number> => page.evaluate(() => window.page.engine.statistics.drawCalls);
const nextFrames = (count: number): Promise<void> =>
  page.evaluate(
    (frames) =>
      new Promise<void>((resolve) => {
        const waitForFrames = (remainingFrames: number): void =>
          void (remainingFrames === 0 ? resolve() : requestAnimationFrame(() => waitForFrames(remainingFrames - 1)));
        waitForFrames(frames);
      }),
    count,
  );

/** Reads the direction that a pixel encodes, and the blue value that identifies its source. */
async function readPixel(
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

const poll = <T>(read: () => T): ReturnType<typeof expect.poll<T>> => expect.poll(read, { interval: 20 });

/** The colours of the image have steps of 1.4 degrees. */
const toleranceDegrees = 2;

describe.skipIf(noBrowser)(formatBrowserTestTitle('WebGlPanoramaEngine'), () => {
  it('shows the preview and then the tiles in view, beginning with the centre', async () => {
    pictures.delayedPaths = /\/\d+\/\d+_\d+\.jpg$/;
    expect(await show({ id: 'a', view: { pan: 0, tilt: 0, fov: 58.7 } })).toBe(true);
    expect((await readPixel(640, 360)).blue).toBe(previewBlue);
    expect(await page.evaluate(() => window.page.events)).toEqual(['shown:a']);
    await poll(() => pictures.requestedPaths.filter((path) => !path.includes('preview')).length).toBe(6);
    expect(
      pictures.requestedPaths
        .filter((path) => !path.includes('preview'))
        .slice(0, 2)
        .map((path) => path.split('/').at(-1)),
    ).toEqual(expect.arrayContaining([expect.stringMatching(/^[34]_[12]/)]));
    pictures.release();
    await waitForEvent('sharp:a');
    expect((await readPixel(640, 360)).blue).toBeGreaterThan(previewBlue);
    for (const [x, y] of [
      [40, 40],
      [1240, 40],
      [640, 360],
      [40, 680],
      [1240, 680],
    ] as const)
      expect((await readPixel(x, y)).blue).toBeGreaterThanOrEqual(getLevelBlue(1) - 2);
  });

  it('draws each direction at the pixel that the camera computes', async () => {
    for (const cameraView of [
      { pan: 77, tilt: 12, fov: 60 },
      { pan: 301, tilt: -48, fov: 90 },
      { pan: 180, tilt: 80, fov: 75 },
    ]) {
      await show({ id: `at-${cameraView.pan}`, heading: 137, view: cameraView });
      await page.evaluate((next) => window.page.engine.setView(next), cameraView);
      await waitForEvent(`sharp:at-${cameraView.pan}`);
      for (const [x, y] of [
        [640, 360],
        [100, 100],
        [1200, 600],
        [900, 200],
      ] as const) {
        const expected = await page.evaluate(([pixelX, pixelY]) => window.page.engine.directionAt(pixelX, pixelY), [
          x + 0.5,
          y + 0.5,
        ] as const);
        const drawnPixel = await readPixel(x, y, 137);
        expect(Math.abs(drawnPixel.tilt - expected.tilt)).toBeLessThan(toleranceDegrees);
        if (Math.abs(expected.tilt) < 75)
          expect(Math.abs(computeShortestTurn(drawnPixel.pan, expected.pan))).toBeLessThan(toleranceDegrees);
      }
    }
  });

  it('corrects brightness and contrast of previews and tiles', async () => {
    const readColour = async (x: number, y: number): Promise<readonly number[]> => [
      ...(await sharp(await page.screenshot({ clip: { x, y, width: 1, height: 1 } }))
        .removeAlpha()
        .raw()
        .toBuffer()),
    ];
    const correct = (brightness: number, contrast: number) =>
      page.evaluate(
        ([newBrightness, newContrast]) =>
          window.page.engine.correct({ brightness: newBrightness, contrast: newContrast }),
        [brightness, contrast] as const,
      );
    const computeTone = (tone: number, brightness: number, contrast: number): number =>
      255 * Math.min(1, Math.max(0, ((tone / 255) ** (2 ** -brightness) - 0.5) * 2 ** contrast + 0.5));
    pictures.delayedPaths = /\/\d+\/\d+_\d+\.jpg$/;
    await show({ id: 'a', view: { pan: 0, tilt: 0, fov: 58.7 } });
    for (const showsTiles of [false, true]) {
      if (showsTiles) {
        pictures.release();
        await waitForEvent('sharp:a');
      }
      await correct(0, 0);
      await nextFrames(3);
      const original = await readColour(500, 300);
      for (const [brightness, contrast] of [
        [0.5, 0],
        [-0.5, 0.5],
        [0, -1],
      ] as const) {
        await correct(brightness, contrast);
        await nextFrames(3);
        (await readColour(500, 300)).forEach((tone, channel) =>
          expect(Math.abs(tone - computeTone(original[channel]!, brightness, contrast))).toBeLessThan(4),
        );
      }
      await correct(0, 0);
      await nextFrames(3);
      expect(await readColour(500, 300)).toEqual(original);
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
        expect(await countDrawCalls()).toBeLessThanOrEqual(40);
      }
    }
  });

  it('draws nothing while nothing changes', async () => {
    await show({ id: 'a' });
    await waitForEvent('sharp:a');
    await nextFrames(3);
    const previousFrames = await page.evaluate(() => window.page.engine.statistics.frames);
    await nextFrames(20);
    expect(await page.evaluate(() => window.page.engine.statistics.frames)).toBe(previousFrames);
  });

  it('cancels requests of tiles that leave the view', async () => {
    pictures.delayedPaths = /\/\d+\/\d+_\d+\.jpg$/;
    await show({ id: 'a', view: { pan: 0, tilt: 0, fov: 40 } });
    await poll(() => pictures.requestedPaths.length).toBeGreaterThanOrEqual(5);
    const firstTiles = pictures.requestedPaths.filter((path) => !path.includes('preview'));
    await page.evaluate(() => window.page.engine.setView({ pan: 180 }));
    await poll(() => firstTiles.every((path) => pictures.cancelledPaths.includes(path))).toBe(true);
    await poll(() => pictures.requestedPaths.length).toBeGreaterThan(firstTiles.length + 1);
    await page.evaluate(() => window.page.detach());
    const listTileRequests = (): string[] => pictures.requestedPaths.filter((path) => !path.includes('preview'));
    await poll(() => listTileRequests().every((path) => pictures.cancelledPaths.includes(path))).toBe(true);
  });

  it('draws the same image after the graphics context was lost', async () => {
    await show({ id: 'a', view: { pan: 30, tilt: 0, fov: 60 } });
    await waitForEvent('sharp:a');
    const previousImage = await page.screenshot();
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
      (await sharp(previousImage).raw().toBuffer()).equals(
        await sharp(await page.screenshot())
          .raw()
          .toBuffer(),
      ),
    ).toBe(true);
  });

  it('[TOUR-05] keeps the direction when it walks, fades or jumps to another node', async () => {
    const initialView = { pan: 123.4, tilt: -7.25, fov: 62 };
    await show({ id: 'a', mesh: true, view: initialView });
    let heading = 40;
    for (const transition of ['walk', 'fade', 'none'] as const) {
      heading += 50;
      expect(await show({ id: transition, mesh: true, heading, x: 3, transition })).toBe(true);
      const after = await getView();
      expect(Math.abs(computeShortestTurn(after.pan, initialView.pan))).toBeLessThan(0.1);
      expect(Math.abs(after.tilt - initialView.tilt)).toBeLessThan(0.1);
      await waitForEvent(`sharp:${transition}`);
      const drawnPixel = await readPixel(640, 360, heading);
      expect(Math.abs(computeShortestTurn(drawnPixel.pan, initialView.pan))).toBeLessThan(toleranceDegrees);
      expect(Math.abs(drawnPixel.tilt - initialView.tilt)).toBeLessThan(toleranceDegrees);
    }
  });

  it('moves the camera from node to node during a walk', async () => {
    // The walls are four metres away, and the right edge of the view is at 45.6 degrees. After a fifth of the time, the
    // camera has moved 10.4 % of two metres. By the law of sines, the edge shows another direction, by
    // asin(0.208 sin 45.6 / 4) = 2.1 degrees.
    const fractions = [0, 0.2, 0.25, 1];
    const reds = await page.evaluate(
      ([from, to, walkFractions]) => window.page.readWalkReds(from, to, 2, walkFractions, 1279, 360),
      [buildPicture('a', true), buildPicture('b', true), fractions] as const,
    );
    const degrees = reds.map((red) => (red / 255) * 360 - 180);
    expect(degrees[0]).toBeGreaterThan(135.6 - toleranceDegrees);
    expect(degrees[0]).toBeLessThan(135.6 + toleranceDegrees);
    expect(degrees[1]).toBeLessThan(degrees[0]! - 1);
    expect(degrees[2]).toBeLessThan(degrees[1]!);
    expect(Math.abs(degrees[3]! - degrees[0]!)).toBeLessThan(toleranceDegrees);
  });

  it('[TOUR-12] moves marks with the picture during a walk, and hides them while pictures fade', async () => {
    await show({ id: 'a', mesh: true, view: { pan: 0, tilt: 0, fov: 60 } });
    const readPixels = (transition: PanoramaTransition, id: string, x: number) =>
      page.evaluate(
        ([tiles, eyeX, kind]) =>
          window.page.readTransitionPixels({ tiles, heading: 0, position: [eyeX, 0, 1.7] }, kind, [0, 4, 1.7]),
        [buildPicture(id, true), x, transition] as const,
      );
    const focalPx = 360 / Math.tan(Math.PI / 6);
    const walkPositions = await readPixels('walk', 'b', 1);
    // The eye moves from 0 to 1 m east, and the mark is 4 m north, so that it moves to the left.
    for (const [index, x] of walkPositions.entries()) {
      expect(x).toBeLessThanOrEqual(walkPositions[index - 1] ?? 640.01);
      expect(x).toBeGreaterThanOrEqual(640 - focalPx / 4 - 0.01);
    }
    expect(new Set(walkPositions).size).toBeGreaterThan(2);
    const fadePositions = await readPixels('fade', 'c', 2);
    expect(fadePositions.length).toBeGreaterThan(1);
    expect(new Set(fadePositions.slice(0, -1))).toEqual(new Set([undefined]));
  });

  it('[TOUR-05] keeps the last picture for the next module until it shows its own, and picks nothing in it', async () => {
    await show({ id: 'a', view: { pan: 30, tilt: 5, fov: 60 } });
    await waitForEvent('sharp:a');
    const previousImage = await page.screenshot();
    await page.evaluate(() => {
      window.page.detach();
      window.page.detach = window.page.engine.attach(window.page.host, { label: 'Scan' });
      window.page.events.length = 0;
      void window.page.engine
        .surface('scan.module')
        .ready()
        .then(() => window.page.events.push('ready'));
    });
    await waitForEvent('shown:a');
    await nextFrames(3);
    expect((await page.screenshot()).equals(previousImage)).toBe(true);
    expect(await page.evaluate(() => window.page.events)).not.toContain('ready');
    expect(await show({ id: 'b', transition: 'fade' })).toBe(true);
    await waitForEvent('ready');
    expect(await page.evaluate(() => window.page.events)).toContain('shown:b');
  });

  it('fades quickly if reduced motion is preferred', async () => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await show({ id: 'a', mesh: true });
    const frames = await page.evaluate(() => window.page.engine.statistics.frames);
    expect(await show({ id: 'b', mesh: true, x: 9, transition: 'walk' })).toBe(true);
    expect((await page.evaluate(() => window.page.engine.statistics.frames)) - frames).toBeLessThan(20);
    expect(pictures.requestedPaths.filter((path) => path.includes('mesh'))).toHaveLength(0);
  });

  it('reports a failed preview and shows it on retry', async () => {
    pictures.failingPaths = /preview/;
    expect(await show({ id: 'a' })).toBe(false);
    expect(await page.evaluate(() => window.page.events)).toContain('failed:a');
    pictures.failingPaths = undefined;
    expect(await show({ id: 'a' })).toBe(true);
  });

  it('preloads linked panoramas after all visible tiles are loaded', async () => {
    pictures.delayedPaths = /\/a\/\d\/[34]_1/;
    await show({ id: 'a' });
    await poll(() => pictures.requestedPaths.filter((path) => /\/a\/\d\/[34]_1/.test(path)).length).toBe(2);
    await page.evaluate(
      (tiles) => window.page.engine.preload([{ tiles, heading: 0, position: [1, 0, 1.7] }]),
      buildPicture('b'),
    );
    await nextFrames(5);
    expect(pictures.requestedPaths.filter((path) => path.includes('/b/'))).toEqual([]);
    pictures.release();
    await poll(() => pictures.requestedPaths.filter((path) => path.includes('/b/preview')).length).toBe(1);
    await poll(() => pictures.requestedPaths.filter((path) => /\/b\/\d/.test(path)).length).toBe(4);
  });

  it('turns, zooms and resets the view by keys', async () => {
    await show({ id: 'a', heading: 200, view: { pan: 10, tilt: 0, fov: 75 } });
    await page.getByRole('application', { name: 'Panorama' }).focus();
    await page.keyboard.press('ArrowRight', { delay: 150 });
    const { pan } = await getView();
    expect(pan).toBeGreaterThan(12);
    await nextFrames(5);
    expect((await getView()).pan).toBe(pan);
    await page.keyboard.down('+');
    await poll(async () => (await getView()).fov).toBeLessThan(70);
    await page.keyboard.up('+');
    await page.keyboard.press('Home');
    await poll(getView).toEqual({ pan: 200, tilt: 0, fov: 75 });
  });

  it('follows the pointer and zooms about the cursor', async () => {
    await show({ id: 'a', view: { pan: 100, tilt: 0, fov: 60 } });
    await page.mouse.move(640, 360);
    await page.mouse.down();
    await page.mouse.move(500, 360, { steps: 8 });
    const draggedView = await getView();
    expect(draggedView.pan).toBeGreaterThan(105);
    await page.mouse.up();
    await page.evaluate(() => window.page.engine.setView({}));
    const previous = await page.evaluate(() => window.page.engine.directionAt(1000, 200));
    await page.mouse.move(1000, 200);
    await page.mouse.wheel(0, -400);
    await poll(async () => (await getView()).fov).toBeLessThan(50);
    const zoomedDirection = await page.evaluate(() => window.page.engine.directionAt(1000, 200));
    expect(Math.abs(computeShortestTurn(previous.pan, zoomedDirection.pan))).toBeLessThan(0.1);
    expect(Math.abs(previous.tilt - zoomedDirection.tilt)).toBeLessThan(0.1);
  });

  it('[RTE-09] draws the built-in sample sharply without a server', async () => {
    await page.evaluate(() =>
      window.page.engine.show(window.page.createSamplePicture(), { view: { pan: 0, tilt: 0, fov: 60 } }),
    );
    await waitForEvent('sharp:vr.sample');
    expect(pictures.requestedPaths).toEqual([]);
    const { data, info } = await sharp(await page.screenshot())
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    const getColour = (x: number, y: number): readonly number[] => [
      ...data.subarray((y * info.width + x) * 3, (y * info.width + x) * 3 + 3),
    ];
    const [upper, lower] = [getColour(700, 150), getColour(700, 600)];
    expect(upper[2]).toBeGreaterThan(upper[0]! + 20);
    expect(Math.max(...lower)).toBeLessThan(110);
  });

  it('keeps its graphics context when it moves to another host', async () => {
    await show({ id: 'a' });
    await waitForEvent('sharp:a');
    pictures.requestedPaths.length = 0;
    const isSameCanvas = await page.evaluate(
      async ({ tiles }) => {
        const { engine, detach, host } = window.page;
        const canvas = host.querySelector('canvas');
        detach();
        const newHost = document.createElement('div');
        newHost.style.cssText = 'position:relative;width:900px;height:500px';
        document.body.append(newHost);
        engine.attach(newHost, { label: 'New host' });
        await engine.show({ tiles, heading: 0, position: [0, 0, 1.7] });
        return newHost.querySelector('canvas') === canvas;
      },
      { tiles: buildPicture('a') },
    );
    expect(isSameCanvas).toBe(true);
    expect(pictures.requestedPaths.filter((path) => path.includes('preview'))).toEqual([]);
  });

  it('keeps overlays above image and pins when it is attached again', async () => {
    const order = await page.evaluate(() => {
      const { engine, detach, host } = window.page;
      const overlay = document.createElement('svg');
      engine.surface('test').host.append(overlay);
      detach();
      engine.attach(host, { label: 'Again' });
      return [...(overlay.parentElement?.children ?? [])].map((child) => child.tagName.toLowerCase());
    });
    expect(order.at(0)).toBe('canvas');
    expect(order.at(-1)).toBe('svg');
    expect(order).toHaveLength(4);
  });
});

describe.skipIf(noBrowser)(formatBrowserTestTitle('pins of WebGlPanoramaEngine'), () => {
  async function setPins(...pans: readonly number[]): Promise<void> {
    await page.evaluate(
      (allPans) => {
        const activatedPins: string[] = [];
        Object.assign(window, { activated: activatedPins });
        window.page.engine.setPins(
          allPans.map((pan) => ({
            id: `p${pan}`,
            pan,
            tilt: 0,
            label: `Pin ${pan}`,
            className: 'pin',
            render: (button) => void (button.textContent = String(pan)),
            onActivate: () => activatedPins.push(`p${pan}`),
          })),
        );
      },
      [...pans],
    );
    await nextFrames(2);
  }

  it('shows pins at their directions and hides pins outside the view', async () => {
    await show({ id: 'a', view: { pan: 0, tilt: 0, fov: 60 } });
    await setPins(0, 20, 180);
    const box = (await page.getByRole('button', { name: 'Pin 20' }).boundingBox())!;
    const expected = (await page.evaluate(() => window.page.engine.toPixel(20, 0)))!;
    expect(box.x + box.width / 2).toBeCloseTo(expected.x, 0);
    expect(box.y + box.height / 2).toBeCloseTo(expected.y, 0);
    expect(await page.getByRole('button', { name: 'Pin 180' }).count()).toBe(0);
  });

  it('focuses pins by Tab from left to right, even across north', async () => {
    await show({ id: 'a', view: { pan: 0, tilt: 0, fov: 60 } });
    await setPins(20, 350, 170, 10, 340, 190);
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

  it('hides pins that overlap an earlier pin until the view zooms in', async () => {
    await show({ id: 'a', view: { pan: 0, tilt: 0, fov: 90 } });
    await setPins(2, 1, 30);
    expect((await page.getByRole('button').allTextContents()).sort()).toEqual(['2', '30']);
    await page.evaluate(() => window.page.engine.setView({ fov: 15 }));
    await nextFrames(2);
    expect((await page.getByRole('button').allTextContents()).sort()).toEqual(['1', '2']);
  });

  it('keeps the focus of a pin while the view turns', async () => {
    await show({ id: 'a', view: { pan: 0, tilt: 0, fov: 60 } });
    await setPins(...Array.from({ length: 36 }, (_, index) => index * 10));
    await page.getByRole('button', { name: 'Pin 20' }).focus();
    for (const pan of [15, 30, 40]) {
      await page.evaluate((to) => window.page.engine.setView({ pan: to }), pan);
      await nextFrames(2);
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('20');
    }
    const labels = await page.getByRole('button').allTextContents();
    expect(labels.map(Number)).toEqual(
      labels.map(Number).sort((a, b) => computeShortestTurn(40, a) - computeShortestTurn(40, b)),
    );
  });
});
