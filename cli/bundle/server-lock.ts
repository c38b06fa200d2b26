import { reachablePackages, readLockedPackages } from './locked-packages.ts';
import type { ServerManifest } from './server-manifest.ts';

/** Fields of a lock file that depend on the dependent. */
const relative = new Set(['dev', 'devOptional', 'optional', 'peer']);

/**
 * The `package-lock.json` next to `server.mjs`: versions and integrity hashes of the project's lock file, only for what
 * the server needs, for every platform. `npm ci --omit=dev` installs from it.
 */
export function createServerLock(root: string, manifest: ServerManifest): object {
  const { name, version, engines, dependencies } = manifest;
  const locked = readLockedPackages(root);
  const packages = [...reachablePackages(locked, Object.keys(dependencies))].map(([place, reach]) => {
    const fields = Object.entries(locked.get(place) ?? {}).filter(([field]) => !relative.has(field));
    const flags = { ...(reach.required ? {} : { optional: true }), ...(reach.asDependency ? {} : { peer: true }) };
    return [place, { ...Object.fromEntries(fields), ...flags }] as const;
  });
  return {
    name,
    version,
    lockfileVersion: 3,
    requires: true,
    packages: { '': { name, version, dependencies, engines }, ...Object.fromEntries(packages) },
  };
}
