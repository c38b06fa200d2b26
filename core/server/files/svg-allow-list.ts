import { SaxesParser } from 'saxes';
import { coreRefusal } from '#core/api';
import { invalidRequest } from '../kernel/server-error.ts';

const namespace = 'http://www.w3.org/2000/svg';
const words = (list: string): ReadonlySet<string> => new Set(list.split(/\s+/));

const elements = words(`svg g defs symbol title desc path rect circle ellipse line polyline polygon text tspan
  linearGradient radialGradient stop clipPath mask pattern marker`);

const attributes = words(`
    id class x y x1 y1 x2 y2 cx cy r rx ry fx fy d points width height viewBox preserveAspectRatio transform version
    visibility display fill fill-opacity fill-rule stroke stroke-width stroke-opacity stroke-linecap stroke-linejoin
    stroke-dasharray stroke-dashoffset stroke-miterlimit vector-effect opacity color stop-color stop-opacity offset
    gradientUnits gradientTransform spreadMethod clip-path clip-rule mask maskUnits maskContentUnits clipPathUnits
    patternUnits patternContentUnits patternTransform marker-start marker-mid marker-end markerWidth markerHeight refX
    refY orient markerUnits font-family font-size font-weight font-style text-anchor dominant-baseline letter-spacing
    dx dy
  `);

/** An address other than that of an element of the same drawing, or what some browser runs. */
const unsafeValue = /url\(\s*(?!#[\w.-]+\s*\))|javascript:|data:|expression\(|\\/i;

const mostElements = 50_000;
const deepest = 64;

/**
 * The drawing with nothing in it but shapes, text and paint servers: scripts, styles, links, images, animations,
 * foreign content and outside addresses are left out. Throws `invalidRequest` with a sentence where it is no
 * well-formed SVG, has a DOCTYPE (entities), or is too large to be shown.
 */
export function safeSvg(source: string): string {
  const out: string[] = [];
  const parser = new SaxesParser({ xmlns: true });
  let depth = 0;
  let count = 0;
  /** Depth at which what is left out began; 0: nothing is being left out. */
  let leftOutFrom = 0;

  parser.on('error', (error) => {
    throw invalidRequest(coreRefusal('core.refused.drawingBroken', { reason: error.message }));
  });
  parser.on('doctype', () => {
    throw invalidRequest(coreRefusal('core.refused.drawingDoctype'));
  });
  parser.on('opentag', ({ local, prefix, uri, attributes: given }) => {
    depth++;
    if (++count > mostElements || depth > deepest) throw invalidRequest(coreRefusal('core.refused.drawingElements'));
    if (leftOutFrom !== 0) return;
    if (uri !== namespace || prefix !== '' || !elements.has(local) || (depth === 1 && local !== 'svg')) {
      leftOutFrom = depth;
      return;
    }
    const kept = Object.values(given).filter(
      ({ local: name, prefix: space, value }) => space === '' && attributes.has(name) && !unsafeValue.test(value),
    );
    out.push(
      `<${local}${depth === 1 ? ` xmlns="${namespace}"` : ''}${kept.map(({ local: name, value }) => ` ${name}="${escapeXml(value)}"`).join('')}>`,
    );
  });
  parser.on('closetag', ({ local }) => {
    if (leftOutFrom === 0) out.push(`</${local}>`);
    else if (leftOutFrom === depth) leftOutFrom = 0;
    depth--;
  });
  const text = (content: string): void => {
    if (leftOutFrom === 0 && depth > 0) out.push(escapeXml(content));
  };
  parser.on('text', text);
  parser.on('cdata', text);

  parser.write(source).close();
  if (out.length === 0) throw invalidRequest(coreRefusal('core.refused.noDrawing'));
  return out.join('');
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** Whether the head of a file begins as an SVG drawing does, whatever its name. */
export function looksLikeSvg(head: Uint8Array): boolean {
  const text = new TextDecoder().decode(head);
  return /^\uFEFF?\s*(?:<\?xml[^>]*\?>\s*)?(?:<!--[\s\S]*?-->\s*|<!DOCTYPE[^>[]*(?:\[[\s\S]*?\])?[^>]*>\s*)*<svg[\s>/]/i.test(
    text,
  );
}
