import { PDFDocument, PDFName, PDFString, rgb, type PDFImage, type PDFPage } from 'pdf-lib';
import type { SnapshotMark } from '#plugins/annotate';
import type { Colour } from './accent-colour.ts';
import { toPdfText, TextRenderer, type Line, type Painter } from './text-renderer.ts';

export interface SheetContent {
  readonly language: string;
  /** Name of the brand. */
  readonly product: string;
  /** Title of the sheet, such as `Snapshot`. */
  readonly sheetTitle: string;
  readonly name: string;
  /** A JPEG. */
  readonly picture: Uint8Array;
  /** Details without a value are omitted. */
  readonly details: readonly { readonly label: string; readonly value: string }[];
  readonly remark: { readonly label: string; readonly text: string };
  readonly marks: { readonly label: string; readonly rows: readonly SnapshotMark[] };
  /** The link is omitted if the URL is empty. */
  readonly link: { readonly label: string; readonly url: string };
  readonly formatPageNumber: (number: number, count: number) => string;
  /** Brand colour of headings and links. */
  readonly accent: Colour;
  readonly author: string;
  readonly takenAt: Date;
}

/** A4 in points. */
const paper = { width: 595.28, height: 841.89 } as const;
const margin = { side: 48, top: 40, bottom: 52 } as const;
const innerWidth = paper.width - 2 * margin.side;
/** Top of the content, below the header of a page. */
const contentTop = paper.height - margin.top - 28;
/** The limit leaves space for the text below a portrait picture. */
const maxPictureHeight = 380;
const labelWidth = 108;

const ink: Colour = [0.13, 0.13, 0.13];
const grey: Colour = [0.38, 0.38, 0.38];
const lightGrey = rgb(0.82, 0.82, 0.82);

/**
 * Creates a printable PDF with brand, name, picture, details, link, remark and the visible items, on as many pages as
 * needed.
 */
export async function createSnapshotSheet(content: SheetContent, painter: Painter): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  document.setTitle(content.name, { showInWindowTitleBar: true });
  document.setAuthor(content.author);
  document.setCreator(content.product);
  document.setLanguage(content.language);
  document.setCreationDate(content.takenAt);
  const sheet = new SheetWriter(document, await TextRenderer.create(document, painter), content);
  await sheet.write(await document.embedJpg(content.picture));
  return document.save();
}

class SheetWriter {
  readonly #document: PDFDocument;
  readonly #textRenderer: TextRenderer;
  readonly #content: SheetContent;
  #page: PDFPage;
  /** Top of the free space on the current page. */
  #y: number = contentTop;

  constructor(document: PDFDocument, textRenderer: TextRenderer, content: SheetContent) {
    this.#document = document;
    this.#textRenderer = textRenderer;
    this.#content = content;
    this.#page = document.addPage([paper.width, paper.height]);
  }

  async write(picture: PDFImage): Promise<void> {
    const { name, details, remark, marks, link } = this.#content;
    await this.#writeParagraph(name, { size: 20, bold: true, colour: ink }, { leading: 25, spaceAfter: 10 });
    this.#drawPicture(picture);
    for (const { label, value } of details) if (value !== '') await this.#writeLabelAndValue(label, value, 10);
    if (link.url !== '') await this.#writeLabelAndValue(link.label, link.url, 8, link.url);
    if (remark.text !== '') {
      await this.#writeHeading(remark.label);
      await this.#writeParagraph(remark.text, { size: 10, bold: false, colour: ink }, { leading: 14, spaceAfter: 0 });
    }
    if (marks.rows.length > 0) {
      await this.#writeHeading(marks.label);
      for (const row of marks.rows) await this.#writeLabelAndValue(row.name, row.words, 9);
    }
    await this.#writeHeadersAndFooters();
  }

  #drawPicture(picture: PDFImage): void {
    const scale = Math.min(innerWidth / picture.width, maxPictureHeight / picture.height);
    const [width, height] = [picture.width * scale, picture.height * scale];
    const rectangle = { x: margin.side + (innerWidth - width) / 2, y: this.#y - height, width, height };
    this.#page.drawImage(picture, rectangle);
    this.#page.drawRectangle({ ...rectangle, borderColor: lightGrey, borderWidth: 0.5 });
    this.#y -= height + 16;
  }

