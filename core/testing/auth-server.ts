import { readOutbox, type OutboxMail } from '../server/mail/outbox-transport.ts';
import type { JobTables } from '../server/jobs/job-tables.ts';
import { Jobs } from '../server/jobs/jobs.ts';
import { CookieJar } from './cookie-jar.ts';
import { createTestCalls, type TestCalls, type TestServer } from './server.ts';

/** Calls of one browser with its own cookies. `address` is the caller's IP address. */
export const createBrowserCalls = (server: TestServer, address?: string): TestCalls =>
  createTestCalls(server.app, { jar: new CookieJar(), ...(address === undefined ? {} : { address }) });

/** Waits for the pending mail jobs and returns all mails, the oldest first. */
export async function readMails(server: TestServer): Promise<readonly OutboxMail[]> {
  const { registrar, database } = server.server;
  const pendingJobs = await database
    .of<JobTables>('core')
    .selectFrom('job')
    .select('id')
    .where('kind', 'like', 'core.mail-%')
    .where('state', '<>', 'completed')
    .execute();
  await Promise.all(pendingJobs.map(({ id }) => registrar.services.find(Jobs, 'test').waitForCompletion(id)));
  if (server.config.mail.kind !== 'file')
    throw new Error('This server sends its mails by SMTP: there is no outbox to read.');
  return readOutbox(server.config.mail.folder);
}

/** The last code that was mailed to this address. */
export async function readLastCode(server: TestServer, username: string): Promise<string> {
  const codes = (await readMails(server)).flatMap(({ to, content }) =>
    to === username && 'code' in content ? [content.code] : [],
  );
  const lastCode = codes.at(-1);
  if (lastCode === undefined) throw new Error(`No code was mailed to ${username}.`);
  return lastCode;
}
