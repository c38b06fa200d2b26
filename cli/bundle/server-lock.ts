import { findReachablePackages, readLockedPackages } from './locked-packages.ts';
import type { ServerManifest } from './server-manifest.ts';

/** Fields that describe how the project depends on a package. */
const dependentFields = new Set(['dev', 'devOptional', 'optional', 'peer']);

/**
 * The `package-lock.json` next to `server.mjs`. It has the versions and integrity hashes of the project's lock file for
 * the packages of the server on every platform. `npm ci --omit=dev` installs from it.
 */
export function createServerLock(root: string, manifest: ServerManifest): object {
  const { name, version, engines, dependencies } = manifest;
  const lockedPackages = readLockedPackages(root);
  const packages = [...findReachablePackages(lockedPackages, Object.keys(dependencies))].map(([packagePath, need]) => {
    const fields = Object.entries(lockedPackages.get(packagePath) ?? {}).filter(
      ([field]) => !dependentFields.has(field),
    );
    const flags = { ...(need.required ? {} : { optional: true }), ...(need.asDependency ? {} : { peer: true }) };
    return [packagePath, { ...Object.fromEntries(fields), ...flags }] as const;
  });
  return {
    name,
    version,
    lockfileVersion: 3,
    requires: true,
    packages: { '': { name, version, dependencies, engines }, ...Object.fromEntries(packages) },
  };
}
