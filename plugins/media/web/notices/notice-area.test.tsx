import { act, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { FakeServer, FakeServerEvents, renderScreen, type WebSetup } from '#core/testing/web';
import { ServerEvents, type HttpClient, type InstalledPlugin } from '#core/web';
import type { noticesChanged } from '#core/api';
import type { Notice } from '#plugins/media';
import media from '../index.ts';
import NoticeArea from './notice-area.tsx';
import { NoticeStore } from './notice-store.ts';

const plugins: readonly InstalledPlugin[] = [{ id: 'media', settings: {}, web: media, bridges: [] }];
const minute = 60_000;
const at = (minutes: number): string => new Date(Date.now() + minutes * minute).toISOString();
const buildNotice = (text: string, changes: Partial<Notice> = {}): Notice => ({
  uid: text,
  text,
  frenchText: null,
  severity: 'INFO',
  area: 'TOP',
  location: null,
  onLogin: false,
  startsAt: at(-10),
  endsAt: null,
  version: 1,
  ...changes,
});
const buildServer = (...notices: readonly Notice[]) =>
  new FakeServer()
    .on('GET /api/media/shown-notices', { status: 200, body: { now: at(0), notices } })
    .on('PUT /api/media/shown-notices/:notice/dismissal', { status: 200, body: {} });

async function setup(server: FakeServer, changes: WebSetup = {}, area: 'top' | 'bottom' = 'top') {
  const events = new FakeServerEvents();
  const renderedScreen = await renderScreen(<NoticeArea area={area} />, {
    plugins,
    server,
    services: [[ServerEvents, events]],
    ...changes,
  });
  return { ...renderedScreen, events };
}
const listBars = () => [...document.querySelectorAll('.fui-MessageBarBody')].map(({ textContent }) => textContent);

describe('notices of admins', () => {
  it('[ADM-14] [LOC-06] are stacked by severity, and the less severe wait behind a button', async () => {
    const { user, container } = await setup(
      buildServer(
        buildNotice('Old'),
        buildNotice('New', { startsAt: at(-5) }),
        buildNotice('Foot', { area: 'BOTTOM' }),
        buildNotice('Outage', { severity: 'CRITICAL' }),
        buildNotice('Storm', { severity: 'WARNING' }),
        buildNotice('Later', { startsAt: at(5) }),
      ),
    );
    expect(await screen.findByText('Outage')).toBeDefined();
    expect(container.querySelector('[aria-live=polite]')?.textContent).toContain('Outage');
    expect(listBars()).toEqual(['Critical Outage', 'Warning Storm', 'Information New']);
    await user.click(screen.getByRole('button', { name: 'Show one more notice' }));
    expect(listBars().at(-1)).toBe('Information Old');
    await user.click(screen.getByRole('button', { name: 'Show fewer notices' }));
    expect(listBars()).toHaveLength(3);
  });

  it('[ADM-14] [LOC-06] show those of the bottom at the bottom, until an admin takes them back', async () => {
    const foot = buildNotice('Foot', { area: 'BOTTOM' });
    const { events, server } = await setup(buildServer(buildNotice('Head'), foot), {}, 'bottom');
    expect(await screen.findByText('Foot')).toBeDefined();
    expect(listBars()).toEqual(['Information Foot']);
    server.on('GET /api/media/shown-notices', { status: 200, body: { now: at(0), notices: [buildNotice('Head')] } });
    act(() => events.publish<typeof noticesChanged>('core.noticesChanged', {}));
    await waitFor(() => expect(listBars()).toEqual([]));
  });

  it('are shown in the language of the person, and can be hidden unless they are critical', async () => {
    const server = buildServer(
      buildNotice('Outage', { severity: 'CRITICAL' }),
      buildNotice('Storm', { frenchText: 'Tempête' }),
    );
    const { user, events } = await setup(server, { language: 'fr' });
    await user.click(await screen.findByRole('button', { name: 'Masquer\u00a0: Tempête' }));
    expect(listBars()).toEqual(['Critique Outage']);
    expect(screen.queryByRole('button')).toBeNull();
    expect(server.sentTo('PUT /api/media/shown-notices/:notice/dismissal')).toHaveLength(1);
    server.on('GET /api/media/shown-notices', {
      status: 200,
      body: { now: at(0), notices: [buildNotice('Storm', { version: 2 })] },
    });
    act(() => events.publish<typeof noticesChanged>('core.noticesChanged', {}));
    expect(await screen.findByText('Storm')).toBeDefined();
  });
});

describe('NoticeStore', () => {
  afterEach(() => void vi.useRealTimers());

  it('follows changes without extending the session of an unused tab', async () => {
    vi.useFakeTimers();
    const call = vi.fn(async () => ({ now: at(0), notices: [] }));
    const events = new FakeServerEvents();
    const unfollow = new NoticeStore({ call } as unknown as HttpClient, events).follow();
    events.publish<typeof noticesChanged>('core.noticesChanged', {});
    await vi.advanceTimersByTimeAsync(minute);
    unfollow();
    const options = (call.mock.calls as unknown[][]).map((parts) => parts[3]);
    expect(options).toEqual([{ passive: false }, { passive: true }]);
  });

  it('[ADM-14] shows and hides notices at their times by the clock of the server', async () => {
    vi.useFakeTimers();
    const http = {
      call: async () => ({
        now: at(30),
        notices: [
          buildNotice('Ends', { startsAt: at(0), endsAt: at(31) }),
          buildNotice('Begins', { startsAt: at(32) }),
        ],
      }),
    } as unknown as HttpClient;
    const store = new NoticeStore(http, new FakeServerEvents());
    const listTexts = () => store.shownIn('TOP').map(({ text }) => text);
    const unfollow = store.follow();
    await vi.advanceTimersByTimeAsync(minute - 1);
    expect(listTexts()).toEqual(['Ends']);
    await vi.advanceTimersByTimeAsync(1);
    expect(listTexts()).toEqual([]);
    await vi.advanceTimersByTimeAsync(minute);
    expect(listTexts()).toEqual(['Begins']);
    unfollow();
    expect(vi.getTimerCount()).toBe(0);
  });
});
