import { validationMessages } from '#core';
import { atLocation, invalidRequest, type Caller, type ChangeAuthor, type ServerContext } from '#core/server';
import { Tours } from '#plugins/tour';
import type { ModelMapping } from '../../contract/index.ts';
import { modelRefusal } from '../../contract/errors.ts';
import { findTagRules, startTagRulesJobs } from '../jobs/start-tag-rules.ts';
import type { ModelTables } from '../tables.ts';
import { getModel, type ModelContext } from './models.ts';

export type MappingContext = ModelContext & Pick<ServerContext, 'service'>;

/**
 * Lists the mappings of the objects of the models that `modelsAt` returns. Omits mappings to deleted tags, and mappings
 * by which an object takes the tag of an object above. Returns no tag number if the caller cannot access the tag.
 */
export async function mappingsAt(context: MappingContext, caller: Caller, location: string): Promise<ModelMapping[]> {
  const rows = await context.tables
    .selectFrom('mapping')
    .innerJoin('model', 'model.uid', 'mapping.model')
    .select(['mapping.model', 'mapping.object', 'mapping.kind', 'mapping.target'])
    .where(atLocation('model.location', await context.locations.accessibleRelated(caller, location)))
    .where('mapping.rule', 'is distinct from', 'PARENT')
    .orderBy('mapping.model')
    .orderBy('mapping.object')
    .orderBy('mapping.kind')
    .execute();
  const numbers = await context.service(Tours).tagNumbers(
    rows.flatMap(({ kind, target }) => (kind === 'TAG' && target !== null ? target : [])),
    await context.locations.accessible(caller),
  );
  return rows.flatMap((row) => {
    if (row.kind === 'NODE' || row.target === null) return row;
    const number = numbers.get(row.target);
    return number === undefined ? [] : { ...row, target: number };
  });
}

/**
 * Maps an object to a tag, a node or (`target` null) to no tag, and replaces its previous mapping.
 *
 * @throws 404 if the caller cannot access the model, 400 if its site has no such tag or node
 */
export async function saveMapping(
  context: MappingContext & Pick<ServerContext<ModelTables>, 'changes'>,
  author: ChangeAuthor & { readonly caller: Caller },
  model: string,
  { object, kind, target }: Omit<ModelMapping, 'model'>,
): Promise<ModelMapping> {
  const { caller } = author;
  const { location, name } = await getModel(context, caller, model);
  const findTag = () => (target === null ? null : getTag(context, location, target));
  const storedTarget = kind === 'NODE' ? await getNode(context, location, target) : await findTag();
  await context.changes.apply(
    author,
    { action: 'model-3d.objectMapped', subject: model, name, location },
    async ({ tables, lockAndRecord }) => {
      await lockAndRecord('mapping', 'object', [object]);
      await tables
        .insertInto('mapping')
        .values({ model, object, kind, target: storedTarget })
        .onConflict((conflict) =>
          conflict.columns(['model', 'object', 'kind']).doUpdateSet({ target: storedTarget, rule: null }),
        )
        .execute();
    },
  );
  if (kind === 'NODE' || storedTarget === null) return { model, object, kind, target: storedTarget };
  const accessibleLocations = await context.locations.accessible(caller);
  const numbers = await context.service(Tours).tagNumbers([storedTarget], accessibleLocations);
  return { model, object, kind, target: numbers.get(storedTarget) ?? null };
}

/**
 * Deletes a mapping, so that the tag of the file or of the rules applies.
 *
 * @throws 404 if the caller cannot access the model
 */
export async function deleteMapping(
  context: MappingContext & Pick<ServerContext<ModelTables>, 'changes' | 'jobs'>,
  author: ChangeAuthor & { readonly caller: Caller },
  model: string,
  { object, kind }: Pick<ModelMapping, 'object' | 'kind'>,
): Promise<void> {
  const { location, name } = await getModel(context, author.caller, model);
  await context.changes.apply(
    author,
    { action: 'model-3d.objectUnmapped', subject: model, name, location },
    async ({ tables, lockAndRecord }) => {
      await lockAndRecord('mapping', 'object', [object]);
      await tables
        .deleteFrom('mapping')
        .where('model', '=', model)
        .where('object', '=', object)
        .where('kind', '=', kind)
        .execute();
      const { version } = await findTagRules(tables, model);
      if (kind === 'TAG' && version > 0) await startTagRulesJobs(context.jobs, tables, [model]);
    },
  );
  await context.jobs.notifyRunners();
}

const targetField = [{ pointer: '/target', message: validationMessages.choice }];

/** Returns the uid of the tag of the site with this current or former number. */
async function getTag(context: MappingContext, location: string, number: string): Promise<string> {
  const uid = (await context.service(Tours).findTags(location, [number])).get(number);
  if (uid === undefined) throw invalidRequest(modelRefusal('model-3d.refused.noSuchTag', { number }), targetField);
  return uid;
}

async function getNode(context: MappingContext, location: string, uid: string | null): Promise<string> {
  if (uid === null || !(await context.service(Tours).filterNodes(location, [uid])).has(uid))
    throw invalidRequest(modelRefusal('model-3d.refused.noSuchNode'), targetField);
  return uid;
}
