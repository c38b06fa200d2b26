import type { ReactNode } from 'react';
import { useIntl } from 'react-intl';

export type RichValues = Readonly<
  Record<string, string | number | Date | ReactNode | ((chunks: ReactNode) => ReactNode)>
>;

/**
 * A message whose values may be elements:
 * `<Message id="permits.hint" values={{ b: (text) => <strong>{text}</strong> }} />`.
 */
export function Message({ id, values }: { readonly id: string; readonly values?: RichValues }) {
  const intl = useIntl();
  return <>{intl.formatMessage({ id }, values === undefined ? undefined : { ...values })}</>;
}
