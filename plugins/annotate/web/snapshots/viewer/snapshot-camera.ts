import { injectable } from 'inversify';
import { token } from '#core';
import type { ViewSurface } from '#plugins/tour';

/** The image of a surface with its overlay. */
export interface SurfaceCapture {
  /** Id of the surface's module. */
  readonly module: string;
  readonly picture: Blob;
  /** The overlay as SVG text, which is empty without an overlay. */
  readonly marks: string;
  /** The position of the surface on the page in CSS pixels. */
  readonly box: { readonly left: number; readonly top: number; readonly width: number; readonly height: number };
}

/** Two JPEG files. */
export interface SnapshotPicture {
  readonly picture: Blob;
  readonly thumbnail: Blob;
}

/** Captures the surfaces on screen. */
export const SnapshotCamera = token<SnapshotCamera>('annotate.SnapshotCamera');
export interface SnapshotCamera {
  /** Captures one surface. Rejects if the tour module cannot create its picture. */
  captureSurface(surface: ViewSurface): Promise<SurfaceCapture>;
  /**
   * Merges one or more surfaces into one picture in their layout on screen, optionally with their overlays.
   */
  mergeCaptures(captures: readonly SurfaceCapture[], includesMarks: boolean): Promise<SnapshotPicture>;
}

/** Largest side in pixels that all graphics cards and PDF readers support. */
const maxSidePx = 4096;
const thumbnailSidePx = 480;
const jpegQuality = 0.92;
/** Gap between the halves of a split view, in CSS pixels. */
const gapPx = 4;

@injectable()
export class CanvasCamera implements SnapshotCamera {
  async captureSurface(surface: ViewSurface): Promise<SurfaceCapture> {
    const { left, top, width, height } = surface.host.getBoundingClientRect();
    // The overlay is read synchronously before the picture, so that both show the same view.
    const marks = serializeOverlays(surface.host, width, height);
    return { module: surface.module, picture: await surface.takePicture(), marks, box: { left, top, width, height } };
  }

  async mergeCaptures(captures: readonly SurfaceCapture[], includesMarks: boolean): Promise<SnapshotPicture> {
    const images = await Promise.all(
      captures.map(async (capture) => ({
        capture,
        bitmap: await createImageBitmap(capture.picture),
        marks: includesMarks && capture.marks !== '' ? await loadSvg(capture.marks) : undefined,
      })),
    );
    const isSideBySide = new Set(images.map(({ capture }) => capture.box.left)).size > 1;
    const size = {
      width: isSideBySide
        ? sum(images.map(({ capture }) => capture.box.width)) + gapPx * (images.length - 1)
        : Math.max(...images.map(({ capture }) => capture.box.width)),
      height: isSideBySide
        ? Math.max(...images.map(({ capture }) => capture.box.height))
        : sum(images.map(({ capture }) => capture.box.height)) + gapPx * (images.length - 1),
    };
    const scale = Math.min(
      maxSidePx / Math.max(size.width, size.height),
      Math.max(...images.map(({ capture, bitmap }) => bitmap.width / Math.max(1, capture.box.width))),
    );
    const [canvas, context] = createCanvas(size.width * scale, size.height * scale);
    context.fillStyle = '#fff';
    context.fillRect(0, 0, canvas.width, canvas.height);
    let offset = 0;
    for (const { capture, bitmap, marks } of images.toSorted((a, b) =>
      isSideBySide ? a.capture.box.left - b.capture.box.left : a.capture.box.top - b.capture.box.top,
    )) {
      const rectangle = [
        isSideBySide ? offset * scale : 0,
        isSideBySide ? 0 : offset * scale,
        capture.box.width * scale,
        capture.box.height * scale,
      ] as const;
      context.drawImage(bitmap, ...rectangle);
      if (marks) context.drawImage(marks, ...rectangle);
      bitmap.close();
      offset += (isSideBySide ? capture.box.width : capture.box.height) + gapPx;
    }
    const thumbnailScale = Math.min(1, thumbnailSidePx / Math.max(canvas.width, canvas.height));
    const [thumbnailCanvas, thumbnailContext] = createCanvas(
      canvas.width * thumbnailScale,
      canvas.height * thumbnailScale,
    );
    thumbnailContext.imageSmoothingQuality = 'high';
    thumbnailContext.drawImage(canvas, 0, 0, thumbnailCanvas.width, thumbnailCanvas.height);
    return { picture: await encodeJpeg(canvas), thumbnail: await encodeJpeg(thumbnailCanvas) };
  }
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

function createCanvas(width: number, height: number): [HTMLCanvasElement, CanvasRenderingContext2D] {
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(width));
  canvas.height = Math.max(1, Math.round(height));
  const context = canvas.getContext('2d');
  if (!context) throw new Error('The browser cannot create a canvas for the snapshot. Close other tabs and try again.');
  return [canvas, context];
}

