import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { ViewerTokens } from './viewer-tokens.ts';

describe('ViewerTokens', () => {
  const startTokenService = async (status: number, body: unknown, headers: Record<string, string> = {}) => {
    const requests: { readonly authorization: string | undefined; readonly body: string }[] = [];
    const server = http.createServer((request, response) => {
      let text = '';
      request.on('data', (chunk: Buffer) => (text += chunk.toString()));
      request.on('end', () => {
        requests.push({ authorization: request.headers.authorization, body: text });
        response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return {
      requests,
      address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/token`,
      close: () => new Promise((resolve) => server.close(resolve)),
    };
  };

  it("[TOUR-13] fetches a read-only token with the server's client credentials and caches it until shortly before expiry", async () => {
    const service = await startTokenService(200, { access_token: 'abc', expires_in: 3600, token_type: 'Bearer' });
    let now = 0;
    const tokens = new ViewerTokens({ tokenEndpoint: service.address, client: 'me', secret: 'hush' }, () => now);
    expect(await Promise.all([tokens.getToken(), tokens.getToken()])).toEqual([
      { token: 'abc', expiresInSeconds: 3600 },
      { token: 'abc', expiresInSeconds: 3600 },
    ]);
    now = 1_000_000;
    expect(await tokens.getToken()).toEqual({ token: 'abc', expiresInSeconds: 2600 });
    expect(service.requests).toEqual([
      {
        authorization: `Basic ${Buffer.from('me:hush').toString('base64')}`,
        body: 'grant_type=client_credentials&scope=viewables%3Aread',
      },
    ]);
    now = 3_500_000;
    await tokens.getToken();
    expect(service.requests).toHaveLength(2);
    await service.close();
  });

  it('does not send the secret to the target of a redirect', async () => {
    const redirectTarget = await startTokenService(200, { access_token: 'abc' });
    const service = await startTokenService(307, {}, { location: redirectTarget.address });
    await expect(
      new ViewerTokens({ tokenEndpoint: service.address, client: 'me', secret: 'hush' }).getToken(),
    ).rejects.toThrow(/gave no token/);
    expect([service.requests.length, redirectTarget.requests]).toEqual([1, []]);
    await Promise.all([service.close(), redirectTarget.close()]);
  });

  it('[TOUR-13] reports a refusal, an unreachable service and a missing client', async () => {
    const refusing = await startTokenService(401, {});
    await expect(
      new ViewerTokens({ tokenEndpoint: refusing.address, client: 'me', secret: 'no' }).getToken(),
    ).rejects.toThrow(/refused the client/);
    await refusing.close();
    await expect(
      new ViewerTokens({ tokenEndpoint: refusing.address, client: 'me', secret: 'no' }).getToken(),
    ).rejects.toThrow(/could not be reached/);
    await expect(
      new ViewerTokens({ tokenEndpoint: refusing.address, client: undefined, secret: undefined }).getToken(),
    ).rejects.toThrow(/MODEL_VIEWER_CLIENT_ID/);
  });
});
