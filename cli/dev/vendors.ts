import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { build, type BuildOptions, type Plugin } from 'esbuild';
import { basePath } from '#core';
import type { BuildContext } from '../bundle/build-context.ts';
import { bundleFailure } from '../bundle/bundle-failure.ts';
import { browserOptions } from '../bundle/web-bundle.ts';

/** Packages, bundled once, so that rebuilds process own files only. */
export interface Vendors {
  /** For the page's import map: address by specifier. */
  readonly addresses: Readonly<Record<string, string>>;
  /** Contents by path under the base path. */
  readonly files: ReadonlyMap<string, Uint8Array>;
}

/** Where vendor bundles are served, under the base path. */
const place = '@vendor';
/** Raise it when the output of this file changes, to invalidate cached bundles. */
const version = 2;
const stub = 'common-js:';

/** Bundles the packages that own files import, cached in `.generated`. */
export async function bundleVendors(context: BuildContext, specifiers: readonly string[]): Promise<Vendors> {
  const names = new Map(specifiers.map((specifier) => [specifier, specifier.replaceAll(/[^A-Za-z0-9]+/g, '_')]));
  const lock = await readFile(path.join(context.root, 'package-lock.json'));
  const hash = createHash('sha256')
    .update(`${version}`)
    .update(lock)
    .update(JSON.stringify(specifiers))
    .digest('hex')
    .slice(0, 16);
  const folder = path.join(context.root, '.generated', 'vendors', hash);
  if (!(await readdir(folder).catch(() => undefined))) await keep(folder, await bundle(context, names));
  const files = await Promise.all(
    (await readdir(folder)).map(async (file) => [`${place}/${file}`, await readFile(path.join(folder, file))] as const),
  );
  return {
    addresses: Object.fromEntries(
      [...names].map(([specifier, name]) => [specifier, `${basePath}/${place}/${name}.js`]),
    ),
    files: new Map(files),
  };
}

async function bundle(
  context: BuildContext,
  names: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const options: BuildOptions = {
    ...browserOptions(context),
    splitting: true,
    publicPath: `${basePath}/${place}`,
    entryNames: '[name]',
    chunkNames: 'chunk-[hash]',
    define: { 'process.env.NODE_ENV': '"development"' },
    plugins: [commonJsStubs(context.root)],
  };
  const run = (toSpecifier: (specifier: string) => string) =>
    build({
      ...options,
      entryPoints: Object.fromEntries([...names].map(([specifier, name]) => [name, toSpecifier(specifier)])),
    }).catch((error: unknown) => {
      throw bundleFailure(error, 'The bundle of the packages');
    });
  const { metafile } = await run((specifier) => specifier);
  // The bundler sees only a default export in CommonJS modules: reads the names from the module itself, and bundles
  // again.
  const commonJs = new Set(
    Object.entries(metafile?.outputs ?? {}).flatMap(([file, { entryPoint }]) =>
      entryPoint !== undefined && metafile?.inputs[entryPoint]?.format === 'cjs' ? [path.basename(file, '.js')] : [],
    ),
  );
  const { outputFiles } = await run((specifier) =>
    commonJs.has(names.get(specifier) ?? '') ? stub + specifier : specifier,
  );
  return new Map((outputFiles ?? []).map((file) => [path.basename(file.path), file.contents]));
}

/** Stubs that re-export the names of a CommonJS module. */
function commonJsStubs(root: string): Plugin {
  const load = createRequire(path.join(root, 'package.json'));
  const listNames = (specifier: string): readonly string[] => {
    try {
      return Object.keys(load(specifier) as object).filter(
        (name) => name !== 'default' && /^[A-Za-z_$][\w$]*$/.test(name),
      );
    } catch {
      // Some packages run in browsers only; these export their default.
      return [];
    }
  };
  return {
    name: 'common-js-stubs',
    setup(builder) {
      builder.onResolve({ filter: new RegExp(`^${stub}`) }, ({ path: specifier }) => ({
        path: specifier.slice(stub.length),
        namespace: 'common-js',
      }));
      builder.onLoad({ filter: /.*/, namespace: 'common-js' }, ({ path: specifier }) => ({
        contents: [
          `import whole from ${JSON.stringify(specifier)};`,
          'export default whole;',
          ...listNames(specifier).map((name) => `export const ${name} = whole.${name};`),
        ].join('\n'),
        resolveDir: root,
      }));
    },
  };
}

/** Writes a complete bundle atomically. */
async function keep(folder: string, files: ReadonlyMap<string, Uint8Array>): Promise<void> {
  const draft = `${folder}.${process.pid}.draft`;
  await mkdir(draft, { recursive: true });
  await Promise.all([...files].map(([file, content]) => writeFile(path.join(draft, file), content)));
  // Another process may have written the same bundle meanwhile.
  await rename(draft, folder).catch(() => rm(draft, { recursive: true, force: true }));
}
