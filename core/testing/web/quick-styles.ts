/**
 * Speeds up jsdom's computed styles. jsdom matches every rule with a selector engine that caches only 1000 selectors,
 * so that a screen's test takes minutes with Fluent's many rules. Skips the engine if an element has none of a
 * selector's classes or names.
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
  const cached = new Map<string | undefined, readonly string[] | undefined>();
  let currentElement: Element | undefined;
  let namesAndClasses: ReadonlySet<string> = new Set();
  window.getComputedStyle = (element, pseudo) => {
    // The element's classes may have changed since the last call.
    currentElement = undefined;
    return computedStyle(element, pseudo);
  };
  engine.match = (selector, element) => {
    let subjects = cached.get(selector);
    if (subjects === undefined && !cached.has(selector)) cached.set(selector, (subjects = listSubjects(selector)));
    if (element !== currentElement) {
      currentElement = element;
      namesAndClasses = new Set([
        element.localName,
        ...(element.getAttribute('class') ?? '').split(/\s+/).map((name) => `.${name}`),
      ]);
    }
    return subjects !== undefined && !subjects.some((subject) => namesAndClasses.has(subject))
      ? false
      : match(selector, element);
  };
}

/**
 * The class (`.name`) or element name that each alternative of a selector requires. Undefined if a simple scan cannot
 * find it, or for a rule without a selector, such as `@keyframes`.
 */
export function listSubjects(selector: string | undefined): readonly string[] | undefined {
  if (selector === undefined) return undefined;
  const single = /^(\.[\w-]+)(?:[:.#[][^\s>+~,\\]*)?$/.exec(selector)?.[1];
  if (single !== undefined) return [single];
  if (/[^\w\s.:>+~,-]/.test(selector)) return undefined;
  const subjects: string[] = [];
  for (const alternative of selector.split(',')) {
    const last =
      alternative
        .trim()
        .split(/[\s>+~]+/)
        .at(-1) ?? '';
    const subject = /\.[\w-]+/.exec(last)?.[0] ?? /^[a-z][a-z0-9-]*/.exec(last)?.[0];
    if (subject === undefined) return undefined;
    subjects.push(subject);
  }
  return subjects;
}

interface SelectorEngine {
  match: (selector: string | undefined, element: Element) => boolean;
}

function findEngine(page: Document): SelectorEngine | undefined {
  const inner = Object.getOwnPropertySymbols(page).find(({ description }) => description === 'impl');
  return inner && (Reflect.get(Reflect.get(page, inner) as object, '_nwsapiDontThrow') as SelectorEngine | undefined);
}
