import path from 'node:path';
import { pino } from 'pino';
import { openDatabase } from '../../../core/server/database/open-database.ts';

/** Adds people, each with a role, to the embedded database of a data folder. */
export async function addPeople(dataFolder: string, count: number): Promise<void> {
  const folder = path.join(dataFolder, 'database');
  const database = await openDatabase({ kind: 'embedded', folder }, { log: pino({ level: 'silent' }), durable: false });
  try {
    await database.query(
      `insert into core.user_account (uid, username, name, user_type, status, created_at)
       select 'listed-' || n, 'person-' || n || '@example.test', 'Person ' || n, 'TENANT_USER',
         case when n % 7 = 0 then 'INACTIVE' else 'ACTIVE' end, now() - n * interval '1 minute'
       from generate_series(1, ${count}) as n`,
    );
    await database.query(
      `insert into core.user_role
       select account.uid, role.uid from core.user_account as account, (select uid from core.role order by uid limit 1) as role
       where account.uid like 'listed-%'`,
    );
    await database.query('analyze core.user_account, core.user_role');
  } finally {
    await database.close();
  }
}
