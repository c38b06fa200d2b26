import { injectable } from 'inversify';
import { token } from '#core';
import type { ViewSurface } from '#plugins/tour';

/** A surface at one moment. */
export interface Shot {
  /** Id of the surface's module. */
  readonly module: string;
  readonly picture: Blob;
  /** The overlay as an SVG; empty if there is none. */
  readonly marks: string;
  /** CSS pixels. */
  readonly box: { readonly left: number; readonly top: number; readonly width: number; readonly height: number };
}

/** Two JPEGs. */
export interface TakenPicture {
  readonly picture: Blob;
  readonly thumbnail: Blob;
}

/** Captures the screen. */
export const SnapshotCamera = token<SnapshotCamera>('annotate.SnapshotCamera');
export interface SnapshotCamera {
  /** Rejects if the module cannot give its picture. */
  shoot(surface: ViewSurface): Promise<Shot>;
  /**
   * Merges all shots into one picture in their screen layout, optionally with their overlays. Needs at least one shot.
   */
  develop(shots: readonly Shot[], burnMarks: boolean): Promise<TakenPicture>;
}

/** Size limit of graphics cards and PDF readers; a screen is smaller. */
const maxSide = 4096;
const thumbnailSide = 480;
const quality = 0.92;
/** Gap between the halves of a split view, in CSS pixels. */
const gap = 4;

@injectable()
export class CanvasCamera implements SnapshotCamera {
  async shoot(surface: ViewSurface): Promise<Shot> {
    const { left, top, width, height } = surface.host.getBoundingClientRect();
    // The overlay is read first, before anything can move, so that both show the same moment.
    const marks = marksOver(surface.host, width, height);
    return { module: surface.module, picture: await surface.takePicture(), marks, box: { left, top, width, height } };
  }

  async develop(shots: readonly Shot[], burnMarks: boolean): Promise<TakenPicture> {
    const parts = await Promise.all(
      shots.map(async (shot) => ({
        shot,
        bitmap: await createImageBitmap(shot.picture),
        marks: burnMarks && shot.marks !== '' ? await drawn(shot.marks) : undefined,
      })),
    );
    const inRow = new Set(parts.map(({ shot }) => shot.box.left)).size > 1;
    const size = {
      width: inRow
        ? sum(parts.map(({ shot }) => shot.box.width)) + gap * (parts.length - 1)
        : Math.max(...parts.map(({ shot }) => shot.box.width)),
      height: inRow
        ? Math.max(...parts.map(({ shot }) => shot.box.height))
        : sum(parts.map(({ shot }) => shot.box.height)) + gap * (parts.length - 1),
    };
    const scale = Math.min(
      maxSide / Math.max(size.width, size.height),
      Math.max(...parts.map(({ shot, bitmap }) => bitmap.width / Math.max(1, shot.box.width))),
    );
    const [canvas, context] = createCanvas(size.width * scale, size.height * scale);
    context.fillStyle = '#fff';
    context.fillRect(0, 0, canvas.width, canvas.height);
    let at = 0;
    for (const { shot, bitmap, marks } of parts.toSorted((a, b) =>
      inRow ? a.shot.box.left - b.shot.box.left : a.shot.box.top - b.shot.box.top,
    )) {
      const place = [
        inRow ? at * scale : 0,
        inRow ? 0 : at * scale,
        shot.box.width * scale,
        shot.box.height * scale,
      ] as const;
      context.drawImage(bitmap, ...place);
      if (marks) context.drawImage(marks, ...place);
      bitmap.close();
      at += (inRow ? shot.box.width : shot.box.height) + gap;
    }
    const smaller = Math.min(1, thumbnailSide / Math.max(canvas.width, canvas.height));
    const [small, smallContext] = createCanvas(canvas.width * smaller, canvas.height * smaller);
    smallContext.imageSmoothingQuality = 'high';
    smallContext.drawImage(canvas, 0, 0, small.width, small.height);
    return { picture: await encodeJpeg(canvas), thumbnail: await encodeJpeg(small) };
  }
}

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);

