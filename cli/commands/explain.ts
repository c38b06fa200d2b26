import pc from 'picocolors';
import {
  createAction,
  jsonOption,
  profileOption,
  withExamples,
  type AddCommand,
  type CommonOptions,
} from '../command.ts';
import { loadPlugins } from '../profile/load-plugins.ts';
import { findLineIn } from '../profile/profile-chain.ts';
import { escapePointer } from '../profile/read-profile-file.ts';
import { resolveProfile } from '../profile/resolve-profile.ts';
import type { ResolvedProfile } from '../profile/resolved-profile.ts';
import { displayPath, projectRoot } from '../project-root.ts';

interface ExplainOptions extends CommonOptions {
  readonly profile: string;
}

interface Setting {
  readonly pointer: string;
  readonly value: unknown;
  /** The file that set the value, possibly an extended one, or `default`. */
  readonly from: string;
  /** Line in that file. */
  readonly line?: number;
}

/** `walkdown explain`: lists what a profile enables, and the file of each setting. */
export const addExplainCommand: AddCommand = (program) => {
  const command = program
    .command('explain')
    .description('show the plugins that a profile switches on, and the file of each setting')
    .addOption(profileOption())
    .addOption(jsonOption())
    .action(
      createAction<ExplainOptions>(async (options, output) => {
        const resolvedProfile = await resolveProfile(projectRoot, options.profile, await loadPlugins(projectRoot));
        const settings = listSettings(resolvedProfile);
        output.printResult(
          {
            profile: resolvedProfile.name,
            file: displayPath(resolvedProfile.file),
            enabled: resolvedProfile.enabled.map((id) => ({ id, why: explainEnabled(resolvedProfile, id) })),
            disabled: resolvedProfile.disabled,
            takenOut: Object.fromEntries(
              resolvedProfile.disabled.flatMap((id) => {
                const why = explainDisabled(resolvedProfile, id);
                return why === undefined ? [] : [[id, why]];
              }),
            ),
            bridges: resolvedProfile.bridges,
            settings,
          },
          describe(resolvedProfile, settings),
        );
      }),
    );
  withExamples(command, ['walkdown explain --profile profile-b']);
};

/** Every leaf of the merged profile with its origin, sorted by pointer. */
export function listSettings(resolvedProfile: ResolvedProfile): Setting[] {
  return listLeaves(resolvedProfile.profile, '')
    .map(({ pointer, value }) => ({ pointer, value, ...findOrigin(resolvedProfile, pointer) }))
    .sort((a, b) => (a.pointer < b.pointer ? -1 : 1));
}

function listLeaves(value: unknown, pointer: string): { readonly pointer: string; readonly value: unknown }[] {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (!isObject || Object.keys(value).length === 0) return [{ pointer, value }];
  return Object.entries(value).flatMap(([key, inner]) => listLeaves(inner, `${pointer}/${escapePointer(key)}`));
}

function findOrigin(resolvedProfile: ResolvedProfile, pointer: string): Pick<Setting, 'from' | 'line'> {
  for (let current = pointer; current !== ''; current = current.slice(0, current.lastIndexOf('/'))) {
    const origin = resolvedProfile.origins.get(current);
    if (origin === 'default') break;
    const line = origin === undefined ? undefined : findLineIn(resolvedProfile, origin, pointer);
    if (origin !== undefined) return { from: displayPath(origin), ...(line === undefined ? {} : { line }) };
  }
  return { from: 'default' };
}

function formatOrigin(resolvedProfile: ResolvedProfile, pointer: string): string {
  const { from, line } = findOrigin(resolvedProfile, pointer);
  return line === undefined ? from : `${from}:${line}`;
}

function explainEnabled(resolvedProfile: ResolvedProfile, id: string): string {
  return resolvedProfile.plugins.get(id)?.manifest.base
    ? 'belongs to every product'
    : formatOrigin(resolvedProfile, `/plugins/${id}`);
}

/** The file that disabled an inherited plugin; undefined for one that no profile names. */
function explainDisabled(resolvedProfile: ResolvedProfile, id: string): string | undefined {
  return resolvedProfile.origins.has(`/plugins/${id}`) ? formatOrigin(resolvedProfile, `/plugins/${id}`) : undefined;
}

function describe(resolvedProfile: ResolvedProfile, settings: readonly Setting[]): string {
  const width = Math.max(...settings.map(({ pointer }) => pointer.length));
  const idWidth = Math.max(...resolvedProfile.enabled.map((id) => id.length));
  return [
    `${pc.bold(resolvedProfile.product.title)} (${displayPath(resolvedProfile.file)})`,
    '',
    'On:',
    ...resolvedProfile.enabled.map((id) => `  ${id.padEnd(idWidth)}  ${pc.dim(explainEnabled(resolvedProfile, id))}`),
    `Off: ${resolvedProfile.disabled.map((id) => formatDisabled(id, explainDisabled(resolvedProfile, id))).join(', ') || 'nothing'}`,
    `Bridges: ${resolvedProfile.bridges.map((pair) => pair.join(' -> ')).join(', ') || 'none'}`,
    '',
    'Settings:',
    ...settings.map(
      ({ pointer, value, from, line }) =>
        `  ${pointer.padEnd(width)}  ${JSON.stringify(value)}  ${pc.dim(line === undefined ? from : `${from}:${line}`)}`,
    ),
  ].join('\n');
}

const formatDisabled = (id: string, why: string | undefined): string => (why === undefined ? id : `${id} (${why})`);
