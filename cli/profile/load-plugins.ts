import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'esbuild';
import { describePluginIdProblem, type PluginManifest } from '#core';
import { CliError, exitCodes, type Problem } from '../cli-error.ts';
import type { KnownPlugin } from './resolved-profile.ts';

/**
 * Reads the manifest of each plugin. Every folder in `pluginsFolders` with a `plugin.ts` is a plugin.
 *
 * @param root absolute path of the project, from where manifests resolve `#core`
 * @throws CliError if a manifest cannot be read, its id is not its folder's name, or two folders have the same name
 */
export async function loadPlugins(
  root: string,
  pluginsFolders: readonly string[] = [path.join(root, 'plugins')],
): Promise<ReadonlyMap<string, KnownPlugin>> {
  const folders = (await Promise.all(pluginsFolders.map(findPluginFolders))).flat();
  const manifests = await importManifests(root, folders);
  const plugins = new Map<string, KnownPlugin>();
  const problems: Problem[] = [];
  for (const folder of folders) {
    const id = path.basename(folder);
    const manifest = manifests.get(folder);
    const file = path.relative(root, path.join(folder, 'plugin.ts'));
    const idProblem = describePluginIdProblem(id);
    if (!manifest)
      problems.push({
        file,
        cause: 'The manifest has no default export.',
        remedy: 'Export `definePlugin({...})` as default.',
      });
    else if (manifest.id !== id)
      problems.push({
        file,
        cause: `The id '${manifest.id}' is not the folder's name '${id}'.`,
        remedy: 'Make them the same.',
      });
    else if (idProblem !== undefined)
      problems.push({ file, cause: idProblem, remedy: 'Rename the folder and the id.' });
    else if (plugins.has(id)) problems.push({ file, cause: `Two plugins are called '${id}'.`, remedy: 'Rename one.' });
    else plugins.set(id, await describePlugin(folder, manifest));
  }
  if (problems.length > 0) throw new CliError(exitCodes.buildFailed, problems);
  return new Map([...plugins].sort(([a], [b]) => (a < b ? -1 : 1)));
}

async function findPluginFolders(pluginsFolder: string): Promise<string[]> {
  const entries = await readdir(pluginsFolder, { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory()).map((entry) => path.join(pluginsFolder, entry.name));
  const pluginFolders = await Promise.all(
    folders.map(async (folder) => ((await readdir(folder)).includes('plugin.ts') ? [folder] : [])),
  );
  return pluginFolders.flat().sort();
}

async function importManifests(root: string, folders: readonly string[]): Promise<Map<string, PluginManifest>> {
  if (folders.length === 0) return new Map();
  const imports = folders.map(
    (folder, index) => `import * as plugin${index} from ${JSON.stringify(path.join(folder, 'plugin.ts'))};`,
  );
  const manifestList = folders.map((_, index) => `plugin${index}.default`).join(', ');
  const bundle = await build({
    stdin: { contents: `${imports.join('\n')}\nexport default [${manifestList}];`, resolveDir: root, loader: 'ts' },
    absWorkingDir: root,
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    tsconfigRaw: {},
    logLevel: 'silent',
  }).catch((cause: unknown) => {
    throw new CliError(
      exitCodes.buildFailed,
      [{ cause: `A plugin's manifest cannot be read: ${cause instanceof Error ? cause.message : String(cause)}` }],
      { cause },
    );
  });
  const code = bundle.outputFiles[0]?.text ?? '';
  const module = (await import(`data:text/javascript;base64,${Buffer.from(code).toString('base64')}`)) as {
    default: readonly (PluginManifest | undefined)[];
  };
  return new Map(
    folders.flatMap((folder, index) => (module.default[index] ? [[folder, module.default[index]] as const] : [])),
  );
}

async function describePlugin(folder: string, manifest: PluginManifest): Promise<KnownPlugin> {
  const [web, server, webBridges, serverBridges] = await Promise.all([
    listModuleNames(path.join(folder, 'web')),
    listModuleNames(path.join(folder, 'server')),
    listModuleNames(path.join(folder, 'web', 'bridges')),
    listModuleNames(path.join(folder, 'server', 'bridges')),
  ]);
  return {
    manifest,
    folder,
    web: web.includes('index'),
    server: server.includes('index'),
    webBridges: webBridges.filter((name) => manifest.bridges.includes(name)),
    serverBridges: serverBridges.filter((name) => manifest.bridges.includes(name)),
  };
}

async function listModuleNames(folder: string): Promise<string[]> {
  const entries = await readdir(folder).catch(() => []);
  return entries
    .filter((name) => /(?<!\.test)\.tsx?$/.test(name))
    .map((name) => name.replace(/\.tsx?$/, ''))
    .sort();
}