  async #writeHeading(text: string): Promise<void> {
    // A heading is never the last line of a page.
    this.#ensureSpace(46);
    this.#y -= 14;
    await this.#writeParagraph(
      text,
      { size: 11, bold: true, colour: this.#content.accent },
      { leading: 16, spaceAfter: 4 },
    );
  }

  /** Writes a label and its value above a hairline. */
  async #writeLabelAndValue(label: string, value: string, size: number, url?: string): Promise<void> {
    const leading = size * 1.4;
    const labelLines = this.#textRenderer.wrapText(label, { size: 9, bold: false, width: labelWidth - 10 });
    // A URL gets less width, because a PDF reader without Helvetica may use a wider font.
    const valueLines = this.#textRenderer.wrapText(value, {
      size,
      bold: false,
      width: (innerWidth - labelWidth) * (url === undefined ? 1 : 0.85),
    });
    const count = Math.max(labelLines.length, valueLines.length);
    this.#ensureSpace(leading * Math.min(count, 3) + 8);
    for (let line = 0; line < count; line += 1) {
      this.#ensureSpace(leading);
      const y = this.#y - size;
      await this.#textRenderer.write(
        this.#page,
        { text: labelLines[line] ?? '', size: 9, bold: false, colour: grey },
        margin.side,
        y,
      );
      await this.#textRenderer.write(
        this.#page,
        { text: valueLines[line] ?? '', size, bold: false, colour: url === undefined ? ink : this.#content.accent },
        margin.side + labelWidth,
        y,
      );
      if (url !== undefined)
        this.#addLink(url, {
          x: margin.side + labelWidth,
          y: y - 2,
          width: innerWidth - labelWidth,
          height: leading,
        });
      this.#y -= leading;
    }
    this.#page.drawLine({
      start: { x: margin.side, y: this.#y - 1 },
      end: { x: margin.side + innerWidth, y: this.#y - 1 },
      thickness: 0.5,
      color: lightGrey,
    });
    this.#y -= 6;
  }

  async #writeParagraph(
    text: string,
    style: Omit<Line, 'text'>,
    { leading, spaceAfter }: { readonly leading: number; readonly spaceAfter: number },
  ): Promise<void> {
    for (const line of this.#textRenderer.wrapText(text, { ...style, width: innerWidth })) {
      this.#ensureSpace(leading);
      await this.#textRenderer.write(this.#page, { ...style, text: line }, margin.side, this.#y - style.size);
      this.#y -= leading;
    }
    this.#y -= spaceAfter;
  }

  #ensureSpace(points: number): void {
    if (this.#y - points >= margin.bottom) return;
    this.#page = this.#document.addPage([paper.width, paper.height]);
    this.#y = contentTop;
  }

  #addLink(
    url: string,
    {
      x,
      y,
      width,
      height,
    }: { readonly x: number; readonly y: number; readonly width: number; readonly height: number },
  ): void {
    const { context } = this.#document;
    const annotation = context.obj({
      Type: 'Annot',
      Subtype: 'Link',
      Rect: [x, y, x + width, y + height],
      Border: [0, 0, 0],
      A: { Type: 'Action', S: 'URI', URI: PDFString.of(url) },
    });
    this.#page.node.addAnnot(context.register(annotation));
    this.#page.node.set(PDFName.of('Tabs'), PDFName.of('S'));
  }

  /** Writes header and footer of all pages. It must run last, when the number of pages is known. */
  async #writeHeadersAndFooters(): Promise<void> {
    const { product, sheetTitle, accent, name } = this.#content;
    const pages = this.#document.getPages();
    for (const [index, page] of pages.entries()) {
      const headerY = paper.height - margin.top;
      await this.#textRenderer.write(
        page,
        { text: toPdfText(product), size: 10, bold: true, colour: accent },
        margin.side,
        headerY,
      );
      await this.#writeRightAligned(page, toPdfText(sheetTitle), headerY);
      page.drawRectangle({ x: margin.side, y: headerY - 8, width: innerWidth, height: 1.5, color: rgb(...accent) });
      const [title] = this.#textRenderer.wrapText(name, { size: 9, bold: false, width: innerWidth - 120 });
      await this.#textRenderer.write(page, { text: title ?? '', size: 9, bold: false, colour: grey }, margin.side, 30);
      await this.#writeRightAligned(page, toPdfText(this.#content.formatPageNumber(index + 1, pages.length)), 30);
    }
  }

  #writeRightAligned(page: PDFPage, text: string, y: number): Promise<void> {
    return this.#textRenderer.write(
      page,
      { text, size: 9, bold: false, colour: grey },
      paper.width - margin.side - this.#textRenderer.measureWidth(text, 9, false),
      y,
    );
  }
}
