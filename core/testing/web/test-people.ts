import { accessFlags, type Product } from '#core';
import type { Me } from '#core/api';

/** A product for tests with optional changes. */
export function buildProduct(changes: Partial<Product> = {}): Product {
  return {
    profile: 'test',
    title: 'Test plant',
    shortName: 'Test',
    version: '0.0.0',
    login: { type: 'EMAIL_PW', providers: [] },
    languages: ['en', 'fr'],
    timeZone: 'UTC',
    progressiveWebApp: false,
    logo: '/dashboard/logo.svg',
    backgrounds: [],
    ...changes,
  };
}

/** A signed-in person with every flag and location, with optional changes. */
export function buildMe(changes: Partial<Me> = {}): Me {
  return {
    uid: 'u-1',
    username: 'ada@example.com',
    name: 'Ada',
    userType: 'TENANT_USER',
    isAdmin: false,
    access: { flags: [...accessFlags], locations: 'ALL', deactivatedRoles: [] },
    preferences: {},
    ...changes,
  };
}
