import { describe, expect, it } from 'vitest';
import { RangeTiles, type RangeTile } from './range-tiles.ts';

/** Creates an image of 2048 x 1024 pixels in tiles of 512. The range of a pixel is 1000 + column + row. */
function setup() {
  const requests: string[] = [];
  const missingFiles = new Set<string>();
  const decode = async (blob: Blob): Promise<RangeTile> => {
    const [column = 0, row = 0] = blob.type.match(/\d+/g)!.map(Number);
    return {
      width: 512,
      data: Uint16Array.from(
        { length: 512 * 512 },
        (_, k) => 1000 + column * 512 + (k % 512) + row * 512 + Math.floor(k / 512),
      ),
    };
  };
  const read = async (path: string): Promise<Blob> => {
    requests.push(path);
    if (missingFiles.has(path)) throw new Error(`${path} is missing`);
    return new Blob([], { type: path });
  };
  return {
    requests,
    missingFiles,
    image: new RangeTiles(
      { width: 2048, height: 1024, tileSize: 512, columns: 4, rows: 2, position: [0, 0, 0], heading: 0, read },
      decode,
    ),
  };
}

describe('range tiles', () => {
  it('fetches the tiles around a pixel once and returns 0 elsewhere', async () => {
    const { image, requests } = setup();
    expect(image.at(700, 300)).toBe(0);
    await Promise.all([image.load(700, 300, 40), image.load(690, 310, 20)]);
    expect(requests).toEqual(['range/1_0.webp']);
    expect(image.at(700, 300)).toBe(2000);
    expect(image.at(100, 300)).toBe(0);
    await image.load(520, 300, 40);
    expect(requests).toEqual(['range/1_0.webp', 'range/0_0.webp']);
    expect(image.at(511, 300)).toBe(1811);
  });

  it('loads tiles on both sides of the seam and of the border of two rows', async () => {
    const { image, requests } = setup();
    await image.load(5, 500, 20);
    expect(requests.toSorted()).toEqual(['range/0_0.webp', 'range/0_1.webp', 'range/3_0.webp', 'range/3_1.webp']);
    expect(image.at(-1, 500)).toBe(1000 + 2047 + 500);
    expect(image.at(3, -1)).toBe(0);
    expect(image.at(3, 1024)).toBe(0);
  });

  it('fetches all columns at the pole', async () => {
    const { image, requests } = setup();
    await image.load(100, 3, 20);
    expect(requests.toSorted()).toEqual(['range/0_0.webp', 'range/1_0.webp', 'range/2_0.webp', 'range/3_0.webp']);
  });

  it('rejects if a tile fails and fetches the tile again on the next load', async () => {
    const { image, missingFiles } = setup();
    missingFiles.add('range/1_0.webp');
    await expect(image.load(700, 300, 10)).rejects.toThrow('range/1_0.webp is missing');
    missingFiles.clear();
    await image.load(700, 300, 10);
    expect(image.at(700, 300)).toBe(2000);
  });
});
