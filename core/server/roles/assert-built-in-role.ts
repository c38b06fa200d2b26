import { accessFlags, type AccessFlag } from '#core';
import { coreRefusal } from '#core/api';
import { administratorRole } from '../auth/ensure-first-admin.ts';
import { conflict } from '../kernel/server-error.ts';

/**
 * Protects the built-in role. An empty product is set up with it, and it is the last resort if other roles are wrong.
 *
 * @throws `conflict` (409) if a changed role is the built-in one and does not allow everything any more
 */
export function assertBuiltInRole(rows: readonly Readonly<Record<string, unknown>>[]): void {
  const row = rows.find(({ uid }) => uid === administratorRole);
  if (!row) return;
  const flags = row['flags'] as readonly AccessFlag[];
  if (row['status'] === 'ACTIVE' && row['all_locations'] === true && accessFlags.every((flag) => flags.includes(flag)))
    return;
  throw conflict(coreRefusal('core.refused.roleBuiltIn', { name: String(row['name']) }));
}
