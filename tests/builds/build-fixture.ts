import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buildProduct, type BuildReport, type BuildRequest } from '../../cli/bundle/build-product.ts';
import type { CoreEntryPoints } from '../../cli/bundle/core-entry-points.ts';
import { loadPlugins } from '../../cli/profile/load-plugins.ts';
import { resolveProfile } from '../../cli/profile/resolve-profile.ts';
import type { ResolvedProfile } from '../../cli/profile/resolved-profile.ts';

const project = path.resolve(import.meta.dirname, '..', '..');
const fixtures = path.join('tests', 'builds', 'fixtures');

/** Entry points of a tiny app shell. With them tests build in a second and do not depend on core's screens. */
export function createFixtureShell(root: string = project): CoreEntryPoints {
  const toPath = (name: string) => path.join(root, fixtures, 'app-shell', name);
  return {
    app: toPath('app.tsx'),
    signIn: toPath('sign-in.tsx'),
    prerender: toPath('prerender.tsx'),
    server: toPath('server.ts'),
    verifier: path.join(root, 'core', 'server', 'product', 'verify-main.ts'),
    baseCss: toPath('base.css'),
    serviceWorker: path.join(root, 'core', 'web', 'worker', 'service-worker.ts'),
  };
}

export type FixtureProfile = 'fixture-both' | 'fixture-alpha' | 'fixture-none';

export async function resolveFixture(
  name: FixtureProfile,
  {
    root = project,
    extraPluginFolders = [],
  }: { readonly root?: string; readonly extraPluginFolders?: readonly string[] } = {},
): Promise<ResolvedProfile> {
  const folders = [path.join(root, fixtures, 'plugins'), path.join(root, fixtures, 'stand-ins'), ...extraPluginFolders];
  return resolveProfile(root, path.join(root, fixtures, 'profiles', `${name}.json`), await loadPlugins(root, folders));
}

/** Creates a folder in `.generated`, so that parallel builds do not overwrite each other's entries. */
export async function createGeneratedFolder(root: string = project): Promise<string> {
  await mkdir(path.join(root, '.generated'), { recursive: true });
  return mkdtemp(path.join(root, '.generated', 'test-'));
}

/** Builds the product of a fixture profile into a new folder, which `remove` deletes. */
export async function buildFixture(
  name: FixtureProfile,
  {
    root = project,
    extraPluginFolders = [],
    ...request
  }: Partial<BuildRequest> & { readonly extraPluginFolders?: readonly string[] } = {},
): Promise<BuildReport & { readonly remove: () => Promise<void> }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'walkdown-build-'));
  const entriesFolder = request.entriesFolder ?? (await createGeneratedFolder(root));
  const remove = async () => {
    await rm(folder, { recursive: true, force: true });
    await rm(entriesFolder, { recursive: true, force: true });
  };
  const out = path.join(folder, 'product');
  try {
    const resolvedProfile = await resolveFixture(name, { root, extraPluginFolders });
    return {
      ...(await buildProduct({
        root,
        resolvedProfile,
        out,
        core: createFixtureShell(root),
        compress: false,
        ...request,
        entriesFolder,
      })),
      remove,
    };
  } catch (error) {
    await remove();
    throw error;
  }
}
