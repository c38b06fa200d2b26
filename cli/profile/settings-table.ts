import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createProfileSchema } from './profile-schema.ts';
import type { KnownPlugin } from './resolved-profile.ts';

const beginMark = '<!-- settings: written by `walkdown validate --schema` -->';
const endMark = '<!-- end of settings -->';

interface SettingSchema {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, SettingSchema>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly SettingSchema[];
}

/** Every setting of a profile with its default, as a table in Markdown. */
export function formatSettingsTable(plugins: ReadonlyMap<string, KnownPlugin>): string {
  const { plugins: _plugins, ...topSettings } = (createProfileSchema(plugins) as SettingSchema).properties ?? {};
  const pluginRows = [...plugins].map(([id, { manifest }]) =>
    formatRows(
      `plugins.${id}`,
      manifest.base ? 'always on' : 'off',
      manifest.base
        ? 'Belongs to every product; named only for its settings.'
        : '`{}` switches it on, `false` switches an inherited one off.',
      formatLeaves(manifest.settings as SettingSchema, `plugins.${id}.`),
    ),
  );
  return [
    '| Setting | Default | Meaning |',
    '|---|---|---|',
    ...formatLeaves({ properties: topSettings, required: ['title', 'shortName', 'login', 'branding'] }, ''),
    ...pluginRows.flat(),
  ].join('\n');
}

function formatLeaves({ properties = {}, required = [] }: SettingSchema, prefix: string): string[] {
  return Object.entries(properties)
    .filter(([name]) => name !== '$schema')
    .flatMap(([name, setting]) => {
      if (setting.properties) return formatLeaves(setting, `${prefix}${name}.`);
      const defaultText =
        setting.default === undefined
          ? required.includes(name)
            ? 'must be set'
            : 'none'
          : `\`${JSON.stringify(setting.default)}\``;
      return formatRows(`${prefix}${name}`, defaultText, setting.description ?? '', []);
    });
}

function formatRows(name: string, defaultText: string, description: string, innerRows: readonly string[]): string[] {
  return [`| \`${name}\` | ${defaultText} | ${description} |`, ...innerRows];
}

/** The guide's text with the current table. */
export function replaceSettingsTable(guide: string, plugins: ReadonlyMap<string, KnownPlugin>): string {
  const [textBefore, textAfterBegin] = guide.split(beginMark);
  const textAfter = textAfterBegin?.split(endMark)[1];
  if (textBefore === undefined || textAfter === undefined)
    throw new Error(`The guide lacks the comments around the table of settings: '${beginMark}' and '${endMark}'.`);
  return `${textBefore}${beginMark}\n\n${formatSettingsTable(plugins)}\n\n${endMark}${textAfter}`;
}

/** Path of the guide, relative to the project. */
export const settingsGuide = path.join('docs', 'guides', 'delivery.md');

/** Writes the table into the guide and returns its path relative to the project. */
export async function writeSettingsTable(root: string, plugins: ReadonlyMap<string, KnownPlugin>): Promise<string> {
  const file = path.join(root, settingsGuide);
  await writeFile(file, replaceSettingsTable(await readFile(file, 'utf8'), plugins));
  return settingsGuide;
}
