import http from 'node:http';
import fs from 'node:fs';
import path from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildServerProgram, type ServerProgram } from '#core/testing/server';
import { coreParts } from '../core-parts.ts';
import { migrate } from '../database/migrate.ts';
import { openDatabase } from '../database/open-database.ts';
import { listMigrationOwners } from './server.ts';

const plugin = `[enabledPlugin(
  { id: 'slow', title: 'slow.title', access: [], requires: [], bridges: [], settings: {} },
  {},
  {
  api: (api) => api.serve({
    method: 'GET', path: '/api/slow', summary: 'Wait for a message of the test.', access: 'public', reply: { type: 'object', properties: {} },
  }, async () => {
    process.send({ requested: true });
    await new Promise((resolve) => process.once('message', resolve));
    return {};
  }),
})]`;

// Each test starts up to three processes with an embedded database.
describe('a server process', { timeout: 240_000 }, () => {
  let program: ServerProgram;
  beforeAll(async () => {
    program = await buildServerProgram({ imports: '', list: plugin });
  });
  afterAll(() => program.remove());

  it('[PRO-19] logs missing variables, and starts with the defaults', async () => {
    const data = await program.createDataFolder();
    const server = await program.start({ WALKDOWN_DATA: data, LOG_LEVEL: 'info' });
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    const lines = server
      .log()
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as { level: string; variable?: string; msg: string });
    const findLine = (variable: string) => lines.find((line) => line.variable === variable);
    expect(findLine('DATABASE_URL')).toMatchObject({
      level: 'warn',
      msg: `DATABASE_URL is not set; used instead: the embedded database in ${path.join(data, 'database')}.`,
    });
    expect(await server.stop()).toBe(0);
  });

  it('refuses to start with invalid variables and names them', async () => {
    const data = path.join(await program.createDataFolder(), 'none');
    const wrongVariables = {
      DATABASE_URL: 'mysql://person:hush@host/x',
      PORT: 'abc',
      WALKDOWN_PUBLIC_ADDRESS: 'tours',
    };
    const output = await program.start({ WALKDOWN_DATA: data, LOG_LEVEL: 'silent', ...wrongVariables }).then(
      () => 'It started.',
      (error: Error) => error.message,
    );
    expect(output).toContain(
      'DATABASE_URL must begin with postgres://. Correct it, or take it out of the environment (then: the embedded ' +
        `database in ${path.join(data, 'database')}).`,
    );
    expect(output).toContain('PORT must be a whole number from 0 to 65535, and is "abc".');
    expect(output).toContain('WALKDOWN_PUBLIC_ADDRESS must be an address such as https://tours.example.com.');
    expect(output).not.toContain('hush');
    expect(fs.existsSync(data)).toBe(false);
  });

  it('refuses an invalid first admin before it creates anything', async () => {
    const data = path.join(await program.createDataFolder(), 'none');
    await expect(
      program.start({ WALKDOWN_DATA: data, LOG_LEVEL: 'silent', WALKDOWN_FIRST_ADMIN: 'admin' }),
    ).rejects.toThrow('must be an email address such as admin@customer.example, but is "admin"');
    expect(fs.existsSync(data)).toBe(false);
  });

  it('creates one first admin, and explains why another was not created', async () => {
    const data = await program.createDataFolder();
    const readOutput = async (admin: string): Promise<string> => {
      const server = await program.start({ WALKDOWN_DATA: data, LOG_LEVEL: 'silent', WALKDOWN_FIRST_ADMIN: admin });
      await server.stop();
      return server.log();
    };
    expect(await readOutput('first@customer.example')).toMatch(
      /First admin: first@customer\.example, password: [\w-]{22} /,
    );
    expect(await readOutput('second@customer.example')).toMatch(
      /second@customer\.example was not created.*this database already has an account/,
    );
    expect(await readOutput('First@customer.example')).toMatch(/already has an account, so nothing was changed/);
  });

  it('reports missing accounts, unused data and unknown variables at its start', async () => {
    const data = await program.createDataFolder();
    const database = await openDatabase(
      { kind: 'embedded', folder: path.join(data, 'database') },
      { log: pino({ level: 'silent' }) },
    );
    const shop = { id: 'shop', schema: 'shop', prefix: 'shop-' };
    await migrate(database, [
      ...listMigrationOwners(coreParts, []),
      { ...shop, migrations: [{ id: 'shop-0001-item', up: 'create table item (id int)' }] },
    ]);
    await database.close();
    const server = await program.start({ WALKDOWN_DATA: data, LOG_LEVEL: 'warn', WALKDOWN_DATABASE_URL: 'x' });
    await server.stop();
    expect(server.log()).toContain('Nobody can log in: there is no account yet.');
    expect(server.log()).toMatch(/"plugin":"shop","msg":"The database holds data of /);
    expect(server.log()).toContain('The unknown variable WALKDOWN_DATABASE_URL is ignored. Did you mean DATABASE_URL?');
  });

  it.skipIf(process.platform === 'win32')('protects its data from other accounts of the machine', async () => {
    const data = await program.createDataFolder();
    // A server that ended earlier left them.
    for (const name of ['uploads', 'backups', 'database.reading-1'])
      fs.mkdirSync(path.join(data, name), { mode: 0o700 });
    fs.chmodSync(data, 0o755);
    const server = await program.start({ WALKDOWN_DATA: data, LOG_LEVEL: 'silent' });
    await server.stop();
    const readableNames = ['.', ...fs.readdirSync(data, { recursive: true, encoding: 'utf8' })].filter(
      (name) => (fs.statSync(path.join(data, name)).mode & 0o077) !== 0,
    );
    expect(readableNames).toEqual([]);
  });

  it('reports a folder that cannot be written', async () => {
    const file = path.join(await program.createDataFolder(), 'file');
    fs.writeFileSync(file, '');
    await expect(program.start({ WALKDOWN_DATA: file, LOG_LEVEL: 'silent' })).rejects.toThrow(
      `Data cannot be stored in ${file}. '${file}' is a file, not a folder. Set WALKDOWN_DATA`,
    );
  });

  it('refuses a second process on its data folder with a message that names the first', async () => {
    const data = await program.createDataFolder();
    const server = await program.start({ WALKDOWN_DATA: data, LOG_LEVEL: 'silent' });
    await expect(program.start({ WALKDOWN_DATA: data, LOG_LEVEL: 'silent' })).rejects.toThrow(
      `is in use by the process ${server.child.pid}`,
    );
    await server.kill();
    const nextServer = await program.start({ WALKDOWN_DATA: data, LOG_LEVEL: 'silent' });
    expect(await nextServer.stop()).toBe(0);
    expect(fs.readdirSync(data)).not.toContain('database.lock');
  });

  it('reports a port that is in use before it creates anything', async () => {
    const otherServer = http.createServer();
    await new Promise<void>((resolve) => otherServer.listen(0, '127.0.0.1', resolve));
    const address = otherServer.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const data = path.join(await program.createDataFolder(), 'none');
    await expect(program.start({ WALKDOWN_DATA: data, PORT: String(port), LOG_LEVEL: 'silent' })).rejects.toThrow(
      `The port ${port} on 127.0.0.1 is used by another program`,
    );
    expect(fs.existsSync(data)).toBe(false);
    await new Promise((resolve) => otherServer.close(resolve));
  });

  it('completes running requests before it stops, unless its timeout expires', async () => {
    const server = await program.start({ WALKDOWN_DATA: await program.createDataFolder(), LOG_LEVEL: 'silent' });
    const firstRequest = new Promise((resolve) => server.child.once('message', resolve));
    const answer = fetch(`${server.url}/api/slow`);
    await firstRequest;
    const completion = server.stop();
    // The server has received the signal once it refuses connections.
    await expect
      .poll(() =>
        fetch(`${server.url}/healthz`).then(
          ({ status }) => status,
          () => 'refused',
        ),
      )
      .not.toBe(200);
    server.child.send('go on');
    expect((await answer).status).toBe(200);
    expect(await completion).toBe(0);

    const stubborn = await program.start({
      WALKDOWN_DATA: await program.createDataFolder(),
      LOG_LEVEL: 'silent',
      WALKDOWN_STOP_TIMEOUT_MS: '200',
    });
    const secondRequest = new Promise((resolve) => stubborn.child.once('message', resolve));
    const abortedRequest = fetch(`${stubborn.url}/api/slow`).catch(() => 'cut off');
    await secondRequest;
    expect(await stubborn.stop()).toBe(1);
    expect(await abortedRequest).toBe('cut off');
  });
});
