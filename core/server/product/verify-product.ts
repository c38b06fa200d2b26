import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import {
  compareWithProof,
  packagesFolder,
  parseProof,
  proofName,
  type FileDigest,
  type ProductDifference,
} from '../../common/product-proof.ts';

/** The result of comparing a product's folder with its `proof.json`. */
export interface Verification {
  readonly profile: string;
  /** The number of compared files. */
  readonly files: number;
  /** The SHA-256 of `proof.json`, for comparison with the one that the build printed. */
  readonly proofSha256: string;
  /** Whether `server/node_modules` was compared, exists without being listed, or is missing. */
  readonly packages: 'compared' | 'not compared' | 'absent';
  readonly differences: readonly ProductDifference[];
}

export interface VerifyOptions {
  /** The SHA-256 of `proof.json` that the build printed. If it differs, `proof.json` counts as changed. */
  readonly expected?: string | undefined;
}

const maxConcurrentReads = 16;

/**
 * Compares every file of a product with its `proof.json`. Needs only Node.
 *
 * @param folder absolute path of the product
 * @throws Error with a readable message if there is no usable `proof.json`
 */
export async function verifyProduct(folder: string, { expected }: VerifyOptions = {}): Promise<Verification> {
  const text = await readFile(path.join(folder, proofName)).catch((cause: NodeJS.ErrnoException) => {
    throw new Error(
      cause.code === 'ENOENT' ? `${proofName} is missing.` : `${proofName} cannot be read (${cause.code}).`,
      { cause },
    );
  });
  const proof = parseProof(text.toString('utf8'));
  const entries = await listEntries(folder);
  const isPackage = ({ name }: Entry): boolean => name.startsWith(packagesFolder);
  const comparedEntries = proof.packages === undefined ? entries.filter((entry) => !isPackage(entry)) : entries;
  const digests = await computeDigests(folder, comparedEntries);
  const uncomparedPackages = entries.some(isPackage) ? 'not compared' : 'absent';
  const proofSha256 = computeSha256(text);
  const hasOtherProof = expected !== undefined && expected.toLowerCase() !== proofSha256;
  return {
    profile: proof.profile,
    files: digests.size,
    proofSha256,
    packages: proof.packages ? 'compared' : uncomparedPackages,
    differences: [
      ...(hasOtherProof ? [{ kind: 'changed', path: proofName } as const] : []),
      ...compareWithProof(proof, digests),
    ],
  };
}

export function computeDigest(content: Uint8Array): FileDigest {
  return { bytes: content.byteLength, sha256: computeSha256(content) };
}

function computeSha256(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

interface Entry {
  /** The path relative to the product, with forward slashes. */
  readonly name: string;
  readonly isFile: boolean;
}

/** Lists all entries except folders and `proof.json`. Links are listed and not followed. */
async function listEntries(folder: string): Promise<readonly Entry[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => ({
      name: path.relative(folder, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'),
      isFile: entry.isFile(),
    }))
    .filter(({ name }) => name !== proofName);
}

async function computeDigests(
  folder: string,
  entries: readonly Entry[],
): Promise<ReadonlyMap<string, FileDigest | undefined>> {
  const digests = new Map<string, FileDigest | undefined>();
  const remainingEntries = [...entries];
  const readNext = async (): Promise<void> => {
    for (let entry = remainingEntries.pop(); entry !== undefined; entry = remainingEntries.pop()) {
      const { name, isFile } = entry;
      const content = isFile ? await readFile(path.join(folder, name)).catch(() => undefined) : undefined;
      digests.set(name, content && computeDigest(content));
    }
  };
  await Promise.all(Array.from({ length: maxConcurrentReads }, readNext));
  return digests;
}
