import { token } from '#core';
import type { Master } from './api.ts';
import type { MasterTypeCode } from './values.ts';

/** What refers to masters, such as answers of forms. Admins see it before they deactivate a master. */
export interface MasterUse {
  /** Id of a text with the placeholder `count`. */
  readonly message: string;
  /** Counts what refers to a master, by its uid. */
  readonly count: (master: string) => Promise<number>;
}

/** Reads the masters for the server halves of other plugins. */
export const Masters = token<Masters>('masters.Masters');
export interface Masters {
  /** Lists the active masters of a type in their order. The list is empty if the type itself is inactive. */
  listActive(type: MasterTypeCode): Promise<readonly Master[]>;
  /** Call it while the plugin is mounted. */
  registerUse(use: MasterUse): void;
}
