import { createTransport, type Transporter } from 'nodemailer';
import type { Secret } from '../kernel/secret.ts';
import { MailRejectedError, type ComposedMail, type MailTransport } from './mailer.ts';

/** Timeout of each step. It is short, because a stopping server waits for mails in progress. */
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
    const delivery = this.#transporter.sendMail({
      from,
      // An object is not parsed, so it cannot name a second recipient.
      to: { name: '', address: to },
      subject,
      text,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    await delivery.catch((error: unknown) => {
      throw new MailRejectedError(
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

/** Whether the server or nodemailer refused the recipient. Response 530 demands a login and does not refuse it. */
function isRecipientRefused(error: unknown): boolean {
  if (readText(error, 'code') !== 'EENVELOPE') return false;
  const [command, responseCode] = [readText(error, 'command'), readNumber(error, 'responseCode')];
  if (command === 'RCPT TO') return responseCode !== undefined && responseCode >= 500 && responseCode !== 530;
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
