import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { ResolvedProfile } from '../profile/resolved-profile.ts';

export interface ServerManifest {
  readonly name: string;
  readonly version: string;
  readonly engines: unknown;
  readonly dependencies: Readonly<Record<string, string>>;
}

/**
 * The `package.json` next to `server.mjs`: `npm ci --omit=dev` there makes the product self-contained, with the
 * versions that it was built with.
 */
export function createServerManifest(
  root: string,
  { name, product }: Pick<ResolvedProfile, 'name' | 'product'>,
  packages: readonly string[],
): ServerManifest & { readonly [field: string]: unknown } {
  const { engines, overrides, dependencies } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
    engines: unknown;
    overrides: unknown;
    dependencies: Record<string, string>;
  };
  const getVersion = (dependency: string) => {
    const version = dependencies[dependency];
    if (version === undefined)
      throw new Error(
        `The server imports the package '${dependency}', which package.json does not list under "dependencies".`,
      );
    return version;
  };
  return {
    name: `walkdown-${name}`,
    version: product.version,
    private: true,
    type: 'module',
    main: './server.mjs',
    engines,
    dependencies: Object.fromEntries(packages.map((dependency) => [dependency, getVersion(dependency)])),
    overrides,
  };
}
