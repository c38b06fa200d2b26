import { basePath, type PageFile } from '#core';
import type { Brand } from '../profile/resolved-profile.ts';
import type { BuildContext } from './build-context.ts';
import {
  createContentSecurityPolicy,
  listFurtherSources,
  computeIntegrity,
  needsWebAssembly,
} from './content-security.ts';
import type { Prerendered } from './prerender.ts';
import type { WebBundle } from './web-bundle.ts';

/** One page of the product. */
export interface Page {
  readonly html: string;
  /** The content security policy for the response header. */
  readonly policy: string;
}

export interface PagesInput {
  readonly context: BuildContext;
  readonly bundle: Pick<WebBundle, 'files' | 'graph' | 'app' | 'signIn'>;
  readonly brand: Pick<Brand, 'headTags'>;
  readonly prerendered: Prerendered;
  /** The product's stylesheet: a file for the app, inlined with the markup's styles into the login page. */
  readonly css: { readonly path: string; readonly content: string };
  /** Base address of the API if it is not the page's own origin. */
  readonly apiAddress: string | undefined;
}

/**
 * Renders both pages. All scripts have integrity hashes, lazy ones in the import map. The policy allows only the
 * scripts and styles of the page.
 */
export function renderPages(input: PagesInput): Readonly<Record<PageFile, Page>> {
  const { prerendered, bundle, css } = input;
  const link =
    `<link rel="stylesheet" href="${basePath}/${css.path}" integrity="${computeIntegrity(css.content)}" ` +
    'crossorigin>';
  // A stylesheet file would cost the login a further round trip before the first paint.
  const inline = css.content + prerendered.css;
  return {
    'index.html': renderPage(input, {
      entry: bundle.app,
      style: link,
      inlineStyles: [],
      root: '<div id="root"></div>',
    }),
    'login.html': renderPage(input, {
      entry: bundle.signIn,
      style: `<style>${inline}</style>`,
      inlineStyles: [inline],
      root: prerendered.html,
    }),
  };
}

interface PageContent {
  /** Path of the entry script. */
  readonly entry: string;
  readonly style: string;
  readonly inlineStyles: readonly string[];
  readonly root: string;
}

function renderPage({ context, bundle, brand, prerendered, apiAddress }: PagesInput, content: PageContent): Page {
  const getIntegrity = (path: string) => {
    const file = bundle.files.get(path);
    if (!file) throw new Error(`A page needs '${path}', which the bundle does not contain.`);
    return computeIntegrity(file);
  };
  const { entry } = content;
  const importMap = JSON.stringify({
    integrity: Object.fromEntries(
      bundle.graph.listReachable(entry).map((path) => [`${basePath}/${path}`, getIntegrity(path)]),
    ),
  });
  const policy = createContentSecurityPolicy({
    inlineScripts: [importMap, prerendered.firstScript],
    inlineStyles: content.inlineStyles,
    webAssembly: needsWebAssembly(context.resolved.enabled),
    further: listFurtherSources(context.resolved),
    connect: apiAddress === undefined ? [] : [new URL(apiAddress).origin],
  });
  const { title, languages } = context.resolved.product;
  const html = [
    '<!doctype html>',
    `<html lang="${languages[0] ?? 'en'}" data-theme="system">`,
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">',
    // Selects the background that browsers paint before the styles are loaded.
    '<meta name="color-scheme" content="light dark">',
    `<meta http-equiv="Content-Security-Policy" content="${policy.meta}">`,
    ...(apiAddress === undefined ? [] : [`<meta name="api-base" content="${escapeText(apiAddress)}">`]),
    `<title>${escapeText(title)}</title>`,
    content.style,
    `<script type="importmap">${importMap}</script>`,
    ...bundle.graph
      .listClosure(entry)
      .filter((path) => path !== entry)
      .map(
        (path) => `<link rel="modulepreload" href="${basePath}/${path}" integrity="${getIntegrity(path)}" crossorigin>`,
      ),
    `<script type="module" src="${basePath}/${entry}" integrity="${getIntegrity(entry)}" crossorigin></script>`,
    ...brand.headTags,
    '</head>',
    `<body>${content.root}<script>${prerendered.firstScript}</script><noscript>${escapeText(title)} needs ` +
      'JavaScript: please switch it on and load this page again.</noscript></body>',
    '</html>',
    '',
  ].join('\n');
  return { html, policy: policy.header };
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
