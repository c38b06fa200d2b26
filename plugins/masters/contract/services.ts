import { token } from '#core';
import type { Master } from './api.ts';
import type { MasterTypeCode } from './values.ts';

/** The masters, for other plugins' halves on the server. */
export const Masters = token<Masters>('masters.Masters');
export interface Masters {
  /** The active ones of a type, in the order of its list. None where the type itself is inactive. */
  active(type: MasterTypeCode): Promise<readonly Master[]>;
}
