import { afterAll, beforeAll, expect, it } from 'vitest';
import { getMe } from '#core/api';
import { describeOnDatabases, startTestServer, type TestServer } from '#core/testing/server';

describeOnDatabases('a server', (database) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ database });
  });
  afterAll(() => server.close());

  it('signs a person in and returns their identity', async () => {
    const token = await server.signIn({ flags: ['vrAccess'] });
    const { status, body } = await server.call(getMe, { token });
    expect(status).toBe(200);
    expect(body.access.flags).toEqual(['vrAccess']);
  });
});
