import { token } from '#core';
import type { IntlShape } from 'react-intl';

/** The loaded messages, for components. Observable. */
export const MessageCatalog = token<MessageCatalog>('core.MessageCatalog');
export interface MessageCatalog {
  readonly intl: IntlShape;
  /**
   * Loads the plugin's messages of the current language. Undefined if they are loaded, else a promise that all callers
   * share.
   */
  loadMessages(plugin: string): Promise<void> | undefined;
}
