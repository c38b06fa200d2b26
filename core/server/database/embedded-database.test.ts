import type { ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  killAndWait,
  createTestDatabase,
  waitForMessage,
  buildNodeProgram,
  type NodeProgram,
  type TestDatabase,
} from '#core/testing/server';
import { DatabaseUnavailableError } from '../kernel/database-error.ts';
import { EmbeddedThread } from './embedded-thread.ts';
import { openDatabase } from './open-database.ts';

const log = pino({ level: 'silent' });

describe('the embedded database', { timeout: 120_000 }, () => {
  let testDatabase: TestDatabase;
  let folder: string;
  beforeEach(async () => {
    testDatabase = await createTestDatabase('embedded');
    folder = testDatabase.config.kind === 'embedded' ? testDatabase.config.folder : '';
  });
  afterEach(() => testDatabase.remove());

  it('syncs each commit to the disk before acknowledging it, and does not sync reads', async () => {
    const thread = await EmbeddedThread.open({ folder, durable: true });
    const runStatement = async (statement: string): Promise<void> => {
      const text = Buffer.from(`${statement}\0`);
      const head = Buffer.alloc(5);
      head.write('Q');
      head.writeInt32BE(text.length + 4, 1);
      await thread.exchange(Buffer.concat([head, text]));
    };
    await runStatement('create table saved (id int)');
    for (let id = 1; id <= 5; id += 1) {
      const before = await thread.syncs();
      await runStatement(`insert into saved values (${id})`);
      expect(await thread.syncs()).toBe(before + 1);
    }
    const before = await thread.syncs();
    await runStatement('select * from saved');
    expect(await thread.syncs()).toBe(before);
    await thread.close();
  });

  it('creates its folder atomically, and keeps its rows after it is closed', async () => {
    const newFolder = path.join(path.dirname(folder), 'fresh');
    fs.mkdirSync(`${newFolder}.unfinished`);
    const first = await openDatabase({ kind: 'embedded', folder: newFolder }, { log });
    expect(fs.readdirSync(path.dirname(newFolder)).sort()).toEqual(['database', 'fresh', 'fresh.lock']);
    await first.query('create table saved (id int)');
    await first.query('insert into saved values (1)');
    await first.close();
    const second = await openDatabase({ kind: 'embedded', folder: newFolder }, { log });
    expect(await second.query('select * from saved')).toEqual([{ id: 1 }]);
    await second.close();
    expect(fs.existsSync(`${newFolder}.lock`)).toBe(false);
  });

  it('refuses to be opened twice', async () => {
    const first = await openDatabase(testDatabase.config, { log, durable: false });
    await expect(openDatabase(testDatabase.config, { log, durable: false })).rejects.toThrow(
      'is in use by this very process',
    );
    await first.close();
  });

  it('explains why a folder cannot be opened, and releases it', async () => {
    fs.writeFileSync(path.join(folder, 'PG_VERSION'), '3\n');
    await expect(openDatabase(testDatabase.config, { log, durable: false })).rejects.toThrow(
      `The embedded database in ${folder} could not be opened`,
    );
    expect(fs.existsSync(`${folder}.lock`)).toBe(false);
  });

  const tooDeep = `select ${'1+'.repeat(20_000)}1`;

  it('reports the reason of a trap, and is opened again for the next query', async () => {
    const database = await openDatabase(testDatabase.config, { log });
    await database.query('create table saved (id int)');
    await expect(database.query(tooDeep)).rejects.toThrow(
      new DatabaseUnavailableError(
        'The database cannot be reached (The embedded database stopped: Maximum call stack size exceeded).',
      ),
    );
    const insertions = [1, 2, 3].map((id) => database.query('insert into saved values ($1)', [id]));
    await Promise.all(insertions);
    expect(await database.query('select id from saved order by 1')).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }]);
    await database.close();
  });

  it('is opened again after each trap during a transaction', async () => {
    const database = await openDatabase(testDatabase.config, { log, durable: false });
    await database.query('create table saved (id int)');
    for (let round = 1; round <= 3; round += 1) {
      const work = database
        .of<{ saved: { id: number } }>('public')
        .transaction()
        .execute(async (transaction) => {
          await transaction.insertInto('saved').values({ id: round }).execute();
          await sql.raw(tooDeep).execute(transaction);
        });
      await expect(work).rejects.toThrow(DatabaseUnavailableError);
      await database.query('insert into saved values ($1)', [10 * round]);
    }
    expect(await database.query('select id from saved order by 1')).toEqual([{ id: 10 }, { id: 20 }, { id: 30 }]);
    await database.close();
  });

  it('can be closed while it is opened again', async () => {
    const database = await openDatabase(testDatabase.config, { log, durable: false });
    await expect(database.query(tooDeep)).rejects.toThrow(DatabaseUnavailableError);
    const pendingQuery = database.query('select 1');
    await database.close();
    await pendingQuery.catch((error: unknown) => expect(error).toBeInstanceOf(DatabaseUnavailableError));
    const reopenedDatabase = await openDatabase(testDatabase.config, { log, durable: false });
    expect(await reopenedDatabase.query('select 1 as one')).toEqual([{ one: 1 }]);
    await reopenedDatabase.close();
  });

  it('reports the loss of a database in memory', async () => {
    const lossMessages: string[] = [];
    const memory = { kind: 'embedded', folder: 'memory' } as const;
    const database = await openDatabase(memory, { log, onLost: ({ message }) => lossMessages.push(message) });
    await expect(database.query(tooDeep)).rejects.toThrow('Maximum call stack size exceeded');
    await expect(database.query('select 1')).rejects.toThrow('The embedded database stopped');
    expect(lossMessages).toEqual(['The embedded database stopped: Maximum call stack size exceeded']);
    await database.close();
  });

  it('rolls back a statement that trapped midway', async () => {
    const open = () => openDatabase({ kind: 'embedded', folder }, { log });
    const database = await open();
    await database.query('create table deep (depth int, body jsonb)');
    await database.query('insert into deep (depth) values (1), (2), ($1)', [100_000]);
    const nest = "update deep set body = (repeat('[', depth) || repeat(']', depth))::jsonb where depth > $1";
    await expect(database.query(nest, [0])).rejects.toThrow('The embedded database stopped');
    await database.close();
    const reopenedDatabase = await open();
    expect(await reopenedDatabase.query('select depth from deep where body is null order by 1')).toEqual([
      { depth: 1 },
      { depth: 2 },
      { depth: 100_000 },
    ]);
    await reopenedDatabase.close();
  });

  it('resets session state between two connections', async () => {
    const database = await openDatabase(testDatabase.config, { log, durable: false });
    await database.query('create table saved (id int)');
    const work = database.withClient(async (client) => {
      await client.query('begin');
      await client.query('insert into saved values (1)');
      throw new Error('failed midway');
    });
    await expect(work).rejects.toThrow('failed midway');
    expect(await database.query('select * from saved')).toEqual([]);
    await database.close();
  });
});

