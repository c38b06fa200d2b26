import fs from 'node:fs';
import path from 'node:path';
import { sql, type Transaction } from 'kysely';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#core/testing/server';
import { openDatabase } from './open-database.ts';
import type { PoolDatabase } from './pool-database.ts';
import { expectManyRows } from './pool-driver.ts';

const manyRows = 10_000;

interface Tables {
  saved: { id: number };
}

describe('reads during a large transaction of the embedded database', { timeout: 120_000 }, () => {
  const warnings: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void warnings.push(line) });
  let testDatabase: TestDatabase;
  let folder: string;
  let database: PoolDatabase;
  beforeEach(async () => {
    warnings.length = 0;
    testDatabase = await createTestDatabase('embedded');
    folder = testDatabase.config.kind === 'embedded' ? testDatabase.config.folder : '';
    database = await openDatabase(testDatabase.config, { log, durable: false });
    await database.query('create table public.saved (id int)');
    await database.query('insert into public.saved values (1)');
  });
  afterEach(async () => {
    await database.close();
    await testDatabase.remove();
  });

  const listCopies = (): readonly string[] =>
    fs.readdirSync(path.dirname(folder)).filter((name) => name.includes('.reading-'));
  const readIds = async (): Promise<readonly number[]> =>
    (await database.of<Tables>('public').selectFrom('saved').select('id').orderBy('id').execute()).map(({ id }) => id);
  const addRow = async (transaction: Transaction<Tables>): Promise<void> => {
    await transaction.insertInto('saved').values({ id: 2 }).execute();
  };
  /** Starts a transaction that adds the row 2, and holds it until `end` is called with whether it is committed. */
  const beginLarge = async (rowCount = manyRows) => {
    let end: (commits: boolean) => void = () => undefined;
    const ended = new Promise<boolean>((resolve) => (end = resolve));
    let handleFirstWrite: () => void = () => undefined;
    const firstWrite = new Promise<void>((resolve) => (handleFirstWrite = resolve));
    const transaction = database
      .of<Tables>('public')
      .transaction()
      .execute(async (begun) => {
        await expectManyRows(begun, rowCount);
        await addRow(begun);
        handleFirstWrite();
        if (!(await ended)) throw new Error('rolled back');
      });
    transaction.catch(() => undefined);
    return { firstWrite, transaction, end };
  };

  it('shows the committed rows until the transaction ends, and then the new ones', async () => {
    const { firstWrite, transaction, end } = await beginLarge();
    await firstWrite;
    expect(await readIds()).toEqual([1]);
    expect(await database.query('select id from public.saved')).toEqual([{ id: 1 }]);
    end(true);
    await transaction;
    expect(await readIds()).toEqual([1, 2]);
    await database.close();
    expect(listCopies()).toEqual([]);
  });

  it('answers also the reads that began to wait while the database was copied', async () => {
    const { transaction, end } = await beginLarge();
    expect(await readIds()).toEqual([1]);
    end(true);
    await transaction;
    expect(await readIds()).toEqual([1, 2]);
  });

  it('makes each change wait for the end of the transaction, also a change that begins like a read', async () => {
    const { firstWrite, transaction, end } = await beginLarge();
    await firstWrite;
    const order: string[] = [];
    const note = (name: string) => (): void => void order.push(name);
    const changes = [
      database.query('insert into public.saved values (3)').then(note('insert')),
      database
        .query('with added as (insert into public.saved values (4) returning id) select id from added')
        .then(note('with')),
    ];
    await readIds().then(note('read'));
    end(true);
    await Promise.all([transaction.then(note('transaction')), ...changes]);
    expect(order.slice(0, 2)).toEqual(['read', 'transaction']);
    expect(await readIds()).toEqual([1, 2, 3, 4]);
  });

  it('ends with a transaction that is rolled back', async () => {
    const { firstWrite, transaction, end } = await beginLarge();
    await firstWrite;
    end(false);
    await expect(transaction).rejects.toThrow('rolled back');
    await database.query('insert into public.saved values (5)');
    expect(await readIds()).toEqual([1, 5]);
  });

  it('copies nothing for fewer rows', async () => {
    const { firstWrite, transaction, end } = await beginLarge(manyRows - 1);
    await firstWrite;
    expect(listCopies()).toEqual([]);
    const ids = readIds();
    end(true);
    await transaction;
    expect(await ids).toEqual([1, 2]);
  });

  it('lets reads wait if the database cannot be copied, and logs why', async () => {
    vi.spyOn(fs.promises, 'cp').mockRejectedValueOnce(new Error('The disk cannot be written.'));
    const { firstWrite, transaction, end } = await beginLarge();
    await firstWrite;
    const ids = readIds();
    end(true);
    await transaction;
    expect(await ids).toEqual([1, 2]);
    expect(warnings.join()).toContain('Reads wait for a large change: the database was not copied.');
    expect(listCopies()).toEqual([]);
  });

  it('lets reads wait if the disk has less room than for two copies', async () => {
    vi.spyOn(fs.promises, 'statfs').mockResolvedValueOnce({ bavail: 1, bsize: 4096 } as fs.StatsFs);
    const { firstWrite, transaction, end } = await beginLarge();
    await firstWrite;
    end(true);
    await transaction;
    expect(warnings.join()).toContain('Its disk has 4096 bytes left');
    expect(listCopies()).toEqual([]);
  });

  it('copies a database whose data folder is a symbolic link', async () => {
    await database.close();
    const link = `${path.dirname(folder)}-link`;
    fs.symlinkSync(path.dirname(folder), link);
    try {
      database = await openDatabase(
        { kind: 'embedded', folder: path.join(link, path.basename(folder)) },
        { log, durable: false },
      );
      const { firstWrite, transaction, end } = await beginLarge();
      await firstWrite;
      expect(listCopies()).toHaveLength(1);
      expect(await readIds()).toEqual([1]);
      end(true);
      await transaction;
      expect(await readIds()).toEqual([1, 2]);
      await database.close();
      expect(listCopies()).toEqual([]);
    } finally {
      fs.rmSync(link);
    }
  });

  it('lets reads wait for the transaction if the copy stops', async () => {
    const { firstWrite, transaction, end } = await beginLarge();
    await firstWrite;
    // The query stops the copy. It then runs on the database itself and stops that too. The database is opened again.
    const failure = expect(database.query(`select ${'1+'.repeat(20_000)}1`)).rejects.toThrow(
      'The embedded database stopped',
    );
    await vi.waitFor(() => expect(warnings.join()).toContain('the copy of the database stopped'), { timeout: 60_000 });
    end(true);
    await transaction;
    await failure;
    expect(await readIds()).toEqual([1, 2]);
  });

  it('refuses a transaction that has already written', async () => {
    const late = database
      .of<Tables>('public')
      .transaction()
      .execute(async (transaction) => {
        await addRow(transaction);
        await expectManyRows(transaction, manyRows);
      });
    await expect(late).rejects.toThrow('A transaction must announce many rows before its first write.');
    expect(await readIds()).toEqual([1]);
  });

  it('deletes the copies of a killed process at the next start', async () => {
    await database.close();
    fs.mkdirSync(`${folder}.reading-7`);
    database = await openDatabase(testDatabase.config, { log, durable: false });
    expect(listCopies()).toEqual([]);
    expect((await sql<{ id: number }>`select id from saved`.execute(database.of('public'))).rows).toEqual([{ id: 1 }]);
  });
});
