import { basePath } from '#core';
import type { Brand } from '../profile/resolved-profile.ts';
import type { BuildContext } from './build-context.ts';
import { contentSecurityPolicy, integrityOf, needsWebAssembly } from './content-security.ts';
import type { Prerendered } from './prerender.ts';
import type { WebBundle } from './web-bundle.ts';

/** One page of the product. */
export interface Page {
  readonly html: string;
  /** The header that goes with it. */
  readonly policy: string;
}

export interface PageInput {
  readonly context: BuildContext;
  readonly bundle: Pick<WebBundle, 'files' | 'graph'>;
  readonly brand: Pick<Brand, 'headTags'>;
  /** Path of the page's entry script. */
  readonly entry: string;
  /** Inline text, or the path of a stylesheet among the product's files. */
  readonly style: { readonly inline: string } | { readonly path: string; readonly content: Uint8Array };
  /** What was drawn of this page at build. Without it the root is empty. */
  readonly prerendered?: Prerendered;
  /** Stands behind the root. */
  readonly firstScript: string;
  /** Other origins that the page calls. */
  readonly connect: readonly string[];
}

/** The id of the element that React draws into. */
export const rootElement = 'root';

/** A page: its scripts with integrity, also those that are only imported later (by the import map), its style, its policy. */
export function renderPage(input: PageInput): Page {
  const { context, bundle, brand, entry, style, prerendered, firstScript } = input;
  const integrity = (path: string) => {
    const content = bundle.files.get(path);
    if (!content) throw new Error(`The page needs '${path}', which was not written.`);
    return integrityOf(content);
  };
  const closure = bundle.graph.closure(entry);
  const importMap = JSON.stringify({ integrity: Object.fromEntries(bundle.graph.reach(entry).map((path) => [`${basePath}/${path}`, integrity(path)])) });
  const inlineStyles = 'inline' in style ? [style.inline] : [];
  const policy = contentSecurityPolicy({ inlineScripts: [importMap, firstScript], inlineStyles, webAssembly: needsWebAssembly(context.resolved.enabled), connect: input.connect });
  const styleTag = 'inline' in style ? `<style>${style.inline}</style>` : `<link rel="stylesheet" href="${basePath}/${style.path}" integrity="${integrityOf(style.content)}" crossorigin>`;
  const { title, languages } = context.resolved.product;
  const html = [
    '<!doctype html>',
    `<html lang="${languages[0] ?? 'en'}" data-theme="system">`,
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">',
    `<meta http-equiv="Content-Security-Policy" content="${policy.meta}">`,
    `<title>${escapeText(title)}</title>`,
    styleTag,
    `<script type="importmap">${importMap}</script>`,
    ...closure.filter((path) => path !== entry).map((path) => `<link rel="modulepreload" href="${basePath}/${path}" integrity="${integrity(path)}" crossorigin>`),
    `<script type="module" src="${basePath}/${entry}" integrity="${integrity(entry)}" crossorigin></script>`,
    ...brand.headTags,
    '</head>',
    `<body><noscript>${escapeText(title)} needs JavaScript: please switch it on and load this page again.</noscript>${prerendered?.html ?? `<div id="${rootElement}"></div>`}<script>${firstScript}</script></body>`,
    '</html>',
    '',
  ].join('\n');
  return { html, policy: policy.header };
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
