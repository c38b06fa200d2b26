import type { Language } from '#core';
import { mailTexts } from './mail-texts.ts';
import type { MailContent } from './mailer.ts';

// Control characters such as line breaks, and bidirectional overrides. Without them a name cannot begin a new line or a
// header.
// oxlint-disable-next-line no-control-regex -- the mail must not contain these characters
const controlCharacters = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g;

/** Composes the subject and the text of a mail in this language. */
export function composeMail(
  content: MailContent,
  language: Language,
  product: string,
): { readonly subject: string; readonly text: string } {
  const values: Readonly<Record<string, string | number>> = { ...content, product };
  const fill = (text: string): string =>
    text.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? '').replaceAll(controlCharacters, ' '));
  const { subject, text } = mailTexts[language][content.kind];
  return { subject: fill(subject), text: fill(text) };
}
