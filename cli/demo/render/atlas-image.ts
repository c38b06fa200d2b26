import { Resvg } from '@resvg/resvg-js';
import { atlasSize, type AtlasCell, type TextAtlas } from '../geometry/atlas.ts';

const escapeText = (text: string): string => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

/** An SVG text element with one line of text, as large as fits into the box. */
function formatLine(
  text: string,
  x: number,
  y: number,
  width: number,
  height: number,
  colour: string,
  weight = 'bold',
): string {
  const size = Math.min(height, (width / Math.max(1, text.length)) * 1.26);
  return (
    `<text x="${x}" y="${y + size * 0.36}" font-size="${size.toFixed(1)}" font-weight="${weight}" ` +
    `text-anchor="middle" fill="${colour}">${escapeText(text)}</text>`
  );
}

/** Background and text colour of a marker (similar to BS 1710) by the service letters of the line number. */
const markerColours: Readonly<Record<string, readonly [string, string]>> = {
  PF: ['#7a4a1e', '#ffffff'],
  PO: ['#7a4a1e', '#ffffff'],
  PG: ['#d8a31a', '#141414'],
  FL: ['#d8a31a', '#141414'],
  WP: ['#1d7a3c', '#ffffff'],
  CW: ['#1d7a3c', '#ffffff'],
  IA: ['#8cc4e8', '#141414'],
  UA: ['#8cc4e8', '#141414'],
  UN: ['#8cc4e8', '#141414'],
  FW: ['#b3161b', '#ffffff'],
};

