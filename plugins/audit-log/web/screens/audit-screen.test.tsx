import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AuditLogEntry } from '#core/api';
import { buildMe, buildSite, FakeServer, pretendSize, renderScreen } from '#core/testing/web';
import audit from '../index.ts';
import AuditScreen from './audit-screen.tsx';

const lamps = {
  messages: {
    en: async () => ({ default: { 'lamps.setting.colour': 'Colour of lamps' } }),
    fr: async () => ({ default: { 'lamps.setting.colour': 'Couleur des lampes' } }),
  },
};
const plugins = [
  { id: 'audit-log', settings: {}, web: audit, bridges: [] },
  { id: 'lamps', settings: {}, web: lamps, bridges: [] },
];
const buildEntry = (id: number, changes: Partial<AuditLogEntry> = {}): AuditLogEntry => ({
  id: String(id),
  at: '2026-11-20T08:00:00.000Z',
  actor: { uid: 'anna', name: 'Anna Berg' },
  action: 'location.changed',
  subject: 'K',
  name: 'Kestrel A',
  location: 'K',
  details: {
    change: `c${id}`,
    rows: [{ table: 'location', key: { uid: 'K' }, before: { name: 'Kestrel' }, after: { name: 'Kestrel A' } }],
  },
  change: { uid: `c${id}`, undone: false, access: 'configure' },
  ...changes,
});
const toPage = (rows: readonly AuditLogEntry[]) => ({
  status: 200,
  body: { total: rows.length, offset: 0, rows: [...rows] },
});
const allAccess = { flags: ['userManagement', 'configure'] as const, locations: 'ALL' as const, deactivatedRoles: [] };

