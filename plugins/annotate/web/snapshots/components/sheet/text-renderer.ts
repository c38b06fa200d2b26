import { rgb, StandardFonts, type PDFDocument, type PDFFont, type PDFPage } from 'pdf-lib';
import type { Colour } from './accent-colour.ts';

/** Paints lines in scripts that the standard fonts of a PDF lack. */
export interface Painter {
  /** Measures the width of a text in points. */
  measureWidth(text: string, size: number, bold: boolean): number;
  /**
   * Paints a PNG that is as wide as `measureWidth` and 1.5 times `size` high. `ascent` is the distance from its top to
   * the baseline in points.
   */
  paint(
    text: string,
    size: number,
    bold: boolean,
    colour: Colour,
  ): Promise<{ readonly png: Uint8Array; readonly ascent: number }>;
}

export interface Line {
  readonly text: string;
  /** Font size in points. */
  readonly size: number;
  readonly bold: boolean;
  readonly colour: Colour;
}

/**
 * Draws text on the pages of a PDF. It uses Helvetica, which every PDF reader has, if WinAnsi has all letters of a line
 * (English, French and most of western Europe). Other lines are painted.
 */
export class TextRenderer {
  readonly #document: PDFDocument;
  readonly #fonts: { readonly regular: PDFFont; readonly bold: PDFFont };
  readonly #characters: ReadonlySet<number>;
  readonly #painter: Painter;

  private constructor(
    document: PDFDocument,
    fonts: { readonly regular: PDFFont; readonly bold: PDFFont },
    painter: Painter,
  ) {
    this.#document = document;
    this.#fonts = fonts;
    this.#characters = new Set(fonts.regular.getCharacterSet());
    this.#painter = painter;
  }

  static async create(document: PDFDocument, painter: Painter): Promise<TextRenderer> {
    const [regular, bold] = await Promise.all([
      document.embedFont(StandardFonts.Helvetica),
      document.embedFont(StandardFonts.HelveticaBold),
    ]);
    return new TextRenderer(document, { regular, bold }, painter);
  }

  measureWidth(text: string, size: number, bold: boolean): number {
    return this.#supports(text)
      ? this.#font(bold).widthOfTextAtSize(text, size)
      : this.#painter.measureWidth(text, size, bold);
  }

  /** Writes a line. `y` is the baseline in points from the bottom of the page. */
  async write(page: PDFPage, { text, size, bold, colour }: Line, x: number, y: number): Promise<void> {
    if (text === '') return;
    if (this.#supports(text)) {
      page.drawText(text, { x, y, size, font: this.#font(bold), color: rgb(...colour) });
      return;
    }
    const { png, ascent } = await this.#painter.paint(text, size, bold, colour);
    const height = size * 1.5;
    page.drawImage(await this.#document.embedPng(png), {
      x,
      y: y + ascent - height,
      width: this.#painter.measureWidth(text, size, bold),
      height,
    });
  }

  /** Wraps a text to `width` points. A word is only broken if it is longer than a line. */
  wrapText(
    text: string,
    { size, bold, width }: { readonly size: number; readonly bold: boolean; readonly width: number },
  ): readonly string[] {
    return toPdfText(text)
      .split('\n')
      .flatMap((paragraph) => {
        const lines: string[] = [];
        let line = '';
        for (const word of paragraph.split(' ')) {
          const longer = line === '' ? word : `${line} ${word}`;
          if (this.measureWidth(longer, size, bold) <= width) {
            line = longer;
            continue;
          }
          if (line !== '') lines.push(line);
          line = '';
          for (const letter of word) {
            if (line !== '' && this.measureWidth(line + letter, size, bold) > width) {
              lines.push(line);
              line = '';
            }
            line += letter;
          }
        }
        return [...lines, line];
      });
  }

  #font(bold: boolean): PDFFont {
    return bold ? this.#fonts.bold : this.#fonts.regular;
  }

  #supports(text: string): boolean {
    return [...text].every((letter) => this.#characters.has(letter.codePointAt(0) ?? 0));
  }
}

/** Normalizes a text for WinAnsi: composes letters and replaces spaces and signs that WinAnsi does not have. */
export function toPdfText(text: string): string {
  return text
    .normalize('NFC')
    .replaceAll(/[\u202f\u2007\u2009\u200a]/g, '\u00a0')
    .replaceAll('\u2212', '-')
    .replaceAll('\t', ' ')
    .replaceAll(/[^\P{Cc}\n]|[\u200b\ufeff]/gu, '');
}
