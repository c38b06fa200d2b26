// Copies the XML of a worksheet with a column of errors before column A, marked cells, and moved references.
import {
  encodeCellText,
  escapeText,
  parseXmlStream,
  toColumnLetters,
  toColumnNumber,
  toLocalName,
} from '../ooxml/xml.mjs';
import { formatAttributes } from '../ooxml/xml-tree.mjs';
import { errorsHeader } from '../reading/report-sheets.mjs';
import { shiftColumn, shiftFormula, shiftRanges } from './shift-references.mjs';

const errorsWidth = 50;
/** Attributes with ranges of the sheet itself. */
const rangeAttributes = ['ref', 'sqref', 'activeCell', 'topLeftCell', 'r1', 'r2'];
const elementsWithRanges = new Set(
  'dimension sheetView pane selection mergeCell autoFilter sortState sortCondition conditionalFormatting dataValidation hyperlink ignoredError protectedRange f'.split(
    ' ',
  ),
);
const elementsWithFormula = new Set(['f', 'formula', 'formula1', 'formula2']);
/** The elements of a worksheet that must come after the link to the comments. */
const elementsAfterCommentsLink = new Set(
  'legacyDrawingHF drawingHF picture oleObjects controls webPublishItems tableParts extLst'.split(' '),
);

/**
 * Copies a worksheet.
 *
 * @param plan `{ name, shift, hasErrors, rows, commentsId, shiftedSheets, styles }`. `shift`: whether columns move to
 *   the right for a new errors column; `hasErrors`: whether the sheet has one from an earlier error workbook; `rows`:
 *   `{ errors, marks }` by row number, with the marks by column after the shift (without `rows`, only references are
 *   moved); `commentsId`: id of the relationship to new comments
 */
export async function* markSheet(stream, plan) {
  const marker = new SheetMarker(plan);
  yield '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
  for await (const _ of parseXmlStream(stream, marker.handlers)) {
    const text = marker.takeOutput();
    if (text !== '') yield text;
  }
}

class SheetMarker {
  #plan;
  #out = '';
  /** Whether the last start tag waits for its `>`. */
  #isTagOpen = false;
  #stack = [];
  #prefix = '';
  #row = 0;
  #column = 0;
  #marks;
  #pendingRows;
  #colsSeen = false;
  #commentsSeen = false;
  /** The depth of the cell that is being left out, or 0. */
  #skipDepth = 0;

  constructor(plan) {
    this.#plan = plan;
    this.#pendingRows = [...(plan.rows?.keys() ?? [])].sort((a, b) => a - b);
  }

  handlers = {
    open: (name, attributes) => this.#open(name, toLocalName(name), attributes),
    text: (text) => {
      if (this.#skipDepth === 0 && this.#stack.length > 0) this.#write(escapeText(this.#moveText(text)));
    },
    close: (name) => this.#close(name, toLocalName(name)),
  };

  takeOutput() {
    const text = this.#out;
    this.#out = '';
    return text;
  }

  #write(text) {
    if (text === '') return;
    this.#out += this.#isTagOpen ? `>${text}` : text;
    this.#isTagOpen = false;
  }

