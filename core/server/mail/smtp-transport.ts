import { createTransport, type Transporter } from 'nodemailer';
import type { Secret } from '../kernel/secret.ts';
import { MailNotTaken, type ComposedMail, type MailTransport } from './mailer.ts';

/** Milliseconds for each step: a stop of the server waits for mails that are under way. */
const patience = 8000;

/**
 * Hands mails to an SMTP server (`smtp://user:password@host:port`, `smtps://...`). Upgrades to TLS where the server
 * offers it.
 */
export class SmtpTransport implements MailTransport {
  readonly #transporter: Transporter;

  constructor(url: Secret) {
    this.#transporter = createTransport({
      url: url.reveal(),
      connectionTimeout: patience,
      greetingTimeout: patience,
      socketTimeout: patience,
    });
  }

  async deliver({ from, to, subject, text }: ComposedMail): Promise<void> {
    const handedOver = this.#transporter.sendMail({
      from,
      // As an object an address is never parsed: it cannot name a second recipient.
      to: { name: '', address: to },
      subject,
      text,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    await handedOver.catch((error: unknown) => {
      throw new MailNotTaken(
        textOf(error, 'code') ?? 'unknown',
        numberOf(error, 'responseCode'),
        isRecipientRefused(error),
      );
    });
  }

  close(): void {
    this.#transporter.close();
  }
}

/**
 * By the server, or as an address that is none by nodemailer, which sends nothing then. 530 asks for a log in first:
 * nothing is wrong with the recipient.
 */
function isRecipientRefused(error: unknown): boolean {
  if (textOf(error, 'code') !== 'EENVELOPE') return false;
  const [command, answer] = [textOf(error, 'command'), numberOf(error, 'responseCode')];
  if (command === 'RCPT TO') return answer !== undefined && answer >= 500 && answer !== 530;
  return command === 'API' && !(textOf(error, 'message') ?? '').startsWith('Invalid sender');
}

const fieldOf = (error: unknown, name: string): unknown =>
  typeof error === 'object' && error !== null
    ? (Object.getOwnPropertyDescriptor(error, name)?.value as unknown)
    : undefined;

function textOf(error: unknown, name: string): string | undefined {
  const value = fieldOf(error, name);
  return typeof value === 'string' ? value : undefined;
}

function numberOf(error: unknown, name: string): number | undefined {
  const value = fieldOf(error, name);
  return typeof value === 'number' ? value : undefined;
}
