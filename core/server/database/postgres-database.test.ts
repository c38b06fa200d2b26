import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnDatabases, createTestDatabase, type TestDatabase } from '#core/testing/server';
import { Secret } from '../kernel/secret.ts';
import { DatabaseUnavailableError } from '../kernel/database-error.ts';
import { migrate } from './migrate.ts';
import { openDatabase } from './open-database.ts';
import type { PoolDatabase } from './pool-database.ts';

const log = pino({ level: 'silent' });

describeOnDatabases(
  'announcements',
  (kind) => {
    let made: TestDatabase;
    let one: PoolDatabase;
    let other: PoolDatabase;
    beforeAll(async () => {
      made = await createTestDatabase(kind);
      one = await openDatabase(made.config, { log });
      other = await openDatabase(made.config, { log });
    });
    afterAll(async () => {
      await one.close();
      await other.close();
      await made.remove();
    });

    it('reach listeners of other processes', async () => {
      const received = new Promise<string>(
        (resolve) => void other.listen('news', resolve).then(() => one.notify('news', 'hello')),
      );
      expect(await received).toBe('hello');
    });

    it('resume after a lost connection, and report that some were missed', async () => {
      const received: string[] = [];
      let notify = (): void => undefined;
      const missed = new Promise<void>(
        (resolve) =>
          void other
            .listen('lost', (payload) => (received.push(payload), notify()), { missed: resolve })
            .then(killListener),
      );
      async function killListener(): Promise<void> {
        await one.query(
          "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'walkdown listener' and " +
            'datname = current_database()',
        );
      }
      await missed;
      const next = new Promise<void>((resolve) => (notify = resolve));
      await one.notify('lost', 'after');
      await next;
      expect(received).toEqual(['after']);
    });

    it('survive lost connections of the pool', async () => {
      await one.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'walkdown' and datname = " +
          'current_database() and pid <> pg_backend_pid()',
      );
      expect(await one.query('select 1 as one')).toEqual([{ one: 1 }]);
    });

    it('survive a connection lost between two statements of a transaction', async () => {
      const work = other.withClient(async (client) => {
        await client.query('begin');
        const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
        const ended = new Promise<void>((resolve) => client.once('end', resolve));
        await one.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
        await ended;
        await client.query('select 1');
      });
      await expect(work).rejects.toThrow(DatabaseUnavailableError);
      expect(await other.query('select 1 as one')).toEqual([{ one: 1 }]);
    });

    it('survive the loss of the first connection while it was busy', async () => {
      const fresh = await openDatabase(made.config, { log });
      try {
        const work = fresh.withClient(async (client) => {
          const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
          const ended = new Promise<void>((resolve) => client.once('end', resolve));
          await one.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
          await ended;
          await client.query('select 1');
        });
        await expect(work).rejects.toThrow(DatabaseUnavailableError);
        expect(await fresh.query('select 1 as one')).toEqual([{ one: 1 }]);
      } finally {
        await fresh.close();
      }
    });

    it('name the wrong variable if the server is unreachable, and not its password', async () => {
      const opening = openDatabase(
        { kind: 'postgres', url: new Secret('postgres://somebody:hunter2@127.0.0.1:1/none'), connections: 2 },
        { log },
      );
      const error = await opening.catch((caught: unknown) => caught);
      expect(String(error)).toContain('PostgreSQL could not be reached');
      expect(String(error)).toContain('DATABASE_URL');
      expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain('hunter2');
    });

    it('refuse a database that the role does not own, with the remedy', async () => {
      if (made.config.kind !== 'postgres') throw new Error('This runs on PostgreSQL alone.');
      const address = new URL(made.config.url.reveal());
      const role = `${address.pathname.slice(1)}_guest`;
      await one.query(`create role ${role} login`);
      address.username = role;
      const database = await openDatabase(
        { kind: 'postgres', url: new Secret(address.toString()), connections: 2 },
        { log },
      );
      try {
        await expect(migrate(database, [])).rejects.toThrow(
          /^The database is not prepared: permission denied for database .*run `alter database <name> owner to <role>`/,
        );
      } finally {
        await database.close();
        await one.query(`drop role ${role}`);
      }
    });

    it('refuse a database that cannot store all texts, with the right way to create it', async () => {
      if (made.config.kind !== 'postgres') throw new Error('This runs on PostgreSQL alone.');
      const address = new URL(made.config.url.reveal());
      const name = `${address.pathname.slice(1)}_ascii`;
      await one.query(`create database ${name} encoding 'SQL_ASCII' lc_collate 'C' lc_ctype 'C' template template0`);
      address.pathname = `/${name}`;
      try {
        await expect(
          openDatabase({ kind: 'postgres', url: new Secret(address.toString()), connections: 2 }, { log }),
        ).rejects.toThrow(/has the encoding SQL_ASCII, and must have UTF8\. Create another one with `create database /);
      } finally {
        await one.query(`drop database ${name} with (force)`);
      }
    });
  },
  ['postgres'],
);
