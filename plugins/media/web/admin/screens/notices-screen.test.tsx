import { fireEvent, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { accessFlags } from '#core';
import { buildMe, buildProduct, buildSite, FakeServer, pretendSize, renderApp, renderScreen } from '#core/testing/web';
import type { InstalledPlugin } from '#core/web';
import type { Notice } from '#plugins/media';
import media from '../../index.ts';
import NoticesScreen from './notices-screen.tsx';

const plugins: readonly InstalledPlugin[] = [{ id: 'media', settings: {}, web: media, bridges: [] }];
const notice: Notice = {
  uid: '0b3c1a52-7d6e-4f7a-9f1e-2f0a8f1d1c11',
  text: 'Crane work',
  frenchText: null,
  severity: 'WARNING',
  area: 'BOTTOM',
  location: null,
  onLogin: true,
  startsAt: '2026-01-10T08:00:00.000Z',
  endsAt: '2026-01-10T18:00:00.000Z',
  version: 4,
};
const changeReply = { status: 200, body: { change: 'c1' } };
const buildServer = (notices: readonly Notice[]) =>
  new FakeServer()
    .on('GET /api/locations', { status: 200, body: [{ ...buildSite('HB'), name: 'Heron Bay' }] })
    .on('GET /api/media/notices', { status: 200, body: { total: notices.length, offset: 0, rows: notices } })
    .on('PUT /api/media/notices/:notice', changeReply)
    .on('DELETE /api/media/notices/:notice', changeReply);
const setup = (server: FakeServer) =>
  renderScreen(<NoticesScreen />, { plugins, server, product: buildProduct({ timeZone: 'Asia/Kolkata' }) });

let restoreSize: () => void;
beforeEach(() => {
  restoreSize = pretendSize(1200, 800);
});
afterEach(() => restoreSize());

describe('notices', () => {
  it.each([true, false])('are shown only with the flag configure (%s)', async (has) => {
    const flags = accessFlags.filter((flag) => has || flag !== 'configure');
    const me = buildMe({ isAdmin: true, access: { flags, locations: 'ALL', deactivatedRoles: [] } });
    await renderApp({ plugins, server: buildServer([]), url: '/admin/console/notices', me });
    const heading = await screen.findByRole('heading', { level: 1 });
    expect(heading.textContent === 'Notices').toBe(has);
  });

  it('for everybody are read-only for an admin of one location, with the reason', async () => {
    const me = buildMe({ isAdmin: true, access: { flags: [...accessFlags], locations: ['HB'], deactivatedRoles: [] } });
    const server = buildServer([
      { ...notice, location: null },
      { ...notice, uid: 'n2', location: 'HB' },
    ]);
    await renderScreen(<NoticesScreen />, { plugins, server, product: buildProduct({ timeZone: 'UTC' }), me });
    expect(await screen.findByText('Changed by admins of all locations')).toBeDefined();
    expect(screen.getAllByRole('button', { name: /^Take back/ })).toHaveLength(1);
  });

  it('[ADM-14] are written with times of the named time zone', async () => {
    const server = buildServer([]);
    const { user } = await setup(server);
    expect(await screen.findByText('There are no notices yet')).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Write notice' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Write notice' }));
    fireEvent.change(dialog.getByRole('textbox', { name: 'Text' }), { target: { value: 'Power is off' } });
    expect(dialog.getByText('In the time zone Asia/Kolkata')).toBeDefined();
    fireEvent.change(dialog.getByLabelText(/^From/), { target: { value: '2027-03-01T08:00' } });
    fireEvent.change(dialog.getByLabelText('Until'), { target: { value: '2027-03-01T07:00' } });
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    expect(dialog.getByText('The end must be after the start')).toBeDefined();
    fireEvent.change(dialog.getByLabelText('Until'), { target: { value: '2027-03-01T09:00' } });
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Last change: The notice was saved')).toBeDefined();
    expect(server.sentTo('PUT /api/media/notices/:notice').map(({ body }) => body)).toEqual([
      {
        text: 'Power is off',
        frenchText: null,
        severity: 'INFO',
        area: 'TOP',
        location: null,
        onLogin: false,
        startsAt: '2027-03-01T02:30:00.000Z',
        endsAt: '2027-03-01T03:30:00.000Z',
        version: 0,
      },
    ]);
  });

  it('[ADM-14] keep the input if somebody else has changed the notice, and can be taken back', async () => {
    const server = buildServer([notice]).on('PUT /api/media/notices/:notice', {
      status: 409,
      body: { code: 'E007', message: 'Refused.', reference: 'r1', current: { ...notice, text: 'Theirs', version: 9 } },
    });
    const { user } = await setup(server);
    await user.click(await screen.findByRole('button', { name: 'Edit: Crane work' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit notice' }));
    fireEvent.change(dialog.getByRole('textbox', { name: 'Text' }), { target: { value: 'Crane work until noon' } });
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    expect(await dialog.findByText('Theirs')).toBeDefined();
    server.on('PUT /api/media/notices/:notice', changeReply);
    await user.click(dialog.getByRole('button', { name: 'Save mine' }));
    expect(await screen.findByText('Last change: The notice was saved')).toBeDefined();
    const sentBodies = server.sentTo('PUT /api/media/notices/:notice').map(({ body }) => body);
    expect(sentBodies).toMatchObject([
      { version: 4, startsAt: notice.startsAt, endsAt: notice.endsAt },
      { version: 9, text: 'Crane work until noon', onLogin: true },
    ]);
    await user.click(await screen.findByRole('button', { name: 'Take back: Crane work' }));
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Take back' }));
    expect(await screen.findByText('Last change: The notice was taken back')).toBeDefined();
    const [deletion] = server.sentTo('DELETE /api/media/notices/:notice');
    expect([deletion?.path, deletion?.query.get('version')]).toEqual([`/api/media/notices/${notice.uid}`, '4']);
  });
});
