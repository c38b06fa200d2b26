import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { packagesFolder } from '../../core/common/product-proof.ts';
import { getLibcName, getPlatformName } from '../../core/server/product/platform-name.ts';
import { reachablePackages, readLockedPackages, type LockedPackage } from '../bundle/locked-packages.ts';
import { CliError, exitCodes } from '../cli-error.ts';

/** One file of an installed package. */
export interface PackageFile {
  /** Relative to the product's folder, with forward slashes. */
  readonly path: string;
  /** Absolute path of the file in the project. */
  readonly source: string;
}

/**
 * The files of all packages that a product's server needs on this platform, native ones included, as installed in the
 * project.
 *
 * @param root absolute path of the project
 * @param out absolute path of the product
 * @throws CliError if one is not installed in the version that the product was built with
 */
export async function serverPackageFiles(
  root: string,
  out: string,
): Promise<{ readonly packages: number; readonly files: readonly PackageFile[] }> {
  const { dependencies } = JSON.parse(await readFile(path.join(out, 'server', 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  const locked = readLockedPackages(root);
  const places = [...reachablePackages(locked, Object.keys(dependencies), isForThisPlatform).keys()];
  const checks = places.map(async (place) => findProblem(root, place, locked.get(place)));
  const missing = (await Promise.all(checks)).filter((sentence) => sentence !== undefined);
  if (missing.length > 0)
    throw new CliError(
      exitCodes.buildFailed,
      missing.map((cause, index) => ({
        cause,
        ...(index === missing.length - 1
          ? { remedy: 'Run "npm ci" in the project, without leaving out optional packages, and try again.' }
          : {}),
      })),
    );
  const files = await Promise.all(places.map((place) => listFiles(root, place)));
  return { packages: places.length, files: files.flat() };
}

/** Whether npm would install it here: see `os`, `cpu` and `libc` in a package.json. */
function isForThisPlatform({ os, cpu, libc }: LockedPackage): boolean {
  const own = getLibcName();
  return fits(os, process.platform) && fits(cpu, process.arch) && (own === undefined || fits(libc, own));
}

function fits(allowed: readonly string[] | undefined, own: string): boolean {
  if (allowed === undefined) return true;
  if (allowed.includes(`!${own}`)) return false;
  return allowed.includes(own) || allowed.every((name) => name.startsWith('!'));
}

async function findProblem(root: string, place: string, found: LockedPackage | undefined): Promise<string | undefined> {
  const text = await readFile(path.join(root, place, 'package.json'), 'utf8').catch(() => undefined);
  const version = text === undefined ? undefined : (JSON.parse(text) as { version?: string }).version;
  if (version === found?.version) return undefined;
  const name = place.replace(/^.*node_modules\//, '');
  return version === undefined
    ? `The package '${name}', which the server needs on ${getPlatformName()}, is not installed in the project.`
    : `The package '${name}' is installed in the version ${version}; the product was built with ${found?.version}.`;
}

/** Of one package, without nested packages: needed ones are listed separately. */
async function listFiles(root: string, place: string): Promise<readonly PackageFile[]> {
  const files: PackageFile[] = [];
  const folders = [place];
  for (const folder of folders) {
    for (const entry of await readdir(path.join(root, folder), { withFileTypes: true })) {
      const inner = `${folder}/${entry.name}`;
      if (entry.isDirectory()) {
        if (entry.name !== 'node_modules') folders.push(inner);
      } else if (entry.isFile())
        files.push({
          path: `${packagesFolder}${inner.slice('node_modules/'.length)}`,
          source: path.join(root, inner),
        });
    }
  }
  return files;
}
