import { describe, expect, it, vi } from 'vitest';
import type { LocationOrder } from '#core';
import {
  Access,
  Appearance,
  Locations,
  Notifications,
  ProductConfiguration,
  type InstalledPlugin,
  type Notice,
} from '#core/web';
import { buildMe, FakeServer, createWebHarness, type FakeReply } from '#core/testing/web';

const row = (uid: string, name: string, parent: string | null) => ({
  uid,
  name,
  label: name,
  parent,
  root: 'a',
  locationType: parent ? 'PLATFORM_UNIT' : 'PRIMARY_LOCATION',
  version: 1,
});
const rows = [row('b', 'Zulu', 'a'), row('a', 'North', null), row('c', 'Alpha', 'a')];
const withOrder = (settings: LocationOrder): InstalledPlugin => ({
  id: 'fixture',
  settings,
  web: { locationOrder: (value) => value as LocationOrder },
  bridges: [],
});

describe('LocationsService', () => {
  it.each([
    [[], ['b', 'c']],
    [[withOrder('imported')], ['b', 'c']],
    [[withOrder('alphabetical')], ['c', 'b']],
  ])(
    '[PRO-03] [LOC-02] builds a tree in the order that a plugin sets, else in the order of import (%j)',
    async (plugins, order) => {
      const { core } = await createWebHarness({
        plugins,
        server: new FakeServer().on('GET /api/locations', { status: 200, body: rows }),
      });
      const locations = core.host.root.get(Locations);
      await locations.load();
      expect([
        locations.state,
        locations.roots.map(({ uid }) => uid),
        locations.find('a')?.children.map(({ uid }) => uid),
      ]).toEqual(['ready', ['a'], order]);
      expect(locations.pathTo('c').map(({ uid }) => uid)).toEqual(['a', 'c']);
      expect(locations.pathTo('none')).toEqual([]);
    },
  );

  it('loads locations once for all callers, and again after a failure', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const server = new FakeServer().on('GET /api/locations', { status: 500 });
    const { core } = await createWebHarness({ server });
    const locations = core.host.root.get(Locations);
    await Promise.all([locations.load(), locations.load()]);
    expect([locations.state, server.sentTo('GET /api/locations').length]).toEqual(['failed', 1]);
    server.on('GET /api/locations', { status: 200, body: rows });
    await locations.load();
    expect(locations.state).toBe('ready');
    server.on('GET /api/locations', { status: 500 });
    await locations.load();
    expect([locations.state, locations.find('a')?.uid]).toEqual(['stale', 'a']);
    vi.restoreAllMocks();
  });

  it('discards the reply of a load that began before a reload', async () => {
    const replies: ((reply: FakeReply) => void)[] = [];
    const server = new FakeServer().on('GET /api/locations', () => new Promise((resolve) => replies.push(resolve)));
    const { core } = await createWebHarness({ server });
    const locations = core.host.root.get(Locations);
    const before = locations.load();
    const after = locations.reload();
    await vi.waitFor(() => expect(replies).toHaveLength(2));
    replies[1]!({ status: 200, body: rows });
    await after;
    replies[0]!({ status: 200, body: [] });
    await before;
    expect(locations.find('a')?.uid).toBe('a');
  });
});

describe('ProductConfigurationService', () => {
  it("returns the server's configuration", async () => {
    const { core } = await createWebHarness({
      server: new FakeServer().on('GET /api/configuration', { status: 200, body: { welcomeText: { en: 'Hi' } } }),
    });
    const configuration = core.host.root.get(ProductConfiguration);
    expect([configuration.state, configuration.value]).toEqual(['loading', {}]);
    await configuration.load();
    expect([configuration.state, configuration.value]).toEqual(['ready', { welcomeText: { en: 'Hi' } }]);
  });
});

describe('AccessService', () => {
  it("[ACC-01] has the person's flags, or none if nobody is signed in", async () => {
    const { core } = await createWebHarness({
      me: buildMe({ access: { flags: ['vrAccess'], locations: ['a'], deactivatedRoles: ['Old'] } }),
    });
    const access = core.host.root.get(Access);
    expect([
      access.has('vrAccess'),
      access.has('scanAccess'),
      access.has(undefined),
      access.info.deactivatedRoles,
    ]).toEqual([true, false, true, ['Old']]);
    const nobody = (await createWebHarness({ me: null })).core.host.root.get(Access);
    expect([nobody.has('vrAccess'), nobody.info.locations]).toEqual([false, []]);
  });
});

describe('NotificationsService', () => {
  const notice = (id: string, message = id): Notice => ({ id, message, kind: 'info', area: 'top', dismissable: true });

  it('[LOC-06] orders notices by arrival and replaces one with the same id', async () => {
    const notifications = (await createWebHarness()).core.host.root.get(Notifications);
    notifications.show(notice('a'));
    notifications.show(notice('b'));
    notifications.show(notice('a', 'again'));
    expect(notifications.notices.map(({ message }) => message)).toEqual(['again', 'b']);
    notifications.dismiss('a');
    expect(notifications.notices.map(({ id }) => id)).toEqual(['b']);
  });
});

describe('AppearanceService', () => {
  it('applies a theme to the root element and saves it on the device and for the person', async () => {
    const server = new FakeServer().on('PUT /api/me/preferences', ({ body }) => ({ status: 200, body }));
    const { core } = await createWebHarness({ server, me: buildMe({ preferences: { language: 'en' } }) });
    const appearance = core.host.root.get(Appearance);
    expect([appearance.theme, appearance.dark]).toEqual(['system', false]);
    appearance.setTheme('dark');
    expect([appearance.dark, document.documentElement.dataset['theme']]).toEqual([true, 'dark']);
    expect(document.cookie).toContain('theme=dark');
    await vi.waitFor(() => expect(core.session.me?.preferences).toEqual({ language: 'en', theme: 'dark' }));
  });
});
