/**
 * Speeds up jsdom's computed styles. jsdom matches every rule with a selector engine that caches only 1000 selectors,
 * so that a screen's test takes minutes with Fluent's many rules. The engine is called only for elements that have the
 * class or name that the selector ends with, and not for a single class. It alone compares attributes and ancestors.
 */
export function quickenStyles(): void {
  const computedStyle = window.getComputedStyle;
  computedStyle(document.documentElement);
  const engine = findEngine(document);
  if (!engine)
    throw new Error(
      'The selector engine of jsdom was not found. Look for matchesDontThrow in jsdom and update quickenStyles.',
    );
  const match = engine.match;
  const cached = new Map<string | undefined, Subjects>();
  let currentElement: Element | undefined;
  let parts: ReadonlySet<string> = new Set();
  window.getComputedStyle = (element, pseudo) => {
    // The element's classes may have changed since the last call.
    currentElement = undefined;
    return computedStyle(element, pseudo);
  };
  engine.match = (selector, element) => {
    let subjects = cached.get(selector);
    if (!subjects) cached.set(selector, (subjects = findSubjects(selector)));
    if (element !== currentElement) {
      currentElement = element;
      parts = listParts(element);
    }
    if (typeof subjects !== 'string') {
      if (!subjects.some((subject) => parts.has(subject))) return false;
    } else if (subjects !== 'any') {
      if (!parts.has(subjects)) return false;
      // A single class.
      if (subjects === selector && subjects.startsWith('.')) return true;
    }
    return match(selector, element);
  };
}

/** A class or name that an element must have, or a list of which it must have one. `any` if only the engine can tell. */
type Subjects = string | readonly string[];

/** Rules without a selector, such as `@keyframes`, match no element. */
function findSubjects(selector: string | undefined): Subjects {
  if (selector === undefined) return [];
  const subjects = listSubjects(selector) ?? ['any'];
  const [first] = subjects;
  return first !== undefined && subjects.length === 1 ? first : subjects;
}

const listParts = (element: Element): ReadonlySet<string> =>
  new Set([
    element.localName.toLowerCase(),
    ...(element.getAttribute('class') ?? '').split(/\s+/).map((name) => `.${name}`),
  ]);

/**
 * The class (`.name`) or element name that each alternative of a selector requires. Undefined if a simple scan cannot
 * find it, or for a rule without a selector, such as `@keyframes`.
 */
export function listSubjects(selector: string | undefined): readonly string[] | undefined {
  if (selector === undefined) return undefined;
  const single = /^(\.[\w-]+)(?:[:.#[][^\s>+~,\\]*)?$/.exec(selector)?.[1];
  if (single !== undefined) return [single];
  const plain = withoutConditions(selector);
  if (/[^\w\s.:>+~,-]/.test(plain)) return undefined;
  const subjects: string[] = [];
  for (const alternative of plain.split(',')) {
    const last =
      alternative
        .trim()
        .split(/[\s>+~]+/)
        .at(-1) ?? '';
    const subject = /\.[\w-]+/.exec(last)?.[0] ?? /^[a-z][\w-]*/i.exec(last)?.[0].toLowerCase();
    if (subject === undefined) return undefined;
    subjects.push(subject);
  }
  return subjects;
}

const attribute = /\[[\w\s-]+(?:[~|^$*]?=\s*(?:"[^"\\]*"|'[^'\\]*'|[\w-]+)\s*)?\]/g;
const argument = /\([^(),\\]*\)/g;

/** Removes conditions on attributes and the arguments of pseudo-classes, except lists. */
function withoutConditions(selector: string): string {
  const shorter = selector.replaceAll(attribute, '').replaceAll(argument, '');
  return shorter === selector ? selector : withoutConditions(shorter);
}

interface SelectorEngine {
  match: (selector: string | undefined, element: Element) => boolean;
}

function findEngine(page: Document): SelectorEngine | undefined {
  const inner = Object.getOwnPropertySymbols(page).find(({ description }) => description === 'impl');
  return inner && (Reflect.get(Reflect.get(page, inner) as object, '_nwsapiDontThrow') as SelectorEngine | undefined);
}
