import path from 'node:path';
import type { BuildOptions, Metafile, OutputFile, Plugin } from 'esbuild';

/** Matches the URL in `new Worker(new URL('./decode.worker.ts', import.meta.url), { type: 'module' })`. */
const workerUrl = /new URL\(\s*(['"])(\.[^'"]+\.worker\.ts)\1\s*,\s*import\.meta\.url\s*\)/g;
const workerSuffix = '?worker';

/** Replaces the URL of each worker's source in a module by the URL of the worker's bundle. */
export function rewriteWorkerUrls(source: string): string {
  const imports: string[] = [];
  const text = source.replaceAll(workerUrl, (_, __, file: string) => {
    imports.push(`import workerUrl${imports.length} from ${JSON.stringify(file + workerSuffix)};`);
    return `new URL(workerUrl${imports.length - 1}, import.meta.url)`;
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
 * @param options of the surrounding bundle, so that defines, names and targets are the same
 * @param plugins for the modules of a worker, such as the guard
 * @param onBundle receives the files of each worker in each build
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
        path: path.relative(root, path.resolve(resolveDir, file.slice(0, -workerSuffix.length))),
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
        const url = `${options.publicPath}/${path
          .relative(path.resolve(root, options.outdir), script?.path ?? '')
          .split(path.sep)
          .join('/')}`;
        return { contents: `export default ${JSON.stringify(url)}`, loader: 'js', watchFiles: [file] };
      });
    },
  };
}
