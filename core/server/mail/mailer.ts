import { token, type Language } from '#core';

/** The values of a mail. Its texts are in `mail-texts.ts`. */
export type MailContent =
  | { readonly kind: 'invitation'; readonly name: string; readonly address: string; readonly days: number }
  | {
      readonly kind: 'invitationSignOn';
      readonly name: string;
      readonly address: string;
      /** Labels of the identity providers. */
      readonly provider: string;
    }
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
  | { readonly kind: 'passwordChanged'; readonly name: string }
  | { readonly kind: 'secondFactorOff'; readonly name: string };

/** A composed mail in plain text to one recipient. */
export interface ComposedMail {
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly content: MailContent;
}

/**
 * Sends mails. Rejects if a mail could not be delivered to the transport, with `MailRejectedError` if a mail server
 * refused the mail or was unavailable.
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
export class MailRejectedError extends Error {
  override readonly name = 'MailRejectedError';
  /**
   * True if the recipient was refused permanently, so that a retry is useless. A refused sender is not permanent,
   * because it is a configuration error that somebody can correct.
   */
  readonly isPermanent: boolean;

  constructor(code: string, responseCode: number | undefined, isPermanent: boolean) {
    super(
      `The mail server did not accept a mail (${responseCode === undefined ? code : `${code}, ${responseCode}`}). ` +
        'Check SMTP_URL and MAIL_FROM, and whether the mail server is running.',
    );
    this.isPermanent = isPermanent;
  }
}
