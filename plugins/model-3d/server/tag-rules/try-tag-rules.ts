import { sql } from 'kysely';
import type { BodyOf, ReplyOf } from '#core';
import { TtlCache, type Caller } from '#core/server';
import { Tours, type SiteTag } from '#plugins/tour';
import type { TrialCounts, TrialRow, tryTagRules } from '../../contract/api/tag-rules.ts';
import { getModel } from '../queries/models.ts';
import { loadMatchInput, type MatchInput, type RulesContext } from './load-match-input.ts';
import { matchObjects, type ObjectMatch } from './match-objects.ts';
import { compileRules } from './rule-texts.ts';
import { TagIndex } from './tag-index.ts';
import { listPlacedTags } from './tag-positions.ts';

type Body = BodyOf<typeof tryTagRules>;
type Reply = ReplyOf<typeof tryTagRules>;

interface Trial extends MatchInput {
  readonly matches: readonly ObjectMatch[];
  readonly counts: Omit<TrialCounts, 'TAG_WITHOUT_OBJECT'>;
  /** Uids of the tags that an object of the site has. */
  readonly foundTags: ReadonlySet<string>;
  /** Uids of the tags whose position comes from an object of the model. */
  readonly placedTags: ReadonlySet<string>;
}

/** Results are reused for further pages and small edits of the rules. Objects rarely change meanwhile. */
const lifetimeMs = 15_000;
const maxCandidates = 10;
const monotonicClock = { now: () => performance.now() };

/** Tries rules without saving anything. Keeps the latest results for a short time, for further pages. */
export class TagRuleTrials {
  readonly #context: RulesContext;
  /** Inputs, which rules that read the same attributes share. */
  readonly #inputs = new TtlCache<MatchInput>({ clock: monotonicClock, lifetime: lifetimeMs, capacity: 2 });
  readonly #trials = new TtlCache<Trial>({ clock: monotonicClock, lifetime: lifetimeMs, capacity: 4 });

  constructor(context: RulesContext) {
    this.#context = context;
  }

  /** @throws 404 if the caller cannot access the model; 400 for an unusable rule */
  async list(caller: Caller, uid: string, { rules, state, text = '', offset = 0, limit = 100 }: Body): Promise<Reply> {
    const context = this.#context;
    const { version, location } = await getModel(context, caller, uid);
    const trial = await this.#trials.get(JSON.stringify([uid, version, rules]), () =>
      this.#runTrial(uid, version, location, rules),
    );
    const accessibleLocations = await context.locations.accessible(caller);
    const terms = text.toLowerCase().split(/\s+/).filter(Boolean);
    const unlinkedTags = listUnlinkedTags(trial, new Set(accessibleLocations));
    const counts = { ...trial.counts, TAG_WITHOUT_OBJECT: unlinkedTags.length };
    if (state === 'TAG_WITHOUT_OBJECT') {
      const tags = unlinkedTags.filter(({ number }) => terms.every((term) => number.toLowerCase().includes(term)));
      return { total: tags.length, offset, rows: tags.slice(offset, offset + limit).map(toTagRow), counts };
    }
    const foundPositions = await findPositions(context, uid, terms);
    const selectedMatches = trial.matches.flatMap((match, index) => {
      const position = trial.objects[index]?.position ?? -1;
      return match.state === state && (foundPositions?.has(position) ?? true) ? [{ match, position }] : [];
    });
    const page = selectedMatches.slice(offset, offset + limit);
    return {
      total: selectedMatches.length,
      offset,
      rows: await this.#toRows(uid, trial, page, accessibleLocations),
      counts,
    };
  }

  /** Drops cached results after tags have changed. */
  clear(): void {
    this.#inputs.dropWhere(() => true);
    this.#trials.dropWhere(() => true);
  }

  async #runTrial(uid: string, version: number, location: string, rules: Body['rules']): Promise<Trial> {
    const compiledRules = compileRules(rules);
    const paths = compiledRules.map(({ path }) => path ?? null);
    const input = await this.#inputs.get(JSON.stringify([uid, version, paths]), () =>
      loadMatchInput(this.#context, uid, compiledRules),
    );
    const index = new TagIndex(input.tags);
    const matches = await matchObjects(input.objects, compiledRules, index);
    const foundTags = new Set(matches.flatMap(({ tag }) => tag ?? []));
    for (const tag of await listTagsOfOtherModels(this.#context, uid, location, index)) foundTags.add(tag);
    const placedTags = await listPlacedTags(this.#context, uid, input.tags);
    return { ...input, matches, foundTags, placedTags, counts: countMatches(matches, rules.length) };
  }

  async #toRows(
    uid: string,
    { placedTags }: Trial,
    page: readonly { readonly match: ObjectMatch; readonly position: number }[],
    accessibleLocations: readonly string[],
  ): Promise<TrialRow[]> {
    const { tables } = this.#context;
    const shownTags = page.flatMap(({ match }) => [
      ...(match.tag === null ? [] : [match.tag]),
      ...match.candidates.slice(0, maxCandidates),
    ]);
    const [objects, numbers] = await Promise.all([
      tables
        .selectFrom('model_object')
        .select(['position', 'key', 'name', 'within'])
        .where('model', '=', uid)
        .where(sql<boolean>`position = any(${page.map(({ position }) => position)}::integer[])`)
        .execute(),
      this.#context.service(Tours).tagNumbers(shownTags, accessibleLocations),
    ]);
    const byPosition = new Map(objects.map((object) => [object.position, object]));
    return page.map(({ match: { tag, candidates, rule, index, exact, text }, position }) => {
      const { key = null, name = null, within = [] } = byPosition.get(position) ?? {};
      return {
        ...{ key, name, within, rule, index, exact, text },
        tag: tag === null ? null : (numbers.get(tag) ?? null),
        placed: tag !== null && placedTags.has(tag),
        candidates: candidates.slice(0, maxCandidates).flatMap((candidate) => numbers.get(candidate) ?? []),
      };
    });
  }
}

