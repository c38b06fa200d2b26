import type { Language } from '#core';
import { token } from '#core';

/** The content of a mail; its texts are in `mail-texts.ts`. */
export type MailContent =
  | { readonly kind: 'invitation'; readonly name: string; readonly address: string; readonly days: number }
  | {
      readonly kind: 'activation';
      readonly name: string;
      readonly code: string;
      readonly address: string;
      readonly minutes: number;
    }
  | {
      readonly kind: 'reset';
      readonly name: string;
      readonly code: string;
      readonly address: string;
      readonly minutes: number;
    }
  | { readonly kind: 'passwordChanged'; readonly name: string };

/** A composed mail: plain text, one recipient. */
export interface ComposedMail {
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly content: MailContent;
}

/**
 * Sends mails. Rejects if a mail could not be handed over; with `MailNotTaken` if a mail server refused it or was
 * unavailable.
 */
export interface Mailer {
  send(mail: { readonly to: string; readonly language: Language; readonly content: MailContent }): Promise<void>;
}
export const Mailer = token<Mailer>('core.Mailer');

/** The destination of composed mails: an SMTP server or a folder. */
export interface MailTransport {
  deliver(mail: ComposedMail): Promise<void>;
}

/**
 * A mail server refused a mail, or was unavailable. Does not contain the server's message, which may name the
 * recipient.
 */
export class MailNotTaken extends Error {
  override readonly name = 'MailNotTaken';
  /**
   * The recipient was refused permanently: retrying is useless. A refused sender is a configuration error; the mail can
   * be sent once it is fixed.
   */
  readonly forGood: boolean;

  constructor(code: string, responseCode: number | undefined, forGood: boolean) {
    super(
      `The mail server did not take a mail (${responseCode === undefined ? code : `${code}, ${responseCode}`}). Are ` +
        'SMTP_URL and MAIL_FROM right, and is the server there?',
    );
    this.forGood = forGood;
  }
}
