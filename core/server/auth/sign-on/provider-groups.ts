import { sql, type Kysely, type Transaction } from 'kysely';
import type { Logger } from 'pino';
import type { ProviderId } from '#core';
import type { AccessChanges } from '../../access/access-changes.ts';
import { assertAdminRemains } from '../../access/last-admin.ts';
import type { AuditLog } from '../../audit/audit-log.ts';
import { ServerError } from '../../kernel/server-error.ts';
import type { AuthTables } from '../auth-tables.ts';
import type { FederatedIdentity } from './identity-providers.ts';

interface SignOnContext {
  /** uid. */
  readonly account: string;
  readonly provider: ProviderId;
  readonly request: string;
}

/** Replaces a person's roles from groups by the roles of the groups that the identity provider sent (ADR 0086). */
export class ProviderGroups {
  readonly #tables: Kysely<AuthTables>;
  readonly #audit: AuditLog;
  readonly #changes: AccessChanges;
  readonly #log: Logger;

  constructor(options: {
    readonly tables: Kysely<AuthTables>;
    readonly audit: AuditLog;
    readonly changes: AccessChanges;
    readonly log: Logger;
  }) {
    this.#tables = options.tables;
    this.#audit = options.audit;
    this.#changes = options.changes;
    this.#log = options.log;
  }

  /**
   * Keeps roles that admins granted. Changes nothing, and logs a warning, if the claim is absent or too long for the
   * token, or if no admin would remain.
   */
  async apply({ account, provider, request }: SignOnContext, groups: FederatedIdentity['groups']): Promise<void> {
    if (groups === 'NOT_CONFIGURED') return;
    if (groups === 'ABSENT' || groups === 'OVERAGE') {
      this.#log.warn(
        { account, provider, request, groups },
        'The identity provider sent no groups of a person, so that the roles from groups stay as they were.',
      );
      return;
    }
    const isChanged = await this.#tables
      .transaction()
      .execute((transaction) => this.#replace(transaction, { account, provider, request }, groups))
      .catch((error: unknown) => {
        if (!(error instanceof ServerError)) throw error;
        this.#log.warn(
          { account, provider, request },
          'The groups of a person would leave no active admin, so that the roles from groups stay as they were.',
        );
        return false;
      });
    if (isChanged) await this.#changes.announce({ kind: 'account', account });
  }

  async #replace(
    transaction: Transaction<AuthTables>,
    { account, provider, request }: SignOnContext,
    groups: readonly string[],
  ): Promise<boolean> {
    await transaction.selectFrom('user_account').select('uid').where('uid', '=', account).forUpdate().execute();
    const mappedRoles = sql`
      select role from core.group_role where provider = ${provider} and value = any(${[...groups]}::text[])`;
    const deleteResult = await sql<{ role: string }>`
      delete from core.user_role where account = ${account} and from_group and role not in (${mappedRoles})
      returning role`.execute(transaction);
    const insertResult = await sql<{ role: string }>`
      insert into core.user_role (account, role, from_group) select distinct ${account}, role, true
      from (${mappedRoles}) as mapped on conflict do nothing returning role`.execute(transaction);
    if (deleteResult.rows.length === 0 && insertResult.rows.length === 0) return false;
    if (deleteResult.rows.length > 0) await assertAdminRemains(transaction);
    await sql`update core.user_account set version = version + 1 where uid = ${account}`.execute(transaction);
    const details = {
      by: provider,
      added: insertResult.rows.map(({ role }) => role),
      removed: deleteResult.rows.map(({ role }) => role),
    };
    await this.#audit.record(
      { actor: null, action: 'people.rolesFromGroups', subject: account, details, request },
      transaction,
    );
    return true;
  }
}
