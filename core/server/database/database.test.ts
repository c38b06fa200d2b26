import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnDatabases, openTestDatabase } from '#core/testing/server';
import { DatabaseUnavailableError, DatabaseError, isUniqueViolation } from '../kernel/database-error.ts';
import type { PoolDatabase } from './pool-database.ts';

interface Tables {
  thing: { id: number; name: string; tags: string[]; facts: { readonly size?: number } | string; seen: Date | string };
}

describeOnDatabases('the database', (kind) => {
  let database: PoolDatabase;
  beforeAll(async () => {
    database = await openTestDatabase(kind);
    await database.query('create schema store');
    await database.query('create extension if not exists pg_trgm');
    await database.query(
      "create table store.thing (id int primary key, name text not null, tags text[] not null default '{}', facts " +
        "jsonb not null default '{}', seen timestamptz not null default now())",
    );
    await database.query('create table store.counter (id int primary key, value int not null)');
  });
  afterAll(() => database.close());

  const insert = (id: number, name = `thing ${id}`) =>
    database
      .of<Tables>('store')
      .insertInto('thing')
      .values({ id, name, tags: ['a'], facts: JSON.stringify({ size: id }), seen: new Date(0) });
  const listNames = async (): Promise<readonly string[]> =>
    (await database.of<Tables>('store').selectFrom('thing').select('name').orderBy('id').execute()).map(
      ({ name }) => name,
    );

  it('returns the same types on either database', async () => {
    const [row] = await database.query<Record<string, unknown>>(
      "select 9007199254740991::int8 as whole, count(*) as counted, 1.50::numeric as amount, date '2026-01-02' as " +
        "day, timestamptz '2026-01-02 00:00Z' as moment, '{\"a\":[1]}'::jsonb as facts, array[1,2] as numbers, " +
        "array['a'] " +
        "as texts, true as yes, '\\x01'::bytea as bytes, interval '1 day 2 hours' as span, 1.5::float8 as real",
    );
    expect(row).toMatchObject({
      whole: 9_007_199_254_740_991,
      counted: 1,
      amount: '1.50',
      day: '2026-01-02',
      moment: new Date('2026-01-02T00:00:00Z'),
      facts: { a: [1] },
      numbers: [1, 2],
      texts: ['a'],
      yes: true,
      bytes: Buffer.from([1]),
      span: { days: 1, hours: 2 },
      real: 1.5,
    });
  });

  it('accepts the same parameters on either database', async () => {
    const [row] = await database.query<Record<string, unknown>>(
      'select $1::jsonb as facts, $2::text[] as texts, $3::timestamptz as moment, $4::bytea as bytes, $5::int as ' +
        'nothing, $6::text as content',
      [
        { a: "it's" },
        ['x', 'y"z', 'ä,b'],
        new Date(1000),
        Buffer.from([0, 255]),
        null,
        "'; drop table store.thing; --",
      ],
    );
    expect(row).toEqual({
      facts: { a: "it's" },
      texts: ['x', 'y"z', 'ä,b'],
      moment: new Date(1000),
      bytes: Buffer.from([0, 255]),
      nothing: null,
      content: "'; drop table store.thing; --",
    });
  });

  it('rolls back a failed transaction and commits a finished one', async () => {
    const tables = database.of<Tables>('store');
    await expect(
      tables.transaction().execute(async (transaction) => {
        await transaction
          .insertInto('thing')
          .values({ id: 1, name: 'rolled back', tags: [], facts: '{}', seen: new Date() })
          .execute();
        throw new Error('roll back');
      }),
    ).rejects.toThrow('roll back');
    await tables.transaction().execute(async (transaction) => {
      await transaction
        .insertInto('thing')
        .values({ id: 2, name: 'committed', tags: [], facts: '{}', seen: new Date() })
        .execute();
    });
    expect(await listNames()).toEqual(['committed']);
    await tables.deleteFrom('thing').execute();
  });

  it('counts affected rows', async () => {
    await insert(10).execute();
    await insert(11).execute();
    const [changed] = await database
      .of<Tables>('store')
      .updateTable('thing')
      .set({ tags: ['b'] })
      .execute();
    expect(changed?.numUpdatedRows).toBe(2n);
    const deleteResult = await database.of<Tables>('store').deleteFrom('thing').executeTakeFirst();
    expect(deleteResult.numDeletedRows).toBe(2n);
  });

  it('reports the constraint of a violation without user data', async () => {
    await insert(20, 'anna@example.test').execute();
    const violation = await insert(20, 'anna@example.test')
      .execute()
      .catch((error: unknown) => error);
    expect(violation).toBeInstanceOf(DatabaseError);
    expect(isUniqueViolation(violation, 'thing_pkey')).toBe(true);
    expect(violation).toMatchObject({ code: '23505', constraint: 'thing_pkey', table: 'thing' });
    const syntaxError = await database.query('select $1::uuid', ['anna@example.test']).catch((error: unknown) => error);
    expect(syntaxError).toMatchObject({ code: '22P02', message: 'invalid input syntax for type uuid' });
    for (const error of [violation, syntaxError])
      expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain('anna');
    expect(await listNames()).toEqual(['anna@example.test']);
    await database.of<Tables>('store').deleteFrom('thing').execute();
  });

  it('refuses a query that bypasses its transaction', async () => {
    const tables = database.of<Tables>('store');
    const expectedMessage = 'does not use the transaction';
    await expect(tables.transaction().execute(async () => listNames())).rejects.toThrow(expectedMessage);
    await expect(tables.transaction().execute(async () => database.query('select 1'))).rejects.toThrow(expectedMessage);
    await expect(tables.transaction().execute(async () => database.notify('x', 'y'))).rejects.toThrow(expectedMessage);
    await expect(
      tables.transaction().execute(async () => tables.transaction().execute(async () => undefined)),
    ).rejects.toThrow(expectedMessage);
  });

  it('runs queries of other callers while a transaction is open', async () => {
    const tables = database.of<Tables>('store');
    let signalBegun = (): void => undefined;
    const startSignal = new Promise<void>((resolve) => (signalBegun = resolve));
    const [, concurrentNames] = await Promise.all([
      tables.transaction().execute(async (transaction) => {
        signalBegun();
        await sql`select 1`.execute(transaction);
        return 1;
      }),
      startSignal.then(() => listNames()),
    ]);
    expect(concurrentNames).toEqual([]);
    expect(await listNames()).toEqual([]);
  });

  it('runs 100 concurrent transactions without losing one', async () => {
    interface Counters {
      counter: { id: number; value: number };
    }
    const counters = database.of<Counters>('store');
    await counters.insertInto('counter').values({ id: 1, value: 0 }).execute();
    await Promise.all(
      Array.from({ length: 100 }, () =>
        counters.transaction().execute(async (transaction) => {
          const { value } = await transaction
            .selectFrom('counter')
            .select('value')
            .where('id', '=', 1)
            .forUpdate()
            .executeTakeFirstOrThrow();
          await transaction
            .updateTable('counter')
            .set({ value: value + 1 })
            .where('id', '=', 1)
            .execute();
        }),
      ),
    );
    expect(await counters.selectFrom('counter').select('value').executeTakeFirstOrThrow()).toEqual({ value: 100 });
  });

  it('supports the SQL features that the product uses', async () => {
    const rows = await database.query<{ path: string; near: boolean }>(
      "with recursive tree(id, path) as (select 1, 'a' union all select id + 1, path || 'b' from tree where id < 3) " +
        "select path, path % 'abb' as near from tree order by id",
    );
    expect(rows.map(({ path }) => path)).toEqual(['a', 'ab', 'abb']);
    expect(rows.at(-1)?.near).toBe(true);
    const [facts] = await database.query<{ found: boolean }>(
      'select \'[{"name":"u"}]\'::jsonb @> \'[{"name":"u"}]\'::jsonb as found',
    );
    expect(facts?.found).toBe(true);
  });

  it('notifies listeners until they unsubscribe', async () => {
    const receivedPayloads: string[] = [];
    let notify = (): void => undefined;
    const stop = await database.listen('a channel', (payload) => {
      receivedPayloads.push(payload);
      notify();
    });
    const next = (): Promise<void> => new Promise((resolve) => (notify = resolve));
    const first = next();
    await database.notify('another channel', 'not for me');
    await database.notify('a channel', 'one');
    await first;
    await stop();
    const secondMessage = next();
    const stopSecond = await database.listen('a channel', () => notify());
    await database.notify('a channel', 'two');
    await secondMessage;
    await stopSecond();
    expect(receivedPayloads).toEqual(['one']);
    await expect(database.notify('a channel', 'x'.repeat(7001))).rejects.toThrow('more than 7000 bytes');
  });

  it('repeats a prepared statement after its table changed', async () => {
    interface Changing {
      changing: { id: number; value: unknown };
    }
    await database.query('create table store.changing (id int primary key, value int)');
    await database.query('insert into store.changing values (1, 1)');
    const read = () => database.of<Changing>('store').selectFrom('changing').selectAll().where('id', '=', 1).execute();
    for (let time = 0; time < 5; time += 1) expect(await read()).toEqual([{ id: 1, value: 1 }]);
    await database.query("alter table store.changing alter column value type text using 'text ' || value");
    for (let time = 0; time < 3; time += 1) expect(await read()).toEqual([{ id: 1, value: 'text 1' }]);
  });

  it('reports that it is unavailable after it is closed', async () => {
    const otherDatabase = await openTestDatabase(kind);
    await Promise.all([otherDatabase.close(), otherDatabase.close()]);
    await expect(otherDatabase.query('select 1')).rejects.toBeInstanceOf(DatabaseUnavailableError);
    await expect(otherDatabase.of<Tables>('store').selectFrom('thing').selectAll().execute()).rejects.toBeInstanceOf(
      DatabaseUnavailableError,
    );
  });
});
