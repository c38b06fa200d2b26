import { ContainerModule, inject, injectable } from 'inversify';
import { describe, expect, it, vi } from 'vitest';
import { contribute, extensionPoint, routeRef, routes, token, type AccessFlag, type Contribution } from '#core';
import { PluginHost, PluginSettings, type InstalledPlugin, type WebPlugin } from '#core/web';

const point = extensionPoint<Contribution>('host.point');
const Clock = token<Clock>('alpha.Clock');
interface Clock {
  readonly now: number;
}
const Secret = token<object>('alpha.Secret');
const Reader = token<ClockReader>('beta.Reader');

@injectable()
class ClockReader {
  readonly clock: Clock;
  readonly settings: unknown;
  constructor(@inject(Clock) clock: Clock, @inject(PluginSettings) settings: PluginSettings) {
    this.clock = clock;
    this.settings = settings;
  }
}

let loads = 0;
const alpha: WebPlugin = {
  provides: [Clock],
  services: async () => {
    loads += 1;
    return {
      default: new ContainerModule(({ bind }) => {
        bind(Clock).toConstantValue({ now: 7 });
        bind(Secret).toConstantValue({});
      }),
    };
  },
};
const alphaServices = alpha.services ?? (() => Promise.reject(new Error('none')));
const beta: WebPlugin = {
  services: async () => ({ default: new ContainerModule(({ bind }) => void bind(Reader).to(ClockReader)) }),
};

const plugin = (id: string, web: WebPlugin = {}, settings: unknown = {}): InstalledPlugin => ({
  id,
  settings,
  web,
  bridges: [],
});
const createHost = (...plugins: readonly InstalledPlugin[]) => {
  const host = new PluginHost();
  host.install(plugins);
  return host;
};

describe('services', () => {
  it('loads services on first request, one instance per plugin', async () => {
    loads = 0;
    const host = createHost(plugin('alpha', alpha));
    expect(loads).toBe(0);
    const [one, two] = await Promise.all([host.getService('alpha', Clock), host.getService('alpha', Clock)]);
    expect([loads, one === two, one.now]).toEqual([1, true, 7]);
    expect(host.peek('alpha', Clock)).toEqual({ value: one });
  });

  it("resolves a service that another plugin provides, and injects the plugin's own settings", async () => {
    const host = createHost(plugin('beta', beta, { size: 3 }), plugin('alpha', alpha, { size: 4 }));
    const reader = await host.getService('beta', Reader);
    expect(reader.clock).toBe(await host.getService('alpha', Clock));
    expect(reader.settings).toEqual({ size: 3 });
  });

  it.each([
    ['beta', Secret, /'beta' requests the service 'alpha.Secret'.*private to 'alpha'.*"provides"/],
    ['alpha', token('alpha.Missing'), /'web\/services.ts' of 'alpha' does not bind it/],
    ['beta', ClockReader, /'web\/services.ts' of 'beta' does not bind it/],
    ['alpha', token('gamma.Thing'), /plugin 'gamma' is not in this product.*"requires"/],
    ['alpha', token('core.Thing'), /core binds no such service/],
    ['gamma', Clock, /Plugin 'gamma' is not in this product/],
  ] as const)(
    'names the plugin, the token and the likely cause of a failed request (%s)',
    async (caller, requestedToken, message) => {
      await expect(
        createHost(plugin('alpha', alpha), plugin('beta', beta)).getService<unknown>(caller, requestedToken),
      ).rejects.toThrow(message);
    },
  );

  it('retries a service that could not be loaded', async () => {
    let broken = true;
    const host = createHost(
      plugin('alpha', {
        services: async () => (broken ? Promise.reject(new DOMException('gone', 'AbortError')) : alphaServices()),
      }),
    );
    vi.useFakeTimers();
    const failing = host.getService('alpha', Clock);
    await vi.runAllTimersAsync();
    vi.useRealTimers();
    await expect(failing).rejects.toMatchObject({ name: 'ChunkLoadError', chunk: 'alpha/web/services' });
    expect(host.getService('alpha', Clock)).toBe(failing);
    broken = false;
    await host.forgetFailures();
    await expect(host.getService('alpha', Clock)).resolves.toEqual({ now: 7 });
  });
});

