import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { SecondFactor } from '#core/api';
import { FakeServer, renderApp, renderScreen } from '#core/testing/web';
import account from '../index.ts';
import SecondFactorScreen from './second-factor-screen.tsx';

const plugins = [{ id: 'account', settings: {}, web: account, bridges: [] }];
const off: SecondFactor = { available: true, required: false, since: null, recoveryCodesLeft: 0 };
const on: SecondFactor = { ...off, since: '2026-11-20T08:00:00.000Z', recoveryCodesLeft: 9 };
const address = '/console/settings/second-factor';

const buildServer = (status: SecondFactor) =>
  new FakeServer().on('GET /api/me/second-factor', { status: 200, body: status });
const show = (status: SecondFactor) =>
  renderScreen(<SecondFactorScreen />, { plugins, server: buildServer(status), url: address });
const wrongCode = {
  status: 400,
  body: {
    code: 'E002',
    message: 'x',
    reference: 'r',
    fields: [{ pointer: '/code', message: 'core.validation.secondFactorCode' }],
  },
};

it('[SEC-03] enrols with password and code, and shows the recovery codes once', async () => {
  const server = buildServer(off)
    .on('POST /api/me/second-factor/start', {
      status: 200,
      body: { key: 'ABCDEFGH', address: 'otpauth://totp/Test:ada?secret=ABCDEFGH', enrolment: 'sealed' },
    })
    .on('POST /api/me/second-factor', wrongCode);
  const { user } = await renderApp({ plugins, server, url: address });
  await user.type(await screen.findByLabelText(/^Password/), 'correct horse{Enter}');
  expect(await screen.findByRole('img', { name: /^QR code/ })).toBeDefined();
  expect(screen.getByText('ABCD EFGH')).toBeDefined();
  const code = screen.getByLabelText<HTMLInputElement>(/^Code that the app shows/);
  expect(code.autocomplete).toBe('one-time-code');
  await user.type(code, '123 456{Enter}');
  expect(await screen.findByText(/wrong or was used already/)).toBeDefined();
  expect(code.value).toBe('123 456');
  server.on('POST /api/me/second-factor', { status: 200, body: { recoveryCodes: ['AAAA-BBBB', 'CCCC-DDDD'] } });
  await user.type(code, '{Enter}');
  const codes = within(await screen.findByRole('list', { name: 'Recovery codes' }));
  expect(codes.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(['AAAA-BBBB', 'CCCC-DDDD']);
  expect(server.sentTo('POST /api/me/second-factor').at(-1)?.body).toEqual({ enrolment: 'sealed', code: '123 456' });
  server.on('GET /api/me/second-factor', { status: 200, body: on });
  await user.click(screen.getByRole('button', { name: 'I have kept them' }));
  expect(await screen.findByText(/9 recovery codes are left/)).toBeDefined();
  expect(screen.queryByText('AAAA-BBBB')).toBeNull();
});

it('[SEC-03] renews the recovery codes, and turns the second factor off with password and code', async () => {
  const { user, server } = await show(on);
  server.on('POST /api/me/second-factor/recovery-codes', { status: 200, body: { recoveryCodes: ['EEEE-FFFF'] } });
  const renew = within(await screen.findByRole('region', { name: 'New recovery codes' }));
  await user.type(renew.getByLabelText(/^Code of the app/), '123456{Enter}');
  expect(await screen.findByText('EEEE-FFFF')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'I have kept them' }));
  server.on('POST /api/me/second-factor/off', { status: 200, body: {} });
  const turnOff = within(await screen.findByRole('region', { name: 'Turn off' }));
  await user.click(turnOff.getByRole('button', { name: 'Turn off' }));
  expect(server.sentTo('POST /api/me/second-factor/off')).toHaveLength(0);
  await user.type(turnOff.getByLabelText(/^Password/), 'correct horse');
  await user.type(turnOff.getByLabelText(/^Code of the app/), '123456');
  server.on('GET /api/me/second-factor', { status: 200, body: off });
  await user.click(turnOff.getByRole('button', { name: 'Turn off' }));
  await waitFor(() => expect(screen.getByText(/second factor is off/)).toBeDefined());
  expect(server.sentTo('POST /api/me/second-factor/off')[0]?.body).toEqual({
    password: 'correct horse',
    code: '123456',
  });
});

it('offers no way to turn off a required second factor, and no enrolment without a password', async () => {
  const { unmount } = await show({ ...on, required: true });
  expect(await screen.findByText(/cannot be turned off/)).toBeDefined();
  expect(screen.queryByRole('region', { name: 'Turn off' })).toBeNull();
  unmount();
  await show({ ...off, available: false });
  expect(await screen.findByText(/company account/)).toBeDefined();
});
