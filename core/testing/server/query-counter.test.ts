import { afterAll, beforeAll, expect, it } from 'vitest';
import type { PoolDatabase } from '../../server/database/pool-database.ts';
import { countStatements, QueryCounter } from './query-counter.ts';
import { describeOnDatabases, openTestDatabase } from './test-databases.ts';

interface Tables {
  readonly item: { readonly id: number };
}

describeOnDatabases('QueryCounter', (kind) => {
  let database: PoolDatabase;
  let counter: QueryCounter;
  beforeAll(async () => {
    database = await openTestDatabase(kind);
    await database.query('create schema counted');
    await database.query('create table counted.item (id int)');
    counter = new QueryCounter(database);
  });
  afterAll(() => database.close());

  const select = (id: number) =>
    database.of<Tables>('counted').selectFrom('item').select('id').where('id', '=', id).execute();

  it('records the statements of a call, including transactions', async () => {
    const { statements, result } = await counter.record(async () => {
      await select(1);
      await database.query('select 1');
      await database
        .of<Tables>('counted')
        .transaction()
        .execute((transaction) => transaction.insertInto('item').values({ id: 1 }).execute());
      return select(1);
    });
    expect(result).toEqual([{ id: 1 }]);
    expect(statements).toHaveLength(6);
    expect(countStatements(statements)[0]).toMatch(/^2 x select "id"/);
  });

  it('records the statements of a call that starts when awaited', async () => {
    const lazy: PromiseLike<unknown> = {
      // oxlint-disable-next-line unicorn/no-thenable -- the test needs a lazy promise
      then: (resolve, reject) => select(1).then(resolve as never, reject as never),
    };
    expect((await counter.record(() => lazy)).statements).toHaveLength(1);
  });

  it('records the statements of concurrent calls, too', async () => {
    const statements = await counter.recordAll(() => Promise.all([select(1), counter.record(() => select(2))]));
    await select(3);
    expect(statements).toHaveLength(2);
  });

  it('separates the statements of concurrent calls', async () => {
    const calls = [1, 2, 3].map((times) =>
      counter.record(() => Promise.all(Array.from({ length: times }, (_, index) => select(index)))),
    );
    const [outside] = await Promise.all([select(9), ...calls]);
    expect(outside).toEqual([]);
    expect((await Promise.all(calls)).map(({ statements }) => statements.length)).toEqual([1, 2, 3]);
  });
});
