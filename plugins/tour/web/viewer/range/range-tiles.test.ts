import { describe, expect, it } from 'vitest';
import { RangeTiles, type RangeTile } from './range-tiles.ts';

/** 2048 x 1024 in tiles of 512; a pixel's range is 1000 + column + row. */
function tiles() {
  const requested: string[] = [];
  const fails = new Set<string>();
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
    requested.push(path);
    if (fails.has(path)) throw new Error(`${path} is away`);
    return new Blob([], { type: path });
  };
  return {
    requested,
    fails,
    image: new RangeTiles(
      { width: 2048, height: 1024, tileSize: 512, columns: 4, rows: 2, position: [0, 0, 0], heading: 0, read },
      decode,
    ),
  };
}

describe('range tiles', () => {
  it('fetches the tiles around a pixel once and returns 0 elsewhere', async () => {
    const { image, requested } = tiles();
    expect(image.at(700, 300)).toBe(0);
    await Promise.all([image.load(700, 300, 40), image.load(690, 310, 20)]);
    expect(requested).toEqual(['range/1_0.webp']);
    expect(image.at(700, 300)).toBe(2000);
    expect(image.at(100, 300)).toBe(0);
    await image.load(520, 300, 40);
    expect(requested).toEqual(['range/1_0.webp', 'range/0_0.webp']);
    expect(image.at(511, 300)).toBe(1811);
  });

  it('wraps around the seam and crosses the border of two rows', async () => {
    const { image, requested } = tiles();
    await image.load(5, 500, 20);
    expect(requested.toSorted()).toEqual(['range/0_0.webp', 'range/0_1.webp', 'range/3_0.webp', 'range/3_1.webp']);
    expect(image.at(-1, 500)).toBe(1000 + 2047 + 500);
    expect(image.at(3, -1)).toBe(0);
    expect(image.at(3, 1024)).toBe(0);
  });

  it('fetches all columns at the pole', async () => {
    const { image, requested } = tiles();
    await image.load(100, 3, 20);
    expect(requested.toSorted()).toEqual(['range/0_0.webp', 'range/1_0.webp', 'range/2_0.webp', 'range/3_0.webp']);
  });

  it('rejects if a tile is missing and fetches it again', async () => {
    const { image, fails } = tiles();
    fails.add('range/1_0.webp');
    await expect(image.load(700, 300, 10)).rejects.toThrow('range/1_0.webp is away');
    fails.clear();
    await image.load(700, 300, 10);
    expect(image.at(700, 300)).toBe(2000);
  });
});
