import { PDFDocument, rgb, StandardFonts } from 'pdf-lib';
import type { DemoDocument } from '#plugins/tour';
import type { Plant } from '../plant/types.ts';

type Fact = readonly [name: string, value: string];

/** A4 in points. */
const pageFormat = { width: 595, height: 842, margin: 56 };
const lineHeight = 18;

/** The parts of a document that its revisions share. */
interface RevisedDocument {
  readonly code: string;
  readonly title: string;
  readonly plantName: string;
}

interface RevisionInput {
  readonly revision: string;
  readonly status: string;
  readonly issuedOn: string;
  readonly facts: readonly Fact[];
}

/** Creates the data sheets of two tags and the line list of module M10. */
export function createDemoDocuments({
  tags,
  lines: pipelines,
  name: plantName,
}: Pick<Plant, 'tags' | 'lines' | 'name'>): DemoDocument[] {
  const dataSheetTags = ['V-1001', 'P-1002A'].flatMap((tagNumber) => tags.filter(({ tag }) => tag === tagNumber));
  const lineList: RevisedDocument = { code: 'HB-LL-M10', title: 'Line list, module M10', plantName };
  return [
    ...dataSheetTags.map(({ tag, description, position, size }): DemoDocument => {
      const dataSheet: RevisedDocument = { code: `HB-DS-${tag}`, title: `Data sheet ${tag}`, plantName };
      const facts: readonly Fact[] = [
        ['Tag', tag],
        ['Description', description],
        ['Position (E, N, EL)', position.map((value) => `${value.toFixed(2)} m`).join(', ')],
        ['Size (x, y, z)', size.map((value) => `${value.toFixed(2)} m`).join(', ')],
      ];
      return {
        code: dataSheet.code,
        title: dataSheet.title,
        location: 'HB-M10',
        tags: [tag],
        revisions: [
          toRevision(dataSheet, { revision: 'A', status: 'S3', issuedOn: '2025-02-17', facts: facts.slice(0, 2) }),
          toRevision(dataSheet, { revision: 'B', status: 'A1', issuedOn: '2025-06-02', facts }),
        ],
      };
    }),
    {
      code: lineList.code,
      title: lineList.title,
      location: 'HB-M10',
      tags: pipelines.map(({ number }) => number),
      revisions: [
        toRevision(lineList, {
          revision: 'C',
          status: 'CR',
          issuedOn: '2026-01-26',
          facts: pipelines.map(({ number, service, from, to }): Fact => [number, `${service}, ${from} to ${to}`]),
        }),
      ],
    },
  ];
}

function toRevision(
  { code, title, plantName }: RevisedDocument,
  { revision, status, issuedOn, facts }: RevisionInput,
): DemoDocument['revisions'][number] {
  return {
    revision,
    status,
    issuedOn,
    fileName: `${code}-${revision}.pdf`,
    mediaType: 'application/pdf',
    content: () =>
      renderFactSheet({
        title,
        subtitle: `${plantName} · ${code} · Revision ${revision} · ${issuedOn}`,
        issuedOn,
        facts,
      }),
  };
}

/** Creates a PDF with a title and a table of facts. The same input gives the same bytes. */
async function renderFactSheet({
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
