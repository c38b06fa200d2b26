import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildFixture, type FixtureProfile } from './build-fixture.ts';

type Fixture = Awaited<ReturnType<typeof buildFixture>>;
const plugins = ['fixture-alpha', 'fixture-beta'] as const;
const products = new Map<FixtureProfile, Fixture>();
const enabledPlugins: Readonly<Record<FixtureProfile, readonly string[]>> = {
  'fixture-both': ['fixture-alpha', 'fixture-beta'],
  'fixture-alpha': ['fixture-alpha'],
  'fixture-none': [],
};

beforeAll(async () => {
  for (const name of ['fixture-both', 'fixture-alpha', 'fixture-none'] as const)
    products.set(name, await buildFixture(name));
});
afterAll(() => Promise.all([...products.values()].map((product) => product.remove())));

function getProduct(name: FixtureProfile): Fixture {
  const product = products.get(name);
  if (!product) throw new Error(`'${name}' was not built.`);
  return product;
}

async function readTexts(folder: string): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  return new Map(
    await Promise.all(
      files.map(async (file) => [path.relative(folder, file), await readFile(file, 'latin1')] as const),
    ),
  );
}

/** Finds all markers in the sources of a fixture plugin. */
async function findMarkers(plugin: string): Promise<readonly string[]> {
  const sources = await readTexts(path.join(import.meta.dirname, 'fixtures', 'plugins', plugin));
  const pattern = new RegExp(
    `${plugin.replace('-', '[-_]')}[-_][a-z_-]*(?:marker|marqueur|greeting)|/api/${plugin}/rows`,
    'g',
  );
  return [...new Set([...sources.values()].flatMap((text) => text.match(pattern) ?? []))].sort();
}

describe('a disabled plugin', () => {
  it('has markers of every kind', async () => {
    expect(await findMarkers('fixture-alpha')).toEqual([
      '/api/fixture-alpha/rows',
      'fixture-alpha-bridge-marker',
      'fixture-alpha-default-greeting',
      'fixture-alpha-message-marker',
      'fixture-alpha-message-marqueur',
      'fixture-alpha-module-marker',
      'fixture-alpha-route-marker',
      'fixture-alpha-screen-marker',
      'fixture-alpha-server-bridge-marker',
      'fixture-alpha-style-marker',
      'fixture_alpha_table_marker',
    ]);
  });

  it.each(['fixture-both', 'fixture-alpha', 'fixture-none'] as const)(
    '[PRO-18] leaves no module, message, style, route, endpoint, table or bridge in %s',
    async (name) => {
      const texts = await readTexts(getProduct(name).out);
      for (const plugin of plugins) {
        for (const marker of await findMarkers(plugin)) {
          const files = [...texts].filter(([, text]) => text.includes(marker)).map(([file]) => file);
          // A bridge is built only if both its plugins are on.
          const expected =
            enabledPlugins[name].includes(plugin) && (!marker.includes('bridge') || name === 'fixture-both');
          expect({ marker, found: files.length > 0 }, files.join()).toEqual({ marker, found: expected });
        }
      }
    },
  );

  it.each(['fixture-both', 'fixture-alpha', 'fixture-none'] as const)(
    '[PRO-18] has no input in %s according to its proof',
    async (name) => {
      const { out, proof } = getProduct(name);
      expect(JSON.parse(await readFile(path.join(out, 'proof.json'), 'utf8'))).toEqual(proof);
      expect(proof).toMatchObject({
        profile: name,
        enabled: [...enabledPlugins[name], 'tour'].sort(),
        disabled: plugins.filter((plugin) => !enabledPlugins[name].includes(plugin)),
      });
      const pluginsOfFiles = [...new Set(proof.files.flatMap((file) => file.plugins))].sort();
      expect(pluginsOfFiles).toEqual([...enabledPlugins[name], 'tour'].sort());
    },
  );

  it('has every file with its size in the proof', async () => {
    const { out, proof } = getProduct('fixture-both');
    const texts = await readTexts(out);
    const builtFiles = [...texts].filter(([file]) => file !== 'proof.json').map(([file, text]) => [file, text.length]);
    expect(proof.files.map(({ path: file, bytes }) => [file, bytes])).toEqual(
      builtFiles.sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
    );
  });
});
