import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Secret } from '../server/kernel/secret.ts';
import type { SignOnProvider } from '../server/kernel/server-config.ts';

/** An OpenID Connect provider in its own process (oidc-provider). */
export interface TestIdentityProvider {
  /** For the server's configuration. */
  readonly configuration: SignOnProvider;
  /**
   * Signs in like a browser, by an email address that is also the subject, or by `<subject>|<email address>`, with
   * `|<group>,<group>` for groups (`*`: too many for a token). Addresses that begin with `unverified` are unverified.
   * Returns the provider's redirect: our return screen with `code`.
   */
  signIn(startUrl: string, email: string): Promise<URL>;
  stop(): Promise<void>;
}

const client = { clientId: 'walkdown-tests', clientSecret: 'a secret of the tests, 32 letters or more' };

/** `returnUrl`: the screen to which the provider redirects browsers. */
export async function startIdentityProvider(returnUrl: string): Promise<TestIdentityProvider> {
  const child = fork(
    new URL('./identity-provider-process.mjs', import.meta.url),
    [JSON.stringify({ ...client, returnUrl })],
    { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] },
  );
  let output = '';
  child.stderr?.on('data', (part: Buffer) => (output += part.toString()));
  const [{ issuer }] = (await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code]) =>
      Promise.reject(new Error(`The identity provider exited with ${String(code)} before it was ready: ${output}`)),
    ),
  ])) as [{ issuer: string }];
  return {
    configuration: {
      issuer,
      clientId: client.clientId,
      clientSecret: new Secret(client.clientSecret),
      mailDomains: [],
    },
    signIn: (startUrl, email) => signIn(startUrl, email, returnUrl),
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exitEvent = once(child, 'exit');
      child.kill();
      await exitEvent;
    },
  };
}

const maxSteps = 15;

/** Follows redirects and submits the provider's forms (login, then consent), with cookies, up to our return screen. */
async function signIn(startUrl: string, email: string, returnUrl: string): Promise<URL> {
  const cookies = new Map<string, string>();
  const visit = async (url: string, init: RequestInit = {}): Promise<Response> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, { ...init, redirect: 'manual', headers: { ...init.headers, cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    return response;
  };

  let url = startUrl;
  let response = await visit(url);
  for (let step = 0; step < maxSteps; step += 1) {
    const nextUrl = response.headers.get('location');
    if (nextUrl !== null) {
      url = new URL(nextUrl, url).href;
      if (url.startsWith(returnUrl)) return new URL(url);
      response = await visit(url);
      continue;
    }
    const page = await response.text();
    const action = /action="([^"]+)"/.exec(page)?.[1];
    const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1];
    if (action === undefined || prompt === undefined)
      throw new Error(`The provider showed a page without a form (${response.status}): ${page.slice(0, 300)}`);
    url = new URL(action, url).href;
    response = await visit(url, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ prompt, login: email, password: 'any' }).toString(),
    });
  }
  throw new Error(`The sign-in did not finish in ${maxSteps} steps. The last URL was ${url}.`);
}
