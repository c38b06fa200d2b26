import { sql } from 'kysely';
import { notFound, type ServerContext } from '#core/server';
import { Tours, type SiteTag } from '#plugins/tour';
import { readObjects, replaceObjects } from '../jobs/model-objects.ts';
import type { ModelTables } from '../tables.ts';
import type { RuleObject } from './match-objects.ts';
import type { CompiledRule } from './rule-texts.ts';

export type RulesContext = Pick<ServerContext<ModelTables>, 'tables' | 'locations' | 'files' | 'service'>;

/** The input of rules: the objects of a model's version, and the tags of its site. */
export interface MatchInput {
  readonly version: number;
  readonly objects: readonly RuleObject[];
  readonly tags: readonly SiteTag[];
}

/**
 * Loads the objects of a model with the attributes that the rules read, and the tags of its site. The number of queries
 * does not depend on objects, tags or rules.
 *
 * @throws `notFound` (404) if the model was deleted
 */
export async function loadMatchInput(
  context: RulesContext,
  model: string,
  rules: readonly CompiledRule[],
): Promise<MatchInput> {
  const { version, location } = await completeObjects(context, model);
  const texts =
    rules.length === 0
      ? sql`jsonb_build_array()`
      : sql`jsonb_build_array(${sql.join(rules.map(({ path }) => (path === undefined ? sql`null::text` : sql`attributes ->> ${path}::text`)))})`;
  const [{ rows: objects }, tags] = await Promise.all([
    sql<RuleObject>`
      select object.position, object.parent, object.name, object.tag, ${texts} as texts,
        case when mapping.model is not null then jsonb_build_object('target', mapping.target) end as manual
      from model_3d.model_object object
      left join model_3d.mapping on mapping.model = object.model and mapping.object = object.key
        and mapping.kind = 'TAG' and mapping.rule is null
      where object.model = ${model}
      order by object.position`.execute(context.tables),
    context.service(Tours).siteTags(location),
  ]);
  return { version, objects, tags };
}

/** Reads the objects again if an earlier version of the product stored them without parents and attributes. */
async function completeObjects(
  { tables, files }: RulesContext,
  model: string,
): Promise<{ readonly version: number; readonly location: string }> {
  const columns = ['version', 'location', 'file', 'tiles', 'objects_complete'] as const;
  const row = await tables.selectFrom('model').select(columns).where('uid', '=', model).executeTakeFirst();
  if (!row) throw notFound('This model');
  if (row.objects_complete || row.file === null) return row;
  const objects = await readObjects(files, row.file, row.tiles > 0);
  await tables.transaction().execute(async (transaction) => {
    const currentModel = await transaction
      .selectFrom('model')
      .select('version')
      .where('uid', '=', model)
      .forUpdate()
      .executeTakeFirst();
    if (currentModel?.version === row.version) await replaceObjects(transaction, model, objects);
  });
  return row;
}
