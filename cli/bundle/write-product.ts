import {
  access,
  chmod,
  copyFile,
  link,
  mkdir,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import { proofName, type ProductProof } from '../../core/common/product-proof.ts';
import { findFolderProblem } from '../../core/server/files/folder-problem.ts';
import { CliError, exitCodes } from '../cli-error.ts';
import { displayPath, projectRoot } from '../project-root.ts';
import type { Compressor } from './compressor.ts';
import { completeProof } from './proof.ts';

export interface ProductFiles {
  /** Absolute path. */
  readonly out: string;
  /** Contents by path relative to `web/`, `server/` and `maps/`. */
  readonly web: ReadonlyMap<string, Uint8Array>;
  readonly server: ReadonlyMap<string, Uint8Array>;
  readonly maps: ReadonlyMap<string, string>;
  /** Texts in the root folder, such as `build.json`, by path relative to `out`. */
  readonly rootFiles: ReadonlyMap<string, string>;
  /** Size and hash of each file of the bundler. The written proof adds all other files. */
  readonly proof: ProductProof;
  /** Provides the compressed variants of `web`. */
  readonly compressor: Compressor;
}

/** Every build contains this file. A folder without it is not replaced. */
const buildRecordName = 'build.json';
/**
 * Files and folders that a build writes. Anything else in the folder belongs to the user, such as a database.
 */
const ownEntries = new Set([buildRecordName, 'web', 'server', 'maps', proofName, 'headers.json', 'notices.txt']);
const packagesFolder = 'node_modules';
const isServerEntry = (name: string): boolean =>
  name.endsWith('.mjs') || name === packagesFolder || name === 'package.json' || name === 'package-lock.json';

/** Access modes regardless of the account and its umask, because another account may run the product. */
export const accessModes = { file: 0o644, folder: 0o755 } as const;

/**
 * Writes a product to a temporary folder and swaps it in, so that no partial one is ever visible. Keeps installed
 * packages if their list is unchanged.
 *
 * @returns the proof of all written files, as in `proof.json`
 */
export async function writeProduct(files: ProductFiles): Promise<ProductProof> {
  await assertReplaceable(files.out);
  const contents = await collectContents(files);
  const proof = completeProof(files.proof, contents);
  contents.set(proofName, Buffer.from(formatJson(proof)));
  const temporaryFolder = `${files.out}.${process.pid}.draft`;
  await rm(temporaryFolder, { recursive: true, force: true });
  const folders = new Set([...contents.keys()].flatMap(listFolders));
  for (const folder of [...folders].sort()) await createFolder(path.join(temporaryFolder, folder));
  await Promise.all(
    [...contents].map(async ([file, content]) => {
      const target = path.join(temporaryFolder, file);
      await writeFile(target, content);
      await chmod(target, accessModes.file);
    }),
  );
  await preservePackages(files.out, temporaryFolder);
  await replaceFolder(temporaryFolder, files.out);
  return proof;
}

export function formatJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** The contents of every file except the proof, by path relative to the product. */
async function collectContents({
  web,
  server,
  maps,
  rootFiles,
  compressor,
}: ProductFiles): Promise<Map<string, Uint8Array>> {
  const fileEntries = await Promise.all(
    [...web].map(async ([file, content]) => {
      const { br, gz } = (await compressor.findVariants(file, content.byteLength)) ?? {};
      return [
        [`web/${file}`, content],
        ...(br && gz ? [[`web/${file}.br`, br] as const, [`web/${file}.gz`, gz] as const] : []),
      ] as const;
    }),
  );
  return new Map<string, Uint8Array>([
    ...fileEntries.flat(),
    ...[...server].map(([file, content]) => [`server/${file}`, content] as const),
    ...[...maps].map(([file, map]) => [`maps/${file}.map`, Buffer.from(map)] as const),
    ...[...rootFiles].map(([file, text]) => [file, Buffer.from(text)] as const),
  ]);
}

/** The folders above a file: `.`, `a` and `a/b` for `a/b/c.js`. */
function listFolders(file: string): readonly string[] {
  const folder = path.posix.dirname(file);
  return folder === '.' ? ['.'] : [...listFolders(folder), folder];
}

async function createFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await chmod(folder, accessModes.folder);
}

