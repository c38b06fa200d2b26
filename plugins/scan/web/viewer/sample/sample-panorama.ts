import type { PanoramaPicture } from '#plugins/tour';
import { toPixelDirection, sampleEye, castRay } from './sample-room.ts';

const tileSize = 512;
const levels = [1024, 2048].map((width) => ({
  width,
  height: width / 2,
  columns: width / tileSize,
  rows: width / 2 / tileSize,
}));
const rangeWidth = 2048;

/** Creates the sample as a panorama of a scan station with ranges. Its tiles are drawn on demand without a server. */
export function createSamplePanorama(): PanoramaPicture {
  return {
    tiles: { id: 'scan.sample', address: '', tileSize, levels, mesh: false },
    ranges: { id: 'scan.sample', address: '', width: rangeWidth, height: rangeWidth / 2, tileSize, sigma: 0.001 },
    heading: 0,
    position: sampleEye,
    read: (path) => {
      const [, folder = '', column, row] = /^(\w+)\/(\d+)_(\d+)\./.exec(path) ?? [];
      if (column === undefined || row === undefined) return drawPart(512, 0, 0, 512, 256, ({ color }) => color);
      const [left, top] = [Number(column) * tileSize, Number(row) * tileSize];
      if (folder === 'range')
        return drawPart(rangeWidth, left, top, tileSize, tileSize, ({ range }) => encodeRange(range));
      return drawPart(levels[Number(folder)]?.width ?? 1024, left, top, tileSize, tileSize, ({ color }) => color);
    },
  };
}

/** Encodes a range in millimetres, with the high byte in red and the low byte in green. */
function encodeRange(range: number): readonly [number, number, number] {
  const millimetres = Math.round(range * 1000);
  return [millimetres >> 8, millimetres & 255, 0];
}

/**
 * Draws the part at (left, top) of a spherical image that is `width` pixels wide. The encoding is lossless, because
 * ranges must stay exact.
 */
function drawPart(
  width: number,
  left: number,
  top: number,
  partWidth: number,
  partHeight: number,
  paint: (hit: ReturnType<typeof castRay>) => readonly [number, number, number],
): Promise<Blob> {
  const canvas = Object.assign(document.createElement('canvas'), { width: partWidth, height: partHeight });
  const context = canvas.getContext('2d');
  if (!context) throw new Error('The sample cannot be drawn, because this browser provides no 2D canvas.');
  const picture = context.createImageData(partWidth, partHeight);
  for (let row = 0; row < partHeight; row++) {
    for (let column = 0; column < partWidth; column++) {
      const { pan, tilt } = toPixelDirection(left + column, top + row, width);
      picture.data.set([...paint(castRay(pan, tilt)), 255], 4 * (row * partWidth + column));
    }
  }
  context.putImageData(picture, 0, 0);
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The sample could not be drawn.'))), 'image/png'),
  );
}
