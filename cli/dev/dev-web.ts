import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { Plugin } from 'esbuild';
import { basePath } from '#core';
import type { BuildContext } from '../bundle/build-context.ts';
import { compiledMessages } from '../bundle/compiled-messages.ts';
import type { Entries } from '../bundle/entries.ts';
import { styleModules } from '../bundle/style-modules.ts';
import { createBrowserOptions, browserTargets } from '../bundle/web-bundle.ts';
import { DevBundle, type DevOutput } from './dev-bundle.ts';

/** Scripts of core by the names under which plugins import values. */
const coreScriptNames = {
  '#core': 'common',
  '#core/web': 'web',
  '#core/ui': 'ui',
  '#core/ui-data': 'ui-data',
} as const;
const scriptsFolder = 'static/js';

/** A separately bundled part of the browser code. */
interface WebPart {
  /** The folder of the part's scripts in `static/js`; empty for the pages' entries. */
  readonly name: string;
  /** Absolute paths by script name. */
  readonly entryPoints: Record<string, string>;
}

interface OpenPart {
  readonly bundle: DevBundle;
  /** The last successful result. */
  output?: DevOutput;
}

/**
 * The code of both pages in separate bundles that import each other by URL: core, each plugin, and the pages' entries.
 * Only changed parts are rebuilt. Packages are loaded by the import map.
 */
export class DevWeb {
  readonly #parts: readonly OpenPart[];
  /** Parts to rebuild: initially all, later those that changed or failed. */
  readonly #staleParts: Set<OpenPart>;

  private constructor(parts: readonly OpenPart[]) {
    this.#parts = parts;
    this.#staleParts = new Set(parts);
  }

  static async open(context: BuildContext, entries: Entries): Promise<DevWeb> {
    const parts = await listParts(context, entries);
    const urlsByFile = mapEntryUrls(parts);
    const open = async (part: WebPart): Promise<OpenPart> => {
      const folder = part.name === '' ? scriptsFolder : `${scriptsFolder}/${part.name}`;
      return {
        bundle: await DevBundle.open(context, 'web', 'The web bundle', {
          ...createBrowserOptions(context),
          entryPoints: part.entryPoints,
          entryNames: `${folder}/[name]`,
          chunkNames: `${folder}/[name]-[hash]`,
          splitting: true,
          packages: 'external',
          sourcemap: 'inline',
          define: { 'process.env.NODE_ENV': '"development"' },
          logOverride: {},
          plugins: [
            createPartResolver(context, part, urlsByFile),
            compiledMessages(context.resolvedProfile.product.languages),
            styleModules(browserTargets),
          ],
        }),
      };
    };
    return new DevWeb(await Promise.all(parts.map(open)));
  }

  /**
   * @param changedFiles absolute paths; if undefined, all parts are rebuilt
   * @throws CliError for errors of the bundler and forbidden imports
   */
  async rebuild(changedFiles?: ReadonlySet<string>): Promise<DevOutput> {
    for (const part of this.#parts)
      if (!changedFiles || [...changedFiles].some((file) => part.output?.inputs.has(file))) this.#staleParts.add(part);
    const failures: unknown[] = [];
    for (const part of this.#staleParts) {
      try {
        part.output = await part.bundle.rebuild();
        this.#staleParts.delete(part);
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
    const outputs = this.#parts.flatMap(({ output }) => output ?? []);
    return {
      files: new Map(outputs.flatMap(({ files }) => [...files])),
      inputs: new Set(outputs.flatMap(({ inputs }) => [...inputs])),
      packages: [...new Set(outputs.flatMap(({ packages }) => packages))]
        .filter((name) => !name.startsWith('/'))
        .sort(),
    };
  }

  async dispose(): Promise<void> {
    await Promise.all(this.#parts.map(({ bundle }) => bundle.dispose()));
  }
}

async function listParts(context: BuildContext, { app, signIn }: Entries): Promise<readonly WebPart[]> {
  const { resolvedProfile, root, sources } = context;
  const coreEntries = Object.entries(coreScriptNames).map(
    ([name, script]) => [script, sources.resolve(name, root) ?? name] as const,
  );
  const core: WebPart = {
    name: 'core',
    entryPoints: {
      start: context.core.app,
      'start-sign-in': context.core.signIn,
      ...Object.fromEntries(coreEntries),
      ...(await findWorkers(path.join(root, 'core', 'web'))),
    },
  };
  const plugins = resolvedProfile.enabled.map(async (id): Promise<WebPart> => {
    const plugin = resolvedProfile.plugins.get(id);
    if (!plugin) return { name: id, entryPoints: {} };
    const { folder, web, webBridges } = plugin;
    const contract = path.join(folder, 'contract', 'index.ts');
    const bridges = resolvedProfile.bridges.flatMap(([owner, partner]) =>
      owner === id && webBridges.includes(partner)
        ? [[`bridge-${partner}`, path.join(folder, 'web', 'bridges', `${partner}.ts`)] as const]
        : [],
    );
    return {
      name: id,
      entryPoints: {
        ...(web ? { web: path.join(folder, 'web', 'index.ts'), ...(await findWorkers(path.join(folder, 'web'))) } : {}),
        ...(existsSync(contract) ? { contract } : {}),
        ...Object.fromEntries(bridges),
      },
    };
  });
  const parts = [core, ...(await Promise.all(plugins)), { name: '', entryPoints: { app, 'sign-in': signIn } }];
  return parts.filter(({ entryPoints }) => Object.keys(entryPoints).length > 0);
}

async function findWorkers(folder: string): Promise<Record<string, string>> {
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.worker.ts'));
  return Object.fromEntries(names.map((name) => [path.basename(name, '.ts'), path.join(folder, name)]));
}

/** The URL of each part's entry, by its file. */
function mapEntryUrls(parts: readonly WebPart[]): ReadonlyMap<string, { readonly part: string; readonly url: string }> {
  return new Map(
    parts.flatMap(({ name, entryPoints }) =>
      Object.entries(entryPoints).map(
        ([script, file]) => [file, { part: name, url: `${basePath}/${scriptsFolder}/${name}/${script}.js` }] as const,
      ),
    ),
  );
}

/**
 * Resolves imports of other parts to their URLs. For the pages' entries the filter includes relative paths, because
 * these entries import files by path.
 */
function createPartResolver(
  { sources }: BuildContext,
  part: WebPart,
  urlsByFile: ReturnType<typeof mapEntryUrls>,
): Plugin {
  return {
    name: 'other-parts',
    setup(build) {
      build.onResolve({ filter: part.name === '' ? /^[#.]/ : /^#/ }, ({ path: name, resolveDir }) => {
        const file = sources.resolve(name, resolveDir);
        if (file === undefined) return undefined;
        const target = urlsByFile.get(file);
        return target === undefined || target.part === part.name
          ? { path: file }
          : { path: target.url, external: true };
      });
    },
  };
}
