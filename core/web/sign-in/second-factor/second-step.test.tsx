import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { SignInChallenge, SignInContent, Tokens } from '#core/api';
import { buildProduct } from '#core/testing/web';
import type { SignInApi } from '../sign-in-api.ts';
import { SignInApp } from '../sign-in-app.tsx';
import { SignInFailure } from '../sign-in-failure.ts';

const tokens: Tokens = {
  accessToken: 'a',
  refreshToken: 'cookie',
  username: 'ada@example.com',
  isAdmin: true,
  expiresIn: 600,
};

type Post = (path: string, body: object) => Promise<unknown>;

async function openSecondStep(step: SignInChallenge['step'], post: Post, language: 'en' | 'fr' = 'en') {
  const rejectCall = async () => {
    throw new Error('This call was not expected.');
  };
  const calls = vi.fn(post);
  const api: SignInApi = {
    login: async () => ({ challenge: 'secret', step }),
    callSecondFactor: calls as unknown as SignInApi['callSecondFactor'],
    loadContent: async (): Promise<SignInContent> => ({ backgrounds: [], contacts: [] }),
    renew: rejectCall,
    startSignOn: rejectCall,
    exchangeCode: rejectCall,
    register: rejectCall,
    activate: rejectCall,
    requestReset: rejectCall,
    resetPassword: rejectCall,
    resendCode: rejectCall,
  };
  const onFinish = vi.fn(async () => undefined);
  render(<SignInApp product={buildProduct()} api={api} screen="login" language={language} onFinish={onFinish} />);
  const user = userEvent.setup();
  await user.type(screen.getByLabelText(language === 'en' ? 'Email' : 'E-mail'), 'ada@example.com');
  await user.type(screen.getByLabelText(language === 'en' ? 'Password' : 'Mot de passe'), 'correct horse');
  await user.keyboard('{Enter}');
  return { user, post: calls, onFinish };
}

beforeEach(() => {
  window.matchMedia = (query) =>
    Object.assign(new EventTarget(), {
      matches: false,
      media: query,
      onchange: null,
      addListener: () => undefined,
      removeListener: () => undefined,
    });
});
afterEach(cleanup);

it('[SEC-03] asks for a code after the password, and keeps a refused one', async () => {
  const failures = ['core.signIn.failed.code', 'core.signIn.failed.credentials'] as const;
  let attempt = 0;
  const { user, post, onFinish } = await openSecondStep('CODE', async () => {
    const messageId = failures[attempt++];
    if (messageId !== undefined) throw new SignInFailure(messageId);
    return tokens;
  });
  const field = await screen.findByLabelText<HTMLInputElement>('Code');
  expect(document.activeElement).toBe(field);
  expect(field.autocomplete).toBe('one-time-code');
  await user.type(field, '123 456{Enter}');
  expect(await screen.findByText(/wrong or was used already/)).toBeDefined();
  expect(field.value).toBe('123 456');
  await user.keyboard('{Enter}');
  expect(await screen.findByText(/Enter your password again/)).toBeDefined();
  await user.keyboard('{Enter}');
  await waitFor(() => expect(onFinish).toHaveBeenCalledExactlyOnceWith(tokens));
  expect(post.mock.calls[0]).toEqual(['/auth/pub/user/login/second-factor', { challenge: 'secret', code: '123 456' }]);
  await user.click(screen.getByRole('button', { name: 'Back to email and password' }));
  expect(screen.getByLabelText<HTMLInputElement>('Email').value).toBe('ada@example.com');
});

it('[SEC-03] leads through the enrolment to the recovery codes, and only then into the application', async () => {
  const { user, onFinish, post } = await openSecondStep(
    'ENROL',
    async (path) =>
      path.endsWith('/start')
        ? { key: 'ABCDEFGHIJ', address: 'otpauth://totp/Test:ada?secret=ABCDEFGHIJ', enrolment: 'sealed' }
        : { tokens, recoveryCodes: ['AAAA-BBBB', 'CCCC-DDDD'] },
    'fr',
  );
  expect(await screen.findByRole('img', { name: /^Code QR/ })).toBeDefined();
  expect(screen.getByText('ABCD EFGH IJ')).toBeDefined();
  await user.type(screen.getByLabelText('Code affiché par l’application'), '123456{Enter}');
  expect(await screen.findByText('CCCC-DDDD')).toBeDefined();
  expect(post.mock.calls.at(-1)?.[1]).toEqual({ challenge: 'secret', enrolment: 'sealed', code: '123456' });
  expect(onFinish).not.toHaveBeenCalled();
  await user.click(screen.getByRole('button', { name: /Je les ai conservés/ }));
  expect(onFinish).toHaveBeenCalledExactlyOnceWith(tokens);
});

it('offers to start the enrolment again after a failure', async () => {
  let isOffline = true;
  const { user } = await openSecondStep('ENROL', async () => {
    if (isOffline) throw new SignInFailure('core.signIn.failed.offline');
    return { key: 'ABCD', address: 'otpauth://totp/a?secret=ABCD', enrolment: 'sealed' };
  });
  expect(await screen.findByText(/server cannot be reached/)).toBeDefined();
  isOffline = false;
  await user.click(screen.getByRole('button', { name: 'Start again' }));
  expect(await screen.findByText('ABCD')).toBeDefined();
});
