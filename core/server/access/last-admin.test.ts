import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnDatabases, startTestServer, type TestServer } from '../../testing/server.ts';
import { assertAdminRemains } from './last-admin.ts';

describeOnDatabases('the last admin', (kind) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ database: kind });
    await sql`delete from core.user_account`.execute(server.database.of('core'));
    await sql`insert into core.role (uid, name, flags, created_at) values
      ('people', 'People', '{userManagement}', now()), ('setup', 'Set-up', '{configure,vrAccess}', now())`.execute(
      server.database.of('core'),
    );
    await sql`insert into core.user_account (uid, username, name, user_type, status, created_at) values
      ('one', 'one@example.com', 'One', 'TENANT_ADMIN', 'ACTIVE', now()),
      ('two', 'two@example.com', 'Two', 'TENANT_ADMIN', 'ACTIVE', now()),
      ('user', 'user@example.com', 'User', 'TENANT_USER', 'ACTIVE', now())`.execute(server.database.of('core'));
    await sql`insert into core.user_role select account.uid, role.uid from core.user_account account, core.role role
      where role.uid in ('people', 'setup')`.execute(server.database.of('core'));
  });
  afterAll(() => server.close());

  /** Whether the change, which is rolled back, would be refused. */
  const isRefused = async (...changes: readonly string[]): Promise<boolean> => {
    let refusal: unknown;
    await server.database
      .of('core')
      .transaction()
      .execute(async (transaction) => {
        for (const change of changes) await sql.raw(change).execute(transaction);
        await assertAdminRemains(transaction).catch((error: unknown) => (refusal = error));
        throw new Error('rolled back');
      })
      .catch(() => undefined);
    if (refusal !== undefined) expect(refusal).toMatchObject({ status: 409 });
    return refusal !== undefined;
  };

  it('refuses a change after which no active admin has userManagement and configure, even if others have them', async () => {
    const deactivate = `update core.user_account set status = 'INACTIVE' where uid =`;
    expect(await isRefused(`${deactivate} 'one'`)).toBe(false);
    expect(await isRefused(`${deactivate} 'one'`, `${deactivate} 'two'`)).toBe(true);
    expect(await isRefused(`update core.user_account set user_type = 'TENANT_USER'`)).toBe(true);
    expect(await isRefused(`delete from core.user_role where account = 'one' and role = 'people'`)).toBe(false);
    expect(await isRefused(`delete from core.user_role where role = 'people'`)).toBe(true);
    expect(await isRefused(`update core.role set status = 'INACTIVE' where uid = 'setup'`)).toBe(true);
    expect(await isRefused(`update core.role set flags = '{vrAccess}' where uid = 'setup'`)).toBe(true);
    expect(
      await isRefused(
        `delete from core.user_role where account = 'one' and role = 'people'`,
        `delete from core.user_role where account = 'two' and role = 'setup'`,
      ),
    ).toBe(true);
  });
});
