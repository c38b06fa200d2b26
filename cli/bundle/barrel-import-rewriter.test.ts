import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { barrelImportRewriter } from './barrel-import-rewriter.ts';

let folder: string;

/** A package with a barrel, each part of which leaves a trace in the bundle. */
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'walkdown-debarrel-'));
  const kit = path.join(folder, 'node_modules', '@fluentui', 'kit');
  await mkdir(kit, { recursive: true });
  const part = (name: string) => `export const ${name} = ['${name}'];\nexport default 'default of ${name}';\n`;
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
      'button.js': part('Button'),
      'field.js': part('Field'),
      'grid.js': part('Grid'),
    }).map(([name, text]) => writeFile(path.join(kit, name), text)),
  );
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** What esbuild bundles of the package for these lines of TSX. */
async function bundledFrom(source: string): Promise<{ readonly inputs: readonly string[]; readonly code: string }> {
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

describe('an import from a barrel', () => {
  it('is rewritten to the files behind it only', async () => {
    expect((await bundledFrom("import { Button } from '@fluentui/kit';\nconsole.log(Button);")).inputs).toEqual([
      'button.js',
    ]);
  });

  it('keeps local names', async () => {
    const { inputs, code } = await bundledFrom(
      "import { FormField as Row, Button } from '@fluentui/kit';\nconsole.log(Row, Button);",
    );
    expect(inputs).toEqual(['button.js', 'field.js']);
    expect(code).toMatch(/console\.log\(Field\w*, Button\w*\)/);
  });

  it('is found next to another one on the same line, and with comments in it', async () => {
    const { inputs } = await bundledFrom(
      "import { Button } from '@fluentui/kit'; import { /* the table */ Grid, // all of it\n } from " +
        "'@fluentui/kit';\nconsole.log(Button, Grid);",
    );
    expect(inputs).toEqual(['button.js', 'grid.js']);
  });

  it('is found in a re-export', async () => {
    expect((await bundledFrom("export { Grid as default } from '@fluentui/kit';")).inputs).toEqual(['grid.js']);
  });

  it('omits types and unused names', async () => {
    const { inputs } = await bundledFrom(
      "import { Button, type FormField } from '@fluentui/kit';\nimport { Grid } from '@fluentui/kit';\nexport type " +
        'Row = typeof FormField;\nexport const own = { Grid: 1 }.Grid;\nconsole.log(Button);',
    );
    expect(inputs).toEqual(['button.js', 'grid.js']);
    expect((await bundledFrom("import { Grid } from '@fluentui/kit';\nconsole.log(window.Grid);")).inputs).toEqual([]);
  });

  it('keeps what is spread', async () => {
    expect((await bundledFrom("import { Button } from '@fluentui/kit';\nconsole.log([...Button]);")).inputs).toEqual([
      'button.js',
    ]);
  });

  it('stays unchanged for a namespace', async () => {
    expect((await bundledFrom("import * as kit from '@fluentui/kit';\nconsole.log(kit);")).inputs).toContain(
      'index.js',
    );
  });

  it('contains no path of this machine', async () => {
    expect((await bundledFrom("import { Button } from '@fluentui/kit';\nconsole.log(Button);")).code).not.toContain(
      folder,
    );
  });
});
