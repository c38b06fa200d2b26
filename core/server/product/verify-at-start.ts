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

/** Maximum number of differences in a message; thousands of lines help nobody. */
const maxNamed = 20;

/**
 * Compares the product with its proof if the environment requires it (`WALKDOWN_VERIFY`).
 *
 * @param bundleFolder the product's `web` folder, or a link to it next to the running copy of the server
 * @throws ChangedProductError if anything differs, or nothing can be compared
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
    const copied = await copyDifferences(product, path.dirname(path.resolve(bundleFolder)));
    return { ...verification, product, differences: [...verification.differences, ...copied] };
  };
  const { product, differences, files, proofSha256, packages } = await verify().catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ChangedProductError(`The product cannot be verified: ${reason} ${remedy}`, { cause });
  });
  if (differences.length > 0) throw new ChangedProductError(toSentences(product, differences));
  log.info({ files, proofSha256, packages }, 'The product is as it was built.');
}

const remedy = 'Deliver the product again from its build, or take WALKDOWN_VERIFY out of the environment.';

function toSentences(product: string, differences: readonly ProductDifference[]): string {
  const named = differences.slice(0, maxNamed).map(describeDifference);
  const more = differences.length > maxNamed ? [`${differences.length - maxNamed} more differ.`] : [];
  return [`The product in ${product} is not as it was built.`, ...named, ...more, remedy].join('\n');
}

/** The command line may run a copy of the server, which must equal the build then. */
async function copyDifferences(product: string, running: string): Promise<readonly ProductDifference[]> {
  if (running === product || (await realpath(running)) === product) return [];
  const entries = await readdir(path.join(running, 'server'), { withFileTypes: true });
  const differences = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async ({ name }): Promise<readonly ProductDifference[]> => {
        const copied = path.join(running, 'server', name);
        const built = await readFile(path.join(product, 'server', name)).catch(() => undefined);
        if (built === undefined) return [{ kind: 'added', path: copied }];
        return built.equals(await readFile(copied)) ? [] : [{ kind: 'changed', path: copied }];
      }),
  );
  return differences.flat();
}
