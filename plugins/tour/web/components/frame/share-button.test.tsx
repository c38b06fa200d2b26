import { screen, waitFor } from '@testing-library/react';
import { act } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { ConnectionLostError, FakeServer, renderScreen, type FakeReply } from '#core/testing/web';
import { captureView, TourStore, TourTools } from '#plugins/tour';
import { decodeViewState } from '#core';
import tourWeb from '../../index.ts';
import { FakeEngine, createServicesWith } from '../../../testing/web/fake-engine.ts';
import { buildTour } from '../../../testing/web/test-tour.ts';
import { ShareButton } from './share-button.tsx';

afterEach(() => vi.unstubAllGlobals());

async function setup({
  reply = { status: 200, body: { code: 'ab23cd45' } },
  phone = false,
  refusesClipboard = false,
}: {
  readonly reply?: FakeReply | (() => FakeReply);
  readonly phone?: boolean;
  readonly refusesClipboard?: boolean;
} = {}) {
  const matchMedia = (query: string) => ({
    matches: phone && query.includes('639px'),
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  });
  vi.stubGlobal('matchMedia', matchMedia);
  const server = new FakeServer()
    .on('GET /api/tour/:location', { status: 200, body: buildTour() })
    .on('GET /api/tour/:location/visited', { status: 200, body: [] })
    .on('PUT /api/tour/:location/visited/:node', { status: 200, body: {} })
    .on('POST /api/tour/:location/links', reply);
  const flush = vi.fn();
  const rendered = await renderScreen(<ShareButton location="unit" flush={flush} />, {
    plugins: [
      { id: 'tour', settings: {}, web: { ...tourWeb, services: createServicesWith(new FakeEngine()) }, bridges: [] },
    ],
    server,
  });
  const { host } = rendered.core;
  const [store, tools] = await Promise.all([host.getService('tour', TourStore), host.getService('tour', TourTools)]);
  await act(async () => {
    await store.open('unit', { module: 'a', node: 'N2', pan: 12 });
  });
  if (refusesClipboard)
    vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValueOnce(new DOMException('', 'NotAllowedError'));
  await rendered.user.click(screen.getByRole('button', { name: 'Share this view' }));
  const field = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Link to this view' });
  return { ...rendered, server, store, tools, flush, field };
}

const shortLink = `${window.location.origin}/dashboard/s/ab23cd45`;

it('[TOUR-23] shares the view by a short link, by mail and as a QR code', async () => {
  const { server, store, tools, flush, field } = await setup();
  expect(flush).toHaveBeenCalled();
  expect(field.value).toBe(shortLink);
  const [{ path, body } = { path: '', body: undefined }] = server.sentTo('POST /api/tour/:location/links');
  expect(path).toContain('/api/tour/unit/links');
  expect(decodeViewState((body as { view: string }).view)).toEqual(captureView(store, tools));
  const mail = new URL(screen.getByRole<HTMLAnchorElement>('link', { name: 'Send by mail' }).href);
  expect([mail.protocol, mail.searchParams.get('subject'), mail.searchParams.get('body')]).toEqual([
    'mailto:',
    'Pump row, Separation',
    shortLink,
  ]);
  expect(await screen.findByRole('img', { name: 'QR code of the link' })).toBeDefined();
});

it('copies the link immediately, and again by its button', async () => {
  const { user } = await setup();
  const copy = await screen.findByRole('button', { name: 'Link copied' });
  await waitFor(() => expect(document.activeElement).toBe(copy));
  expect(await navigator.clipboard.readText()).toBe(shortLink);
  expect((await screen.findByRole('status')).textContent).toBe('Link copied');
  await navigator.clipboard.writeText('');
  await user.keyboard('{Enter}');
  expect(await navigator.clipboard.readText()).toBe(shortLink);
});

it('offers a button if the browser does not permit copying immediately', async () => {
  const { user } = await setup({ refusesClipboard: true });
  await user.click(screen.getByRole('button', { name: 'Copy the link' }));
  expect(await navigator.clipboard.readText()).toBe(shortLink);
});

it('reports that the link could not be copied', async () => {
  const { user } = await setup({ refusesClipboard: true });
  vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValueOnce(new DOMException('', 'NotAllowedError'));
  await user.click(screen.getByRole('button', { name: 'Copy the link' }));
  expect((await screen.findByRole('status')).textContent).toBe('Could not be copied');
});

it.each<[string, FakeReply | (() => FakeReply)]>([
  [
    'does not answer',
    () => {
      throw new ConnectionLostError();
    },
  ],
  ['refuses the view', { status: 400, body: { code: 'E001', message: 'No.' } }],
])('[TOUR-23] offers the full address if the server %s', async (_, reply) => {
  const { field } = await setup({ reply });
  expect(field.value).toBe(window.location.href);
  expect(screen.getByText('A short link could not be created. This is the full address.')).toBeDefined();
});

it('opens a dialog on a phone and closes it', async () => {
  const { user } = await setup({ phone: true });
  expect(screen.getByRole('dialog', { name: 'Share this view' }).getAttribute('aria-modal')).toBe('true');
  await user.click(screen.getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});
