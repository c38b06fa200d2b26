import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import type { Language, Product } from '#core';
import type { Tokens } from '#core/api';
import { saveDeviceChoice } from '../kernel/device-choices.ts';
import type { EntryParams } from './entry-params.ts';
import { Activate } from './screens/activate.tsx';
import { ForgotPassword } from './screens/forgot-password.tsx';
import { PasswordLogin } from './screens/password-login.tsx';
import { Register } from './screens/register.tsx';
import { ResetPassword } from './screens/reset-password.tsx';
import { SignOnLogin } from './screens/sign-on-login.tsx';
import { SignOnReturn } from './screens/sign-on-return.tsx';
import type { SignInApi } from './sign-in-api.ts';
import { SignInProvider, type SignInContextValue, type SignInNotice } from './sign-in-context.ts';
import { SignInFailure } from './sign-in-failure.ts';
import { SignInFrame } from './sign-in-frame.tsx';
import { getScreenUrl, findScreen, type SignInScreen } from './sign-in-screen.ts';
import { createFormatMessage } from './sign-in-messages.ts';

export interface SignInAppProps {
  readonly product: Product;
  readonly api: SignInApi;
  /** The prerendered screen. The app keeps later changes in its state. */
  readonly screen: SignInScreen;
  readonly language: Language;
  /**
   * Parameters from the URL and the cookies. They are used after the first paint, because the prerendered page does
   * not contain them.
   */
  readonly entryParams?: EntryParams;
  /** Resumes a session that the browser may have. The form is shown when it fails. */
  readonly resume?: () => Promise<void>;
  readonly onFinish: (tokens: Tokens) => Promise<void>;
}

/** Maximum wait for a session to resume before the form is shown. */
const resumeTimeoutMs = 6_000;

/** The sign-in entry with its seven screens and their shared state. */
export function SignInApp({
  product,
  api,
  screen: initialScreen,
  language: initialLanguage,
  entryParams,
  resume,
  onFinish,
}: SignInAppProps) {
  const [screen, setScreen] = useState(initialScreen);
  const [language, setLanguage] = useState(initialLanguage);
  const [screenNotice, setNotice] = useState<SignInNotice | 'fromEntry' | undefined>('fromEntry');
  const [email, setEmail] = useState(entryParams?.email ?? '');
  const params = useHydrated() ? entryParams : undefined;
  const notice = screenNotice === 'fromEntry' ? params?.notice : screenNotice;
  const nextQuery = params?.next === undefined ? '' : `?next=${encodeURIComponent(params.next)}`;

  useEffect(() => {
    const showForm = () => {
      delete document.documentElement.dataset['resuming'];
      focusFirstEmptyField(entryParams?.email);
    };
    if (resume === undefined) {
      showForm();
      return undefined;
    }
    const timer = setTimeout(showForm, resumeTimeoutMs);
    resume().catch((cause: unknown) => {
      if (cause instanceof SignInFailure && cause.messageId === 'core.signIn.failed.inactive')
        setNotice({ kind: 'failed', messageId: cause.messageId });
      showForm();
    });
    return () => clearTimeout(timer);
  }, [entryParams, resume]);

  useEffect(() => {
    if (document.documentElement.dataset['submitted'] === undefined) return;
    delete document.documentElement.dataset['submitted'];
    // A session that resumes needs no login.
    if (resume === undefined) document.querySelector('form')?.requestSubmit();
  }, [resume]);

  useEffect(() => {
    const handlePopState = () => {
      setScreen(findScreen(location.pathname, product));
      setNotice(undefined);
    };
    addEventListener('popstate', handlePopState);
    return () => removeEventListener('popstate', handlePopState);
  }, [product]);

  useEffect(() => {
    document.documentElement.lang = language;
    document.title = product.title;
  }, [language, product]);

  const contextValue = useMemo<SignInContextValue>(() => {
    const getScreenHref = (to: SignInScreen) => `${getScreenUrl(to)}${nextQuery}`;
    return {
      product,
      api,
      screen,
      language,
      notice,
      email,
      text: createFormatMessage(language),
      passwordScreen: product.login.type === 'EMAIL_PW' ? 'login' : 'adminLogin',
      setEmail,
      setLanguage: (newLanguage) => {
        saveDeviceChoice('language', newLanguage);
        setLanguage(newLanguage);
      },
      openScreen: (to, newNotice) => {
        if (to !== screen) history.pushState(null, '', getScreenHref(to));
        setScreen(to);
        setNotice(newNotice);
      },
      getScreenHref,
      finish: onFinish,
    };
  }, [api, email, nextQuery, language, notice, onFinish, product, screen]);

  return (
    <SignInProvider value={contextValue}>
      <SignInFrame>
        <Screen screen={screen} product={product} />
      </SignInFrame>
    </SignInProvider>
  );
}

function Screen({ screen, product }: { readonly screen: SignInScreen; readonly product: Product }) {
  switch (screen) {
    case 'login':
      return product.login.type === 'EMAIL_PW' ? <PasswordLogin admin={false} /> : <SignOnLogin />;
    case 'adminLogin':
      return <PasswordLogin admin />;
    case 'register':
      return <Register />;
    case 'activate':
      return <Activate />;
    case 'forgot':
      return <ForgotPassword />;
    case 'reset':
      return <ResetPassword />;
    case 'return':
      return <SignOnReturn />;
  }
}

/** Focuses the first empty field that is not prefilled, unless the person already types. */
function focusFirstEmptyField(knownEmail: string | undefined): void {
  const fields = [...document.querySelectorAll<HTMLInputElement>('form input')];
  const isTyping = fields.some(
    (field) => field === document.activeElement && field.value !== '' && field.value !== knownEmail,
  );
  const isPrefilled = (field: HTMLInputElement) =>
    field.name === 'email' && knownEmail !== undefined && knownEmail !== '';
  if (!isTyping) fields.find((field) => field.value === '' && !isPrefilled(field))?.focus();
}

/** False during hydration, then true, so that values of the browser are rendered in a second pass. */
function useHydrated(): boolean {
  return useSyncExternalStore(
    () => () => undefined,
    () => true,
    () => false,
  );
}
