import { createTransport, type Transporter } from 'nodemailer';
import type { Secret } from '../kernel/secret.ts';
import type { ComposedMail, MailTransport } from './mailer.ts';

/** Milliseconds for each step: a stop of the server waits for mails that are under way. */
const patience = 8000;

/** Hands mails to an SMTP server (`smtp://user:password@host:port`, `smtps://...`). Upgrades to TLS where the server offers it. */
export class SmtpTransport implements MailTransport {
  readonly #transporter: Transporter;

  constructor(url: Secret) {
    this.#transporter = createTransport({ url: url.reveal(), connectionTimeout: patience, greetingTimeout: patience, socketTimeout: patience });
  }

  async deliver({ from, to, subject, text }: ComposedMail): Promise<void> {
    await this.#transporter.sendMail({
      from,
      // As an object an address is never parsed: it cannot name a second recipient.
      to: { name: '', address: to },
      subject,
      text,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  }

  close(): void {
    this.#transporter.close();
  }
}
