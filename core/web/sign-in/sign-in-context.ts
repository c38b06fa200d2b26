import { createContext, useContext } from 'react';
import type { Language, Product } from '#core';
import type { Tokens } from '#core/api';
import type { SignInApi } from './sign-in-api.ts';
import type { SignInScreen } from './sign-in-screen.ts';
import type { WordId, Words } from './words.ts';

/** A line above the form, such as "Your password was changed." */
export interface SignInNotice {
  readonly word: WordId;
  readonly values?: Readonly<Record<string, string | number>>;
  readonly kind: 'done' | 'failed';
  /** Finds the server's log line. */
  readonly reference?: string;
}

/** What every screen of the entry needs, composed by hand. */
export interface SignInContextValue {
  readonly product: Product;
  readonly api: SignInApi;
  readonly words: Words;
  readonly language: Language;
  readonly screen: SignInScreen;
  /** Where an account with a password logs in: the login, or the admin login where people sign on elsewhere. */
  readonly passwordScreen: 'login' | 'adminLogin';
  readonly notice: SignInNotice | undefined;
  /** What was typed as email on another screen, or came with the link of a mail, or the last person of this browser. */
  readonly email: string;
  setEmail(email: string): void;
  setLanguage(language: Language): void;
  /** To another screen of the entry, without loading a page; the address first asked for is kept. */
  go(screen: SignInScreen, notice?: SignInNotice): void;
  /** The address of a screen, with what has to be kept. */
  screenHref(screen: SignInScreen): string;
  /** Somebody is signed in: tells the other tabs and goes on. Does not settle before this screen is of no more use. */
  finish(tokens: Tokens): Promise<void>;
}

const Context = createContext<SignInContextValue | undefined>(undefined);
export const SignInProvider = Context.Provider;

export function useSignIn(): SignInContextValue {
  const value = useContext(Context);
  if (value === undefined) throw new Error('A screen of the sign-in entry stands outside <SignInProvider>.');
  return value;
}
