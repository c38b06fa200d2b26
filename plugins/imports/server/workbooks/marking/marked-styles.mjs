// Adds formats for marked cells to the styles of a workbook. A marked cell keeps its number format, borders and alignment.
import { toLocalName } from '../ooxml/xml.mjs';
import { cloneNode, createNode, findChild, formatTree, parseTree } from '../ooxml/xml-tree.mjs';

const fills = { ERROR: 'FFFFC7CE', WARNING: 'FFFFEB9C' };
const errorFont = 'FF9C0006';
const linkFont = 'FF0563C1';
/** The order of the parts of a style sheet that a marked format needs. */
const partOrder = ['numFmts', 'fonts', 'fills', 'borders', 'cellStyleXfs', 'cellXfs'];

export class MarkedStyles {
  #root;
  #fonts;
  #fills;
  #formats;
  #indexByKey = new Map();

  /** @param text the part, or undefined if the workbook has none */
  constructor(text, namespace) {
    this.#root = parseTree(text ?? `<styleSheet xmlns="${namespace}"/>`);
    const defaultIds = { numFmtId: 0, fontId: 0, fillId: 0, borderId: 0 };
    this.#fonts = this.#ensurePart('fonts', (part) => [createNode(part, 'font')]);
    this.#fills = this.#ensurePart('fills', (part) => ['none', 'gray125'].map((type) => createFill(part, type)));
    this.#ensurePart('borders', (part) => [createNode(part, 'border')]);
    this.#ensurePart('cellStyleXfs', (part) => [createNode(part, 'xf', defaultIds)]);
    this.#formats = this.#ensurePart('cellXfs', (part) => [createNode(part, 'xf', { ...defaultIds, xfId: 0 })]);
    for (const part of [this.#fonts, this.#fills, this.#formats])
      part.children = part.children.filter((child) => typeof child === 'object');
  }

  /** Returns the id of the format that a cell with `format` gets when it is marked. */
  mark(format, severity) {
    return this.#ensureFormat(`${severity} ${format}`, () => {
      const base = this.#formats.children[format] ?? this.#formats.children[0];
      return this.#derive(base, {
        fillId: this.#ensureFill(severity),
        applyFill: 1,
        ...(severity === 'ERROR' ? { fontId: this.#ensureErrorFont(base.attributes.fontId ?? 0), applyFont: 1 } : {}),
      });
    });
  }

  /**
   * Returns the id of the format of a cell that is no longer marked. Its fill and font before the mark are not known.
   */
  unmark(format) {
    const base = this.#formats.children[format];
    const fill = base && this.#fills.children[base.attributes.fillId];
    const isMark = fill && Object.values(fills).includes(findColor(fill));
    if (!isMark) return format;
    return this.#ensureFormat(`unmarked ${format}`, () => this.#derive(base, { fillId: 0, fontId: 0 }));
  }

  get headerFormat() {
    return this.#ensureFormat('header', () => this.#createPlainFormat(this.#addFont(['b'], undefined)));
  }

  get errorsFormat() {
    return this.#ensureFormat('errors', () => {
      const format = this.#createPlainFormat(this.#addFont([], errorFont));
      format.attributes.applyAlignment = 1;
      format.children = [createNode(this.#root, 'alignment', { vertical: 'top', wrapText: 1 })];
      return format;
    });
  }

  get linkFormat() {
    return this.#ensureFormat('link', () => this.#createPlainFormat(this.#addFont(['u'], linkFont)));
  }

  toXml() {
    for (const part of [this.#fonts, this.#fills, this.#formats]) part.attributes.count = part.children.length;
    return formatTree(this.#root);
  }

  #ensureFormat(key, create) {
    if (!this.#indexByKey.has(key)) this.#indexByKey.set(key, this.#formats.children.push(create()) - 1);
    return this.#indexByKey.get(key);
  }

  #derive(base, attributes) {
    const format = cloneNode(base);
    Object.assign(format.attributes, attributes);
    return format;
  }

  #createPlainFormat(fontId) {
    return createNode(this.#root, 'xf', { numFmtId: 49, fontId, fillId: 0, borderId: 0, xfId: 0, applyFont: 1 });
  }

  #ensureFill(severity) {
    const key = `fill ${severity}`;
    if (!this.#indexByKey.has(key))
      this.#indexByKey.set(key, this.#fills.children.push(createFill(this.#root, 'solid', fills[severity])) - 1);
    return this.#indexByKey.get(key);
  }

  /** Returns the id of this font in the colour of errors. */
  #ensureErrorFont(font) {
    const key = `font ${font}`;
    if (!this.#indexByKey.has(key)) {
      const base = this.#fonts.children[font] ?? this.#fonts.children[0];
      this.#indexByKey.set(key, this.#fonts.children.push(colorFont(cloneNode(base), errorFont)) - 1);
    }
    return this.#indexByKey.get(key);
  }

  #addFont(properties, color) {
    const font = cloneNode(this.#fonts.children[0]);
    for (const name of properties) if (!findChild(font, name)) font.children.unshift(createNode(this.#root, name));
    return this.#fonts.children.push(color ? colorFont(font, color) : font) - 1;
  }

  #ensurePart(local, createChildren) {
    const existingPart = findChild(this.#root, local);
    if (existingPart?.children.some((child) => typeof child === 'object')) return existingPart;
    const part = existingPart ?? createNode(this.#root, local);
    part.children = createChildren(part);
    if (!existingPart) {
      const before = partOrder.slice(0, partOrder.indexOf(local));
      const last = this.#root.children.findLastIndex((child) => child.name && before.includes(toLocalName(child.name)));
      this.#root.children.splice(last + 1, 0, part);
    }
    return part;
  }
}

function createFill(parent, patternType, rgb) {
  const color = rgb ? [createNode(parent, 'fgColor', { rgb }), createNode(parent, 'bgColor', { indexed: 64 })] : [];
  return createNode(parent, 'fill', {}, [createNode(parent, 'patternFill', { patternType }, color)]);
}

const findColor = (fill) => {
  const pattern = findChild(fill, 'patternFill');
  return pattern && findChild(pattern, 'fgColor')?.attributes.rgb;
};

/** The colour must be before name, family, charset and scheme, and after the other properties. */
function colorFont(font, rgb) {
  font.children = font.children.filter((child) => child.name && toLocalName(child.name) !== 'color');
  const followingElements = ['sz', 'u', 'vertAlign', 'scheme', 'name', 'family', 'charset'];
  const index = font.children.findIndex((child) => followingElements.includes(toLocalName(child.name)));
  font.children.splice(index === -1 ? font.children.length : index, 0, createNode(font, 'color', { rgb }));
  return font;
}
