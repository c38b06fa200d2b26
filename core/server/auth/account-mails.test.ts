import { pino } from 'pino';
import { SMTPServer } from 'smtp-server';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { inviteUser, register } from '#core/api';
import { createBrowserCalls } from '../../testing/auth-server.ts';
import {
  describeOnDatabases,
  createTestDatabase,
  startTestServer,
  type TestDatabase,
  type TestServer,
} from '../../testing/server.ts';
import type { JobTables } from '../jobs/job-tables.ts';
import { Jobs } from '../jobs/jobs.ts';
import { Secret } from '../kernel/secret.ts';

/** A mail server that accepts mails, or refuses every recipient or the sender with this answer. */
class MailServer {
  refusal: { readonly responseCode: number; readonly message: string } | undefined;
  refuses: 'recipient' | 'sender' = 'recipient';
  readonly received: string[] = [];
  readonly #server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onMailFrom: (_address, _session, done) => done(this.#findRefusal('sender')),
    onRcptTo: (_address, _session, done) => done(this.#findRefusal('recipient')),
    onData: (stream, _session, done) => {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', () => {
        this.received.push(Buffer.concat(parts).toString('utf8'));
        done();
      });
    },
  });

  #findRefusal(target: 'recipient' | 'sender'): Error | null {
    return this.refusal === undefined || this.refuses !== target
      ? null
      : Object.assign(new Error(this.refusal.message), { responseCode: this.refusal.responseCode });
  }

  async listen(): Promise<Secret> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    const address = this.#server.server.address();
    return new Secret(`smtp://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`);
  }

  close(): Promise<void> {
    return new Promise((resolve) => this.#server.close(resolve));
  }
}

describeOnDatabases('mails about accounts', (kind) => {
  let mailServer: MailServer;
  let database: TestDatabase;
  let url: Secret;
  let lines: string[];
  let retried: () => void;
  beforeEach(async () => {
    mailServer = new MailServer();
    [database, url, lines] = [await createTestDatabase(kind), await mailServer.listen(), []];
  });
  afterEach(async () => {
    await mailServer.close();
    await database.remove();
  });

  const open = () =>
    startTestServer({
      database,
      config: { mail: { kind: 'smtp', url, from: 'no-reply@example.com' } },
      log: pino(
        { level: 'info' },
        { write: (line: string) => void (lines.push(line), line.includes('tried again later') && retried()) },
      ),
    });
  const listJobs = (server: TestServer) =>
    server.server.database.of<JobTables>('core').selectFrom('job').selectAll().execute();
  const invite = async (server: TestServer) => {
    const token = await server.signIn({ userType: 'TENANT_ADMIN', flags: ['userManagement'] });
    return server.call(inviteUser, {
      token,
      body: { username: 'guest@example.com', name: 'Guest', userType: 'TENANT_USER', roles: [] },
    });
  };
  const finish = async (server: TestServer) => {
    const [job] = (await listJobs(server)).filter(({ state }) => state !== 'completed');
    return job === undefined ? undefined : server.service(Jobs).finished(job.id);
  };

  it('retries after an outage of the mail server and a restart, and deletes sent mails', async () => {
    mailServer.refusal = { responseCode: 451, message: 'come again later, guest@example.com' };
    const later = new Promise<void>((resolve) => (retried = resolve));
    const first = await open();
    expect((await invite(first)).status).toBe(201);
    await later;
    await first.close();
    expect(mailServer.received).toEqual([]);

    mailServer.refusal = undefined;
    const second = await open();
    await second.server.database.query('update core.job set not_before = now()');
    await second.service(Jobs).look();
    await finish(second);
    expect(mailServer.received).toHaveLength(1);
    expect(mailServer.received[0]).toContain('To: guest@example.com');
    expect(await listJobs(second)).toMatchObject([
      { kind: 'core.mail-invitation', state: 'completed', result: 'SUCCESS', payload: null },
    ]);
    await second.close();
  });

  it('stores no code in clear text while mails wait, and logs no names', async () => {
    const server = await open();
    await invite(server);
    await finish(server);
    mailServer.refusal = { responseCode: 451, message: 'not now, guest@example.com' };
    const later = new Promise<void>((resolve) => (retried = resolve));
    await createBrowserCalls(server).call(register, {
      body: { username: 'guest@example.com', password: 'a sentence long enough' },
    });
    await later;
    const waiting = (await listJobs(server)).find(({ kind: name }) => name === 'core.mail-code');
    expect(Object.keys(waiting?.payload as object).sort()).toEqual([
      'asker',
      'at',
      'passwordHash',
      'request',
      'requestId',
      'username',
      'wanted',
    ]);
    expect(JSON.stringify(waiting)).not.toContain('long enough');
    expect(lines.join('')).toContain('EENVELOPE, 451');
    expect(lines.join('')).not.toContain('guest@example.com');
    await server.close();
  });

  it('does not replace a newer code of the same client by a delayed mail', async () => {
    const server = await open();
    await invite(server);
    await finish(server);
    const guest = createBrowserCalls(server);
    const asks = () =>
      guest.call(register, { body: { username: 'guest@example.com', password: 'a sentence long enough' } });
    mailServer.refusal = { responseCode: 451, message: 'not now' };
    const later = new Promise<void>((resolve) => (retried = resolve));
    await asks();
    await later;
    const late = (await listJobs(server)).find(({ state }) => state !== 'completed')?.id ?? '';
    mailServer.refusal = undefined;
    await asks();
    const newest =
      (await listJobs(server)).find(({ id, kind: name }) => name === 'core.mail-code' && id !== late)?.id ?? '';
    const jobs = server.service(Jobs);
    await jobs.finished(newest);
    expect(mailServer.received).toHaveLength(2);
    await server.server.database.query('update core.job set not_before = now()');
    await jobs.look();
    await jobs.finished(late);
    expect(mailServer.received).toHaveLength(2);
    await server.close();
  });

  it('gives up at once if the recipient is refused permanently', async () => {
    mailServer.refusal = { responseCode: 550, message: 'no such person: guest@example.com' };
    const server = await open();
    await invite(server);
    await finish(server);
    expect(await listJobs(server)).toMatchObject([{ result: 'FAILED', attempts: 1 }]);
    expect(lines.filter((line) => line.includes('did not succeed')).join('')).toContain('EENVELOPE, 550');
    expect(lines.join('')).not.toContain('guest@example.com');
    await server.close();
  });

  it.each([
    ['its sender', 'sender', 553],
    ['who has not logged in', 'recipient', 530],
  ] as const)('keeps mails and retries if the mail server refuses %s', async (_what, refuses, responseCode) => {
    Object.assign(mailServer, { refuses, refusal: { responseCode, message: 'not like this, guest@example.com' } });
    const later = new Promise<void>((resolve) => (retried = resolve));
    const server = await open();
    await invite(server);
    await later;
    expect(await listJobs(server)).toMatchObject([{ result: null }]);
    expect(lines.filter((line) => line.includes('tried again later')).join('')).toContain(`EENVELOPE, ${responseCode}`);
    expect(lines.join('')).not.toContain('guest@example.com');
    await server.close();
  });
});
