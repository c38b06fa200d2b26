import { atLocation, noAccess, type FileAudience, type ServerContext } from '#core/server';
import type { ScanToken } from '../../contract/api.ts';
import { scanRefusal } from '../../contract/errors.ts';
import type { ScanTables } from '../tables.ts';

export type TokenContext = Pick<ServerContext<ScanTables>, 'tables' | 'locations'>;

const noToken: ScanToken = { state: 'NONE', expiresAt: null };

/** Whether the scans must not be shown. */
export const isBlocked = ({ state }: ScanToken): boolean => state === 'EXPIRED' || state === 'MISSING';

/** Finds tokens by location with one query. A location inherits the token of the nearest ancestor that has one. */
export async function findScanTokens(
  { tables, locations: tree }: TokenContext,
  locations: readonly string[],
  tokenRequired: boolean,
): Promise<(location: string) => ScanToken> {
  if (!tokenRequired) return () => noToken;
  const paths = new Map(
    await Promise.all(locations.map(async (location) => [location, await tree.ancestors(location)] as const)),
  );
  const rows = await tables
    .selectFrom('token')
    .select(['location', 'expires_at'])
    .where(atLocation('location', [...new Set([...paths.values()].flat())]))
    .execute();
  const instants = new Map(rows.map((row) => [row.location, row.expires_at]));
  return (location) => {
    const nearest = paths.get(location)?.find((uid) => instants.has(uid));
    const expiresAt = nearest === undefined ? undefined : instants.get(nearest);
    if (!expiresAt) return { state: 'MISSING', expiresAt: null };
    return { state: expiresAt.getTime() > Date.now() ? 'VALID' : 'EXPIRED', expiresAt: expiresAt.toISOString() };
  };
}

/** Finds the token of a location, inherited from the nearest ancestor that has one. */
export async function findScanToken(
  context: TokenContext,
  location: string,
  tokenRequired: boolean,
): Promise<ScanToken> {
  return (await findScanTokens(context, [location], tokenRequired))(location);
}

/** Finds the token of a location, and those of `locations` whose scans may be shown: none without a valid token. */
export async function findTokenAndUnblockedLocations(
  context: TokenContext,
  location: string,
  locations: readonly string[],
  tokenRequired: boolean,
): Promise<{ readonly token: ScanToken; readonly unblocked: readonly string[] }> {
  const findToken = await findScanTokens(context, [location, ...locations], tokenRequired);
  const token = findToken(location);
  return { token, unblocked: isBlocked(token) ? [] : locations.filter((uid) => !isBlocked(findToken(uid))) };
}

/** Throws 403 if the scans of a location must not be shown. */
export async function assertScanToken(context: TokenContext, location: string, tokenRequired: boolean): Promise<void> {
  if (isBlocked(await findScanToken(context, location, tokenRequired)))
    throw noAccess(scanRefusal('scan.refused.token'));
}

const guardName = 'scan';

/** The audience of scan files. A caller needs access to the location, and its scan token must be valid. */
export const scanAudience = (location: string): FileAudience => ({ kind: 'location', location, guard: guardName });

export function guardScans(
  context: Pick<ServerContext<ScanTables>, 'tables' | 'locations' | 'guardFiles'>,
  tokenRequired: boolean,
): void {
  context.guardFiles(guardName, ({ location }) => assertScanToken(context, location, tokenRequired));
}

/** Saves the expiry of the location's own token; null deletes the token. */
export async function saveScanToken(
  context: TokenContext,
  location: string,
  expiresAt: string | null,
  person: string,
): Promise<void> {
  const { tables } = context;
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
