import type { Kysely } from 'kysely';
import { Gauge, type Registry } from 'prom-client';
import type { Clock } from '../kernel/clock.ts';
import type { AuthTables } from './auth-tables.ts';

/** Shows at `/metrics` how many sessions are open, over all processes; counted when it is asked for. */
export function measureSessions(metrics: Registry, tables: Kysely<AuthTables>, clock: Clock): void {
  new Gauge({
    name: 'walkdown_sessions',
    help: 'Sessions that can still be renewed.',
    registers: [metrics],
    async collect() {
      const now = new Date(clock.now());
      const found = await tables
        .selectFrom('session')
        .select((expression) => expression.fn.countAll<number>().as('open'))
        .where('revoked_at', 'is', null)
        .where('idle_expires_at', '>', now)
        .where('expires_at', '>', now)
        .executeTakeFirstOrThrow()
        // The other metrics are wanted most when the database is away.
        .catch(() => ({ open: Number.NaN }));
      this.set(found.open);
    },
  });
}
