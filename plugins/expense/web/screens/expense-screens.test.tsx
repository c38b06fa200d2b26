import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  buildMe,
  buildSite,
  FakeServer,
  pretendSize,
  renderApp,
  renderScreen,
  type FakeReply,
} from '#core/testing/web';
import type { ExpenseEstimation } from '../../contract/api.ts';
import expense from '../index.ts';
import EstimationScreen from './estimation-screen.tsx';
import ExpenseScreen from './expense-screen.tsx';

const plugins = [{ id: 'expense', settings: {}, web: expense, bridges: [] }];
const empty: ExpenseEstimation = {
  location: 'H',
  fixedCost: null,
  perDiem: null,
  tripDays: null,
  tourHours: null,
  version: 0,
};
const kestrel: ExpenseEstimation = {
  location: 'K',
  fixedCost: 1_234_567.5,
  perDiem: 250,
  tripDays: 3,
  tourHours: 2,
  version: 4,
};
const changedReply: FakeReply = { status: 200, body: { change: 'c1' } };

const buildServer = () =>
  new FakeServer()
    .on('GET /api/locations', {
      status: 200,
      body: [
        { ...buildSite('K'), name: 'Kestrel' },
        { ...buildSite('H'), name: 'Heron' },
      ],
    })
    .on('GET /api/expense', { status: 200, body: { total: 2, offset: 0, rows: [empty, kestrel] } })
    .on('GET /api/expense/:location', ({ path }) => ({ status: 200, body: path.endsWith('K') ? kestrel : empty }));

describe('screens of expense estimations', () => {
  let restoreSize: () => void;
  beforeEach(() => {
    restoreSize = pretendSize(1200, 600);
  });
  afterEach(() => restoreSize());
  const me = buildMe({ isAdmin: true, access: { flags: ['configure'], locations: 'ALL', deactivatedRoles: [] } });

  it.each([
    ['[RTE-12:expense-estimation]', 'expense-estimation', 'Expense estimation'],
    ['[RTE-12:manage-expense-estimation]', 'manage/expense-estimation?location=K', 'Kestrel'],
  ])('%s opens %s', async (_, path, heading) => {
    await renderApp({ plugins, server: buildServer(), url: `/admin/console/${path}`, me });
    expect(await screen.findByRole('heading', { level: 1, name: heading })).toBeDefined();
  });

  it('[ACC-02:configure] shows no estimations without the flag', async () => {
    const server = buildServer();
    await renderApp({
      plugins,
      server,
      url: '/admin/console/expense-estimation',
      me: buildMe({ isAdmin: true, access: { flags: [], locations: 'ALL', deactivatedRoles: [] } }),
    });
    expect(server.sentTo('GET /api/expense')).toEqual([]);
  });

  it.each([
    ['en', ['12,34,567.50', '250.00', '3.00', '2.00'], 'Missing', 'Estimation'],
    ['fr', ['12 34 567,50', '250,00', '3,00', '2,00'], 'Absente', 'Estimation'],
  ] as const)(
    '[ADM-08] lists sites with figures of two decimals in %s',
    async (language, figures, missingText, filter) => {
      const server = buildServer();
      const { user } = await renderScreen(<ExpenseScreen />, { plugins, server, me, language });
      const [, first, second] = await screen.findAllByRole('row');
      expect(first!.textContent).toContain(`HeronH${missingText}`);
      const cells = within(second!).getAllByRole('gridcell');
      expect(cells[0]!.textContent).toBe('KestrelK');
      expect(cells.slice(1, 5).map(({ textContent }) => textContent.replaceAll(/\s/g, ' '))).toEqual(figures);
      await user.selectOptions(screen.getByRole('combobox', { name: filter }), missingText);
      await waitFor(() => expect(server.sentTo('GET /api/expense').at(-1)!.query.get('state')).toBe('MISSING'));
    },
  );

  it('[VAL-01] [VAL-03] [VAL-07] checks the figures, and saves and deletes them', async () => {
    const server = buildServer()
      .on('PUT /api/expense/:location', changedReply)
      .on('DELETE /api/expense/:location', changedReply);
    const { user } = await renderScreen(<EstimationScreen />, {
      plugins,
      server,
      me,
      url: '/admin/console/manage/expense-estimation?location=H',
    });
    const type = async (name: string, text: string): Promise<void> => {
      const field = await screen.findByRole('textbox', { name });
      await user.clear(field);
      await user.type(field, text);
    };
    await type('Fixed cost per trip ($)', '-1');
    await type('Per diem cost ($)', '1.005');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Negative values are not allowed')).toBeDefined();
    expect(screen.getByText('Enter only 2 decimal value(s)')).toBeDefined();
    expect(screen.getAllByText('This is Mandatory')).toHaveLength(2);
    await type('Fixed cost per trip ($)', '1500');
    await type('Per diem cost ($)', '250.5');
    await type('Average physical trip duration (days)', '3');
    await type('Tour hours equal to 1 physical day', '2');
    server.on('GET /api/expense/:location', { status: 200, body: { ...kestrel, location: 'H' } });
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect((await screen.findAllByText(/The estimation of Heron was saved\./)).length).toBeGreaterThan(0);
    expect(server.sentTo('PUT /api/expense/:location')[0]!.body).toEqual({
      fixedCost: 1500,
      perDiem: 250.5,
      tripDays: 3,
      tourHours: 2,
      version: 0,
    });
    await user.click(screen.getByRole('button', { name: 'Delete the estimation' }));
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(server.sentTo('DELETE /api/expense/:location')[0]!.query.get('version')).toBe('4'));
  });

  it('keeps the input if another person has changed the estimation', async () => {
    const server = buildServer();
    let attempts = 0;
    server.on('PUT /api/expense/:location', () =>
      (attempts += 1) === 1
        ? {
            status: 409,
            body: {
              code: 'E007',
              message: 'Changed.',
              reference: 'r1',
              current: { ...kestrel, perDiem: 99, version: 5 },
            },
          }
        : changedReply,
    );
    const { user } = await renderScreen(<EstimationScreen />, {
      plugins,
      server,
      me,
      url: '/admin/console/manage/expense-estimation?location=K',
    });
    const hours = await screen.findByRole('textbox', { name: 'Tour hours equal to 1 physical day' });
    await user.clear(hours);
    await user.type(hours, '4');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Per diem cost ($): 99.00')).toBeDefined();
    expect(hours).toHaveProperty('value', '4');
    await user.click(screen.getByRole('button', { name: 'Save my version' }));
    await waitFor(() =>
      expect(server.sentTo('PUT /api/expense/:location').at(-1)!.body).toMatchObject({ tourHours: 4, version: 5 }),
    );
  });
});
