import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Plugin } from 'esbuild';

/**
 * Turns an imported stylesheet into a module that the document adopts when it is first loaded, so that lazy screens
 * bring their own styles. Adopted sheets need no exception in the content security policy.
 *
 * @param findProblem explains why a file referenced by a stylesheet must not be in this bundle
 */
export function styleModules(
  target: readonly string[],
  findProblem: (file: string) => string | undefined = () => undefined,
): Plugin {
  return {
    name: 'style-modules',
    setup(build) {
      const root = build.initialOptions.absWorkingDir ?? process.cwd();
      build.onLoad({ filter: /\.css$/ }, async ({ path: file, namespace }) => {
        if (namespace !== 'file') return undefined;
        const result = await build.esbuild.build({
          stdin: {
            contents: await readFile(file, 'utf8'),
            loader: 'css',
            resolveDir: file.replace(/[\\/][^\\/]+$/, ''),
            sourcefile: file.replace(/^.*[\\/]/, ''),
          },
          bundle: true,
          minify: true,
          write: false,
          target: [...target],
          loader: { '.svg': 'dataurl', '.png': 'dataurl', '.woff2': 'dataurl' },
          logLevel: 'silent',
          absWorkingDir: root,
          metafile: true,
        });
        const importedFiles = Object.keys(result.metafile.inputs)
          .filter((input) => input !== '<stdin>' && input !== path.basename(file))
          .map((input) => path.resolve(root, input));
        const errors = importedFiles.flatMap((input) => findProblem(input) ?? []).map((text) => ({ text }));
        if (errors.length > 0) return { errors };
        const css = result.outputFiles[0]?.text.trim() ?? '';
        const contents = `const sheet = new CSSStyleSheet();\nsheet.replaceSync(${JSON.stringify(css)});\ndocument.adoptedStyleSheets.push(sheet);\n`;
        return { contents, loader: 'js', watchFiles: [file, ...importedFiles] };
      });
    },
  };
}
