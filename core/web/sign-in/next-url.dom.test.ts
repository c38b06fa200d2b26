// @vitest-environment-options { "url": "https://tours.example/dashboard/login" }
import { beforeEach, describe, expect, it } from 'vitest';
import { findUrlAfterSignIn, parseInnerUrl, saveNextUrl } from './next-url.ts';

const origin = 'https://tours.example';

describe('the URL after sign-in', () => {
  beforeEach(() => sessionStorage.clear());

  it('[RTE-16] is the requested URL with its search and hash', () => {
    expect(findUrlAfterSignIn('?next=%2Fconsole%2Ftour%2Fa1%3Fpan%3D12%23sel', false)).toBe(
      '/console/tour/a1?pan=12#sel',
    );
  });

  it('is home by default, and the admin area after the admin login', () => {
    expect(findUrlAfterSignIn('', false)).toBe('/console/home');
    expect(findUrlAfterSignIn('', true)).toBe('/admin/console');
  });

  it('[RTE-16] is stored during the redirect to the identity provider', () => {
    saveNextUrl('?next=/console/unit/u7');
    expect(findUrlAfterSignIn('?code=x&state=y', false)).toBe('/console/unit/u7');
    saveNextUrl('');
    expect(findUrlAfterSignIn('', false)).toBe('/console/home');
  });

  it('may include the base path', () => {
    expect(parseInnerUrl('/dashboard/console/home', origin)).toBe('/console/home');
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
  ])('rejects %s', (url) => {
    expect(parseInnerUrl(url, origin)).toBeUndefined();
  });
});
