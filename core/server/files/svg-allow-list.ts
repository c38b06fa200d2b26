import { SaxesParser, type SaxesTagNS } from 'saxes';
import { coreRefusal } from '#core/api';
import { invalidRequest } from '../kernel/server-error.ts';

const namespace = 'http://www.w3.org/2000/svg';
const toNameSet = (list: string): ReadonlySet<string> => new Set(list.split(/\s+/));

const elements = toNameSet(`svg g defs symbol title desc path rect circle ellipse line polyline polygon text tspan
  linearGradient radialGradient stop clipPath mask pattern marker`);

/** Attributes that a `style` attribute may set too. */
const styleProperties = toNameSet(`visibility display fill fill-opacity fill-rule stroke stroke-width stroke-opacity
  stroke-linecap stroke-linejoin stroke-dasharray stroke-dashoffset stroke-miterlimit vector-effect opacity color
  stop-color stop-opacity clip-path clip-rule mask marker-start marker-mid marker-end font-family font-size font-weight
  font-style text-anchor dominant-baseline letter-spacing`);

const attributes = new Set([
  ...styleProperties,
  ...toNameSet(`id class x y x1 y1 x2 y2 cx cy r rx ry fx fy d points width height viewBox preserveAspectRatio transform
    version offset gradientUnits gradientTransform spreadMethod maskUnits maskContentUnits clipPathUnits patternUnits
    patternContentUnits patternTransform markerWidth markerHeight refX refY orient markerUnits dx dy`),
]);

/** Elements that may inherit stops or tiles from another element of the same drawing. */
const inheritingElements = toNameSet('linearGradient radialGradient pattern');
/** Elements that are removed without a report, because they do not affect the drawing. */
const inertElements = toNameSet('metadata');
/** Browsers execute or fetch the references of elements in these namespaces, also within a drawing. */
const activeNamespaces = new Set(['http://www.w3.org/1999/xhtml', 'http://www.w3.org/1998/Math/MathML']);
const linkNamespace = 'http://www.w3.org/1999/xlink';

const safeFunctions = toNameSet('url rgb rgba hsl hsla matrix translate scale rotate skewx skewy');
const localReference = /^#[\w.:-]+$/;
const unsafeText = /javascript:|data:|\\|\/\*/i;
/** Attributes whose values are names and never cause requests. */
const nameAttributes = toNameSet('id class font-family');

const maxElements = 50_000;
const maxDepth = 64;
/** In characters. Longer names of functions and longer references are unsafe. */
const maxFunctionLength = 40;
const maxReferenceLength = 300;

/**
 * A removed part of a drawing that would execute, fetch or display something.
 */
export interface SvgRemoval {
  readonly kind: 'element' | 'attribute' | 'address' | 'instruction';
  /** The name as written in the drawing, such as `svg:script` or `onload`. */
  readonly name: string;
}

export interface ReducedSvg {
  readonly svg: string;
  /** In the order of the drawing. */
  readonly removed: readonly SvgRemoval[];
}

/**
 * Thrown if a file is not a readable drawing. For `broken`, `detail` is the message of the parser. `elements` means too
 * many or too deeply nested ones, `none` that there is no drawing.
 */
export class SvgUnreadableError extends Error {
  readonly reason: 'broken' | 'doctype' | 'elements' | 'none';
  readonly detail: string;

  constructor(reason: SvgUnreadableError['reason'], detail = '') {
    super(`The drawing cannot be read: ${reason}${detail && `, ${detail}`}.`);
    this.reason = reason;
    this.detail = detail;
  }
}

/**
 * Reduces a drawing to shapes, text and paint servers. Removes scripts, style sheets, links, images, animations,
 * foreign content and external references.
 *
 * @throws SvgUnreadableError if the source is not well-formed SVG, has a DOCTYPE (entities), or has too many or too deeply
 *   nested elements
 */
export function reduceSvg(source: string): ReducedSvg {
  const output: string[] = [];
  const removals: SvgRemoval[] = [];
  const parser = new SaxesParser({ xmlns: true });
  let depth = 0;
  let elementCount = 0;
  /** The depth of the root of the subtree that is being removed; 0 outside of such a subtree. */
  let removedDepth = 0;

  parser.on('error', (error) => {
    throw new SvgUnreadableError('broken', error.message);
  });
  parser.on('doctype', () => {
    throw new SvgUnreadableError('doctype');
  });
  parser.on('processinginstruction', ({ target }) => {
    removals.push({ kind: 'instruction', name: target });
  });
  parser.on('opentag', (tag) => {
    depth++;
    if (++elementCount > maxElements || depth > maxDepth) throw new SvgUnreadableError('elements');
    if (removedDepth !== 0) return;
    const isRoot = depth === 1;
    if (tag.uri !== namespace || !elements.has(tag.local) || (isRoot && tag.local !== 'svg')) {
      removedDepth = depth;
      if (isActiveElement(tag)) removals.push({ kind: 'element', name: tag.name });
      return;
    }
    output.push(`<${tag.local}${isRoot ? ` xmlns="${namespace}"` : ''}${formatSafeAttributes(tag, removals)}>`);
  });
  parser.on('closetag', ({ local }) => {
    if (removedDepth === 0) output.push(`</${local}>`);
    else if (removedDepth === depth) removedDepth = 0;
    depth--;
  });
  const writeText = (content: string): void => {
    if (removedDepth === 0 && depth > 0) output.push(escapeXml(content));
  };
  parser.on('text', writeText);
  parser.on('cdata', writeText);

  parser.write(source).close();
  if (output.length === 0) throw new SvgUnreadableError('none');
  return { svg: output.join(''), removed: removals };
}

