import { sql, type Kysely } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnDatabases, createTestDatabase, type TestDatabase } from '#core/testing/server';
import { openDatabase } from './open-database.ts';
import { planEachStatement } from './pool-driver.ts';
import type { PoolDatabase } from './pool-database.ts';

interface Tables {
  part: { id: number; code: string; added: Date; note?: string | null };
}

const repetitions = 6;

describeOnDatabases('a repeated statement', (kind) => {
  let testDatabase: TestDatabase;
  let database: PoolDatabase;
  beforeAll(async () => {
    testDatabase = await createTestDatabase(kind);
    database = await openDatabase(testDatabase.config, { log: pino({ level: 'silent' }), durable: false });
    await database.query('create schema shop');
    await database.query('create table shop.part (id int primary key, code text not null, added timestamptz not null)');
    await database.query("insert into shop.part select n, 'P-' || n, '2026-01-02' from generate_series(1, 20) as n");
  });
  afterAll(async () => {
    await database.close();
    await testDatabase.remove();
  });
  const parts = () => database.of<Tables>('shop');
  const addedAt = new Date('2026-01-02');
  const find = (id: number) => parts().selectFrom('part').selectAll().where('id', '=', id).executeTakeFirst();

  it('returns the same rows and types each time', async () => {
    for (let time = 1; time <= repetitions; time++) {
      expect(await find(time)).toEqual({ id: time, code: `P-${time}`, added: addedAt });
      expect(await find(-time)).toBeUndefined();
    }
  });

  it('counts affected rows of a statement without results', async () => {
    for (let time = 1; time <= repetitions; time++) {
      const { numUpdatedRows } = await parts()
        .updateTable('part')
        .set({ code: `Q-${time}` })
        .where('id', '>', 20 - time)
        .executeTakeFirstOrThrow();
      expect(numUpdatedRows).toBe(BigInt(time));
    }
  });

  it('works concurrently on many connections', async () => {
    const rows = await Promise.all(Array.from({ length: 60 }, (_, index) => find((index % 14) + 1)));
    expect(rows.map((row) => row?.id)).toEqual(Array.from({ length: 60 }, (_, index) => (index % 14) + 1));
  });

  it('continues after a data error', async () => {
    const insert = (id: number) => parts().insertInto('part').values({ id, code: 'P', added: addedAt }).execute();
    for (let time = 1; time <= repetitions; time++) await insert(100 + time);
    await expect(insert(101)).rejects.toMatchObject({ code: '23505' });
    await insert(200);
    expect((await find(200))?.code).toBe('P');
  });

  it('is planned for its own values, and not prepared, in transactions that ask for it', async () => {
    for (let time = 1; time <= repetitions; time++) await find(time);
    const { sql: text } = parts().selectFrom('part').selectAll().where('code', '=', 'P').compile();
    const selectPrepared = async (connections: Kysely<Tables>, plansEach: boolean) =>
      connections.transaction().execute(async (transaction) => {
        if (plansEach) await planEachStatement(transaction);
        for (let time = 1; time <= repetitions; time++)
          await transaction.selectFrom('part').selectAll().where('code', '=', `P-${time}`).execute();
        const { rows } = await sql`select from pg_prepared_statements where statement = ${text}`.execute(transaction);
        return rows.length;
      });
    expect(await selectPrepared(parts(), true)).toBe(0);
    expect(await selectPrepared(parts(), false)).toBe(1);
  });

  it('returns an added column and a changed type', async () => {
    for (let time = 1; time <= repetitions; time++) await find(1);
    await database.query('alter table shop.part add column note text');
    for (let time = 1; time <= repetitions; time++)
      expect(await find(1)).toEqual({ id: 1, code: 'P-1', added: addedAt, note: null });
    await database.query('alter table shop.part alter column note type int using 7');
    for (let time = 1; time <= repetitions; time++) expect(await find(1)).toMatchObject({ note: 7 });
  });
});
