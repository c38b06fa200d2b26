import { email, isEmpty, mandatory, maxLength, type Rule, type ValidationError } from '#core';
import { maxNoticeLength, maxWelcomeLength, normalisePhone, phonePattern } from './values.ts';

const phone: Rule = (value) =>
  isEmpty(value) || new RegExp(phonePattern).test(normalisePhone(String(value)))
    ? undefined
    : { message: 'media.contact.phoneFormat' };

/** The rules of a contact's texts, for the form and the server. */
export const contactRules = {
  name: [mandatory, maxLength(150)],
  jobTitle: [maxLength(150)],
  email: [email],
  phone: [phone],
};

/** The rules of the titles of images and videos. */
export const itemRules = { title: [mandatory, maxLength(150)], frenchTitle: [maxLength(150)] };

/** A contact without an email and a phone number cannot be asked. */
export const findUnreachable = (contact: {
  readonly email: string | null;
  readonly phone: string | null;
}): ValidationError | undefined =>
  isEmpty(contact.email) && isEmpty(contact.phone) ? { message: 'media.contact.unreachable' } : undefined;

/** The rules of the texts of a notice. */
export const noticeRules = { text: [mandatory, maxLength(maxNoticeLength)], frenchText: [maxLength(maxNoticeLength)] };

/** The fields of a notice that contradict each other. Times that are none are left to the field's own rule. */
export function findNoticeErrors(notice: {
  readonly startsAt: string;
  readonly endsAt: string | null;
  readonly location: string | null;
  readonly onLogin: boolean;
}): Readonly<Partial<Record<'endsAt' | 'onLogin', ValidationError>>> {
  const endsEarly = notice.endsAt !== null && Date.parse(notice.endsAt) <= Date.parse(notice.startsAt);
  return {
    ...(endsEarly ? { endsAt: { message: 'media.notice.endsEarly' } } : {}),
    ...(notice.onLogin && notice.location !== null ? { onLogin: { message: 'media.notice.loginForAll' } } : {}),
  };
}

/** The rules of the welcome text. Its links are checked where it is parsed. */
export const welcomeTextRules = { en: [maxLength(maxWelcomeLength)], fr: [maxLength(maxWelcomeLength)] };
