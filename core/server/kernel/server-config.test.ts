import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { readServerConfig, soundServerConfig } from './server-config.ts';

const unknown = (environment: Readonly<Record<string, string>>) =>
  readServerConfig(environment)
    .problems.filter(({ kind }) => kind === 'unknown')
    .map(({ sentence }) => sentence);

describe('variables that nothing reads', () => {
  it('are reported with the name that was most likely meant, and never with their value', () => {
    expect(unknown({ WALKDOWN_TRUSTED_PROXY: '1', WALKDOWN_TOKEN_SECRETS: 'hush', WALKDOWN_XYLOPHONE: 'a' })).toEqual([
      'There is no variable WALKDOWN_TOKEN_SECRETS: it is ignored. Did you mean WALKDOWN_TOKEN_SECRET?',
      'There is no variable WALKDOWN_TRUSTED_PROXY: it is ignored. Did you mean WALKDOWN_TRUSTED_PROXIES?',
      'There is no variable WALKDOWN_XYLOPHONE: it is ignored.',
    ]);
  });

  it('do not keep the server from starting', () => {
    expect(soundServerConfig({ WALKDOWN_XYLOPHONE: 'a' }).config.port).toBe(3000);
  });

  it('are none of those that the guide names, whatever else is set', async () => {
    const guide = await readFile('docs/guides/operations.md', 'utf8');
    const names = [...new Set(guide.match(/\bWALKDOWN_[A-Z_]*[A-Z]\b/g))];
    expect(names.length).toBeGreaterThan(20);
    expect(unknown(Object.fromEntries(names.map((name) => [name, '1'])))).toEqual([]);
  });
});

describe('the issuer of an identity provider', () => {
  it('is refused as the address of its metadata, which would name the issuer themselves', () => {
    const environment = (issuer: string) => ({
      WALKDOWN_OIDC_FIRST_ISSUER: issuer,
      WALKDOWN_OIDC_FIRST_CLIENT_ID: 'a',
      WALKDOWN_OIDC_FIRST_CLIENT_SECRET: 'b',
    });
    const issuer = 'https://login.example.com/tenant/v2.0';
    expect(soundServerConfig(environment(issuer)).config.signOn.first?.issuer).toBe(issuer);
    expect(() => soundServerConfig(environment(`${issuer}/.well-known/openid-configuration`))).toThrow(
      /WALKDOWN_OIDC_FIRST_ISSUER must be the issuer itself, without \/\.well-known\//,
    );
  });
});
