import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { describeOnDatabases, createTestDatabase, openTestDatabase, type TestDatabase } from '#core/testing/server';
import { isMigrated, migrate, type MigrationOwner } from './migrate.ts';
import type { Migration } from './migration.ts';
import { openDatabase } from './open-database.ts';
import type { PoolDatabase } from './pool-database.ts';

const first: Migration = {
  id: 'shop-0001-create',
  up:
    "create table item (id int primary key, name text); insert into item values (1, 'one'); create index " +
    'item_name on item using gin (name gin_trgm_ops);',
};
const second: Migration = { id: 'shop-0002-price', up: 'alter table item add column price numeric' };
const buildShop = (...migrations: readonly Migration[]): MigrationOwner => ({
  id: 'shop',
  schema: 'shop',
  prefix: 'shop-',
  migrations,
});

describeOnDatabases('migrations', (kind) => {
  let database: PoolDatabase;
  beforeAll(async () => {
    database = await openTestDatabase(kind);
  });
  afterEach(async () => {
    await database.query('drop schema if exists core cascade');
    await database.query('drop schema if exists shop cascade');
  });
  afterAll(() => database.close());

  it('applies migrations once, in order, to the schema of their owner', async () => {
    expect(await isMigrated(database, [buildShop(first, second)])).toBe(false);
    expect(await migrate(database, [buildShop(first)])).toEqual([{ owner: 'shop', id: 'shop-0001-create' }]);
    expect(await isMigrated(database, [buildShop(first, second)])).toBe(false);
    expect(await migrate(database, [buildShop(first, second)])).toEqual([{ owner: 'shop', id: 'shop-0002-price' }]);
    expect(await migrate(database, [buildShop(first, second)])).toEqual([]);
    expect(await isMigrated(database, [buildShop(first, second)])).toBe(true);
    expect(await database.query('select * from shop.item')).toEqual([{ id: 1, name: 'one', price: null }]);
  });

  it('rolls back a failed migration and keeps the previous ones', async () => {
    const brokenMigration: Migration = {
      id: 'shop-0002-broken',
      up: 'create table half (id int); select nothing from nowhere',
    };
    await expect(migrate(database, [buildShop(first, brokenMigration)])).rejects.toThrow(
      'The migration "shop-0002-broken" of "shop" failed, and was rolled back: relation "nowhere" does not exist',
    );
    expect(
      await database.query("select to_regclass('shop.half') as half, to_regclass('shop.item') is not null as item"),
    ).toEqual([{ half: null, item: true }]);
    expect(await migrate(database, [buildShop(first, second)])).toHaveLength(1);
  });

  it('refuses a database that is newer than the code', async () => {
    await migrate(database, [buildShop(first, second)]);
    await expect(migrate(database, [buildShop(first)])).rejects.toThrow(
      'The database is newer than this code: "shop-0002-price" of "shop"',
    );
  });

  it('refuses a migration that was changed after it was applied', async () => {
    await migrate(database, [buildShop(first)]);
    await expect(migrate(database, [buildShop({ ...first, up: `${first.up} select 1` }, second)])).rejects.toThrow(
      'The migration "shop-0001-create" of "shop" was changed after it was applied',
    );
    expect(await migrate(database, [buildShop({ ...first, up: `\r\n${first.up}\r\n` })])).toEqual([]);
  });

  it('refuses a migration inserted before an applied one', async () => {
    await migrate(database, [buildShop(first)]);
    await expect(migrate(database, [buildShop({ id: 'shop-0000-early', up: 'select 1' }, first)])).rejects.toThrow(
      'in another order',
    );
  });

  it('leaves the tables of a disabled plugin unchanged', async () => {
    await migrate(database, [buildShop(first)]);
    expect(await migrate(database, [])).toEqual([]);
    expect(await database.query('select id from shop.item')).toEqual([{ id: 1 }]);
  });

  it('refuses ids of another owner', async () => {
    await expect(migrate(database, [buildShop({ id: 'other-0001-x', up: 'select 1' })])).rejects.toThrow(
      'must begin with "shop-"',
    );
    await expect(migrate(database, [buildShop(first, first)])).rejects.toThrow('Two migrations of "shop"');
  });

  it.skipIf(kind === 'embedded')('applies migrations once if several processes start together', async () => {
    const testDatabase: TestDatabase = await createTestDatabase(kind);
    const databases = await Promise.all(
      Array.from({ length: 4 }, () => openDatabase(testDatabase.config, { log: pino({ level: 'silent' }) })),
    );
    const appliedMigrations = await Promise.all(databases.map((each) => migrate(each, [buildShop(first, second)])));
    expect(appliedMigrations.map(({ length }) => length).sort()).toEqual([0, 0, 0, 2]);
    await Promise.all(databases.map((each) => each.close()));
    await testDatabase.remove();
  });
});
