import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { describeDifference } from '../../common/product-proof.ts';
import { verifyProduct, type Verification } from './verify-product.ts';

/** The program `server/verify.mjs` of a product. It needs only Node. */

const usage = `Usage: node verify.mjs [folder of a product] [--expect <SHA-256 of proof.json>] [--json]

Compares every file of a product with its proof.json and names each file that was added, is missing or was changed.
Without a folder: the product that contains this program. Exit codes: 0 nothing differs, 2 usage, 6 something differs.

The program inside a product finds damage and mistakes in it. It proves nothing against a person who changed the product
on purpose, together with this program or proof.json. For that, copy the program from the build, and give --expect the
SHA-256 that the build printed.`;

const exitCodes = { ok: 0, usage: 2, verificationFailed: 6 } as const;

async function main(args: readonly string[]): Promise<number> {
  let parsed;
  try {
    parsed = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { expect: { type: 'string' }, json: { type: 'boolean' }, help: { type: 'boolean' } },
    });
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error));
  }
  const { values, positionals } = parsed;
  if (values.help) {
    process.stdout.write(`${usage}\n`);
    return exitCodes.ok;
  }
  if (positionals.length > 1) return refuse('Name one folder.');
  if (values.expect !== undefined && !/^[0-9a-f]{64}$/i.test(values.expect))
    return refuse('--expect must be a SHA-256: 64 hexadecimal digits.');
  const folder = path.resolve(positionals[0] ?? fileURLToPath(new URL('..', import.meta.url)));
  try {
    return report(folder, await verifyProduct(folder, { expected: values.expect }), values.json === true);
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    if (values.json) process.stdout.write(`${JSON.stringify({ folder, error: cause }, null, 2)}\n`);
    else process.stderr.write(`${folder}: ${cause} Copy the product again from its build.\n`);
    return exitCodes.verificationFailed;
  }
}

function refuse(sentence: string): number {
  process.stderr.write(`${sentence}\n\n${usage}\n`);
  return exitCodes.usage;
}

function report(folder: string, verification: Verification, json: boolean): number {
  const { differences, files, proofSha256, packages } = verification;
  const code = differences.length === 0 ? exitCodes.ok : exitCodes.verificationFailed;
  if (json) process.stdout.write(`${JSON.stringify({ folder, ...verification }, null, 2)}\n`);
  else {
    for (const difference of differences) process.stderr.write(`${describeDifference(difference)}\n`);
    const result =
      differences.length === 0 ? `all ${files} files are as they were built` : `${differences.length} differ`;
    process.stdout.write(`${folder}: ${result}. SHA-256 of proof.json: ${proofSha256}.\n`);
    if (packages === 'not compared')
      process.stdout.write('server/node_modules was not compared: its packages were installed after the build.\n');
  }
  return code;
}

process.exitCode = await main(process.argv.slice(2));
