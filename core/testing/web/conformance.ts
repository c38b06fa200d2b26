import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Container, type ContainerModule } from 'inversify';
import { describe, expect, it, vi } from 'vitest';
import { nameOfToken, type PluginManifest, type Token } from '#core';
import { coreScope, PluginHost, type InstalledPlugin, type Load, type WebBridge, type WebPlugin } from '#core/web';
import { patience } from '../patience.ts';
import { refusalProblems } from './refusal-problems.ts';
import { WebHarness } from './render-screen.tsx';

export interface WebConformance {
  /** Absolute path of the plugin's folder. */
  readonly folder: string;
  readonly manifest: PluginManifest;
  /** The settings of a product that only enables the plugin. */
  readonly settings: unknown;
  /** Other plugins that its services need. */
  readonly others?: readonly InstalledPlugin[];
  /**
   * Message ids composed at run time, which the source scan cannot find: `kinds.map((kind) => `permits.kind.${kind}`)`.
   */
  readonly messages?: readonly string[];
}

/** What `web/index.ts` may import eagerly: tables of contents only. */
const light = /^(index\.ts|bridges\/[^/]+\.ts)$/;

/** Registers the conformance tests of every web half. */
export function webPluginConforms({ folder, manifest, settings, others = [], messages = [] }: WebConformance): void {
  const web = path.join(folder, 'web');
  const files = sourcesBelow(web);

  describe(`web half of '${manifest.id}'`, () => {
    it('has something to check', () => {
      expect(files).toContain('index.ts');
    });

    it('loads no screen, store or service with its table of contents', async () => {
      vi.resetModules();
      const heavy = files.filter((file) => !light.test(file));
      for (const file of heavy) {
        vi.doMock(path.join(web, file), () => {
          throw new Error(`'web/${file}' was loaded at once. Put it behind () => import().`);
        });
      }
      try {
        for (const file of files.filter((candidate) => light.test(candidate))) await import(path.join(web, file));
      } finally {
        for (const file of heavy) vi.doUnmock(path.join(web, file));
        vi.resetModules();
      }
    });

    it('installs in the host', async () => {
      new PluginHost().install([await installed(), ...others]);
    });

    it('resolves all its imports', async () => {
      const { web: plugin, bridges } = await installed();
      for (const [name, load] of listLoads(plugin, bridges)) {
        expect((await load()).default, `${name} has no default export`).toBeDefined();
      }
    });

    it('has every named message in English, and no further message in French', async () => {
      const { web: plugin, bridges } = await installed();
      const english = (await plugin.messages?.en())?.default ?? {};
      const french = (await plugin.messages?.fr?.())?.default ?? {};
      const named = new Set([
        manifest.title,
        ...messages,
        ...listMessageIds(plugin, bridges),
        ...messageIdsIn(
          files.map((file) => path.join(web, file)),
          manifest.id,
        ),
      ]);
      expect([...named].filter((id) => id.startsWith(`${manifest.id}.`) && !(id in english))).toEqual([]);
      expect(Object.keys(french).filter((id) => !(id in english))).toEqual([]);
      expect(Object.keys(english).filter((id) => !id.startsWith(`${manifest.id}.`))).toEqual([]);
    });

    const shared = path.join(folder, 'contract', 'messages');
    if (existsSync(shared))
      it('[PRO-20] has a message in both languages for each refusal of its server', async () => {
        expect(refusalProblems({ owner: manifest.id, messages: shared, server: path.join(folder, 'server') })).toEqual(
          [],
        );
        const { web: plugin } = await installed();
        for (const language of ['en', 'fr'] as const)
          expect(
            Object.keys((await plugin.refusals?.[language]?.())?.default ?? {}),
            `'refusals' in web/index.ts, ${language}`,
          ).toEqual(Object.keys(JSON.parse(readFileSync(path.join(shared, `${language}.json`), 'utf8')) as object));
      });

    it('can create every bound service', async () => {
      const own = await installed();
      if (!own.web.services) return;
      const tokens = await tokensBoundBy((await own.web.services()).default);
      expect(tokens.length, 'services.ts binds nothing').toBeGreaterThan(0);
      const { core } = await WebHarness({ plugins: [own, ...others] });
      for (const token of tokens) {
        expect(await withTimeout(core.host.ask(own.id, token), nameOfToken(token)), nameOfToken(token)).toBeDefined();
        expect(
          core.host.peek(coreScope, token),
          `${nameOfToken(token)} is bound in the root container`,
        ).toBeUndefined();
      }
      for (const token of own.web.provides ?? []) expect(tokens.map(nameOfToken)).toContain(nameOfToken(token));
    });
  });

  async function installed(): Promise<InstalledPlugin> {
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
async function tokensBoundBy(module: ContainerModule): Promise<readonly Token<unknown>[]> {
  const scratch = new Container();
  const tokens: Token<unknown>[] = [];
  await module.load({
    bind: (token) => {
      tokens.push(token);
      return scratch.bind(token);
    },
    isBound: (token, options) => scratch.isBound(token, options),
    onActivation: (token, activation) => scratch.onActivation(token, activation),
    onDeactivation: (token, deactivation) => scratch.onDeactivation(token, deactivation),
    rebind: (token) => scratch.rebind(token),
    rebindAsync: (token) => scratch.rebindAsync(token),
    unbind: (token) => scratch.unbind(token),
    unbindAsync: (token) => scratch.unbindAsync(token),
  });
  return tokens;
}

/** Two services that wait for each other never resolve. */
function withTimeout<T>(promise: Promise<T>, name: string): Promise<T> {
  const message = `'${name}' was not made within ${patience / 1000} s: do two services wait for each other?`;
  const late = new Promise<never>((_, reject) => setTimeout(() => reject(new Error(message)), patience));
  return Promise.race([promise, late]);
}

function sourcesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => file.split(path.sep).join('/'))
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file) && !file.endsWith('.d.ts'))
    .toSorted();
}