  #open(name, local, attributes) {
    this.#stack.push(local);
    if (this.#skipDepth > 0) return;
    if (this.#stack.length === 1) this.#prefix = name.slice(0, name.length - local.length);
    if (this.#stack.length === 2) this.#beforeElement(local);
    if (local === 'row') this.#beforeRow(attributes);
    if (local === 'c' && this.#beforeCell(attributes)) return;
    this.#moveAttributes(local, attributes);
    this.#write(`<${name}${formatAttributes(attributes)}`);
    this.#isTagOpen = true;
    if (local === 'cols' && this.#plan.shift) this.#writeErrorsCol();
    if (local === 'row') this.#writeErrors();
  }

  #close(name, local) {
    const depth = this.#stack.length;
    this.#stack.pop();
    if (this.#skipDepth > 0) {
      if (depth === this.#skipDepth) this.#skipDepth = 0;
      return;
    }
    if (local === 'row') this.#writeMarks(Infinity);
    if (local === 'sheetData') this.#writeRows(Infinity);
    if (depth === 1) this.#writeCommentsLink();
    this.#write(this.#isTagOpen ? '' : `</${name}>`);
    if (this.#isTagOpen) [this.#out, this.#isTagOpen] = [`${this.#out}/>`, false];
  }

  #beforeElement(local) {
    if (local === 'cols') this.#colsSeen = true;
    if (local === 'legacyDrawing') this.#commentsSeen = true;
    if (elementsAfterCommentsLink.has(local)) this.#writeCommentsLink();
    if (local !== 'sheetData' || this.#colsSeen || !this.#plan.shift) return;
    this.#write(`<${this.#prefix}cols>`);
    this.#writeErrorsCol();
    this.#write(`</${this.#prefix}cols>`);
  }

  #writeErrorsCol() {
    this.#write(`<${this.#prefix}col min="1" max="1" width="${errorsWidth}" customWidth="1"/>`);
  }

  #writeCommentsLink() {
    const { commentsId, relationshipsNamespace } = this.#plan;
    if (this.#commentsSeen || !commentsId) return;
    this.#commentsSeen = true;
    this.#write(`<${this.#prefix}legacyDrawing xmlns:r="${relationshipsNamespace}" r:id="${commentsId}"/>`);
  }

  #beforeRow(attributes) {
    this.#row = attributes.r === undefined ? this.#row + 1 : Number(attributes.r);
    this.#column = 0;
    if (!this.#plan.rows) return;
    this.#writeRows(this.#row);
    this.#marks = this.#listMarks(this.#row);
    attributes.r = this.#row;
    // `spans` is optional, and wrong after the change.
    delete attributes.spans;
  }

  /** Writes the rows with findings that the sheet does not have, before row `end`. */
  #writeRows(end) {
    while (this.#pendingRows.length > 0 && this.#pendingRows[0] <= end) {
      const row = this.#pendingRows.shift();
      if (row === end) return;
      const current = this.#row;
      this.#row = row;
      this.#marks = this.#listMarks(row);
      this.#write(`<${this.#prefix}row r="${row}">`);
      this.#writeErrors();
      this.#writeMarks(Infinity);
      this.#write(`</${this.#prefix}row>`);
      this.#row = current;
    }
  }

  #listMarks(row) {
    return [...(this.#plan.rows?.get(row)?.marks ?? [])].sort(([a], [b]) => a - b);
  }

  #writeErrors() {
    const { rows, styles } = this.#plan;
    if (!rows) return;
    const text = this.#row === 1 ? errorsHeader : (rows.get(this.#row)?.errors ?? '');
    if (text === '') return;
    const prefix = this.#prefix;
    this.#write(
      `<${prefix}c r="A${this.#row}" s="${this.#row === 1 ? styles.headerFormat : styles.errorsFormat}" t="inlineStr"><${prefix}is>` +
        `<${prefix}t xml:space="preserve">${encodeCellText(text)}</${prefix}t></${prefix}is></${prefix}c>`,
    );
  }

  /** Writes marked cells that the row does not have, before column `end`. */
  #writeMarks(end) {
    while (this.#marks?.length > 0 && this.#marks[0][0] < end) {
      const [column, severity] = this.#marks.shift();
      const format = this.#plan.styles.mark(0, severity);
      this.#write(`<${this.#prefix}c r="${toColumnLetters(column)}${this.#row}" s="${format}"/>`);
    }
  }

  /** Returns whether the cell is left out, because it belongs to the errors column of an earlier error workbook. */
  #beforeCell(attributes) {
    const { rows, shift, hasErrors, styles } = this.#plan;
    const letters = /^[A-Z]+/.exec(attributes.r ?? '');
    this.#column = letters ? toColumnNumber(letters[0]) : this.#column + 1;
    if (!rows) return false;
    if (hasErrors && this.#column === 1) {
      this.#skipDepth = this.#stack.length;
      return true;
    }
    const column = shift ? shiftColumn(this.#column) : this.#column;
    this.#writeMarks(column);
    attributes.r = `${toColumnLetters(column)}${this.#row}`;
    const format = Number(attributes.s ?? 0);
    const severity = this.#marks[0]?.[0] === column ? this.#marks.shift()[1] : undefined;
    if (severity) attributes.s = styles.mark(format, severity);
    else if (hasErrors && attributes.s !== undefined) attributes.s = styles.unmark(format);
    return false;
  }

  #moveAttributes(local, attributes) {
    const { shift, name, shiftedSheets } = this.#plan;
    if (local === 'sheetView') delete attributes.tabSelected;
    if (local === 'hyperlink' && attributes.location)
      attributes.location = shiftFormula(attributes.location, name, shiftedSheets);
    if (!shift) return;
    if (elementsWithRanges.has(local))
      for (const key of rangeAttributes) if (attributes[key]) attributes[key] = shiftRanges(attributes[key]);
    // The errors column is A.
    if (local === 'dimension' && attributes.ref) attributes.ref = attributes.ref.replace(/^[A-Z]+/, 'A');
    if (local === 'pane' && Number(attributes.xSplit) > 0 && attributes.state?.startsWith('frozen'))
      attributes.xSplit = Number(attributes.xSplit) + 1;
    if (local === 'col' && attributes.min) {
      attributes.min = shiftColumn(Number(attributes.min));
      attributes.max = shiftColumn(Number(attributes.max));
    }
    if (local === 'brk' && this.#stack.at(-2) === 'colBreaks') attributes.id = Number(attributes.id) + 1;
  }

  #moveText(text) {
    const local = this.#stack.at(-1);
    const { shift, name, shiftedSheets } = this.#plan;
    if (elementsWithFormula.has(local)) return shiftFormula(text, name, shiftedSheets);
    if (!shift) return text;
    if (local === 'sqref') return shiftRanges(text);
    const isAnchor = local === 'col' && ['from', 'to'].includes(this.#stack.at(-2));
    return isAnchor ? String(Number(text) + 1) : text;
  }
}
