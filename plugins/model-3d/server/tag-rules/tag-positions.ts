import { sql } from 'kysely';
import { toRadians, type Point3, type ReplyOf } from '#core';
import type { Caller, ChangeAuthor } from '#core/server';
import { Tours, type SiteTag } from '#plugins/tour';
import type { countTagPositions, placeModelTags } from '../../contract/api/tag-rules.ts';
import type { ModelPose } from '../../contract/index.ts';
import type { ObjectBox } from '../jobs/object-boxes.ts';
import { getModel } from '../queries/models.ts';
import type { RulesContext } from './load-match-input.ts';
import { TagIndex } from './tag-index.ts';

/** An object with its own tag, if it has one. */
interface TaggedObject {
  readonly position: number;
  /** Position of the object above. */
  readonly parent: number | null;
  /** Key of an object with a tag. */
  readonly key: string | null;
  /** Uid of the mapped tag. */
  readonly target: string | null;
  /** Number in the file, if the object is not mapped. */
  readonly number: string | null;
  /** Box of an object with a tag. */
  readonly box: ObjectBox | null;
}

interface Placement {
  readonly tag: string;
  readonly object: string;
  readonly position: Point3;
}

/** The tags without a position that have an object in the model. Lines have points instead of a position. */
interface Placements {
  /** Tags with exactly one object. */
  readonly placements: readonly Placement[];
  /** Number of tags with several objects. */
  readonly several: number;
}

/** @throws 404 if the caller cannot access the model */
export async function countPlacements(
  context: RulesContext,
  caller: Caller,
  uid: string,
): Promise<ReplyOf<typeof countTagPositions>> {
  const { placements, several } = await findPlacements(context, caller, uid);
  return { placeable: placements.length, several };
}

/**
 * Gives tags without a position the centre of their object, and remembers the object.
 *
 * @throws 404 if the caller cannot access the model
 */
export async function placeTagsOfModel(
  context: RulesContext,
  author: ChangeAuthor & { readonly caller: Caller },
  uid: string,
): Promise<ReplyOf<typeof placeModelTags>> {
  const { location } = await getModel(context, author.caller, uid);
  const { placements } = await findPlacements(context, author.caller, uid);
  const accessibleLocations = await context.locations.accessible(author.caller);
  const { change, placed } = await context.service(Tours).placeTags(author, location, placements, accessibleLocations);
  const tags = new Set(placed);
  const rows = placements
    .filter(({ tag }) => tags.has(tag))
    .map(({ tag, object, position: [x, y, z] }) => ({ tag, object, x, y, z }));
  await sql`
    insert into model_3d.tag_position (tag, model, object, x, y, z)
    select tag, ${uid}, object, x, y, z from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as new_position (tag text, object text, x double precision, y double precision, z double precision)
    on conflict (tag) do update
      set model = excluded.model, object = excluded.object, x = excluded.x, y = excluded.y, z = excluded.z`.execute(
    context.tables,
  );
  return { change, placed: placed.length };
}

/** Lists the uids of the tags whose current position comes from an object of the model. */
export async function listPlacedTags(
  { tables }: RulesContext,
  uid: string,
  tags: readonly SiteTag[],
): Promise<ReadonlySet<string>> {
  const rows = await tables
    .selectFrom('tag_position')
    .select(['tag', 'x', 'y', 'z'])
    .where('model', '=', uid)
    .execute();
  const positions = new Map(tags.map((tag) => [tag.uid, tag.position]));
  return new Set(
    rows.flatMap(({ tag, x, y, z }) => {
      const [east, north, up] = positions.get(tag) ?? [];
      return east === x && north === y && up === z ? tag : [];
    }),
  );
}

async function findPlacements(context: RulesContext, caller: Caller, uid: string): Promise<Placements> {
  const { location, pose } = await getModel(context, caller, uid);
  const [objects, tags, accessibleUids] = await Promise.all([
    listTaggedObjects(context, uid),
    context.service(Tours).siteTags(location),
    context.locations.accessible(caller),
  ]);
  const accessibleLocations = new Set(accessibleUids);
  const index = new TagIndex(tags);
  const unplacedTags = new Set(
    tags.flatMap((tag) =>
      tag.type === 'TAG' && tag.position === null && accessibleLocations.has(tag.location) ? tag.uid : [],
    ),
  );
  const objectsByTag = new Map<string, TaggedObject[]>();
  /** For each object its own tag, or that of the nearest object above with one. */
  const tagByPosition = new Map<number, string>();
  for (const object of objects) {
    const inheritedTag = object.parent === null ? undefined : tagByPosition.get(object.parent);
    const ownTag = object.target ?? findExact(index, object.number);
    const tag = ownTag ?? inheritedTag;
    if (tag !== undefined) tagByPosition.set(object.position, tag);
    // An object with the same tag as the object above it is a part of that object.
    if (ownTag === undefined || ownTag === inheritedTag || !unplacedTags.has(ownTag)) continue;
    const objectsWithTag = objectsByTag.get(ownTag);
    if (objectsWithTag) objectsWithTag.push(object);
    else objectsByTag.set(ownTag, [object]);
  }
  const placements = [...objectsByTag].flatMap(([tag, [object, ...otherObjects]]): Placement[] =>
    object?.box && object.key !== null && otherObjects.length === 0
      ? [{ tag, object: object.key, position: computeCentre(object.box, pose) }]
      : [],
  );
  return { placements, several: [...objectsByTag.values()].filter(({ length }) => length > 1).length };
}

function findExact(index: TagIndex, number: string | null): string | undefined {
  const indexEntry = number === null ? undefined : index.find(number);
  return indexEntry?.exact ? indexEntry.tags[0] : undefined;
}

/**
 * Lists all objects, parents before children. The own tag of an object is that of its mapping, unless the rule `PARENT`
 * made it, or else that of the file. Objects without an own tag have no key and no box, because these are large.
 */
async function listTaggedObjects({ tables }: RulesContext, uid: string): Promise<readonly TaggedObject[]> {
  const { rows } = await sql<TaggedObject>`
    select position, parent, target, number, case when target is not null or number is not null then key end as key,
      case when target is not null or number is not null then box end as box
    from (
      select object.position, object.parent, object.key, object.box,
        case when mapping.rule is distinct from 'PARENT' then mapping.target end as target,
        case when mapping.model is null then object.tag end as number
      from model_3d.model_object object
      left join model_3d.mapping on mapping.model = object.model and mapping.object = object.key and mapping.kind = 'TAG'
      where object.model = ${uid}
    ) tagged_object
    order by position`.execute(tables);
  return rows;
}

/** Converts the centre of a box from the model's frame to the site frame, in the order that `ModelPose` defines. */
function computeCentre(
  [minX, minY, minZ, maxX, maxY, maxZ]: ObjectBox,
  { position, heading, scale }: ModelPose,
): Point3 {
  const [x, y, z] = [(minX + maxX) / 2, (minY + maxY) / 2, (minZ + maxZ) / 2].map((value) => value * scale) as [
    number,
    number,
    number,
  ];
  const angle = toRadians(heading);
  return [
    position[0] + x * Math.cos(angle) + y * Math.sin(angle),
    position[1] - x * Math.sin(angle) + y * Math.cos(angle),
    position[2] + z,
  ];
}
