import { sql, type Transaction } from 'kysely';
import type { JobOutcome, JobRun, ServerContext } from '#core/server';
import { tagRulesApplied } from '../../contract/events.ts';
import type { MappingRule } from '../../contract/values/tag-rules.ts';
import { findTagRules, type ApplyTagRulesPayload } from '../jobs/start-tag-rules.ts';
import type { ModelTables } from '../tables.ts';
import { loadMatchInput, type MatchInput, type RulesContext } from './load-match-input.ts';
import { matchObjects, type ObjectMatch } from './match-objects.ts';
import { compileRules } from './rule-texts.ts';
import { TagIndex } from './tag-index.ts';

const rowsPerInsert = 5_000;

/**
 * Finds the tags of a model's objects by its saved rules, and replaces earlier mappings by rules. Mappings by admins
 * are kept. Writes nothing if the rules or objects were replaced meanwhile, because that has started another job.
 */
export async function runApplyTagRules(
  context: RulesContext & Pick<ServerContext, 'events'>,
  run: JobRun<ApplyTagRulesPayload>,
): Promise<JobOutcome> {
  const { model } = run.payload;
  const { tables } = context;
  const row = await tables.selectFrom('model').select('location').where('uid', '=', model).executeTakeFirst();
  if (!row) return { result: 'FAILED', message: 'The model was deleted.' };
  const publishProgress = () =>
    context.events.publish(tagRulesApplied, { location: row.location, flag: 'configure' }, { model });
  const { rules, version } = await findTagRules(tables, model);
  const compiledRules = compileRules(rules);
  const input = await loadMatchInput(context, model, compiledRules);
  const total = input.objects.length;
  const matches = await matchObjects(input.objects, compiledRules, new TagIndex(input.tags), {
    signal: run.signal,
    maxMs: Infinity,
    onProgress: async (doneCount) => {
      await run.progress({ done: doneCount, total });
      await publishProgress();
    },
  });
  await tables.transaction().execute(async (transaction) => {
    const currentModel = await transaction
      .selectFrom('model')
      .select('version')
      .where('uid', '=', model)
      .forUpdate()
      .executeTakeFirst();
    if (currentModel?.version !== input.version || (await findTagRules(transaction, model)).version !== version) return;
    await replaceMappings(transaction, model, input, matches);
  });
  await publishProgress();
  return { result: 'SUCCESS' };
}

async function replaceMappings(
  transaction: Transaction<ModelTables>,
  model: string,
  { objects }: MatchInput,
  matches: readonly ObjectMatch[],
): Promise<void> {
  await transaction.deleteFrom('mapping').where('model', '=', model).where('rule', 'is not', null).execute();
  const rows = matches.flatMap((match, index) => {
    const object = objects[index];
    const rule = object === undefined ? undefined : toMappingRule(match, object.tag);
    return object === undefined || rule === undefined ? [] : [{ position: object.position, target: match.tag, rule }];
  });
  for (let start = 0; start < rows.length; start += rowsPerInsert)
    await sql`
      insert into model_3d.mapping (model, object, kind, target, rule)
      select object.model, object.key, 'TAG', match.target, match.rule
      from jsonb_to_recordset(${JSON.stringify(rows.slice(start, start + rowsPerInsert))}::jsonb)
        as match (position integer, target text, rule text)
      join model_3d.model_object object on object.model = ${model} and object.position = match.position
      on conflict do nothing`.execute(transaction);
  // Without new statistics, queries would be planned for the few mappings by admins. The embedded database has no
  // autovacuum.
  await sql`analyze model_3d.mapping`.execute(transaction);
}

/**
 * The rule of the mapping that a match needs. A tag that the file states by its number needs none. Browsers do not load
 * mappings of the rule `PARENT`, because a click selects the nearest object with a tag; an object with another tag in
 * the file needs its own.
 */
function toMappingRule({ state, tag, rule, exact }: ObjectMatch, fileTag: string | null): MappingRule | undefined {
  if (state !== 'MATCHED' || tag === null || rule === null || rule === 'MANUAL' || (rule === 'FILE' && exact))
    return undefined;
  return rule === 'PARENT' && fileTag !== null ? 'NAME' : rule;
}
