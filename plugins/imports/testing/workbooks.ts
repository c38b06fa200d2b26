import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { buildZip } from '#core/testing/server';

const officeNamespace = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packageNamespace = 'http://schemas.openxmlformats.org/package/2006';
const mainNamespace = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const contentTypePrefix = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

export interface WorkbookParts {
  /** The content of each worksheet as XML, by the name of the sheet. */
  readonly sheets: Readonly<Record<string, string>>;
  readonly strings?: string;
  readonly styles?: string;
  /** Elements of the workbook before and after its list of sheets. */
  readonly before?: string;
  readonly after?: string;
  /** Attributes of each sheet in the list, such as `state="hidden"`. */
  readonly attributes?: string;
  /** Further parts by name, or other content for the generated parts. */
  readonly parts?: Readonly<Record<string, string>>;
}

/** Builds a workbook from XML, also such as only programs other than Excel write. */
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
    '[Content_Types].xml': `<Types xmlns="${packageNamespace}/content-types"><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${contentTypePrefix}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${contentTypePrefix}.styles+xml"/></Types>`,
    '_rels/.rels': `<Relationships xmlns="${packageNamespace}/relationships"><Relationship Id="rId1" Type="${officeNamespace}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `<workbook xmlns="${mainNamespace}" xmlns:r="${officeNamespace}">${before}<sheets>${names
      .map((name, index) => `<sheet name="${name}" sheetId="${index + 1}" ${attributes} r:id="rId${index + 1}"/>`)
      .join('')}</sheets>${after}</workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${packageNamespace}/relationships">${names
      .map(
        (_, index) =>
          `<Relationship Id="rId${index + 1}" Type="${officeNamespace}/worksheet" Target="worksheets/sheet${index + 1}.xml"/>`,
      )
      .join(
        '',
      )}<Relationship Id="s" Type="${officeNamespace}/sharedStrings" Target="sharedStrings.xml"/><Relationship Id="t" Type="${officeNamespace}/styles" Target="styles.xml"/></Relationships>`,
    ...(strings === undefined ? {} : { 'xl/sharedStrings.xml': `<sst xmlns="${mainNamespace}">${strings}</sst>` }),
    'xl/styles.xml': `<styleSheet xmlns="${mainNamespace}">${styles ?? ''}</styleSheet>`,
    ...Object.fromEntries(
      Object.values(sheets).map((xml, index) => [
        `xl/worksheets/sheet${index + 1}.xml`,
        `<worksheet xmlns="${mainNamespace}" xmlns:r="${officeNamespace}">${xml}</worksheet>`,
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
