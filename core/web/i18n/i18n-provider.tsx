import type { ReactNode } from 'react';
import { observer } from 'mobx-react-lite';
import { RawIntlProvider } from 'react-intl';
import { useService } from '../kernel/use-service.ts';
import { MessageCatalog } from '../kernel/message-catalog.ts';

/** Provides the current language to `useText` and `<Message>`. */
export const I18nProvider = observer(function I18nProvider({ children }: { readonly children: ReactNode }) {
  return <RawIntlProvider value={useService(MessageCatalog).intl}>{children}</RawIntlProvider>;
});
