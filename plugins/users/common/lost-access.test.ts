import { expect, it } from 'vitest';
import { findLostAccess } from './lost-access.ts';

const role = (rest: Partial<Parameters<typeof findLostAccess>[0][number]>) => ({
  uid: 'r',
  name: 'R',
  status: 'ACTIVE' as const,
  flags: [],
  allLocations: false,
  locations: [],
  ...rest,
});
const pathTo = (uid: string) => (uid === 'deck' ? ['site', 'deck'] : [uid]);

it('finds the flags and locations that the new roles no longer grant', () => {
  const formerRoles = [role({ flags: ['vrAccess', 'import'], locations: ['deck', 'other'] })];
  expect(findLostAccess(formerRoles, [role({ flags: ['vrAccess'], locations: ['site'] })], pathTo)).toEqual({
    flags: ['import'],
    locations: ['other'],
  });
  expect(findLostAccess(formerRoles, [role({ flags: ['vrAccess', 'import'], allLocations: true })], pathTo)).toEqual({
    flags: [],
    locations: [],
  });
});

it('ignores inactive roles, and reports the loss of all locations', () => {
  const all = role({ flags: ['vrAccess'], allLocations: true });
  expect(findLostAccess([{ ...all, status: 'INACTIVE' }], [], pathTo)).toEqual({ flags: [], locations: [] });
  expect(findLostAccess([all], [{ ...all, status: 'INACTIVE' }], pathTo)).toEqual({
    flags: ['vrAccess'],
    locations: 'ALL',
  });
});
