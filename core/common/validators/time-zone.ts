import { isTimeZone } from '../format/time-zones.ts';
import { isEmpty, validationMessages, type ValidationError } from './validation-error.ts';

/** Refuses names that are not in the IANA time zone database, such as `Europe/Atlantis`. */
export function timeZoneName(value: unknown): ValidationError | undefined {
  return isEmpty(value) || (typeof value === 'string' && isTimeZone(value))
    ? undefined
    : { message: validationMessages.timeZone };
}
