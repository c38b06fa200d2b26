import { useCallback } from 'react';
import { useIntl } from 'react-intl';
import type { LocalizedError } from '#core';

/** A refusal as the server stores and sends it. */
export interface RefusalMessage {
  /** The sentence in English. */
  readonly message: string | null;
  readonly refusal?: LocalizedError | null;
}

/**
 * Formats a refusal in the person's language. Falls back to its English sentence for an unknown id: an old stored
 * refusal, or a newer server.
 */
export function useFormatRefusal(): (refusal: RefusalMessage) => string | null {
  const intl = useIntl();
  return useCallback(
    ({ message, refusal }) => {
      if (!refusal || !(refusal.message in intl.messages)) return message;
      const text = intl.formatMessage({ id: refusal.message }, refusal.values);
      return refusal.where === undefined
        ? text
        : intl.formatMessage({ id: 'core.refusedIn' }, { where: refusal.where, words: text });
    },
    [intl],
  );
}
