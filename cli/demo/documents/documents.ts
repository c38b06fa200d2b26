import { PDFDocument, rgb, StandardFonts } from 'pdf-lib';
import type { DemoDocument } from '#plugins/tour';
import type { Plant } from '../plant/types.ts';

type Fact = readonly [name: string, value: string];

/** A4 in points. */
const pageFormat = { width: 595, height: 842, margin: 56 };
const lineHeight = 18;

/** Data sheets of some tags, and the line list of the module. */
export function createDemoDocuments({ tags, lines, name }: Pick<Plant, 'tags' | 'lines' | 'name'>): DemoDocument[] {
  const dataSheets = ['V-1001', 'P-1002A'].flatMap((number) => tags.filter(({ tag }) => tag === number));
  return [
    ...dataSheets.map(({ tag, description, position, size }): DemoDocument => {
      const code = `HB-DS-${tag}`;
      const title = `Data sheet ${tag}`;
      const facts: readonly Fact[] = [
        ['Tag', tag],
        ['Description', description],
        ['Position (E, N, EL)', position.map((value) => `${value.toFixed(2)} m`).join(', ')],
        ['Size (x, y, z)', size.map((value) => `${value.toFixed(2)} m`).join(', ')],
      ];
      return {
        code,
        title,
        location: 'HB-M10',
        tags: [tag],
        revisions: [
          toRevision(code, title, name, 'A', 'S3', '2025-02-17', facts.slice(0, 2)),
          toRevision(code, title, name, 'B', 'A1', '2025-06-02', facts),
        ],
      };
    }),
    {
      code: 'HB-LL-M10',
      title: 'Line list, module M10',
      location: 'HB-M10',
      tags: lines.map(({ number }) => number),
      revisions: [
        toRevision(
          'HB-LL-M10',
          'Line list, module M10',
          name,
          'C',
          'CR',
          '2026-01-26',
          lines.map(({ number, service, from, to }): Fact => [number, `${service}, ${from} to ${to}`]),
        ),
      ],
    },
  ];
}

function toRevision(
  code: string,
  title: string,
  plant: string,
  revision: string,
  status: string,
  issuedOn: string,
  facts: readonly Fact[],
): DemoDocument['revisions'][number] {
  return {
    revision,
    status,
    issuedOn,
    fileName: `${code}-${revision}.pdf`,
    mediaType: 'application/pdf',
    content: () =>
      renderSheet({ title, subtitle: `${plant} · ${code} · Revision ${revision} · ${issuedOn}`, issuedOn, facts }),
  };
}

/** A PDF with a title and a table of facts. The same facts give the same bytes. */
async function renderSheet({
  title,
  subtitle,
  issuedOn,
  facts,
}: {
  readonly title: string;
  readonly subtitle: string;
  readonly issuedOn: string;
  readonly facts: readonly Fact[];
}): Promise<Uint8Array> {
  const document = await PDFDocument.create({ updateMetadata: false });
  document.setTitle(title);
  document.setCreationDate(new Date(issuedOn));
  const regular = await document.embedFont(StandardFonts.Helvetica);
  const bold = await document.embedFont(StandardFonts.HelveticaBold);
  const grey = rgb(0.35, 0.35, 0.35);
  let pdfPage = document.addPage([pageFormat.width, pageFormat.height]);
  let y = pageFormat.height - pageFormat.margin;
  pdfPage.drawText(title, { x: pageFormat.margin, y, size: 18, font: bold });
  pdfPage.drawText(subtitle, { x: pageFormat.margin, y: y - 20, size: 10, font: regular, color: grey });
  y -= 60;
  for (const [name, value] of facts) {
    if (y < pageFormat.margin) {
      pdfPage = document.addPage([pageFormat.width, pageFormat.height]);
      y = pageFormat.height - pageFormat.margin;
    }
    pdfPage.drawText(name, { x: pageFormat.margin, y, size: 10, font: regular, color: grey });
    pdfPage.drawText(value, { x: pageFormat.margin + 150, y, size: 10, font: regular });
    y -= lineHeight;
  }
  return document.save();
}
