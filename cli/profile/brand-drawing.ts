import { Resvg } from '@resvg/resvg-js';
import { reduceSvg, SvgUnreadableError, type SvgRemoval } from '../../core/server/files/svg-allow-list.ts';

/** The reason why a brand's drawing is refused, and the remedy. */
export interface DrawingProblem {
  readonly cause: string;
  readonly remedy: string;
}

const plainSvg = 'Export it as plain SVG with a viewBox and embedded outlines.';
/** A logo is part of every page's first paint. */
const maxKilobytes = 200;

const elementDescriptions: Readonly<Record<string, string>> = {
  script: 'a script',
  foreignObject: 'content of another kind',
  image: 'a pixel image, which cannot be scaled',
  use: 'a reference to another drawing',
  style: 'a style sheet',
  a: 'a link',
  animate: 'an animation',
  set: 'an animation',
  filter: 'a filter',
  feImage: 'an external image',
};
const remedies: Readonly<Record<string, string>> = {
  use: 'Expand the symbols before exporting, so that each shape is drawn where it is.',
  style: 'Export it with presentation attributes in place of a style sheet.',
  filter: 'Draw the effect as shapes, or leave it out.',
};

/** The placement of a drawing in a square: centred and scaled to `fraction` of the square's side. */
export interface IconOptions {
  /** Side of the square in pixels. */
  readonly size: number;
  readonly fraction: number;
  /** Background colour; undefined for a transparent background. */
  readonly background?: string | undefined;
}

/** Reduces an SVG to the elements and attributes that a product may contain. */
export function reduceDrawing(source: string): string {
  return reduceSvg(source).svg;
}

/** The most important problem of a drawing; undefined if it is usable. */
export function findDrawingProblem(source: Uint8Array): DrawingProblem | undefined {
  if (source.length > maxKilobytes * 1000)
    return {
      cause: `It has ${Math.ceil(source.length / 1000)} kB; at most ${maxKilobytes} kB are allowed.`,
      remedy: 'Simplify its paths, such as with svgo.',
    };
  try {
    const { svg, removed } = reduceSvg(Buffer.from(source).toString('utf8'));
    const [first] = removed;
    return first ? toRemovalProblem(first) : findViewBoxProblem(svg);
  } catch (error) {
    if (error instanceof SvgUnreadableError) return toReadProblem(error);
    throw error;
  }
}

function toReadProblem({ reason, detail }: SvgUnreadableError): DrawingProblem {
  const cause = {
    broken: `It is not well-formed (${detail}).`,
    doctype: 'It has a DOCTYPE, which can declare entities.',
    elements: 'It has too many elements.',
    none: 'It is not an SVG file.',
  }[reason];
  return { cause, remedy: plainSvg };
}

function toRemovalProblem({ kind, name }: SvgRemoval): DrawingProblem {
  const localName = name.slice(name.indexOf(':') + 1);
  switch (kind) {
    case 'element':
      return {
        cause: `It contains <${name}>: ${elementDescriptions[localName] ?? 'content that is not a drawing'}.`,
        remedy: remedies[localName] ?? plainSvg,
      };
    case 'instruction':
      return {
        cause: `It contains the instruction <?${name}?>.`,
        remedy: 'Remove the instruction from its first lines.',
      };
    case 'address':
      return { cause: `It loads an external file, by '${name}'.`, remedy: plainSvg };
    case 'attribute':
      return localName === 'filter' || localName === 'style'
        ? { cause: `It uses a filter, by '${name}'.`, remedy: remedies['filter'] ?? plainSvg }
        : { cause: `It contains the event handler '${name}'.`, remedy: plainSvg };
  }
}

function findViewBoxProblem(svg: string): DrawingProblem | undefined {
  const viewBox = findViewBox(svg);
  if (viewBox === undefined) return { cause: 'It has no viewBox, so it cannot be scaled.', remedy: plainSvg };
  const [left, top, width, height, ...extraNumbers] = viewBox
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  const isBox = [left, top, width, height].every((value) => value !== undefined && Number.isFinite(value));
  if (!isBox || extraNumbers.length > 0 || Number(width) <= 0 || Number(height) <= 0)
    return {
      cause: `Its viewBox '${viewBox}' is not a valid area.`,
      remedy: 'Write four numbers, the last two above 0, such as viewBox="0 0 96 32".',
    };
  try {
    renderIcon(svg, { size: 16, fraction: 1 });
    return undefined;
  } catch (error) {
    return {
      cause: `It cannot be drawn (${error instanceof Error ? error.message : String(error)}).`,
      remedy: plainSvg,
    };
  }
}

/** The viewBox of a reduced drawing, whose attributes have a uniform notation. */
const findViewBox = (svg: string): string | undefined => /^<svg[^>]*? viewBox="([^"]*)"/.exec(svg)?.[1];

/** Renders a reduced drawing with a valid viewBox as PNG. */
export function renderIcon(svg: string, { size, fraction, background }: IconOptions): Uint8Array {
  const [left = 0, top = 0, width = 1, height = 1] = (findViewBox(svg) ?? '')
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  const side = Math.max(width, height) / fraction;
  const frame = [left + width / 2 - side / 2, top + height / 2 - side / 2, side, side];
  const backgroundRect =
    background === undefined
      ? ''
      : `<rect x="${frame[0]}" y="${frame[1]}" width="${side}" height="${side}" fill="${background}"/>`;
  const nestedSvg = svg.replace(
    /^<svg([^>]*)>/,
    (_, attributes: string) =>
      `<svg${attributes.replaceAll(/ (?:x|y|width|height)="[^"]*"/g, '')} x="${left}" y="${top}" ` +
      `width="${width}" height="${height}">`,
  );
  const square = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${frame.join(' ')}">${backgroundRect}${nestedSvg}</svg>`;
  return new Resvg(square, { fitTo: { mode: 'width', value: size }, font: { loadSystemFonts: false } })
    .render()
    .asPng();
}