/** If the process is killed during the swap, `out` or a folder next to it contains a complete product, old or new. */
async function replaceFolder(temporaryFolder: string, out: string): Promise<void> {
  const replacedFolder = `${out}.${process.pid}.replaced`;
  await rm(replacedFolder, { recursive: true, force: true });
  const hadPrevious = await rename(out, replacedFolder).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
      return false;
    },
  );
  try {
    await rename(temporaryFolder, out);
  } catch (error) {
    if (hadPrevious) await rename(replacedFolder, out);
    throw error;
  }
  await rm(replacedFolder, { recursive: true, force: true });
}

/** Links the installed packages instead of moving them, so that the old product works until it is replaced. */
async function preservePackages(previousFolder: string, newFolder: string): Promise<void> {
  const readDependencies = (folder: string) =>
    readFile(path.join(folder, 'server', 'package.json'), 'utf8').then(toComparableDependencies, () => undefined);
  const readLock = (folder: string) =>
    readFile(path.join(folder, 'server', 'package-lock.json'), 'utf8').then(toComparablePackages, () => undefined);
  const [previous, current] = await Promise.all([readDependencies(previousFolder), readDependencies(newFolder)]);
  if (
    previous === undefined ||
    previous !== current ||
    (await readLock(previousFolder)) !== (await readLock(newFolder))
  )
    return;
  await linkTree(
    path.join(previousFolder, 'server', packagesFolder),
    path.join(newFolder, 'server', packagesFolder),
  ).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
}

/** Hard-links each file, or copies it if the file system has no hard links. */
async function linkTree(from: string, to: string): Promise<void> {
  const entries = await readdir(from, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOTDIR') throw error;
    return undefined;
  });
  if (entries === undefined) return linkFile(from, to);
  await mkdir(to, { recursive: true });
  for (const entry of entries) {
    const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)];
    if (entry.isSymbolicLink()) await symlink(await readlink(source), target);
    else await linkTree(source, target);
  }
}

async function linkFile(from: string, to: string): Promise<void> {
  await link(from, to).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw error;
    return copyFile(from, to);
  });
}

function toComparableDependencies(manifest: string): string {
  const { dependencies, overrides } = JSON.parse(manifest) as { dependencies?: object; overrides?: object };
  return JSON.stringify([dependencies, overrides]);
}

/** The packages of a lock file without the product's own entry, because its version may differ. */
function toComparablePackages(lock: string): string {
  const { packages = {} } = JSON.parse(lock) as { packages?: Record<string, unknown> };
  return JSON.stringify(Object.entries(packages).filter(([packagePath]) => packagePath !== ''));
}

/**
 * Checks that a build may replace a folder.
 *
 * @throws CliError if `out` is not a folder, cannot be written, contains this project, or contains files that no build
 *   wrote
 */
export async function assertReplaceable(out: string): Promise<void> {
  const projectPath = path.relative(out, projectRoot);
  if (projectPath === '' || (!projectPath.startsWith('..') && !path.isAbsolute(projectPath))) {
    throw new CliError(exitCodes.usage, [
      {
        file: displayPath(out),
        cause: 'The folder contains this project, which a product must not replace.',
        remedy: 'Name another folder with --out.',
      },
    ]);
  }
  const problem = (await findFolderProblem(out)) ?? (await findFolderProblem(path.dirname(out)));
  if (problem !== undefined)
    throw new CliError(exitCodes.usage, [
      {
        file: displayPath(out),
        cause: `The product cannot be written here. ${problem}`,
        remedy: 'Name another folder with --out.',
      },
    ]);
  const entries = await readdir(out).catch(() => []);
  const isBuild = await access(path.join(out, buildRecordName)).then(
    () => true,
    () => false,
  );
  if (entries.length > 0 && !isBuild) {
    throw new CliError(exitCodes.usage, [
      {
        file: displayPath(out),
        cause: 'The folder is not empty and contains no earlier build, so it is not replaced.',
        remedy: 'Name another folder with --out, or empty this one.',
      },
    ]);
  }
  const otherFiles = [
    ...entries.filter((name) => !ownEntries.has(name)),
    ...(await readdir(path.join(out, 'server')).catch(() => []))
      .filter((name) => !isServerEntry(name))
      .map((name) => `server/${name}`),
  ];
  if (otherFiles.length > 0) {
    throw new CliError(exitCodes.usage, [
      {
        file: displayPath(out),
        cause: `The folder of the earlier build contains other files, which would be lost: ${otherFiles.join(', ')}.`,
        remedy: 'Move them elsewhere, or name another folder with --out.',
      },
    ]);
  }
}
