import { email, isEmpty, mandatory, maxLength, type Rule, type ValidationError } from '#core';
import { maxNoticeLength, maxWelcomeLength, normalisePhone, phonePattern } from './values.ts';

const phoneFormat: Rule = (value) =>
  isEmpty(value) || new RegExp(phonePattern).test(normalisePhone(String(value)))
    ? undefined
    : { message: 'media.contact.phoneFormat' };

/** The rules of a contact's texts, for the form and the server. */
export const contactRules = {
  name: [mandatory, maxLength(150)],
  jobTitle: [maxLength(150)],
  email: [email],
  phone: [phoneFormat],
};

/** The rules of the titles of images and videos. */
export const itemRules = { title: [mandatory, maxLength(150)], frenchTitle: [maxLength(150)] };

/** Returns an error if a contact has neither an email address nor a phone number. */
export const findUnreachable = (contact: {
  readonly email: string | null;
  readonly phone: string | null;
}): ValidationError | undefined =>
  isEmpty(contact.email) && isEmpty(contact.phone) ? { message: 'media.contact.unreachable' } : undefined;

/** The rules of the texts of a notice. */
export const noticeRules = { text: [mandatory, maxLength(maxNoticeLength)], frenchText: [maxLength(maxNoticeLength)] };

/** Finds fields of a notice that contradict each other. Invalid times are left to the rules of their own fields. */
export function findNoticeErrors(notice: {
  readonly startsAt: string;
  readonly endsAt: string | null;
  readonly location: string | null;
  readonly onLogin: boolean;
}): Readonly<Partial<Record<'endsAt' | 'onLogin', ValidationError>>> {
  const endsBeforeStart = notice.endsAt !== null && Date.parse(notice.endsAt) <= Date.parse(notice.startsAt);
  return {
    ...(endsBeforeStart ? { endsAt: { message: 'media.notice.endsEarly' } } : {}),
    ...(notice.onLogin && notice.location !== null ? { onLogin: { message: 'media.notice.loginForAll' } } : {}),
  };
}

/** The rules of the welcome text. Only the server checks its links, because it has the parser. */
export const welcomeTextRules = { en: [maxLength(maxWelcomeLength)], fr: [maxLength(maxWelcomeLength)] };
