import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnDatabases, startTestServer, testProduct, type TestServer } from '#core/testing/server';
import { Secret } from '../kernel/secret.ts';
import { findSignInProblems } from './sign-in-problems.ts';

describeOnDatabases('findSignInProblems', (kind) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ database: kind });
  });
  afterAll(() => server.close());
  const findProblems = (
    login: Parameters<typeof findSignInProblems>[1]['login'],
    signOn: Parameters<typeof findSignInProblems>[2]['signOn'] = {},
  ) => findSignInProblems(server.database, { login }, { signOn });
  const twoProviders = {
    type: 'AD' as const,
    providers: [
      { id: 'first' as const, label: 'Company account' },
      { id: 'second' as const, label: 'Partner account' },
    ],
  };

  it('reports that there is no account until one is created', async () => {
    expect(await findProblems(testProduct.login)).toEqual([
      expect.stringMatching(/^Nobody can log in: there is no account yet\..*--first-admin.*WALKDOWN_FIRST_ADMIN=/),
    ]);
    await server.addPerson();
    expect(await findProblems(testProduct.login)).toEqual([]);
  });

  it('reports each identity provider that has a button but no configuration', async () => {
    const configuration = {
      issuer: 'https://a.example',
      clientId: 'x',
      clientSecret: new Secret('y'),
      mailDomains: [],
    };
    expect(await findProblems(twoProviders)).toEqual([
      expect.stringMatching(/"Company account".*"first" is not configured\. Set WALKDOWN_OIDC_FIRST_ISSUER/),
      expect.stringMatching(/"Partner account".*"second" is not configured\. Set WALKDOWN_OIDC_SECOND_ISSUER/),
    ]);
    expect(await findProblems(twoProviders, { first: configuration })).toHaveLength(1);
    expect(await findProblems(twoProviders, { first: configuration, second: configuration })).toEqual([]);
  });
});
