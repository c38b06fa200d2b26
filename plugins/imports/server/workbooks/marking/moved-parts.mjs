// Moves references in the parts of a worksheet whose columns moved, and in parts of the workbook that refer to it.
import { toColumnLetters, toLocalName } from '../ooxml/xml.mjs';
import { addCommentShapes, createComment } from '../ooxml/comments.mjs';
import { findChild, formatTree, listNodes, parseTree } from '../ooxml/xml-tree.mjs';
import { shiftFormula, shiftRanges } from './shift-references.mjs';

/** Moves the attributes `ref` of tables, threaded comments and pivot tables, and the formulas of calculated columns. */
export function moveRanges(text, sheet, shiftedSheets) {
  const root = parseTree(text);
  for (const node of listNodes(root)) {
    if (node.attributes.ref) node.attributes.ref = shiftRanges(node.attributes.ref);
    if (node.name.endsWith('Formula')) moveFormulas(node, sheet, shiftedSheets);
  }
  return formatTree(root);
}

/** Moves pictures, charts and shapes: the columns of `from` and `to`. */
export function moveAnchors(text) {
  const root = parseTree(text);
  for (const node of listNodes(root)) {
    if (!['from', 'to'].includes(toLocalName(node.name))) continue;
    const column = findChild(node, 'col');
    if (column) column.children = [String(Number(column.children.join('')) + 1)];
  }
  return formatTree(root);
}

/** Moves the formulas of the series of a chart. */
export function moveChart(text, shiftedSheets) {
  const root = parseTree(text);
  for (const node of listNodes(root)) if (toLocalName(node.name) === 'f') moveFormulas(node, '', shiftedSheets);
  return formatTree(root);
}

/** Moves the source range of a pivot cache. */
export function movePivotSource(text, shiftedSheets) {
  const root = parseTree(text);
  for (const node of listNodes(root)) {
    const { ref, sheet } = node.attributes;
    if (toLocalName(node.name) === 'worksheetSource' && ref && shiftedSheets.has(String(sheet).toLowerCase()))
      node.attributes.ref = shiftRanges(ref);
  }
  return formatTree(root);
}

const moveFormulas = (node, sheet, shiftedSheets) => {
  node.children = node.children.map((child) =>
    typeof child === 'string' ? shiftFormula(child, sheet, shiftedSheets) : child,
  );
};

/**
 * Moves comments, removes those of an earlier error workbook, and adds new ones to cells without a comment of the
 * customer. Returns the part, the added comments and the cells of the removed ones.
 */
export function mergeComments(text, shift, comments, author) {
  const root = parseTree(text);
  const [authors, list] = [findChild(root, 'authors'), findChild(root, 'commentList')];
  if (!authors || !list) return { text, added: [], removed: [] };
  const names = authors.children.filter((child) => typeof child === 'object');
  const authorIndex = names.findIndex((child) => child.children.join('') === author);
  const removedCells = [];
  list.children = list.children.filter((child) => {
    if (typeof child === 'string') return false;
    if (authorIndex !== -1 && Number(child.attributes.authorId) === authorIndex) {
      removedCells.push(child.attributes.ref);
      return false;
    }
    if (shift) child.attributes.ref = shiftRanges(child.attributes.ref);
    return true;
  });
  const usedCells = new Set(list.children.map((child) => child.attributes.ref));
  const addedComments = comments.filter(({ row, column }) => !usedCells.has(`${toColumnLetters(column)}${row}`));
  const prefix = root.name.slice(0, root.name.length - toLocalName(root.name).length);
  if (authorIndex === -1) authors.children.push({ ...authors, name: `${prefix}author`, children: [author] });
  const end = `</${list.name}>`;
  const xml = addedComments
    .map((comment) => createComment(comment, authorIndex === -1 ? names.length : authorIndex, prefix))
    .join('');
  // A node without children would have no end tag.
  list.children.push(' ');
  return { text: formatTree(root).replace(end, () => xml + end), added: addedComments, removed: removedCells };
}

/** Moves the boxes of comments. Removes the boxes of `removedCells`, which are positions before the move. */
export function mergeDrawing(drawing, shift, addedComments, removedCells) {
  const removedCellSet = new Set(removedCells);
  const keptShapes = drawing.replaceAll(/<v:shape\b[^>]*>[\s\S]*?<\/v:shape>/g, (shape) => {
    const [row, column] = ['Row', 'Column'].map((name) => new RegExp(`<x:${name}>\\s*(\\d+)`).exec(shape)?.[1]);
    if (row === undefined || column === undefined) return shape;
    if (removedCellSet.has(`${toColumnLetters(Number(column) + 1)}${Number(row) + 1}`)) return '';
    return shift ? moveShape(shape) : shape;
  });
  return addCommentShapes(keptShapes, addedComments);
}

const moveShape = (shape) =>
  shape
    .replace(/(<x:Column>\s*)(\d+)/, (_, start, column) => start + (Number(column) + 1))
    .replace(/(<x:Anchor>)([^<]*)/, (_, start, anchor) => {
      const numbers = anchor.split(',').map((part) => part.trim());
      for (const index of [0, 4]) if (numbers[index]) numbers[index] = String(Number(numbers[index]) + 1);
      return start + numbers.join(', ');
    });
