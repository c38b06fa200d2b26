import type { Transaction } from 'kysely';
import type { ServerContext } from '#core/server';
import type { SavedTagRules } from '../../contract/api/tag-rules.ts';
import type { ModelTables } from '../tables.ts';

export const applyTagRulesJob = 'model-3d.apply-tag-rules';
export interface ApplyTagRulesPayload {
  /** Uid of the model. */
  readonly model: string;
}

/**
 * Starts a job that applies the tag rules of each model, in the transaction of the change that makes it necessary. Call
 * `notifyRunners` after the commit.
 */
export async function startTagRulesJobs(
  jobs: ServerContext['jobs'],
  transaction: Transaction<ModelTables>,
  models: readonly string[],
): Promise<void> {
  for (const model of models) {
    const job = await jobs.start<ApplyTagRulesPayload>(applyTagRulesJob, { model }, null, transaction);
    await transaction.updateTable('model').set({ rules_job: job }).where('uid', '=', model).execute();
  }
}

/** Returns the saved rules of a model. The version is 0 if none were saved. */
export async function findTagRules(
  tables: Pick<ServerContext<ModelTables>['tables'], 'selectFrom'>,
  model: string,
): Promise<SavedTagRules> {
  const row = await tables
    .selectFrom('tag_rules')
    .select(['rules', 'version'])
    .where('model', '=', model)
    .executeTakeFirst();
  return row ?? { rules: [], version: 0 };
}
