import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { Product, UserType } from '#core';
import { coreRefusal, type SecondFactorKey } from '#core/api';
import { isAdminType } from '../../access/account.ts';
import type { Clock } from '../../kernel/clock.ts';
import { conflict } from '../../kernel/server-error.ts';
import type { AuthTables } from '../auth-tables.ts';
import { createRecoveryCodes, hashRecoveryCode, normaliseCode } from './recovery-codes.ts';
import type { SealedKeys } from './sealed-keys.ts';
import { createTotpKey, findTotpStep, toTotpUrl } from './totp.ts';

/** The second factor of an account, read before the transaction that accepts a code. */
export interface LoadedSecondFactor {
  readonly account: string;
  readonly since: Date;
  readonly sealedKey: string;
  /** Undefined if the ring key that encrypted it is gone. Recovery codes still work then. */
  readonly key: string | undefined;
  /** The key encrypted by the current ring key, if the stored one is outdated. */
  readonly resealedKey: string | undefined;
}

export type AcceptedCode = { readonly by: 'APP' } | { readonly by: 'RECOVERY'; readonly recoveryCodesLeft: number };

/** A key that a code of the app has confirmed. */
export interface ConfirmedKey {
  readonly sealedKey: string;
  readonly step: number;
}

/** Authenticator apps (TOTP) and recovery codes of accounts with a password (docs/decisions/0085). */
export class SecondFactors {
  readonly #tables: Kysely<AuthTables>;
  readonly #clock: Clock;
  readonly #sealedKeys: SealedKeys;
  readonly #product: Pick<Product, 'login' | 'shortName'>;
  readonly #log: Logger;

  constructor(options: {
    readonly tables: Kysely<AuthTables>;
    readonly clock: Clock;
    readonly sealedKeys: SealedKeys;
    readonly product: Pick<Product, 'login' | 'shortName'>;
    readonly log: Logger;
  }) {
    this.#tables = options.tables;
    this.#clock = options.clock;
    this.#sealedKeys = options.sealedKeys;
    this.#product = options.product;
    this.#log = options.log;
  }

  isRequired(userType: UserType): boolean {
    return this.#product.login.adminsNeedSecondFactor === true && isAdminType(userType);
  }

  /** Must not be called in a transaction. */
  async load(account: string): Promise<LoadedSecondFactor | undefined> {
    const row = await this.#tables
      .selectFrom('second_factor')
      .selectAll()
      .where('account', '=', account)
      .executeTakeFirst();
    if (row === undefined) return undefined;
    const openedKey = await this.#sealedKeys.open('stored', account, row.sealed_key);
    if (openedKey === undefined)
      this.#log.error(
        { account },
        'The key of a second factor cannot be decrypted, because the token secret was changed. Set ' +
          'WALKDOWN_FORMER_TOKEN_SECRET to the former secret. Until then, recovery codes still work.',
      );
    return {
      account,
      since: row.created_at,
      sealedKey: row.sealed_key,
      key: openedKey?.key,
      resealedKey: openedKey?.outdated ? await this.#sealedKeys.seal('stored', account, openedKey.key) : undefined,
    };
  }

  async countRecoveryCodes(account: string, tables: Kysely<AuthTables> = this.#tables): Promise<number> {
    const { left } = await tables
      .selectFrom('recovery_code')
      .select(({ fn }) => fn.countAll<string>().as('left'))
      .where('account', '=', account)
      .where('used_at', 'is', null)
      .executeTakeFirstOrThrow();
    return Number(left);
  }

  /** Consumes a code. Returns undefined for a code that is wrong or was used. */
  async accept(
    transaction: Kysely<AuthTables>,
    { account, key, sealedKey, resealedKey }: LoadedSecondFactor,
    typedCode: string,
  ): Promise<AcceptedCode | undefined> {
    const code = normaliseCode(typedCode);
    const step = key === undefined ? undefined : findTotpStep(key, code, this.#clock.now());
    if (step !== undefined) {
      const factorRow = await transaction
        .updateTable('second_factor')
        .set({ last_step: step, ...(resealedKey === undefined ? {} : { sealed_key: resealedKey }) })
        .where('account', '=', account)
        .where('sealed_key', '=', sealedKey)
        .where('last_step', '<', step)
        .returning('account')
        .executeTakeFirst();
      return factorRow && { by: 'APP' };
    }
    const codeRow = await transaction
      .updateTable('recovery_code')
      .set({ used_at: new Date(this.#clock.now()) })
      .where('account', '=', account)
      .where('hash', '=', hashRecoveryCode(account, code))
      .where('used_at', 'is', null)
      .returning('account')
      .executeTakeFirst();
    return codeRow && { by: 'RECOVERY', recoveryCodesLeft: await this.countRecoveryCodes(account, transaction) };
  }

  /** @throws `conflict` (409) if the account has a second factor */
  async createKey(account: string, username: string): Promise<SecondFactorKey> {
    if ((await this.load(account)) !== undefined) throw conflict(coreRefusal('core.refused.secondFactorOn'));
    const key = createTotpKey();
    return {
      key,
      address: toTotpUrl(key, this.#product.shortName, username),
      enrolment: await this.#sealedKeys.seal('enrolment', account, key),
    };
  }

  /**
   * Returns undefined for a wrong code, and `expired` if `enrolment` has expired or is not of this account. Must not be
   * called in a transaction.
   */
  async confirmKey(
    account: string,
    enrolment: string,
    typedCode: string,
  ): Promise<ConfirmedKey | 'expired' | undefined> {
    const openedKey = await this.#sealedKeys.open('enrolment', account, enrolment);
    if (openedKey === undefined) return 'expired';
    const step = findTotpStep(openedKey.key, normaliseCode(typedCode), this.#clock.now());
    if (step === undefined) return undefined;
    return { step, sealedKey: await this.#sealedKeys.seal('stored', account, openedKey.key) };
  }

  /**
   * Stores the confirmed key and returns new recovery codes.
   *
   * @throws `conflict` (409) if the account has a second factor, such as from another tab
   */
  async enrol(transaction: Kysely<AuthTables>, account: string, { sealedKey, step }: ConfirmedKey): Promise<string[]> {
    const insertedRow = await transaction
      .insertInto('second_factor')
      .values({ account, sealed_key: sealedKey, last_step: step, created_at: new Date(this.#clock.now()) })
      .onConflict((clash) => clash.column('account').doNothing())
      .returning('account')
      .executeTakeFirst();
    if (insertedRow === undefined) throw conflict(coreRefusal('core.refused.secondFactorOn'));
    return this.replaceRecoveryCodes(transaction, account);
  }

  async replaceRecoveryCodes(transaction: Kysely<AuthTables>, account: string): Promise<string[]> {
    const recoveryCodes = createRecoveryCodes();
    await transaction.deleteFrom('recovery_code').where('account', '=', account).execute();
    await transaction
      .insertInto('recovery_code')
      .values(
        recoveryCodes.map((code) => ({
          account,
          hash: hashRecoveryCode(account, normaliseCode(code)),
          used_at: null,
        })),
      )
      .execute();
    return recoveryCodes;
  }
}

/** Removes the second factor with its recovery codes and open challenges. Returns whether there was one. */
export async function removeSecondFactor(transaction: Kysely<AuthTables>, account: string): Promise<boolean> {
  await transaction.deleteFrom('sign_in_challenge').where('account', '=', account).execute();
  const deletedRow = await transaction
    .deleteFrom('second_factor')
    .where('account', '=', account)
    .returning('account')
    .executeTakeFirst();
  return deletedRow !== undefined;
}
