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
  'a PostgreSQL database',
  (kind) => {
    let testDatabase: TestDatabase;
    let first: PoolDatabase;
    let second: PoolDatabase;
    beforeAll(async () => {
      testDatabase = await createTestDatabase(kind);
      first = await openDatabase(testDatabase.config, { log });
      second = await openDatabase(testDatabase.config, { log });
    });
    afterAll(async () => {
      await first.close();
      await second.close();
      await testDatabase.remove();
    });

    it('notifies listeners of other processes', async () => {
      const notification = new Promise<string>(
        (resolve) => void second.listen('news', resolve).then(() => first.notify('news', 'hello')),
      );
      expect(await notification).toBe('hello');
    });

    it('listens again after a lost connection, and reports that announcements were missed', async () => {
      const receivedPayloads: string[] = [];
      let notify = (): void => undefined;
      const missedSignal = new Promise<void>(
        (resolve) =>
          void second
            .listen('lost', (payload) => (receivedPayloads.push(payload), notify()), { onMissed: resolve })
            .then(killListener),
      );
      async function killListener(): Promise<void> {
        await first.query(
          "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'walkdown listener' and " +
            'datname = current_database()',
        );
      }
      await missedSignal;
      const next = new Promise<void>((resolve) => (notify = resolve));
      await first.notify('lost', 'after');
      await next;
      expect(receivedPayloads).toEqual(['after']);
    });

    it('survives lost connections of the pool', async () => {
      await first.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'walkdown' and datname = " +
          'current_database() and pid <> pg_backend_pid()',
      );
      expect(await first.query('select 1 as one')).toEqual([{ one: 1 }]);
    });

    it('survives a connection that is lost between two statements of a transaction', async () => {
      const work = second.withClient(async (client) => {
        await client.query('begin');
        const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
        const endEvent = new Promise<void>((resolve) => client.once('end', resolve));
        await first.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
        await endEvent;
        await client.query('select 1');
      });
      await expect(work).rejects.toThrow(DatabaseUnavailableError);
      expect(await second.query('select 1 as one')).toEqual([{ one: 1 }]);
    });

    it('survives the loss of its first connection while it is busy', async () => {
      const third = await openDatabase(testDatabase.config, { log });
      try {
        const work = third.withClient(async (client) => {
          const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
          const endEvent = new Promise<void>((resolve) => client.once('end', resolve));
          await first.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
          await endEvent;
          await client.query('select 1');
        });
        await expect(work).rejects.toThrow(DatabaseUnavailableError);
        expect(await third.query('select 1 as one')).toEqual([{ one: 1 }]);
      } finally {
        await third.close();
      }
    });

    it('names the variable of an unreachable server, but not its password', async () => {
      const opening = openDatabase(
        { kind: 'postgres', url: new Secret('postgres://somebody:hunter2@127.0.0.1:1/none'), connections: 2 },
        { log },
      );
      const error = await opening.catch((reason: unknown) => reason);
      expect(String(error)).toContain('PostgreSQL could not be reached');
      expect(String(error)).toContain('DATABASE_URL');
      expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain('hunter2');
    });

    it('refuses a database that the role does not own, with the remedy', async () => {
      if (testDatabase.config.kind !== 'postgres') throw new Error('This test requires PostgreSQL.');
      const address = new URL(testDatabase.config.url.reveal());
      const role = `${address.pathname.slice(1)}_guest`;
      await first.query(`create role ${role} login`);
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
        await first.query(`drop role ${role}`);
      }
    });

    it('refuses a database that cannot store all texts, with the command that creates a suitable one', async () => {
      if (testDatabase.config.kind !== 'postgres') throw new Error('This test requires PostgreSQL.');
      const address = new URL(testDatabase.config.url.reveal());
      const name = `${address.pathname.slice(1)}_ascii`;
      await first.query(`create database ${name} encoding 'SQL_ASCII' lc_collate 'C' lc_ctype 'C' template template0`);
      address.pathname = `/${name}`;
      try {
        await expect(
          openDatabase({ kind: 'postgres', url: new Secret(address.toString()), connections: 2 }, { log }),
        ).rejects.toThrow(/has the encoding SQL_ASCII instead of UTF8\. Create another one with `create database /);
      } finally {
        await first.query(`drop database ${name} with (force)`);
      }
    });
  },
  ['postgres'],
);
