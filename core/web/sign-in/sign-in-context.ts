import { createContext, useContext } from 'react';
import type { Language, Product } from '#core';
import type { Tokens } from '#core/api';
import type { SignInApi } from './sign-in-api.ts';
import type { SignInScreen } from './sign-in-screen.ts';
import type { MessageId, FormatMessage } from './sign-in-messages.ts';

/** A line above the form, such as "Your password was changed." */
export interface SignInNotice {
  readonly messageId: MessageId;
  readonly values?: Readonly<Record<string, string | number>>;
  readonly kind: 'done' | 'failed';
  /** The request id in the server's log. */
  readonly reference?: string;
}

/** Shared values of all sign-in screens. */
export interface SignInContextValue {
  readonly product: Product;
  readonly api: SignInApi;
  readonly text: FormatMessage;
  readonly language: Language;
  readonly screen: SignInScreen;
  /** The login for accounts with a password. With single sign-on it is the admin login. */
  readonly passwordScreen: 'login' | 'adminLogin';
  readonly notice: SignInNotice | undefined;
  /** The email from another screen, from a mail's link, or of the last person of this browser. */
  readonly email: string;
  setEmail(email: string): void;
  setLanguage(language: Language): void;
  /** Opens another screen without a page load and keeps the requested URL. */
  openScreen(screen: SignInScreen, notice?: SignInNotice): void;
  /** The URL of a screen, with the requested URL. */
  getScreenHref(screen: SignInScreen): string;
  /** Informs other tabs of the login and opens the application. Stays pending until the page unloads. */
  finish(tokens: Tokens): Promise<void>;
}

const Context = createContext<SignInContextValue | undefined>(undefined);
export const SignInProvider = Context.Provider;

export function useSignIn(): SignInContextValue {
  const value = useContext(Context);
  if (value === undefined) throw new Error('A screen of the sign-in entry is outside <SignInProvider>.');
  return value;
}