/**
 * Reduces a drawing of an upload, like `reduceSvg`.
 *
 * @throws `invalidRequest` with a readable message if the drawing cannot be read
 */
export function sanitiseSvg(source: string): string {
  try {
    return reduceSvg(source).svg;
  } catch (error) {
    if (!(error instanceof SvgUnreadableError)) throw error;
    throw invalidRequest(coreRefusal(refusals[error.reason]));
  }
}

const refusals = {
  broken: 'core.refused.drawingBroken',
  doctype: 'core.refused.drawingDoctype',
  elements: 'core.refused.drawingElements',
  none: 'core.refused.noDrawing',
} as const;

function isActiveElement({ uri, local }: SaxesTagNS): boolean {
  return uri === namespace ? !inertElements.has(local) : activeNamespaces.has(uri);
}

function formatSafeAttributes(tag: SaxesTagNS, removals: SvgRemoval[]): string {
  const ownAttributes = new Map<string, string>();
  const styleAttributes = new Map<string, string>();
  for (const { name, local, prefix, uri, value } of Object.values(tag.attributes)) {
    if (/^on/i.test(local)) removals.push({ kind: 'attribute', name });
    else if (local === 'href' && (prefix === '' || uri === linkNamespace)) {
      if (inheritingElements.has(tag.local) && localReference.test(value)) ownAttributes.set('href', value);
      else removals.push({ kind: 'address', name });
    } else if (prefix === '') {
      const [target, known, entries] =
        local === 'style'
          ? ([styleAttributes, styleProperties, parseDeclarations(value)] as const)
          : ([ownAttributes, attributes, [[local, value]]] as const);
      for (const [key, text] of entries) {
        const classification = classifyAttribute(known, key, text);
        if (classification === 'keep') target.set(key, text);
        else if (classification !== 'drop') removals.push({ kind: classification, name });
      }
    }
  }
  return [...new Map([...ownAttributes, ...styleAttributes])]
    .map(([name, value]) => ` ${name}="${escapeXml(value)}"`)
    .join('');
}

function classifyAttribute(
  knownNames: ReadonlySet<string>,
  name: string,
  value: string,
): 'keep' | 'drop' | 'attribute' | 'address' {
  const isSafe = isSafeValue(value);
  if (isSafe && knownNames.has(name)) return 'keep';
  if (name === 'filter' && value !== 'none') return 'attribute';
  const isInterpreted = knownNames.has(name) ? !nameAttributes.has(name) : /url\s?\(/i.test(value);
  return isInterpreted && !isSafe ? 'address' : 'drop';
}

/** Parses a `style` attribute. Its declarations become attributes, so that no CSS remains in the drawing. */
function parseDeclarations(style: string): readonly (readonly [property: string, value: string])[] {
  return style.split(';').map((declaration) => {
    const colon = declaration.indexOf(':');
    const [value = ''] = declaration.slice(colon + 1).split('!', 1);
    return [declaration.slice(0, Math.max(0, colon)).trim(), value.trim()] as const;
  });
}

/**
 * Allows references only to elements of the same drawing, and neither fetching functions nor escapes. Avoids regular
 * expressions over the whole value, which may be megabytes long.
 */
function isSafeValue(value: string): boolean {
  if (unsafeText.test(value)) return false;
  for (let open = value.indexOf('('); open >= 0; open = value.indexOf('(', open + 1)) {
    const textBefore = value.slice(Math.max(0, open - maxFunctionLength), open).trimEnd();
    const name = /[\w-]*$/.exec(textBefore)?.[0].toLowerCase() ?? '';
    if (!safeFunctions.has(name)) return false;
    if (name !== 'url') continue;
    const close = value.indexOf(')', open);
    const reference = value.slice(open + 1, close < 0 ? undefined : Math.min(close, open + maxReferenceLength)).trim();
    if (close < 0 || !localReference.test(reference.replaceAll(/^(["'])(.*)\1$/g, '$2'))) return false;
  }
  return true;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** Whether the first bytes of a file look like an SVG drawing, whatever its name. */
export function looksLikeSvg(head: Uint8Array): boolean {
  const text = new TextDecoder().decode(head);
  return /^\uFEFF?\s*(?:<\?xml[^>]*\?>\s*)?(?:<!--[\s\S]*?-->\s*|<!DOCTYPE[^>[]*(?:\[[\s\S]*?\])?[^>]*>\s*)*<svg[\s>/]/i.test(
    text,
  );
}
