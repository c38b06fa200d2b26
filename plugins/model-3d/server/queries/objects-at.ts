import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { ReplyOf } from '#core';
import { atLocation, type Caller } from '#core/server';
import { Tours } from '#plugins/tour';
import type { listObjects } from '../../contract/api.ts';
import type { ObjectState } from '../../contract/index.ts';
import type { MappingContext } from './mappings.ts';

interface ObjectQuery {
  readonly text?: string;
  readonly state?: ObjectState;
  readonly offset?: number;
  readonly limit?: number;
}

type Reply = ReplyOf<typeof listObjects>;

/**
 * Conditions on the rows of `objectsQuery`. An object is linked if it has a tag number (of its file or of a
 * mapping) or a mapped node. It is mapped if an admin chose its tag, no tag, or its node.
 */
const conditions: Readonly<Record<ObjectState, RawBuilder<SqlBool>>> = {
  ALL: sql`true`,
  LINKED: sql`(number is not null or mapped_node is not null)`,
  UNLINKED: sql`(number is null and mapped_node is null)`,
  MAPPED: sql`((replaces_file_tag and rule is null) or mapped_node is not null)`,
  UNKNOWN_TAG: sql`(number is not null and tag is null)`,
  TAG_WITHOUT_OBJECT: sql`false`,
};

/**
 * Lists the objects of the models that `modelsAt` returns, each with its tag. For the state `TAG_WITHOUT_OBJECT`, lists
 * instead the tags of the tour that have no object. The number of queries does not depend on the number of models,
 * objects or tags.
 */
export async function objectsAt(
  context: MappingContext,
  caller: Caller,
  location: string,
  { text = '', state = 'ALL', offset = 0, limit = 100 }: ObjectQuery,
): Promise<Reply> {
  const tours = context.service(Tours);
  const { tables } = context;
  const searchTerms = text.toLowerCase().split(/\s+/).filter(Boolean);
  const models = await tables
    .selectFrom('model')
    .select('uid')
    .where(atLocation('location', await context.locations.accessibleRelated(caller, location)))
    .where('file', 'is not', null)
    .execute();
  const belongsToModels = sql<SqlBool>`model = any(${models.map(({ uid }) => uid)}::text[])`;
  const [fileTags, targets] = await Promise.all([
    tables
      .selectFrom('model_object')
      .select('tag')
      .distinct()
      .where('tag', 'is not', null)
      .where(belongsToModels)
      .execute(),
    tables
      .selectFrom('mapping')
      .select('target')
      .distinct()
      .where('kind', '=', 'TAG')
      .where('target', 'is not', null)
      .where(belongsToModels)
      .execute(),
  ]);
  const [tagUids, tagNumbers, tourTags, nodes] = await Promise.all([
    tours.findTags(
      location,
      fileTags.flatMap(({ tag }) => tag ?? []),
    ),
    tours.tagNumbers(
      targets.flatMap(({ target }) => target ?? []),
      await context.locations.accessible(caller),
    ),
    tours.tagsAt(location),
    searchTerms.length === 0 ? [] : tours.nodesAt(location),
  ]);
  const objectsQuery = sql`
    select object.model, model.name as model_name, object.position, tag_mapping.model is not null as replaces_file_tag, tag_mapping.number as mapped_number, tag_mapping.rule,
      node_mapping.target as mapped_node,
      case when tag_mapping.model is null then object.tag else tag_mapping.number end as number,
      case when tag_mapping.model is null then tag_of_file.uid else tag_mapping.target end as tag,
      concat_ws(' ', object.search, tag_mapping.search, node_text.search) as search
    from model_3d.model_object object
    join model_3d.model model on model.uid = object.model
    left join (
      select mapping.model, mapping.object, mapping.target, mapping.rule, mapped_tag.number, mapped_tag.search
      from model_3d.mapping mapping
      left join unnest(
        ${[...tagNumbers.keys()]}::text[],
        ${[...tagNumbers.values()]}::text[],
        ${[...tagNumbers.values()].map((number) => number?.toLowerCase() ?? null)}::text[]
      ) mapped_tag (uid, number, search) on mapped_tag.uid = mapping.target
      where mapping.kind = 'TAG' and (mapping.target is null or mapped_tag.uid is not null)
    ) tag_mapping on tag_mapping.model = object.model and tag_mapping.object = object.key
    left join model_3d.mapping node_mapping on node_mapping.model = object.model and node_mapping.object = object.key and node_mapping.kind = 'NODE'
    left join unnest(
      ${nodes.map(({ uid }) => uid)}::text[],
      ${nodes.map(({ code, name }) => `${code} ${name}`.toLowerCase())}::text[]
    ) node_text (uid, search) on node_text.uid = node_mapping.target
    left join unnest(${[...tagUids.keys()]}::text[], ${[...tagUids.values()]}::text[]) tag_of_file (number, uid)
      on tag_of_file.number = object.tag
    where object.model = any(${models.map(({ uid }) => uid)}::text[])`;
  const termConditions = searchTerms.map((term) => sql`and position(${term} in search) > 0`);
  const { rows } = await sql<{
    counts: Omit<Reply['counts'], 'TAG_WITHOUT_OBJECT'>;
    linked_tags: string[];
    total: number;
    objects: Reply['objects'];
  }>`
    with all_objects as materialized (${objectsQuery}),
      matching_objects as materialized (select * from all_objects where ${conditions[state]} ${sql.join(termConditions, sql` `)})
    select
      (
        select jsonb_build_object(
          'ALL', count(*),
          'LINKED', count(*) filter (where ${conditions.LINKED}),
          'UNLINKED', count(*) filter (where ${conditions.UNLINKED}),
          'MAPPED', count(*) filter (where ${conditions.MAPPED}),
          'UNKNOWN_TAG', count(*) filter (where ${conditions.UNKNOWN_TAG})
        ) from all_objects
      ) as counts,
      (select coalesce(jsonb_agg(distinct tag), '[]') from all_objects where tag is not null) as linked_tags,
      (select count(*)::integer from matching_objects) as total,
      (
        select coalesce(
          jsonb_agg(
            jsonb_build_object(
              'model', page.model, 'key', object.key, 'name', object.name, 'within', object.within, 'tag', object.tag,
              'mappedTag', case when replaces_file_tag then jsonb_build_object('number', mapped_number, 'rule', rule) end,
              'mappedNode', mapped_node,
              'known', case when number is not null then page.tag is not null end
            )
            order by model_name, page.model, page.position
          ),
          '[]'
        )
        from (select * from matching_objects order by model_name, model, position limit ${limit} offset ${offset}) page
        join model_3d.model_object object on object.model = page.model and object.position = page.position
      ) as objects`.execute(tables);
  const [{ counts, linked_tags: linkedTags, total, objects }] = rows as [(typeof rows)[number]];
  const linkedUids = new Set(linkedTags);
  const unlinkedTags = (await context.locations.filterAccessible(caller, tourTags)).flatMap(({ uid, number }) =>
    linkedUids.has(uid) ? [] : number,
  );
  const countsByState = { ...counts, TAG_WITHOUT_OBJECT: unlinkedTags.length };
  if (state !== 'TAG_WITHOUT_OBJECT') return { total, counts: countsByState, objects, tags: [] };
  const matches = unlinkedTags.filter((number) => searchTerms.every((term) => number.toLowerCase().includes(term)));
  return { total: matches.length, counts: countsByState, objects: [], tags: matches.slice(offset, offset + limit) };
}
