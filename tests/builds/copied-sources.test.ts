import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CliError } from '../../cli/cli-error.ts';
import { buildFixture, createGeneratedFolder } from './build-fixture.ts';

let folder: string;
beforeEach(async () => {
  folder = await createGeneratedFolder();
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const buildManifest = (id: string) =>
  `import { Type } from 'typebox';\nimport { definePlugin } from '#core';\nexport default definePlugin({ id: '${id}', ` +
  `title: '${id}.title', base: ${id === 'leaky'}, settings: Type.Object({}), access: [], requires: [], bridges: [] });\n`;

const messages = {
  'hidden.title': 'Spare parts of this site',
  'hidden.none': 'Nobody has ordered a spare part yet.',
  'hidden.count': '{count, plural, one {# pump waits for its bearings} other {# pumps wait for their bearings}}',
  'hidden.refused': 'The warehouse has refused this order.',
};

const code = `
export const questions = [
  'Which of the three pumps has lost its coupling guard?',
  'How many bearings has the warehouse sent this month?',
  'Who has signed for the gaskets of the second exchanger?',
  'Has the seal of the condensate pump been ordered twice?',
];
`;

async function writePlugins(files: Readonly<Record<string, string>>): Promise<void> {
  const all = {
    'leaky/plugin.ts': buildManifest('leaky'),
    'leaky/web/index.ts':
      "import { webPlugin } from '#core/web';\nimport { own } from './own.ts';\n" +
      'export default Object.assign(webPlugin()({}), { own });\n',
    'leaky/web/own.ts': "import './own.css';\nexport const own = 1;\n",
    'leaky/web/own.css': '.own { color: red; }\n',
    'hidden/plugin.ts': buildManifest('hidden'),
    'hidden/web/code.ts': code,
    'hidden/web/messages/en.json': JSON.stringify(messages),
    'hidden/web/style.css': '.hidden-spare-part { color: red; }\n.hidden-order-row { color: blue; }\n',
    ...files,
  };
  for (const [name, text] of Object.entries(all)) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), text);
  }
}

async function build(): Promise<CliError | undefined> {
  try {
    const builtProduct = await buildFixture('fixture-none', { extraPluginFolders: [folder] });
    await builtProduct.remove();
    return undefined;
  } catch (error) {
    if (error instanceof CliError) return error;
    throw error;
  }
}

describe('sources of a disabled plugin copied into an enabled one', () => {
  const copies = [
    [
      'messages under their own ids',
      { 'leaky/web/own.ts': `export const own = ${JSON.stringify(messages)};\n` },
      'messages/en.json',
    ],
    [
      'messages under other ids',
      {
        'leaky/web/own.ts': `export const own = ${JSON.stringify(
          Object.fromEntries(Object.entries(messages).map(([id, text]) => [id.replace('hidden', 'leaky'), text])),
        )};\n`,
      },
      'messages/en.json',
    ],
    ['a module with other names', { 'leaky/web/own.ts': code.replace('questions', 'own') }, 'code.ts'],
    [
      'a module in other quotes and JSX',
      {
        'leaky/web/own.ts': "export { Own as own } from './own.tsx';\n",
        'leaky/web/own.tsx':
          'export function Own() {\n  return [\n' +
          '    <p>\n      Which of the three pumps has lost its coupling\n      guard?\n    </p>,\n' +
          '    `How many bearings has the warehouse sent this month?`,\n' +
          '    "Who has signed for the gaskets of the second exchanger?",\n  ];\n}\n',
      },
      'code.ts',
    ],
    [
      'one id of a message',
      { 'leaky/web/own.ts': "export const own = (t: (id: string) => string) => t('hidden.refused');\n" },
      'messages/en.json',
    ],
  ] as const;

  it.each(copies)('[PRO-18] fail the build: %s', async (_, files, source) => {
    await writePlugins(files);
    const error = await build();
    expect(error?.exitCode).toBe(6);
    expect(error?.problems.map(({ cause }) => cause)).toEqual([
      expect.stringMatching(
        new RegExp(`hidden/web/${source}', which belongs to the plugin 'hidden'\\. The profile 'fixture-none' turns`),
      ),
    ]);
    expect(error?.problems[0]?.details?.join('\n')).toMatch(/(?:text|message id) ".+" in web\/static\/js\//);
  });

  it("fail the build for one class name that contains the plugin's id", async () => {
    await writePlugins({ 'leaky/web/own.css': '.hidden-order-row { color: green; }\n' });
    expect((await build())?.problems[0]?.details).toEqual([
      expect.stringMatching(/^class name "hidden-order-row" in web\/static\/js\//),
    ]);
  });

  it('fail the build for one class name or text that no source of the product has', async () => {
    await writePlugins({
      'hidden/web/style.css': '.warehouse-shelf { color: red; }\n',
      'leaky/web/own.css': "@import './copied.css';\n",
      'leaky/web/copied.css': '.warehouse-shelf { color: red; }\n',
    });
    expect((await build())?.problems[0]?.details).toEqual([
      expect.stringMatching(/^class name "warehouse-shelf" in web\/static\/js\//),
    ]);
  });

  it('are not suspected if both plugins have two texts in common', async () => {
    await writePlugins({
      'leaky/web/own.ts':
        "export const own = ['Nobody has ordered a spare part yet.', 'How many bearings has the warehouse sent this month?'];\n",
    });
    expect(await build()).toBeUndefined();
  });
});
