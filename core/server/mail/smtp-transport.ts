import { createTransport, type Transporter } from 'nodemailer';
import type { Secret } from '../kernel/secret.ts';
import type { ComposedMail, MailTransport } from './mailer.ts';

/** Hands mails to an SMTP server (`smtp://user:password@host:port`, `smtps://...`). Upgrades to TLS where the server offers it. */
export class SmtpTransport implements MailTransport {
  readonly #transporter: Transporter;

  constructor(url: Secret) {
    this.#transporter = createTransport(url.reveal(), {});
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
