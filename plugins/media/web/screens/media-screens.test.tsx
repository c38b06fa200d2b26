import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { Configuration } from '#core/api';
import { FakeServer, renderApp, renderScreen, type WebSetup } from '#core/testing/web';
import type { Contact, MediaItem } from '#plugins/media';
import media from '../index.ts';
import VideoViewerScreen from './video-viewer-screen.tsx';
import WelcomeScreen from './welcome-screen.tsx';

const plugins = [{ id: 'media', settings: {}, web: media, bridges: [] }];
const configuration: Configuration = {
  welcomeText: { en: 'Mind the step.', fr: 'Attention à la marche.' },
};
const contact: Contact = {
  uid: 'c1',
  name: 'Ida Holm',
  jobTitle: 'Shift lead',
  category: 'SITE',
  email: 'ida@example.test',
  phone: '+475550123',
  location: null,
  languages: ['Norsk'],
  sequence: 0,
  onLogin: false,
  version: 1,
};
const buildItem = (number: number, title: string, changes: Partial<MediaItem> = {}): MediaItem => ({
  uid: `i${number}`,
  title,
  frenchTitle: null,
  address: `/api/files/${number}`,
  video: true,
  captions: null,
  sequence: number,
  version: 1,
  ...changes,
});
const videos = [buildItem(1, 'Muster points'), buildItem(2, 'Lifeboats')];
const buildServer = (
  value: Configuration,
  contacts: readonly Contact[] = [contact],
  items: readonly MediaItem[] = videos,
) =>
  new FakeServer()
    .on('GET /api/configuration', { status: 200, body: value })
    .on('GET /api/media/contacts', { status: 200, body: { total: contacts.length, offset: 0, rows: contacts } })
    .on('GET /api/media/items', { status: 200, body: { total: items.length, offset: 0, rows: items } });
const show = (node: React.ReactNode, value: Configuration = configuration, setup: WebSetup = {}) =>
  renderScreen(node, {
    plugins,
    server: buildServer(value),
    ...setup,
  });

const openAt = (address: string) =>
  renderApp({
    plugins,
    server: buildServer(configuration),
    url: address,
  });

describe('welcome', () => {
  it('[RTE-08:welcome] is at /console/welcome', async () => {
    await openAt('/console/welcome');
    expect(await screen.findByRole('heading', { level: 1, name: 'Welcome, Ada' })).toBeDefined();
  });

  it('[LOC-07] shows the configured text, the contacts and the link to the start screen', async () => {
    await show(<WelcomeScreen />);
    expect(await screen.findByText('Mind the step.')).toBeDefined();
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Welcome, Ada');
    expect((await screen.findByRole('link', { name: 'ida@example.test' })).getAttribute('href')).toBe(
      'mailto:ida@example.test',
    );
    expect(screen.getByRole('link', { name: '+475550123' }).getAttribute('href')).toBe('tel:+475550123');
    expect(screen.getByText('Shift lead · Site')).toBeDefined();
    expect(await screen.findByRole('link', { name: 'Watch the videos' })).toBeDefined();
  });

  it("shows the text in the person's language", async () => {
    await show(<WelcomeScreen />, configuration, { language: 'fr' });
    expect(await screen.findByText('Attention à la marche.')).toBeDefined();
  });

  it('shows a message if nothing is configured', async () => {
    await show(<WelcomeScreen />, {}, { server: buildServer({}, [], []) });
    expect(await screen.findByText(/has not written a welcome text yet/)).toBeDefined();
    expect(screen.queryByRole('link', { name: 'Watch the videos' })).toBeNull();
    await waitFor(() => expect(screen.queryByRole('heading', { name: 'Contacts' })).toBeNull());
  });
});

describe('video viewer', () => {
  it('[RTE-08:video-viewer] is at /console/video-viewer', async () => {
    await openAt('/console/video-viewer');
    expect((await screen.findByLabelText('Muster points')).getAttribute('src')).toBe('/api/files/1');
  });

  it('[LOC-07] plays the video that the URL names and lists the others', async () => {
    const { user } = await show(<VideoViewerScreen />, configuration, { url: '/console/video-viewer?video=2' });
    expect((await screen.findByLabelText('Lifeboats')).getAttribute('src')).toBe('/api/files/2');
    await user.click(screen.getByRole('tab', { name: 'Muster points' }));
    expect(screen.getByLabelText('Muster points').getAttribute('src')).toBe('/api/files/1');
    expect(window.location.search).toBe('?video=1');
  });

  it('offers captions if the video has them', async () => {
    const items = [
      buildItem(2, 'Lifeboats', { captions: '/api/files/3' }),
      buildItem(4, 'Silent'),
      buildItem(5, 'Map', { video: false, frenchTitle: 'Plan' }),
    ];
    await show(<VideoViewerScreen />, {}, { server: buildServer({}, [], items) });
    const track = (await screen.findByLabelText('Lifeboats')).querySelector('track');
    expect([track?.kind, track?.getAttribute('src'), track?.label]).toEqual(['captions', '/api/files/3', 'Captions']);
    fireEvent.click(screen.getByRole('tab', { name: 'Silent' }));
    expect(screen.getByLabelText('Silent').querySelector('track')).toBeNull();
    fireEvent.click(screen.getByRole('tab', { name: 'Map' }));
    expect(screen.getByRole('img', { name: 'Map' }).getAttribute('src')).toBe('/api/files/5');
  });

  it('[TOUR-15:background] shows an error if a video fails to load, and retries', async () => {
    const { user } = await show(<VideoViewerScreen />);
    fireEvent.error(await screen.findByLabelText('Muster points'));
    expect(screen.getByText('Failed to Retrieve Data')).toBeDefined();
    expect(screen.getByText('Try again after sometime')).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(screen.getByLabelText('Muster points')).toBeDefined();
  });

  it('[ANA-04:no-data] shows a message without videos', async () => {
    await show(<VideoViewerScreen />, {}, { server: buildServer({}, [], []) });
    expect(await screen.findByText('There are no videos yet')).toBeDefined();
  });
});
