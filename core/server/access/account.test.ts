import { describe, expect, it } from 'vitest';
import { readServerConfig } from '../kernel/server-config.ts';
import { normaliseUsername } from './account.ts';

describe('normaliseUsername', () => {
  it('normalises an internationalised domain to one spelling', () => {
    for (const username of [
      'chef@ørsnes.example',
      'Chef@ØRSNES.example',
      ' chef@xn--rsnes-uua.example ',
      'chef@XN--RSNES-UUA.EXAMPLE',
      'chef@ørsnes.example'.normalize('NFD'),
    ])
      expect(normaliseUsername(username), username).toBe('chef@ørsnes.example');
    expect(normaliseUsername('a@xn--caf-dma.example')).toBe('a@café.example');
    expect(normaliseUsername('a@cafe\u0301.example')).toBe('a@café.example');
  });

  it('only lowercases texts without an internationalised domain', () => {
    expect(normaliseUsername('Ann@Example.COM')).toBe('ann@example.com');
    expect(normaliseUsername('a@0x7f.1')).toBe('a@0x7f.1');
    expect(normaliseUsername('a@xn--')).toBe('a@xn--');
    expect(normaliseUsername('a@ø[b')).toBe('a@ø[b');
    expect(normaliseUsername('Nobody')).toBe('nobody');
  });

  it('is idempotent', () => {
    for (const username of ['chef@xn--rsnes-uua.example', 'ÉLOI@Éloi.Example', 'a@faß.example'])
      expect(normaliseUsername(normaliseUsername(username))).toBe(normaliseUsername(username));
  });
});

it('normalises the mail domains of a provider to the same spelling', () => {
  const { config } = readServerConfig({
    WALKDOWN_OIDC_FIRST_ISSUER: 'https://id.example',
    WALKDOWN_OIDC_FIRST_CLIENT_ID: 'c',
    WALKDOWN_OIDC_FIRST_CLIENT_SECRET: 's',
    WALKDOWN_OIDC_FIRST_MAIL_DOMAINS: 'XN--RSNES-UUA.example, Éloi.example',
  });
  expect(config.signOn.first?.mailDomains).toEqual(['ørsnes.example', 'éloi.example']);
});
