import { PDFDocument, PDFName, PDFString, rgb, type PDFImage, type PDFPage } from 'pdf-lib';
import type { SnapshotMark } from '#plugins/annotate';
import type { Colour } from './accent-colour.ts';
import { inPdf, TextRenderer, type Line, type Painter } from './text-renderer.ts';

export interface SheetContent {
  readonly language: string;
  /** Name of the brand. */
  readonly product: string;
  /** Title of the sheet, such as `Snapshot`. */
  readonly kind: string;
  readonly name: string;
  /** A JPEG. */
  readonly picture: Uint8Array;
  /** Facts without a value are omitted. */
  readonly facts: readonly { readonly label: string; readonly value: string }[];
  readonly remark: { readonly label: string; readonly text: string };
  readonly marks: { readonly label: string; readonly rows: readonly SnapshotMark[] };
  /** Omitted if the address is empty. */
  readonly link: { readonly label: string; readonly address: string };
  readonly page: (number: number, count: number) => string;
  readonly accent: Colour;
  readonly author: string;
  readonly takenAt: Date;
}

/** A4 in points. */
const paper = { width: 595.28, height: 841.89 } as const;
const margin = { side: 48, top: 40, bottom: 52 } as const;
const inner = paper.width - 2 * margin.side;
/** Space below the head of a page. */
const top = paper.height - margin.top - 28;
/** Limit for a portrait picture, which leaves space for the text. */
const highestPicture = 380;
const labels = 108;

const ink: Colour = [0.13, 0.13, 0.13];
const grey: Colour = [0.38, 0.38, 0.38];
const pale = rgb(0.82, 0.82, 0.82);

/**
 * Creates a printable PDF: brand, name, picture, place, tag, date, author, link, remark, and the visible items, on as
 * many pages as needed.
 */
export async function snapshotSheet(content: SheetContent, painter: Painter): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  document.setTitle(content.name, { showInWindowTitleBar: true });
  document.setAuthor(content.author);
  document.setCreator(content.product);
  document.setLanguage(content.language);
  document.setCreationDate(content.takenAt);
  const sheet = new Sheet(document, await TextRenderer.of(document, painter), content);
  await sheet.write(await document.embedJpg(content.picture));
  return document.save();
}

class Sheet {
  readonly #document: PDFDocument;
  readonly #textRenderer: TextRenderer;
  readonly #content: SheetContent;
  #page: PDFPage;
  /** Top of the free space. */
  #y: number = top;

  constructor(document: PDFDocument, textRenderer: TextRenderer, content: SheetContent) {
    this.#document = document;
    this.#textRenderer = textRenderer;
    this.#content = content;
    this.#page = document.addPage([paper.width, paper.height]);
  }

  async write(picture: PDFImage): Promise<void> {
    const { name, facts, remark, marks, link } = this.#content;
    await this.#paragraph(name, { size: 20, bold: true, colour: ink }, { leading: 25, after: 10 });
    this.#draw(picture);
    for (const { label, value } of facts) if (value !== '') await this.#fact(label, value, 10);
    if (link.address !== '') await this.#fact(link.label, link.address, 8, link.address);
    if (remark.text !== '') {
      await this.#heading(remark.label);
      await this.#paragraph(remark.text, { size: 10, bold: false, colour: ink }, { leading: 14, after: 0 });
    }
    if (marks.rows.length > 0) {
      await this.#heading(marks.label);
      for (const row of marks.rows) await this.#fact(row.name, row.words, 9);
    }
    await this.#frame();
  }

  #draw(picture: PDFImage): void {
    const scale = Math.min(inner / picture.width, highestPicture / picture.height);
    const [width, height] = [picture.width * scale, picture.height * scale];
    const place = { x: margin.side + (inner - width) / 2, y: this.#y - height, width, height };
    this.#page.drawImage(picture, place);
    this.#page.drawRectangle({ ...place, borderColor: pale, borderWidth: 0.5 });
    this.#y -= height + 16;
  }