describe('AuditScreen', () => {
  let restoreSize: () => void;
  beforeEach(() => {
    restoreSize = pretendSize(1200, 600);
  });
  afterEach(() => restoreSize());

  const setup = (
    server: FakeServer,
    { address = '', access = allAccess, ...options }: { address?: string; access?: object; language?: 'fr' } = {},
  ) =>
    renderScreen(<AuditScreen />, {
      ...options,
      plugins,
      server: server.on('GET /api/locations', { status: 200, body: [buildSite('K')] }),
      me: buildMe({ isAdmin: true, access: { ...allAccess, flags: [...allAccess.flags], ...access } }),
      url: `/admin/console/audit-log${address}`,
    });

  it('lists entries in words, and shows an action without a text as it is', async () => {
    const server = new FakeServer().on(
      'GET /api/audit',
      toPage([
        buildEntry(2),
        buildEntry(1, {
          action: 'permits.granted',
          actor: null,
          name: null,
          subject: 'P-7',
          location: null,
          change: null,
        }),
      ]),
    );
    await setup(server);
    const [, first, second] = await screen.findAllByRole('row');
    expect(first!.textContent).toMatch(/Nov 20, 2026.*Anna Berg.*Location was changed.*Kestrel A/);
    expect(second!.textContent).toMatch(/System or not signed in.*permits\.granted.*P-7/);
    expect(within(second!).queryByRole('button', { name: /^Undo/ })).toBeNull();
  });

  it('shows the values before and after', async () => {
    const { user } = await setup(new FakeServer().on('GET /api/audit', toPage([buildEntry(1)])));
    await user.click(await screen.findByRole('button', { name: 'Details: Location was changed, Kestrel A' }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getAllByRole('row').map(({ textContent }) => textContent)).toEqual([
      'FieldBeforeAfter',
      'location K',
      'nameKestrelKestrel A',
    ]);
  });

  it('shows codes of the server in the language of the person', async () => {
    const setting = buildEntry(1, { action: 'configuration.settingSaved', name: 'lamps.setting.colour' });
    const refusal = buildEntry(2, { action: 'code.refused', details: { reason: 'codeWrong', address: '10.0.0.1' } });
    const { user } = await setup(new FakeServer().on('GET /api/audit', toPage([setting, refusal])), { language: 'fr' });
    const [, first, second] = await screen.findAllByRole('row');
    expect(first!.textContent).toMatch(/Un réglage a été enregistré.*Couleur des lampes/);
    await user.click(within(second!).getByRole('button', { name: /^Détails/ }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getAllByRole('row').map(({ textContent }) => textContent)).toEqual([
      'ChampValeur',
      'MotifLe code est incorrect.',
      'address10.0.0.1',
    ]);
  });

  it('undoes a change after a confirmation, and reloads the list', async () => {
    const endpoint = 'POST /api/changes/:change/undo';
    const entry = buildEntry(1);
    const server = new FakeServer().on('GET /api/audit', toPage([entry])).on(endpoint, () => {
      server.on('GET /api/audit', toPage([{ ...entry, change: { uid: 'c1', undone: true, access: 'configure' } }]));
      return { status: 200, body: { change: 'c2' } };
    });
    const { user } = await setup(server);
    await user.click(await screen.findByRole('button', { name: 'Undo: Location was changed, Kestrel A' }));
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Undo' }));
    expect(await screen.findByText('The change was undone.')).toBeDefined();
    expect(server.sentTo(endpoint)[0]!.path).toMatch(/\/c1\/undo$/);
    expect(await screen.findByText('Undone')).toBeDefined();
    expect(screen.queryByRole('button', { name: /^Undo/ })).toBeNull();
  });

  it('asks for confirmation in French, with distinct labels for its two buttons', async () => {
    const entry = buildEntry(1);
    const { user } = await setup(new FakeServer().on('GET /api/audit', toPage([entry])), { language: 'fr' });
    await user.click(await screen.findByRole('button', { name: /^Annuler/ }));
    const answers = within(await screen.findByRole('alertdialog')).getAllByRole('button');
    expect(answers.map(({ textContent }) => textContent).toSorted()).toEqual(['Annuler', 'Annuler la modification']);
  });

  it('keeps the dialog open and shows the reason if a change cannot be undone', async () => {
    const server = new FakeServer().on('GET /api/audit', toPage([buildEntry(1)])).on('POST /api/changes/:change/undo', {
      status: 409,
      body: { code: 'E009', message: 'Changed since.', requestId: 'r' },
    });
    const { user } = await setup(server);
    await user.click(await screen.findByRole('button', { name: /^Undo/ }));
    const dialog = within(await screen.findByRole('alertdialog'));
    await user.click(dialog.getByRole('button', { name: 'Undo' }));
    await waitFor(() => expect(dialog.getByRole('button', { name: 'Undo' })).toHaveProperty('disabled', false));
    expect(screen.queryByText('The change was undone.')).toBeNull();
  });

  it('offers undo only for changes that the person can make', async () => {
    const person = buildEntry(2, {
      action: 'people.changed',
      change: { uid: 'c2', undone: false, access: 'userManagement' },
    });
    const server = new FakeServer().on('GET /api/audit', toPage([person, buildEntry(1)]));
    await setup(server, { access: { flags: ['userManagement'] } });
    await screen.findAllByRole('button', { name: /^Details/ });
    expect(screen.getAllByRole('button', { name: /^Undo/ }).map((button) => button.getAttribute('aria-label'))).toEqual(
      ['Undo: Person was changed, Kestrel A'],
    );
  });

  it('filters by area, text and days in the zone of the product', async () => {
    const server = new FakeServer().on('GET /api/audit', toPage([]));
    const { user } = await setup(server, { address: '?from=2026-11-01&to=2026-11-20' });
    expect(
      await screen.findByText('Nothing matches this search and these days. Change them to see more.'),
    ).toBeDefined();
    await user.selectOptions(screen.getByLabelText('Shown'), 'Sites and contents');
    await user.type(screen.getByLabelText('Person, name or code'), 'anna');
    await waitFor(() =>
      expect(Object.fromEntries(server.sentTo('GET /api/audit').at(-1)!.query)).toMatchObject({
        area: 'CONTENT',
        text: 'anna',
        from: expect.stringMatching(/^2026-(10-31|11-01)T/) as string,
        to: expect.stringMatching(/^2026-11-2[01]T/) as string,
      }),
    );
  });

  it('loads all pages for the CSV file', async () => {
    const files: Blob[] = [];
    vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => (files.push(blob as Blob), '#file'));
    const rows = Array.from({ length: 3 }, (_, index) => buildEntry(index));
    const server = new FakeServer().on('GET /api/audit', ({ query }) => {
      const offset = Number(query.get('offset') ?? 0);
      // A file is loaded in pages of the largest size; this server sends two rows at most.
      const count = query.get('limit') === '1000' ? 2 : 3;
      return { status: 200, body: { total: 3, offset, rows: rows.slice(offset, offset + count) } };
    });
    const { user } = await setup(server);
    await user.click(await screen.findByRole('button', { name: 'Save as CSV' }));
    await waitFor(() =>
      expect(
        server
          .sentTo('GET /api/audit')
          .flatMap(({ query }) => (query.get('limit') === '1000' ? query.get('offset') : [])),
      ).toEqual(['0', '2']),
    );
    expect(await screen.findByRole('button', { name: 'Save as CSV' })).toBeDefined();
    await waitFor(() =>
      expect(files.map(({ type, size }) => [type, size > 300])).toEqual([['text/csv;charset=utf-8', true]]),
    );
    expect(screen.queryByText(/was not saved/)).toBeNull();
  });
});
