import { screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { accessFlags } from '#core';
import { buildMe, ConnectionLostError, FakeServer, pretendSize, renderApp, renderScreen } from '#core/testing/web';
import type { InstalledPlugin } from '#core/web';
import type { MediaItem } from '#plugins/media';
import media from '../../index.ts';
import ItemsScreen from './items-screen.tsx';

const plugins: readonly InstalledPlugin[] = [{ id: 'media', settings: {}, web: media, bridges: [] }];
const video: MediaItem = {
  uid: '0b3c1a52-7d6e-4f7a-9f1e-2f0a8f1d1c11',
  title: 'Lifeboats',
  frenchTitle: null,
  address: '/api/files/1',
  video: true,
  captions: '/api/files/2',
  sequence: 1,
  version: 4,
};
const buildServer = (items: readonly MediaItem[]) =>
  new FakeServer().on('GET /api/media/items', {
    status: 200,
    body: { total: items.length, offset: 0, rows: items },
  });
const changeReply = { status: 200, body: { change: 'c1' } };
const setup = (server: FakeServer) => renderScreen(<ItemsScreen />, { plugins, server });

let restoreSize: () => void;
beforeEach(() => {
  restoreSize = pretendSize(1200, 800);
});
afterEach(() => restoreSize());

describe('images and videos', () => {
  it.each([true, false])('[RTE-10:upload-images] are shown only with the flag import (%s)', async (has) => {
    const flags = accessFlags.filter((flag) => has || flag !== 'import');
    const me = buildMe({ isAdmin: true, access: { flags, locations: 'ALL', deactivatedRoles: [] } });
    await renderApp({ plugins, server: buildServer([]), url: '/admin/console/upload-images', me });
    const heading = await screen.findByRole('heading', { level: 1 });
    expect(heading.textContent === 'Images and videos').toBe(has);
  });

  it('[ADM-13:images] are uploaded, and tried again with the same uid after a lost connection', async () => {
    const server = buildServer([]).on('POST /api/media/items/:item/file', () => {
      throw new ConnectionLostError();
    });
    const { user } = await setup(server);
    expect(await screen.findByText('There are no images and videos yet')).toBeDefined();
    await user.upload(screen.getByTestId('file-input'), new File(['x'], 'map.png', { type: 'image/png' }));
    const retryButton = await screen.findByRole('button', { name: 'Try again' });
    server.on('POST /api/media/items/:item/file', changeReply);
    await user.click(retryButton);
    expect(await screen.findByText('Last change: map.png was added')).toBeDefined();
    const paths = server.sentTo('POST /api/media/items/:item/file').map(({ path }) => path);
    expect([paths.length, new Set(paths).size]).toEqual([2, 1]);
  });

  it('[ADM-13:images] are named, captioned and deleted', async () => {
    const server = buildServer([video])
      .on('PUT /api/media/items/:item', changeReply)
      .on('POST /api/media/items/:item/captions', changeReply)
      .on('DELETE /api/media/items/:item', changeReply);
    const { user } = await setup(server);
    expect(await screen.findByText('Video with captions')).toBeDefined();
    await user.click(await screen.findByRole('button', { name: 'Edit Lifeboats' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit Lifeboats' }));
    await user.type(dialog.getByRole('textbox', { name: 'French title' }), 'Canots');
    await user.click(dialog.getByRole('checkbox', { name: 'Keep the captions' }));
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Last change: Lifeboats was saved')).toBeDefined();
    expect(server.sentTo('PUT /api/media/items/:item')[0]!.body).toEqual({
      title: 'Lifeboats',
      frenchTitle: 'Canots',
      sequence: 1,
      captions: false,
      version: 4,
    });
    await user.click(await screen.findByRole('button', { name: 'Edit Lifeboats' }));
    const secondDialog = within(await screen.findByRole('dialog', { name: 'Edit Lifeboats' }));
    await user.upload(secondDialog.getByTestId('file-input'), new File(['WEBVTT'], 'a.vtt', { type: 'text/vtt' }));
    await user.click(await screen.findByRole('button', { name: 'Delete Lifeboats' }));
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Delete' }));
    expect(await screen.findByText('Last change: Lifeboats was deleted')).toBeDefined();
    expect(server.sentTo('POST /api/media/items/:item/captions')[0]!.query.get('version')).toBe('4');
  });
});
