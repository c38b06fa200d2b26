import { sql, type RawBuilder } from 'kysely';
import type { CodeKind, SiteContents } from '#plugins/tour';

const tableByKind = {
  TOUR: 'tour',
  DECK: 'deck',
  NODE: 'node',
  TAG: 'tag',
  DOCUMENT: 'document',
} as const satisfies Record<CodeKind, string>;

/** See `SiteContents`. */
export const selectCoded: SiteContents['select'] = (kind, site): RawBuilder<unknown> => sql`
  select uid, code${kind === 'NODE' ? sql`, tour` : sql``} from ${sql.id('tour', tableByKind[kind])} where site = ${site}`;