const listUnlinkedTags = ({ tags, foundTags }: Trial, accessibleLocations: ReadonlySet<string>): readonly SiteTag[] =>
  tags.filter(({ uid, location }) => !foundTags.has(uid) && accessibleLocations.has(location));

const toTagRow = ({ number }: SiteTag): TrialRow => ({
  ...{ key: null, name: null, within: [], tag: number, rule: null, index: null, exact: false, text: null },
  placed: false,
  candidates: [],
});

function countMatches(matches: readonly ObjectMatch[], ruleCount: number): Trial['counts'] {
  const countIf = (isCounted: (match: ObjectMatch) => boolean): number => matches.filter(isCounted).length;
  const byRule = Array.from({ length: ruleCount }, () => 0);
  for (const { state, index } of matches) if (state === 'MATCHED' && index !== null) byRule[index]! += 1;
  return {
    objects: matches.length,
    MATCHED: countIf(({ state }) => state === 'MATCHED'),
    AMBIGUOUS: countIf(({ state }) => state === 'AMBIGUOUS'),
    UNMATCHED: countIf(({ state }) => state === 'UNMATCHED'),
    byNumber: countIf(
      ({ state, rule, exact }) => state === 'MATCHED' && rule !== 'PARENT' && rule !== 'MANUAL' && !exact,
    ),
    byParent: countIf(({ state, rule }) => state === 'MATCHED' && rule === 'PARENT'),
    manual: countIf(({ rule }) => rule === 'MANUAL'),
    byRule,
  };
}

/** Finds the positions of the objects whose texts contain all terms. Undefined without terms. */
async function findPositions(
  { tables }: RulesContext,
  uid: string,
  terms: readonly string[],
): Promise<ReadonlySet<number> | undefined> {
  if (terms.length === 0) return undefined;
  const rows = await tables
    .selectFrom('model_object')
    .select('position')
    .where('model', '=', uid)
    .where((builder) => builder.and(terms.map((term) => sql<boolean>`position(${term} in search) > 0`)))
    .execute();
  return new Set(rows.map(({ position }) => position));
}

/** Lists the uids of the tags of objects in other models of the site. */
async function listTagsOfOtherModels(
  { tables, locations }: RulesContext,
  uid: string,
  location: string,
  index: TagIndex,
): Promise<readonly string[]> {
  const site = await locations.findSite(location);
  const siteLocations = site === undefined ? [] : await locations.descendants(site);
  const { rows } = await sql<{ number: string | null; tag: string | null }>`
    select distinct case when mapping.model is null then object.tag end as number, mapping.target as tag
    from model_3d.model
    join model_3d.model_object object on object.model = model.uid
    left join model_3d.mapping on mapping.model = object.model and mapping.object = object.key and mapping.kind = 'TAG'
    where model.location = any(${[...siteLocations]}::text[]) and model.uid <> ${uid}
      and (object.tag is not null or mapping.target is not null)`.execute(tables);
  return rows.flatMap(({ number, tag }) => {
    if (tag !== null) return tag;
    const indexEntry = number === null ? undefined : index.find(number);
    return indexEntry?.exact ? indexEntry.tags : [];
  });
}
