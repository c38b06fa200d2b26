import { email, isEmpty, mandatory, maxLength, type Rule, type ValidationError } from '#core';
import { phonePattern } from './values.ts';

const phone: Rule = (value) =>
  isEmpty(value) || new RegExp(phonePattern).test(String(value)) ? undefined : { message: 'media.contact.phoneFormat' };

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
