import { watch } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { readOutbox, type OutboxMail } from '../../core/server/mail/outbox-transport.ts';

/** Calls `onMail` for each new mail in the outbox. Returns a function that stops watching. */
export async function watchOutbox(folder: string, onMail: (mail: OutboxMail) => void): Promise<() => void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const toKey = (mail: OutboxMail) => `${mail.at} ${mail.to} ${mail.subject}`;
  const reportedKeys = new Set((await readOutbox(folder)).map(toKey));
  const reportNewMails = async () => {
    for (const mail of await readOutbox(folder)) {
      if (reportedKeys.has(toKey(mail))) continue;
      reportedKeys.add(toKey(mail));
      onMail(mail);
    }
  };
  let lastRead = Promise.resolve();
  const watcher = watch(folder, () => {
    lastRead = lastRead.then(reportNewMails, reportNewMails);
  });
  // The watcher must not keep the process alive.
  watcher.unref();
  return () => watcher.close();
}

/** One line for a terminal: the recipient and the code or link in the mail. */
export function describeMail({ to, content }: OutboxMail): string {
  switch (content.kind) {
    case 'activation':
    case 'reset':
      return (
        `Mail to ${to}: the code is ${content.code} ` +
        `(${content.kind === 'reset' ? 'to set a new password' : 'to activate the account'}, valid ` +
        `${content.minutes} ` +
        'minutes).'
      );
    case 'invitation':
      return `Mail to ${to}: invited, to register at ${content.address} (valid ${content.days} days).`;
    case 'invitationSignOn':
      return `Mail to ${to}: invited, to log in with ${content.provider} at ${content.address}.`;
    case 'passwordChanged':
      return `Mail to ${to}: the password was changed.`;
    case 'secondFactorOff':
      return `Mail to ${to}: the second factor was removed.`;
  }
}
