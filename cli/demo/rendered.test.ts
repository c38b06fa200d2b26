import { readdir, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { createDemoPlant, plant, listRenderedFiles } from './index.ts';
import { recapturedNodes, partsAtEarlierCapture } from './plant/earlier.ts';
import { computeDescriptionDigest, computeEarlierDigest } from './render/rendered-index.ts';
import { readIndex } from './render/write-index.ts';

const folder = join(import.meta.dirname, 'rendered');

describe('rendered files of the demo plant', () => {
  it('match the description', async () => {
    const index = await readIndex(folder);
    expect(index.digest, 'the description changed since it was rendered: run "walkdown demo --render"').toBe(
      computeDescriptionDigest(plant),
    );
    expect(index.earlierDigest, 'the earlier capture changed since it was rendered: run "walkdown demo --render"').toBe(
      computeEarlierDigest(partsAtEarlierCapture),
    );
    expect(index.nodes.map(({ code, position, heading }) => ({ code, position, heading }))).toEqual(
      plant.nodes.map(({ code, position, heading }) => ({ code, position, heading })),
    );
  });

  it('are exactly the listed files, and at most 30 MB', async () => {
    const listedFiles = (await listRenderedFiles()).map((file) => relative(folder, file)).sort();
    const presentFiles = (await readdir(folder, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
    expect(presentFiles.sort()).toEqual(listedFiles);
    let bytes = 0;
    for (const file of presentFiles) bytes += (await stat(join(folder, file))).size;
    expect(bytes).toBeLessThanOrEqual(30 * 1024 * 1024);
    expect(bytes).toBeGreaterThan(1024 * 1024);
  });

  it('have their listed sizes', async () => {
    const demo = await createDemoPlant();
    const files = [
      ...demo.nodes.flatMap((node) => [
        node.panorama,
        node.range,
        node.thumbnail,
        ...(node.earlier ?? []).flatMap(({ panorama, range }) => [panorama, range]),
      ]),
      ...demo.decks.map(({ map }) => map),
      ...demo.locations.flatMap(({ icon, navigationImage }) =>
        [icon, navigationImage].filter((file) => file !== undefined),
      ),
      ...demo.loginBackgrounds,
    ];
    for (const file of files) {
      const { width, height } = await sharp(file.path).metadata();
      expect([file.name, width, height, (await stat(file.path)).size]).toEqual([
        file.name,
        file.width,
        file.height,
        file.bytes,
      ]);
    }
    expect(demo.nodes.map(({ panorama }) => [panorama.width, panorama.height])).toEqual(
      plant.nodes.map(() => [4096, 2048]),
    );
    expect(
      demo.locations.filter(({ icon }) => icon).every(({ icon }) => icon?.width === 250 && icon.height === 250),
    ).toBe(true);
    expect(
      demo.locations
        .filter(({ locationType }) => locationType === 'PRIMARY_LOCATION')
        .every(({ navigationImage }) => navigationImage?.width === 1980 && navigationImage.height === 1080),
    ).toBe(true);
    expect(
      demo.loginBackgrounds.every(({ width, height, bytes }) => width === 1920 && height === 1200 && bytes <= 350_000),
    ).toBe(true);
  });

  it('show changes since the earlier capture at three nodes only', async () => {
    const { nodes } = await createDemoPlant();
    const changedNodes = nodes.filter(({ earlier }) => earlier?.length === 1);
    expect(changedNodes.map(({ code }) => code)).toEqual(recapturedNodes);
    for (const { code, capturedAt, panorama, earlier } of changedNodes) {
      expect(Date.parse(earlier![0]!.capturedAt)).toBeLessThan(Date.parse(capturedAt));
      const [now, before] = await Promise.all(
        [panorama, earlier![0]!.panorama].map((file) => sharp(file.path).resize(256, 128).raw().toBuffer()),
      );
      let changedPixelCount = 0;
      for (let index = 0; index < now!.length; index += 3)
        if (
          Math.abs(now![index]! - before![index]!) +
            Math.abs(now![index + 1]! - before![index + 1]!) +
            Math.abs(now![index + 2]! - before![index + 2]!) >
          60
        )
          changedPixelCount++;
      const fraction = changedPixelCount / (256 * 128);
      expect(fraction, code).toBeGreaterThan(0.004);
      expect(fraction, code).toBeLessThan(0.15);
    }
  });

  it('are neither black nor flat nor overexposed', async () => {
    for (const { panorama } of (await createDemoPlant()).nodes) {
      const small = await sharp(panorama.path).resize(1024, 512).toBuffer();
      const { channels } = await sharp(small).stats();
      for (const { mean, stdev } of channels) {
        expect(mean, panorama.name).toBeGreaterThan(60);
        expect(mean, panorama.name).toBeLessThan(200);
        expect(stdev, panorama.name).toBeGreaterThan(25);
      }
    }
  });
});
