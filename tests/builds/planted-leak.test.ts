import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CliError } from '../../cli/cli-error.ts';
import { SourceGuard } from '../../cli/bundle/source-guard.ts';
import { bundleWeb } from '../../cli/bundle/web-bundle.ts';
import { buildContext } from '../../cli/bundle/build-context.ts';
import { writeEntries } from '../../cli/bundle/entries.ts';
import { prove } from '../../cli/bundle/proof.ts';
import { buildFixture, fixtureFrame, generatedFolder, resolveFixture } from './build-fixture.ts';

const project = path.resolve(import.meta.dirname, '..', '..');
let folder: string;

beforeEach(async () => {
  folder = await generatedFolder();
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function plant(files: Readonly<Record<string, string>>): Promise<void> {
  const manifest = (id: string) =>
    `import { Type } from 'typebox';\nimport { definePlugin } from '#core';\nexport default definePlugin({ id: ` +
    `'${id}', title: '${id}.title', base: ${id === 'leaky'}, settings: Type.Object({}), access: [], requires: [], ` +
    `bridges: [] });\n`;
  const all = {
    'leaky/plugin.ts': manifest('leaky'),
    'hidden/plugin.ts': manifest('hidden'),
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

async function refusal(): Promise<CliError> {
  const error = await buildFixture('fixture-none', { more: [folder] }).then(
    async (built) => {
      await built.remove();
      return undefined;
    },
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof CliError)) throw new Error(`The leak was let through: ${String(error)}`);
  return error;
}

const web = (line: string) => ({
  'leaky/web/index.ts': `import { webPlugin } from '#core/web';\n${line}\nexport default webPlugin()({});\n`,
});
const server = (line: string) => ({
  'leaky/server/index.ts':
    `import { serverPlugin } from '#core/server';\n${line}\nexport default ` + `serverPlugin()({});\n`,
});

const leaks = [
  {
    kind: 'code',
    file: 'hidden/web/code.ts',
    files: web("import { hiddenCode } from '../../hidden/web/code.ts';\nexport const leaked = hiddenCode;"),
  },
  {
    kind: 'lazy code',
    file: 'hidden/web/code.ts',
    files: web("export const leaked = () => import('../../hidden/web/code.ts');"),
  },
  {
    kind: 'a message',
    file: 'hidden/web/messages/en.json',
    files: web("import messages from '../../hidden/web/messages/en.json';\nexport const leaked = messages;"),
  },
  { kind: 'a style', file: 'hidden/web/style.css', files: web("import '../../hidden/web/style.css';") },
  {
    kind: 'a route',
    file: 'hidden/contract/index.ts',
    files: web("import { hiddenScreen } from '#plugins/hidden';\nexport const leaked = hiddenScreen;"),
  },
  {
    kind: 'an endpoint',
    file: 'hidden/contract/api.ts',
    files: server("import { listHidden } from '#plugins/hidden/api';\nexport const leaked = listHidden;"),
  },
] as const;

describe('a planted leak', () => {
  it.each(leaks)('of $kind fails the build and names the import that admits it', async ({ file, files }) => {
    await plant(files);
    const { exitCode, problems } = await refusal();
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
    await plant({
      ...web("import { pool } from '../server/pool.ts';\nexport const leaked = pool;"),
      'leaky/server/pool.ts': 'export const pool = 1;\n',
    });
    expect((await refusal()).message).toMatch(/leaky\/server\/pool\.ts' is server code/);
  });

  it('of TypeBox into the browser fails the build, by a value import of an endpoint', async () => {
    await plant({
      ...web("import { listOwn } from '../contract/api.ts';\nexport const leaked = listOwn;"),
      'leaky/contract/api.ts': "import { Type } from 'typebox';\nexport const listOwn = Type.Object({});\n",
    });
    const { problems } = await refusal();
    expect(problems[0]?.remedy).toContain('import type');
    expect(problems[0]?.details?.at(-1)).toContain('leaky/contract/api.ts');
  });

  it('is allowed if the plugin is on', async () => {
    await plant(leaks[0].files);
    const resolved = await resolveFixture('fixture-none', { more: [folder] });
    const context = buildContext(
      project,
      { ...resolved, name: 'planted', disabled: [], enabled: [...resolved.enabled, 'hidden'] },
      fixtureFrame(),
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
      how: 'under the extension of what it becomes',
      line: "import { hiddenCode } from '../../hidden/web/code.js';\nexport const leaked = hiddenCode;",
    },
    { how: 'without an extension, lazily', line: "export const leaked = () => import('../../hidden/web/code');" },
  ] as const;

  it.each(bypasses)('imported $how, past the resolve guard, is reported all the same', async ({ line }) => {
    await plant(web(line));
    const { exitCode, problems } = await refusal();
    expect(exitCode).toBe(4);
    const leak = problems.find(({ cause }) => cause.includes("hidden/web/code.ts' belongs to the plugin 'hidden'"));
    expect(leak?.details?.at(-1)).toMatch(/imports .*hidden\/web\/code\.ts$/);
    expect(problems.find(({ cause }) => cause.includes('does not name its file'))).toMatchObject({
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
    await plant({
      ...web(`import { hiddenCode } from '${specifier}';\nexport const leaked = hiddenCode;`),
      'outside.ts': 'export const hiddenCode = 1;\n',
    });
    await symlink(target, path.join(folder, link));
    const { exitCode, problems } = await refusal();
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
      await plant({
        ...web("import './own.css';"),
        'leaky/web/own.css': `${line}\n`,
        'hidden/web/mark.svg': '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>\n',
      });
      const { exitCode, message } = await refusal();
      expect(exitCode).toBe(4);
      expect(message).toMatch(/hidden\/web\/(?:style\.css|mark\.svg)' belongs to the plugin 'hidden'/);
    },
  );

  it('of a file under a wrong name is refused with the name', async () => {
    await plant({
      ...server("import { pool } from './pool';\nexport const own = pool;"),
      'leaky/server/pool.ts': 'export const pool = 1;\n',
    });
    expect((await refusal()).problems).toEqual([
      expect.objectContaining({ cause: "'./pool' does not name its file to the end." }),
    ]);
  });

  const foreign = (file: string) =>
    path
      .relative(path.join(folder, 'leaky', 'web'), path.join(project, file))
      .split(path.sep)
      .join('/');
  const strangers = [
    { whose: 'a test', file: 'tests/browser/browser.ts' },
    { whose: 'the tests', file: 'core/testing/web.tsx' },
    { whose: "another customer's profile", file: 'profiles/profile-b.json' },
    { whose: "another customer's brand", file: 'profiles/brands/halvorsen/logo.svg' },
    { whose: 'the command line', file: 'cli/project-root.ts' },
  ] as const;

  it.each(strangers)('of $whose fails the build and names the import that admits it', async ({ file }) => {
    await plant(web(`import * as stranger from '${foreign(file)}';\nexport const leaked = stranger;`));
    const { exitCode, problems } = await refusal();
    expect(exitCode).toBe(4);
    expect(problems[0]).toMatchObject({
      file: expect.stringMatching(/leaky\/web\/index\.ts:2:/) as string,
      cause: expect.stringContaining(`'${file}' belongs to no product`) as string,
    });
  });
});

describe('leak check without input', () => {
  const nothing = { inputs: {}, outputs: {} };
  const something = {
    inputs: {},
    outputs: {
      'out/app.js': { bytes: 1, inputs: { 'core/common/index.ts': { bytesInOutput: 1 } }, imports: [], exports: [] },
    },
  };
  const scripts = { what: 'the scripts', metafile: something, listFiles: () => ['web/app.js'] };
  const files = new Map([['web/app.js', Buffer.from('1')]]);

  it.each(['the worker', 'what is drawn at build', 'the server'])(
    'fails if %s has no input, even if other parts have some',
    async (what) => {
      const context = buildContext(project, await resolveFixture('fixture-none'), fixtureFrame());
      expect(() => prove(context, files, [scripts, { what, metafile: nothing, listFiles: () => [] }])).toThrow(
        `examined no input of one part: ${what}`,
      );
      const sha256 = '6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b';
      expect(prove(context, files, [scripts]).files).toEqual([{ path: 'web/app.js', bytes: 1, sha256, plugins: [] }]);
      expect(() => prove(context, files, [])).toThrow('examined no part');
    },
  );

  it('fails if the product lacks a file that a part reports as written', async () => {
    const context = buildContext(project, await resolveFixture('fixture-none'), fixtureFrame());
    expect(() => prove(context, new Map(), [scripts])).toThrow("knows nothing of 'web/app.js'");
  });

  it('fails if no file of the project is an input', async () => {
    const context = buildContext(project, await resolveFixture('fixture-none'), fixtureFrame());
    const guard = new SourceGuard(context, 'web');
    const packages = { inputs: { 'node_modules/react/index.js': { bytes: 1, imports: [] } }, outputs: {} };
    for (const metafile of [nothing, packages])
      expect(() => guard.review(metafile, [], 'The login page')).toThrow(
        'The login page has no file of ours: the guard examined nothing.',
      );
  });
});

describe('proof.json', () => {
  it('takes the inputs of pages and worker from their own bundles', async () => {
    const context = buildContext(project, await resolveFixture('fixture-both'), fixtureFrame());
    const made = (plugin: string) => ({
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
      { what: 'what is drawn at build', metafile: made('fixture-alpha'), listFiles: () => ['web/login.html'] },
      { what: 'the worker', metafile: made('fixture-beta'), listFiles: () => ['web/sw.js'] },
    ];
    const product = new Map(['web/login.html', 'web/sw.js'].map((file) => [file, Buffer.from('1')]));
    expect(prove(context, product, parts).files.map(({ path: file, plugins }) => [file, plugins])).toEqual([
      ['web/login.html', ['fixture-alpha']],
      ['web/sw.js', ['fixture-beta']],
    ]);
  });
});
