import type { SignStyle } from '../plant/types.ts';

/** One text image in the atlas, in pixels from its upper left corner. */
export interface AtlasCell {
  readonly key: string;
  readonly style: SignStyle | 'marker';
  readonly text: readonly string[];
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Square side of the atlas in pixels. */
export const atlasSize = 4096;
/** Empty pixels around each cell. */
const margin = 2;

/** Pixels per metre by style. Texts that are read from close up get more. */
const pixelsPerMetre: Readonly<Record<AtlasCell['style'], number>> = {
  tag: 620,
  name: 420,
  warning: 420,
  mandatory: 420,
  safe: 420,
  fire: 420,
  notice: 300,
  module: 110,
  marker: 480,
};

/** Packs text images in rows. Equal texts share one cell. */
export class TextAtlas {
  readonly cells: AtlasCell[] = [];
  readonly #cellsByKey = new Map<string, AtlasCell>();
  #x = 0;
  #y = 0;
  #rowHeight = 0;

  /**
   * Returns the cell of a text, and adds it if there is none. `width` and `height` are in metres.
   *
   * @throws if the atlas is full
   */
  ensureCell(style: AtlasCell['style'], text: readonly string[], width: number, height: number): AtlasCell {
    const key = JSON.stringify([style, text, width.toFixed(3), height.toFixed(3)]);
    const cached = this.#cellsByKey.get(key);
    if (cached) return cached;
    const cellWidth = Math.round(width * pixelsPerMetre[style]);
    const cellHeight = Math.round(height * pixelsPerMetre[style]);
    if (this.#x + cellWidth + 2 * margin > atlasSize) {
      this.#x = 0;
      this.#y += this.#rowHeight;
      this.#rowHeight = 0;
    }
    if (this.#y + cellHeight + 2 * margin > atlasSize)
      throw new Error(
        `The text atlas of ${atlasSize} pixels is full at "${text.join(' ')}". Lower a value of pixelsPerMetre.`,
      );
    const cell: AtlasCell = {
      key,
      style,
      text,
      x: this.#x + margin,
      y: this.#y + margin,
      width: cellWidth,
      height: cellHeight,
    };
    this.#x += cellWidth + 2 * margin;
    this.#rowHeight = Math.max(this.#rowHeight, cellHeight + 2 * margin);
    this.cells.push(cell);
    this.#cellsByKey.set(key, cell);
    return cell;
  }
}

/** Atlas coordinates of a cell's lower left and upper right corner (v upward). */
export function computeCellUv(cell: AtlasCell): {
  readonly u0: number;
  readonly v0: number;
  readonly u1: number;
  readonly v1: number;
} {
  return {
    u0: cell.x / atlasSize,
    v0: 1 - (cell.y + cell.height) / atlasSize,
    u1: (cell.x + cell.width) / atlasSize,
    v1: 1 - cell.y / atlasSize,
  };
}
