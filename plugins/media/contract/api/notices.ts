import { Type, type Static } from 'typebox';
import { endpoint, noticeSeverities } from '#core';
import {
  BaseVersion,
  Changed,
  Empty,
  InstantInput,
  Instant,
  LocationUid,
  NewUid,
  nullable,
  Page,
  pageQuery,
} from '#core/api';
import { noticeRules } from '../rules.ts';
import { maxShownNotices, bannerAreas } from '../values.ts';

/** A notice in the banner area at the top or the bottom, from its start to its end. */
export type Notice = Static<typeof Notice>;
export const Notice = Type.Object({
  uid: Type.String(),
  text: Type.String(),
  /** Null if `text` is used in French as well. */
  frenchText: nullable(Type.String()),
  severity: Type.Enum([...noticeSeverities]),
  area: Type.Enum([...bannerAreas]),
  /** Uid of the location whose people see it. Null: everybody who is logged in. */
  location: nullable(Type.String()),
  /** Whether the login screen shows it, to everybody. */
  onLogin: Type.Boolean(),
  startsAt: Instant,
  /** Null if it is shown until it is deleted. */
  endsAt: nullable(Instant),
  version: Type.Integer(),
});

/** The notices for a person that have not ended. */
export type ShownNotices = Static<typeof ShownNotices>;
export const ShownNotices = Type.Object({
  /** The server's time. Browsers show and hide notices by it, because their own clocks may be wrong. */
  now: Instant,
  /** The notices that the person has not dismissed, ordered by start. */
  notices: Type.Array(Notice),
});

const noticeParams = Type.Object({ notice: NewUid });

export const listNotices = endpoint('GET', '/api/media/notices', {
  summary: 'Lists the notices for everybody and for the locations that the caller can access, the latest start first.',
  access: 'configure',
  query: Type.Object(pageQuery(200), { additionalProperties: false }),
  reply: Page(Notice),
});

export const listShownNotices = endpoint('GET', '/api/media/shown-notices', {
  summary: `The notices that the caller sees now and later, at most ${maxShownNotices}.`,
  access: 'signedIn',
  reply: ShownNotices,
});

export const dismissNotice = endpoint('PUT', '/api/media/shown-notices/:notice/dismissal', {
  summary: 'Hides a notice from the caller, until an admin changes it. Answers 400 for a critical one.',
  access: 'signedIn',
  params: noticeParams,
  body: Empty,
  reply: Empty,
});

export const saveNotice = endpoint('PUT', '/api/media/notices/:notice', {
  summary:
    'Creates a notice (version 0) or changes it. Browsers show and hide it without a reload. Answers 409 with the ' +
    'current notice if it was changed since it was read.',
  access: 'configure',
  params: noticeParams,
  body: Type.Object(
    {
      text: Type.String({ maxLength: 2000 }),
      frenchText: nullable(Type.String({ maxLength: 2000 })),
      severity: Type.Enum([...noticeSeverities]),
      area: Type.Enum([...bannerAreas]),
      location: nullable(LocationUid),
      onLogin: Type.Boolean(),
      startsAt: InstantInput,
      endsAt: nullable(InstantInput),
      version: BaseVersion,
    },
    { additionalProperties: false },
  ),
  rules: noticeRules,
  reply: Changed,
});

export const deleteNotice = endpoint('DELETE', '/api/media/notices/:notice', {
  summary: 'Deletes a notice. Answers 409 with the current notice if it was changed since it was read.',
  access: 'configure',
  params: noticeParams,
  query: Type.Object({ version: BaseVersion }, { additionalProperties: false }),
  reply: Changed,
});
