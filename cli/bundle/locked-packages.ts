import { readFileSync } from 'node:fs';
import path from 'node:path';

/** A package in an npm lock file (`lockfileVersion` 3). Other fields are preserved. */
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

/** By place, such as `node_modules/pg/node_modules/split2`; the project itself is `''`. */
export type LockedPackages = ReadonlyMap<string, LockedPackage>;

export function readLockedPackages(root: string): LockedPackages {
  const { packages } = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, LockedPackage>;
  };
  return new Map(Object.entries(packages));
}

/** How a package is reached: whether it is required, and whether it is a direct dependency. */
export interface Reach {
  readonly required: boolean;
  readonly asDependency: boolean;
}

interface Edge {
  readonly name: string;
  readonly optional: boolean;
  readonly peer: boolean;
}

/**
 * The packages that these ones need, including themselves, each at the place where Node finds it.
 *
 * @param isUsable false omits a package and its exclusive dependencies, such as for another platform
 * @throws Error if a required package is missing in the lock file
 */
export function reachablePackages(
  locked: LockedPackages,
  names: readonly string[],
  isUsable: (found: LockedPackage) => boolean = () => true,
): ReadonlyMap<string, Reach> {
  const reached = new Map<string, Reach>();
  const visit = (from: string, { name, optional, peer }: Edge, before: Reach): void => {
    const place = findPlace(locked, from, name);
    const found = place === undefined ? undefined : locked.get(place);
    if (place === undefined || !found) {
      if (optional || peer) return;
      throw new Error(`package-lock.json does not list '${name}', which ${from === '' ? 'the server' : from} needs.`);
    }
    if (!isUsable(found)) return;
    const known = reached.get(place);
    const required = before.required && !optional;
    const asDependency = before.asDependency && !peer;
    const merged = {
      required: required || (known?.required ?? false),
      asDependency: asDependency || (known?.asDependency ?? false),
    };
    if (known && known.required === merged.required && known.asDependency === merged.asDependency) return;
    reached.set(place, merged);
    for (const edge of toEdges(found)) visit(place, edge, merged);
  };
  for (const name of names) visit('', { name, optional: false, peer: false }, { required: true, asDependency: true });
  return new Map([...reached].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The dependencies of a package, without optional peers. */
function toEdges(found: LockedPackage): readonly Edge[] {
  const optional = Object.keys(found.optionalDependencies ?? {});
  const peers = Object.keys(found.peerDependencies ?? {}).filter(
    (name) => found.peerDependenciesMeta?.[name]?.optional !== true,
  );
  return [
    ...Object.keys(found.dependencies ?? {})
      .filter((name) => !optional.includes(name))
      .map((name) => ({ name, optional: false, peer: false })),
    ...optional.map((name) => ({ name, optional: true, peer: false })),
    ...peers.map((name) => ({ name, optional: false, peer: true })),
  ];
}

/** Node looks in the dependent's own packages first, then one level up at a time. */
function findPlace(locked: LockedPackages, from: string, name: string): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('node_modules/') - 1))) {
    const place = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    if (locked.has(place)) return place;
    if (folder === '') return undefined;
  }
}