  async #heading(text: string): Promise<void> {
    // A heading is never the last line of a page.
    this.#room(46);
    this.#y -= 14;
    await this.#paragraph(text, { size: 11, bold: true, colour: this.#content.accent }, { leading: 16, after: 4 });
  }

  /** A label and its value above a hairline. */
  async #fact(label: string, value: string, size: number, address?: string): Promise<void> {
    const leading = size * 1.4;
    const names = this.#textRenderer.lines(label, { size: 9, bold: false, width: labels - 10 });
    // An address is one long word. A reader without Helvetica uses a font that may be wider.
    const values = this.#textRenderer.lines(value, {
      size,
      bold: false,
      width: (inner - labels) * (address === undefined ? 1 : 0.85),
    });
    const count = Math.max(names.length, values.length);
    this.#room(leading * Math.min(count, 3) + 8);
    for (let line = 0; line < count; line += 1) {
      this.#room(leading);
      const y = this.#y - size;
      await this.#textRenderer.write(
        this.#page,
        { text: names[line] ?? '', size: 9, bold: false, colour: grey },
        margin.side,
        y,
      );
      await this.#textRenderer.write(
        this.#page,
        { text: values[line] ?? '', size, bold: false, colour: address === undefined ? ink : this.#content.accent },
        margin.side + labels,
        y,
      );
      if (address !== undefined)
        this.#link(address, { x: margin.side + labels, y: y - 2, width: inner - labels, height: leading });
      this.#y -= leading;
    }
    this.#page.drawLine({
      start: { x: margin.side, y: this.#y - 1 },
      end: { x: margin.side + inner, y: this.#y - 1 },
      thickness: 0.5,
      color: pale,
    });
    this.#y -= 6;
  }

  async #paragraph(
    text: string,
    style: Omit<Line, 'text'>,
    { leading, after }: { readonly leading: number; readonly after: number },
  ): Promise<void> {
    for (const line of this.#textRenderer.lines(text, { ...style, width: inner })) {
      this.#room(leading);
      await this.#textRenderer.write(this.#page, { ...style, text: line }, margin.side, this.#y - style.size);
      this.#y -= leading;
    }
    this.#y -= after;
  }

  #room(points: number): void {
    if (this.#y - points >= margin.bottom) return;
    this.#page = this.#document.addPage([paper.width, paper.height]);
    this.#y = top;
  }

  #link(
    address: string,
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
      A: { Type: 'Action', S: 'URI', URI: PDFString.of(address) },
    });
    this.#page.node.addAnnot(context.register(annotation));
    this.#page.node.set(PDFName.of('Tabs'), PDFName.of('S'));
  }

  /** Head and foot of all pages, drawn last because only now the number of pages is known. */
  async #frame(): Promise<void> {
    const { product, kind, accent, name } = this.#content;
    const pages = this.#document.getPages();
    for (const [index, page] of pages.entries()) {
      const head = paper.height - margin.top;
      await this.#textRenderer.write(
        page,
        { text: inPdf(product), size: 10, bold: true, colour: accent },
        margin.side,
        head,
      );
      await this.#atRight(page, inPdf(kind), head);
      page.drawRectangle({ x: margin.side, y: head - 8, width: inner, height: 1.5, color: rgb(...accent) });
      const [title] = this.#textRenderer.lines(name, { size: 9, bold: false, width: inner - 120 });
      await this.#textRenderer.write(page, { text: title ?? '', size: 9, bold: false, colour: grey }, margin.side, 30);
      await this.#atRight(page, inPdf(this.#content.page(index + 1, pages.length)), 30);
    }
  }

  #atRight(page: PDFPage, text: string, y: number): Promise<void> {
    return this.#textRenderer.write(
      page,
      { text, size: 9, bold: false, colour: grey },
      paper.width - margin.side - this.#textRenderer.measureWidth(text, 9, false),
      y,
    );
  }
}
