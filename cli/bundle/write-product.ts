import {
  access,
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
import { folderProblem } from '../../core/server/files/folder-problem.ts';
import { CliError, exitCodes } from '../cli-error.ts';
import { displayPath, projectRoot } from '../project-root.ts';
import type { Compressor } from './compressor.ts';

export interface ProductFiles {
  /** Absolute path. */
  readonly out: string;
  /** Contents by path relative to `web/`, `server/` and `maps/`. */
  readonly web: ReadonlyMap<string, Uint8Array>;
  readonly server: ReadonlyMap<string, Uint8Array>;
  readonly maps: ReadonlyMap<string, string>;
  /** By path relative to `out`. */
  readonly documents: ReadonlyMap<string, string>;
  /** What compresses of `web`. */
  readonly compressor: Compressor;
}

/** What every build has: a folder without it is not ours to replace. */
const mark = 'build.json';
/**
 * What a build writes, and what `npm install` leaves beside the server. Anything else in the folder is somebody's own,
 * such as a database.
 */
const ownEntries = new Set([mark, 'web', 'server', 'maps', 'proof.json', 'headers.json', 'notices.txt']);
const installed = ['node_modules', 'package-lock.json'] as const;
const isServerEntry = (name: string): boolean =>
  name.endsWith('.mjs') || name === 'package.json' || installed.some((own) => own === name);

/**
 * Writes a product beside its place and then puts it there, so that nobody ever sees half of one. Packages that were
 * installed for the same list of packages stay.
 */
export async function writeProduct(files: ProductFiles): Promise<void> {
  await refuseForeignFolder(files.out);
  const draft = `${files.out}.${process.pid}.draft`;
  await rm(draft, { recursive: true, force: true });
  const write = async (file: string, content: Uint8Array | string) => {
    const place = path.join(draft, file);
    await mkdir(path.dirname(place), { recursive: true });
    await writeFile(place, content);
  };
  const writeWeb = async ([file, content]: readonly [string, Uint8Array]) => {
    await write(`web/${file}`, content);
    const compressed = await files.compressor.beside(file, content.byteLength);
    if (compressed) await Promise.all([write(`web/${file}.br`, compressed.br), write(`web/${file}.gz`, compressed.gz)]);
  };
  await Promise.all([
    ...[...files.web].map(writeWeb),
    ...[...files.server].map(([file, content]) => write(`server/${file}`, content)),
    ...[...files.maps].map(([file, map]) => write(`maps/${file}.map`, map)),
    ...[...files.documents].map(([file, text]) => write(file, text)),
  ]);
  await keepPackages(files.out, draft);
  await takePlace(draft, files.out);
}

/** A kill leaves the old product or the new one, each whole: at its place, or in between beside it. */
async function takePlace(draft: string, out: string): Promise<void> {
  const replaced = `${out}.${process.pid}.replaced`;
  await rm(replaced, { recursive: true, force: true });
  const had = await rename(out, replaced).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
      return false;
    },
  );
  try {
    await rename(draft, out);
  } catch (error) {
    if (had) await rename(replaced, out);
    throw error;
  }
  await rm(replaced, { recursive: true, force: true });
}

/** The old product keeps its own until the new one stands in its place. */
async function keepPackages(from: string, to: string): Promise<void> {
  const list = (folder: string) =>
    readFile(path.join(folder, 'server', 'package.json'), 'utf8').then(packagesOf, () => undefined);
  const [before, now] = await Promise.all([list(from), list(to)]);
  if (before === undefined || before !== now) return;
  for (const name of installed) {
    await linkTree(path.join(from, 'server', name), path.join(to, 'server', name)).catch(
      (error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error;
      },
    );
  }
}

/** A second name for each file, or a copy where the file system knows no second names. */
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

function packagesOf(manifest: string): string {
  const { dependencies, overrides } = JSON.parse(manifest) as { dependencies?: object; overrides?: object };
  return JSON.stringify([dependencies, overrides]);
}

/**
 * @throws CliError where `out` is no folder, cannot be written, holds the project, or holds something else than an
 *   earlier build
 */
export async function refuseForeignFolder(out: string): Promise<void> {
  const fromOut = path.relative(out, projectRoot);
  if (fromOut === '' || (!fromOut.startsWith('..') && !path.isAbsolute(fromOut))) {
    throw new CliError(exitCodes.usage, [
      {
        file: displayPath(out),
        cause: 'The folder holds this project: a product cannot take its place.',
        wayOut: 'Name another folder with --out.',
      },
    ]);
  }
  const problem = (await folderProblem(out)) ?? (await folderProblem(path.dirname(out)));
  if (problem !== undefined)
    throw new CliError(exitCodes.usage, [
      {
        file: displayPath(out),
        cause: `The product cannot be put here. ${problem}`,
        wayOut: 'Name another folder with --out.',
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
        wayOut: 'Name another folder with --out, or empty this one.',
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
        wayOut: 'Move it elsewhere, or name another folder with --out.',
      },
    ]);
  }
}
