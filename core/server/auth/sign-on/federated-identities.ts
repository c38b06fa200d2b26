import type { Kysely, Transaction } from 'kysely';
import type { ProviderId } from '#core';
import type { AccessChanges } from '../../access/access-changes.ts';
import type { AccountRow } from '../../access/access-tables.ts';
import { normaliseUsername } from '../../access/account.ts';
import type { AuditLog, AuditOrigin } from '../../audit/audit-log.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { ServerConfig } from '../../kernel/server-config.ts';
import type { AuthTables } from '../auth-tables.ts';
import type { SessionClient } from '../session-client.ts';
import type { RefusalReason, SignInAudit } from '../sign-in-audit.ts';
import { findDomainOwner } from './find-domain-owner.ts';
import type { FederatedIdentity } from './identity-providers.ts';

export type AccountResult =
  | { readonly account: string }
  | { readonly refused: RefusalReason; readonly account: string | null };

export interface FederatedIdentitiesOptions {
  readonly tables: Kysely<AuthTables>;
  readonly clock: Clock;
  readonly audit: AuditLog;
  readonly signIns: SignInAudit;
  readonly changes: AccessChanges;
  readonly providers: ServerConfig['signOn'];
}

/**
 * Maps identities of providers to accounts by issuer and subject. An unknown identity is linked to the account with its
 * email address, if the provider verified the address or owns its domain, and the account has no identity yet. So no
 * provider can claim the accounts of another.
 */
export class FederatedIdentities {
  readonly #options: FederatedIdentitiesOptions;

  constructor(options: FederatedIdentitiesOptions) {
    this.#options = options;
  }

  /** Returns the account that may sign in, and activates it if it was invited. Otherwise returns a refusal. */
  async findAccount(provider: ProviderId, identity: FederatedIdentity, client: SessionClient): Promise<AccountResult> {
    const { tables, changes } = this.#options;
    const { result, wasActivated } = await tables.transaction().execute(async (transaction) => {
      const linkedAccount = await findLinkedAccount(transaction, identity);
      const row = linkedAccount ?? (await this.#link(transaction, provider, identity, client));
      if ('refused' in row) return { result: row, wasActivated: false };
      if (row.status === 'INACTIVE')
        return { result: { refused: 'accountInactive', account: row.uid } as const, wasActivated: false };
      return { result: { account: row.uid }, wasActivated: await this.#activate(transaction, row, client.request) };
    });
    if (wasActivated && result.account !== null) await changes.announce({ kind: 'account', account: result.account });
    return result;
  }

  /** Links the identity to an account. Locks its row, so that concurrent identities cannot link to the same account. */
  async #link(
    transaction: Transaction<AuthTables>,
    provider: ProviderId,
    { issuer, subject, email, emailVerified }: FederatedIdentity,
    client: SessionClient,
  ): Promise<AccountRow | { readonly refused: RefusalReason; readonly account: string | null }> {
    if (email === undefined) return { refused: 'accountUnknown', account: null };
    const row = await transaction
      .selectFrom('user_account')
      .selectAll()
      .where('username', '=', normaliseUsername(email))
      .forUpdate()
      .executeTakeFirst();
    if (row === undefined) return { refused: 'accountUnknown', account: null };
    const owner = findDomainOwner(this.#options.providers, email);
    if (owner !== undefined && owner !== provider) return { refused: 'mailDomainOfAnotherProvider', account: row.uid };
    if (!emailVerified && owner !== provider) return { refused: 'emailNotVerified', account: row.uid };
    const existingIdentity = await transaction
      .selectFrom('federated_identity')
      .select(['issuer', 'subject'])
      .where('account', '=', row.uid)
      .executeTakeFirst();
    if (existingIdentity !== undefined && (existingIdentity.issuer !== issuer || existingIdentity.subject !== subject))
      return { refused: 'accountLinkedToAnotherIdentity', account: row.uid };
    if (existingIdentity !== undefined || row.status === 'INACTIVE') return row;
    await transaction
      .insertInto('federated_identity')
      .values({ issuer, subject, account: row.uid, created_at: new Date(this.#options.clock.now()) })
      .execute();
    await this.#options.signIns.record(
      { action: 'account.identityLinked', account: row.uid, method: provider, issuer, ...client },
      transaction,
    );
    return row;
  }

  async #activate(transaction: Transaction<AuthTables>, row: AccountRow, request: string): Promise<boolean> {
    if (row.status === 'ACTIVE') return false;
    await transaction
      .updateTable('user_account')
      .set({ status: 'ACTIVE', activated_at: new Date(this.#options.clock.now()) })
      .where('uid', '=', row.uid)
      .execute();
    await this.#options.audit.record(
      {
        actor: row.uid,
        action: 'account.activated',
        subject: row.uid,
        details: { by: 'singleSignOn' satisfies AuditOrigin },
        request,
      },
      transaction,
    );
    return true;
  }
}

async function findLinkedAccount(
  transaction: Transaction<AuthTables>,
  { issuer, subject }: FederatedIdentity,
): Promise<AccountRow | undefined> {
  return transaction
    .selectFrom('user_account')
    .selectAll()
    .where('uid', '=', (expression) =>
      expression
        .selectFrom('federated_identity')
        .select('account')
        .where('issuer', '=', issuer)
        .where('subject', '=', subject),
    )
    .forUpdate()
    .executeTakeFirst();
}
