import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { itWithSampleData } from '#core/testing/sample-data';
import { formatBrowserTestTitle, launchBrowser, noBrowser } from '../browser/browser.ts';
import { buildPdf } from './build-pdf.ts';
import { servePdfPage, type PdfPageServer } from './pdf-page-server.ts';
import type { DrawnPdf } from './pdf-page.ts';

const square = '64 0 0 64 0 0 cm';

describe.skipIf(noBrowser)(formatBrowserTestTitle('PDFs as plans'), () => {
  const pdfs = new Map<string, Uint8Array>();
  const violations: string[] = [];
  let server: PdfPageServer;
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    server = await servePdfPage(pdfs);
    browser = await launchBrowser();
    page = await browser.newPage();
    page.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) violations.push(message.text());
    });
    await page.goto(server.url);
    await page.waitForFunction(() => 'drawPdf' in globalThis);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });
  const draw = (pdf: Uint8Array): Promise<DrawnPdf> => {
    const pdfUrl = `/${pdfs.size}.pdf`;
    pdfs.set(pdfUrl, pdf);
    return page.evaluate(
      (url) => (globalThis as unknown as { drawPdf(url: string): Promise<DrawnPdf> }).drawPdf(url),
      pdfUrl,
    );
  };
  /** The colour of a pixel, by fractions of width and height. */
  const readPixel = async ({ picture = '' }: DrawnPdf, x: number, y: number): Promise<readonly number[]> => {
    const { data, info } = await sharp(Buffer.from(picture, 'base64'))
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    const offset = (Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * info.channels;
    return [...data.subarray(offset, offset + 3)];
  };

  it('draws lines, texts without their font and JPEG 2000, without violations of the policy', async () => {
    const contents = `0 0 1 rg 200 150 200 150 re f BT /F 24 Tf 60 200 Td (Deck) Tj ET q ${square} /I Do Q`;
    const drawnPdf = await draw(buildPdf({ contents }));
    expect(drawnPdf).toMatchObject({ pages: 1, width: 1667, height: 1250 });
    expect(await readPixel(drawnPdf, 0.75, 0.25)).toEqual([0, 0, 255]);
    expect(await readPixel(drawnPdf, 0.05, 0.95)).toEqual([255, 0, 0]);
    expect(await readPixel(drawnPdf, 0.75, 0.75)).toEqual([255, 255, 255]);
    expect(violations).toEqual([]);
  });

  it('draws an A0 sheet with 8192 px', async () => {
    expect(await draw(buildPdf({ size: [3370, 2384] }))).toMatchObject({ width: 8192, height: 5795 });
  });

  it('says why a PDF cannot be read', async () => {
    expect(await draw(buildPdf({ encrypted: true }))).toEqual({ problem: 'encrypted' });
    expect(await draw(Buffer.from('no PDF'))).toEqual({ problem: 'damaged' });
    expect(await draw(new Uint8Array())).toEqual({ problem: 'empty' });
  });

  itWithSampleData(
    'draws a drawing of a plant',
    ['pid/dexpi-training/C01 the complete DEXPI PnID/C01V01-HEX.EX02.pdf'],
    async ([file]) => {
      const drawnPdf = await draw(await readFile(file));
      expect(drawnPdf).toMatchObject({ pages: 1, width: 8192 });
      const { channels } = await sharp(Buffer.from(drawnPdf.picture ?? '', 'base64')).stats();
      // Black lines on white paper.
      expect(channels[0]).toMatchObject({ min: 0, max: 255 });
      expect(violations).toEqual([]);
    },
  );
});
