import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { itWithSampleData } from '#core/testing/sample-data';
import { openBytes } from './byte-source.ts';
import { crc32c } from './e57/crc32c.ts';
import { openPoints } from './open-points.ts';
import { computeStatistics, type PointStatistics } from './point-statistics.ts';
import { ScanUnreadable } from './scan-unreadable.ts';

const files = [
  'e57-rust/tiny_spherical.e57',
  'e57-rust/read_error.e57',
  'e57-rust/tiny_pc_and_images.e57',
  'laz-perf/point-color-time.las',
  'laz-perf/point-color-time.las.laz',
  'laz-perf/extrabytes.laz',
  'copc/ellipsoid.copc.laz',
];

/** Reads the whole file and returns its content or the `ScanUnreadable`. Throws any other error. */
async function readAll(bytes: Uint8Array): Promise<ScanUnreadable | PointStatistics> {
  try {
    const pointFile = await openPoints(openBytes(bytes));
    const statistics = await computeStatistics(pointFile);
    if ('readImageBytes' in pointFile)
      for (const image of pointFile.images)
        for await (const piece of pointFile.readImageBytes(image)) expect(piece.length).toBeGreaterThan(0);
    return statistics;
  } catch (error) {
    if (error instanceof ScanUnreadable) return error;
    throw error;
  }
}

/** Recomputes the checksums, so that flipped bits pass them. */
function updateChecksums(bytes: Buffer): Buffer {
  for (let page = 0; page + 1024 <= bytes.length; page += 1024)
    bytes.writeUInt32BE(crc32c(bytes, page, page + 1020), page + 1020);
  return bytes;
}

const countRuns = (name: string): number => (name.startsWith('copc') ? 12 : 60);

describe('damaged scan files', () => {
  for (const name of files)
    itWithSampleData(
      `${name}: refuses a truncated file with a message, unless it contains all points`,
      [`pointcloud/${name}`],
      async ([file]) => {
        const wholeFile = await readFile(file);
        const wholeContent = await readAll(wholeFile);
        expect(wholeContent).not.toBeInstanceOf(ScanUnreadable);
        await fc.assert(
          fc.asyncProperty(fc.nat({ max: wholeFile.length - 1 }), async (length) => {
            const content = await readAll(wholeFile.subarray(0, length));
            if (name.endsWith('.laz') && !(content instanceof ScanUnreadable))
              expect(content, `cut at ${length}`).toEqual(wholeContent);
            else expect(content, `cut at ${length}`).toBeInstanceOf(ScanUnreadable);
          }),
          { numRuns: countRuns(name), seed: 3 },
        );
      },
    );

  for (const name of files)
    itWithSampleData(`${name}: opens or refuses a file with flipped bits`, [`pointcloud/${name}`], async ([file]) => {
      const wholeFile = await readFile(file);
      const arbitraryFlips = fc.array(
        fc.tuple(
          fc.oneof(fc.nat({ max: 600 }), fc.nat({ max: wholeFile.length - 1 })),
          fc.integer({ min: 1, max: 255 }),
        ),
        { minLength: 1, maxLength: 8 },
      );
      await fc.assert(
        fc.asyncProperty(arbitraryFlips, fc.boolean(), async (flips, hasValidChecksums) => {
          const bytes = Buffer.from(wholeFile);
          for (const [offset, bits] of flips) bytes[offset]! ^= bits;
          const isE57 = name.endsWith('.e57');
          const content = await readAll(isE57 && hasValidChecksums ? updateChecksums(bytes) : bytes);
          if (isE57 && !hasValidChecksums && !bytes.equals(wholeFile)) expect(content).toBeInstanceOf(ScanUnreadable);
        }),
        { numRuns: countRuns(name) * 2, seed: 4 },
      );
    });

  it('refuses files without content', async () => {
    for (const bytes of [
      Buffer.alloc(0),
      Buffer.from('LASF'),
      Buffer.from('ASTM-E57'),
      Buffer.from('hello, this is a text'),
      Buffer.concat([Buffer.from('LASF'), Buffer.alloc(400)]),
    ]) {
      expect(await readAll(bytes)).toBeInstanceOf(ScanUnreadable);
    }
  });
});
