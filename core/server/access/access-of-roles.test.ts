import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { accessFlags } from '#core';
import { accessOfRoles, coversRoles, type RoleGrant } from './access-of-roles.ts';

const role = (grant: Partial<RoleGrant>): RoleGrant => ({
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

describe('accessOfRoles', () => {
  it('[ACC-01] returns the union of the active roles, with flags in the order of the closed list', () => {
    const access = accessOfRoles([
      role({ flags: ['pidAccess', 'import'], locations: ['b'] }),
      role({ flags: ['import', 'userManagement'], locations: ['a', 'b'] }),
    ]);
    expect(access).toEqual({
      flags: ['userManagement', 'import', 'pidAccess'],
      locations: ['a', 'b'],
      deactivatedRoles: [],
    });
  });

  it('[ACC-04] ignores a deactivated role and names it', () => {
    const access = accessOfRoles([
      role({ name: 'Zulu', status: 'INACTIVE', flags: [...accessFlags], allLocations: true }),
      role({ name: 'Alpha', status: 'INACTIVE' }),
      role({ flags: ['vrAccess'] }),
    ]);
    expect(access).toEqual({ flags: ['vrAccess'], locations: [], deactivatedRoles: ['Alpha', 'Zulu'] });
  });

  it('grants all locations if one active role does', () => {
    expect(accessOfRoles([role({ allLocations: true }), role({ locations: ['a'] })]).locations).toBe('ALL');
  });

  it('grants nothing without roles', () => {
    expect(accessOfRoles([])).toEqual({ flags: [], locations: [], deactivatedRoles: [] });
  });

  it('coversRoles refuses roles that would add something', () => {
    fc.assert(
      fc.property(fc.array(anyRole, { maxLength: 4 }), fc.array(anyRole, { maxLength: 4 }), (own, wanted) => {
        const mine = accessOfRoles(own);
        const active = wanted.map((each) => ({ ...each, status: 'ACTIVE' as const }));
        const together = accessOfRoles([...own, ...active]);
        const same =
          together.flags.length === mine.flags.length &&
          JSON.stringify(together.locations) === JSON.stringify(mine.locations);
        expect(coversRoles(mine, active)).toBe(same);
      }),
    );
  });
});
