import { describe, expect, it } from 'vitest';
import type { LocationNode, LocationType } from '#core';
import {
  canBeParent,
  findNextSibling,
  findStepTarget,
  listChildTypes,
  listPossibleTypes,
} from './location-placement.ts';

const buildNode = (uid: string, locationType: LocationType, ...children: LocationNode[]): LocationNode => ({
  uid,
  name: uid,
  label: '',
  parent: 'site',
  root: 'site',
  locationType,
  children,
});

describe('types of locations', () => {
  it('offers the types that a parent may have as children', () => {
    expect(listChildTypes(undefined)).toEqual(['PRIMARY_LOCATION']);
    expect(listChildTypes('PRIMARY_LOCATION')).toEqual(['PLATFORM_UNIT', 'LOC_GROUP']);
    expect(listChildTypes('LOC_LEVEL')).toEqual(['LOC_GROUP']);
  });

  it('offers only types that the children allow', () => {
    const level = buildNode('level', 'LOC_LEVEL');
    expect(listPossibleTypes(buildNode('unit', 'PLATFORM_UNIT', level), 'LOC_GROUP')).toEqual([
      'PLATFORM_UNIT',
      'LOC_GROUP',
    ]);
  });
});

describe('places of locations', () => {
  const level = buildNode('level', 'LOC_LEVEL');
  const inner = buildNode('inner', 'LOC_GROUP', level);
  const group = buildNode('group', 'LOC_GROUP', inner);

  it('refuses as a parent the location itself, its descendants, other sites and types that do not fit', () => {
    expect(canBeParent(group, group)).toBe(false);
    expect(canBeParent(group, inner)).toBe(false);
    expect(canBeParent(level, group)).toBe(true);
    expect(canBeParent(level, { ...group, root: 'other' })).toBe(false);
    expect(canBeParent(buildNode('unit', 'PLATFORM_UNIT'), level)).toBe(false);
  });

  it('finds the sibling after a location, and the places one step up and down', () => {
    const siblings = [buildNode('a', 'LOC_GROUP'), buildNode('b', 'LOC_GROUP'), buildNode('c', 'LOC_GROUP')];
    expect(findNextSibling(siblings, 'a')).toBe('b');
    expect(findNextSibling(siblings, 'c')).toBeNull();
    expect(findStepTarget(siblings, 'a', 'up')).toBeUndefined();
    expect(findStepTarget(siblings, 'b', 'up')).toBe('a');
    expect(findStepTarget(siblings, 'a', 'down')).toBe('c');
    expect(findStepTarget(siblings, 'b', 'down')).toBeNull();
    expect(findStepTarget(siblings, 'c', 'down')).toBeUndefined();
  });
});
