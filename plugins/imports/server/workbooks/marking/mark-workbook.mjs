// Copies a workbook with its findings: a column of errors, marked cells with comments, and a summary.
import { createCommentDrawing, createCommentsPart } from '../ooxml/comments.mjs';
import { createNode, findChild, formatTree, parseTree } from '../ooxml/xml-tree.mjs';
import { toLocalName } from '../ooxml/xml.mjs';
import { WorkbookError } from '../ooxml/workbook-error.mjs';
import { writeZip } from '../ooxml/zip-output.mjs';
import { ZipPackage } from '../ooxml/zip-package.mjs';
import { createSummaryName } from '../reading/report-sheets.mjs';
import { checkWorkbookFile } from '../reading/sniff-file.mjs';
import {
  openWorkbook,
  readNumberFormats,
  readRelationships,
  readSharedStrings,
  toRelationshipsName,
} from '../reading/workbook-parts.mjs';
import { markSheet } from './mark-sheet.mjs';
import { MarkedStyles } from './marked-styles.mjs';
import { mergeComments, mergeDrawing, moveAnchors, moveChart, movePivotSource, moveRanges } from './moved-parts.mjs';
import { renameSheetsAsInWorkbook, planFindings } from './plan-findings.mjs';
import { shiftFormula } from './shift-references.mjs';
import { createSummarySheet } from './summary-sheet.mjs';

const author = 'Walkdown';
const contentTypesName = '[Content_Types].xml';
const contentTypePrefix = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
const namespaces = {
  transitional: {
    main: 'http://schemas.openxmlformats.org/spreadsheetml/2006/main',
    relationships: 'http://schemas.openxmlformats.org/officeDocument/2006/relationships',
  },
  strict: {
    main: 'http://purl.oclc.org/ooxml/spreadsheetml/main',
    relationships: 'http://purl.oclc.org/ooxml/officeDocument/relationships',
  },
};

/** @throws WorkbookError if the original cannot be read */
export async function markWorkbook(original, out, findings) {
  const zip = await ZipPackage.open(original, await checkWorkbookFile(original));
  try {
    const book = await openWorkbook(zip);
    await new WorkbookMarker(zip, book, renameSheetsAsInWorkbook(book, findings)).write(out);
  } finally {
    zip.close();
  }
}

class WorkbookMarker {
  #zip;
  #book;
  #findings;
  #namespaces;
  /** Changed and new parts, by name: text or a function that generates chunks. */
  #parts = new Map();
  #droppedParts = new Set();
  #contentTypes;
  #styles;
  #shiftedSheets;

  constructor(zip, book, findings) {
    this.#zip = zip;
    this.#book = book;
    this.#findings = findings;
    this.#namespaces = book.strict ? namespaces.strict : namespaces.transitional;
  }

