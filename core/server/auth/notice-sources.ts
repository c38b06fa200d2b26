import type { Logger } from 'pino';
import { token } from '#core';
import type { Caller } from '../access/caller.ts';

/** Where plugins say whether they have notices for a person, so that browsers load the part that shows them. */
export const NoticeSources = token<NoticeSources>('core.NoticeSources');
export interface NoticeSources {
  /** `load` tells whether there are notices for the caller, now or later. Call it while the plugin is mounted. */
  register(load: (caller: Caller) => Promise<boolean>): void;
  /** Never fails: a source that does counts as one without notices. */
  hasNotices(caller: Caller): Promise<boolean>;
}

export function createNoticeSources(log: Logger): NoticeSources {
  const sources: ((caller: Caller) => Promise<boolean>)[] = [];
  return {
    register: (load) => void sources.push(load),
    hasNotices: async (caller) => {
      const results = await Promise.all(
        sources.map(async (load) => {
          try {
            return await load(caller);
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
