import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

/**
 * Makes a stylesheet that a module imports part of that module: it is adopted by the document when the module is first
 * fetched, so that a lazy screen brings its own style, and a screen that is absent brings none. Adopted sheets need no
 * exception in the content security policy.
 */
export function styleModules(target: readonly string[]): Plugin {
  return {
    name: 'style-modules',
    setup(build) {
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
        });
        const css = result.outputFiles[0]?.text.trim() ?? '';
        const contents = `const sheet = new CSSStyleSheet();\nsheet.replaceSync(${JSON.stringify(css)});\ndocument.adoptedStyleSheets.push(sheet);\n`;
        return { contents, loader: 'js', watchFiles: [file] };
      });
    },
  };
}