function drawCell(cell: AtlasCell): string {
  const { width: w, height: h, text } = cell;
  const [first = '', second = ''] = text;
  const drawBackground = (fill: string, border: string, inset = 0.04): string =>
    `<rect width="${w}" height="${h}" fill="${fill}"/><rect x="${h * inset}" y="${h * inset}" ` +
    `width="${w - 2 * h * inset}" height="${h * (1 - 2 * inset)}" rx="${h * 0.06}" fill="none" stroke="${border}" ` +
    `stroke-width="${h * 0.028}"/>`;
  const drawSecondLine = (fill: string): string =>
    second ? formatLine(second, w / 2, h * 0.76, w * 0.9, h * 0.24, fill) : '';
  switch (cell.style) {
    case 'tag':
      return `${drawBackground('#f3f2ea', '#222222', 0.05)}${formatLine(first, w / 2, h * 0.5, w * 0.9, h * 0.74, '#101010')}`;
    case 'name':
      return `${drawBackground('#fbfaf4', '#15395b')}${formatLine(first, w / 2, second ? h * 0.36 : h * 0.5, w * 0.88, h * (second ? 0.5 : 0.7), '#0d1c2c')}${drawSecondLine('#0d1c2c')}`;
    case 'warning': {
      const s = h * 0.4;
      return (
        `${drawBackground('#f6c211', '#111111')}<path d="M${w / 2} ${h * 0.08} l${s * 0.56} ${s * 0.98} ` +
        `h${-s * 1.12} z" ` +
        `fill="#111"/><path d="M${w / 2} ${h * 0.16} l${s * 0.4} ${s * 0.72} h${-s * 0.8} z" fill="#f6c211"/><text ` +
        `x="${w / 2}" y="${h * 0.42}" font-size="${h * 0.24}" font-weight="bold" text-anchor="middle" ` +
        `fill="#111">!</text>${formatLine(first, w / 2, h * 0.65, w * 0.9, h * 0.19, '#111')}${formatLine(second, w / 2, h * 0.85, w * 0.9, h * 0.15, '#111')}`
      );
    }
    case 'mandatory':
      return (
        `${drawBackground('#0b4ea2', '#ffffff')}<circle cx="${w / 2}" cy="${h * 0.3}" r="${h * 0.2}" fill="#fff"/><path ` +
        `d="M${w / 2 - h * 0.13} ${h * 0.26} q${h * 0.13} ${-h * 0.12} ${h * 0.26} 0 v${h * 0.09} q${-h * 0.13} ` +
        `${h * 0.1} ` +
        `${-h * 0.26} 0 z" fill="#0b4ea2"/>${formatLine(first, w / 2, h * 0.64, w * 0.9, h * 0.18, '#fff')}${formatLine(second, w / 2, h * 0.84, w * 0.9, h * 0.15, '#fff')}`
      );
    case 'safe':
      return `${drawBackground('#0a7c43', '#ffffff')}${formatLine(first, w / 2, h * 0.32, w * 0.88, h * 0.26, '#fff')}${formatLine(second, w / 2, h * 0.69, w * 0.88, h * 0.34, '#fff')}`;
    case 'fire':
      return (
        `${drawBackground('#c0141b', '#ffffff')}<path d="M${w * 0.42} ${h * 0.26} h${w * 0.16} v${h * 0.06} ` +
        `q${w * 0.06} ` +
        `${h * 0.02} ${w * 0.06} ${h * 0.08} v${h * 0.2} h${-w * 0.28} v${-h * 0.2} q0 ${-h * 0.06} ${w * 0.06} ` +
        `${-h * 0.08} z M${w * 0.4} ${h * 0.2} h${w * 0.24} v${h * 0.04} h${-w * 0.24} z" ` +
        `fill="#fff"/>${formatLine(first, w / 2, h * 0.73, w * 0.88, h * 0.14, '#fff')}${formatLine(second, w / 2, h * 0.86, w * 0.88, h * 0.12, '#fff')}`
      );
    case 'module':
      return `${drawBackground('#14365c', '#14365c')}${formatLine(first, w / 2, h * 0.34, w * 0.92, h * 0.5, '#fff')}${formatLine(second, w / 2, h * 0.76, w * 0.92, h * 0.3, '#e8eef5')}`;
    case 'notice':
      return `${drawBackground('#f7f7f2', '#14365c')}${formatLine(first, w / 2, h * 0.35, w * 0.9, h * 0.36, '#14365c')}${drawSecondLine('#14365c')}`;
    case 'marker': {
      const service = /-([A-Z]{2})-/.exec(first)?.[1] ?? '';
      const [fill, ink] = markerColours[service] ?? ['#f7f7f2', '#141414'];
      const a = h * 0.55;
      return (
        `<rect width="${w}" height="${h}" fill="${fill}"/><path d="M${w - a * 0.25} ${h / 2} l${-a * 0.6} ` +
        `${-a * 0.5} v${a * 0.28} h${-a * 0.35} v${a * 0.44} h${a * 0.35} v${a * 0.28} z" ` +
        `fill="${ink}"/>${formatLine(first, (w - a * 1.3) / 2 + h * 0.08, h * 0.37, w - a * 1.6, h * 0.56, ink)}${formatLine(second.toUpperCase(), (w - a * 1.3) / 2 + h * 0.08, h * 0.79, w - a * 1.6, h * 0.22, ink)}`
      );
    }
  }
}

/** The atlas as an SVG drawing. */
export function createAtlasSvg(atlas: TextAtlas): string {
  const cells = atlas.cells.map(
    (cell) => `<svg x="${cell.x}" y="${cell.y}" width="${cell.width}" height="${cell.height}">${drawCell(cell)}</svg>`,
  );
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${atlasSize}" height="${atlasSize}" font-family="Liberation ` +
    'Sans, Arial, Helvetica, DejaVu Sans, sans-serif"><rect width="100%" height="100%" ' +
    `fill="#8a8a86"/>${cells.join('')}</svg>`
  );
}

/** The atlas as PNG. Requires an installed sans-serif font. */
export function renderAtlas(atlas: TextAtlas): Uint8Array {
  return new Resvg(createAtlasSvg(atlas), { font: { loadSystemFonts: true, defaultFontFamily: 'DejaVu Sans' } })
    .render()
    .asPng();
}
