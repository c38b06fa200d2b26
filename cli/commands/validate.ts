import path from 'node:path';
import { CliError, exitCodes } from '../cli-error.ts';
import {
  createAction,
  jsonOption,
  profileOption,
  withExamples,
  type AddCommand,
  type CommonOptions,
} from '../command.ts';
import { loadPlugins } from '../profile/load-plugins.ts';
import { createBrand } from '../profile/brand.ts';
import { listProfileNames } from '../profile/profile-chain.ts';
import { resolveProfile } from '../profile/resolve-profile.ts';
import { writeSettingsTable } from '../profile/settings-table.ts';
import { writeEditorSchema } from '../profile/write-editor-schema.ts';
import { projectRoot } from '../project-root.ts';

interface ValidateOptions extends CommonOptions {
  readonly profile?: string;
  readonly schema?: boolean;
}

/** `walkdown validate`: checks one or all profiles without building. */
export const addValidateCommand: AddCommand = (program) => {
  const command = program
    .command('validate')
    .description('check one profile, or all, and list every problem')
    .addOption(profileOption('').default(undefined, 'all profiles'))
    .option('--schema', 'also write profiles/profile.schema.json for editors, and the table of settings in the guide')
    .addOption(jsonOption())
    .action(
      createAction<ValidateOptions>(async (options, output) => {
        const plugins = await loadPlugins(projectRoot);
        if (options.schema)
          output.print(
            `Wrote ${await writeEditorSchema(projectRoot, plugins)} and the settings in ` +
              `${await writeSettingsTable(projectRoot, plugins)}.`,
          );
        const names =
          options.profile === undefined
            ? await listProfileNames(path.join(projectRoot, 'profiles'))
            : [options.profile];
        if (names.length === 0)
          throw new CliError(exitCodes.invalidProfile, [
            { cause: 'There is no profile to check.', remedy: 'Create one in profiles/.' },
          ]);

        const problems: CliError['problems'][number][] = [];
        const valid: {
          readonly profile: string;
          readonly enabled: readonly string[];
          readonly notes: readonly string[];
        }[] = [];
        for (const name of names) {
          try {
            const resolvedProfile = await resolveProfile(projectRoot, name, plugins);
            const { notes, contrasts } = await createBrand(projectRoot, resolvedProfile);
            valid.push({
              profile: resolvedProfile.name,
              enabled: resolvedProfile.enabled,
              notes: [...notes, ...contrasts],
            });
          } catch (error) {
            if (!(error instanceof CliError)) throw error;
            problems.push(...error.problems);
          }
        }
        if (problems.length > 0) throw new CliError(exitCodes.invalidProfile, problems);
        output.printResult(
          valid,
          valid
            .map(({ profile, enabled, notes }) =>
              [
                `${profile}: valid, ${enabled.length} plugins on (${enabled.join(', ')})`,
                ...notes.map((note) => `  ${note}`),
              ].join('\n'),
            )
            .join('\n'),
        );
      }),
    );
  withExamples(command, ['walkdown validate', 'walkdown validate --profile profiles/profile-a.json --json']);
};