describe('the embedded database in another process', { timeout: 240_000 }, () => {
  const acknowledgedCount = 40;
  let program: NodeProgram;
  let parentFolder: string;
  const children: ChildProcess[] = [];

  beforeAll(async () => {
    program = await buildNodeProgram(`
      import { pino } from 'pino';
      import { openDatabase } from './core/server/database/open-database.ts';
      try {
        const where = { kind: 'embedded', folder: process.env.FOLDER };
        const database = await openDatabase(where, { log: pino({ level: 'silent' }) });
        await database.query('create table if not exists saved (id int primary key, half text)');
        process.send({ open: true });
        for (let id = Number(process.env.FROM); ; id += 1) {
          await database.of('public').transaction().execute(async (transaction) => {
            await transaction.insertInto('saved').values({ id: 2 * id, half: 'left' }).execute();
            await transaction.insertInto('saved').values({ id: 2 * id + 1, half: 'right' }).execute();
          });
          process.send({ id });
        }
      } catch (error) { process.send({ failed: error.message }, () => process.exit(1)); }
    `);
    const testDatabase = await createTestDatabase('embedded');
    parentFolder = fs.mkdtempSync(path.join(os.tmpdir(), 'walkdown-killed-'));
    if (testDatabase.config.kind === 'embedded')
      fs.cpSync(testDatabase.config.folder, path.join(parentFolder, 'database'), { recursive: true });
    await testDatabase.remove();
  });
  afterAll(async () => {
    await Promise.all(children.map((child) => killAndWait(child)));
    program.remove();
    fs.rmSync(parentFolder, { recursive: true, force: true });
  });

  function start(from: number): ChildProcess {
    const child = program.run({ FOLDER: path.join(parentFolder, 'database'), FROM: String(from) });
    children.push(child);
    return child;
  }

  it('keeps every acknowledged transaction after kill -9, and refuses a second process', async () => {
    let last = 0;
    for (let round = 0; round < 3; round += 1) {
      const child = start(last + 1);
      expect(await waitForMessage(child)).toEqual({ open: true });
      if (round === 0)
        expect(await waitForMessage(start(0))).toEqual({
          failed: expect.stringContaining(`is in use by the process ${child.pid}`),
        });
      const targetId = last + acknowledgedCount;
      await new Promise<void>((resolve) => {
        child.on('message', ({ id }: { readonly id: number }) => {
          last = Math.max(last, id);
          if (last >= targetId) resolve();
        });
      });
      await killAndWait(child);
      const database = await openDatabase({ kind: 'embedded', folder: path.join(parentFolder, 'database') }, { log });
      const [found] = await database.query<{ pairs: number; halves: number; newest: number }>(
        'select count(*) filter (where n = 2) as pairs, count(*) filter (where n <> 2) as halves, max(pair) as ' +
          'newest from (select id / 2 as pair, count(*) as n from saved group by 1) as rows',
      );
      expect(found?.halves).toBe(0);
      expect(found?.pairs).toBeGreaterThanOrEqual(last);
      last = found?.newest ?? last;
      await database.close();
    }
  });
});

describe('the embedded database with a small heap', { timeout: 120_000 }, () => {
  it('retains no results in memory', async () => {
    const testDatabase = await createTestDatabase('embedded');
    const program = await buildNodeProgram(`
      import { pino } from 'pino';
      import { openDatabase } from './core/server/database/open-database.ts';
      const logged = [];
      const log = pino({ level: 'error' }, { write: (line) => logged.push(JSON.parse(line).msg) });
      const database = await openDatabase(JSON.parse(process.env.DATABASE), { log, durable: false });
      const text = "select id, repeat('x', 400) as body from generate_series(1, 1000) as id";
      let bytes = 0;
      for (let count = 0; count < 300; count += 1)
        for (const { body } of await database.query(text)) bytes += body.length;
      await database.close();
      process.send({ bytes, logged }, () => process.exit());
    `);
    const child = program.run({ DATABASE: JSON.stringify(testDatabase.config) }, ['--max-old-space-size=64']);
    expect(await waitForMessage(child)).toEqual({ bytes: 120_000_000, logged: [] });
    await killAndWait(child);
    program.remove();
    await testDatabase.remove();
  });
});