function createCanvas(width: number, height: number): [HTMLCanvasElement, CanvasRenderingContext2D] {
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(width));
  canvas.height = Math.max(1, Math.round(height));
  const context = canvas.getContext('2d');
  if (!context) throw new Error('The browser gave no canvas to draw the snapshot on: close other tabs and try again.');
  return [canvas, context];
}

function encodeJpeg(canvas: HTMLCanvasElement): Promise<Blob> {
  return new Promise((resolve, reject) =>
    canvas.toBlob(
      (blob) =>
        blob
          ? resolve(blob)
          : reject(
              new Error('The picture of the snapshot could not be written: the browser has too little memory for it.'),
            ),
      'image/jpeg',
      quality,
    ),
  );
}

/**
 * Width in CSS pixels up to which the overlay keeps its size. A printed picture is as wide as a page: in a wider one
 * the overlay is enlarged, so that its figures stay readable.
 */
const widthForMarks = 1000;
const growing = new Set(['font-size', 'stroke-width']);

/** CSS properties that come from classes, which a standalone SVG cannot use. */
const copied = [
  'fill',
  'stroke',
  'stroke-width',
  'stroke-linejoin',
  'stroke-linecap',
  'opacity',
  'paint-order',
  'font-family',
  'font-size',
  'font-weight',
  'font-variant-numeric',
  'text-anchor',
] as const;

/** The overlays of a surface as one SVG that needs no style sheet. */
function marksOver(host: HTMLElement, width: number, height: number): string {
  const layers = [...host.querySelectorAll<SVGSVGElement>('svg[data-marks]')].filter(
    (layer) => layer.childElementCount > 0,
  );
  if (layers.length === 0) return '';
  const inner = layers.map((layer) => new XMLSerializer().serializeToString(withOwnStyles(layer, width, height)));
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ` +
    `${height}">${inner.join('')}</svg>`
  );
}

function withOwnStyles(layer: SVGSVGElement, width: number, height: number): Node {
  const copy = layer.cloneNode(true) as SVGSVGElement;
  const [from, to] = [[...layer.querySelectorAll('*')], [...copy.querySelectorAll('*')]];
  for (const [index, element] of from.entries()) {
    const target = to[index];
    if (!target) continue;
    const style = getComputedStyle(element);
    target.removeAttribute('class');
    // The font size scales with the overlay.
    const label = element.closest('[data-label]');
    const factor = Math.max(1, width / widthForMarks);
    if (label === element) {
      target.setAttribute('transform', `${element.getAttribute('transform') ?? ''} scale(${factor})`);
      writeOut(element, target, { factor, width, left: layer.getBoundingClientRect().left });
    }
    for (const name of copied) {
      const value = style.getPropertyValue(name);
      target.setAttribute(name, growing.has(name) && !label ? `${parseFloat(value) * factor}px` : value);
    }
  }
  copy.removeAttribute('class');
  copy.setAttribute('width', String(width));
  copy.setAttribute('height', String(height));
  return copy;
}

/** Replaces a label that is truncated on screen by its full text if it fits into the picture. */
function writeOut(
  label: Element,
  copy: Element,
  { factor, width, left }: { readonly factor: number; readonly width: number; readonly left: number },
): void {
  const [text, plate] = [copy.querySelector('[data-words]'), copy.querySelector('rect')];
  const words = text?.getAttribute('data-words');
  if (!text || !plate || words === null || words === undefined) return;
  const whole = Number(text.getAttribute('data-width'));
  const over = Math.max(0, label.getBoundingClientRect().left - left + whole * factor - width);
  text.textContent = words;
  plate.setAttribute('width', String(whole));
  for (const part of [text, plate]) part.setAttribute('x', String(Number(part.getAttribute('x') ?? 0) - over / factor));
}

function drawn(svg: string): Promise<HTMLImageElement> {
  return new Promise((resolve, reject) => {
    const image = new Image();
    image.onload = () => resolve(image);
    image.onerror = () => reject(new Error('The measurements and annotations could not be drawn into the snapshot.'));
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  });
}
