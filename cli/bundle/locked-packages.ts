import { readFileSync } from 'node:fs';
import path from 'node:path';

/** A package in an npm lock file (`lockfileVersion` 3). Further fields are copied unchanged. */
export interface LockedPackage {
  readonly version: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

/** By path, such as `node_modules/pg/node_modules/split2`; the project itself is `''`. */
export type LockedPackages = ReadonlyMap<string, LockedPackage>;

export function readLockedPackages(root: string): LockedPackages {
  const { packages } = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, LockedPackage>;
  };
  return new Map(Object.entries(packages));
}

/**
 * How the named packages need a package. `required`: a chain without optional dependencies leads to it. `asDependency`:
 * a chain without peer dependencies leads to it.
 */
export interface PackageNeed {
  readonly required: boolean;
  readonly asDependency: boolean;
}

interface Edge {
  readonly name: string;
  readonly optional: boolean;
  readonly peer: boolean;
}

/**
 * Finds the named packages and all packages that they need, by the path at which Node finds each.
 *
 * @param isUsable returns false for a package to leave out, such as one for another platform
 * @throws Error if a required package is missing in the lock file
 */
export function findReachablePackages(
  lockedPackages: LockedPackages,
  names: readonly string[],
  isUsable: (lockedPackage: LockedPackage) => boolean = () => true,
): ReadonlyMap<string, PackageNeed> {
  const reachable = new Map<string, PackageNeed>();
  const visit = (dependentPath: string, { name, optional, peer }: Edge, parentNeed: PackageNeed): void => {
    const packagePath = findPackagePath(lockedPackages, dependentPath, name);
    const lockedPackage = packagePath === undefined ? undefined : lockedPackages.get(packagePath);
    if (packagePath === undefined || !lockedPackage) {
      if (optional || peer) return;
      throw new Error(
        `package-lock.json does not list '${name}', which ${dependentPath === '' ? 'the server' : dependentPath} needs.`,
      );
    }
    if (!isUsable(lockedPackage)) return;
    const previousNeed = reachable.get(packagePath);
    const required = parentNeed.required && !optional;
    const asDependency = parentNeed.asDependency && !peer;
    const mergedNeed = {
      required: required || (previousNeed?.required ?? false),
      asDependency: asDependency || (previousNeed?.asDependency ?? false),
    };
    if (
      previousNeed &&
      previousNeed.required === mergedNeed.required &&
      previousNeed.asDependency === mergedNeed.asDependency
    )
      return;
    reachable.set(packagePath, mergedNeed);
    for (const edge of toEdges(lockedPackage)) visit(packagePath, edge, mergedNeed);
  };
  for (const name of names) visit('', { name, optional: false, peer: false }, { required: true, asDependency: true });
  return new Map([...reachable].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The dependencies and required peers of a package. */
function toEdges(lockedPackage: LockedPackage): readonly Edge[] {
  const optional = Object.keys(lockedPackage.optionalDependencies ?? {});
  const peers = Object.keys(lockedPackage.peerDependencies ?? {}).filter(
    (name) => lockedPackage.peerDependenciesMeta?.[name]?.optional !== true,
  );
  return [
    ...Object.keys(lockedPackage.dependencies ?? {})
      .filter((name) => !optional.includes(name))
      .map((name) => ({ name, optional: false, peer: false })),
    ...optional.map((name) => ({ name, optional: true, peer: false })),
    ...peers.map((name) => ({ name, optional: false, peer: true })),
  ];
}

/** Node looks in the dependent's own packages first, then one level up at a time. */
function findPackagePath(lockedPackages: LockedPackages, dependentPath: string, name: string): string | undefined {
  for (let folder = dependentPath; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('node_modules/') - 1))) {
    const packagePath = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    if (lockedPackages.has(packagePath)) return packagePath;
    if (folder === '') return undefined;
  }
}
