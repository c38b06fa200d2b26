import { setImmediate } from 'node:timers/promises';
import { invalidRequest } from '#core/server';
import { modelRefusal } from '../../contract/errors.ts';
import type { MappingRule } from '../../contract/values/tag-rules.ts';
import type { CompiledRule } from './rule-texts.ts';
import type { TagIndex } from './tag-index.ts';

/** An object as rules read it. Parents come before their children. */
export interface RuleObject {
  readonly position: number;
  /** Position of the object above. */
  readonly parent: number | null;
  readonly name: string;
  /** Tag in the file. */
  readonly tag: string | null;
  /** The value of each rule's attribute, null without one. */
  readonly texts: readonly (string | null)[];
  /** The mapping by an admin, whose target is null if the object has no tag. */
  readonly manual: { readonly target: string | null } | null;
}

/** The result of the rules for an object. */
export interface ObjectMatch {
  readonly state: 'MATCHED' | 'AMBIGUOUS' | 'UNMATCHED';
  /** Uid. Null without a tag. An object that an admin has mapped to no tag is matched. */
  readonly tag: string | null;
  readonly rule: MappingRule | 'MANUAL' | null;
  /** Index of the rule. Null for the tag of the file and for mappings by admins. */
  readonly index: number | null;
  readonly exact: boolean;
  /** The text that names the tag, or the first text that was read. */
  readonly text: string | null;
  /** Uids of the tags that match, if there are several. */
  readonly candidates: readonly string[];
}

export interface MatchOptions {
  /** Aborts the work between two steps. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: number) => Promise<void>;
  readonly maxMs?: number;
}

const objectsPerStep = 2_000;
const objectsPerCheck = 50;
const defaultMaxMs = 20_000;

const emptyMatch = { tag: null, rule: null, index: null, exact: false, candidates: [] } as const;
const manualWithoutTag: ObjectMatch = { ...emptyMatch, state: 'MATCHED', rule: 'MANUAL', text: null };

/**
 * Finds the tag of each object: by the mapping of an admin, else by the tag of the file, else by the first rule whose
 * text names a tag. A text that several tags match ends the search, because any choice would be a guess. Works in
 * steps, so that other requests are answered between the steps.
 *
 * @throws `invalidRequest` (400) if the rules take longer than `maxMs`
 */
export async function matchObjects(
  objects: readonly RuleObject[],
  rules: readonly CompiledRule[],
  tagIndex: TagIndex,
  { signal, onProgress, maxMs = defaultMaxMs }: MatchOptions = {},
): Promise<readonly ObjectMatch[]> {
  const matches: ObjectMatch[] = [];
  /** For each object its own match, or that of the nearest object above that has one. */
  const matchByPosition = new Map<number, ObjectMatch>();
  const endsAt = performance.now() + maxMs;
  for (const object of objects) {
    if (matches.length % objectsPerCheck === 0 && performance.now() > endsAt)
      throw invalidRequest(modelRefusal('model-3d.refused.rulesTooSlow'));
    if (matches.length % objectsPerStep === 0 && matches.length > 0) {
      await onProgress?.(matches.length);
      await setImmediate();
      signal?.throwIfAborted();
    }
    const matchAbove = object.parent === null ? undefined : matchByPosition.get(object.parent);
    const match = matchObject(object, rules, tagIndex, matchAbove);
    matches.push(match);
    const inheritedMatch = match.state === 'UNMATCHED' ? matchAbove : match;
    if (inheritedMatch) matchByPosition.set(object.position, inheritedMatch);
  }
  return matches;
}

function matchObject(
  { manual, tag, name, texts }: RuleObject,
  rules: readonly CompiledRule[],
  tagIndex: TagIndex,
  matchAbove: ObjectMatch | undefined,
): ObjectMatch {
  if (manual)
    return manual.target === null ? manualWithoutTag : { ...manualWithoutTag, tag: manual.target, exact: true };
  const fileMatch = tag === null ? undefined : matchText(tag, 'FILE', null, tagIndex);
  if (fileMatch) return fileMatch;
  let firstText: string | null = tag;
  for (const [ruleIndex, { kind, findText }] of rules.entries()) {
    if (kind === 'PARENT') {
      if (matchAbove?.state === 'AMBIGUOUS' || (matchAbove && matchAbove.tag !== null))
        return { ...matchAbove, rule: 'PARENT', index: ruleIndex };
      continue;
    }
    const source = kind === 'NAME' ? name : texts[ruleIndex];
    const text = source ? findText(source) : '';
    if (text === '') continue;
    firstText ??= text;
    const match = matchText(text, kind, ruleIndex, tagIndex);
    if (match) return match;
  }
  return { ...emptyMatch, state: 'UNMATCHED', text: firstText };
}

function matchText(
  text: string,
  rule: MappingRule,
  ruleIndex: number | null,
  tagIndex: TagIndex,
): ObjectMatch | undefined {
  const { tags, exact } = tagIndex.find(text);
  const [tag] = tags;
  if (tag === undefined) return undefined;
  if (tags.length > 1) return { ...emptyMatch, state: 'AMBIGUOUS', rule, index: ruleIndex, text, candidates: tags };
  return { state: 'MATCHED', tag, rule, index: ruleIndex, exact, text, candidates: [] };
}
