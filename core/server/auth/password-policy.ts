import { getMinPasswordLength, validationMessages, type FieldError, type Product } from '#core';
import { invalidRequest, type ServerError } from '../kernel/server-error.ts';
import { isCommonPassword } from './common-passwords.ts';
import { consistsOf, extractTerms } from './personal-terms.ts';

/** The person who chooses the password. */
export interface PasswordOwner {
  readonly username: string;
  readonly name?: string;
}

const refusalSentences = {
  [validationMessages.minLength]: 'The password is too short.',
  [validationMessages.passwordCommon]: 'This password is too common or a simple sequence. Choose another.',
  [validationMessages.passwordPersonal]:
    'This password is only your name, your address or the product name. Choose another.',
} as const;
type RefusalKind = keyof typeof refusalSentences;

/**
 * Requirements for a new password (NIST SP 800-63B, 3.1.1.2). It must be long enough, and neither common nor just the
 * name or address of the owner or the name of the product. There are no composition rules. Existing passwords are not
 * checked.
 */
export class PasswordPolicy {
  readonly #minLength: number;
  readonly #productTerms: readonly string[];

  constructor({ login, title, shortName }: Pick<Product, 'login' | 'title' | 'shortName'>) {
    this.#minLength = getMinPasswordLength(login);
    this.#productTerms = extractTerms([title, shortName]);
  }

  /** @throws `invalidRequest` (400 E002) with the field that `pointer` names */
  assertAcceptable(password: string, owner: PasswordOwner, pointer: string): void {
    const text = password.normalize('NFKC');
    if ([...text].length < this.#minLength)
      throw createRefusal(validationMessages.minLength, { pointer, values: { min: this.#minLength } });
    if (isCommonPassword(text)) throw createRefusal(validationMessages.passwordCommon, { pointer });
    if (this.isOwnName(text, owner)) throw this.createOwnNameRefusal(pointer);
  }

  /**
   * Whether the password consists only of words of the owner's name or address or of the product's name, regardless of
   * their case and order and of digits around them.
   */
  isOwnName(password: string, { username, name = '' }: PasswordOwner): boolean {
    const [local = '', domain = ''] = username.split('@');
    const labels = domain.split('.');
    return consistsOf(password, [...this.#productTerms, ...extractTerms([name, local, domain, ...labels, username])]);
  }

  createOwnNameRefusal(pointer: string): ServerError {
    return createRefusal(validationMessages.passwordPersonal, { pointer });
  }
}

const createRefusal = (message: RefusalKind, field: Pick<FieldError, 'pointer' | 'values'>): ServerError =>
  invalidRequest(refusalSentences[message], [{ ...field, message }]);
