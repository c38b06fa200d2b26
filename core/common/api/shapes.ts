import { Type, type TSchema } from 'typebox';
import type { Point3 } from '../geometry/view-state.ts';
import type { LocalizedError as LocalizedErrorValue } from '../localized-error.ts';

/** An email address, compared case-insensitively, at most 254 characters (RFC 5321). */
export const Username = Type.String({ minLength: 3, maxLength: 254, pattern: '^[^@\\s]+@[^@\\s]+$' });
export const Password = Type.String({ minLength: 1, maxLength: 256 });
/**
 * A new password. The product sets the minimum length, at least 8 characters; there are no composition rules (NIST SP
 * 800-63B).
 */
export const NewPassword = Type.String({ minLength: 8, maxLength: 256 });
/** A one-time code of six digits. */
export const OneTimeCode = Type.String({ pattern: '^[0-9]{6}$' });
export const Empty = Type.Object({}, { additionalProperties: false });
/** A time in a reply: ISO 8601 in UTC. */
export const Instant = Type.String();
/**
 * A time in a request: RFC 3339 as far as Date and PostgreSQL both accept it, from 1900 on. Leap seconds and impossible
 * offsets are answered with 400.
 */
export const InstantInput = Type.String({
  format: 'date-time',
  pattern: '^(19|[2-9]\\d)\\d{2}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:[0-5]\\d(\\.\\d{1,9})?(Z|[+-](0\\d|1[0-4]):\\d{2})$',
});

/** The version on which a change is based. The maximum leaves room for the next version in a PostgreSQL `integer`. */
export const BaseVersion = Type.Integer({
  minimum: 0,
  maximum: 2 ** 31 - 2,
  description: 'The version that the change is based on; 0 for a new record.',
});

/** A calendar day, `2026-11-21`. */
export const CalendarDay = Type.String();

export const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** Uid of a location in a request. */
export const LocationUid = Type.String({ minLength: 1, maxLength: 64 });

/** Code of a node, deck, cloud or station in a request. */
export const Code = Type.String({ minLength: 1, maxLength: 64 });

/** Uid of an existing record in a request. */
export const Uid = Type.String({ minLength: 1, maxLength: 64 });

/** Uid (UUID version 4) chosen by the caller, which makes a repeated request idempotent. */
export const NewUid = Type.String({
  pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$',
});

/** x (east), y (north) and z (up) in the site frame, metres. */
export const Point = Type.Unsafe<Point3>(Type.Array(Type.Number(), { minItems: 3, maxItems: 3 }));

/** A coordinate in a request. */
export const CoordinateInput = Type.Number({ minimum: -1e8, maximum: 1e8 });

/** A `Point` in a request. */
export const PointInput = Type.Unsafe<Point3>(Type.Array(CoordinateInput, { minItems: 3, maxItems: 3 }));

/** One page of a list. `total` counts the rows of all pages; `offset` is the index of the first row of this one. */
export interface Page<T> {
  readonly total: number;
  readonly offset: number;
  readonly rows: T[];
}
export const Page = <T extends TSchema>(row: T) =>
  Type.Object({
    total: Type.Integer({ minimum: 0 }),
    offset: Type.Integer({ minimum: 0 }),
    rows: Type.Array(row),
  });

/** Query of a list with pages of at most `maxRows`. */
export const pageQuery = (maxRows: number) => ({
  offset: Type.Optional(Type.Integer({ minimum: 0 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: maxRows })),
});

/**
 * Schema of a localized refusal: message id and placeholder values. `where` names the item that was refused, such as
 * one of several uploaded files.
 */
export const LocalizedError = Type.Unsafe<LocalizedErrorValue>(
  Type.Object({
    message: Type.String(),
    values: Type.Optional(Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]))),
    where: Type.Optional(Type.String()),
  }),
);

/** One page of a changing list: the next page starts after this page's last row, not at an index. */
export interface CursorPage<Row> {
  readonly rows: Row[];
  /** Number of rows of the whole list. */
  readonly total: number;
  /** Cursor of the next page; null at the end of the list. */
  readonly next: string | null;
}
export const CursorPage = <Row extends TSchema>(row: Row) =>
  Type.Object({ rows: Type.Array(row), total: Type.Integer(), next: nullable(Type.String()) });
