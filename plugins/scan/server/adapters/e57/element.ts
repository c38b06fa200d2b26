import { SaxesParser } from 'saxes';
import { ScanUnreadable } from '../scan-unreadable.ts';

/** One XML element of the description in an E57 file. */
export interface XmlElement {
  /** Includes the namespace prefix. */
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  /** Own text content, trimmed. */
  readonly text: string;
}

interface OpenElement {
  readonly name: string;
  readonly attributes: Record<string, string>;
  readonly children: XmlElement[];
  text: string;
}

const maxDepth = 64;
const maxElements = 1_000_000;

/** Parses XML without document types and custom entities into a tree. Throws `ScanUnreadable`. */
export function parseElement(xml: string): XmlElement {
  const parser = new SaxesParser();
  const openElements: OpenElement[] = [];
  let root: XmlElement | undefined;
  let elementCount = 0;
  parser.on('error', (error) => {
    throw new ScanUnreadable('scan.refused.e57Unreadable', {}, { cause: error });
  });
  parser.on('doctype', () => {
    throw new ScanUnreadable('scan.refused.e57DocumentType');
  });
  parser.on('opentag', ({ name, attributes }) => {
    elementCount++;
    if (openElements.length >= maxDepth || elementCount > maxElements)
      throw new ScanUnreadable('scan.refused.e57TooDeep');
    openElements.push({ name, attributes, children: [], text: '' });
  });
  const addText = (part: string): void => {
    const innermostElement = openElements.at(-1);
    if (innermostElement) innermostElement.text += part;
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => {
    const closedElement = openElements.pop();
    if (!closedElement) return;
    const element: XmlElement = { ...closedElement, text: closedElement.text.trim() };
    const parent = openElements.at(-1);
    if (parent) parent.children.push(element);
    else root = element;
  });
  parser.write(xml).close();
  if (!root) throw new ScanUnreadable('scan.refused.e57Empty');
  return root;
}

/** Finds the child at a path of names; undefined if it does not exist. */
export function findChild(element: XmlElement | undefined, ...path: readonly string[]): XmlElement | undefined {
  let current = element;
  for (const name of path) current = current?.children.find((child) => child.name === name);
  return current;
}

/** Returns the text of the child at a path; undefined if it is missing or empty. */
export function findText(element: XmlElement | undefined, ...path: readonly string[]): string | undefined {
  return findChild(element, ...path)?.text || undefined;
}

/**
 * The number of the child at a path. A scaled integer is converted to its value, and an empty element is 0 by the
 * standard. Throws `ScanUnreadable` if the text is not a number.
 */
export function findNumber(element: XmlElement | undefined, ...path: readonly string[]): number | undefined {
  const child = findChild(element, ...path);
  if (child === undefined) return undefined;
  const value = child.text === '' ? 0 : Number(child.text);
  if (!Number.isFinite(value))
    throw new ScanUnreadable('scan.refused.e57NoNumber', { text: child.text.slice(0, 40), field: child.name });
  return child.attributes['type'] === 'ScaledInteger'
    ? value * Number(child.attributes['scale'] ?? 1) + Number(child.attributes['offset'] ?? 0)
    : value;
}
