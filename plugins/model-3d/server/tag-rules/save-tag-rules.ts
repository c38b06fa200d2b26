import type { BodyOf, ReplyOf } from '#core';
import { versionConflict, type ChangeAuthor, type Caller, type ServerContext } from '#core/server';
import type { getTagRules, saveTagRules } from '../../contract/api/tag-rules.ts';
import { modelRefusal } from '../../contract/errors.ts';
import { getModel, type ModelContext } from '../queries/models.ts';
import type { ModelTables } from '../tables.ts';
import { findTagRules, startTagRulesJobs } from '../jobs/start-tag-rules.ts';
import { compileRules } from './rule-texts.ts';

type SaveContext = ModelContext & Pick<ServerContext<ModelTables>, 'changes' | 'jobs'>;

/** Registers the rules for undo. Starts a job that applies them after each change and each undo. */
export function registerTagRules({ changes, jobs }: Pick<SaveContext, 'changes' | 'jobs'>): void {
  changes.register({
    tables: { tag_rules: { key: ['model'], version: 'version' }, mapping: { key: ['model', 'object', 'kind'] } },
    settle: (transaction, { tag_rules: rules = [] }) =>
      startTagRulesJobs(
        jobs,
        transaction,
        rules.flatMap(({ model }) => (typeof model === 'string' ? [model] : [])),
      ),
  });
}

/** @throws 404 if the caller cannot access the model */
export async function readTagRules(
  context: SaveContext,
  caller: Caller,
  uid: string,
): Promise<ReplyOf<typeof getTagRules>> {
  await getModel(context, caller, uid);
  const { tables, jobs } = context;
  const [{ attribute_paths: paths, rules_job: jobId }, savedRules] = await Promise.all([
    tables
      .selectFrom('model')
      .select(['attribute_paths', 'rules_job'])
      .where('uid', '=', uid)
      .executeTakeFirstOrThrow(),
    findTagRules(tables, uid),
  ]);
  const job = jobId === null ? undefined : await jobs.find(jobId);
  return {
    ...savedRules,
    paths,
    job: job?.status === 'INPROGRESS' ? { done: job.done, total: job.total } : null,
    failure: job?.result === 'FAILED' ? { message: job.message, refusal: job.refusal } : null,
  };
}

/**
 * Saves the rules of a model, and applies them in a job.
 *
 * @throws 404 if the caller cannot access the model; 400 for an unusable rule; 409 with the current rules
 */
export async function replaceTagRules(
  context: SaveContext,
  author: ChangeAuthor & { readonly caller: Caller },
  uid: string,
  { version, rules }: BodyOf<typeof saveTagRules>,
): Promise<{ readonly change: string | null }> {
  const { name, location } = await getModel(context, author.caller, uid);
  compileRules(rules);
  const { change } = await context.changes.apply(
    author,
    { action: 'model-3d.tagRulesSaved', subject: uid, name, location },
    async ({ tables, lockAndRecord }) => {
      await lockAndRecord('tag_rules', 'model', [uid]);
      const currentTagRules = await findTagRules(tables, uid);
      if (currentTagRules.version !== version)
        throw versionConflict(modelRefusal('model-3d.refused.rulesChanged', { name }), currentTagRules);
      await tables
        .insertInto('tag_rules')
        .values({ model: uid, rules: JSON.stringify(rules) })
        .onConflict((conflict) => conflict.column('model').doUpdateSet({ rules: JSON.stringify(rules) }))
        .execute();
    },
  );
  // The same rules find other tags if the tags of the site have changed.
  if (change === null)
    await context.tables.transaction().execute((transaction) => startTagRulesJobs(context.jobs, transaction, [uid]));
  await context.jobs.notifyRunners();
  return { change };
}
