import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CliError } from '../../cli/cli-error.ts';
import { SourceGuard } from '../../cli/bundle/source-guard.ts';
import { bundleWeb } from '../../cli/bundle/web-bundle.ts';
import { createBuildContext } from '../../cli/bundle/build-context.ts';
import { writeEntries } from '../../cli/bundle/entries.ts';
import { createProof } from '../../cli/bundle/proof.ts';
import { buildFixture, createFixtureShell, createGeneratedFolder, resolveFixture } from './build-fixture.ts';

const project = path.resolve(import.meta.dirname, '..', '..');
let folder: string;

beforeEach(async () => {
  folder = await createGeneratedFolder();
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function writePlugins(files: Readonly<Record<string, string>>): Promise<void> {
  const buildManifest = (id: string) =>
    `import { Type } from 'typebox';\nimport { definePlugin } from '#core';\nexport default definePlugin({ id: ` +
    `'${id}', title: '${id}.title', base: ${id === 'leaky'}, settings: Type.Object({}), access: [], requires: [], ` +
    `bridges: [] });\n`;
  const all = {
    'leaky/plugin.ts': buildManifest('leaky'),
    'hidden/plugin.ts': buildManifest('hidden'),
    'hidden/web/code.ts': 'export const hiddenCode = 1;\n',
    'hidden/web/messages/en.json': '{ "hidden.title": "Hidden" }\n',
    'hidden/web/style.css': '.hidden { color: red; }\n',
    'hidden/contract/index.ts':
      "import { routeRef } from '#core';\nexport const hiddenScreen = routeRef('hidden.screen', 'console/hidden');\n",
    'hidden/contract/api.ts':
      "import { Type } from 'typebox';\nimport { endpoint } from '#core';\nexport const listHidden = " +
      "endpoint('GET', '/api/hidden', { summary: 'Hidden.', access: 'public', reply: Type.Object({}) });\n",
    ...files,
  };
  for (const [name, text] of Object.entries(all)) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), text);
  }
}

async function buildAndCatch(): Promise<CliError> {
  const error = await buildFixture('fixture-none', { extraPluginFolders: [folder] }).then(
    async (builtProduct) => {
      await builtProduct.remove();
      return undefined;
    },
    (reason: unknown) => reason,
  );
  if (!(error instanceof CliError)) throw new Error(`The build did not report the leak: ${String(error)}`);
  return error;
}

const buildWebHalf = (line: string) => ({
  'leaky/web/index.ts': `import { webPlugin } from '#core/web';\n${line}\nexport default webPlugin()({});\n`,
});
const buildServerHalf = (line: string) => ({
  'leaky/server/index.ts':
    `import { serverPlugin } from '#core/server';\n${line}\nexport default ` + `serverPlugin()({});\n`,
});

const leaks = [
  {
    kind: 'code',
    file: 'hidden/web/code.ts',
    files: buildWebHalf("import { hiddenCode } from '../../hidden/web/code.ts';\nexport const leaked = hiddenCode;"),
  },
  {
    kind: 'lazy code',
    file: 'hidden/web/code.ts',
    files: buildWebHalf("export const leaked = () => import('../../hidden/web/code.ts');"),
  },
  {
    kind: 'a message',
    file: 'hidden/web/messages/en.json',
    files: buildWebHalf("import messages from '../../hidden/web/messages/en.json';\nexport const leaked = messages;"),
  },
  { kind: 'a style', file: 'hidden/web/style.css', files: buildWebHalf("import '../../hidden/web/style.css';") },
  {
    kind: 'a route',
    file: 'hidden/contract/index.ts',
    files: buildWebHalf("import { hiddenScreen } from '#plugins/hidden';\nexport const leaked = hiddenScreen;"),
  },
  {
    kind: 'an endpoint',
    file: 'hidden/contract/api.ts',
    files: buildServerHalf("import { listHidden } from '#plugins/hidden/api';\nexport const leaked = listHidden;"),
  },
] as const;

