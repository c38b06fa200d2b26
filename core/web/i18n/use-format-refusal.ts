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
    ({ message: englishSentence, refusal }) => {
      if (!refusal || !(refusal.message in intl.messages)) return englishSentence;
      // `where` names the refused item, such as one of several files.
      const { message: id, values, where: itemName } = refusal;
      const sentence = intl.formatMessage({ id }, values);
      return itemName === undefined
        ? sentence
        : intl.formatMessage({ id: 'core.refusedIn' }, { where: itemName, words: sentence });
    },
    [intl],
  );
}
