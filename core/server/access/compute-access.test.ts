import { describe, expect, it } from 'vitest';
import { accessFlags } from '#core';
import { computeAccess, type RoleGrant } from './compute-access.ts';

const buildGrant = (grant: Partial<RoleGrant>): RoleGrant => ({
  name: 'Role',
  status: 'ACTIVE',
  flags: [],
  allLocations: false,
  locations: [],
  ...grant,
});

describe('computeAccess', () => {
  it('[ACC-01] returns the union of the active roles, with flags in the order of the closed list', () => {
    const access = computeAccess([
      buildGrant({ flags: ['pidAccess', 'import'], locations: ['b'] }),
      buildGrant({ flags: ['import', 'userManagement'], locations: ['a', 'b'] }),
    ]);
    expect(access).toEqual({
      flags: ['userManagement', 'import', 'pidAccess'],
      locations: ['a', 'b'],
      deactivatedRoles: [],
    });
  });

  it('[ACC-04] ignores a deactivated role and names it', () => {
    const access = computeAccess([
      buildGrant({ name: 'Zulu', status: 'INACTIVE', flags: [...accessFlags], allLocations: true }),
      buildGrant({ name: 'Alpha', status: 'INACTIVE' }),
      buildGrant({ flags: ['vrAccess'] }),
    ]);
    expect(access).toEqual({ flags: ['vrAccess'], locations: [], deactivatedRoles: ['Alpha', 'Zulu'] });
  });

  it('grants all locations if one active role does', () => {
    expect(computeAccess([buildGrant({ allLocations: true }), buildGrant({ locations: ['a'] })]).locations).toBe('ALL');
  });

  it('grants nothing without roles', () => {
    expect(computeAccess([])).toEqual({ flags: [], locations: [], deactivatedRoles: [] });
  });
});
