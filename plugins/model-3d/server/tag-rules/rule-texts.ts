import { RE2JS, RE2JSException } from 're2js';
import { invalidRequest } from '#core/server';
import type { TagRule } from '../../contract/api/tag-rules.ts';
import { modelRefusal } from '../../contract/errors.ts';
import { ifcPropertyPrefix, type MappingRule } from '../../contract/values/tag-rules.ts';

/** Longer texts are ignored, because they cannot be tag numbers. */
const maxTextLength = 300;

/** A rule with the path of its attribute and a function that extracts the name of the tag from a text. */
export interface CompiledRule {
  readonly kind: MappingRule;
  /** Path of the attribute. Undefined for names, and for the rule `PARENT`. */
  readonly path: string | undefined;
  /** Returns an empty text if nothing is found. */
  readonly findText: (text: string) => string;
}

/**
 * Compiles rules, so that they can be applied to many objects.
 *
 * @throws `invalidRequest` (400) for a rule without its path or its pattern, or with an unusable pattern
 */
export const compileRules = (rules: readonly TagRule[]): readonly CompiledRule[] =>
  rules.map((rule, index) => ({ kind: rule.kind, path: toPath(rule, index), findText: toFinder(rule, index) }));

function toPath({ kind, path = '' }: TagRule, index: number): string | undefined {
  if (kind === 'NAME' || kind === 'PARENT') return undefined;
  if (path.trim() === '')
    throw invalidRequest(modelRefusal('model-3d.refused.rulePath', { number: index + 1 }), [
      { pointer: `/rules/${index}/path`, message: 'core.validation.mandatory' },
    ]);
  return kind === 'IFC_PROPERTY' ? `${ifcPropertyPrefix}${path}` : path;
}

function toFinder({ part, pattern = '' }: TagRule, index: number): CompiledRule['findText'] {
  const find = part === 'PATTERN' ? compilePattern(pattern, index) : finderByPart[part];
  return (text) => (text.length > maxTextLength ? '' : find(text.trim()).trim());
}

const finderByPart: Readonly<Record<Exclude<TagRule['part'], 'PATTERN'>, (text: string) => string>> = {
  WHOLE: (text) => text,
  BEFORE_SLASH: (text) => text.replace(/^\/+/, '').split('/', 1)[0] ?? '',
  LAST_WORD: (text) => text.split(/\s/).at(-1) ?? '',
  BEFORE_SUFFIX: (text) => text.slice(0, Math.max(...['-', '_', '.', ':'].map((end) => text.lastIndexOf(end)), 0)),
};

/** Uses RE2, because its run time is proportional to the length of the text for any expression. */
function compilePattern(pattern: string, index: number): (text: string) => string {
  const createError = (): Error =>
    invalidRequest(modelRefusal('model-3d.refused.rulePattern', { number: index + 1 }), [
      { pointer: `/rules/${index}/pattern`, message: 'core.validation.format' },
    ]);
  if (pattern.trim() === '') throw createError();
  const regex = tryCompile(pattern);
  if (!regex) throw createError();
  return (text) => {
    const matcher = regex.matcher(text);
    if (!matcher.find()) return '';
    return (regex.groupCount() > 0 ? matcher.group(1) : matcher.group()) ?? '';
  };
}

function tryCompile(pattern: string): RE2JS | undefined {
  try {
    return RE2JS.compile(pattern, RE2JS.CASE_INSENSITIVE);
  } catch (error) {
    if (error instanceof RE2JSException) return undefined;
    throw error;
  }
}
