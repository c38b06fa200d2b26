import type { PanoramaPicture } from '#plugins/tour';
import { sampleDirection, sampleEye, sampleHit } from './sample-room.ts';

const tileSize = 512;
const levels = [1024, 2048].map((width) => ({
  width,
  height: width / 2,
  columns: width / tileSize,
  rows: width / 2 / tileSize,
}));
const rangeWidth = 2048;

/** The sample as a panorama of a scan station with ranges, drawn on demand without a server. */
export function sampleBubble(): PanoramaPicture {
  return {
    tiles: { id: 'scan.sample', address: '', tileSize, levels, mesh: false },
    ranges: { id: 'scan.sample', address: '', width: rangeWidth, height: rangeWidth / 2, tileSize, sigma: 0.001 },
    heading: 0,
    position: sampleEye,
    read: (path) => {
      const [, folder = '', column, row] = /^(\w+)\/(\d+)_(\d+)\./.exec(path) ?? [];
      if (column === undefined || row === undefined) return draw(512, 0, 0, 512, 256, ({ color }) => color);
      const [left, top] = [Number(column) * tileSize, Number(row) * tileSize];
      if (folder === 'range')
        return draw(rangeWidth, left, top, tileSize, tileSize, ({ range }) => inMillimetres(range));
      return draw(levels[Number(folder)]?.width ?? 1024, left, top, tileSize, tileSize, ({ color }) => color);
    },
  };
}

/** Encodes a range: high byte in red, low byte in green. */
function inMillimetres(range: number): readonly [number, number, number] {
  const millimetres = Math.round(range * 1000);
  return [millimetres >> 8, millimetres & 255, 0];
}

/**
 * Draws the part at (left, top) of a spherical image that is `width` pixels wide. The encoding is lossless, because
 * ranges must stay exact.
 */
function draw(
  width: number,
  left: number,
  top: number,
  across: number,
  down: number,
  paint: (hit: ReturnType<typeof sampleHit>) => readonly [number, number, number],
): Promise<Blob> {
  const canvas = Object.assign(document.createElement('canvas'), { width: across, height: down });
  const context = canvas.getContext('2d');
  if (!context) throw new Error('This browser gives no 2D canvas, which the sample is drawn on.');
  const picture = context.createImageData(across, down);
  for (let row = 0; row < down; row++) {
    for (let column = 0; column < across; column++) {
      const { pan, tilt } = sampleDirection(left + column, top + row, width);
      picture.data.set([...paint(sampleHit(pan, tilt)), 255], 4 * (row * across + column));
    }
  }
  context.putImageData(picture, 0, 0);
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The sample could not be drawn.'))), 'image/png'),
  );
}
