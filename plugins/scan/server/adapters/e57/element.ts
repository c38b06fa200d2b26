import { SaxesParser } from 'saxes';
import { ScanUnreadable } from '../scan-unreadable.ts';

/** One XML element of the description in an E57 file. */
export interface Element {
  /** Including the prefix. */
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly Element[];
  /** Own text content, trimmed. */
  readonly text: string;
}

interface Open {
  readonly name: string;
  readonly attributes: Record<string, string>;
  readonly children: Element[];
  text: string;
}

const deepest = 64;
const maxElements = 1_000_000;

/** Parses XML without document types and custom entities into a tree. Throws `ScanUnreadable`. */
export function parseElement(xml: string): Element {
  const parser = new SaxesParser();
  const open: Open[] = [];
  let root: Element | undefined;
  let elements = 0;
  parser.on('error', (error) => {
    throw new ScanUnreadable('scan.refused.e57Unreadable', {}, { cause: error });
  });
  parser.on('doctype', () => {
    throw new ScanUnreadable('scan.refused.e57DocumentType');
  });
  parser.on('opentag', ({ name, attributes }) => {
    if (open.length >= deepest || ++elements > maxElements) throw new ScanUnreadable('scan.refused.e57TooDeep');
    open.push({ name, attributes, children: [], text: '' });
  });
  const text = (part: string): void => {
    const last = open.at(-1);
    if (last) last.text += part;
  };
  parser.on('text', text);
  parser.on('cdata', text);
  parser.on('closetag', () => {
    const closed = open.pop();
    if (!closed) return;
    const element: Element = { ...closed, text: closed.text.trim() };
    const parent = open.at(-1);
    if (parent) parent.children.push(element);
    else root = element;
  });
  parser.write(xml).close();
  if (!root) throw new ScanUnreadable('scan.refused.e57Empty');
  return root;
}

/** Finds the child at a path of names; undefined if it does not exist. */
export function childAt(element: Element | undefined, ...path: readonly string[]): Element | undefined {
  return path.reduce<Element | undefined>((at, name) => at?.children.find((child) => child.name === name), element);
}

/** The text of the child at a path; undefined if it is missing or empty. */
export function textAt(element: Element | undefined, ...path: readonly string[]): string | undefined {
  return childAt(element, ...path)?.text || undefined;
}

/**
 * The number of the child at a path, with scaled integers scaled. By the standard an empty element is 0. Throws if it
 * is not a number.
 */
export function numberAt(element: Element | undefined, ...path: readonly string[]): number | undefined {
  const child = childAt(element, ...path);
  if (child === undefined) return undefined;
  const value = child.text === '' ? 0 : Number(child.text);
  if (!Number.isFinite(value))
    throw new ScanUnreadable('scan.refused.e57NoNumber', { text: child.text.slice(0, 40), field: child.name });
  return child.attributes['type'] === 'ScaledInteger'
    ? value * Number(child.attributes['scale'] ?? 1) + Number(child.attributes['offset'] ?? 0)
    : value;
}
