import type { Colour } from './accent-colour.ts';
import type { Painter } from './text-renderer.ts';

/** Canvas pixels per point of font size, sharp enough for print. */
const pixelsPerPoint = 4;
const fontFamily = 'Helvetica, Arial, "Noto Sans", sans-serif';

/** Paints text with the fonts of the device, which cover the scripts of its user. */
export class CanvasPainter implements Painter {
  readonly #canvas = document.createElement('canvas');

  measureWidth(text: string, size: number, bold: boolean): number {
    return this.#context(size, bold).measureText(text).width / pixelsPerPoint;
  }

  async paint(
    text: string,
    size: number,
    bold: boolean,
    [red, green, blue]: Colour,
  ): Promise<{ readonly png: Uint8Array; readonly ascent: number }> {
    const width = this.measureWidth(text, size, bold);
    [this.#canvas.width, this.#canvas.height] = [
      Math.max(1, Math.ceil(width * pixelsPerPoint)),
      Math.ceil(size * 1.5 * pixelsPerPoint),
    ];
    const context = this.#context(size, bold);
    context.fillStyle = `rgb(${red * 255} ${green * 255} ${blue * 255})`;
    context.fillText(text, 0, size * 1.1 * pixelsPerPoint);
    const blob = await new Promise<Blob | null>((resolve) => this.#canvas.toBlob(resolve, 'image/png'));
    if (!blob) throw new Error('A line of the sheet could not be painted because the browser has too little memory.');
    return { png: new Uint8Array(await blob.arrayBuffer()), ascent: size * 1.1 };
  }

  #context(size: number, bold: boolean): CanvasRenderingContext2D {
    const context = this.#canvas.getContext('2d');
    if (!context)
      throw new Error('The browser cannot create a canvas for the text of the sheet. Close other tabs and try again.');
    context.font = `${bold ? '600 ' : ''}${size * pixelsPerPoint}px ${fontFamily}`;
    return context;
  }
}
