import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { fillDisk, makeTestDatabase, type TestDatabase } from '#core/testing/server';
import { DatabaseFullError } from './database-error.ts';
import { openDatabase } from './open-database.ts';
import type { PoolDatabase } from './pool-database.ts';

const postgres = inject('postgres');

/** Why no PostgreSQL database can be given a disk of its own; undefined where one can. */
function diskProblem(): string | undefined {
  if ('missing' in postgres) return postgres.missing;
  if (process.getuid?.() !== 0 || process.env['TEST_DATABASE_URL'])
    return 'only root may mount a disk for the PostgreSQL server of the tests';
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'walkdown-mount-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'walkdown', folder], { stdio: 'ignore' });
    execFileSync('umount', [folder], { stdio: 'ignore' });
    return undefined;
  } catch {
    return 'this account may not mount a file system';
  } finally {
    fs.rmdirSync(folder);
  }
}

const problem = diskProblem();
const title = 'a PostgreSQL server whose disk is full';

describe.skipIf(problem !== undefined)(problem === undefined ? title : `${title} (not run: ${problem})`, () => {
  let disk: string;
  let made: TestDatabase;
  let database: PoolDatabase;
  const tablespace = `walkdown_${process.pid}`;
  const administer = async (...statements: readonly string[]): Promise<void> => {
    const client = new pg.Client({ connectionString: 'url' in postgres ? postgres.url : '' });
    await client.connect();
    try {
      for (const statement of statements) await client.query(statement);
    } finally {
      await client.end();
    }
  };

  beforeAll(async () => {
    disk = fs.mkdtempSync(path.join(os.tmpdir(), 'walkdown-disk-'));
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=48m,mode=0755', 'walkdown', disk]);
    const folder = path.join(disk, 'space');
    fs.mkdirSync(folder);
    execFileSync('chown', ['postgres', folder]);
    made = await makeTestDatabase('postgres');
    if (made.config.kind !== 'postgres') throw new Error('This is no PostgreSQL database.');
    const name = new URL(made.config.url.reveal()).pathname.slice(1);
    await administer(
      `create tablespace ${tablespace} location '${folder}'`,
      `alter database ${name} set tablespace ${tablespace}`,
    );
    database = await openDatabase(made.config, { log: pino({ level: 'silent' }) });
  });
  afterAll(async () => {
    await database.close();
    await made.remove();
    await administer(`drop tablespace ${tablespace}`);
    execFileSync('umount', [disk]);
    fs.rmdirSync(disk);
  });

  it('is told from one that is away, until a try to write finds room', async () => {
    await database.query('create table note (id int generated always as identity, body text)');
    const note = () => database.query('insert into note (body) values (repeat(md5(random()::text), 250))');
    expect(await database.hasRoom()).toBe(true);
    const empty = fillDisk(disk);
    const fill = async (): Promise<void> => {
      for (let count = 0; count < 1000; count++) await note();
    };
    await expect(fill()).rejects.toBeInstanceOf(DatabaseFullError);
    expect(await database.hasRoom()).toBe(false);
    expect(await database.query('select 1 as one')).toEqual([{ one: 1 }]);
    empty();
    expect(await database.hasRoom()).toBe(true);
    await note();
  });
});
