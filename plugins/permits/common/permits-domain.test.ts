import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Corner } from '#core';
import { permitStages, zonesOfKind } from '../contract/index.ts';
import { computeDueAt, computeVisitStatus, type VisitTiming } from './site-visits.ts';
import { isUsualStageChange } from './stages.ts';
import { deriveZone, isInOutline, type MappedZone } from './zones.ts';

describe('stages', () => {
  it('follow each other in the order of the specification', () => {
    expect(permitStages).toEqual(['APPROVE_AND_AUTHORISE', 'ISSUE', 'ACCEPT', 'LIVE', 'SUSPENDED', 'CLOSED']);
    for (const [index, stage] of permitStages.slice(1).entries())
      expect(isUsualStageChange(permitStages[index]!, stage)).toBe(true);
  });

  it('may go back one step, be suspended and be closed, and never leave CLOSED', () => {
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

  it('are due as given, or by their purpose', () => {
    expect(computeDueAt(buildVisit({ dueAt: 5 }), validity)).toBe(5);
    expect(computeDueAt(buildVisit({ purpose: 'PRE_ISSUE' }), validity)).toBe(0);
    expect(computeDueAt(buildVisit(), validity)).toBe(24 * hour);
    expect(computeDueAt(buildVisit(), { validFrom: 0, validTo: hour })).toBe(hour);
    expect(computeDueAt(buildVisit({ purpose: 'CLOSE_OUT' }), validity)).toBe(100 * hour);
  });

  it('are done if one is, not applicable if none is needed, and overdue after their time', () => {
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
  const place = { map: 'm', level: null, x: 10, y: 10, elevation: null };

  it('are the most severe one at a place, GREEN outside of mapped H2S zones', () => {
    expect(zonesOfKind.H2S).toEqual(['RED', 'AMBER', 'YELLOW', 'GREEN']);
    const zones = [buildZone('YELLOW', { points: square(0, 100) }), buildZone('AMBER')];
    expect(deriveZone('H2S', place, zones)).toBe('AMBER');
    expect(deriveZone('H2S', { ...place, x: 60 }, zones)).toBe('YELLOW');
    expect(deriveZone('H2S', { ...place, x: 60 }, zones.slice(1))).toBe('GREEN');
    expect(deriveZone('H2S', { ...place, map: 'other' }, zones)).toBeNull();
    expect(deriveZone('HAC', { ...place, x: 60 }, [buildZone('ZONE-1')])).toBeNull();
  });

  it('count at their level and elevation only', () => {
    const zones = [buildZone('ZONE-0', { level: 'L1', elevationFrom: 5, elevationTo: 10 })];
    expect(deriveZone('HAC', { ...place, level: 'l1', elevation: 5 }, zones)).toBe('ZONE-0');
    expect(deriveZone('HAC', { ...place, level: 'L2', elevation: 5 }, zones)).toBeNull();
    expect(deriveZone('HAC', { ...place, elevation: 11 }, zones)).toBeNull();
    expect(deriveZone('HAC', place, zones)).toBe('ZONE-0');
  });

  it('contain a point whatever corner their outline begins with, and in both directions', () => {
    const corner = fc.tuple(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 20 }));
    fc.assert(
      fc.property(fc.array(corner, { minLength: 3, maxLength: 8 }), corner, fc.nat(7), (outline, point, shift) => {
        const start = shift % outline.length;
        const turned = [...outline.slice(start), ...outline.slice(0, start)].toReversed();
        expect(isInOutline(turned, point)).toBe(isInOutline(outline, point));
        for (const each of outline) expect(isInOutline(outline, each)).toBe(true);
      }),
      { numRuns: 200 },
    );
  });
});
