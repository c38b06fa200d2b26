import { getMinPasswordLength, validationMessages, type FieldError, type Product } from '#core';
import { invalidRequest, type ServerError } from '../kernel/server-error.ts';
import { isCommonPassword } from './common-passwords.ts';
import { isBuiltFrom, termsOfNames } from './personal-terms.ts';

/** The person who chooses the password. */
export interface PasswordOwner {
  readonly username: string;
  readonly name?: string;
}

const sentences = {
  [validationMessages.minLength]: 'The password is too short.',
  [validationMessages.passwordCommon]: 'This password is too common or a simple sequence. Choose another.',
  [validationMessages.passwordPersonal]:
    'This password is only your name, your address or the product name. Choose another.',
} as const;
type RefusalKind = keyof typeof sentences;

/**
 * Requirements for a new password (NIST SP 800-63B, 3.1.1.2): long enough, not common, not the owner's name or address;
 * no composition rules. Existing passwords are not checked.
 */
export class PasswordPolicy {
  readonly #minLength: number;
  readonly #productTerms: readonly string[];

  constructor({ login, title, shortName }: Pick<Product, 'login' | 'title' | 'shortName'>) {
    this.#minLength = getMinPasswordLength(login);
    this.#productTerms = termsOfNames([title, shortName]);
  }

  /** @throws ServerError 400 E002 with the field that `pointer` names */
  assertFit(password: string, owner: PasswordOwner, pointer: string): void {
    const text = password.normalize('NFKC');
    if ([...text].length < this.#minLength)
      throw refusal(validationMessages.minLength, { pointer, values: { min: this.#minLength } });
    if (isCommonPassword(text)) throw refusal(validationMessages.passwordCommon, { pointer });
    if (this.isOwnName(text, owner)) throw this.refusalOfOwnName(pointer);
  }

  /** Whether it consists of the owner's name, address or the product's name, regardless of case, order and digits. */
  isOwnName(password: string, { username, name = '' }: PasswordOwner): boolean {
    const [local = '', domain = ''] = username.split('@');
    const labels = domain.split('.');
    return isBuiltFrom(password, [...this.#productTerms, ...termsOfNames([name, local, domain, ...labels, username])]);
  }

  refusalOfOwnName(pointer: string): ServerError {
    return refusal(validationMessages.passwordPersonal, { pointer });
  }
}

const refusal = (message: RefusalKind, field: Pick<FieldError, 'pointer' | 'values'>): ServerError =>
  invalidRequest(sentences[message], [{ ...field, message }]);
