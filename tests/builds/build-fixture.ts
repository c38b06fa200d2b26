import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buildProduct, type BuildReport, type BuildRequest } from '../../cli/bundle/build-product.ts';
import type { Frame } from '../../cli/bundle/frame.ts';
import { loadPlugins } from '../../cli/profile/load-plugins.ts';
import { resolveProfile } from '../../cli/profile/resolve-profile.ts';
import type { ResolvedProfile } from '../../cli/profile/resolved-profile.ts';

const project = path.resolve(import.meta.dirname, '..', '..');
const fixtures = path.join('tests', 'builds', 'fixtures');

/** A tiny frame instead of core's: tests build in a second and fail only if the build fails. */
export function fixtureFrame(root: string = project): Frame {
  const file = (name: string) => path.join(root, fixtures, 'frame', name);
  return {
    app: file('app.tsx'),
    signIn: file('sign-in.tsx'),
    prerender: file('prerender.tsx'),
    server: file('server.ts'),
    verifier: path.join(root, 'core', 'server', 'product', 'verify-main.ts'),
    baseCss: file('base.css'),
    serviceWorker: path.join(root, 'core', 'web', 'worker', 'service-worker.ts'),
  };
}

export type FixtureProfile = 'fixture-both' | 'fixture-alpha' | 'fixture-none';

export async function resolveFixture(
  name: FixtureProfile,
  { root = project, more = [] }: { readonly root?: string; readonly more?: readonly string[] } = {},
): Promise<ResolvedProfile> {
  const folders = [path.join(root, fixtures, 'plugins'), path.join(root, fixtures, 'stand-ins'), ...more];
  return resolveProfile(root, path.join(root, fixtures, 'profiles', `${name}.json`), await loadPlugins(root, folders));
}

/** A new folder in `.generated`, so that parallel builds do not overwrite each other's entries. */
export async function generatedFolder(root: string = project): Promise<string> {
  await mkdir(path.join(root, '.generated'), { recursive: true });
  return mkdtemp(path.join(root, '.generated', 'test-'));
}

/** Builds a fixture's profile into a new folder, which `remove` deletes. */
export async function buildFixture(
  name: FixtureProfile,
  { root = project, more = [], ...request }: Partial<BuildRequest> & { readonly more?: readonly string[] } = {},
): Promise<BuildReport & { readonly remove: () => Promise<void> }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'walkdown-build-'));
  const generated = request.generated ?? (await generatedFolder(root));
  const remove = async () => {
    await rm(folder, { recursive: true, force: true });
    await rm(generated, { recursive: true, force: true });
  };
  const out = path.join(folder, 'product');
  try {
    const resolved = await resolveFixture(name, { root, more });
    return {
      ...(await buildProduct({
        root,
        resolved,
        out,
        frame: fixtureFrame(root),
        compress: false,
        ...request,
        generated,
      })),
      remove,
    };
  } catch (error) {
    await remove();
    throw error;
  }
}
