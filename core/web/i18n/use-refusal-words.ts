import { useCallback } from 'react';
import { useIntl } from 'react-intl';
import type { LocalizedError } from '#core';

/** What the server keeps and tells of a refusal. */
export interface Told {
  /** In English. */
  readonly message: string | null;
  readonly refusal?: LocalizedError | null;
}

/**
 * Words for why the server refused something, in the person's language. Its English sentence stands where the id has no
 * message here: the refusal was kept before refusals had ids, or the server is newer than this page.
 */
export function useRefusalWords(): (told: Told) => string | null {
  const intl = useIntl();
  return useCallback(
    ({ message, refusal }) => {
      if (!refusal || !(refusal.message in intl.messages)) return message;
      const words = intl.formatMessage({ id: refusal.message }, refusal.values);
      return refusal.where === undefined
        ? words
        : intl.formatMessage({ id: 'core.refusedIn' }, { where: refusal.where, words });
    },
    [intl],
  );
}
