import { access } from 'node:fs/promises';
import path from 'node:path';
import { Option } from 'commander';
import { describeDifference } from '../../core/common/product-proof.ts';
import { verifyProduct, type Verification } from '../../core/server/product/verify-product.ts';
import { CliError, exitCodes } from '../cli-error.ts';
import { action, withExamples, withProductOptions, type AddCommand, type ProductOptions } from '../command.ts';
import { defaultOut } from '../product/product-folder.ts';
import { profileName } from '../profile/profile-chain.ts';
import { displayPath, projectRoot } from '../project-root.ts';

interface VerifyCommandOptions extends ProductOptions {
  readonly expect?: string;
}

/** Files that identify a product folder. */
const marks = ['proof.json', 'build.json', 'server/server.mjs'];

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
          'SHA-256 of proof.json as the build printed it: refuses a product whose proof was exchanged too',
        ),
      ),
  ).action(
    action<VerifyCommandOptions>(async (options, output, { args: [folder] }) => {
      const named = folder ?? options.out;
      const product = named === undefined ? defaultOut(projectRoot, profileName(options.profile)) : path.resolve(named);
      const verification = await verified(product, options.expect);
      if (verification.differences.length > 0)
        throw new CliError(
          exitCodes.verificationFailed,
          verification.differences.map((difference, index) => ({
            file: path.join(product, difference.path),
            cause: describeDifference(difference),
            ...(index === verification.differences.length - 1
              ? { remedy: 'Deliver the product again from its build.' }
              : {}),
          })),
        );
      output.result({ folder: displayPath(product), ...verification }, describe(product, verification));
    }),
  );
  withExamples(command, ['walkdown verify /srv/product', 'walkdown verify --profile profile-a --json']);
};

async function verified(product: string, expected: string | undefined): Promise<Verification> {
  if (expected !== undefined && !/^[0-9a-f]{64}$/i.test(expected))
    throw new CliError(exitCodes.usage, [
      { cause: '--expect is no SHA-256.', remedy: 'Give the 64 hexadecimal digits that the build printed.' },
    ]);
  const present = await Promise.all(
    marks.map((mark) =>
      access(path.join(product, mark)).then(
        () => true,
        () => false,
      ),
    ),
  );
  if (!present.includes(true))
    throw new CliError(exitCodes.usage, [
      {
        file: displayPath(product),
        cause: 'There is no built product here.',
        remedy: 'Name its folder, or build it first: walkdown build --profile <name>.',
      },
    ]);
  return verifyProduct(product, { expected }).catch((cause: unknown) => {
    throw new CliError(
      exitCodes.verificationFailed,
      [
        {
          file: displayPath(product),
          cause: `The product cannot be verified: ${cause instanceof Error ? cause.message : String(cause)}`,
          remedy: 'Deliver it again from its build.',
        },
      ],
      { cause },
    );
  });
}

function describe(product: string, { files, proofSha256, packages }: Verification): string {
  return [
    `All ${files} files of ${displayPath(product)} are as they were built.`,
    `SHA-256 of proof.json: ${proofSha256}`,
    ...(packages === 'not compared'
      ? ['server/node_modules was not compared: its packages were installed after the build.']
      : []),
  ].join('\n');
}
