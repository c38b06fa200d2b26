import { token } from '#core';
import type { IntlShape } from 'react-intl';

/** The loaded messages, for components. Observable. */
export const MessageCatalog = token<MessageCatalog>('core.MessageCatalog');
export interface MessageCatalog {
  readonly intl: IntlShape;
  /**
   * Undefined if the plugin's messages of the current language are loaded; else the promise of loading them, the same
   * one for all callers.
   */
  prepare(plugin: string): Promise<void> | undefined;
}