function encodeJpeg(canvas: HTMLCanvasElement): Promise<Blob> {
  return new Promise((resolve, reject) =>
    canvas.toBlob(
      (blob) =>
        blob
          ? resolve(blob)
          : reject(
              new Error('The picture of the snapshot could not be encoded because the browser has too little memory.'),
            ),
      'image/jpeg',
      jpegQuality,
    ),
  );
}

/**
 * Width in CSS pixels above which the overlay is enlarged. A wider picture is scaled down more in print, so its
 * labels would be too small to read.
 */
const maxUnscaledWidthPx = 1000;
const scaledProperties = new Set(['font-size', 'stroke-width']);

/** CSS properties that come from classes, which a standalone SVG cannot use. */
const copiedProperties = [
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

/** Serializes the overlays of a surface to one SVG that does not need a style sheet. */
function serializeOverlays(host: HTMLElement, width: number, height: number): string {
  const layers = [...host.querySelectorAll<SVGSVGElement>('svg[data-marks]')].filter(
    (layer) => layer.childElementCount > 0,
  );
  if (layers.length === 0) return '';
  const inner = layers.map((layer) => new XMLSerializer().serializeToString(inlineStyles(layer, width, height)));
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ` +
    `${height}">${inner.join('')}</svg>`
  );
}

function inlineStyles(layer: SVGSVGElement, width: number, height: number): Node {
  const copy = layer.cloneNode(true) as SVGSVGElement;
  const [sources, copies] = [[...layer.querySelectorAll('*')], [...copy.querySelectorAll('*')]];
  for (const [index, element] of sources.entries()) {
    const target = copies[index];
    if (!target) continue;
    const style = getComputedStyle(element);
    target.removeAttribute('class');
    // A label is scaled as a whole. Other elements are scaled by the properties in `scaledProperties`.
    const label = element.closest('[data-label]');
    const factor = Math.max(1, width / maxUnscaledWidthPx);
    if (label === element) {
      target.setAttribute('transform', `${element.getAttribute('transform') ?? ''} scale(${factor})`);
      restoreFullText(element, target, { factor, width, left: layer.getBoundingClientRect().left });
    }
    for (const name of copiedProperties) {
      const value = style.getPropertyValue(name);
      target.setAttribute(name, scaledProperties.has(name) && !label ? `${parseFloat(value) * factor}px` : value);
    }
  }
  copy.removeAttribute('class');
  copy.setAttribute('width', String(width));
  copy.setAttribute('height', String(height));
  return copy;
}

/** Replaces a label that is truncated on screen by its full text if it fits into the picture. */
function restoreFullText(
  label: Element,
  copy: Element,
  { factor, width, left }: { readonly factor: number; readonly width: number; readonly left: number },
): void {
  const [text, background] = [copy.querySelector('[data-words]'), copy.querySelector('rect')];
  const fullText = text?.getAttribute('data-words');
  if (!text || !background || fullText === null || fullText === undefined) return;
  const fullWidth = Number(text.getAttribute('data-width'));
  const overflow = Math.max(0, label.getBoundingClientRect().left - left + fullWidth * factor - width);
  text.textContent = fullText;
  background.setAttribute('width', String(fullWidth));
  for (const element of [text, background])
    element.setAttribute('x', String(Number(element.getAttribute('x') ?? 0) - overflow / factor));
}

function loadSvg(svg: string): Promise<HTMLImageElement> {
  return new Promise((resolve, reject) => {
    const image = new Image();
    image.onload = () => resolve(image);
    image.onerror = () => reject(new Error('The measurements and annotations could not be drawn into the snapshot.'));
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  });
}
