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
  /** By path relative to `out`. */
  readonly documents: ReadonlyMap<string, string>;
  /** Of the bundler's files; the written proof names every other file too. */
  readonly proof: ProductProof;
  /** Provides the compressed variants of `web`. */
  readonly compressor: Compressor;
}

/** The file of every build: a folder without it is not ours to replace. */
const mark = 'build.json';
/**
 * What a build writes, and what `npm ci` adds to the server. Anything else in the folder is the user's, such as a
 * database.
 */
const ownEntries = new Set([mark, 'web', 'server', 'maps', proofName, 'headers.json', 'notices.txt']);
const installed = 'node_modules';
const isServerEntry = (name: string): boolean =>
  name.endsWith('.mjs') || name === installed || name === 'package.json' || name === 'package-lock.json';

/** Independent of account and umask: another account may run the product. */
export const modes = { file: 0o644, folder: 0o755 } as const;

/**
 * Writes a product to a temporary folder and swaps it in, so that no partial one is ever visible. Keeps installed
 * packages if their list is unchanged.
 *
 * @returns the proof of all written files, as in `proof.json`
 */
export async function writeProduct(files: ProductFiles): Promise<ProductProof> {
  await refuseForeignFolder(files.out);
  const contents = await allContents(files);
  const proof = completeProof(files.proof, contents);
  contents.set(proofName, Buffer.from(json(proof)));
  const draft = `${files.out}.${process.pid}.draft`;
  await rm(draft, { recursive: true, force: true });
  const folders = new Set([...contents.keys()].flatMap(listFolders));
  for (const folder of [...folders].sort()) await createFolder(path.join(draft, folder));
  await Promise.all(
    [...contents].map(async ([file, content]) => {
      const place = path.join(draft, file);
      await writeFile(place, content);
      await chmod(place, modes.file);
    }),
  );
  await preservePackages(files.out, draft);
  await replaceFolder(draft, files.out);
  return proof;
}

export function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** Of every file except the proof, by path relative to the product. */
async function allContents({
  web,
  server,
  maps,
  documents,
  compressor,
}: ProductFiles): Promise<Map<string, Uint8Array>> {
  const compressed = await Promise.all(
    [...web].map(async ([file, content]) => {
      const { br, gz } = (await compressor.compressedVariants(file, content.byteLength)) ?? {};
      return [
        [`web/${file}`, content],
        ...(br && gz ? [[`web/${file}.br`, br] as const, [`web/${file}.gz`, gz] as const] : []),
      ] as const;
    }),
  );
  return new Map<string, Uint8Array>([
    ...compressed.flat(),
    ...[...server].map(([file, content]) => [`server/${file}`, content] as const),
    ...[...maps].map(([file, map]) => [`maps/${file}.map`, Buffer.from(map)] as const),
    ...[...documents].map(([file, text]) => [file, Buffer.from(text)] as const),
  ]);
}

/** For `a/b/c.js`: the product's own folder, `a` and `a/b`. */
function listFolders(file: string): readonly string[] {
  const folder = path.posix.dirname(file);
  return folder === '.' ? ['.'] : [...listFolders(folder), folder];
}

async function createFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await chmod(folder, modes.folder);
}

/** A kill leaves the old or the new product complete: in place, or next to it. */
async function replaceFolder(draft: string, out: string): Promise<void> {
  const replaced = `${out}.${process.pid}.replaced`;
  await rm(replaced, { recursive: true, force: true });
  const hadPrevious = await rename(out, replaced).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
      return false;
    },
  );
  try {
    await rename(draft, out);
  } catch (error) {
    if (hadPrevious) await rename(replaced, out);
    throw error;
  }
  await rm(replaced, { recursive: true, force: true });
}

/** The old product keeps its packages until the new one replaces it. */
async function preservePackages(from: string, to: string): Promise<void> {
  const list = (folder: string) =>
    readFile(path.join(folder, 'server', 'package.json'), 'utf8').then(listPackages, () => undefined);
  const lock = (folder: string) =>
    readFile(path.join(folder, 'server', 'package-lock.json'), 'utf8').then(toComparablePackages, () => undefined);
  const [before, now] = await Promise.all([list(from), list(to)]);
  if (before === undefined || before !== now || (await lock(from)) !== (await lock(to))) return;
  await linkTree(path.join(from, 'server', installed), path.join(to, 'server', installed)).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    },
  );
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

function listPackages(manifest: string): string {
  const { dependencies, overrides } = JSON.parse(manifest) as { dependencies?: object; overrides?: object };
  return JSON.stringify([dependencies, overrides]);
}

/** Excludes the product's own entry with its name and version. */
function toComparablePackages(lock: string): string {
  const { packages = {} } = JSON.parse(lock) as { packages?: Record<string, unknown> };
  return JSON.stringify(Object.entries(packages).filter(([place]) => place !== ''));
}

/**
 * @throws CliError if `out` is no folder, cannot be written, contains the project, or something other than an earlier
 *   build
 */
export async function refuseForeignFolder(out: string): Promise<void> {
  const fromOut = path.relative(out, projectRoot);
  if (fromOut === '' || (!fromOut.startsWith('..') && !path.isAbsolute(fromOut))) {
    throw new CliError(exitCodes.usage, [
      {
        file: displayPath(out),
        cause: 'The folder holds this project: a product cannot take its place.',
        remedy: 'Name another folder with --out.',
      },
    ]);
  }
  const problem = (await findFolderProblem(out)) ?? (await findFolderProblem(path.dirname(out)));
  if (problem !== undefined)
    throw new CliError(exitCodes.usage, [
      {
        file: displayPath(out),
        cause: `The product cannot be put here. ${problem}`,
        remedy: 'Name another folder with --out.',
      },
    ]);
  const entries = await readdir(out).catch(() => []);
  const isBuild = await access(path.join(out, mark)).then(
    () => true,
    () => false,
  );
  if (entries.length > 0 && !isBuild) {
    throw new CliError(exitCodes.usage, [
      {
        file: displayPath(out),
        cause: 'The folder is not empty and holds no earlier build: it will not be replaced.',
        remedy: 'Name another folder with --out, or empty this one.',
      },
    ]);
  }
  const foreign = [
    ...entries.filter((name) => !ownEntries.has(name)),
    ...(await readdir(path.join(out, 'server')).catch(() => []))
      .filter((name) => !isServerEntry(name))
      .map((name) => `server/${name}`),
  ];
  if (foreign.length > 0) {
    throw new CliError(exitCodes.usage, [
      {
        file: displayPath(out),
        cause: `In the earlier build lies what no build made, and would be lost: ${foreign.join(', ')}.`,
        remedy: 'Move it elsewhere, or name another folder with --out.',
      },
    ]);
  }
}
