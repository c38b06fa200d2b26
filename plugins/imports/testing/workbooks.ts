import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { buildZip } from '#core/testing/server';

const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packages = 'http://schemas.openxmlformats.org/package/2006';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

export interface WorkbookParts {
  /** What follows the start tag of each worksheet, by the name of the sheet. */
  readonly sheets: Readonly<Record<string, string>>;
  readonly strings?: string;
  readonly styles?: string;
  /** Elements of the workbook before and after its list of sheets. */
  readonly before?: string;
  readonly after?: string;
  /** Attributes of each sheet in the list, such as `state="hidden"`. */
  readonly attributes?: string;
  /** Further parts, or other content of these. */
  readonly parts?: Readonly<Record<string, string>>;
}

/** Builds a workbook from XML, such as programs other than Excel write it. */
export function buildWorkbook({
  sheets,
  strings,
  styles,
  before = '',
  after = '',
  attributes = '',
  parts,
}: WorkbookParts): Buffer {
  const names = Object.keys(sheets);
  return buildZip({
    '[Content_Types].xml': `<Types xmlns="${packages}/content-types"><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${type}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${type}.styles+xml"/></Types>`,
    '_rels/.rels': `<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${office}">${before}<sheets>${names
      .map((name, index) => `<sheet name="${name}" sheetId="${index + 1}" ${attributes} r:id="rId${index + 1}"/>`)
      .join('')}</sheets>${after}</workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${packages}/relationships">${names
      .map(
        (_, index) =>
          `<Relationship Id="rId${index + 1}" Type="${office}/worksheet" Target="worksheets/sheet${index + 1}.xml"/>`,
      )
      .join(
        '',
      )}<Relationship Id="s" Type="${office}/sharedStrings" Target="sharedStrings.xml"/><Relationship Id="t" Type="${office}/styles" Target="styles.xml"/></Relationships>`,
    ...(strings === undefined ? {} : { 'xl/sharedStrings.xml': `<sst xmlns="${main}">${strings}</sst>` }),
    'xl/styles.xml': `<styleSheet xmlns="${main}">${styles ?? ''}</styleSheet>`,
    ...Object.fromEntries(
      Object.values(sheets).map((xml, index) => [
        `xl/worksheets/sheet${index + 1}.xml`,
        `<worksheet xmlns="${main}" xmlns:r="${office}">${xml}</worksheet>`,
      ]),
    ),
    ...parts,
  });
}

/** A temporary folder for the tests of a file. */
export function createFolder(): {
  save(name: string, content: string | Uint8Array): Promise<string>;
  path(name: string): string;
} {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'workbooks-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  return {
    path: (name) => path.join(folder, name),
    save: async (name, content) => {
      const file = path.join(folder, name);
      await writeFile(file, content);
      return file;
    },
  };
}

/** The items of an iterable. */
export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const collectedItems: T[] = [];
  for await (const item of items) collectedItems.push(item);
  return collectedItems;
}

/** The workbooks in folders of the sample data. */
export async function listWorkbooks(folders: readonly string[]): Promise<string[]> {
  const lists = await Promise.all(
    folders.map(async (root) => (await readdir(root, { recursive: true })).map((name) => path.join(root, name))),
  );
  return lists.flat().filter((name) => /\.(?:xls[bmx]?|zip)$/.test(name));
}
