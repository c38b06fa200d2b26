import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { describeWithSampleData } from '../../testing/sample-data.ts';
import { ServerError } from '../kernel/server-error.ts';
import { tilePanorama, type TiledPanorama } from './tile-pyramid.ts';

const realFiles = ['pannellum/examplepano.jpg', 'gainmap/qwantani_puresky_8k.jpg', 'gainmap/spruit_sunrise_4k.jpg'];

/** A sphere whose colour encodes the direction: red increases to the east, green downwards. */
async function createGradient(width: number, height: number, format: 'jpeg' | 'png' | 'webp'): Promise<Buffer> {
  const pixels = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      pixels[(y * width + x) * 3] = Math.floor((x / width) * 256);
      pixels[(y * width + x) * 3 + 1] = Math.floor((y / height) * 256);
      pixels[(y * width + x) * 3 + 2] = 128;
    }
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .toFormat(format)
    .toBuffer();
}

/** Creates a PNG with one bit per pixel. */
function createWhitePng(width: number, height: number): Buffer {
  const chunk = (name: string, body: Buffer): Buffer => {
    const namedBody = Buffer.concat([Buffer.from(name, 'latin1'), body]);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(body.length);
    const sum = Buffer.alloc(4);
    sum.writeUInt32BE(crc32(namedBody));
    return Buffer.concat([length, namedBody, sum]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.writeUInt8(1, 8);
  const rows = deflateSync(Buffer.alloc(height * (1 + Math.ceil(width / 8))), { level: 9 });
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', rows),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

async function collect(panorama: TiledPanorama): Promise<Map<string, Uint8Array>> {
  const parts = new Map<string, Uint8Array>();
  for await (const { path: name, content } of panorama.entries) {
    expect(parts.has(name)).toBe(false);
    parts.set(name, content);
  }
  return parts;
}

async function expectComplete(panorama: TiledPanorama, parts: ReadonlyMap<string, Uint8Array>): Promise<void> {
  const { levels, tileSize, preview } = panorama.description;
  const expected = levels.flatMap(({ columns, rows }, level) =>
    Array.from(
      { length: columns * rows },
      (_, index) => `${level}/${index % columns}_${Math.floor(index / columns)}.jpg`,
    ),
  );
  expect([...parts.keys()].sort()).toEqual([...expected, preview].sort());
  for (const [level, grid] of levels.entries()) {
    const lastTile = await sharp(parts.get(`${level}/${grid.columns - 1}_${grid.rows - 1}.jpg`)).metadata();
    expect([lastTile.width, lastTile.height]).toEqual([
      grid.width - (grid.columns - 1) * tileSize,
      grid.height - (grid.rows - 1) * tileSize,
    ]);
  }
  const previewMetadata = await sharp(parts.get(preview)).metadata();
  expect([previewMetadata.format, previewMetadata.width, previewMetadata.height]).toEqual(['jpeg', 1024, 512]);
}

async function expectRefusal(work: Promise<unknown>): Promise<ServerError> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ServerError);
  expect((error as ServerError).status).toBe(400);
  return error as ServerError;
}

describe('tilePanorama', () => {
  it.each(['jpeg', 'png', 'webp'] as const)(
    'cuts a %s into levels of half the width down to 1,024 pixels, with the right part of the sphere in each tile',
    async (format) => {
      const panorama = await tilePanorama(await createGradient(2600, 1300, format));
      expect(panorama.description).toEqual({
        width: 2592,
        height: 1296,
        tileSize: 512,
        levels: [
          { width: 1296, height: 648, columns: 3, rows: 2 },
          { width: 2592, height: 1296, columns: 6, rows: 3 },
        ],
        preview: 'preview.jpg',
      });
      const parts = await collect(panorama);
      await expectComplete(panorama, parts);
      for (const [level, grid] of panorama.description.levels.entries()) {
        for (const [column, row] of [
          [0, 0],
          [1, 1],
          [grid.columns - 1, grid.rows - 1],
        ] as const) {
          const { data, info } = await sharp(parts.get(`${level}/${column}_${row}.jpg`))
            .raw()
            .toBuffer({ resolveWithObject: true });
          const x = Math.floor(info.width / 2);
          const y = Math.floor(info.height / 2);
          expect(
            Math.abs((data[(y * info.width + x) * 3] ?? 0) - ((column * 512 + x) / grid.width) * 256),
          ).toBeLessThan(6);
          expect(
            Math.abs((data[(y * info.width + x) * 3 + 1] ?? 0) - ((row * 512 + y) / grid.height) * 256),
          ).toBeLessThan(6);
        }
      }
    },
  );

  it('creates one level for the smallest sphere', async () => {
    const { description } = await tilePanorama(await createGradient(1024, 512, 'jpeg'));
    expect(description.levels).toEqual([{ width: 1024, height: 512, columns: 2, rows: 1 }]);
  });

  it('tolerates missing rows, and creates a pyramid that is exactly twice as wide as high', async () => {
    const { description } = await tilePanorama(await createGradient(2050, 1019, 'jpeg'));
    expect(description.levels.at(-1)).toEqual({ width: 2048, height: 1024, columns: 4, rows: 2 });
  });

  it('limits the preview size of a noisy picture', async () => {
    const noise = await sharp({
      create: {
        width: 2048,
        height: 1024,
        channels: 3,
        background: '#777',
        noise: { type: 'gaussian', mean: 128, sigma: 60 },
      },
    })
      .jpeg({ quality: 95 })
      .toBuffer();
    const panorama = await tilePanorama(noise);
    const parts = await collect(panorama);
    await expectComplete(panorama, parts);
    expect(parts.get('preview.jpg')?.length).toBeLessThan(140_000);
  });

  it('refuses a picture that is too small, unreadable or not twice as wide as high', async () => {
    expect((await expectRefusal(tilePanorama(await createGradient(1600, 1200, 'jpeg')))).message).toMatch(
      /1600 x 1200 pixels.*twice as wide/,
    );
    expect((await expectRefusal(tilePanorama(await createGradient(800, 400, 'png')))).message).toMatch(
      /800 pixels wide/,
    );
    expect((await expectRefusal(tilePanorama(Buffer.from('%PDF-1.7 not a picture')))).message).toMatch(
      /JPEG, PNG or WebP/,
    );
    expect((await expectRefusal(tilePanorama(Buffer.alloc(0)))).message).toMatch(/JPEG, PNG or WebP/);
    const svg = Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="2048" height="1024"><image href="file:///etc/passwd"/></svg>',
    );
    expect((await expectRefusal(tilePanorama(svg))).message).toMatch(/JPEG, PNG or WebP/);
  });

  it('refuses a truncated file when its pixels are read', async () => {
    for (const format of ['jpeg', 'png', 'webp'] as const) {
      const wholeFile = await createGradient(2048, 1024, format);
      await expectRefusal(tilePanorama(wholeFile.subarray(0, Math.floor(wholeFile.length * 0.6))).then(collect));
    }
  });

  it('refuses a small file of 30,000 x 30,000 pixels by its header', async () => {
    const pixelBomb = createWhitePng(30_000, 30_000);
    expect(pixelBomb.length).toBeLessThan(200_000);
    const before = process.memoryUsage().rss;
    expect((await expectRefusal(tilePanorama(pixelBomb))).message).toMatch(/too many pixels/);
    expect(process.memoryUsage().rss - before).toBeLessThan(200e6);
  });

  describeWithSampleData('with real files', ['panorama', ...realFiles.map((name) => `panorama/${name}`)], ([real]) => {
    it.each(realFiles)('tiles %s', async (file) => {
      const { width } = await sharp(readFileSync(path.join(real, file))).metadata();
      const panorama = await tilePanorama(path.join(real, file));
      const parts = await collect(panorama);
      await expectComplete(panorama, parts);
      expect(panorama.description.width).toBe(width);
      expect(parts.get('preview.jpg')?.length).toBeLessThan(62_000);
    });

    it('refuses a face of a cube', async () => {
      expect((await expectRefusal(tilePanorama(path.join(real, 'pannellum/examplepanocube0.jpg')))).message).toMatch(
        /twice as wide/,
      );
    });

    it('refuses each other file with a reason', async () => {
      const otherFiles = readdirSync(real, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => path.relative(real, path.join(entry.parentPath, entry.name)))
        .filter((file) => !realFiles.includes(file));
      expect(otherFiles.length).toBeGreaterThan(50);
      const tiledFiles: string[] = [];
      for (const file of otherFiles) {
        try {
          await tilePanorama(path.join(real, file));
          tiledFiles.push(file);
        } catch (error) {
          expect(String(error), file).toMatch(/twice as wide|pixels wide|JPEG, PNG or WebP/);
        }
      }
      expect(tiledFiles).toEqual([]);
    });

    it('cuts tiles with the pixels of the file', async () => {
      const file = path.join(real, 'pannellum/examplepano.jpg');
      const parts = await collect(await tilePanorama(file));
      const source = await sharp(await readFile(file))
        .extract({ left: 1024, top: 512, width: 512, height: 512 })
        .raw()
        .toBuffer();
      const tile = await sharp(parts.get('2/2_1.jpg')).raw().toBuffer();
      const difference =
        source.reduce((sum, value, index) => sum + Math.abs(value - (tile[index] ?? 0)), 0) / source.length;
      expect(difference).toBeLessThan(4);
    });
  });
});
