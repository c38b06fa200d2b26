/**
 * Speeds up jsdom's computed styles, which match every rule with a selector engine that caches only 1000 selectors:
 * with Fluent's many rules a screen's test takes minutes. Skips the engine if an element has none of a selector's
 * classes or names.
 */
export function quickenStyles(): void {
  const computedStyle = window.getComputedStyle;
  computedStyle(document.documentElement);
  const engine = findEngine(document);
  if (!engine)
    throw new Error(
      'jsdom keeps the selector engine of its styles elsewhere than this knows: look for matchesDontThrow in jsdom, ' +
        'and mend quickenStyles.',
    );
  const match = engine.match;
  const cached = new Map<string | undefined, readonly string[] | undefined>();
  let shown: Element | undefined;
  let signs: ReadonlySet<string> = new Set();
  window.getComputedStyle = (element, pseudo) => {
    // Its classes may have changed since the last call.
    shown = undefined;
    return computedStyle(element, pseudo);
  };
  engine.match = (selector, element) => {
    let subjects = cached.get(selector);
    if (subjects === undefined && !cached.has(selector)) cached.set(selector, (subjects = listSubjects(selector)));
    if (element !== shown) {
      shown = element;
      signs = new Set([
        element.localName,
        ...(element.getAttribute('class') ?? '').split(/\s+/).map((name) => `.${name}`),
      ]);
    }
    return subjects !== undefined && !subjects.some((subject) => signs.has(subject)) ? false : match(selector, element);
  };
}

/**
 * The class (`.name`) or element name that an element needs to match each alternative of a selector. Undefined if a
 * simple scan cannot find it; rules without elements (`@keyframes`) have no selector.
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

function findEngine(of: Document): SelectorEngine | undefined {
  const inner = Object.getOwnPropertySymbols(of).find(({ description }) => description === 'impl');
  return inner && (Reflect.get(Reflect.get(of, inner) as object, '_nwsapiDontThrow') as SelectorEngine | undefined);
}
