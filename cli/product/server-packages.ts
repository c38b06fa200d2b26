import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { packagesFolder } from '../../core/common/product-proof.ts';
import { findLibcName, getPlatformName } from '../../core/server/product/platform-name.ts';
import { findReachablePackages, readLockedPackages, type LockedPackage } from '../bundle/locked-packages.ts';
import { CliError, exitCodes } from '../cli-error.ts';

/** One file of an installed package. */
export interface PackageFile {
  /** Relative to the product's folder, with forward slashes. */
  readonly path: string;
  /** Absolute path of the file in the project. */
  readonly source: string;
}

/**
 * Lists the files of all packages that a product's server needs on this platform, including native ones, as installed
 * in the project.
 *
 * @param root absolute path of the project
 * @param out absolute path of the product
 * @throws CliError if a package is not installed in the version that the product was built with
 */
export async function listServerPackageFiles(
  root: string,
  out: string,
): Promise<{ readonly packages: number; readonly files: readonly PackageFile[] }> {
  const { dependencies } = JSON.parse(await readFile(path.join(out, 'server', 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  const lockedPackages = readLockedPackages(root);
  const packagePaths = [...findReachablePackages(lockedPackages, Object.keys(dependencies), isForThisPlatform).keys()];
  const checks = packagePaths.map(async (packagePath) =>
    findProblem(root, packagePath, lockedPackages.get(packagePath)),
  );
  const problems = (await Promise.all(checks)).filter((sentence) => sentence !== undefined);
  if (problems.length > 0)
    throw new CliError(
      exitCodes.buildFailed,
      problems.map((cause, index) => ({
        cause,
        ...(index === problems.length - 1
          ? { remedy: 'Run "npm ci" in the project, without leaving out optional packages, and try again.' }
          : {}),
      })),
    );
  const files = await Promise.all(packagePaths.map((packagePath) => listFiles(root, packagePath)));
  return { packages: packagePaths.length, files: files.flat() };
}

/** Whether npm installs a package on this platform, by `os`, `cpu` and `libc` in its package.json. */
function isForThisPlatform({ os, cpu, libc }: LockedPackage): boolean {
  const ownLibc = findLibcName();
  return (
    isSupported(os, process.platform) &&
    isSupported(cpu, process.arch) &&
    (ownLibc === undefined || isSupported(libc, ownLibc))
  );
}

function isSupported(allowedPlatforms: readonly string[] | undefined, platform: string): boolean {
  if (allowedPlatforms === undefined) return true;
  if (allowedPlatforms.includes(`!${platform}`)) return false;
  return allowedPlatforms.includes(platform) || allowedPlatforms.every((name) => name.startsWith('!'));
}

async function findProblem(
  root: string,
  packagePath: string,
  lockedPackage: LockedPackage | undefined,
): Promise<string | undefined> {
  const text = await readFile(path.join(root, packagePath, 'package.json'), 'utf8').catch(() => undefined);
  const version = text === undefined ? undefined : (JSON.parse(text) as { version?: string }).version;
  if (version === lockedPackage?.version) return undefined;
  const name = packagePath.replace(/^.*node_modules\//, '');
  return version === undefined
    ? `The package '${name}', which the server needs on ${getPlatformName()}, is not installed in the project.`
    : `The package '${name}' is installed in the version ${version}; the product was built with ${lockedPackage?.version}.`;
}

/** The files of one package without nested packages, which are listed separately if they are needed. */
async function listFiles(root: string, packagePath: string): Promise<readonly PackageFile[]> {
  const files: PackageFile[] = [];
  const folders = [packagePath];
  for (const folder of folders) {
    for (const entry of await readdir(path.join(root, folder), { withFileTypes: true })) {
      const entryPath = `${folder}/${entry.name}`;
      if (entry.isDirectory()) {
        if (entry.name !== 'node_modules') folders.push(entryPath);
      } else if (entry.isFile())
        files.push({
          path: `${packagesFolder}${entryPath.slice('node_modules/'.length)}`,
          source: path.join(root, entryPath),
        });
    }
  }
  return files;
}
