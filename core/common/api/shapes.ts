import { Type, type TSchema } from 'typebox';
import type { Point3 } from '../geometry/view-state.ts';
import type { LocalizedError as Told } from '../localized-error.ts';

/** An email address, as a person types it: compared without regard to case, at most 254 characters (RFC 5321). */
export const Username = Type.String({ minLength: 3, maxLength: 254, pattern: '^[^@\\s]+@[^@\\s]+$' });
export const Password = Type.String({ minLength: 1, maxLength: 256 });
/**
 * A password being chosen. The product says how long it must be, never less than 8 characters; there are no rules of
 * composition (NIST SP 800-63B).
 */
export const NewPassword = Type.String({ minLength: 8, maxLength: 256 });
/** A one-time code of six digits. */
export const OneTimeCode = Type.String({ pattern: '^[0-9]{6}$' });
export const Empty = Type.Object({}, { additionalProperties: false });
/** Times are ISO 8601 in UTC. */
export const Instant = Type.String();
/**
 * The same where a caller gives it: RFC 3339 as far as both Date and PostgreSQL take it, from 1900 on. Leap seconds and
 * offsets that no place has are answered with 400.
 */
export const GivenInstant = Type.String({
  format: 'date-time',
  pattern: '^(19|[2-9]\\d)\\d{2}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:[0-5]\\d(\\.\\d{1,9})?(Z|[+-](0\\d|1[0-4]):\\d{2})$',
});

/** Sent with a change; the version after it still fits the database's `integer`. */
export const ChangedVersion = Type.Integer({
  minimum: 0,
  maximum: 2 ** 31 - 2,
  description: 'The version that was changed; 0 for a new one.',
});

/** A day of the calendar, `2026-11-21`. */
export const CalendarDay = Type.String();

export const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** Uid of a location, as a caller gives it. */
export const LocationUid = Type.String({ minLength: 1, maxLength: 64 });

/** Code of a node, deck, cloud or station, as a caller gives it. */
export const Code = Type.String({ minLength: 1, maxLength: 64 });

/** Uid of something that exists, as a caller gives it. */
export const Uid = Type.String({ minLength: 1, maxLength: 64 });

/** Uid (version 4 of UUID) that the caller chose: what is sent twice is stored once. */
export const NewUid = Type.String({
  pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$',
});

/** x (east), y (north) and z (up) in the site frame, metres. */
export const Point = Type.Unsafe<Point3>(Type.Array(Type.Number(), { minItems: 3, maxItems: 3 }));

/** A coordinate as a caller gives it. */
export const GivenCoordinate = Type.Number({ minimum: -1e8, maximum: 1e8 });

/** The same as `Point` where a caller gives it. */
export const GivenPoint = Type.Unsafe<Point3>(Type.Array(GivenCoordinate, { minItems: 3, maxItems: 3 }));

/** One page of a list. `total` counts the rows of all pages; `offset` is the index of the first row of this one. */
export interface Page<T> {
  readonly total: number;
  readonly offset: number;
  readonly rows: readonly T[];
}
export const Page = <T extends TSchema>(row: T) =>
  Type.Object({
    total: Type.Integer({ minimum: 0 }),
    offset: Type.Integer({ minimum: 0 }),
    rows: Type.Array(row),
  });

/** The query of a list that is answered in pages of at most `maxRows`. */
export const pageQuery = (maxRows: number) => ({
  offset: Type.Optional(Type.Integer({ minimum: 0 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: maxRows })),
});

/**
 * Why something was refused, for the reader's language: the id of a message, the values of its gaps, and the name of
 * the part that it is about, such as one file of several.
 */
export const LocalizedError = Type.Unsafe<Told>(
  Type.Object({
    message: Type.String(),
    values: Type.Optional(Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]))),
    where: Type.Optional(Type.String()),
  }),
);

/** One page of a list whose rows come and go: the next one begins after the last row of this one, not at an index. */
export interface CursorPage<Row> {
  readonly rows: Row[];
  /** Of the whole list. */
  readonly total: number;
  /** Asks for the rows after these; null at the end of the list. */
  readonly next: string | null;
}
export const CursorPage = <Row extends TSchema>(row: Row) =>
  Type.Object({ rows: Type.Array(row), total: Type.Integer(), next: nullable(Type.String()) });
