import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Language } from '#core';
import { compiledMessages, findWebMessages } from './compiled-messages.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'walkdown-messages-'));
  await mkdir(path.join(folder, 'messages'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function buildMessages(
  language: Language,
  texts: { readonly en: object; readonly fr?: object },
  { languages = ['en', 'fr'] as readonly Language[], importSuffix = '' } = {},
): Promise<Readonly<Record<string, unknown>>> {
  for (const [name, messages] of Object.entries(texts))
    await writeFile(path.join(folder, 'messages', `${name}.json`), JSON.stringify(messages));
  return buildEntry(`./messages/${language}.json`, { languages, importSuffix });
}

async function buildEntry(
  file: string,
  { languages = ['en', 'fr'] as readonly Language[], importSuffix = '' } = {},
): Promise<Readonly<Record<string, unknown>>> {
  await writeFile(path.join(folder, 'entry.js'), `export { default } from '${file}'${importSuffix};`);
  const result = await build({
    absWorkingDir: folder,
    entryPoints: ['entry.js'],
    bundle: true,
    write: false,
    format: 'esm',
    logLevel: 'silent',
    plugins: [compiledMessages(languages)],
  });
  const code = result.outputFiles[0]?.text ?? '';
  return (
    (await import(`data:text/javascript;base64,${Buffer.from(code).toString('base64')}`)) as {
      default: Record<string, unknown>;
    }
  ).default;
}

/** Writes a plugin with one message in its web half and one in its contract. */
async function writePlugin(): Promise<{ readonly contractFile: string; readonly webFile: string }> {
  const write = async (half: string, messages: object): Promise<string> => {
    await mkdir(path.join(folder, half, 'messages'), { recursive: true });
    const file = path.join(folder, half, 'messages', 'en.json');
    await writeFile(file, JSON.stringify(messages));
    return file;
  };
  const webFile = await write('web', { 'a.title': 'Title' });
  return { webFile, contractFile: await write('contract', { 'a.refused': 'Refused' }) };
}

describe('findWebMessages', () => {
  it("finds the web half's messages for a contract's, if there are any", async () => {
    const { contractFile, webFile } = await writePlugin();
    expect(findWebMessages(contractFile)).toBe(webFile);
    expect(findWebMessages(webFile)).toBeUndefined();
    await rm(webFile);
    expect(findWebMessages(contractFile)).toBeUndefined();
  });
});

describe('compiledMessages', () => {
  const en = { 'a.title': 'Title', 'a.count': '{n, plural, one {# valve} other {# valves}}' };

  it('parses messages at build time', async () => {
    const messages = await buildMessages('en', { en });
    expect(messages['a.title']).toEqual([{ type: 0, value: 'Title' }]);
    expect(messages['a.count']).toMatchObject([{ type: 6, value: 'n' }]);
  });

  it('[PRO-20] falls back to English for messages that French lacks', async () => {
    const messages = await buildMessages('fr', { en, fr: { 'a.title': 'Titre' } });
    expect(messages['a.title']).toEqual([{ type: 0, value: 'Titre' }]);
    expect(messages['a.count']).toEqual((await buildMessages('en', { en }))['a.count']);
  });

  it("includes the messages of a plugin's contract in those of its web half", async () => {
    await writePlugin();
    expect(Object.keys(await buildEntry('./web/messages/en.json'))).toEqual(['a.refused', 'a.title']);
  });

  it('omits languages that the product does not have', async () => {
    expect(await buildMessages('fr', { en, fr: { 'a.title': 'Titre' } }, { languages: ['en'] })).toEqual({});
  });

  it('leaves a JSON import unchanged', async () => {
    expect(await buildMessages('en', { en }, { importSuffix: " with { type: 'json' }" })).toEqual(en);
  });

  it('fails the build with the key of a message that is invalid ICU MessageFormat', async () => {
    await expect(buildMessages('en', { en: { 'a.bad': '{n, plural, one {#}' } })).rejects.toThrow(
      /'a\.bad' is not valid ICU MessageFormat/,
    );
  });

  it('fails the build with the key of a message that French has and English lacks', async () => {
    await expect(buildMessages('fr', { en, fr: { 'a.more': 'Encore' } })).rejects.toThrow(
      /'a\.more' is not in en\.json/,
    );
  });
});
