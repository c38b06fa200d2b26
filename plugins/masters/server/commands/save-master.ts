import type { Transaction } from 'kysely';
import { validationMessages, type BodyOf } from '#core';
import { versionConflict, conflict, invalidRequest, isUniqueViolation, notFound, type CallAuthor } from '#core/server';
import { masterParentTypes, type MasterTypeCode } from '#plugins/masters';
import type { updateMaster, createMaster } from '../../contract/api/master-data.ts';
import { mastersRefusal } from '../../contract/errors.ts';
import { findMasterData } from '../queries/list-master-data.ts';
import type { MastersTables } from '../tables.ts';
import type { MastersContext } from './change-master-type.ts';

/** `change` is the uid of the change in the journal; null if nothing was changed. */
interface ChangeResult {
  readonly change: string | null;
}

type MasterInput = Omit<BodyOf<typeof createMaster>, 'uid' | 'type'>;

/** @throws `invalidRequest` (400) for a wrong status or parent; `conflict` (409) if the name is taken */
export async function addMaster(
  { changes }: MastersContext,
  author: CallAuthor,
  { uid, type, ...input }: BodyOf<typeof createMaster>,
): Promise<ChangeResult> {
  const row = { uid, type, ...toRow(input) };
  try {
    return await changes.apply(
      author,
      { action: 'masters.masterCreated', subject: uid, name: row.name, location: '' },
      async ({ tables, lockAndRecord }) => {
        await lockAndRecord('master', 'uid', [uid]);
        await assertStatusAllowed(tables, type, input.active);
        await assertParentAllowed(tables, type, input.parent);
        await tables.insertInto('master').values(row).execute();
      },
    );
  } catch (cause) {
    if (!isUniqueViolation(cause)) throw cause;
    // A repeated request after a lost reply gets the change that created the master.
    const creation = await changes.findCreation('master', [{ uid, type, name: row.name }]);
    if (creation?.author === author.caller.uid) return { change: creation.change };
    throw isUniqueViolation(cause, 'master_name')
      ? nameTakenConflict(row.name)
      : conflict('A uid of the request is in use.');
  }
}

/**
 * @throws `notFound` (404); `versionConflict` (409) with the current master; `invalidRequest` (400) for a wrong status
 *   or parent; `conflict` (409) if the name is taken
 */
export async function saveMaster(
  { changes }: MastersContext,
  author: CallAuthor,
  uid: string,
  { version, ...input }: BodyOf<typeof updateMaster>,
): Promise<ChangeResult> {
  const row = toRow(input);
  try {
    return await changes.apply(
      author,
      { action: 'masters.masterChanged', subject: uid, name: row.name, location: '' },
      async ({ tables, lockAndRecord }) => {
        await lockAndRecord('master', 'uid', [uid]);
        const currentMaster = await findMasterData(tables, uid);
        if (!currentMaster) throw notFound('This master');
        if (currentMaster.version !== version)
          throw versionConflict(mastersRefusal('masters.refused.changed', { name: currentMaster.name }), currentMaster);
        if (!currentMaster.active) await assertStatusAllowed(tables, currentMaster.type, input.active);
        if (input.parent !== (currentMaster.parent?.uid ?? null))
          await assertParentAllowed(tables, currentMaster.type, input.parent);
        await tables.updateTable('master').set(row).where('uid', '=', uid).execute();
      },
    );
  } catch (cause) {
    throw isUniqueViolation(cause, 'master_name') ? nameTakenConflict(row.name) : cause;
  }
}

const toRow = ({ name, frenchName, active, sequence, parent }: MasterInput) => ({
  name: name.trim(),
  french_name: frenchName?.trim() || null,
  active,
  position: sequence,
  parent,
});

const nameTakenConflict = (value: string) =>
  conflict(mastersRefusal('masters.refused.nameTaken'), [
    { pointer: '/name', message: validationMessages.duplicate, values: { value } },
  ]);

/** @throws `invalidRequest` (400) for an active master of an inactive type */
async function assertStatusAllowed(
  tables: Transaction<MastersTables>,
  type: MasterTypeCode,
  active: boolean,
): Promise<void> {
  if (!active) return;
  const masterType = await tables
    .selectFrom('master_type')
    .select('active')
    .where('code', '=', type)
    .executeTakeFirst();
  if (!masterType?.active)
    throw invalidRequest(mastersRefusal('masters.refused.typeInactive', { type }), [
      { pointer: '/active', message: validationMessages.choice },
    ]);
}

/** @throws `invalidRequest` (400) if the parent is no active master of the parent type */
async function assertParentAllowed(
  tables: Transaction<MastersTables>,
  type: MasterTypeCode,
  parent: string | null,
): Promise<void> {
  if (parent === null) return;
  const parentMaster = await findMasterData(tables, parent);
  if (!parentMaster?.active || parentMaster.type !== masterParentTypes[type])
    throw invalidRequest(mastersRefusal('masters.refused.parent'), [
      { pointer: '/parent', message: validationMessages.choice },
    ]);
}
