import type { BodyOf } from '#core';
import { versionConflict, notFound, type CallAuthor, type ServerContext } from '#core/server';
import type { MasterTypeCode } from '#plugins/masters';
import type { updateMasterType } from '../../contract/api/master-data.ts';
import { mastersRefusal } from '../../contract/errors.ts';
import { loadTypeDetails } from '../queries/load-type-details.ts';
import type { MastersTables } from '../tables.ts';

export type MastersContext = Pick<ServerContext<MastersTables>, 'tables' | 'changes'>;

/**
 * Activates or deactivates a type with all its masters, which remember their status.
 *
 * @throws `notFound` (404); `versionConflict` (409) with the current type
 */
export function saveMasterType(
  { changes }: MastersContext,
  author: CallAuthor,
  type: MasterTypeCode,
  { active, restore = false, version }: BodyOf<typeof updateMasterType>,
): Promise<{ readonly change: string | null }> {
  const action = active ? 'masters.typeActivated' : 'masters.typeDeactivated';
  return changes.apply(
    author,
    { action, subject: type, name: type, location: '' },
    async ({ tables, lockAndRecord }) => {
      await lockAndRecord('master_type', 'code', [type]);
      const [currentType] = await loadTypeDetails(tables, type);
      if (!currentType) throw notFound('This master type');
      if (currentType.version !== version)
        throw versionConflict(mastersRefusal('masters.refused.changed', { name: type }), currentType);
      if (currentType.active === active) return;
      await lockAndRecord('master', 'type', [type]);
      await tables.updateTable('master_type').set({ active }).where('code', '=', type).execute();
      const masterUpdate = tables.updateTable('master').set({ active, was_active: !active }).where('type', '=', type);
      const selectedUpdate = active
        ? restore
          ? masterUpdate.where('was_active', '=', true)
          : masterUpdate
        : masterUpdate.where('active', '=', true);
      await selectedUpdate.execute();
    },
  );
}
