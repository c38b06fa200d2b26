import { token } from '#core';
import { getSignInContent, type SignInContent } from '#core/api';
import type { CorePart } from '../kernel/core-part.ts';

/** Collects content of plugins for the login screen, which belongs to core. */
export const SignInContents = token<SignInContents>('core.SignInContents');
export interface SignInContents {
  /**
   * `load` runs for every visitor, so it must return public content only. If it rejects, its content is omitted. Call
   * it while the plugin is mounted.
   */
  register(load: () => Promise<Partial<SignInContent>>): void;
}

/** Serves the content of plugins for the login screen. */
export const signInContentPart: CorePart = {
  id: 'sign-in-content',
  migrations: [],
  mount(api, context) {
    const loaders: (() => Promise<Partial<SignInContent>>)[] = [];
    context.provide(SignInContents, { register: (load) => void loaders.push(load) });
    api.serve(getSignInContent, async () => {
      const results = await Promise.allSettled(loaders.map((load) => load()));
      const contents = results.flatMap((result) => {
        if (result.status === 'fulfilled') return [result.value];
        context.log.error(
          { err: result.reason as unknown },
          'Content of a plugin for the login screen could not be loaded.',
        );
        return [];
      });
      const notices = contents.flatMap((content) => content.notices ?? []);
      return {
        backgrounds: contents.flatMap(({ backgrounds = [] }) => backgrounds),
        contacts: contents.flatMap(({ contacts = [] }) => contacts),
        ...(notices.length === 0 ? {} : { notices }),
      };
    });
  },
};
