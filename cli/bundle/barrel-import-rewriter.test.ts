import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { barrelImportRewriter } from './barrel-import-rewriter.ts';

let folder: string;

/** Writes a package with a barrel. Each module of the package leaves a trace in the bundle. */
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'walkdown-barrel-rewriter-'));
  const kit = path.join(folder, 'node_modules', '@fluentui', 'kit');
  await mkdir(kit, { recursive: true });
  const formatModule = (name: string) => `export const ${name} = ['${name}'];\nexport default 'default of ${name}';\n`;
  await Promise.all(
    Object.entries({
      'package.json': JSON.stringify({
        name: '@fluentui/kit',
        version: '1.0.0',
        type: 'module',
        main: 'index.js',
        sideEffects: false,
      }),
      'index.js':
        "export * from './button.js';\nexport { Field as FormField } from './field.js';\nexport { Grid } from " +
        "'./grid.js';\n",
      'button.js': formatModule('Button'),
      'field.js': formatModule('Field'),
      'grid.js': formatModule('Grid'),
    }).map(([name, text]) => writeFile(path.join(kit, name), text)),
  );
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Bundles a TSX module. Returns the bundled files of the package, and the code. */
async function bundleSource(source: string): Promise<{ readonly inputs: readonly string[]; readonly code: string }> {
  await writeFile(path.join(folder, 'entry.tsx'), source);
  const result = await build({
    absWorkingDir: folder,
    entryPoints: ['entry.tsx'],
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    treeShaking: false,
    logLevel: 'silent',
    plugins: [barrelImportRewriter((text) => text)],
    external: ['react/jsx-runtime'],
  });
  const inputs = Object.keys(result.metafile.inputs)
    .filter((input) => input.includes('node_modules'))
    .map((input) => path.basename(input));
  return { inputs: inputs.sort(), code: result.outputFiles[0]?.text ?? '' };
}

describe('barrelImportRewriter', () => {
  it('bundles only the files that declare the imported names', async () => {
    expect((await bundleSource("import { Button } from '@fluentui/kit';\nconsole.log(Button);")).inputs).toEqual([
      'button.js',
    ]);
  });

  it('keeps local names', async () => {
    const { inputs, code } = await bundleSource(
      "import { FormField as Row, Button } from '@fluentui/kit';\nconsole.log(Row, Button);",
    );
    expect(inputs).toEqual(['button.js', 'field.js']);
    expect(code).toMatch(/console\.log\(Field\w*, Button\w*\)/);
  });

  it('rewrites a second import on the same line and an import with comments', async () => {
    const { inputs } = await bundleSource(
      "import { Button } from '@fluentui/kit'; import { /* the table */ Grid, // all of it\n } from " +
        "'@fluentui/kit';\nconsole.log(Button, Grid);",
    );
    expect(inputs).toEqual(['button.js', 'grid.js']);
  });

  it('rewrites a re-export', async () => {
    expect((await bundleSource("export { Grid as default } from '@fluentui/kit';")).inputs).toEqual(['grid.js']);
  });

  it('omits types and unused names', async () => {
    const { inputs } = await bundleSource(
      "import { Button, type FormField } from '@fluentui/kit';\nimport { Grid } from '@fluentui/kit';\nexport type " +
        'Row = typeof FormField;\nexport const own = { Grid: 1 }.Grid;\nconsole.log(Button);',
    );
    expect(inputs).toEqual(['button.js', 'grid.js']);
    expect((await bundleSource("import { Grid } from '@fluentui/kit';\nconsole.log(window.Grid);")).inputs).toEqual([]);
  });

  it('keeps a name that is used only in a spread', async () => {
    expect((await bundleSource("import { Button } from '@fluentui/kit';\nconsole.log([...Button]);")).inputs).toEqual([
      'button.js',
    ]);
  });

  it('keeps a namespace import unchanged', async () => {
    expect((await bundleSource("import * as kit from '@fluentui/kit';\nconsole.log(kit);")).inputs).toContain(
      'index.js',
    );
  });

  it('writes no absolute path into the code', async () => {
    expect((await bundleSource("import { Button } from '@fluentui/kit';\nconsole.log(Button);")).code).not.toContain(
      folder,
    );
  });
});
