import { access } from 'node:fs/promises';
import path from 'node:path';
import { Option } from 'commander';
import { describeDifference } from '../../core/common/product-proof.ts';
import { verifyProduct, type Verification } from '../../core/server/product/verify-product.ts';
import { CliError, exitCodes } from '../cli-error.ts';
import { createAction, withExamples, withProductOptions, type AddCommand, type ProductOptions } from '../command.ts';
import { getDefaultOut } from '../product/product-folder.ts';
import { getProfileName } from '../profile/profile-chain.ts';
import { displayPath, projectRoot } from '../project-root.ts';

interface VerifyCommandOptions extends ProductOptions {
  readonly expect?: string;
}

/** Files that identify a product folder. */
const identifyingFiles = ['proof.json', 'build.json', 'server/server.mjs'];

/** `walkdown verify`: compares a product with its proof. */
export const addVerifyCommand: AddCommand = (program) => {
  const command = withProductOptions(
    program
      .command('verify')
      .description('compare every file of a built product with its proof.json, and name each difference')
      .argument('[folder]', 'folder of the product (default: that of --out or --profile)')
      .addOption(
        new Option(
          '--expect <sha256>',
          'SHA-256 of proof.json as the build printed it, to refuse a product whose proof was replaced too',
        ),
      ),
  ).action(
    createAction<VerifyCommandOptions>(async (options, output, { args: [folder] }) => {
      const folderArgument = folder ?? options.out;
      const productFolder =
        folderArgument === undefined
          ? getDefaultOut(projectRoot, getProfileName(options.profile))
          : path.resolve(folderArgument);
      const verification = await verifyFolder(productFolder, options.expect);
      if (verification.differences.length > 0)
        throw new CliError(
          exitCodes.verificationFailed,
          verification.differences.map((difference, index) => ({
            file: path.join(productFolder, difference.path),
            cause: describeDifference(difference),
            ...(index === verification.differences.length - 1
              ? { remedy: 'Deliver the product again from its build.' }
              : {}),
          })),
        );
      output.printResult(
        { folder: displayPath(productFolder), ...verification },
        describe(productFolder, verification),
      );
    }),
  );
  withExamples(command, ['walkdown verify /srv/product', 'walkdown verify --profile profile-a --json']);
};

async function verifyFolder(productFolder: string, expected: string | undefined): Promise<Verification> {
  if (expected !== undefined && !/^[0-9a-f]{64}$/i.test(expected))
    throw new CliError(exitCodes.usage, [
      { cause: '--expect is not a SHA-256.', remedy: 'Give the 64 hexadecimal digits that the build printed.' },
    ]);
  const presence = await Promise.all(
    identifyingFiles.map((file) =>
      access(path.join(productFolder, file)).then(
        () => true,
        () => false,
      ),
    ),
  );
  if (!presence.includes(true))
    throw new CliError(exitCodes.usage, [
      {
        file: displayPath(productFolder),
        cause: 'There is no built product here.',
        remedy: 'Name its folder, or build it first: walkdown build --profile <name>.',
      },
    ]);
  return verifyProduct(productFolder, { expected }).catch((cause: unknown) => {
    throw new CliError(
      exitCodes.verificationFailed,
      [
        {
          file: displayPath(productFolder),
          cause: `The product cannot be verified: ${cause instanceof Error ? cause.message : String(cause)}`,
          remedy: 'Deliver it again from its build.',
        },
      ],
      { cause },
    );
  });
}

function describe(productFolder: string, { files, proofSha256, packages }: Verification): string {
  return [
    `All ${files} files of ${displayPath(productFolder)} are as they were built.`,
    `SHA-256 of proof.json: ${proofSha256}`,
    ...(packages === 'not compared'
      ? ['server/node_modules was not compared: its packages were installed after the build.']
      : []),
  ].join('\n');
}
