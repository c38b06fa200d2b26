/** Where a rule reads the text that names a tag. `PARENT` takes the tag of the nearest object above that has one. */
export const tagRuleKinds = ['NAME', 'EXTRAS', 'IFC_PROPERTY', 'PARENT'] as const;

/**
 * The part of the text that names the tag: the whole text; the text before the first slash (a leading one is ignored);
 * the last word; the text before the last hyphen, underscore, dot or colon; or the match of a regular expression.
 */
export const tagRuleParts = ['WHOLE', 'BEFORE_SLASH', 'LAST_WORD', 'BEFORE_SUFFIX', 'PATTERN'] as const;

/** The sources of an object's tag. `FILE` is a tag that the model file states. */
export const mappingRules = ['FILE', ...tagRuleKinds] as const;
export type MappingRule = (typeof mappingRules)[number];

export const trialStates = ['MATCHED', 'AMBIGUOUS', 'UNMATCHED', 'TAG_WITHOUT_OBJECT'] as const;
export type TrialState = (typeof trialStates)[number];

/** Property sets of IFC are attributes below this path. */
export const ifcPropertyPrefix = 'properties.';
export const maxTagRules = 20;
