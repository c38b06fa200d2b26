import { basePath, type PageFile } from '#core';
import type { Brand } from '../profile/resolved-profile.ts';
import type { BuildContext } from './build-context.ts';
import {
  createContentSecurityPolicy,
  listAdditionalSources,
  computeIntegrity,
  needsWebAssembly,
} from './content-security.ts';
import type { PrerenderedContent } from './prerender.ts';
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
  readonly prerendered: PrerenderedContent;
  /** The product's stylesheet. The app loads it as a file; the sign-in page contains it, with the markup's styles. */
  readonly css: { readonly path: string; readonly content: string };
  /** Base URL of the API if it is not the page's own origin. */
  readonly apiUrl: string | undefined;
}

/**
 * Renders both pages. All scripts have integrity hashes, lazy ones in the import map. The policy allows only the
 * scripts and styles of the page.
 */
export function renderPages(input: PagesInput): Readonly<Record<PageFile, Page>> {
  const { prerendered, bundle, css } = input;
  const stylesheetLink =
    `<link rel="stylesheet" href="${basePath}/${css.path}" integrity="${computeIntegrity(css.content)}" ` +
    'crossorigin>';
  // Inlined, because a stylesheet file would delay the first paint of the sign-in page by a round trip.
  const inlineCss = css.content + prerendered.css;
  return {
    'index.html': renderPage(input, {
      entry: bundle.app,
      style: stylesheetLink,
      inlineStyles: [],
      rootHtml: '<div id="root"></div>',
    }),
    'login.html': renderPage(input, {
      entry: bundle.signIn,
      style: `<style>${inlineCss}</style>`,
      inlineStyles: [inlineCss],
      rootHtml: prerendered.html,
    }),
  };
}

interface PageContent {
  /** Path of the entry script. */
  readonly entry: string;
  readonly style: string;
  readonly inlineStyles: readonly string[];
  readonly rootHtml: string;
}

function renderPage({ context, bundle, brand, prerendered, apiUrl }: PagesInput, content: PageContent): Page {
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
    webAssembly: needsWebAssembly(context.resolvedProfile.enabled),
    additionalSources: listAdditionalSources(context.resolvedProfile),
    connectOrigins: apiUrl === undefined ? [] : [new URL(apiUrl).origin],
  });
  const { title, languages } = context.resolvedProfile.product;
  const html = [
    '<!doctype html>',
    `<html lang="${languages[0] ?? 'en'}" data-theme="system">`,
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">',
    // Selects the background that browsers paint before the styles are loaded.
    '<meta name="color-scheme" content="light dark">',
    `<meta http-equiv="Content-Security-Policy" content="${policy.meta}">`,
    ...(apiUrl === undefined ? [] : [`<meta name="api-base" content="${escapeText(apiUrl)}">`]),
    `<title>${escapeText(title)}</title>`,
    content.style,
    `<script type="importmap">${importMap}</script>`,
    ...bundle.graph
      .listStaticClosure(entry)
      .filter((path) => path !== entry)
      .map(
        (path) => `<link rel="modulepreload" href="${basePath}/${path}" integrity="${getIntegrity(path)}" crossorigin>`,
      ),
    `<script type="module" src="${basePath}/${entry}" integrity="${getIntegrity(entry)}" crossorigin></script>`,
    ...brand.headTags,
    '</head>',
    `<body>${content.rootHtml}<script>${prerendered.firstScript}</script><noscript>${escapeText(title)} needs ` +
      'JavaScript: please switch it on and load this page again.</noscript></body>',
    '</html>',
    '',
  ].join('\n');
  return { html, policy: policy.header };
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
