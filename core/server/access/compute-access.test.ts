import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { accessFlags } from '#core';
import { computeAccess, coversRoles, type RoleGrant } from './compute-access.ts';

const buildGrant = (grant: Partial<RoleGrant>): RoleGrant => ({
  name: 'Role',
  status: 'ACTIVE',
  flags: [],
  allLocations: false,
  locations: [],
  ...grant,
});

const anyRole = fc.record({
  name: fc.string(),
  status: fc.constantFrom('ACTIVE' as const, 'INACTIVE' as const),
  flags: fc.subarray([...accessFlags]),
  allLocations: fc.boolean(),
  locations: fc.subarray(['a', 'b', 'c', 'd']),
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

  it('coversRoles refuses roles that would add access', () => {
    fc.assert(
      fc.property(fc.array(anyRole, { maxLength: 4 }), fc.array(anyRole, { maxLength: 4 }), (ownRoles, addedRoles) => {
        const ownAccess = computeAccess(ownRoles);
        const activeRoles = addedRoles.map((each) => ({ ...each, status: 'ACTIVE' as const }));
        const unionAccess = computeAccess([...ownRoles, ...activeRoles]);
        const isUnchanged =
          unionAccess.flags.length === ownAccess.flags.length &&
          JSON.stringify(unionAccess.locations) === JSON.stringify(ownAccess.locations);
        expect(coversRoles(ownAccess, activeRoles)).toBe(isUnchanged);
      }),
    );
  });
});
