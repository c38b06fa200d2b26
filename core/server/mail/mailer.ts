import type { Language } from '#core';
import { token } from '#core';

/** What a mail says; its words are in `mail-texts.ts`. */
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

/** A mail as it leaves: plain text, one recipient. */
export interface ComposedMail {
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly content: MailContent;
}

/**
 * Sends mails in the words of the product. Rejects where the mail could not be handed over, with `MailNotTaken` where a
 * mail server was asked.
 */
export interface Mailer {
  send(mail: { readonly to: string; readonly language: Language; readonly content: MailContent }): Promise<void>;
}
export const Mailer = token<Mailer>('core.Mailer');

/** Where composed mails go: an SMTP server or a folder. */
export interface MailTransport {
  deliver(mail: ComposedMail): Promise<void>;
}

/**
 * A mail server refused a mail, or was away. Says nothing of whom the mail was for: what the server said may name them.
 */
export class MailNotTaken extends Error {
  override readonly name = 'MailNotTaken';
  /**
   * The recipient was refused for good: trying again is of no use. A refused sender is no such thing, for it is the
   * configuration that must be mended, and then the mail can go.
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
