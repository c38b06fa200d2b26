import { Type } from 'typebox';

/** An email address, as a person types it: compared without regard to case, at most 254 characters (RFC 5321). */
export const Username = Type.String({ minLength: 3, maxLength: 254, pattern: '^[^@\\s]+@[^@\\s]+$' });
export const Password = Type.String({ minLength: 1, maxLength: 256 });
/** A password being chosen (ASVS 6.2.1: at least 8 characters, no rules of composition). */
export const NewPassword = Type.String({ minLength: 8, maxLength: 256 });
/** A one-time code of six digits. */
export const OneTimeCode = Type.String({ pattern: '^[0-9]{6}$' });
export const Empty = Type.Object({}, { additionalProperties: false });
/** Times are ISO 8601 in UTC. */
export const Instant = Type.String();
/** The same where a caller gives it: anything else is answered with 400. */
export const GivenInstant = Type.String({ format: 'date-time' });
