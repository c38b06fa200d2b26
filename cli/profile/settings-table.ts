import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { profileSchema } from './profile-schema.ts';
import type { KnownPlugin } from './resolved-profile.ts';

const begin = '<!-- settings: written by `walkdown validate --schema` -->';
const end = '<!-- end of settings -->';

interface SettingRow {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, SettingRow>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly SettingRow[];
}

/** Every setting of a profile with its default, as a table in Markdown. */
export function settingsTable(plugins: ReadonlyMap<string, KnownPlugin>): string {
  const { plugins: _plugins, ...head } = (profileSchema(plugins) as SettingRow).properties ?? {};
  const ofPlugins = [...plugins].map(([id, { manifest }]) =>
    row(
      `plugins.${id}`,
      manifest.base ? 'always on' : 'off',
      manifest.base
        ? 'Belongs to every product; named only for its settings.'
        : '`{}` switches it on, `false` takes an inherited one out.',
      leaves(manifest.settings as SettingRow, `plugins.${id}.`),
    ),
  );
  return [
    '| Setting | Default | What it decides |',
    '|---|---|---|',
    ...leaves({ properties: head, required: ['title', 'shortName', 'login', 'branding'] }, ''),
    ...ofPlugins.flat(),
  ].join('\n');
}

function leaves({ properties = {}, required = [] }: SettingRow, before: string): string[] {
  return Object.entries(properties)
    .filter(([name]) => name !== '$schema')
    .flatMap(([name, setting]) => {
      if (setting.properties) return leaves(setting, `${before}${name}.`);
      const fallback =
        setting.default === undefined
          ? required.includes(name)
            ? 'must be set'
            : 'none'
          : `\`${JSON.stringify(setting.default)}\``;
      return row(`${before}${name}`, fallback, setting.description ?? '', []);
    });
}

function row(name: string, fallback: string, about: string, below: readonly string[]): string[] {
  return [`| \`${name}\` | ${fallback} | ${about} |`, ...below];
}

/** The guide's text with the current table. */
export function withSettingsTable(guide: string, plugins: ReadonlyMap<string, KnownPlugin>): string {
  const [before, rest] = guide.split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined)
    throw new Error(`The guide has no place for the settings: '${begin}' and '${end}'.`);
  return `${before}${begin}\n\n${settingsTable(plugins)}\n\n${end}${after}`;
}

/** Relative to the project. */
export const settingsGuide = path.join('docs', 'guides', 'delivery.md');

/** Writes the table into the guide and returns its path relative to the project. */
export async function writeSettingsTable(root: string, plugins: ReadonlyMap<string, KnownPlugin>): Promise<string> {
  const file = path.join(root, settingsGuide);
  await writeFile(file, withSettingsTable(await readFile(file, 'utf8'), plugins));
  return settingsGuide;
}
