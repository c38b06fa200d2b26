import { token } from '#core';
import type { IntlShape } from 'react-intl';

/** The messages that are loaded, for what draws. Observable. */
export const MessageCatalog = token<MessageCatalog>('core.MessageCatalog');
export interface MessageCatalog {
  readonly intl: IntlShape;
  /**
   * Undefined where the plugin's messages of the chosen language are there; else the promise of their coming, the same
   * one for every question.
   */
  prepare(plugin: string): Promise<void> | undefined;
}
