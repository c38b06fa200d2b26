import { afterAll, beforeAll, expect, it } from 'vitest';
import { getConfiguration } from '#core/api';
import { describeOnDatabases, startTestServer, type TestServer } from '#core/testing/server';
import { ConfigurationStore } from './configuration-store.ts';

describeOnDatabases('ConfigurationStore', (database) => {
  let server: TestServer;
  let store: ConfigurationStore;
  beforeAll(async () => {
    server = await startTestServer({ database });
    store = server.service(ConfigurationStore);
  });
  afterAll(() => server.close());

  it('returns the saved settings except those of sign-in', async () => {
    const token = await server.signIn();
    const read = async (): Promise<unknown> => (await server.call(getConfiguration, { token })).body;
    expect(await read()).toEqual({});
    await store.write('welcomeText', { en: 'Welcome', fr: 'Bienvenue' }, null);
    await store.write('welcomeText', { en: 'Welcome aboard' }, 'admin');
    await store.write('oauthConfig', { clientSecret: 'secret' }, 'admin');
    expect(await read()).toEqual({ welcomeText: { en: 'Welcome aboard' } });
    expect(await store.read('oauthConfig')).toEqual({ clientSecret: 'secret' });
    expect(await store.read('welcomeText')).toEqual({ en: 'Welcome aboard' });
    await store.remove('welcomeText');
    expect(await store.read('welcomeText')).toBeUndefined();
    expect((await server.call(getConfiguration, {})).status).toBe(401);
  });

  it('refuses a value that does not match its schema', async () => {
    await expect(store.write('welcomeText', 'Welcome' as never, 'admin')).rejects.toMatchObject({ status: 400 });
    expect(await store.read('welcomeText')).toBeUndefined();
  });
});
