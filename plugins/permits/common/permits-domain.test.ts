import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Corner } from '#core';
import { permitStages, zoneClassesOfKind } from '../contract/index.ts';
import { computeDueAt, computeVisitStatus, type VisitTiming } from './site-visits.ts';
import { isUsualStageChange } from './stages.ts';
import { deriveZone, isInOutline, type MappedZone } from './zones.ts';

describe('stages', () => {
  it('usually change in the order of the specification', () => {
    expect(permitStages).toEqual(['APPROVE_AND_AUTHORISE', 'ISSUE', 'ACCEPT', 'LIVE', 'SUSPENDED', 'CLOSED']);
    for (const [index, stage] of permitStages.slice(1).entries())
      expect(isUsualStageChange(permitStages[index]!, stage)).toBe(true);
  });

  it('can go one step back, to SUSPENDED and to CLOSED, and never leave CLOSED', () => {
    expect(isUsualStageChange('SUSPENDED', 'ISSUE')).toBe(true);
    expect(isUsualStageChange('ACCEPT', 'ISSUE')).toBe(true);
    expect(isUsualStageChange('LIVE', 'LIVE')).toBe(true);
    for (const [from, to] of [
      ['APPROVE_AND_AUTHORISE', 'LIVE'],
      ['SUSPENDED', 'LIVE'],
      ['LIVE', 'ISSUE'],
      ['CLOSED', 'LIVE'],
    ] as const)
      expect(isUsualStageChange(from, to)).toBe(false);
  });
});

describe('site visits', () => {
  const hour = 3_600_000;
  const validity = { validFrom: 0, validTo: 100 * hour };
  const buildVisit = (changes: Partial<VisitTiming> = {}): VisitTiming => ({
    purpose: 'DURING_WORK',
    status: 'PENDING',
    dueAt: null,
    ...changes,
  });

  it('are due at the stored time, or at a time computed from their purpose', () => {
    expect(computeDueAt(buildVisit({ dueAt: 5 }), validity)).toBe(5);
    expect(computeDueAt(buildVisit({ purpose: 'PRE_ISSUE' }), validity)).toBe(0);
    expect(computeDueAt(buildVisit(), validity)).toBe(24 * hour);
    expect(computeDueAt(buildVisit(), { validFrom: 0, validTo: hour })).toBe(hour);
    expect(computeDueAt(buildVisit({ purpose: 'CLOSE_OUT' }), validity)).toBe(100 * hour);
  });

  it('are DONE if one is done, NA if none is required, and OVERDUE after the due time', () => {
    const computeStatus = (visits: readonly VisitTiming[], now = 25 * hour) =>
      computeVisitStatus(visits, validity, now);
    expect(computeStatus([])).toBe('NA');
    expect(computeStatus([buildVisit({ status: 'NA' })])).toBe('NA');
    expect(computeStatus([buildVisit()])).toBe('OVERDUE');
    expect(computeStatus([buildVisit()], 24 * hour)).toBe('PENDING');
    expect(computeStatus([buildVisit(), buildVisit({ status: 'DONE' })])).toBe('DONE');
  });
});

describe('zones', () => {
  const square = (low: number, high: number): readonly Corner[] => [
    [low, low],
    [high, low],
    [high, high],
    [low, high],
  ];
  const buildZone = (zone: string, changes: Partial<MappedZone> = {}): MappedZone => ({
    zone,
    map: 'M',
    level: null,
    points: square(0, 50),
    elevationFrom: null,
    elevationTo: null,
    ...changes,
  });
  const point = { map: 'm', level: null, x: 10, y: 10, elevation: null };

  it('are the most severe zone at a point, and GREEN outside of mapped H2S zones', () => {
    expect(zoneClassesOfKind.H2S).toEqual(['RED', 'AMBER', 'YELLOW', 'GREEN']);
    const zones = [buildZone('YELLOW', { points: square(0, 100) }), buildZone('AMBER')];
    expect(deriveZone('H2S', point, zones)).toBe('AMBER');
    expect(deriveZone('H2S', { ...point, x: 60 }, zones)).toBe('YELLOW');
    expect(deriveZone('H2S', { ...point, x: 60 }, zones.slice(1))).toBe('GREEN');
    expect(deriveZone('H2S', { ...point, map: 'other' }, zones)).toBeNull();
    expect(deriveZone('HAC', { ...point, x: 60 }, [buildZone('ZONE-1')])).toBeNull();
  });

  it('apply only at their level and elevation', () => {
    const zones = [buildZone('ZONE-0', { level: 'L1', elevationFrom: 5, elevationTo: 10 })];
    expect(deriveZone('HAC', { ...point, level: 'l1', elevation: 5 }, zones)).toBe('ZONE-0');
    expect(deriveZone('HAC', { ...point, level: 'L2', elevation: 5 }, zones)).toBeNull();
    expect(deriveZone('HAC', { ...point, elevation: 11 }, zones)).toBeNull();
    expect(deriveZone('HAC', point, zones)).toBe('ZONE-0');
  });

  it('contain the same points for any first corner and direction of the outline', () => {
    const corner = fc.tuple(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 20 }));
    fc.assert(
      fc.property(fc.array(corner, { minLength: 3, maxLength: 8 }), corner, fc.nat(7), (outline, testPoint, shift) => {
        const start = shift % outline.length;
        const rotatedOutline = [...outline.slice(start), ...outline.slice(0, start)].toReversed();
        expect(isInOutline(rotatedOutline, testPoint)).toBe(isInOutline(outline, testPoint));
        for (const vertex of outline) expect(isInOutline(outline, vertex)).toBe(true);
      }),
      { numRuns: 200 },
    );
  });
});
