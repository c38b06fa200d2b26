import { mandatory } from './validators/mandatory.ts';
import { maxLength } from './validators/max.ts';
import { codeChars } from './validators/special-chars.ts';

/** Maximum lengths of a location's code, name and label. */
export const locationLimits = { uid: 50, name: 150, label: 50 } as const;

const nameRules = {
  name: [mandatory, maxLength(locationLimits.name)],
  label: [maxLength(locationLimits.label)],
};
/** Rules of a new location, by field. */
export const newLocationRules = { uid: [mandatory, maxLength(locationLimits.uid), codeChars], ...nameRules };
/** Rules of a changed location, by field. */
export const locationRules = nameRules;
