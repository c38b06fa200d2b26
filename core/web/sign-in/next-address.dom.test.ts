// @vitest-environment-options { "url": "https://tours.example/dashboard/login" }
import { beforeEach, describe, expect, it } from 'vitest';
import { findAddressAfterSignIn, parseInnerAddress, saveNextAddress } from './next-address.ts';

const origin = 'https://tours.example';

describe('the address after sign-in', () => {
  beforeEach(() => sessionStorage.clear());

  it('[RTE-16] is the requested address with its search and hash', () => {
    expect(findAddressAfterSignIn('?next=%2Fconsole%2Ftour%2Fa1%3Fpan%3D12%23sel', false)).toBe(
      '/console/tour/a1?pan=12#sel',
    );
  });

  it('is home by default, and the admin area after the admin login', () => {
    expect(findAddressAfterSignIn('', false)).toBe('/console/home');
    expect(findAddressAfterSignIn('', true)).toBe('/admin/console');
  });

  it('[RTE-16] is stored during the redirect to the identity provider', () => {
    saveNextAddress('?next=/console/unit/u7');
    expect(findAddressAfterSignIn('?code=x&state=y', false)).toBe('/console/unit/u7');
    saveNextAddress('');
    expect(findAddressAfterSignIn('', false)).toBe('/console/home');
  });

  it('may include the base path', () => {
    expect(parseInnerAddress('/dashboard/console/home', origin)).toBe('/console/home');
  });

  it.each([
    'https://evil.example/x',
    '//evil.example/x',
    '/\\evil.example/x',
    '/dashboard//evil.example',
    '/../auth/api/thing',
    '/dashboard/../../auth',
    'javascript:alert(1)',
    'console/home',
    '',
    '/',
    '/login',
    '/login/reset',
    '/adminlogin?next=/login',
    '/%2e%2e/%2e%2e/x',
  ])('rejects %s', (address) => {
    expect(parseInnerAddress(address, origin)).toBeUndefined();
  });
});
