import path from 'node:path';
import type { BuildOptions, Metafile, OutputFile, Plugin } from 'esbuild';

/** The notation of a web worker: `new Worker(new URL('./decode.worker.ts', import.meta.url), { type: 'module' })`. */
const workerAddress = /new URL\(\s*(['"])(\.[^'"]+\.worker\.ts)\1\s*,\s*import\.meta\.url\s*\)/g;
const suffix = '?worker';

/** Replaces each worker address in a module by that of the worker's bundle. */
export function rewriteWorkerAddresses(source: string): string {
  const imports: string[] = [];
  const text = source.replaceAll(workerAddress, (_, __, file: string) => {
    imports.push(`import workerAddress${imports.length} from ${JSON.stringify(file + suffix)};`);
    return `new URL(workerAddress${imports.length - 1}, import.meta.url)`;
  });
  return imports.length === 0 ? source : `${text}\n${imports.join('\n')}\n`;
}

export interface WorkerBundle {
  readonly outputFiles: readonly OutputFile[];
  readonly metafile: Metafile;
}

/**
 * Bundles web workers as files, never as blobs, which the content security policy refuses.
 *
 * @param options those of the surrounding bundle: the same defines, names and targets
 * @param plugins those for a worker's modules, such as the guard
 * @param onBundle called once for each worker and build with its files
 */
export function webWorkers(
  options: BuildOptions & { readonly outdir: string; readonly publicPath: string },
  plugins: readonly Plugin[],
  onBundle: (bundle: WorkerBundle) => void,
): Plugin {
  return {
    name: 'web-workers',
    setup(build) {
      const root = options.absWorkingDir ?? '';
      build.onResolve({ filter: /\.worker\.ts\?worker$/ }, ({ path: file, resolveDir }) => ({
        path: path.relative(root, path.resolve(resolveDir, file.slice(0, -suffix.length))),
        namespace: 'worker',
      }));
      build.onLoad({ filter: /.*/, namespace: 'worker' }, async ({ path: name }) => {
        const file = path.resolve(root, name);
        const result = await build.esbuild.build({
          ...options,
          entryPoints: [file],
          splitting: false,
          bundle: true,
          write: false,
          metafile: true,
          plugins: [...plugins],
          logLevel: 'silent',
        });
        onBundle(result);
        const script = result.outputFiles.find((output) => output.path.endsWith('.js'));
        const address = `${options.publicPath}/${path
          .relative(path.resolve(root, options.outdir), script?.path ?? '')
          .split(path.sep)
          .join('/')}`;
        return { contents: `export default ${JSON.stringify(address)}`, loader: 'js', watchFiles: [file] };
      });
    },
  };
}
