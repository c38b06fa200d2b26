import type { Kysely } from 'kysely';
import { Gauge, type Registry } from 'prom-client';
import type { Clock } from '../kernel/clock.ts';
import type { AuthTables } from './auth-tables.ts';

/** Exports the number of open sessions of all processes at `/metrics`. Each scrape counts them. */
export function measureSessions(metrics: Registry, tables: Kysely<AuthTables>, clock: Clock): void {
  new Gauge({
    name: 'walkdown_sessions',
    help: 'Sessions that can still be renewed.',
    registers: [metrics],
    async collect() {
      const now = new Date(clock.now());
      const row = await tables
        .selectFrom('session')
        .select((expression) => expression.fn.countAll<number>().as('open'))
        .where('revoked_at', 'is', null)
        .where('idle_expires_at', '>', now)
        .where('expires_at', '>', now)
        .executeTakeFirstOrThrow()
        // Metrics must stay available while the database is down.
        .catch(() => ({ open: Number.NaN }));
      this.set(row.open);
    },
  });
}
