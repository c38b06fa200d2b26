import { Type, type Static } from 'typebox';
import { endpoint } from '#core';
import { BaseVersion, Changed, Empty, LocalizedError, LocationUid, nullable, Page, pageQuery, Uid } from '#core/api';
import { mappingRules, maxTagRules, tagRuleKinds, tagRuleParts, trialStates } from '../values/tag-rules.ts';

/** A rule by which the tags of objects are found. */
export type TagRule = Static<typeof TagRule>;
export const TagRule = Type.Object(
  {
    kind: Type.Enum([...tagRuleKinds]),
    /** Path of the attribute, such as `attributes.DESIGN.Tag`, or `Pset_Plant.Tag` for a property of IFC. */
    path: Type.Optional(Type.String({ maxLength: 200 })),
    part: Type.Enum([...tagRuleParts]),
    /** Regular expression (syntax of RE2, any case) whose first group, or else whose match, names the tag. */
    pattern: Type.Optional(Type.String({ maxLength: 200 })),
  },
  { additionalProperties: false },
);
const TagRules = Type.Array(TagRule, { maxItems: maxTagRules });

/** An attribute path, with the number of objects that have it and an example value. */
export type AttributePath = Static<typeof AttributePath>;
export const AttributePath = Type.Object({ path: Type.String(), count: Type.Integer(), example: Type.String() });

const modelParams = Type.Object({ location: LocationUid, model: Uid });

/** The saved rules of a model. The version is 0 if none were saved. */
export type SavedTagRules = Static<typeof SavedTagRules>;
export const SavedTagRules = Type.Object({ rules: Type.Array(TagRule), version: Type.Integer() });

export type ModelTagRules = Static<typeof ModelTagRules>;
export const ModelTagRules = Type.Object({
  ...SavedTagRules.properties,
  paths: Type.Array(AttributePath),
  /** The job that applies the rules, if it has not ended. */
  job: nullable(Type.Object({ done: Type.Number(), total: nullable(Type.Number()) })),
  /** The reason for which the latest job failed. */
  failure: nullable(Type.Object({ message: nullable(Type.String()), refusal: nullable(LocalizedError) })),
});

export const getTagRules = endpoint('GET', '/api/model-3d/:location/models/:model/tag-rules', {
  summary: "Returns the rules by which the tags of a model's objects are found, and the attributes that it has.",
  access: 'configure',
  location: 'params.location',
  params: modelParams,
  reply: ModelTagRules,
});

export const saveTagRules = endpoint('PUT', '/api/model-3d/:location/models/:model/tag-rules', {
  summary:
    'Saves the rules of a model and starts a job that applies them. Mappings by admins are kept and take precedence. ' +
    'Unchanged rules are applied again. Answers 409 with the current rules if they were changed since they were read.',
  access: 'configure',
  location: 'params.location',
  params: modelParams,
  body: Type.Object({ version: BaseVersion, rules: TagRules }, { additionalProperties: false }),
  reply: Changed,
});

/** An object, or a tag without an object, and what the rules find. */
export type TrialRow = Static<typeof TrialRow>;
export const TrialRow = Type.Object({
  /** Key and name of the object. Null for a tag without an object. */
  key: nullable(Type.String()),
  name: nullable(Type.String()),
  /** Names of its ancestors, outermost first. */
  within: Type.Array(Type.String()),
  /** Tag number. Null without a tag, or if the caller cannot access the tag. */
  tag: nullable(Type.String()),
  /** The source of the tag. `MANUAL` is a mapping by an admin. */
  rule: nullable(Type.Enum(['MANUAL', ...mappingRules])),
  /** Index of the rule. */
  index: nullable(Type.Integer()),
  /** Whether the text equals the tag number. If false, only the letters and digits of both are equal. */
  exact: Type.Boolean(),
  /** The text that the rules read. */
  text: nullable(Type.String()),
  /** Whether the position of the tag was taken from an object of the model. */
  placed: Type.Boolean(),
  /** Numbers of the tags that match, if there are several. */
  candidates: Type.Array(Type.String()),
});

const count = Type.Integer();
export type TrialCounts = Static<typeof TrialCounts>;
export const TrialCounts = Type.Object({
  objects: count,
  MATCHED: count,
  AMBIGUOUS: count,
  UNMATCHED: count,
  TAG_WITHOUT_OBJECT: count,
  /** Matched objects by source: only the same letters and digits, an object above, or an admin. */
  byNumber: count,
  byParent: count,
  manual: count,
  /** Objects by index of the rule. */
  byRule: Type.Array(count),
});

const maxRows = 200;
export const tryTagRules = endpoint('POST', '/api/model-3d/:location/models/:model/tag-rules/trial', {
  summary:
    'Lists what rules find in a model, without saving anything: objects with their tags, objects for which several tags ' +
    'match, objects without a tag, or tags of the site without an object. Pages have at most ' +
    `${maxRows} rows.`,
  access: 'configure',
  location: 'params.location',
  params: modelParams,
  body: Type.Object(
    {
      rules: TagRules,
      state: Type.Enum([...trialStates]),
      text: Type.Optional(Type.String({ maxLength: 120 })),
      ...pageQuery(maxRows),
    },
    { additionalProperties: false },
  ),
  reply: Type.Object({ ...Page(TrialRow).properties, counts: TrialCounts }),
});

export const countTagPositions = endpoint('GET', '/api/model-3d/:location/models/:model/tag-positions', {
  summary: 'Counts the tags that have an object in the model but no position.',
  access: 'configure',
  location: 'params.location',
  params: modelParams,
  reply: Type.Object({
    /** Tags with one object, whose centre they can take. */
    placeable: count,
    /** Tags with several objects. */
    several: count,
  }),
});

export const placeModelTags = endpoint('POST', '/api/model-3d/:location/models/:model/tag-positions', {
  summary:
    'Gives the tags without a position that have exactly one object in the model the centre of that object. Tags that ' +
    'the caller cannot access are left out.',
  access: 'configure',
  location: 'params.location',
  params: modelParams,
  body: Empty,
  reply: Type.Object({ ...Changed.properties, placed: count }),
});
