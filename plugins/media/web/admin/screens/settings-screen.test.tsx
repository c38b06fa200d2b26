import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { accessFlags } from '#core';
import type { ProviderTest, SettingsOverview } from '#core/api';
import { buildMe, buildProduct, FakeServer, renderApp } from '#core/testing/web';
import type { InstalledPlugin } from '#core/web';
import media from '../../index.ts';

const plugins: readonly InstalledPlugin[] = [{ id: 'media', settings: { size: 3 }, web: media, bridges: [] }];
const overview: SettingsOverview = {
  stored: [
    { key: 'media.welcomeText', count: 2, changedBy: 'Ida Holm', changedAt: '2026-01-10T08:00:00.000Z' },
    { key: 'media.contactDetail', count: 0, changedBy: null, changedAt: null },
    { key: 'media.images', count: 3, changedBy: 'Ida Holm', changedAt: '2026-01-11T08:00:00.000Z' },
    { key: 'media.imagesAndVideo', count: 4, changedBy: 'Per Lie', changedAt: '2026-01-12T08:00:00.000Z' },
  ],
  providers: [
    {
      id: 'first',
      issuer: 'https://login.example.com',
      clientId: 'acme',
      mailDomains: [],
      variables: 'WALKDOWN_OIDC_FIRST_',
    },
  ],
  returnAddress: 'https://tours.example.com/dashboard/login/return',
  environment: [
    { variable: 'LOG_LEVEL', isSet: false, value: 'info' },
    { variable: 'WALKDOWN_TOKEN_SECRET', isSet: true, value: null },
  ],
};
const steps: ProviderTest['steps'] = [
  { step: 'DISCOVERY', outcome: 'OK', problem: null, detail: '' },
  { step: 'ISSUER', outcome: 'FAILED', problem: 'OTHER_ISSUER', detail: 'https://other.example' },
  { step: 'KEYS', outcome: 'OK', problem: null, detail: '' },
  { step: 'CLOCK', outcome: 'SKIPPED', problem: 'NO_CLOCK', detail: '' },
];
const buildServer = () =>
  new FakeServer()
    .on('GET /api/settings', { status: 200, body: overview })
    .on('POST /api/settings/providers/:provider/test', { status: 200, body: { steps } });
const open = (server = buildServer(), has = true) =>
  renderApp({
    plugins,
    server,
    url: '/admin/console/settings',
    me: buildMe({
      isAdmin: true,
      access: {
        flags: accessFlags.filter((flag) => has || flag !== 'configure'),
        locations: 'ALL',
        deactivatedRoles: [],
      },
    }),
    product: buildProduct({ login: { type: 'AD', providers: [{ id: 'first', label: 'Contoso account' }] } }),
  });
const readRow = (name: string) =>
  within(screen.getByRole('rowheader', { name }).closest('tr')!)
    .getAllByRole('cell')
    .map(({ textContent }) => textContent);

describe('settings', () => {
  it('[RTE-10:settings] [ADM-11] show the effective values, their sources and the people who changed them', async () => {
    await open();
    expect((await screen.findByRole('heading', { level: 1 })).textContent).toBe('Settings');
    await screen.findByRole('rowheader', { name: 'Welcome text' });
    expect(readRow('Welcome text')).toEqual(['In 2 languages', 'Database', expect.stringMatching(/^Ida Holm, /)]);
    expect(readRow('Contact details')).toEqual(['None', 'Default', 'Not changed yet']);
    expect(readRow('Images (backgrounds)')).toEqual(['3 images', 'Database', expect.stringMatching(/^Ida Holm, /)]);
    expect(readRow('Images and videos')).toEqual([
      '4 images and videos',
      'Database',
      expect.stringMatching(/^Per Lie, /),
    ]);
    const readLink = (name: string) => screen.getByRole('link', { name }).getAttribute('href');
    expect(readLink('Welcome text')).toMatch(/console\/welcome-text$/);
    expect(readLink('Contact details')).toMatch(/console\/upload-contact-details$/);
    expect(readLink('Images (backgrounds)')).toMatch(/console\/bg-upload$/);
    expect(readLink('Images and videos')).toMatch(/console\/upload-images$/);
    const providers = within(screen.getByRole('region', { name: 'OAuth config (single sign-on)' }));
    expect(providers.getByRole('group', { name: 'Contoso account' })).toBeDefined();
    expect(readRow('LOG_LEVEL')).toEqual(['info', 'Default']);
    expect(readRow('WALKDOWN_TOKEN_SECRET')).toEqual(['Set', 'Environment']);
    expect(readRow('Plugin media')[0]).toBe('{"size":3}');
  });

  it('are hidden without the flag configure', async () => {
    await open(buildServer(), false);
    expect((await screen.findByRole('heading', { level: 1 })).textContent).not.toBe('Settings');
  });

  it('test an identity provider and show the failed step', async () => {
    const server = buildServer();
    const { user } = await open(server);
    const card = within(await screen.findByRole('group', { name: 'Contoso account' }));
    expect(card.getByText('https://login.example.com')).toBeDefined();
    await user.click(card.getByRole('button', { name: 'Test connection' }));
    expect(await card.findByText(/The provider names itself https:\/\/other.example/)).toBeDefined();
    expect(card.getAllByRole('listitem').map(({ textContent }) => textContent?.split('The provider')[0])).toEqual([
      'OK Discovery document',
      'Failed Issuer',
      'OK Keys (JWKS)',
      'Skipped Clock',
    ]);
    server.on('POST /api/settings/providers/:provider/test', {
      status: 503,
      body: { code: 'E010', message: 'Busy.', reference: 'r1' },
    });
    await user.click(card.getByRole('button', { name: 'Test connection' }));
    expect(await card.findByText(/./, { selector: '.fui-MessageBarBody' })).toBeDefined();
    expect(card.queryAllByRole('listitem')).toEqual([]);
  });
});
