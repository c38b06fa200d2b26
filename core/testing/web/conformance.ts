import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Container, type ContainerModule } from 'inversify';
import { describe, expect, it, vi } from 'vitest';
import { getTokenName, type PluginManifest, type Token } from '#core';
import { coreScope, PluginHost, type InstalledPlugin, type Load, type WebBridge, type WebPlugin } from '#core/web';
import { maxWaitMs } from '../max-wait.ts';
import { listArguments } from './message-arguments.ts';
import { findRefusalProblems } from './refusal-problems.ts';
import { createWebHarness } from './render-screen.tsx';

export interface WebConformance {
  /** Absolute path of the plugin's folder. */
  readonly folder: string;
  readonly manifest: PluginManifest;
  /** The settings of a product that only enables the plugin. */
  readonly settings: unknown;
  /** The other plugins that the services of the tested plugin need. */
  readonly others?: readonly InstalledPlugin[];
  /**
   * Message ids composed at run time, which the source scan cannot find: `kinds.map((kind) => `permits.kind.${kind}`)`.
   */
  readonly messages?: readonly string[];
}

/** The files that may be loaded eagerly. They only list what the plugin contains. */
const eagerFiles = /^(index\.ts|bridges\/[^/]+\.ts)$/;

/** Registers the conformance tests of every web half. */
export function webPluginConforms({ folder, manifest, settings, others = [], messages = [] }: WebConformance): void {
  const web = path.join(folder, 'web');
  const files = listSources(web);

  describe(`web half of '${manifest.id}'`, () => {
    it('has an entry file', () => {
      expect(files).toContain('index.ts');
    });

    it('loads no screen, store or service eagerly', async () => {
      vi.resetModules();
      const lazyFiles = files.filter((file) => !eagerFiles.test(file));
      for (const file of lazyFiles) {
        vi.doMock(path.join(web, file), () => {
          throw new Error(`'web/${file}' was loaded eagerly. Load it by () => import().`);
        });
      }
      try {
        for (const file of files.filter((candidate) => eagerFiles.test(candidate))) await import(path.join(web, file));
      } finally {
        for (const file of lazyFiles) vi.doUnmock(path.join(web, file));
        vi.resetModules();
      }
    });

    it('installs in the host', async () => {
      new PluginHost().install([await loadInstalled(), ...others]);
    });

    it('resolves all its imports', async () => {
      const { web: plugin, bridges } = await loadInstalled();
      for (const [name, load] of listLoaders(plugin, bridges)) {
        expect((await load()).default, `${name} has no default export`).toBeDefined();
      }
    });

    it('has every used message in English, and only English ids in French', async () => {
      const { web: plugin, bridges } = await loadInstalled();
      const english = (await plugin.messages?.en())?.default ?? {};
      const french = (await plugin.messages?.fr?.())?.default ?? {};
      const usedIds = new Set([
        manifest.title,
        ...messages,
        ...listMessageIds(plugin, bridges),
        ...findMessageIds(
          files.map((file) => path.join(web, file)),
          manifest.id,
        ),
      ]);
      expect([...usedIds].filter((id) => id.startsWith(`${manifest.id}.`) && !(id in english))).toEqual([]);
      expect(Object.keys(french).filter((id) => !(id in english))).toEqual([]);
      expect(Object.keys(english).filter((id) => !id.startsWith(`${manifest.id}.`))).toEqual([]);
      const mismatchedTexts = Object.entries(french).filter(
        ([id, text]) => listArguments(text).join() !== listArguments(english[id] ?? '').join(),
      );
      expect(Object.fromEntries(mismatchedTexts), 'French messages with other arguments than English ones').toEqual({});
    });

    const sharedMessages = path.join(folder, 'contract', 'messages');
    if (existsSync(sharedMessages))
      it('[PRO-20] has a message in both languages for each refusal of its server', async () => {
        const sources = ['server', 'common', 'contract']
          .map((half) => path.join(folder, half))
          .filter((half) => existsSync(half));
        expect(findRefusalProblems({ owner: manifest.id, messages: sharedMessages, sources })).toEqual([]);
        const { web: plugin } = await loadInstalled();
        for (const language of ['en', 'fr'] as const)
          expect(
            Object.keys((await plugin.refusalMessages?.[language]?.())?.default ?? {}),
            `'refusalMessages' in web/index.ts, ${language}`,
          ).toEqual(
            Object.keys(JSON.parse(readFileSync(path.join(sharedMessages, `${language}.json`), 'utf8')) as object),
          );
      });

    it('can create every bound service', async () => {
      const plugin = await loadInstalled();
      if (!plugin.web.services) return;
      const tokens = await listBoundTokens((await plugin.web.services()).default);
      expect(tokens.length, 'services.ts binds nothing').toBeGreaterThan(0);
      const { core } = await createWebHarness({ plugins: [plugin, ...others] });
      for (const token of tokens) {
        expect(
          await withTimeout(core.host.getService(plugin.id, token), getTokenName(token)),
          getTokenName(token),
        ).toBeDefined();
        expect(
          core.host.peek(coreScope, token),
          `${getTokenName(token)} is bound in the root container`,
        ).toBeUndefined();
      }
      for (const token of plugin.web.provides ?? []) expect(tokens.map(getTokenName)).toContain(getTokenName(token));
    });
  });

  async function loadInstalled(): Promise<InstalledPlugin> {
    const { default: plugin } = (await import(path.join(web, 'index.ts'))) as { readonly default: WebPlugin };
    const partners = new Set(others.map(({ id }) => id));
    const bridges: WebBridge[] = [];
    for (const file of files.filter(
      (candidate) => candidate.startsWith('bridges/') && partners.has(path.basename(candidate, '.ts')),
    )) {
      bridges.push(((await import(path.join(web, file))) as { readonly default: WebBridge }).default);
    }
    return { id: manifest.id, settings, web: plugin, bridges };
  }
}