  async write(out) {
    const [zip, book] = [this.#zip, this.#book];
    const values = {
      is1904: book.is1904,
      numberFormats: await readNumberFormats(zip, book.stylesPart),
      strings: await readSharedStrings(zip, book.stringsPart),
    };
    const { plans, placeByFinding, summaryPart } = await planFindings(zip, book, values, this.#findings);
    values.strings = [];
    this.#shiftedSheets = new Set([...plans].filter(([, { shift }]) => shift).map(([name]) => name.toLowerCase()));
    this.#contentTypes = parseTree(await zip.text(contentTypesName));
    const relationships = parseTree((await zip.text(toRelationshipsName(book.part))) ?? '');
    const stylesPart = this.#openStyles(relationships, await this.#readStyles());
    await this.#markSheets(plans, summaryPart);
    await this.#moveSharedParts();
    await this.#writeSummary(placeByFinding, summaryPart, relationships);
    this.#dropCalculationChain(relationships);
    this.#parts.set(toRelationshipsName(book.part), formatTree(relationships));
    this.#parts.set(contentTypesName, formatTree(this.#contentTypes));
    this.#parts.delete(stylesPart);
    const newParts = new Map([...this.#parts].filter(([name]) => !zip.has(name)));
    await writeZip(out, [
      ...zip.names.flatMap((name) => this.#listEntries(name, stylesPart)),
      ...newParts,
      [stylesPart, this.#generateStyles.bind(this)],
    ]);
  }

  #listEntries(name, stylesPart) {
    if (this.#droppedParts.has(name.toLowerCase()) || name.toLowerCase() === stylesPart.toLowerCase()) return [];
    const changedContent = [...this.#parts].find(([part]) => part.toLowerCase() === name.toLowerCase())?.[1];
    return [[name, changedContent ?? (() => this.#stream(name))]];
  }

  async *#stream(name) {
    try {
      yield* await this.#zip.stream(name);
    } catch (cause) {
      throw cause instanceof WorkbookError
        ? cause
        : new WorkbookError('imports.refused.workbookDamaged', {}, { cause });
    }
  }

  /** Written last: formats are added while the sheets are written. */
  async *#generateStyles() {
    yield this.#styles.toXml();
  }

  async #readStyles() {
    return this.#book.stylesPart === undefined ? undefined : this.#zip.text(this.#book.stylesPart);
  }

  #openStyles(relationships, text) {
    this.#styles = new MarkedStyles(text, this.#namespaces.main);
    if (text !== undefined) return this.#book.stylesPart;
    this.#addRelationship(relationships, 'rIdWalkdownStyles', 'styles', '/xl/walkdownStyles.xml');
    this.#addType('xl/walkdownStyles.xml', 'styles');
    return 'xl/walkdownStyles.xml';
  }

  async #markSheets(plans, summaryPart) {
    for (const { name, part } of this.#book.sheets) {
      const plan = plans.get(name);
      if (part === summaryPart || (!plan && this.#shiftedSheets.size === 0)) continue;
      const commentsId = plan && (await this.#markSheetParts(part, name, plan));
      const options = {
        shift: false,
        hasErrors: false,
        ...plan,
        name,
        commentsId,
        relationshipsNamespace: this.#namespaces.relationships,
        shiftedSheets: this.#shiftedSheets,
        styles: this.#styles,
      };
      this.#parts.set(part, () => this.#generateSheet(part, options));
    }
  }

  async *#generateSheet(part, options) {
    yield* markSheet(await this.#zip.stream(part), options);
  }

  /** Changes the parts of a sheet. Returns the id of the drawing of comments if it is new. */
  async #markSheetParts(part, name, { shift, comments }) {
    const relationships = await readRelationships(this.#zip, part);
    let mergedComments;
    for (const { type, target } of relationships) {
      const read = () => this.#zip.text(target);
      if (!this.#zip.has(target)) continue;
      if (type === 'comments') {
        mergedComments = mergeComments(await read(), shift, comments, author);
        this.#parts.set(target, mergedComments.text);
      } else if (!shift) continue;
      else if (['table', 'threadedComment', 'pivotTable'].includes(type))
        this.#parts.set(target, moveRanges(await read(), name, this.#shiftedSheets));
      else if (type === 'drawing') this.#parts.set(target, moveAnchors(await read()));
    }
    if (mergedComments) {
      const drawing = relationships.find(({ type, target }) => type === 'vmlDrawing' && this.#zip.has(target));
      if (drawing) {
        const text = await this.#zip.text(drawing.target);
        this.#parts.set(drawing.target, mergeDrawing(text, shift, mergedComments.added, mergedComments.removed));
      }
      return undefined;
    }
    return comments.length === 0 ? undefined : this.#addComments(part, comments);
  }

  /** An earlier error workbook may have parts of these names. */
  #findFreeNumber() {
    for (let number = 1; ; number += 1) {
      const names = [`xl/walkdownComments${number}.xml`, `xl/drawings/walkdown${number}.vml`];
      if (!names.some((name) => this.#zip.has(name) || this.#parts.has(name))) return number;
    }
  }

  async #addComments(part, comments) {
    const number = this.#findFreeNumber();
    const [commentsPart, drawingPart] = [`xl/walkdownComments${number}.xml`, `xl/drawings/walkdown${number}.vml`];
    this.#parts.set(commentsPart, createCommentsPart(comments, author, this.#namespaces.main));
    this.#parts.set(drawingPart, createCommentDrawing(comments));
    this.#addType(commentsPart, 'comments');
    this.#addVmlType();
    const text = await this.#zip.text(toRelationshipsName(part));
    const root = parseTree(
      text ?? '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"/>',
    );
    this.#addRelationship(root, 'rIdWalkdownDrawing', 'vmlDrawing', `/${drawingPart}`);
    this.#addRelationship(root, 'rIdWalkdownComments', 'comments', `/${commentsPart}`);
    this.#parts.set(toRelationshipsName(part), formatTree(root));
    return 'rIdWalkdownDrawing';
  }

  /** Charts and pivot caches refer to sheets by name. */
  async #moveSharedParts() {
    if (this.#shiftedSheets.size === 0) return;
    for (const name of this.#zip.names) {
      if (/\/charts\/chart[^/]*\.xml$/i.test(name))
        this.#parts.set(name, moveChart(await this.#zip.text(name), this.#shiftedSheets));
      if (/\/pivotCacheDefinition[^/]*\.xml$/i.test(name))
        this.#parts.set(name, movePivotSource(await this.#zip.text(name), this.#shiftedSheets));
    }
  }

  async #writeSummary(placeByFinding, summaryPart, relationships) {
    const root = parseTree(await this.#zip.text(this.#book.part));
    const part = summaryPart ?? 'xl/worksheets/walkdownSummary.xml';
    const { main } = this.#namespaces;
    this.#parts.set(
      part,
      async function* generate() {
        yield* createSummarySheet(this.findings, placeByFinding, this.styles, main);
      }.bind({ findings: this.#findings, styles: this.#styles }),
    );
    if (summaryPart === undefined) {
      this.#addType(part, 'worksheet');
      this.#addRelationship(relationships, 'rIdWalkdownSummary', 'worksheet', `/${part}`);
      this.#listSummary(root);
    } else this.#droppedParts.add(toRelationshipsName(summaryPart).toLowerCase());
    const names = findChild(root, 'definedNames')?.children.filter((child) => typeof child === 'object') ?? [];
    const sheets = listSheets(root);
    for (const node of names) {
      const sheetIndex = node.attributes.localSheetId;
      const sheet = sheetIndex === undefined ? '' : (sheets[Number(sheetIndex)]?.attributes.name ?? '');
      node.children = [shiftFormula(node.children.join(''), sheet, this.#shiftedSheets)];
    }
    this.#parts.set(this.#book.part, formatTree(root));
  }

  /** Adds the summary as the first sheet. */
  #listSummary(root) {
    const list = findChild(root, 'sheets');
    const sheets = listSheets(root);
    const attributes = {
      name: createSummaryName(sheets.map((sheet) => sheet.attributes.name)),
      sheetId: Math.max(0, ...sheets.map((sheet) => Number(sheet.attributes.sheetId))) + 1,
      'xmlns:r': this.#namespaces.relationships,
      'r:id': 'rIdWalkdownSummary',
    };
    list.children.unshift(createNode(list, 'sheet', attributes));
    for (const node of findChild(root, 'definedNames')?.children ?? [])
      if (node.attributes?.localSheetId !== undefined)
        node.attributes.localSheetId = Number(node.attributes.localSheetId) + 1;
    for (const view of findChild(root, 'bookViews')?.children ?? []) {
      if (typeof view === 'string') continue;
      delete view.attributes.firstSheet;
      view.attributes.activeTab = 0;
    }
  }

  /** The chain refers to cells by their former positions. Spreadsheets create it again. */
  #dropCalculationChain(relationships) {
    const chain = this.#book.relationships.find(({ type }) => type === 'calcChain');
    if (!chain) return;
    this.#droppedParts.add(chain.target.toLowerCase());
    relationships.children = relationships.children.filter((child) => child.attributes?.Id !== chain.id);
    this.#contentTypes.children = this.#contentTypes.children.filter(
      (child) => child.attributes?.PartName?.toLowerCase() !== `/${chain.target.toLowerCase()}`,
    );
  }

  #addType(part, kind) {
    this.#contentTypes.children.push(
      createNode(this.#contentTypes, 'Override', {
        PartName: `/${part}`,
        ContentType: `${contentTypePrefix}.${kind}+xml`,
      }),
    );
  }

  #addVmlType() {
    if (this.#contentTypes.children.some((child) => child.attributes?.Extension?.toLowerCase() === 'vml')) return;
    this.#contentTypes.children.unshift(
      createNode(this.#contentTypes, 'Default', {
        Extension: 'vml',
        ContentType: 'application/vnd.openxmlformats-officedocument.vmlDrawing',
      }),
    );
  }

  #addRelationship(root, id, type, target) {
    root.children.push(
      createNode(root, 'Relationship', { Id: id, Type: `${this.#namespaces.relationships}/${type}`, Target: target }),
    );
  }
}

const listSheets = (root) =>
  (findChild(root, 'sheets')?.children ?? []).filter((child) => child.name && toLocalName(child.name) === 'sheet');
