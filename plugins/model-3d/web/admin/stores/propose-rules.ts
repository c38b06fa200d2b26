import type { AttributePath, TagRule } from '../../../contract/api/tag-rules.ts';
import { ifcPropertyPrefix } from '../../../contract/values/tag-rules.ts';

/** The last name of a path, such as `Tag`, `TAGNUMBER` or `Tag_No`. */
const tagName = /^(?:equipment|item|plant)?[ _-]?tag(?:[ _-]?(?:no|nr|num|number|name|id))?\.?$/i;

/** Attribute in which the import stores the tag of the file. It needs no rule. */
const fileTag = 'tag';

/** Removes the prefix of property sets from a path, because rules omit it. */
export const toRulePath = (path: string): string =>
  path.startsWith(ifcPropertyPrefix) ? path.slice(ifcPropertyPrefix.length) : path;

/** Rules for a model without any: attributes that are named like a tag, the names of objects, and the object above. */
export function proposeRules(paths: readonly AttributePath[]): readonly TagRule[] {
  const attributes = paths
    .filter(({ path }) => path !== fileTag && tagName.test(path.split('.').at(-1) ?? ''))
    .slice(0, 2)
    .map(({ path }): TagRule => ({
      kind: isIfc(path) ? 'IFC_PROPERTY' : 'EXTRAS',
      path: toRulePath(path),
      part: 'WHOLE',
    }));
  return [
    ...attributes,
    { kind: 'NAME', part: 'WHOLE' },
    { kind: 'NAME', part: 'BEFORE_SLASH' },
    { kind: 'PARENT', part: 'WHOLE' },
  ];
}

export const isIfc = (path: string): boolean => path.startsWith(ifcPropertyPrefix);
