import type { ReplyOf } from '#core';
import type { Caller, ServerContext } from '#core/server';
import { Tours } from '#plugins/tour';
import type { listObjects, MappedObject } from '../../contract/api.ts';
import type { ObjectState } from '../../contract/index.ts';
import { tablesOf } from '../tables.ts';
import { glbObjects, type GlbObject } from './glb-objects.ts';
import { rowsAround } from './models.ts';
import { tiledObjects } from './tiled-objects.ts';

interface Wanted {
  readonly text?: string;
  readonly state?: ObjectState;
  readonly offset?: number;
  readonly limit?: number;
}

/** Descriptions of models that are kept in memory: an admin who scrolls asks many times. */
const mostKept = 8;

/** The objects of models beside the tags of the tour. */
export class ObjectLists {
  readonly #context: ServerContext;
  readonly #kept = new Map<string, Promise<readonly GlbObject[]>>();

  constructor(context: ServerContext) {
    this.#context = context;
  }

  async at(
    caller: Caller,
    location: string,
    { text = '', state = 'ALL', offset = 0, limit = 100 }: Wanted,
  ): Promise<ReplyOf<typeof listObjects>> {
    const tags = await this.#tags(caller, location);
    const all = await this.#objects(caller, location, tags);
    const stated = new Set(all.flatMap((object) => tagOf(object) ?? []));
    const missing = [...tags].filter((tag) => !stated.has(tag));
    const count = (of: Exclude<ObjectState, 'TAG_WITHOUT_OBJECT'>): number =>
      all.reduce((sum, object) => sum + (isIn(object, of) ? 1 : 0), 0);
    const counts = {
      ALL: all.length,
      TIED: count('TIED'),
      UNTIED: count('UNTIED'),
      BY_HAND: count('BY_HAND'),
      UNKNOWN_TAG: count('UNKNOWN_TAG'),
      TAG_WITHOUT_OBJECT: missing.length,
    };
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    const holds = (...parts: readonly (string | null)[]): boolean =>
      words.every((word) => parts.some((part) => part?.toLowerCase().includes(word)));
    if (state === 'TAG_WITHOUT_OBJECT') {
      const found = missing.filter((tag) => holds(tag));
      return { total: found.length, counts, objects: [], tags: found.slice(offset, offset + limit) };
    }
    const found = all.filter(
      (object) =>
        isIn(object, state) &&
        holds(object.name, object.tag, object.mappedTag, object.mappedNode, object.key, ...object.within),
    );
    return { total: found.length, counts, objects: found.slice(offset, offset + limit), tags: [] };
  }

  async #tags(caller: Caller, location: string): Promise<ReadonlySet<string>> {
    const tags = await this.#context.service(Tours).tagsAt(location);
    const places = [...new Set(tags.map((tag) => tag.location))];
    const reached = await Promise.all(places.map((place) => this.#context.locations.canAccess(caller, place)));
    const within = new Set(places.filter((_, index) => reached[index]));
    return new Set(tags.flatMap((tag) => (within.has(tag.location) ? [tag.number] : [])));
  }

  async #objects(caller: Caller, location: string, tags: ReadonlySet<string>): Promise<readonly MappedObject[]> {
    const rows = (await rowsAround(this.#context, caller, location)).filter((row) => row.file !== null);
    if (rows.length === 0) return [];
    const mappings = await tablesOf(this.#context)
      .selectFrom('mapping')
      .selectAll()
      .where(
        'model',
        'in',
        rows.map(({ id }) => id),
      )
      .execute();
    const mapped = new Map(mappings.map(({ model, object, kind, value }) => [`${kind} ${model} ${object}`, value]));
    const found: MappedObject[] = [];
    for (const { id: model, file, tiles } of rows) {
      for (const { key, name, within, tag = null } of await this.#of(file!, tiles > 0)) {
        const mappedTag = mapped.get(`TAG ${model} ${key}`) ?? null;
        const counts = mappedTag ?? tag ?? '';
        found.push({
          model,
          key,
          name,
          within: [...within],
          tag,
          mappedTag,
          mappedNode: mapped.get(`NODE ${model} ${key}`) ?? null,
          known: counts === '' ? null : tags.has(counts),
        });
      }
    }
    return found;
  }

  #of(file: string, tiled: boolean): Promise<readonly GlbObject[]> {
    const known = this.#kept.get(file);
    this.#kept.delete(file);
    const objects = known ?? (tiled ? tiledObjects : glbObjects)(this.#context.files, file);
    this.#kept.set(file, objects);
    objects.catch(() => this.#kept.delete(file));
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= mostKept) break;
      this.#kept.delete(oldest);
    }
    return objects;
  }
}

const tagOf = ({ tag, mappedTag }: MappedObject): string | undefined => (mappedTag ?? tag) || undefined;

function isIn(object: MappedObject, state: Exclude<ObjectState, 'TAG_WITHOUT_OBJECT'>): boolean {
  const tied = tagOf(object) !== undefined || (object.mappedNode ?? '') !== '';
  return {
    ALL: true,
    TIED: tied,
    UNTIED: !tied,
    BY_HAND: object.mappedTag !== null || object.mappedNode !== null,
    UNKNOWN_TAG: object.known === false,
  }[state];
}
