import path from 'node:path';
import type { KnownPlugin, ResolvedProfile } from '../profile/resolved-profile.ts';
import type { BuildContext } from './build-context.ts';

/** The app: every enabled web half, with its settings and its bridges to enabled partners. */
export function appEntry({ resolved, frame, generated }: BuildContext): string {
  const imports: string[] = [];
  const rows: string[] = [];
  for (const plugin of enabledPlugins(resolved).filter(({ web }) => web)) {
    const { id } = plugin.manifest;
    imports.push(formatImport(camel(id), generated, path.join(plugin.folder, 'web', 'index.ts')));
    const bridges = findPartners(resolved, plugin, plugin.webBridges).map((partner) => {
      imports.push(
        formatImport(bridgeName(id, partner), generated, path.join(plugin.folder, 'web', 'bridges', `${partner}.ts`)),
      );
      return bridgeName(id, partner);
    });
    rows.push(
      `  { id: ${json(id)}, settings: ${json(resolved.settings[id] ?? {})}, web: ${camel(id)}, bridges: ` +
        `[${bridges.join(', ')}] },`,
    );
  }
  return entry(resolved, [
    formatImport('{ start }', generated, frame.app),
    ...imports,
    '',
    `start(${json(resolved.product)}, [`,
    ...rows,
    ']);',
  ]);
}

export function signInEntry({ resolved, frame, generated }: BuildContext): string {
  return entry(resolved, [
    formatImport('{ startSignIn }', generated, frame.signIn),
    '',
    `startSignIn(${json(resolved.product)});`,
  ]);
}

/** Run at build time: the pages' content before any script is loaded. */
export function prerenderEntry({ resolved, frame, generated }: BuildContext): string {
  return entry(resolved, [
    formatImport('{ renderSignIn }', generated, frame.prerender),
    '',
    `export const render = () => renderSignIn(${json(resolved.product)});`,
  ]);
}

/** The server: every enabled plugin, also without a server half, for its access flags. */
export function serverEntry({ resolved, frame, generated }: BuildContext): string {
  const imports: string[] = [];
  const plugins: string[] = [];
  const bridges: string[] = [];
  for (const plugin of enabledPlugins(resolved)) {
    const { id } = plugin.manifest;
    imports.push(formatImport(`${camel(id)}Manifest`, generated, path.join(plugin.folder, 'plugin.ts')));
    if (plugin.server) imports.push(formatImport(camel(id), generated, path.join(plugin.folder, 'server', 'index.ts')));
    plugins.push(
      `  enabledPlugin(${[`${camel(id)}Manifest`, json(resolved.settings[id] ?? {}), ...(plugin.server ? [camel(id)] : [])].join(', ')}),`,
    );
    for (const partner of findPartners(resolved, plugin, plugin.serverBridges)) {
      imports.push(
        formatImport(
          bridgeName(id, partner),
          generated,
          path.join(plugin.folder, 'server', 'bridges', `${partner}.ts`),
        ),
      );
      bridges.push(`  { owner: ${json(id)}, partner: ${json(partner)}, bridge: ${bridgeName(id, partner)} },`);
    }
  }
  return entry(resolved, [
    "import { realpathSync } from 'node:fs';",
    "import { fileURLToPath } from 'node:url';",
    formatImport(
      '{ backupServer, dropServer, enabledPlugin, migrateServer, restoreServer, runProgram, seedServer, startServer }',
      generated,
      frame.server,
    ),
    ...imports,
    '',
    `const product = ${json(resolved.product)};`,
    `const plugins = [`,
    ...plugins,
    '];',
    'const bridges = [',
    ...bridges,
    '];',
    "const bundleFolder = fileURLToPath(new URL('../web', import.meta.url));",
    '',
    '/** What the profile makes of the server, and what can be done with it. */',
    'export const content = { product, plugins, bridges, bundleFolder };',
    'export const serve = (environment, options) => startServer(content, environment, options);',
    'export const migrate = (environment) => migrateServer(content, environment);',
    'export const backup = (file, environment) => backupServer(content, file, environment);',
    'export const restore = (file, environment) => restoreServer(content, file, environment);',
    'export const drop = (plugin, options, environment) => dropServer(content, plugin, options, environment);',
    'export const seed = (plant, environment) => seedServer(content, plant, environment);',
    '',
    '// Run by itself: `node server.mjs`.',
    'if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === ' +
      'realpathSync(fileURLToPath(import.meta.url))) {',
    '  const code = await runProgram(process.argv.slice(2), { serve, migrate, backup, restore, drop });',
    '  if (code !== undefined) process.exit(code);',
    '}',
  ]);
}

function entry({ name }: Pick<ResolvedProfile, 'name'>, lines: readonly string[]): string {
  return `// Generated from the profile '${name}' by walkdown. Not to be edited.\n${lines.join('\n')}\n`;
}

function enabledPlugins(resolved: ResolvedProfile): readonly KnownPlugin[] {
  return resolved.enabled.flatMap((id) => resolved.plugins.get(id) ?? []);
}

/** The enabled partners to which a plugin has a bridge. */
function findPartners(
  resolved: ResolvedProfile,
  { manifest }: KnownPlugin,
  bridges: readonly string[],
): readonly string[] {
  return resolved.bridges
    .filter(([owner, partner]) => owner === manifest.id && bridges.includes(partner))
    .map(([, partner]) => partner);
}

function formatImport(what: string, folder: string, file: string): string {
  const relative = path.relative(folder, file).split(path.sep).join('/');
  return `import ${what} from '${relative.startsWith('.') ? relative : `./${relative}`}';`;
}

/** JSON is valid JavaScript. */
function json(value: unknown): string {
  return JSON.stringify(value);
}

/** The suffix prevents reserved words. */
function camel(id: string): string {
  return `${id.replaceAll(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())}Plugin`;
}

function bridgeName(owner: string, partner: string): string {
  return `${camel(owner)}To_${camel(partner)}`;
}
