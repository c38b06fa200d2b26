import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { accessFlags, type LocationRow, type TourSession } from '#core';
import { buildMe, buildSite, FakeServer, renderApp, renderScreen } from '#core/testing/web';
import type { InstalledPlugin } from '#core/web';
import type { Backgrounds } from '#plugins/media';
import { locationsWeb } from '#plugins/locations/testing/web';
import { tourWeb } from '#plugins/tour/testing/web';
import media from '../../index.ts';
import locationsBridge from '../../bridges/locations.ts';
import tourBridge from '../../bridges/tour.ts';
import BackgroundsScreen from './backgrounds-screen.tsx';

const rows: readonly LocationRow[] = [
  { ...buildSite('HB'), name: 'Heron Bay', label: '' },
  { uid: 'M10', name: 'Module M10', label: '', parent: 'HB', root: 'HB', locationType: 'PLATFORM_UNIT', version: 1 },
];
const plugins: readonly InstalledPlugin[] = [
  { id: 'media', settings: {}, web: media, bridges: [locationsBridge, tourBridge] },
  { id: 'locations', settings: { alphabetical: false }, web: locationsWeb, bridges: [] },
];
const tourPlugins: readonly InstalledPlugin[] = [{ id: 'tour', settings: {}, web: tourWeb, bridges: [] }];
const buildBackgrounds = (version: number, ...names: readonly string[]): Backgrounds => ({
  images: names.map((name) => ({ file: name, name, address: `/api/files/${name}`, video: name.endsWith('.mp4') })),
  version,
});
const none = buildBackgrounds(0);
const buildServer = (login: Backgrounds, site = none, tour = none) =>
  new FakeServer()
    .on('GET /api/locations', { status: 200, body: rows })
    .on('GET /api/media/login-backgrounds', { status: 200, body: login })
    .on('GET /api/media/locations/:location/backgrounds', { status: 200, body: { LOCATION: site, TOUR: tour } });
const findCard = async (name: string) => within(await screen.findByRole('region', { name }));
const buildSavedReply = (backgrounds: Backgrounds, change = 'c1') => ({ status: 200, body: { change, backgrounds } });

