import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { build, type BuildOptions, type Plugin } from 'esbuild';
import { basePath } from '#core';
import type { BuildContext } from '../bundle/build-context.ts';
import { toBuildError } from '../bundle/build-error.ts';
import { createBrowserOptions } from '../bundle/web-bundle.ts';

/** The packages in separate bundles, so that rebuilds process only files of the project. */
export interface Vendors {
  /** For the page's import map: URL by specifier. */
  readonly urls: Readonly<Record<string, string>>;
  /** Contents by path under the base path. */
  readonly files: ReadonlyMap<string, Uint8Array>;
}

/** Path of the bundles of packages, under the base path. */
const vendorPath = '@vendor';
/** Raise it when the output of this file changes, to invalidate cached bundles. */
const cacheVersion = 2;
const stubPrefix = 'common-js:';

/** Bundles the packages that own files import, cached in `.generated`. */
export async function bundleVendors(context: BuildContext, specifiers: readonly string[]): Promise<Vendors> {
  const names = new Map(specifiers.map((specifier) => [specifier, specifier.replaceAll(/[^A-Za-z0-9]+/g, '_')]));
  const lock = await readFile(path.join(context.root, 'package-lock.json'));
  const hash = createHash('sha256')
    .update(`${cacheVersion}`)
    .update(lock)
    .update(JSON.stringify(specifiers))
    .digest('hex')
    .slice(0, 16);
  const folder = path.join(context.root, '.generated', 'vendors', hash);
  if (!(await readdir(folder).catch(() => undefined))) await writeBundle(folder, await bundlePackages(context, names));
  const files = await Promise.all(
    (await readdir(folder)).map(
      async (file) => [`${vendorPath}/${file}`, await readFile(path.join(folder, file))] as const,
    ),
  );
  return {
    urls: Object.fromEntries(
      [...names].map(([specifier, name]) => [specifier, `${basePath}/${vendorPath}/${name}.js`]),
    ),
    files: new Map(files),
  };
}

async function bundlePackages(
  context: BuildContext,
  names: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const options: BuildOptions = {
    ...createBrowserOptions(context),
    splitting: true,
    publicPath: `${basePath}/${vendorPath}`,
    entryNames: '[name]',
    chunkNames: 'chunk-[hash]',
    define: { 'process.env.NODE_ENV': '"development"' },
    plugins: [createCommonJsStubs(context.root)],
  };
  const runBuild = (toSpecifier: (specifier: string) => string) =>
    build({
      ...options,
      entryPoints: Object.fromEntries([...names].map(([specifier, name]) => [name, toSpecifier(specifier)])),
    }).catch((error: unknown) => {
      throw toBuildError(error, 'The bundle of the packages');
    });
  const { metafile } = await runBuild((specifier) => specifier);
  // The bundler finds only a default export in CommonJS modules. So stubs read the names from the module itself, and
  // the packages are bundled a second time with these stubs.
  const commonJsNames = new Set(
    Object.entries(metafile?.outputs ?? {}).flatMap(([file, { entryPoint }]) =>
      entryPoint !== undefined && metafile?.inputs[entryPoint]?.format === 'cjs' ? [path.basename(file, '.js')] : [],
    ),
  );
  const { outputFiles } = await runBuild((specifier) =>
    commonJsNames.has(names.get(specifier) ?? '') ? stubPrefix + specifier : specifier,
  );
  return new Map((outputFiles ?? []).map((file) => [path.basename(file.path), file.contents]));
}

/** Stubs that re-export the names of a CommonJS module. */
function createCommonJsStubs(root: string): Plugin {
  const requirePackage = createRequire(path.join(root, 'package.json'));
  const listNames = (specifier: string): readonly string[] => {
    try {
      return Object.keys(requirePackage(specifier) as object).filter(
        (name) => name !== 'default' && /^[A-Za-z_$][\w$]*$/.test(name),
      );
    } catch {
      // A package that runs only in browsers exports only its default.
      return [];
    }
  };
  return {
    name: 'common-js-stubs',
    setup(builder) {
      builder.onResolve({ filter: new RegExp(`^${stubPrefix}`) }, ({ path: specifier }) => ({
        path: specifier.slice(stubPrefix.length),
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
async function writeBundle(folder: string, files: ReadonlyMap<string, Uint8Array>): Promise<void> {
  const temporaryFolder = `${folder}.${process.pid}.draft`;
  await mkdir(temporaryFolder, { recursive: true });
  await Promise.all([...files].map(([file, content]) => writeFile(path.join(temporaryFolder, file), content)));
  // Another process may have written the same bundle in the meantime.
  await rename(temporaryFolder, folder).catch(() => rm(temporaryFolder, { recursive: true, force: true }));
}
