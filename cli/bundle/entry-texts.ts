import path from 'node:path';
import type { KnownPlugin, ResolvedProfile } from '../profile/resolved-profile.ts';
import type { BuildContext } from './build-context.ts';

/** The entry of the app: each enabled web half with its settings and its bridges to enabled partners. */
export function createAppEntry({ resolvedProfile, core, entriesFolder }: BuildContext): string {
  const imports: string[] = [];
  const pluginLines: string[] = [];
  for (const plugin of listEnabledPlugins(resolvedProfile).filter(({ web }) => web)) {
    const { id } = plugin.manifest;
    imports.push(formatImport(toVariableName(id), entriesFolder, path.join(plugin.folder, 'web', 'index.ts')));
    const bridges = findPartners(resolvedProfile, plugin, plugin.webBridges).map((partner) => {
      imports.push(
        formatImport(
          toBridgeName(id, partner),
          entriesFolder,
          path.join(plugin.folder, 'web', 'bridges', `${partner}.ts`),
        ),
      );
      return toBridgeName(id, partner);
    });
    pluginLines.push(
      `  { id: ${formatLiteral(id)}, settings: ${formatLiteral(resolvedProfile.settings[id] ?? {})}, web: ${toVariableName(id)}, bridges: ` +
        `[${bridges.join(', ')}] },`,
    );
  }
  return formatEntry(resolvedProfile, [
    formatImport('{ start }', entriesFolder, core.app),
    ...imports,
    '',
    `start(${formatLiteral(resolvedProfile.product)}, [`,
    ...pluginLines,
    ']);',
  ]);
}

export function createSignInEntry({ resolvedProfile, core, entriesFolder }: BuildContext): string {
  return formatEntry(resolvedProfile, [
    formatImport('{ startSignIn }', entriesFolder, core.signIn),
    '',
    `startSignIn(${formatLiteral(resolvedProfile.product)});`,
  ]);
}

/** The entry that renders the sign-in page at build time. */
export function createPrerenderEntry({ resolvedProfile, core, entriesFolder }: BuildContext): string {
  return formatEntry(resolvedProfile, [
    formatImport('{ renderSignIn }', entriesFolder, core.prerender),
    '',
    `export const render = () => renderSignIn(${formatLiteral(resolvedProfile.product)});`,
  ]);
}

/** The entry of the server. It has all enabled plugins, because one without a server half may declare access flags. */
export function createServerEntry({ resolvedProfile, core, entriesFolder }: BuildContext): string {
  const imports: string[] = [];
  const plugins: string[] = [];
  const bridges: string[] = [];
  for (const plugin of listEnabledPlugins(resolvedProfile)) {
    const { id } = plugin.manifest;
    imports.push(formatImport(`${toVariableName(id)}Manifest`, entriesFolder, path.join(plugin.folder, 'plugin.ts')));
    if (plugin.server)
      imports.push(formatImport(toVariableName(id), entriesFolder, path.join(plugin.folder, 'server', 'index.ts')));
    plugins.push(
      `  enabledPlugin(${[`${toVariableName(id)}Manifest`, formatLiteral(resolvedProfile.settings[id] ?? {}), ...(plugin.server ? [toVariableName(id)] : [])].join(', ')}),`,
    );
    for (const partner of findPartners(resolvedProfile, plugin, plugin.serverBridges)) {
      imports.push(
        formatImport(
          toBridgeName(id, partner),
          entriesFolder,
          path.join(plugin.folder, 'server', 'bridges', `${partner}.ts`),
        ),
      );
      bridges.push(
        `  { owner: ${formatLiteral(id)}, partner: ${formatLiteral(partner)}, bridge: ${toBridgeName(id, partner)} },`,
      );
    }
  }
  return formatEntry(resolvedProfile, [
    "import { realpathSync } from 'node:fs';",
    "import { fileURLToPath } from 'node:url';",
    formatImport(
      '{ backupServer, checkServer, dropServer, enabledPlugin, exampleServer, exportServer, importServer, ' +
        'migrateServer, resetSecondFactorServer, restoreServer, runProgram, seedServer, startServer }',
      entriesFolder,
      core.server,
    ),
    ...imports,
    '',
    `const product = ${formatLiteral(resolvedProfile.product)};`,
    `const plugins = [`,
    ...plugins,
    '];',
    'const bridges = [',
    ...bridges,
    '];',
    "const bundleFolder = fileURLToPath(new URL('../web', import.meta.url));",
    '',
    '/** The content of the product, and its commands. */',
    'export const content = { product, plugins, bridges, bundleFolder };',
    'export const serve = (environment, options) => startServer(content, environment, options);',
    'export const migrate = (environment) => migrateServer(content, environment);',
    'export const check = (environment) => checkServer(content, environment);',
    'export const exportSite = (options, environment) => exportServer(content, options, environment);',
    'export const writeExamples = (options, environment) => exampleServer(content, options, environment);',
    'export const importSite = (options, environment) => importServer(content, options, environment);',
    'export const backup = (file, environment) => backupServer(content, file, environment);',
    'export const restore = (file, environment) => restoreServer(content, file, environment);',
    'export const drop = (plugin, options, environment) => dropServer(content, plugin, options, environment);',
    'export const resetSecondFactor = (email, environment) => resetSecondFactorServer(content, email, environment);',
    'export const seed = (plant, environment) => seedServer(content, plant, environment);',
    '',
    '// Runs a command if Node was started with this file: `node server.mjs`.',
    'if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === ' +
      'realpathSync(fileURLToPath(import.meta.url))) {',
    '  const commands = { serve, migrate, check, exportSite, importSite, backup, restore, drop, resetSecondFactor };',
    '  const code = await runProgram(process.argv.slice(2), commands);',
    '  if (code !== undefined) process.exit(code);',
    '}',
  ]);
}

function formatEntry({ name }: Pick<ResolvedProfile, 'name'>, lines: readonly string[]): string {
  return `// Generated from the profile '${name}' by walkdown. Do not edit.\n${lines.join('\n')}\n`;
}

function listEnabledPlugins(resolvedProfile: ResolvedProfile): readonly KnownPlugin[] {
  return resolvedProfile.enabled.flatMap((id) => resolvedProfile.plugins.get(id) ?? []);
}

/** The enabled partners to which a plugin has a bridge. */
function findPartners(
  resolvedProfile: ResolvedProfile,
  { manifest }: KnownPlugin,
  bridges: readonly string[],
): readonly string[] {
  return resolvedProfile.bridges
    .filter(([owner, partner]) => owner === manifest.id && bridges.includes(partner))
    .map(([, partner]) => partner);
}

function formatImport(importClause: string, folder: string, file: string): string {
  const relative = path.relative(folder, file).split(path.sep).join('/');
  return `import ${importClause} from '${relative.startsWith('.') ? relative : `./${relative}`}';`;
}

/** JSON is valid JavaScript. */
function formatLiteral(value: unknown): string {
  return JSON.stringify(value);
}

/** The suffix avoids reserved words. */
function toVariableName(id: string): string {
  return `${id.replaceAll(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())}Plugin`;
}

function toBridgeName(owner: string, partner: string): string {
  return `${toVariableName(owner)}To_${toVariableName(partner)}`;
}
