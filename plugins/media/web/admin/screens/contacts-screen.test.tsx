import { screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { accessFlags } from '#core';
import { buildMe, buildSite, FakeServer, pretendSize, renderApp, renderScreen } from '#core/testing/web';
import type { InstalledPlugin } from '#core/web';
import type { Contact } from '#plugins/media';
import media from '../../index.ts';
import ContactsScreen from './contacts-screen.tsx';

const plugins: readonly InstalledPlugin[] = [{ id: 'media', settings: {}, web: media, bridges: [] }];
const contact: Contact = {
  uid: '0b3c1a52-7d6e-4f7a-9f1e-2f0a8f1d1c11',
  name: 'Ida Holm',
  jobTitle: 'Shift lead',
  category: 'SITE',
  email: null,
  phone: '+4755501234',
  location: 'HB',
  languages: ['Norsk', 'English'],
  sequence: 3,
  onLogin: true,
  version: 4,
};
const buildServer = (contacts: readonly Contact[]) =>
  new FakeServer()
    .on('GET /api/locations', { status: 200, body: [{ ...buildSite('HB'), name: 'Heron Bay' }] })
    .on('GET /api/media/contacts', { status: 200, body: { total: contacts.length, offset: 0, rows: contacts } });
const changeReply = { status: 200, body: { change: 'c1' } };
const setup = (server: FakeServer) => renderScreen(<ContactsScreen />, { plugins, server });

let restoreSize: () => void;
beforeEach(() => {
  restoreSize = pretendSize(1200, 800);
});
afterEach(() => restoreSize());

describe('contact details', () => {
  it.each([true, false])('[RTE-10:upload-contact-details] are shown only with the flag import (%s)', async (has) => {
    const flags = accessFlags.filter((flag) => has || flag !== 'import');
    const me = buildMe({ isAdmin: true, access: { flags, locations: 'ALL', deactivatedRoles: [] } });
    await renderApp({ plugins, server: buildServer([]), url: '/admin/console/upload-contact-details', me });
    const heading = await screen.findByRole('heading', { level: 1 });
    expect(heading.textContent === 'Contact details').toBe(has);
  });

  it('[ADM-13:contact-details] are created with an email address or a phone number', async () => {
    const server = buildServer([]).on('PUT /api/media/contacts/:contact', changeReply);
    const { user } = await setup(server);
    expect(await screen.findByText('There are no contacts yet')).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Add contact' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Add contact' }));
    await user.type(dialog.getByRole('textbox', { name: 'Name' }), 'Jo Doe');
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    expect(dialog.getByText('Enter an email address or a phone number')).toBeDefined();
    await user.type(dialog.getByRole('textbox', { name: 'Phone' }), '0555');
    await user.tab();
    expect(dialog.getByText('Enter a valid phone number')).toBeDefined();
    await user.clear(dialog.getByRole('textbox', { name: 'Phone' }));
    await user.type(dialog.getByRole('textbox', { name: 'Phone' }), '+4755501234');
    await user.type(dialog.getByRole('textbox', { name: /^Languages/ }), 'Norsk; English');
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Last change: Jo Doe was saved')).toBeDefined();
    const [sent] = server.sentTo('PUT /api/media/contacts/:contact');
    expect(sent!.body).toMatchObject({
      name: 'Jo Doe',
      email: null,
      phone: '+4755501234',
      location: null,
      languages: ['Norsk', 'English'],
      version: 0,
    });
  });

  it('label their values in stacked cells', async () => {
    restoreSize();
    restoreSize = pretendSize(390, 800);
    await setup(buildServer([contact]));
    const row = within(
      (await screen.findByRole('button', { name: 'Edit Ida Holm' })).closest<HTMLElement>('[role=row]')!,
    );
    const texts = row.getAllByRole('gridcell').map(({ textContent }) => textContent);
    expect(texts.slice(1, 4)).toEqual(['CategorySite', 'Reach+4755501234', 'LocationHeron BayOn the login screen']);
  });

  it('keep the input if somebody else has changed the contact, and are deleted with undo', async () => {
    const server = buildServer([contact])
      .on('PUT /api/media/contacts/:contact', {
        status: 409,
        body: { code: 'E007', message: 'Refused.', reference: 'r1', current: { ...contact, version: 9 } },
      })
      .on('DELETE /api/media/contacts/:contact', changeReply)
      .on('POST /api/changes/:change/undo', { status: 200, body: { change: 'c2' } });
    const { user } = await setup(server);
    await user.click(await screen.findByRole('button', { name: 'Edit Ida Holm' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit Ida Holm' }));
    await user.type(dialog.getByRole('textbox', { name: 'Job title' }), ' B');
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    expect(await dialog.findByText(/Somebody else has changed this contact/)).toBeDefined();
    server.on('PUT /api/media/contacts/:contact', changeReply);
    await user.click(dialog.getByRole('button', { name: 'Save mine' }));
    expect(await screen.findByText('Last change: Ida Holm was saved')).toBeDefined();
    const sentBodies = server.sentTo('PUT /api/media/contacts/:contact').map(({ body }) => body);
    expect(sentBodies).toMatchObject([
      { version: 4 },
      { version: 9, jobTitle: 'Shift lead B', location: 'HB', sequence: 3 },
    ]);
    await user.click(await screen.findByRole('button', { name: 'Delete Ida Holm' }));
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Delete' }));
    const line = (await screen.findByText('Last change: Ida Holm was deleted')).parentElement!;
    await user.click(await within(line).findByRole('button', { name: 'Undo' }));
    expect(await screen.findByText('Last change: The deletion of Ida Holm was undone')).toBeDefined();
  });
});