describe('backgrounds', () => {
  it.each([true, false])(
    '[RTE-12:bg-upload] [ACC-02:configure] are shown only with the flag configure (%s)',
    async (has) => {
      const flags = accessFlags.filter((flag) => has || flag !== 'configure');
      const me = buildMe({ isAdmin: true, access: { flags, locations: 'ALL', deactivatedRoles: [] } });
      await renderApp({ plugins, server: buildServer(none), url: '/admin/console/bg-upload', me });
      const heading = await screen.findByRole('heading', { level: 1 });
      expect(heading.textContent === 'Backgrounds').toBe(has);
    },
  );

  it('[ADM-09] are added, ordered, replaced and removed, with undo', async () => {
    const server = buildServer(buildBackgrounds(2, 'one.png', 'two.svg'))
      .on('PUT /api/media/login-backgrounds', buildSavedReply(buildBackgrounds(3, 'two.svg', 'one.png')))
      .on('POST /api/media/login-backgrounds/images', buildSavedReply(buildBackgrounds(4, 'two.svg', 'new.jpg')))
      .on('POST /api/changes/:change/undo', { status: 200, body: { change: 'c2' } });
    const { user } = await renderScreen(<BackgroundsScreen />, { plugins, server });
    const card = await findCard('Login screen');
    const second = within(await card.findByRole('group', { name: 'Background 2: two.svg' }));
    await user.click(second.getByRole('button', { name: 'Move up' }));
    expect(await card.findByRole('img', { name: 'Background 1: two.svg' })).toBeDefined();
    expect(server.sentTo('PUT /api/media/login-backgrounds')[0]!.body).toEqual({
      files: ['two.svg', 'one.png'],
      version: 2,
    });
    const lastBackground = within(card.getByRole('group', { name: 'Background 2: one.png' }));
    await user.click(lastBackground.getByRole('button', { name: 'Replace' }));
    await user.upload(card.getAllByTestId('file-input')[0]!, new File(['x'], 'new.jpg', { type: 'image/jpeg' }));
    expect(await card.findByRole('img', { name: 'Background 2: new.jpg' })).toBeDefined();
    const { query } = server.sentTo('POST /api/media/login-backgrounds/images')[0]!;
    expect([query.get('version'), query.get('replaces')]).toEqual(['3', 'one.png']);
    server.on('PUT /api/media/login-backgrounds', buildSavedReply(buildBackgrounds(5, 'new.jpg')));
    const first = within(card.getByRole('group', { name: 'Background 1: two.svg' }));
    await user.click(first.getByRole('button', { name: 'Remove' }));
    expect(await card.findByRole('img', { name: 'Background 1: new.jpg' })).toBeDefined();
    const line = (await screen.findByText('Last change: The backgrounds of the login screen were changed'))
      .parentElement!;
    await user.click(within(line).getByRole('button', { name: 'Undo' }));
    expect(await card.findByRole('img', { name: 'Background 1: one.png' })).toBeDefined();
  });

  it('show the current images after a conflict, and accept at most five images or one video', async () => {
    const site = buildBackgrounds(5, '1.png', '2.png', '3.png', '4.png', '5.png');
    const server = buildServer(buildBackgrounds(1, 'sea.mp4'), site).on(
      'PUT /api/media/locations/:location/backgrounds/:kind',
      {
        status: 409,
        body: {
          code: 'E007',
          message: 'Refused.',
          refusal: { message: 'media.refused.backgroundsChanged' },
          reference: 'r1',
          current: buildBackgrounds(6, '9.png'),
        },
      },
    );
    const { user } = await renderScreen(<BackgroundsScreen />, { plugins, server });
    const login = await findCard('Login screen');
    expect(await login.findByText(/No more backgrounds can be added/)).toBeDefined();
    const card = await findCard('Screen of Heron Bay');
    const third = within(await card.findByRole('group', { name: 'Background 3: 3.png' }));
    expect(card.queryByTestId('file-input')).toBeNull();
    await user.click(third.getByRole('button', { name: 'Remove' }));
    expect(await card.findByRole('img', { name: 'Background 1: 9.png' })).toBeDefined();
    expect(card.getByText(/Somebody else has changed/)).toBeDefined();
    await user.selectOptions(screen.getByRole('combobox', { name: 'Site or unit' }), 'M10');
    expect(await findCard('Tour of Module M10')).toBeDefined();
    expect(screen.queryByRole('region', { name: /^Screen of/ })).toBeNull();
  });

  it('[ADM-09] show above the units of a site', async () => {
    const server = buildServer(none, buildBackgrounds(1, 'sea.png')).on('GET /api/location-pictures', {
      status: 200,
      body: [],
    });
    await renderApp({ plugins, server, url: '/console/unit/HB' });
    await screen.findByRole('heading', { level: 1, name: 'Heron Bay' });
    await expect.poll(() => document.querySelector('img[src="/api/files/sea.png"]')).not.toBeNull();
  });

  it('[ADM-15:tours] show while a tour loads', async () => {
    const server = buildServer(none, none, buildBackgrounds(1, 'deck.png')).on(
      'GET /api/tour/:location',
      () => new Promise(() => undefined),
    );
    await renderApp({ plugins: [...plugins, ...tourPlugins], server, url: '/console/tour/M10' });
    await expect.poll(() => document.querySelector('img[src="/api/files/deck.png"]')).not.toBeNull();
  });

  it('[ADM-15:tours] show on the card of the last tour, one of up to five', async () => {
    const session: TourSession = {
      location: 'M10',
      address: '/console/tour/M10?node=P03',
      title: 'Separator area',
      at: '2126-11-20T10:00:00Z',
    };
    sessionStorage.setItem('walkdown.tourSession', JSON.stringify(session));
    const names = ['1.png', '2.png', '3.png', '4.png', '5.png'];
    const server = buildServer(none, buildBackgrounds(1, 'site.png'), buildBackgrounds(5, ...names)).on(
      'GET /api/location-pictures',
      { status: 200, body: [] },
    );
    await renderApp({ plugins, server, url: '/console/home' });
    const card = await screen.findByRole('link', { name: /Continue where you left off/ });
    await expect
      .poll(() => [...card.querySelectorAll('img')].map((image) => image.getAttribute('src')))
      .toEqual([expect.stringMatching(/^\/api\/files\/[1-5]\.png$/)]);
    expect(server.sentTo('GET /api/media/locations/:location/backgrounds')[0]!.path).toContain('M10');
  });
});
