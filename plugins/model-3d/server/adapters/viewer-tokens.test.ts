import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { ViewerTokens } from './viewer-tokens.ts';

describe('ViewerTokens', () => {
  const answerWith = async (status: number, body: unknown, headers: Record<string, string> = {}) => {
    const asked: { readonly authorization: string | undefined; readonly body: string }[] = [];
    const server = http.createServer((request, response) => {
      let text = '';
      request.on('data', (chunk: Buffer) => (text += chunk.toString()));
      request.on('end', () => {
        asked.push({ authorization: request.headers.authorization, body: text });
        response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return {
      asked,
      address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/token`,
      close: () => new Promise((resolve) => server.close(resolve)),
    };
  };

  it("[TOUR-13] fetches a read-only token with the server's client credentials and caches it until shortly before expiry", async () => {
    const service = await answerWith(200, { access_token: 'abc', expires_in: 3600, token_type: 'Bearer' });
    let now = 0;
    const tokens = new ViewerTokens({ token: service.address, client: 'me', secret: 'hush' }, () => now);
    expect(await Promise.all([tokens.token(), tokens.token()])).toEqual([
      { token: 'abc', expiresInSeconds: 3600 },
      { token: 'abc', expiresInSeconds: 3600 },
    ]);
    now = 1_000_000;
    expect(await tokens.token()).toEqual({ token: 'abc', expiresInSeconds: 2600 });
    expect(service.asked).toEqual([
      {
        authorization: `Basic ${Buffer.from('me:hush').toString('base64')}`,
        body: 'grant_type=client_credentials&scope=viewables%3Aread',
      },
    ]);
    now = 3_500_000;
    await tokens.token();
    expect(service.asked).toHaveLength(2);
    await service.close();
  });

  it('does not follow redirects with the secret', async () => {
    const elsewhere = await answerWith(200, { access_token: 'abc' });
    const service = await answerWith(307, {}, { location: elsewhere.address });
    await expect(new ViewerTokens({ token: service.address, client: 'me', secret: 'hush' }).token()).rejects.toThrow(
      /gave no token/,
    );
    expect([service.asked.length, elsewhere.asked]).toEqual([1, []]);
    await Promise.all([service.close(), elsewhere.close()]);
  });

  it('[TOUR-13] reports a refusal, an unreachable service and a missing client', async () => {
    const refusing = await answerWith(401, {});
    await expect(new ViewerTokens({ token: refusing.address, client: 'me', secret: 'no' }).token()).rejects.toThrow(
      /refused the client/,
    );
    await refusing.close();
    await expect(new ViewerTokens({ token: refusing.address, client: 'me', secret: 'no' }).token()).rejects.toThrow(
      /could not be reached/,
    );
    await expect(
      new ViewerTokens({ token: refusing.address, client: undefined, secret: undefined }).token(),
    ).rejects.toThrow(/MODEL_VIEWER_CLIENT_ID/);
  });
});
