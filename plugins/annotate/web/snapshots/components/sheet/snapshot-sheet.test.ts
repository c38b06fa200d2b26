import { Buffer } from 'node:buffer';
import { PDFDict, PDFDocument, PDFName, PDFString } from 'pdf-lib';
import { describe, expect, it } from 'vitest';
import { greyPixelJpeg, readTexts } from '../../../../testing/web/pdf-texts.ts';
import { toPdfText, type Painter } from './text-renderer.ts';
import { createSnapshotSheet, type SheetContent } from './snapshot-sheet.ts';

const pixelPng = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

class RecordingPainter implements Painter {
  readonly painted: string[] = [];
  measureWidth(text: string, size: number): number {
    return text.length * size * 0.6;
  }
  async paint(text: string, size: number) {
    this.painted.push(text);
    return { png: new Uint8Array(pixelPng), ascent: size };
  }
}

const buildContent = (changes: Partial<SheetContent> = {}): SheetContent => ({
  language: 'fr',
  product: 'Walkdown Demo',
  sheetTitle: 'Instantané',
  name: 'Fuite à la bride du réchauffeur n° 3',
  picture: greyPixelJpeg,
  details: [
    { label: 'Lieu', value: 'Plateforme › Pont supérieur' },
    { label: 'Repère', value: '' },
    { label: 'Date', value: '21 novembre 2026' },
  ],
  remark: { label: 'Remarque', text: 'Joint à changer\nŒil sur l’étanchéité : 1\u202f235 ± 2 mm' },
  marks: { label: 'Mesures', rows: [{ name: 'Distance 1', words: '1,235 m' }] },
  link: { label: 'Lien', url: 'https://plant.example/dashboard/console/tour/HB?v=1&node=N1' },
  formatPageNumber: (number, count) => `Page ${number} sur ${count}`,
  accent: [0, 0.4, 0.8],
  author: 'Ann Lee',
  takenAt: new Date('2026-11-21T09:00:00Z'),
  ...changes,
});

const createSheet = async (changes: Partial<SheetContent> = {}) => {
  const painter = new RecordingPainter();
  const document = await PDFDocument.load(await createSnapshotSheet(buildContent(changes), painter), {
    updateMetadata: false,
  });
  return { document, painter, texts: document.getPages().map(readTexts) };
};

describe('snapshotSheet', () => {
  it('[TOUR-11] has an A4 page with the details, the remark and the visible items, with accents', async () => {
    const { document, painter, texts } = await createSheet();
    expect(document.getPages().map((page) => page.getSize())).toEqual([{ width: 595.28, height: 841.89 }]);
    expect([document.getTitle(), document.getAuthor(), document.getCreator()]).toEqual([
      'Fuite à la bride du réchauffeur n° 3',
      'Ann Lee',
      'Walkdown Demo',
    ]);
    const all = texts[0] ?? [];
    for (const text of [
      'Walkdown Demo',
      'Instantané',
      'Fuite à la bride du réchauffeur n° 3',
      'Plateforme › Pont supérieur',
      '21 novembre 2026',
      'Joint à changer',
      'Œil sur l’étanchéité : 1\u00a0235 ± 2 mm',
      'Distance 1',
      '1,235 m',
      'Page 1 sur 1',
    ])
      expect(all).toContain(text);
    expect(all).not.toContain('Repère');
    expect(painter.painted).toEqual([]);
  });

  it('[TOUR-11] has a link to the view', async () => {
    const { document } = await createSheet();
    const annotations =
      document
        .getPage(0)
        .node.Annots()
        ?.asArray()
        .map((reference) => document.context.lookup(reference, PDFDict)) ?? [];
    const addresses = annotations.map((annotation) =>
      annotation.lookup(PDFName.of('A'), PDFDict).lookup(PDFName.of('URI'), PDFString).asString(),
    );
    expect(new Set(addresses)).toEqual(new Set(['https://plant.example/dashboard/console/tour/HB?v=1&node=N1']));
  });

  it('[TOUR-11] paints lines as pictures if the standard fonts lack their letters', async () => {
    const { painter, texts } = await createSheet({ name: 'Утечка 漏れ' });
    expect(painter.painted).toEqual(expect.arrayContaining(['Утечка 漏れ']));
    expect(texts[0]).toContain('Joint à changer');
  });

  it('[TOUR-11] continues on further pages, and breaks words that are longer than a line', async () => {
    const rows = Array.from({ length: 80 }, (_, index) => ({
      name: `Distance ${index + 1}`,
      words: `${index + 1},000 m`,
    }));
    const { texts } = await createSheet({ name: 'X'.repeat(120), marks: { label: 'Mesures', rows } });
    expect(texts.length).toBeGreaterThan(2);
    expect(texts.flat().filter((text) => /^Distance \d+$/.test(text))).toHaveLength(80);
    for (const [index, page] of texts.entries())
      expect(page).toEqual(expect.arrayContaining(['Walkdown Demo', `Page ${index + 1} sur ${texts.length}`]));
    expect(texts[0]?.filter((text) => /^X+$/.test(text)).every((text) => text.length < 120)).toBe(true);
  });

  it('normalizes letters and removes unprintable characters', () => {
    expect(toPdfText('e\u0301te\u0301\u0007\u200b −5\u202f°C\nx')).toBe('été -5\u00a0°C\nx');
  });
});
