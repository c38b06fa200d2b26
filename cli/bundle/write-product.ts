import { access, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { CliError, exitCodes } from '../cli-error.ts';
import { folderProblem } from '../product/folder-problem.ts';
import { displayPath } from '../project-root.ts';
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

/** Writes a product beside its place and then puts it there, so that nobody ever sees half of one. */
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
  await rm(files.out, { recursive: true, force: true });
  await rename(draft, files.out);
}

/** @throws CliError where `out` is no folder, cannot be written, or holds something else than an earlier build */
export async function refuseForeignFolder(out: string): Promise<void> {
  const problem = (await folderProblem(out)) ?? (await folderProblem(path.dirname(out)));
  if (problem !== undefined) throw new CliError(exitCodes.usage, [{ file: displayPath(out), cause: `The product cannot be put here. ${problem}`, wayOut: 'Name another folder with --out.' }]);
  const entries = await readdir(out).catch(() => []);
  const isBuild = await access(path.join(out, mark)).then(() => true, () => false);
  if (entries.length > 0 && !isBuild) {
    throw new CliError(exitCodes.usage, [{ file: displayPath(out), cause: 'The folder is not empty and holds no earlier build: it will not be replaced.', wayOut: 'Name another folder with --out, or empty this one.' }]);
  }
}
