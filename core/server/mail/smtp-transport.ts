import { createTransport, type Transporter } from 'nodemailer';
import type { Secret } from '../kernel/secret.ts';
import { MailNotTaken, type ComposedMail, type MailTransport } from './mailer.ts';

/** Timeout of each step: a stopping server waits for mails in progress. */
const timeoutMs = 8000;

/**
 * Sends mails to an SMTP server (`smtp://user:password@host:port`, `smtps://...`). Upgrades to TLS if the server offers
 * it.
 */
export class SmtpTransport implements MailTransport {
  readonly #transporter: Transporter;

  constructor(url: Secret) {
    this.#transporter = createTransport({
      url: url.reveal(),
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      socketTimeout: timeoutMs,
    });
  }

  async deliver({ from, to, subject, text }: ComposedMail): Promise<void> {
    const handedOver = this.#transporter.sendMail({
      from,
      // An object is not parsed, so it cannot name a second recipient.
      to: { name: '', address: to },
      subject,
      text,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    await handedOver.catch((error: unknown) => {
      throw new MailNotTaken(
        readText(error, 'code') ?? 'unknown',
        readNumber(error, 'responseCode'),
        isRecipientRefused(error),
      );
    });
  }

  close(): void {
    this.#transporter.close();
  }
}

/** By the server, or by nodemailer for an invalid address. 530 requires a login first: the recipient is fine. */
function isRecipientRefused(error: unknown): boolean {
  if (readText(error, 'code') !== 'EENVELOPE') return false;
  const [command, answer] = [readText(error, 'command'), readNumber(error, 'responseCode')];
  if (command === 'RCPT TO') return answer !== undefined && answer >= 500 && answer !== 530;
  return command === 'API' && !(readText(error, 'message') ?? '').startsWith('Invalid sender');
}

const readField = (error: unknown, name: string): unknown =>
  typeof error === 'object' && error !== null
    ? (Object.getOwnPropertyDescriptor(error, name)?.value as unknown)
    : undefined;

function readText(error: unknown, name: string): string | undefined {
  const value = readField(error, name);
  return typeof value === 'string' ? value : undefined;
}

function readNumber(error: unknown, name: string): number | undefined {
  const value = readField(error, name);
  return typeof value === 'number' ? value : undefined;
}
