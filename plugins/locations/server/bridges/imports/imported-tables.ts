import type { LocationTables } from '#core/server';
import type { LocationsTables } from '../../tables.ts';

/** The tables that an import writes: core's and those of this plugin. */
export type ImportedTables = LocationsTables & LocationTables;
