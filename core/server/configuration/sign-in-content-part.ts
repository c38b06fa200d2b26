import { token } from '#core';
import { getSignInContent, type SignInContent } from '#core/api';
import type { CorePart } from '../kernel/core-part.ts';

/** Where plugins contribute to the login screen, which is a part of core. */
export const SignInContents = token<SignInContents>('core.SignInContents');
export interface SignInContents {
  /**
   * `load` is called for anybody, so it returns only what anybody may see. What it would have returned is left out if
   * it rejects. Call it while the plugin is mounted.
   */
  register(load: () => Promise<Partial<SignInContent>>): void;
}

/** Serves what plugins contribute to the login screen. */
export const signInContentPart: CorePart = {
  id: 'sign-in-content',
  migrations: [],
  mount(api, context) {
    const loaders: (() => Promise<Partial<SignInContent>>)[] = [];
    context.provide(SignInContents, { register: (load) => void loaders.push(load) });
    api.serve(getSignInContent, async () => {
      const results = await Promise.allSettled(loaders.map((load) => load()));
      const parts = results.flatMap((part) => {
        if (part.status === 'fulfilled') return [part.value];
        context.log.error({ err: part.reason as unknown }, 'A part of the login screen could not be loaded.');
        return [];
      });
      const notices = parts.flatMap((part) => part.notices ?? []);
      return {
        backgrounds: parts.flatMap(({ backgrounds = [] }) => backgrounds),
        contacts: parts.flatMap(({ contacts = [] }) => contacts),
        ...(notices.length === 0 ? {} : { notices }),
      };
    });
  },
};
