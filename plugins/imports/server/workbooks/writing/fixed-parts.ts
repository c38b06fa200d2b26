import { encodeCellText, escapeAttribute } from '../ooxml/xml.mjs';

export const mainNamespace = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
export const relationshipsNamespace = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packageNamespace = 'http://schemas.openxmlformats.org/package/2006';
export const xmlHead = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/** Formats in the order of `cellFormats`. */
export const stylesPart =
  `${xmlHead}<styleSheet xmlns="${mainNamespace}">` +
  '<numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm"/></numFmts>' +
  '<fonts count="2"><font><sz val="11"/><name val="Calibri"/><family val="2"/></font>' +
  '<font><b/><sz val="11"/><name val="Calibri"/><family val="2"/></font></fonts>' +
  '<fills count="3"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill>' +
  '<fill><patternFill patternType="solid"><fgColor rgb="FFEDEDED"/><bgColor indexed="64"/></patternFill></fill></fills>' +
  '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="5">' +
  '<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>' +
  '<xf numFmtId="49" fontId="1" fillId="2" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1" applyFill="1"/>' +
  '<xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>' +
  '<xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>' +
  '<xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyAlignment="1">' +
  '<alignment vertical="top" wrapText="1"/></xf>' +
  '</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>';

export interface SheetEntry {
  readonly name: string;
  readonly hidden: boolean;
  readonly hasComments: boolean;
}

export const createWorkbookPart = (sheets: readonly SheetEntry[]): string =>
  `${xmlHead}<workbook xmlns="${mainNamespace}" xmlns:r="${relationshipsNamespace}"><sheets>${sheets
    .map(
      ({ name, hidden }, index) =>
        `<sheet name="${escapeAttribute(name)}" sheetId="${index + 1}"${hidden ? ' state="hidden"' : ''} r:id="rId${index + 1}"/>`,
    )
    .join('')}</sheets></workbook>`;

const createRelationships = (relationships: readonly (readonly [type: string, target: string])[]): string =>
  `${xmlHead}<Relationships xmlns="${packageNamespace}/relationships">${relationships
    .map(
      ([type, target], index) =>
        `<Relationship Id="rId${index + 1}" Type="${relationshipsNamespace}/${type}" Target="${target}"/>`,
    )
    .join('')}</Relationships>`;

export const rootRelationships = createRelationships([['officeDocument', 'xl/workbook.xml']]);

export const createWorkbookRelationships = (sheets: readonly SheetEntry[]): string =>
  createRelationships([
    ...sheets.map((_, index) => ['worksheet', `worksheets/sheet${index + 1}.xml`] as const),
    ['styles', 'styles.xml'],
  ]);

/** `rId1` is the drawing of the comments. */
export const createSheetRelationships = (number: number): string =>
  createRelationships([
    ['vmlDrawing', `../drawings/vmlDrawing${number}.vml`],
    ['comments', `../comments${number}.xml`],
  ]);

export function createContentTypes(sheets: readonly SheetEntry[]): string {
  const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
  const override = (part: string, kind: string): string =>
    `<Override PartName="/xl/${part}.xml" ContentType="${type}.${kind}+xml"/>`;
  return (
    `${xmlHead}<Types xmlns="${packageNamespace}/content-types">` +
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
    '<Default Extension="xml" ContentType="application/xml"/>' +
    '<Default Extension="vml" ContentType="application/vnd.openxmlformats-officedocument.vmlDrawing"/>' +
    override('workbook', 'sheet.main') +
    override('styles', 'styles') +
    sheets
      .map(
        ({ hasComments }, index) =>
          override(`worksheets/sheet${index + 1}`, 'worksheet') +
          (hasComments ? override(`comments${index + 1}`, 'comments') : ''),
      )
      .join('') +
    '</Types>'
  );
}

/** A drop-down list for a column below its header. `formula` is a quoted list or a range. */
export const createDropDown = (letters: string, formula: string): string =>
  `<dataValidation type="list" errorStyle="warning" allowBlank="1" showErrorMessage="1" ` +
  `sqref="${letters}2:${letters}1048576"><formula1>${encodeCellText(formula)}</formula1></dataValidation>`;