describe('contributions', () => {
  const buildContribution = (id: string, order: number, access?: AccessFlag) =>
    contribute(point, { id, order, ...(access ? { access } : {}) });

  it('sorts contributions of plugins and bridges by order and id, not by load order', () => {
    const plugins = [
      plugin('a', { contributions: [buildContribution('a.two', 20), buildContribution('a.one', 10)] }),
      {
        ...plugin('b', { contributions: [buildContribution('b.one', 10)] }),
        bridges: [[buildContribution('b.bridge', 5)]],
      },
    ];
    const ids = (host: PluginHost) => host.contributions(point).map(({ id }) => id);
    expect(ids(createHost(...plugins))).toEqual(['b.bridge', 'a.one', 'b.one', 'a.two']);
    expect(ids(createHost(...plugins.toReversed()))).toEqual(ids(createHost(...plugins)));
  });

  it("filters contributions by the person's access", () => {
    const host = createHost(
      plugin('a', { contributions: [buildContribution('a.vr', 1, 'vrAccess'), buildContribution('a.all', 2)] }),
    );
    expect(
      host.contributions(point, { flags: [], locations: 'ALL', deactivatedRoles: [] }).map(({ id }) => id),
    ).toEqual(['a.all']);
  });
});

describe('install refuses', () => {
  const route = (id: 'a.x', path: string, title: string) => ({
    routeRef: routeRef(id, path),
    title: title as never,
    audience: 'user' as const,
    category: 'TOUR' as const,
    load: async () => ({ default: () => null }),
  });
  it.each<readonly [string, readonly InstalledPlugin[], string]>([
    ['a plugin twice', [plugin('a'), plugin('a')], "Plugin 'a' has the plugin 'a' twice."],
    [
      'a contribution twice',
      [
        plugin('a', {
          contributions: [contribute(point, { id: 'a.x', order: 1 }), contribute(point, { id: 'a.x', order: 2 })],
        }),
      ],
      "Plugin 'a' has the contribution to 'host.point' 'a.x' twice.",
    ],
    [
      'a foreign id',
      [plugin('a', { contributions: [contribute(point, { id: 'b.x', order: 1 })] })],
      "an id starts with the id of its plugin, here 'a.'",
    ],
    ['a foreign token', [plugin('a', { provides: [Clock] })], "Plugin 'a' has the service 'alpha.Clock'"],
    [
      'a foreign route',
      [plugin('b', { routes: [route('a.x', 'y', 'b.t')] })],
      "Plugin 'b' has the route 'a.x': an id starts with the id of its plugin, here 'b.'",
    ],
    [
      'two settings of the order of locations',
      [plugin('a', { locationOrder: () => 'imported' }), plugin('b', { locationOrder: () => 'imported' })],
      "The setting 'locationOrder' is claimed by the plugins 'a' and 'b'.",
    ],
    [
      'two home screens',
      [
        plugin('a', { routes: [{ ...route('a.x', 'x', 'a.t'), routeRef: routes.home }] }),
        plugin('b', { routes: [{ ...route('a.x', 'x', 'b.t'), routeRef: routes.home }] }),
      ],
      `The route '${routes.home.id}' is claimed by the plugins 'a' and 'b'.`,
    ],
    [
      'one path for two routes',
      [
        plugin('a', { routes: [route('a.x', 'x', 'a.t')] }),
        plugin('b', { routes: [{ ...route('a.x', 'x', 'b.t'), routeRef: routeRef('b.x', 'x') }] }),
      ],
      "The path 'x' is claimed by the plugins 'a' and 'b'.",
    ],
    ["another plugin's title", [plugin('a', { routes: [route('a.x', 'x', 'b.t')] })], "the title 'b.t'"],
  ])('%s', (_, plugins, message) => {
    expect(() => createHost(...plugins)).toThrow(message);
  });
});
