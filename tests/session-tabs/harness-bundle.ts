import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import { basePath } from '#core';

export interface HarnessBundle {
  /** The files that a server serves as the product's pages. */
  readonly folder: string;
  remove(): Promise<void>;
}

/**
 * Bundles `harness.tsx` with one page for the application and one for the login. Tests control the pages by
 * `globalThis.harness`.
 */
export async function bundleHarness(): Promise<HarnessBundle> {
  const parentFolder = await mkdtemp(path.join(tmpdir(), 'walkdown-tabs-'));
  const folder = path.join(parentFolder, 'web');
  await build({
    entryPoints: { harness: path.join(import.meta.dirname, 'harness.tsx') },
    outdir: folder,
    bundle: true,
    format: 'esm',
    jsx: 'automatic',
    target: 'es2022',
    define: { 'process.env.NODE_ENV': '"production"' },
    tsconfigRaw: {
      compilerOptions: { experimentalDecorators: true, useDefineForClassFields: true, verbatimModuleSyntax: true },
    },
  });
  const html =
    '<!doctype html><html lang="en"><title>Session</title><div id="root"></div><script type="module" ' +
    `src="${basePath}/harness.js"></script></html>`;
  for (const page of ['index.html', 'login.html']) await writeFile(path.join(folder, page), html);
  const headers = { 'content-security-policy': "default-src 'self'" };
  await writeFile(path.join(parentFolder, 'headers.json'), JSON.stringify({ '/login': headers, '/': headers }));
  return { folder, remove: () => rm(parentFolder, { recursive: true, force: true }) };
}
