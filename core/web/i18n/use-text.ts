import { useCallback } from 'react';
import { useIntl } from 'react-intl';

export type TextValues = Readonly<Record<string, string | number | Date>>;
/** Formats a message by id. */
export type Text = (id: string, values?: TextValues) => string;

/** Returns a formatter: `t('permits.count', { count: 3 })`. Renders again when the language changes. */
export function useText(): Text {
  const intl = useIntl();
  return useCallback(
    (id, values) => intl.formatMessage({ id }, values === undefined ? undefined : { ...values }),
    [intl],
  );
}
