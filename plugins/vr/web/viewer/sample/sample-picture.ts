import type { PanoramaPicture } from '#plugins/tour';

const tileSize = 512;
const levels = [1024, 2048, 4096, 8192].map((width) => ({
  width,
  height: width / 2,
  columns: width / tileSize,
  rows: width / 2 / tileSize,
}));
const names = ['N', 'NE', 'E', 'SE', 'S', 'SW', 'W', 'NW'];

/**
 * A test card of the whole sphere, drawn on demand without a server: a line every ten degrees, the compass points, and
 * on each tile the width of its level.
 */
export function samplePicture(): PanoramaPicture {
  return {
    tiles: { id: 'vr.sample', address: '', tileSize, levels, mesh: false },
    heading: 0,
    position: [0, 0, 0],
    read: (path) => {
      const [, level, column, row] = /^(\d+)\/(\d+)_(\d+)\.jpg$/.exec(path) ?? [];
      if (level === undefined) return draw(1024, 0, 0, 1024, 512);
      return draw(
        levels[Number(level)]?.width ?? 1024,
        Number(column) * tileSize,
        Number(row) * tileSize,
        tileSize,
        tileSize,
      );
    },
  };
}

/** Draws the part of a picture of the whole sphere, `width` pixels wide, that begins at (left, top). */
async function draw(width: number, left: number, top: number, across: number, down: number): Promise<Blob> {
  const canvas = Object.assign(document.createElement('canvas'), { width: across, height: down });
  const context = canvas.getContext('2d');
  if (!context) throw new Error('This browser gives no 2D canvas, which the sample is drawn on.');
  context.translate(-left, -top);
  paint(context, width);
  context.resetTransform();
  context.fillStyle = 'rgba(255, 255, 255, 0.75)';
  context.font = '14px sans-serif';
  context.fillText(String(width), 10, 22);
  return new Promise((resolve, reject) =>
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error('The sample could not be drawn.'))),
      'image/jpeg',
      0.9,
    ),
  );
}

function paint(context: CanvasRenderingContext2D, width: number): void {
  const height = width / 2;
  const degree = width / 360;
  const gradient = context.createLinearGradient(0, 0, 0, height);
  for (const [at, colour] of [
    [0, '#0b3d66'],
    [0.47, '#8fbfe0'],
    [0.5, '#dfe8ee'],
    [0.501, '#3b4a52'],
    [1, '#161c20'],
  ] as const)
    gradient.addColorStop(at, colour);
  context.fillStyle = gradient;
  context.fillRect(0, 0, width, height);
  context.lineWidth = Math.max(1, degree / 16);
  for (let angle = 0; angle < 360; angle += 10) {
    context.strokeStyle = angle % 90 === 0 ? '#ffd23f' : 'rgba(255, 255, 255, 0.55)';
    context.strokeRect(angle * degree, -1, 0, height + 2);
    if (angle < 180) context.strokeRect(-1, angle * degree, width + 2, 0);
  }
  context.fillStyle = '#ffffff';
  context.textAlign = 'center';
  for (let angle = 0; angle <= 360; angle += 10) {
    const pan = (angle + 180) % 360;
    context.font = `${Math.round(degree * 2)}px sans-serif`;
    context.fillText(`${pan}°`, angle * degree, (90 - 1) * degree);
    if (pan % 45 !== 0) continue;
    context.font = `bold ${Math.round(degree * 7)}px sans-serif`;
    context.fillText(names[pan / 45] ?? '', angle * degree, (90 - 12) * degree);
    resolutionBars(context, angle * degree, (90 + 12) * degree, degree);
  }
}

/** Bars of decreasing width: the finest ones that can be distinguished show the sharpness. */
function resolutionBars(context: CanvasRenderingContext2D, x: number, y: number, degree: number): void {
  let at = x - 4 * degree;
  for (const share of [0.5, 0.25, 0.125, 0.0625]) {
    for (let bar = 0; bar < 4; bar++)
      context.fillRect(at + bar * 2 * share * degree * 0.5, y, share * degree * 0.5, 4 * degree);
    at += 8 * share * degree * 0.5 + degree * 0.8;
  }
}