/** The bindings of a module, recorded by a fake container. */
async function listBoundTokens(module: ContainerModule): Promise<readonly Token<unknown>[]> {
  const container = new Container();
  const tokens: Token<unknown>[] = [];
  await module.load({
    bind: (token) => {
      tokens.push(token);
      return container.bind(token);
    },
    isBound: (token, options) => container.isBound(token, options),
    onActivation: (token, activation) => container.onActivation(token, activation),
    onDeactivation: (token, deactivation) => container.onDeactivation(token, deactivation),
    rebind: (token) => container.rebind(token),
    rebindAsync: (token) => container.rebindAsync(token),
    unbind: (token) => container.unbind(token),
    unbindAsync: (token) => container.unbindAsync(token),
  });
  return tokens;
}

/** Two services that wait for each other never resolve. */
function withTimeout<T>(promise: Promise<T>, name: string): Promise<T> {
  const message = `'${name}' was not made within ${maxWaitMs / 1000} s. Two services may wait for each other.`;
  const timeout = new Promise<never>((_, reject) => setTimeout(() => reject(new Error(message)), maxWaitMs));
  return Promise.race([promise, timeout]);
}

function listSources(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => file.split(path.sep).join('/'))
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file) && !file.endsWith('.d.ts'))
    .toSorted();
}

function listLoaders(plugin: WebPlugin, bridges: readonly WebBridge[]): readonly (readonly [string, Load<unknown>])[] {
  const routes = (plugin.routes ?? []).map(({ routeRef: route, load }) => [route.id, load] as const);
  const icons = (plugin.menu ?? []).flatMap(({ id, icon }) => (icon ? [[id, icon] as const] : []));
  const contributedItems = [...(plugin.contributions ?? []), ...bridges.flat()].flatMap(({ value }) =>
    Object.entries(value).flatMap(([key, part]) =>
      typeof part === 'function' && /^(load|icon)/.test(key)
        ? [[`${value.id} ${key}`, part as Load<unknown>] as const]
        : [],
    ),
  );
  return [...routes, ...icons, ...contributedItems];
}

function listMessageIds(plugin: WebPlugin, bridges: readonly WebBridge[]): readonly string[] {
  const titles = (plugin.routes ?? []).map(({ title }) => title);
  const contributedItems = [...(plugin.contributions ?? []), ...bridges.flat()].flatMap(({ value }) =>
    'title' in value && typeof value.title === 'string' ? [value.title] : [],
  );
  return [...titles, ...contributedItems];
}

/** Message ids in the source: `t('permits.title')`, `id="permits.title"`, `title: 'permits.title'`. */
function findMessageIds(files: readonly string[], plugin: string): readonly string[] {
  const pattern = new RegExp(
    String.raw`(?:\b(?:t|text)\(\s*|\b(?:id|title|label|message|hint)(?:=|:\s*))["'](${plugin}\.[\w.]+)["']`,
    'g',
  );
  const otherIds = new RegExp(String.raw`\b(?:id):\s*["'](${plugin}\.[\w.]+)["']`, 'g');
  return files.flatMap((file) => {
    const text = readFileSync(file, 'utf8');
    const otherMatches = new Set([...text.matchAll(otherIds)].map((match) => match[1]));
    return [...text.matchAll(pattern)].flatMap((match) =>
      match[1] === undefined || otherMatches.has(match[1]) ? [] : [match[1]],
    );
  });
}
