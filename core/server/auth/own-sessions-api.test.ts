import { afterAll, beforeAll, expect, it } from 'vitest';
import { endOtherSessions, endOwnSession, getMe, listAuditEntries, listOwnSessions } from '#core/api';
import { describeOnDatabases, startTestServer, type TestServer } from '../../testing/server.ts';

describeOnDatabases('own sessions', (kind) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ database: kind });
  });
  afterAll(() => server.close());

  it("[SEC-04] lists a person's sessions, and ends one or all others, whose next request answers 401", async () => {
    const person = await server.addPerson();
    const [first, second, third] = [
      await server.signIn(person),
      await server.signIn(person),
      await server.signIn(person),
    ];
    const strangerToken = await server.signIn();
    const listSessions = async (token = first) => (await server.call(listOwnSessions, { token })).body;
    const readStatus = async (token: string) => (await server.call(getMe, { token })).status;
    const sessions = await listSessions();
    expect(sessions.map(({ current }) => current)).toEqual([true, false, false]);
    const secondSession = (await listSessions(second))[0]!.id;
    expect(
      (await server.call(endOwnSession, { params: { session: secondSession }, token: strangerToken })).status,
    ).toBe(404);
    expect(await readStatus(second)).toBe(200);
    await server.call(endOwnSession, { params: { session: secondSession }, token: first });
    expect([await readStatus(second), await readStatus(third), await readStatus(first)]).toEqual([401, 200, 200]);
    await server.signIn(person);
    expect((await server.call(endOtherSessions, { body: {}, token: first })).body).toEqual({ ended: 2 });
    expect([await readStatus(third), await readStatus(first), await readStatus(strangerToken)]).toEqual([
      401, 200, 200,
    ]);
    expect(await listSessions()).toEqual([{ ...sessions[0]!, lastUsedAt: expect.any(String) as string }]);
    const admin = await server.signIn({ flags: ['userManagement'] });
    const audit = await server.call(listAuditEntries, {
      query: { subject: person.uid, area: 'SIGN_IN' },
      token: admin,
    });
    expect(
      audit.body.rows.filter(({ action }) => action === 'session.ended').map(({ details }) => details['by']),
    ).toEqual(['owner', 'owner']);
  });
});
