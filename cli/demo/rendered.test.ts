import { readdir, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { demoPlant, plant, renderedFiles } from './index.ts';
import { earlierNodes, earlierParts } from './plant/earlier.ts';
import { descriptionDigest, earlierDigest } from './render/rendered-index.ts';
import { readIndex } from './render/write-index.ts';

const folder = join(import.meta.dirname, 'rendered');

describe('rendered files of the demo plant', () => {
  it('match the description', async () => {
    const index = await readIndex(folder);
    expect(index.digest, 'the description changed since it was rendered: run "walkdown demo --render"').toBe(
      descriptionDigest(plant),
    );
    expect(index.earlierDigest, 'what was different at the round before changed: run "walkdown demo --render"').toBe(
      earlierDigest(earlierParts),
    );
    expect(index.nodes.map(({ code, position, heading }) => ({ code, position, heading }))).toEqual(
      plant.nodes.map(({ code, position, heading }) => ({ code, position, heading })),
    );
  });

  it('are complete, without others, and at most 30 MB', async () => {
    const listed = (await renderedFiles()).map((file) => relative(folder, file)).sort();
    const present = (await readdir(folder, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
    expect(present.sort()).toEqual(listed);
    let bytes = 0;
    for (const file of present) bytes += (await stat(join(folder, file))).size;
    expect(bytes).toBeLessThanOrEqual(30 * 1024 * 1024);
    expect(bytes).toBeGreaterThan(1024 * 1024);
  });

  it('have their listed sizes', async () => {
    const given = await demoPlant();
    const files = [
      ...given.nodes.flatMap((node) => [
        node.panorama,
        node.range,
        node.thumbnail,
        ...(node.earlier ?? []).flatMap(({ panorama, range }) => [panorama, range]),
      ]),
      ...given.decks.map(({ map }) => map),
      ...given.locations.flatMap(({ icon, navigationImage }) =>
        [icon, navigationImage].filter((file) => file !== undefined),
      ),
      ...given.loginBackgrounds,
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
    expect(given.nodes.map(({ panorama }) => [panorama.width, panorama.height])).toEqual(
      plant.nodes.map(() => [4096, 2048]),
    );
    expect(
      given.locations.filter(({ icon }) => icon).every(({ icon }) => icon?.width === 250 && icon.height === 250),
    ).toBe(true);
    expect(
      given.locations
        .filter(({ locationType }) => locationType === 'PRIMARY_LOCATION')
        .every(({ navigationImage }) => navigationImage?.width === 1980 && navigationImage.height === 1080),
    ).toBe(true);
    expect(
      given.loginBackgrounds.every(({ width, height, bytes }) => width === 1920 && height === 1200 && bytes <= 350_000),
    ).toBe(true);
  });

  it('show changes since the previous round at three nodes, and none elsewhere', async () => {
    const { nodes } = await demoPlant();
    const twice = nodes.filter(({ earlier }) => earlier?.length === 1);
    expect(twice.map(({ code }) => code)).toEqual(earlierNodes);
    for (const { code, capturedAt, panorama, earlier } of twice) {
      expect(Date.parse(earlier![0]!.capturedAt)).toBeLessThan(Date.parse(capturedAt));
      const [now, before] = await Promise.all(
        [panorama, earlier![0]!.panorama].map((file) => sharp(file.path).resize(256, 128).raw().toBuffer()),
      );
      let changed = 0;
      for (let at = 0; at < now!.length; at += 3)
        if (
          Math.abs(now![at]! - before![at]!) +
            Math.abs(now![at + 1]! - before![at + 1]!) +
            Math.abs(now![at + 2]! - before![at + 2]!) >
          60
        )
          changed++;
      const share = changed / (256 * 128);
      expect(share, code).toBeGreaterThan(0.004);
      expect(share, code).toBeLessThan(0.15);
    }
  });

  it('are neither black nor flat nor overexposed', async () => {
    for (const { panorama } of (await demoPlant()).nodes) {
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
