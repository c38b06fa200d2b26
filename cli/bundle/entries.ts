import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { BuildContext } from './build-context.ts';

/** The generated entries of one profile, as absolute paths. */
export interface Entries {
  readonly app: string;
  readonly signIn: string;
  readonly prerender: string;
  readonly server: string;
}

/** Writes the entries, by default into `.generated/<profile>/`: they import the halves of the plugins that are on, the bridges whose two ends are on, and nothing else. */
export async function writeEntries(context: BuildContext): Promise<Entries> {
  const folder = context.generated;
  const texts = { app: appEntry(context, folder), signIn: signInEntry(context, folder), prerender: prerenderEntry(context, folder), server: serverEntry(context, folder) };
  await mkdir(folder, { recursive: true });
  const write = async (name: string, text: string) => {
    const file = path.join(folder, name);
    // Left alone where nothing changed, so that a watcher does not wake.
    if ((await readFile(file, 'utf8').catch(() => undefined)) !== text) await writeFile(file, text);
    return file;
  };
  const [app, signIn, prerender, server] = await Promise.all([
    write('app.entry.ts', texts.app),
    write('sign-in.entry.ts', texts.signIn),
    write('prerender.entry.ts', texts.prerender),
    write('server.entry.ts', texts.server),
  ]);
  return { app, signIn, prerender, server };
}

type Half = 'web' | 'server';

function appEntry({ resolved, frame }: BuildContext, folder: string): string {
  const halves = halvesOf(resolved, 'web', folder);
  return module(resolved.name, [
    importOf('{ start }', folder, frame.app),
    ...halves.imports,
    '',
    `start(${literal(resolved.product)}, [`,
    ...halves.plugins,
    ']);',
  ]);
}

function signInEntry({ resolved, frame }: BuildContext, folder: string): string {
  return module(resolved.name, [importOf('{ startSignIn }', folder, frame.signIn), '', `startSignIn(${literal(resolved.product)});`]);
}

function prerenderEntry({ resolved, frame }: BuildContext, folder: string): string {
  return module(resolved.name, [importOf('{ renderSignIn }', folder, frame.prerender), '', `export const render = () => renderSignIn(${literal(resolved.product)});`]);
}

function serverEntry({ resolved, frame }: BuildContext, folder: string): string {
  const halves = halvesOf(resolved, 'server', folder);
  return module(resolved.name, [
    importOf('{ openProduct }', folder, frame.server),
    ...halves.imports,
    '',
    `/** The product's server, with the plugins that the profile '${resolved.name}' switches on. */`,
    `export const product = openProduct(${literal(resolved.product)}, [`,
    ...halves.plugins,
    ']);',
  ]);
}

/** Import lines and table rows of the plugins that are on and have this half. A plugin without it has a row without code where it has a half elsewhere. */
function halvesOf(resolved: BuildContext['resolved'], half: Half, folder: string): { readonly imports: readonly string[]; readonly plugins: readonly string[] } {
  const imports: string[] = [];
  const plugins: string[] = [];
  for (const id of resolved.enabled) {
    const plugin = resolved.plugins.get(id);
    if (!plugin?.[half]) continue;
    const name = `${camel(id)}Plugin`;
    imports.push(importOf(name, folder, path.join(plugin.folder, half, 'index.ts')));
    const known = half === 'web' ? plugin.webBridges : plugin.serverBridges;
    const partners = resolved.bridges.filter(([owner, partner]) => owner === id && known.includes(partner)).map(([, partner]) => partner);
    const bridges = partners.map((partner) => `${camel(id)}To${pascal(partner)}`);
    partners.forEach((partner, index) => imports.push(importOf(bridges[index] ?? '', folder, path.join(plugin.folder, half, 'bridges', `${partner}.ts`))));
    plugins.push(`  { id: ${literal(id)}, settings: ${literal(resolved.settings[id] ?? {})}, ${half}: ${name}, bridges: [${bridges.join(', ')}] },`);
  }
  return { imports, plugins };
}

function module(profile: string, lines: readonly string[]): string {
  return `// Generated from the profile '${profile}' by walkdown. Not to be edited.\n${lines.join('\n')}\n`;
}

function importOf(what: string, folder: string, file: string): string {
  const relative = path.relative(folder, file).split(path.sep).join('/');
  return `import ${what} from '${relative.startsWith('.') ? relative : `./${relative}`}';`;
}

/** JSON is JavaScript. Keys stay in the order of the profile's schema. */
function literal(value: unknown): string {
  return JSON.stringify(value);
}

function camel(id: string): string {
  return id.replaceAll(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

function pascal(id: string): string {
  const name = camel(id);
  return name.charAt(0).toUpperCase() + name.slice(1);
}