function listLoads(plugin: WebPlugin, bridges: readonly WebBridge[]): readonly (readonly [string, Load<unknown>])[] {
  const routes = (plugin.routes ?? []).map(({ route, load }) => [route.id, load] as const);
  const icons = (plugin.menu ?? []).flatMap(({ id, icon }) => (icon ? [[id, icon] as const] : []));
  const contributed = [...(plugin.contributions ?? []), ...bridges.flat()].flatMap(({ value }) =>
    Object.entries(value).flatMap(([key, part]) =>
      typeof part === 'function' && /^(load|icon)/.test(key)
        ? [[`${value.id} ${key}`, part as Load<unknown>] as const]
        : [],
    ),
  );
  return [...routes, ...icons, ...contributed];
}

function listMessageIds(plugin: WebPlugin, bridges: readonly WebBridge[]): readonly string[] {
  const titles = (plugin.routes ?? []).map(({ title }) => title);
  const contributed = [...(plugin.contributions ?? []), ...bridges.flat()].flatMap(({ value }) =>
    'title' in value && typeof value.title === 'string' ? [value.title] : [],
  );
  return [...titles, ...contributed];
}

/** Message ids in the source: `t('permits.title')`, `id="permits.title"`, `title: 'permits.title'`. */
function messageIdsIn(files: readonly string[], plugin: string): readonly string[] {
  const pattern = new RegExp(
    String.raw`(?:\b(?:t|text)\(\s*|\b(?:id|title|label|message|hint)(?:=|:\s*))["'](${plugin}\.[\w.]+)["']`,
    'g',
  );
  const notMessages = new RegExp(String.raw`\b(?:id):\s*["'](${plugin}\.[\w.]+)["']`, 'g');
  return files.flatMap((file) => {
    const text = readFileSync(file, 'utf8');
    const others = new Set([...text.matchAll(notMessages)].map((match) => match[1]));
    return [...text.matchAll(pattern)].flatMap((match) =>
      match[1] === undefined || others.has(match[1]) ? [] : [match[1]],
    );
  });
}
