import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { build, type BuildOptions, type Metafile } from 'esbuild';
import type { BuildContext } from './build-context.ts';
import { toBuildError } from './build-error.ts';
import { SourceGuard } from './source-guard.ts';
import { virtualFolder } from './web-bundle.ts';

/** The server's part of a product. Packages stay external: Node finds them in a `node_modules` folder above it. */
export interface ServerBundle {
  /** By path relative to the server folder. `server.mjs` is the main program. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly maps: ReadonlyMap<string, string>;
  readonly metafile: Metafile;
  /** Names of the packages that the server imports. */
  readonly packages: readonly string[];
}

/** Files that run in their own thread or process. They are next to `server.mjs` under the same name. */
const threadFile = /-(?:worker|process)\.mjs$/;

export function createServerOptions(context: BuildContext): BuildOptions {
  return {
    absWorkingDir: context.root,
    outdir: virtualFolder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    packages: 'external',
    charset: 'utf8',
    legalComments: 'none',
    define: { 'process.env.NODE_ENV': '"production"' },
    tsconfigRaw: {
      compilerOptions: { experimentalDecorators: true, useDefineForClassFields: true, verbatimModuleSyntax: true },
    },
    logOverride: { 'ignored-bare-import': 'error' },
    logLevel: 'silent',
    write: false,
    metafile: true,
    keepNames: true,
  };
}

/** The server's entries by output name: `server`, `verify`, and each file that runs in its own thread or process. */
export async function findServerEntryPoints(context: BuildContext, entry: string): Promise<Record<string, string>> {
  const folders = [
    path.join(context.root, 'core', 'server'),
    ...context.resolvedProfile.enabled.flatMap((id) => {
      const plugin = context.resolvedProfile.plugins.get(id);
      return plugin?.server ? [path.join(plugin.folder, 'server')] : [];
    }),
  ];
  const threadFiles = (
    await Promise.all(
      folders.map(async (folder) =>
        (await readdir(folder, { recursive: true }))
          .filter((name) => threadFile.test(name))
          .map((name) => path.join(folder, name)),
      ),
    )
  ).flat();
  const { verifier } = context.core;
  return {
    server: entry,
    verify: verifier,
    ...Object.fromEntries(threadFiles.sort().map((file) => [path.basename(file, '.mjs'), file])),
  };
}

/** Bundles the server. @throws CliError that names the import at fault, with its import chain */
export async function bundleServer(context: BuildContext, entry: string): Promise<ServerBundle> {
  const subject = `The server bundle of '${context.resolvedProfile.name}'`;
  const guard = new SourceGuard(context, 'server');
  const entryPoints = await findServerEntryPoints(context, entry);
  const result = await build({
    ...createServerOptions(context),
    sourcemap: 'external',
    sourcesContent: false,
    entryPoints,
    plugins: [guard.plugin()],
  }).catch((error: unknown) => {
    throw toBuildError(error, subject);
  });
  const folder = path.join(context.root, virtualFolder);
  const outputs = (result.outputFiles ?? [])
    .map((file) => [path.relative(folder, file.path).split(path.sep).join('/'), file] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const metafile = result.metafile ?? { inputs: {}, outputs: {} };
  guard.review(metafile, Object.values(entryPoints), subject);
  return {
    files: new Map(outputs.filter(([name]) => !name.endsWith('.map')).map(([name, file]) => [name, file.contents])),
    maps: new Map(
      outputs
        .filter(([name]) => name.endsWith('.map'))
        .map(([name, file]) => [name.slice(0, -'.map'.length), toRootedMap(file.text, context.root, folder)]),
    ),
    metafile,
    packages: listPackages(metafile),
  };
}

/** Makes the paths of a source map relative to the project's root. */
function toRootedMap(text: string, root: string, folder: string): string {
  const map = JSON.parse(text) as { sources: string[] };
  return JSON.stringify({
    ...map,
    sources: map.sources.map((source) => path.relative(root, path.resolve(folder, source)).split(path.sep).join('/')),
  });
}

function listPackages(metafile: Metafile): readonly string[] {
  const specifiers = Object.values(metafile.outputs).flatMap((output) =>
    output.imports.filter((importEntry) => importEntry.external).map((importEntry) => importEntry.path),
  );
  const names = specifiers
    .filter((specifier) => !specifier.startsWith('node:'))
    .map((specifier) =>
      specifier
        .split('/')
        .slice(0, specifier.startsWith('@') ? 2 : 1)
        .join('/'),
    );
  return [...new Set(names)].sort();
}
