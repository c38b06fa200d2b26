import { isTimeZone } from '../format/time-zones.ts';
import { isEmpty, validationMessages, type ValidationError } from './validation-error.ts';

/** Refuses what is not the name of a time zone in the IANA database, such as `Europe/Oslo`. */
export function timeZoneName(value: unknown): ValidationError | undefined {
  return isEmpty(value) || (typeof value === 'string' && isTimeZone(value))
    ? undefined
    : { message: validationMessages.timeZone };
}
