// Finds the parts of a workbook: its sheets, number formats and shared strings.
import path from 'node:path';
import { WorkbookError } from '../ooxml/workbook-error.mjs';
import { decodeCellText, parseXml, parseXmlStream, toLocalName } from '../ooxml/xml.mjs';
import { isDateFormat, isDayFormat, isPercentFormat } from './dates.mjs';

const maxSharedStringBytes = 400 * 1024 ** 2;
/** In the namespaces of workbooks that follow OOXML Strict. Transitional ones use `schemas.openxmlformats.org`. */
const strictNamespaceHost = 'purl.oclc.org';

/** Resolves the target of a relationship of the part `source`. */
export const resolveTarget = (source, target) =>
  target.startsWith('/') ? target.slice(1) : path.posix.join(path.posix.dirname(source), target);

export const toRelationshipsName = (part) =>
  path.posix.join(path.posix.dirname(part), '_rels', `${path.posix.basename(part)}.rels`);

/** Lists the relationships of a part: `{ id, type, target }`, the type without its namespace. */
export async function readRelationships(zip, part) {
  const text = await zip.text(toRelationshipsName(part));
  const relationships = [];
  parseXml(text ?? '<none/>', {
    open: (name, { Id: id, Type: type = '', Target: target, TargetMode: mode }) => {
      if (toLocalName(name) === 'Relationship' && target !== undefined && mode !== 'External')
        relationships.push({ id, type: type.slice(type.lastIndexOf('/') + 1), target: resolveTarget(part, target) });
    },
  });
  return relationships;
}

/**
 * Reads the list of sheets and the names of the parts that their cells need.
 *
 * @throws WorkbookError
 */
export async function openWorkbook(zip) {
  const part = await findWorkbookPart(zip);
  const relationships = await readRelationships(zip, part);
  const { listed, is1904, strict } = readSheetList((await zip.text(part)) ?? '');
  const sheets = listed.flatMap(({ id, ...sheet }) => {
    if (!id) return [];
    const sheetRelationship = relationships.find((relationship) => relationship.id === id);
    if (!sheetRelationship)
      throw new WorkbookError('imports.refused.workbookDamaged', {}, { cause: `sheet ${sheet.name} has no part` });
    return sheetRelationship.type === 'worksheet' ? [{ ...sheet, part: sheetRelationship.target }] : [];
  });
  const findPart = (type) => relationships.find((relationship) => relationship.type === type)?.target;
  return {
    part,
    relationships,
    sheets,
    is1904,
    strict,
    stylesPart: findPart('styles'),
    stringsPart: findPart('sharedStrings'),
  };
}

async function findWorkbookPart(zip) {
  const types = await zip.text('[Content_Types].xml');
  if (types === undefined) throw new WorkbookError('imports.refused.workbookOther');
  const [main] = (await readRelationships(zip, '')).filter(({ type }) => type === 'officeDocument');
  // [Content_Types].xml may name a binary type although the file has no binary part: look at the parts instead.
  if (main?.target.endsWith('.bin')) throw new WorkbookError('imports.refused.workbookBinary');
  if (
    /(?:sheet|template|addin)\.macroEnabled/.test(types.replaceAll(/<Default\b[^>]*>/g, '')) ||
    zip.names.some((name) => /vbaProject\.bin$/i.test(name))
  )
    throw new WorkbookError('imports.refused.workbookMacros');
  if (!main || !/spreadsheetml/.test(types)) throw new WorkbookError('imports.refused.workbookOther');
  return main.target;
}

function readSheetList(text) {
  const listedSheets = [];
  let [is1904, isStrictOoxml] = [false, false];
  parseXml(text, {
    open: (name, attributes) => {
      const local = toLocalName(name);
      if (local === 'workbook')
        isStrictOoxml = Object.values(attributes).some((value) => value.includes(strictNamespaceHost));
      if (local === 'workbookPr') is1904 = ['1', 'true'].includes(attributes.date1904);
      if (local !== 'sheet') return;
      const id = Object.entries(attributes).find(([key]) => key.endsWith(':id'))?.[1];
      listedSheets.push({ name: attributes.name ?? '', id, hidden: (attributes.state ?? 'visible') !== 'visible' });
    },
  });
  return { listed: listedSheets, is1904, strict: isStrictOoxml };
}

/**
 * Lists, for each cell format, whether it shows a date, a date without a time, or percent, and to how many digits it
 * pads whole numbers.
 */
export async function readNumberFormats(zip, stylesPart) {
  const text = stylesPart && (await zip.text(stylesPart));
  const [codes, formats] = [new Map(), []];
  let inFormats = false;
  parseXml(text ?? '<none/>', {
    open: (name, attributes) => {
      const local = toLocalName(name);
      if (local === 'numFmt') codes.set(Number(attributes.numFmtId), attributes.formatCode ?? '');
      if (local === 'cellXfs') inFormats = true;
      if (local === 'xf' && inFormats) formats.push(Number(attributes.numFmtId || 0));
    },
    close: (name) => {
      if (toLocalName(name) === 'cellXfs') inFormats = false;
    },
  });
  return formats.map((id) => {
    const code = codes.get(id);
    return {
      isDate: isDateFormat(id, code),
      isDay: isDayFormat(id, code),
      isPercent: isPercentFormat(id, code),
      digits: countDigits(code),
    };
  });
}

/**
 * Counts the digits of a format of zeros alone, such as `00000`, which shows the leading zeros of codes. 0 for all
 * other formats.
 */
const countDigits = (code = '') => (/^0{2,}$/.test(code) ? code.length : 0);

/** Reads all shared strings. Rich text is joined; phonetic hints are left out. */
export async function readSharedStrings(zip, part) {
  if (part === undefined || !zip.has(part)) return [];
  const strings = [];
  const collector = createTextCollector((text) => strings.push(text), 'si');
  let bytes = 0;
  const stream = await zip.stream(part);
  stream.on('data', (chunk) => (bytes += chunk.length));
  for await (const _ of parseXmlStream(stream, collector))
    if (bytes > maxSharedStringBytes) throw new WorkbookError('imports.refused.workbookTooComplex');
  return strings;
}

/** Collects the text of each element `elementName`: of its `t`, and of the `t` in its runs `r`. */
function createTextCollector(onText, elementName) {
  let [text, inText, phonetic] = ['', false, false];
  return {
    open: (name) => {
      const local = toLocalName(name);
      if (local === elementName) text = '';
      else if (local === 'rPh') phonetic = true;
      else if (local === 't') inText = !phonetic;
    },
    text: (part) => {
      if (inText) text += part;
    },
    close: (name) => {
      const local = toLocalName(name);
      if (local === elementName) onText(decodeCellText(text));
      else if (local === 'rPh') phonetic = false;
      else if (local === 't') inText = false;
    },
  };
}
