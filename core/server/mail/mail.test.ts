import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { SMTPServer } from 'smtp-server';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Language } from '#core';
import { Secret } from '../kernel/secret.ts';
import { composeMail } from './compose-mail.ts';
import { mailTexts } from './mail-texts.ts';
import type { MailContent } from './mailer.ts';
import { OutboxTransport, readOutbox } from './outbox-transport.ts';
import { ProductMailer } from './product-mailer.ts';
import { SmtpTransport } from './smtp-transport.ts';

const contents: readonly MailContent[] = [
  {
    kind: 'invitation',
    name: 'Ann',
    address: 'https://tours.example/dashboard/login/register?username=ann%40example.com',
    days: 7,
  },
  { kind: 'invitationSignOn', name: 'Ann', address: 'https://tours.example/dashboard/login', provider: 'Contoso' },
  { kind: 'activation', name: 'Ann', code: '012345', address: 'https://tours.example/a', minutes: 15 },
  { kind: 'reset', name: 'Ann', code: '012345', address: 'https://tours.example/r', minutes: 15 },
  { kind: 'passwordChanged', name: 'Ann' },
];

describe('mail texts', () => {
  it.each(['en', 'fr'] as const)('contain all values and no placeholder (%s)', (language: Language) => {
    for (const content of contents) {
      const { subject, text } = composeMail(content, language, 'Walkdown');
      expect(`${subject}${text}`).not.toMatch(/[{}]/);
      expect(subject).toContain('Walkdown');
      for (const value of Object.values(content).slice(1)) expect(text).toContain(String(value));
    }
  });

  it('are translated into French for every mail', () => {
    for (const { kind } of contents) expect(mailTexts.fr[kind]).not.toEqual(mailTexts.en[kind]);
  });

  it('contain a name without its line breaks and control characters', () => {
    const { text } = composeMail(
      { kind: 'passwordChanged', name: 'Ann\r\n\r\nYour code: 1\u2028x\u202e' },
      'en',
      'Walkdown',
    );
    expect(text.split('\n')[0]).toBe('Hello Ann Your code: 1 x ,');
  });
});

describe('OutboxTransport', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'walkdown-outbox-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('stores each mail as one file that only its owner can read, oldest first', async () => {
    let now = Date.UTC(2026, 0, 1);
    const mailer = new ProductMailer(
      new OutboxTransport(path.join(folder, 'mail'), { now: () => (now += 1000) }),
      'no-reply@example.com',
      'Walkdown',
    );
    await mailer.send({
      to: 'ann@example.com',
      language: 'en',
      content: { kind: 'activation', name: 'Ann', code: '123456', address: 'https://x.example', minutes: 15 },
    });
    await mailer.send({ to: 'ben@example.com', language: 'fr', content: { kind: 'passwordChanged', name: 'Ben' } });
    const mails = await readOutbox(path.join(folder, 'mail'));
    expect(mails.map(({ to, at }) => [to, at])).toEqual([
      ['ann@example.com', '2026-01-01T00:00:01.000Z'],
      ['ben@example.com', '2026-01-01T00:00:02.000Z'],
    ]);
    expect(mails[0]?.content).toMatchObject({ kind: 'activation', code: '123456' });
    for (const name of await readdir(path.join(folder, 'mail')))
      expect((await stat(path.join(folder, 'mail', name))).mode & 0o077).toBe(0);
  });

  it('has no mails if the folder is missing', async () => {
    expect(await readOutbox(path.join(folder, 'nowhere'))).toEqual([]);
  });
});

describe('SmtpTransport', () => {
  interface ReceivedMail {
    readonly recipients: readonly string[];
    readonly raw: string;
  }
  let server: SMTPServer;
  let receivedMails: ReceivedMail[];
  let transport: SmtpTransport;

  beforeEach(async () => {
    receivedMails = [];
    server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onData(stream, session, finish) {
        const parts: Buffer[] = [];
        stream.on('data', (part: Buffer) => parts.push(part));
        stream.on('end', () => {
          receivedMails.push({
            recipients: session.envelope.rcptTo.map(({ address }) => address),
            raw: Buffer.concat(parts).toString('utf8'),
          });
          finish();
        });
      },
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.server.address();
    transport = new SmtpTransport(
      new Secret(`smtp://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`),
    );
  });
  afterEach(async () => {
    transport.close();
    await new Promise<void>((resolve) => server.close(resolve));
  });

  it('sends a mail in French with its code', async () => {
    const mailer = new ProductMailer(transport, 'Walkdown <no-reply@example.com>', 'Walkdown');
    await mailer.send({
      to: 'ann@example.com',
      language: 'fr',
      content: { kind: 'reset', name: 'Ann', code: '654321', address: 'https://x.example', minutes: 15 },
    });
    expect(receivedMails).toHaveLength(1);
    expect(receivedMails[0]?.recipients).toEqual(['ann@example.com']);
    expect(receivedMails[0]?.raw).toContain('654321');
    expect(receivedMails[0]?.raw).toMatch(/^From: Walkdown <no-reply@example.com>/m);
  });

  it('prevents header and recipient injection by subject or address', async () => {
    const evil = {
      from: 'no-reply@example.com',
      subject: 'Hi\r\nBcc: eve@example.com',
      text: 'x',
      content: { kind: 'passwordChanged', name: 'x' },
    } as const;
    await transport.deliver({ ...evil, to: 'ann@example.com' });
    await transport.deliver({ ...evil, to: 'ann@example.com,eve@example.com' }).catch(() => undefined);
    await transport.deliver({ ...evil, to: 'ann@example.com>\r\nRCPT TO:<eve@example.com' }).catch(() => undefined);
    for (const { recipients, raw } of receivedMails) {
      expect(recipients).not.toContain('eve@example.com');
      expect(raw).not.toMatch(/^bcc:/im);
    }
    expect(receivedMails.length).toBeGreaterThan(0);
  });

  it('reports an unavailable server without the recipient', async () => {
    await new Promise<void>((resolve) => server.close(resolve));
    await expect(
      transport.deliver({
        from: 'a@example.com',
        to: 'b@example.com',
        subject: 's',
        text: 't',
        content: { kind: 'passwordChanged', name: 'x' },
      }),
    ).rejects.toThrow(/did not accept a mail \(ESOCKET\)/);
  });
});
