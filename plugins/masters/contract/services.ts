import { token } from '#core';
import type { Master } from './api.ts';
import type { MasterTypeCode } from './values.ts';

/** Reads the masters for the server halves of other plugins. */
export const Masters = token<Masters>('masters.Masters');
export interface Masters {
  /** Lists the active masters of a type in their order. The list is empty if the type itself is inactive. */
  listActive(type: MasterTypeCode): Promise<readonly Master[]>;
}
