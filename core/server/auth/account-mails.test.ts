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

/** A mail server that accepts all mails while `refusal` is undefined. */
class MailServer {
  /** The reply to `refusedCommand`. */
  refusal: { readonly responseCode: number; readonly message: string } | undefined;
  refusedCommand: 'MAIL FROM' | 'RCPT TO' = 'RCPT TO';
  readonly received: string[] = [];
  readonly #server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onMailFrom: (_address, _session, finish) => finish(this.#findRefusal('MAIL FROM')),
    onRcptTo: (_address, _session, finish) => finish(this.#findRefusal('RCPT TO')),
    onData: (stream, _session, finish) => {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', () => {
        this.received.push(Buffer.concat(parts).toString('utf8'));
        finish();
      });
    },
  });

  #findRefusal(command: 'MAIL FROM' | 'RCPT TO'): Error | null {
    return this.refusal === undefined || this.refusedCommand !== command
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
  let onRetry: () => void;
  beforeEach(async () => {
    mailServer = new MailServer();
    [database, url, lines] = [await createTestDatabase(kind), await mailServer.listen(), []];
  });
  afterEach(async () => {
    await mailServer.close();
    await database.remove();
  });

  const openServer = () =>
    startTestServer({
      database,
      config: { mail: { kind: 'smtp', url, from: 'no-reply@example.com' } },
      log: pino(
        { level: 'info' },
        { write: (line: string) => void (lines.push(line), line.includes('retried later') && onRetry()) },
      ),
    });
  const listJobs = (server: TestServer) =>
    server.database.of<JobTables>('core').selectFrom('job').selectAll().execute();
  const invite = async (server: TestServer) => {
    const token = await server.signIn({ userType: 'TENANT_ADMIN', flags: ['userManagement'] });
    return server.call(inviteUser, {
      token,
      body: { username: 'guest@example.com', name: 'Guest', userType: 'TENANT_USER', roles: [] },
    });
  };
  const finishJob = async (server: TestServer) => {
    const [job] = (await listJobs(server)).filter(({ state }) => state !== 'completed');
    return job === undefined ? undefined : server.service(Jobs).waitForCompletion(job.id);
  };

  it('retries after an outage of the mail server and a restart, and deletes sent mails', async () => {
    mailServer.refusal = { responseCode: 451, message: 'come again later, guest@example.com' };
    const retry = new Promise<void>((resolve) => (onRetry = resolve));
    const firstServer = await openServer();
    expect((await invite(firstServer)).status).toBe(201);
    await retry;
    await firstServer.close();
    expect(mailServer.received).toEqual([]);

    mailServer.refusal = undefined;
    const secondServer = await openServer();
    await secondServer.database.query('update core.job set not_before = now()');
    await secondServer.service(Jobs).notifyRunners();
    await finishJob(secondServer);
    expect(mailServer.received).toHaveLength(1);
    expect(mailServer.received[0]).toContain('To: guest@example.com');
    expect(await listJobs(secondServer)).toMatchObject([
      { kind: 'core.mail-invitation', state: 'completed', result: 'SUCCESS', payload: null },
    ]);
    await secondServer.close();
  });

  it('stores neither code nor password in clear text while mails wait, and logs no email address', async () => {
    const server = await openServer();
    await invite(server);
    await finishJob(server);
    mailServer.refusal = { responseCode: 451, message: 'not now, guest@example.com' };
    const retry = new Promise<void>((resolve) => (onRetry = resolve));
    await createBrowserCalls(server).call(register, {
      body: { username: 'guest@example.com', password: 'a sentence long enough' },
    });
    await retry;
    const waitingJob = (await listJobs(server)).find(({ kind: name }) => name === 'core.mail-code');
    expect(Object.keys(waitingJob?.payload as object).sort()).toEqual([
      'at',
      'clientAddress',
      'mailKind',
      'passwordHash',
      'request',
      'requestId',
      'username',
    ]);
    expect(JSON.stringify(waitingJob)).not.toContain('long enough');
    expect(lines.join('')).toContain('EENVELOPE, 451');
    expect(lines.join('')).not.toContain('guest@example.com');
    await server.close();
  });

  it('does not send a delayed code once the same client has requested a newer code', async () => {
    const server = await openServer();
    await invite(server);
    await finishJob(server);
    const guest = createBrowserCalls(server);
    const requestCode = () =>
      guest.call(register, { body: { username: 'guest@example.com', password: 'a sentence long enough' } });
    mailServer.refusal = { responseCode: 451, message: 'not now' };
    const retry = new Promise<void>((resolve) => (onRetry = resolve));
    await requestCode();
    await retry;
    const delayedJob = (await listJobs(server)).find(({ state }) => state !== 'completed')?.id ?? '';
    mailServer.refusal = undefined;
    await requestCode();
    const newestJob =
      (await listJobs(server)).find(({ id, kind: name }) => name === 'core.mail-code' && id !== delayedJob)?.id ?? '';
    const jobs = server.service(Jobs);
    await jobs.waitForCompletion(newestJob);
    expect(mailServer.received).toHaveLength(2);
    await server.database.query('update core.job set not_before = now()');
    await jobs.notifyRunners();
    await jobs.waitForCompletion(delayedJob);
    expect(mailServer.received).toHaveLength(2);
    await server.close();
  });

  it('fails at once if the recipient is refused permanently', async () => {
    mailServer.refusal = { responseCode: 550, message: 'no such person: guest@example.com' };
    const server = await openServer();
    await invite(server);
    await finishJob(server);
    expect(await listJobs(server)).toMatchObject([{ result: 'FAILED', attempts: 1 }]);
    expect(lines.filter((line) => line.includes('did not succeed')).join('')).toContain('EENVELOPE, 550');
    expect(lines.join('')).not.toContain('guest@example.com');
    await server.close();
  });

  it.each([
    ['MAIL FROM', 553],
    ['RCPT TO', 530],
  ] as const)(
    'keeps mails and retries if the mail server replies to %s with %i',
    async (refusedCommand, responseCode) => {
      Object.assign(mailServer, {
        refusedCommand,
        refusal: { responseCode, message: 'not like this, guest@example.com' },
      });
      const retry = new Promise<void>((resolve) => (onRetry = resolve));
      const server = await openServer();
      await invite(server);
      await retry;
      expect(await listJobs(server)).toMatchObject([{ result: null }]);
      expect(lines.filter((line) => line.includes('retried later')).join('')).toContain(`EENVELOPE, ${responseCode}`);
      expect(lines.join('')).not.toContain('guest@example.com');
      await server.close();
    },
  );
});
