import { locationPath } from '#core';
import { noAccess, type FileAudience, type ServerContext } from '#core/server';
import type { ScanToken } from '../../contract/api.ts';
import { scanRefusal } from '../../contract/refusals.ts';
import { scanSchema, type ScanTables } from '../tables.ts';

export type TokenContext = Pick<ServerContext, 'database' | 'locations'>;

/** Whether nothing of the scans may be shown. */
export const isBarred = ({ state }: ScanToken): boolean => state === 'EXPIRED' || state === 'MISSING';

/** Of a location, or of the nearest location above it that has one. */
export async function scanTokenOf(context: TokenContext, location: string, asked: boolean): Promise<ScanToken> {
  if (!asked) return { state: 'NONE', expiresAt: null };
  const rows = new Map((await context.locations.all()).map((row) => [row.uid, row]));
  const path = locationPath(rows, location).map((row) => row.uid);
  const tokens =
    path.length === 0
      ? []
      : await context.database
          .of<ScanTables>(scanSchema)
          .selectFrom('token')
          .select(['location', 'expires_at'])
          .where('location', 'in', path)
          .execute();
  const [nearest] = tokens.toSorted((a, b) => path.indexOf(b.location) - path.indexOf(a.location));
  if (!nearest) return { state: 'MISSING', expiresAt: null };
  return {
    state: nearest.expires_at.getTime() > Date.now() ? 'VALID' : 'EXPIRED',
    expiresAt: nearest.expires_at.toISOString(),
  };
}

/** Throws 403 where nothing of the scans of a location may be shown. */
export async function demandScanToken(context: TokenContext, location: string, asked: boolean): Promise<void> {
  if (isBarred(await scanTokenOf(context, location, asked))) throw noAccess(scanRefusal('scan.refused.token'));
}

const guardName = 'scan';

/** Who may read a file of scans: those who reach its location, while its token is valid. */
export const scanAudience = (location: string): FileAudience => ({ kind: 'location', location, guard: guardName });

export function guardScans(
  context: Pick<ServerContext, 'database' | 'locations' | 'guardFiles'>,
  asked: boolean,
): void {
  context.guardFiles(guardName, ({ location }) => demandScanToken(context, location, asked));
}

export async function setScanTokenOf(
  context: TokenContext,
  location: string,
  expiresAt: string | null,
  person: string,
): Promise<void> {
  const tables = context.database.of<ScanTables>(scanSchema);
  if (expiresAt === null) {
    await tables.deleteFrom('token').where('location', '=', location).execute();
    return;
  }
  const token = { location, expires_at: expiresAt, set_by: person };
  await tables
    .insertInto('token')
    .values(token)
    .onConflict((conflict) =>
      conflict.column('location').doUpdateSet({ expires_at: new Date(expiresAt), set_by: person, set_at: new Date() }),
    )
    .execute();
}
