import { basePath, type PageFile } from '#core';
import type { BuildContext } from '../bundle/build-context.ts';
import { createContentSecurityPolicy, listAdditionalSources, needsWebAssembly } from '../bundle/content-security.ts';
import { createProductCss } from '../bundle/style-sheet.ts';
import type { Brand } from '../profile/resolved-profile.ts';
import { clientFile } from './dev-client.ts';
import type { Vendors } from './vendors.ts';

const stylesheet = 'static/css/product.css';

/**
 * The pages and the brand of a product in development. Nothing is prerendered, and packages are loaded by the import
 * map. The policy is that of a product.
 */
export async function createDevPages(
  context: BuildContext,
  brand: Brand,
  vendors: Vendors,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const createPage = (entry: string) => Buffer.from(formatPage(context, brand, vendors, entry));
  const pages: Readonly<Record<PageFile, Uint8Array>> = {
    'index.html': createPage('app'),
    'login.html': createPage('sign-in'),
  };
  return new Map([
    ...brand.files,
    ...vendors.files,
    [stylesheet, Buffer.from(await createProductCss(context, brand))],
    ...Object.entries(pages),
  ]);
}

function formatPage({ resolvedProfile }: BuildContext, brand: Brand, { urls }: Vendors, entry: string): string {
  const importMap = JSON.stringify({ imports: urls });
  const policy = createContentSecurityPolicy({
    inlineScripts: [importMap],
    inlineStyles: [],
    webAssembly: needsWebAssembly(resolvedProfile.enabled),
    connectOrigins: [],
    additionalSources: listAdditionalSources(resolvedProfile),
  });
  return [
    '<!doctype html>',
    `<html lang="${resolvedProfile.product.languages[0] ?? 'en'}" data-theme="system">`,
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">',
    '<meta name="color-scheme" content="light dark">',
    `<meta http-equiv="Content-Security-Policy" content="${policy.meta}">`,
    `<title>${resolvedProfile.product.title.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</title>`,
    `<link rel="stylesheet" href="${basePath}/${stylesheet}">`,
    `<script type="importmap">${importMap}</script>`,
    `<script src="${basePath}/${clientFile}" defer></script>`,
    `<script type="module" src="${basePath}/static/js/${entry}.js"></script>`,
    ...brand.headTags,
    '</head>',
    '<body><div id="root"></div></body>',
    '</html>',
    '',
  ].join('\n');
}