describe('a planted leak', () => {
  it.each(leaks)('of $kind fails the build and names the import that causes it', async ({ file, files }) => {
    await writePlugins(files);
    const { exitCode, problems } = await buildAndCatch();
    expect(exitCode).toBe(4);
    const problem = problems.find(({ cause }) => cause.includes(file));
    expect(problem?.cause).toContain("belongs to the plugin 'hidden', which the profile 'fixture-none' turns off");
    const half = Object.keys(files)[0] ?? '';
    expect(problem?.file).toMatch(new RegExp(`${half}:2:`));
    expect(problem?.details?.map((line) => line.trim())).toEqual([
      expect.stringMatching(/\.entry\.ts$/),
      expect.stringMatching(new RegExp(`^imports .*${half}$`)),
      expect.stringMatching(new RegExp(`^imports .*${file}$`)),
    ]);
  });

  it('of server code into the browser fails the build', async () => {
    await writePlugins({
      ...buildWebHalf("import { pool } from '../server/pool.ts';\nexport const leaked = pool;"),
      'leaky/server/pool.ts': 'export const pool = 1;\n',
    });
    expect((await buildAndCatch()).message).toMatch(/leaky\/server\/pool\.ts' is server code/);
  });

  it('of TypeBox into the browser by a value import of an endpoint fails the build', async () => {
    await writePlugins({
      ...buildWebHalf("import { listOwn } from '../contract/api.ts';\nexport const leaked = listOwn;"),
      'leaky/contract/api.ts': "import { Type } from 'typebox';\nexport const listOwn = Type.Object({});\n",
    });
    const { problems } = await buildAndCatch();
    expect(problems[0]?.remedy).toContain('import type');
    expect(problems[0]?.details?.at(-1)).toContain('leaky/contract/api.ts');
  });

  it('is allowed if the plugin is on', async () => {
    await writePlugins(leaks[0].files);
    const resolvedProfile = await resolveFixture('fixture-none', { extraPluginFolders: [folder] });
    const context = createBuildContext(
      project,
      { ...resolvedProfile, name: 'planted', disabled: [], enabled: [...resolvedProfile.enabled, 'hidden'] },
      createFixtureShell(),
      path.join(folder, 'entries'),
    );
    const { files } = await bundleWeb(context, await writeEntries(context));
    expect(files.size).toBeGreaterThan(2);
  });

  const bypasses = [
    {
      how: 'without an extension',
      line: "import { hiddenCode } from '../../hidden/web/code';\nexport const leaked = hiddenCode;",
    },
    {
      how: 'with the extension of its compiled file',
      line: "import { hiddenCode } from '../../hidden/web/code.js';\nexport const leaked = hiddenCode;",
    },
    { how: 'without an extension, lazily', line: "export const leaked = () => import('../../hidden/web/code');" },
  ] as const;

  it.each(bypasses)('is reported even if the resolve guard does not see it: imported $how', async ({ line }) => {
    await writePlugins(buildWebHalf(line));
    const { exitCode, problems } = await buildAndCatch();
    expect(exitCode).toBe(4);
    const leak = problems.find(({ cause }) => cause.includes("hidden/web/code.ts' belongs to the plugin 'hidden'"));
    expect(leak?.details?.at(-1)).toMatch(/imports .*hidden\/web\/code\.ts$/);
    expect(problems.find(({ cause }) => cause.includes('has no file extension'))).toMatchObject({
      file: expect.stringMatching(/leaky\/web\/index\.ts$/) as string,
      remedy: expect.stringContaining("'.ts'") as string,
    });
  });

  const links = [
    { of: 'a file', link: 'leaky/web/own.ts', target: '../../hidden/web/code.ts', specifier: './own.ts' },
    { of: 'a folder', link: 'leaky/web/own', target: '../../hidden/web', specifier: './own/code.ts' },
    {
      of: 'a file, without an extension',
      link: 'leaky/web/own.ts',
      target: '../../hidden/web/code.ts',
      specifier: './own',
    },
    {
      of: 'a file outside of every plugin',
      link: 'leaky/web/own.ts',
      target: '../../outside.ts',
      specifier: './own.ts',
    },
  ] as const;

  it.each(links)('through a symbolic link to $of fails the build', async ({ link, target, specifier }) => {
    await writePlugins({
      ...buildWebHalf(`import { hiddenCode } from '${specifier}';\nexport const leaked = hiddenCode;`),
      'outside.ts': 'export const hiddenCode = 1;\n',
    });
    await symlink(target, path.join(folder, link));
    const { exitCode, problems } = await buildAndCatch();
    expect(exitCode).toBe(4);
    expect(problems[0]?.cause).toMatch(
      target.includes('hidden')
        ? /hidden\/web\/code\.ts' belongs to the plugin 'hidden', which the profile 'fixture-none' turns off/
        : /outside\.ts' belongs to no product/,
    );
  });

  it.each(["@import '../../hidden/web/style.css';", ".own { background: url('../../hidden/web/mark.svg'); }"])(
    'from a stylesheet fails the build: %s',
    async (line) => {
      await writePlugins({
        ...buildWebHalf("import './own.css';"),
        'leaky/web/own.css': `${line}\n`,
        'hidden/web/mark.svg': '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>\n',
      });
      const { exitCode, message } = await buildAndCatch();
      expect(exitCode).toBe(4);
      expect(message).toMatch(/hidden\/web\/(?:style\.css|mark\.svg)' belongs to the plugin 'hidden'/);
    },
  );

  it('is reported for every import without the extension of its file', async () => {
    await writePlugins({
      ...buildServerHalf("import { pool } from './pool';\nexport const own = pool;"),
      'leaky/server/pool.ts': 'export const pool = 1;\n',
    });
    expect((await buildAndCatch()).problems).toEqual([
      expect.objectContaining({ cause: "'./pool' has no file extension." }),
    ]);
  });

  const toImportPath = (file: string) =>
    path
      .relative(path.join(folder, 'leaky', 'web'), path.join(project, file))
      .split(path.sep)
      .join('/');
  const foreignFiles = [
    { whose: 'a test', file: 'tests/browser/browser.ts' },
    { whose: 'the tests', file: 'core/testing/web.tsx' },
    { whose: "another customer's profile", file: 'profiles/profile-b.json' },
    { whose: "another customer's brand", file: 'profiles/brands/halvorsen/logo.svg' },
    { whose: 'the command line', file: 'cli/project-root.ts' },
  ] as const;

  it.each(foreignFiles)('of $whose fails the build and names the import that causes it', async ({ file }) => {
    await writePlugins(
      buildWebHalf(`import * as stranger from '${toImportPath(file)}';\nexport const leaked = stranger;`),
    );
    const { exitCode, problems } = await buildAndCatch();
    expect(exitCode).toBe(4);
    expect(problems[0]).toMatchObject({
      file: expect.stringMatching(/leaky\/web\/index\.ts:2:/) as string,
      cause: expect.stringContaining(`'${file}' belongs to no product`) as string,
    });
  });
});

describe('leak check without input', () => {
  const emptyMetafile = { inputs: {}, outputs: {} };
  const scriptsMetafile = {
    inputs: {},
    outputs: {
      'out/app.js': { bytes: 1, inputs: { 'core/common/index.ts': { bytesInOutput: 1 } }, imports: [], exports: [] },
    },
  };
  const scripts = { label: 'the scripts', metafile: scriptsMetafile, listFiles: () => ['web/app.js'] };
  const files = new Map([['web/app.js', Buffer.from('1')]]);

  it.each(['the worker', 'the prerendered page', 'the server'])(
    'fails if %s has no input, even if other parts have some',
    async (label) => {
      const context = createBuildContext(project, await resolveFixture('fixture-none'), createFixtureShell());
      expect(() =>
        createProof(context, files, [scripts, { label, metafile: emptyMetafile, listFiles: () => [] }]),
      ).toThrow(`lists no inputs of ${label}`);
      const sha256 = '6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b';
      expect(createProof(context, files, [scripts]).files).toEqual([
        { path: 'web/app.js', bytes: 1, sha256, plugins: [] },
      ]);
      expect(() => createProof(context, files, [])).toThrow('There is no bundle');
    },
  );

  it('fails if the product lacks a file that a part reports as written', async () => {
    const context = createBuildContext(project, await resolveFixture('fixture-none'), createFixtureShell());
    expect(() => createProof(context, new Map(), [scripts])).toThrow(
      "'web/app.js', an output of the scripts, is not in the product",
    );
  });

  it('fails if no file of the project is an input', async () => {
    const context = createBuildContext(project, await resolveFixture('fixture-none'), createFixtureShell());
    const guard = new SourceGuard(context, 'web');
    const packages = { inputs: { 'node_modules/react/index.js': { bytes: 1, imports: [] } }, outputs: {} };
    for (const metafile of [emptyMetafile, packages])
      expect(() => guard.review(metafile, [], 'The sign-in page')).toThrow(
        'The sign-in page contains no file of the project, so the guard checked nothing.',
      );
  });
});

describe('proof.json', () => {
  it('takes the inputs of pages and worker from their own bundles', async () => {
    const context = createBuildContext(project, await resolveFixture('fixture-both'), createFixtureShell());
    const buildMetafile = (plugin: string) => ({
      inputs: {},
      outputs: {
        'out/x.js': {
          bytes: 1,
          inputs: { [`tests/builds/fixtures/plugins/${plugin}/contract/index.ts`]: { bytesInOutput: 1 } },
          imports: [],
          exports: [],
        },
      },
    });
    const parts = [
      { label: 'the prerendered page', metafile: buildMetafile('fixture-alpha'), listFiles: () => ['web/login.html'] },
      { label: 'the worker', metafile: buildMetafile('fixture-beta'), listFiles: () => ['web/sw.js'] },
    ];
    const product = new Map(['web/login.html', 'web/sw.js'].map((file) => [file, Buffer.from('1')]));
    expect(createProof(context, product, parts).files.map(({ path: file, plugins }) => [file, plugins])).toEqual([
      ['web/login.html', ['fixture-alpha']],
      ['web/sw.js', ['fixture-beta']],
    ]);
  });
});
