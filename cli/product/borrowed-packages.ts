import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { findFolderProblem } from '../../core/server/files/folder-problem.ts';
import { CliError, exitCodes } from '../cli-error.ts';
import { displayPath } from '../project-root.ts';

/** Copies that are kept because running servers may still start threads from them. */
const maxCopies = 4;

/**
 * Lets a product outside of the project use its packages, if the versions match: copies its server below the project,
 * where Node finds them. The pages stay in place.
 *
 * @param root absolute path of the project
 * @param out absolute path of the product
 * @returns the folder of the copy, to be used like `out`; undefined if the packages differ
 * @throws CliError if no copy can be written
 */
export async function borrowPackages(root: string, out: string): Promise<string | undefined> {
  if (!(await hasPackages(root, out))) return undefined;
  const server = path.join(out, 'server');
  const names = (await readdir(server)).filter((name) => name.endsWith('.mjs')).sort();
  const files = await Promise.all(names.map(async (name) => [name, await readFile(path.join(server, name))] as const));
  const hash = createHash('sha256');
  for (const [name, content] of files) hash.update(`\0${name}\0`).update(content);
  const all = path.join(root, '.generated', 'served');
  const own = createHash('sha256').update(out).digest('hex').slice(0, 16);
  const copy = path.join(all, `${own}-${hash.digest('hex').slice(0, 16)}`);
  // An account without write access, such as a service's, uses an existing copy.
  if (await stat(path.join(copy, 'server')).catch(() => undefined)) {
    await utimes(copy, new Date(), new Date()).catch(() => undefined);
    return copy;
  }
  const problem = await findFolderProblem(all);
  if (problem !== undefined)
    throw new CliError(exitCodes.usage, [
      {
        file: displayPath(out),
        cause: `The product's packages are not installed, and those of the project cannot be lent to it. ${problem}`,
        remedy: `Run "npm ci --omit=dev" in ${displayPath(server)}.`,
      },
    ]);
  const draft = `${copy}.${process.pid}.draft`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(path.join(draft, 'server'), { recursive: true });
  await Promise.all(files.map(([name, content]) => writeFile(path.join(draft, 'server', name), content)));
  await symlink(path.join(out, 'web'), path.join(draft, 'web'), 'junction');
  // Another process may have made the same copy, and use it.
  await rename(draft, copy).catch(async (error: NodeJS.ErrnoException) => {
    await rm(draft, { recursive: true, force: true });
    if (error.code !== 'EEXIST' && error.code !== 'ENOTEMPTY') throw error;
  });
  await removeOld(all, `${own}-`);
  return copy;
}

async function hasPackages(root: string, out: string): Promise<boolean> {
  const required = await readDependencies(path.join(out, 'server'));
  if (required === undefined) return false;
  const same = await Promise.all(
    Object.entries(required).map(
      async ([name, version]) => (await readManifest(path.join(root, 'node_modules', name)))?.version === version,
    ),
  );
  return same.every(Boolean);
}

async function readDependencies(folder: string): Promise<Readonly<Record<string, string>> | undefined> {
  return (await readManifest(folder))?.dependencies;
}

async function readManifest(
  folder: string,
): Promise<{ readonly version?: string; readonly dependencies?: Readonly<Record<string, string>> } | undefined> {
  const text = await readFile(path.join(folder, 'package.json'), 'utf8').catch(() => undefined);
  return text === undefined
    ? undefined
    : (JSON.parse(text) as { version?: string; dependencies?: Record<string, string> });
}

/** Removes only copies of the same product: another one's server may run for months without a restart. */
async function removeOld(all: string, own: string): Promise<void> {
  const names = (await readdir(all)).filter((name) => name.startsWith(own));
  const copies = await Promise.all(
    names.map(async (name) => ({ name, at: (await stat(path.join(all, name)).catch(() => undefined))?.mtimeMs ?? 0 })),
  );
  for (const { name } of copies.sort((a, b) => b.at - a.at).slice(maxCopies))
    await rm(path.join(all, name), { recursive: true, force: true });
}
