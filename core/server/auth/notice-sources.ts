import type { Logger } from 'pino';
import { token } from '#core';
import type { Caller } from '../access/caller.ts';

/**
 * Collects from plugins whether they have notices for a person. Browsers load the code for notices only if there are
 * any.
 */
export const NoticeSources = token<NoticeSources>('core.NoticeSources');
export interface NoticeSources {
  /**
   * `checkNotices` resolves to true if there are notices for the caller, now or later. Call it while the plugin is
   * mounted.
   */
  register(checkNotices: (caller: Caller) => Promise<boolean>): void;
  /** Never rejects: a source that fails counts as one without notices. */
  hasNotices(caller: Caller): Promise<boolean>;
}

export function createNoticeSources(log: Logger): NoticeSources {
  const sources: ((caller: Caller) => Promise<boolean>)[] = [];
  return {
    register: (checkNotices) => void sources.push(checkNotices),
    hasNotices: async (caller) => {
      const results = await Promise.all(
        sources.map(async (checkNotices) => {
          try {
            return await checkNotices(caller);
          } catch (error) {
            log.error({ err: error }, 'A plugin could not tell whether a person has notices.');
            return false;
          }
        }),
      );
      return results.includes(true);
    },
  };
}
