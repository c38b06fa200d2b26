// Small parts of a workbook as trees that can be changed: nodes `{ name, attributes, children }`, and texts.
import { escapeAttribute, escapeText, parseXml, toLocalName } from './xml.mjs';

/** @throws WorkbookError */
export function parseTree(text) {
  const top = { children: [] };
  const stack = [top];
  parseXml(text, {
    open: (name, attributes) => {
      const node = { name, attributes: { ...attributes }, children: [] };
      stack.at(-1).children.push(node);
      stack.push(node);
    },
    text: (part) => {
      if (stack.length > 1) stack.at(-1).children.push(part);
    },
    close: () => stack.pop(),
  });
  return top.children.find((child) => typeof child === 'object');
}

export const formatTree = (root) => `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n${formatNode(root)}`;

function formatNode(node) {
  if (typeof node === 'string') return escapeText(node);
  const start = `<${node.name}${formatAttributes(node.attributes)}`;
  return node.children.length === 0
    ? `${start}/>`
    : `${start}>${node.children.map(formatNode).join('')}</${node.name}>`;
}

export function formatAttributes(attributes) {
  let text = '';
  for (const name in attributes) text += ` ${name}="${escapeAttribute(String(attributes[name]))}"`;
  return text;
}

export const findChild = (node, local) =>
  node.children.find((child) => child.name && toLocalName(child.name) === local);

/** Lists the node and all nodes below it. */
export function* listNodes(node) {
  yield node;
  for (const child of node.children) if (typeof child === 'object') yield* listNodes(child);
}

/** Creates a node with the namespace prefix of `parent`. */
export const createNode = (parent, local, attributes = {}, children = []) => ({
  name: parent.name.slice(0, parent.name.length - toLocalName(parent.name).length) + local,
  attributes,
  children,
});

export const cloneNode = (node) => structuredClone(node);
