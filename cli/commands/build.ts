import path from 'node:path';
import pc from 'picocolors';
import { findFolderProblem } from '../../core/server/files/folder-problem.ts';
import { readApiUrl } from '../bundle/api-url.ts';
import { buildProduct, type BuildReport } from '../bundle/build-product.ts';
import { formatKibibytes } from '../bundle/check-budgets.ts';
import type { Size } from '../bundle/sizes.ts';
import { CliError, exitCodes } from '../cli-error.ts';
import { createAction, withExamples, withProductOptions, type AddCommand, type ProductOptions } from '../command.ts';
import { loadPlugins } from '../profile/load-plugins.ts';
import { resolveProfile } from '../profile/resolve-profile.ts';
import { describeNextStep } from '../product/next-step.ts';
import { getDefaultOut } from '../product/product-folder.ts';
import { writeArchive, type ArchiveReport } from '../product/write-archive.ts';
import { displayPath, projectRoot } from '../project-root.ts';

interface BuildOptions extends ProductOptions {
  readonly archive?: boolean;
}

/** `walkdown build`: builds the product of a profile. */
export const addBuildCommand: AddCommand = (program) => {
  const command = withProductOptions(
    program
      .command('build')
      .description("build one customer's product: bundle, server, proof of what is in it, third-party notices")
      .option(
        '--archive',
        'also pack the product with the packages of its server, for a machine of this platform on which only Node is installed',
      ),
  ).action(
    createAction<BuildOptions>(async (options, output) => {
      const resolvedProfile = await resolveProfile(projectRoot, options.profile, await loadPlugins(projectRoot));
      const out =
        options.out === undefined ? getDefaultOut(projectRoot, resolvedProfile.name) : path.resolve(options.out);
      const writeProblem = await findFolderProblem(path.join(projectRoot, '.generated'));
      if (writeProblem !== undefined)
        throw new CliError(exitCodes.usage, [
          {
            cause: `A build stores its intermediate results in the project. ${writeProblem}`,
            remedy: 'Give this account the right to write there, or build as the account that owns the project.',
          },
        ]);
      const apiUrl = readApiUrl(process.env, (sentence) => output.warn(sentence));
      const report = await buildProduct({ root: projectRoot, resolvedProfile, out, apiUrl });
      for (const note of report.notes) output.warn(note);
      const { version } = resolvedProfile.product;
      const archive = options.archive
        ? await writeArchive({ root: projectRoot, out, version, proof: report.proof })
        : undefined;
      const nextCommand = describeNextStep({
        root: projectRoot,
        currentFolder: process.cwd(),
        out,
        name: resolvedProfile.name,
        profile: options.profile,
        ...(archive ? { archive: archive.file } : {}),
      });
      output.printResult(
        toReportJson(report, archive),
        `${describeReport(report)}\n${archive ? `\n${describeArchive(archive)}\n` : ''}\n${nextCommand}`,
      );
    }),
  );
  command.addHelpText(
    'after',
    '\nEnvironment: WALKDOWN_PROFILE, and WALKDOWN_API_ADDRESS if the API is not at the address of the pages.',
  );
  withExamples(command, [
    'walkdown build --profile profile-a',
    'walkdown build --profile ../acme/profile.json --out /srv/acme',
    'WALKDOWN_PROFILE=profile-b walkdown build --out /srv/product',
    'walkdown build --profile profile-a --out /srv/product --archive',
  ]);
};

function toReportJson(
  { profile, out, timings, sizes, proof, proofSha256, notes }: BuildReport,
  archive: ArchiveReport | undefined,
): object {
  return {
    profile,
    out: displayPath(out),
    proofSha256,
    milliseconds: timings,
    sizes,
    enabled: proof.enabled,
    disabled: proof.disabled,
    files: proof.files.length,
    notes,
    ...(archive ? { archive: { ...archive, file: displayPath(archive.file) } } : {}),
  };
}

function describeArchive({ file, platform, bytes, packages, proofSha256 }: ArchiveReport): string {
  return [
    `Packed ${pc.bold(displayPath(file))} (${formatKibibytes(bytes)}), with ${packages} packages for ${platform}.`,
    `SHA-256 of its proof.json, to be stored separately from the archive: ${proofSha256}`,
  ].join('\n');
}

/** The human-readable tables after a build. */
function describeReport({ profile, out, timings, sizes, proof, proofSha256 }: BuildReport): string {
  const row = (name: string, { paths, bytes, gzip }: Size) => [
    name,
    String(paths.length),
    formatKibibytes(bytes),
    formatKibibytes(gzip),
  ];
  const heaviest = sizes.lazy.toSorted((a, b) => b.gzip - a.gzip).slice(0, 8);
  const { total, ...steps } = timings;
  return [
    `Built ${pc.bold(profile)} into ${pc.bold(displayPath(out))} in ${((total ?? 0) / 1000).toFixed(2)} s (${Object.entries(
      steps,
    )
      .map(([step, milliseconds]) => `${step} ${milliseconds} ms`)
      .join(', ')}).`,
    `On: ${proof.enabled.join(', ')}. Off: ${proof.disabled.join(', ') || 'nothing'}.`,
    `SHA-256 of proof.json, to be stored separately from the product: ${proofSha256}`,
    '',
    ...formatTable([
      ['', 'files', 'size', 'gzip'],
      row('login', sizes.signIn),
      row('app after login', sizes.shell),
      ...heaviest.map((lazy) => row(lazy.source, lazy)),
      row('all scripts', sizes.total),
    ]),
  ].join('\n');
}

/** Aligns the columns of a table: the first to the left, numbers to the right. */
function formatTable(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  '),
  );
}
