import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { findFolderProblem } from '../../core/server/files/folder-problem.ts';
import { CliError, exitCodes } from '../cli-error.ts';
import { displayPath } from '../project-root.ts';

/** The number of copies per product to keep. Running servers may still start threads from old copies. */
const maxCopies = 4;

/**
 * Lets a product outside of the project use the project's packages if the versions match. Copies the product's server
 * into the project, where Node finds the packages, and links the pages.
 *
 * @param root absolute path of the project
 * @param out absolute path of the product
 * @returns the folder of the copy, to be used like `out`; undefined if the packages differ
 * @throws CliError if no copy can be written
 */
export async function createProjectCopy(root: string, out: string): Promise<string | undefined> {
  if (!(await hasMatchingPackages(root, out))) return undefined;
  const server = path.join(out, 'server');
  const names = (await readdir(server)).filter((name) => name.endsWith('.mjs')).sort();
  const files = await Promise.all(names.map(async (name) => [name, await readFile(path.join(server, name))] as const));
  const hash = createHash('sha256');
  for (const [name, content] of files) hash.update(`\0${name}\0`).update(content);
  const copiesFolder = path.join(root, '.generated', 'served');
  const productHash = createHash('sha256').update(out).digest('hex').slice(0, 16);
  const copyFolder = path.join(copiesFolder, `${productHash}-${hash.digest('hex').slice(0, 16)}`);
  // An account without write access, such as that of a service, can use an existing copy.
  if (await stat(path.join(copyFolder, 'server')).catch(() => undefined)) {
    await utimes(copyFolder, new Date(), new Date()).catch(() => undefined);
    return copyFolder;
  }
  const problem = await findFolderProblem(copiesFolder);
  if (problem !== undefined)
    throw new CliError(exitCodes.usage, [
      {
        file: displayPath(out),
        cause: `The product's packages are not installed, and those of the project cannot be used for it. ${problem}`,
        remedy: `Run "npm ci --omit=dev" in ${displayPath(server)}.`,
      },
    ]);
  const temporaryFolder = `${copyFolder}.${process.pid}.draft`;
  await rm(temporaryFolder, { recursive: true, force: true });
  await mkdir(path.join(temporaryFolder, 'server'), { recursive: true });
  await Promise.all(files.map(([name, content]) => writeFile(path.join(temporaryFolder, 'server', name), content)));
  await symlink(path.join(out, 'web'), path.join(temporaryFolder, 'web'), 'junction');
  // Another process may have created the same copy and may use it.
  await rename(temporaryFolder, copyFolder).catch(async (error: NodeJS.ErrnoException) => {
    await rm(temporaryFolder, { recursive: true, force: true });
    if (error.code !== 'EEXIST' && error.code !== 'ENOTEMPTY') throw error;
  });
  await removeOldCopies(copiesFolder, `${productHash}-`);
  return copyFolder;
}

async function hasMatchingPackages(root: string, out: string): Promise<boolean> {
  const requiredVersions = await readDependencies(path.join(out, 'server'));
  if (requiredVersions === undefined) return false;
  const matches = await Promise.all(
    Object.entries(requiredVersions).map(
      async ([name, version]) => (await readManifest(path.join(root, 'node_modules', name)))?.version === version,
    ),
  );
  return matches.every(Boolean);
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

/** Removes only copies of the same product, because the server of another one may run for months without a restart. */
async function removeOldCopies(copiesFolder: string, copyPrefix: string): Promise<void> {
  const names = (await readdir(copiesFolder)).filter((name) => name.startsWith(copyPrefix));
  const copies = await Promise.all(
    names.map(async (name) => ({
      name,
      mtimeMs: (await stat(path.join(copiesFolder, name)).catch(() => undefined))?.mtimeMs ?? 0,
    })),
  );
  for (const { name } of copies.sort((a, b) => b.mtimeMs - a.mtimeMs).slice(maxCopies))
    await rm(path.join(copiesFolder, name), { recursive: true, force: true });
}
