import { atLocation, noAccess, type FileAudience, type ServerContext } from '#core/server';
import type { ScanToken } from '../../contract/api.ts';
import { scanRefusal } from '../../contract/errors.ts';
import type { ScanTables } from '../tables.ts';

export type TokenContext = Pick<ServerContext<ScanTables>, 'tables' | 'locations'>;

const noToken: ScanToken = { state: 'NONE', expiresAt: null };

/** Whether the scans must not be shown. */
export const isBlocked = ({ state }: ScanToken): boolean => state === 'EXPIRED' || state === 'MISSING';

/** Tokens by location, inherited from the nearest ancestor that has one. One query for any number of locations. */
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

/** The token of a location, inherited from the nearest ancestor that has one. */
export async function findScanToken(
  context: TokenContext,
  location: string,
  tokenRequired: boolean,
): Promise<ScanToken> {
  return (await findScanTokens(context, [location], tokenRequired))(location);
}

/** The token of a location, and those of `locations` whose scans may be shown: none if the location's own may not. */
export async function findTokenAndUnblockedLocations(
  context: TokenContext,
  location: string,
  locations: readonly string[],
  tokenRequired: boolean,
): Promise<{ readonly token: ScanToken; readonly unblocked: readonly string[] }> {
  const tokenAt = await findScanTokens(context, [location, ...locations], tokenRequired);
  const token = tokenAt(location);
  return { token, unblocked: isBlocked(token) ? [] : locations.filter((each) => !isBlocked(tokenAt(each))) };
}

/** Throws 403 if the scans of a location must not be shown. */
export async function assertScanToken(context: TokenContext, location: string, tokenRequired: boolean): Promise<void> {
  if (isBlocked(await findScanToken(context, location, tokenRequired)))
    throw noAccess(scanRefusal('scan.refused.token'));
}

const guardName = 'scan';

/** Authorizes reading scan files: the caller can access the location and its token is valid. */
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
