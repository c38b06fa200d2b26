import sharp, { type Sharp } from 'sharp';
import { describe, expect, it } from 'vitest';
import { ServerError } from '../kernel/server-error.ts';
import { createMesh, tileRange } from './range-tiles.ts';

const width = 1100;
const height = 550;

/** Ranges in millimetres with noise everywhere, so that any loss is visible. */
function createNoise(): Buffer {
  const pixels = Buffer.alloc(width * height * 3);
  let state = 12_345;
  for (let index = 0; index < width * height; index++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    pixels[index * 3] = (state >> 16) & 0xff;
    pixels[index * 3 + 1] = (state >> 8) & 0xff;
  }
  return pixels;
}

const createImage = (pixels: Buffer): Sharp => sharp(pixels, { raw: { width, height, channels: 3 } });

describe('tileRange', () => {
  it.each(['webp', 'png'] as const)('cuts a %s into tiles that preserve every range exactly', async (format) => {
    const pixels = createNoise();
    const file = await (
      format === 'webp' ? createImage(pixels).webp({ lossless: true }) : createImage(pixels).png()
    ).toBuffer();
    const { description, entries } = await tileRange(file);
    expect(description).toEqual({
      width,
      height,
      columns: 3,
      rows: 2,
      tileSize: 512,
      mesh: { path: 'mesh.u16', columns: 257, rows: 129 },
    });
    const paths: string[] = [];
    let differentRows = 0;
    for await (const { path, content } of entries) {
      paths.push(path);
      const match = /^range\/(\d+)_(\d+)\.webp$/.exec(path);
      if (match === null) continue;
      const left = Number(match[1]) * 512;
      const top = Number(match[2]) * 512;
      const { data, info } = await sharp(content).raw().toBuffer({ resolveWithObject: true });
      expect(info.channels).toBe(3);
      for (let y = 0; y < info.height; y++) {
        const from = ((top + y) * width + left) * 3;
        if (pixels.compare(data, y * info.width * 3, (y + 1) * info.width * 3, from, from + info.width * 3) !== 0)
          differentRows++;
      }
    }
    expect(paths.sort()).toEqual([
      'mesh.u16',
      'range/0_0.webp',
      'range/0_1.webp',
      'range/1_0.webp',
      'range/1_1.webp',
      'range/2_0.webp',
      'range/2_1.webp',
    ]);
    expect(differentRows).toBe(0);
  });

  it('refuses a lossy file', async () => {
    for (const file of [
      createImage(createNoise()).jpeg({ quality: 100 }),
      createImage(createNoise()).webp({ quality: 100 }),
    ]) {
      await expect(tileRange(await file.toBuffer())).rejects.toThrow(ServerError);
    }
  });

  it('refuses a truncated file', async () => {
    const wholeFile = await createImage(createNoise()).webp({ lossless: true }).toBuffer();
    const { entries } = await tileRange(wholeFile.subarray(0, Math.floor(wholeFile.length / 2))).catch(
      (error: unknown) => {
        expect(error).toBeInstanceOf(ServerError);
        return { entries: [] };
      },
    );
    await expect(
      (async () => {
        let parts = 0;
        for await (const _ of entries) parts++;
        if (parts === 0) throw new ServerError(400, 'E002', 'refused at its head');
      })(),
    ).rejects.toThrow(ServerError);
  });

  it('sets each mesh vertex to the nearest return around it, or to 0 without returns', () => {
    const pixels = Buffer.alloc(512 * 256 * 3);
    const set = (x: number, y: number, range: number): void => {
      pixels[(y * 512 + x) * 3] = range >> 8;
      pixels[(y * 512 + x) * 3 + 1] = range & 0xff;
    };
    set(100, 100, 5000);
    set(99, 100, 3000);
    set(511, 10, 777);
    const mesh = new Uint16Array(createMesh(pixels, 512, 256).slice().buffer);
    expect(mesh.length).toBe(257 * 129);
    expect(mesh[50 * 257 + 50]).toBe(3000);
    expect(mesh[5 * 257 + 0]).toBe(777);
    expect(mesh[5 * 257 + 256]).toBe(777);
    expect(mesh[64 * 257 + 128]).toBe(0);
    expect(mesh.filter((range) => range !== 0).length).toBeLessThan(10);
  });
});
