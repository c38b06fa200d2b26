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
 * Creates a test card of the whole sphere, which is drawn on demand without a server. It has a line every ten degrees,
 * the compass points and, on each tile, the width of its level.
 */
export function createSamplePicture(): PanoramaPicture {
  return {
    tiles: { id: 'vr.sample', address: '', tileSize, levels, mesh: false },
    heading: 0,
    position: [0, 0, 0],
    read: (path) => {
      const [, level, column, row] = /^(\d+)\/(\d+)_(\d+)\.jpg$/.exec(path) ?? [];
      if (level === undefined) return drawPart(1024, 0, 0, 1024, 512);
      return drawPart(
        levels[Number(level)]?.width ?? 1024,
        Number(column) * tileSize,
        Number(row) * tileSize,
        tileSize,
        tileSize,
      );
    },
  };
}

/** Draws the part at (left, top) of a picture of the whole sphere that is `width` pixels wide. */
async function drawPart(
  width: number,
  left: number,
  top: number,
  partWidth: number,
  partHeight: number,
): Promise<Blob> {
  const canvas = Object.assign(document.createElement('canvas'), { width: partWidth, height: partHeight });
  const context = canvas.getContext('2d');
  if (!context) throw new Error('The sample cannot be drawn, because this browser has no 2D canvas.');
  context.translate(-left, -top);
  drawSphere(context, width);
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

function drawSphere(context: CanvasRenderingContext2D, width: number): void {
  const height = width / 2;
  const degree = width / 360;
  const gradient = context.createLinearGradient(0, 0, 0, height);
  for (const [offset, colour] of [
    [0, '#0b3d66'],
    [0.47, '#8fbfe0'],
    [0.5, '#dfe8ee'],
    [0.501, '#3b4a52'],
    [1, '#161c20'],
  ] as const)
    gradient.addColorStop(offset, colour);
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
    drawResolutionBars(context, angle * degree, (90 + 12) * degree, degree);
  }
}

/** Draws bars of decreasing width. The finest bars that a person can distinguish show the sharpness. */
function drawResolutionBars(context: CanvasRenderingContext2D, x: number, y: number, degree: number): void {
  let left = x - 4 * degree;
  for (const barWidth of [0.5, 0.25, 0.125, 0.0625]) {
    for (let bar = 0; bar < 4; bar++)
      context.fillRect(left + bar * 2 * barWidth * degree * 0.5, y, barWidth * degree * 0.5, 4 * degree);
    left += 8 * barWidth * degree * 0.5 + degree * 0.8;
  }
}
