import { readdir, readFile, realpath } from 'node:fs/promises';
import path from 'node:path';
import type { Logger } from 'pino';
import { describeDifference, type ProductDifference } from '../../common/product-proof.ts';
import type { ServerConfig } from '../kernel/server-config.ts';
import { verifyProduct } from './verify-product.ts';

/** The product differs from its build. The message names every difference. */
export class ChangedProductError extends Error {
  /** The command line identifies it by name, because a built server has its own copy of this class. */
  override readonly name = 'ChangedProductError';
  /** The same exit code as `walkdown verify`. */
  readonly exitCode = 6;
}

/** The maximum of differences that a message names. */
const maxNamedDifferences = 20;

/**
 * Compares the product with its proof if the environment requires it (`WALKDOWN_VERIFY`).
 *
 * @param bundleFolder the product's `web` folder, or a link to it next to the running copy of the server
 * @throws ChangedProductError if a file differs, or the product cannot be compared
 */
export async function verifyAtStart(
  bundleFolder: string | undefined,
  { productCheck }: Pick<ServerConfig, 'productCheck'>,
  log: Logger,
): Promise<void> {
  if (productCheck.kind === 'off') return;
  const verify = async () => {
    if (bundleFolder === undefined) throw new Error('This server runs without a built product.');
    const product = path.dirname(await realpath(bundleFolder));
    const verification = await verifyProduct(product, { expected: productCheck.proofSha256 });
    const copyDifferences = await findCopyDifferences(product, path.dirname(path.resolve(bundleFolder)));
    return { ...verification, product, differences: [...verification.differences, ...copyDifferences] };
  };
  const { product, differences, files, proofSha256, packages } = await verify().catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ChangedProductError(`The product cannot be verified: ${reason} ${remedy}`, { cause });
  });
  if (differences.length > 0) throw new ChangedProductError(formatDifferences(product, differences));
  log.info({ files, proofSha256, packages }, 'The product is as it was built.');
}

const remedy = 'Deliver the product again from its build, or take WALKDOWN_VERIFY out of the environment.';

function formatDifferences(product: string, differences: readonly ProductDifference[]): string {
  const sentences = differences.slice(0, maxNamedDifferences).map(describeDifference);
  const remainder =
    differences.length > maxNamedDifferences ? [`${differences.length - maxNamedDifferences} more differ.`] : [];
  return [`The product in ${product} is not as it was built.`, ...sentences, ...remainder, remedy].join('\n');
}

/** Compares the running copy of the server, which the command line may have created, with the build. */
async function findCopyDifferences(product: string, runningFolder: string): Promise<readonly ProductDifference[]> {
  if (runningFolder === product || (await realpath(runningFolder)) === product) return [];
  const entries = await readdir(path.join(runningFolder, 'server'), { withFileTypes: true });
  const differences = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async ({ name }): Promise<readonly ProductDifference[]> => {
        const copiedFile = path.join(runningFolder, 'server', name);
        const builtBytes = await readFile(path.join(product, 'server', name)).catch(() => undefined);
        if (builtBytes === undefined) return [{ kind: 'added', path: copiedFile }];
        return builtBytes.equals(await readFile(copiedFile)) ? [] : [{ kind: 'changed', path: copiedFile }];
      }),
  );
  return differences.flat();
}
