import type { QueryExecutorProvider } from 'kysely';
import { token } from '#core';
import type { Master } from './api.ts';
import type { MasterTypeCode } from './values.ts';

/** A kind of references to masters, such as answers of forms. Admins see them before they deactivate a master. */
export interface MasterUse {
  /** Id of a text with the placeholder `count`. */
  readonly message: string;
  /** Counts the references to each of the masters, also in a transaction. Masters without any may be left out. */
  readonly count: (executor: QueryExecutorProvider, masters: readonly string[]) => Promise<ReadonlyMap<string, number>>;
}

/** Reads the masters for the server halves of other plugins. */
export const Masters = token<Masters>('masters.Masters');
export interface Masters {
  /** Lists the active masters of a type by sequence. The list is empty if the type itself is inactive. */
  listActive(type: MasterTypeCode): Promise<readonly Master[]>;
  /** Call it while the plugin is mounted. */
  registerUse(use: MasterUse): void;
}
