import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addDays,
  dayAt,
  toDayRange,
  daysOfMonth,
  formatBytes,
  formatCalendarDay,
  formatCompact,
  formatDay,
  formatInstant,
  formatIsoAt,
  formatLength,
  formatNumber,
  formatPercent,
  fromMetres,
  instantAt,
  toInstants,
  isTimeZone,
  lengthUnits,
  chooseLocale,
  noonAt,
  startOfDay,
  toMetres,
  wallTimeAt,
  getWeekday,
} from '#core';

describe('numbers', () => {
  it("[ANA-03] uses Indian grouping with the language's separators", () => {
    expect(formatNumber(1234567.891, { language: 'en', decimals: 2 })).toBe('12,34,567.89');
    expect(formatNumber(1234567.891, { language: 'fr', decimals: 2 })).toBe('12\u202f34\u202f567,89');
    expect(formatNumber(5, { language: 'en', decimals: 2, fixed: true })).toBe('5.00');
    expect(formatNumber(-0, { language: 'en' })).toBe('0');
  });

  it('[ANA-03] writes K from 1000 and M from 1,000,000', () => {
    const compact = (value: number) => formatCompact(value, { language: 'en' });
    expect(
      [0, 999, 1000, 1500, 123456, 999_994, 999_999, 1_000_000, 12_345_678, 1_234_567_890_000].map(compact),
    ).toEqual(['0', '999', '1K', '1.5K', '123.46K', '999.99K', '1M', '1M', '12.35M', '12,34,567.89M']);
    expect(compact(-1500)).toBe('-1.5K');
    expect(formatCompact(1500, { language: 'fr' })).toBe('1,5K');
    expect(formatPercent(0.2, { language: 'en' })).toBe('20%');
  });

  it.each([
    ['en', ['950\u00a0B', '1.21\u00a0KB', '12.35\u00a0MB']],
    ['fr', ['950\u00a0o', '1,21\u00a0Ko', '12,35\u00a0Mo']],
  ] as const)('writes sizes in bytes with a space before the unit in %s', (language, texts) => {
    expect([950, 1210, 12_345_678].map((bytes) => formatBytes(bytes, { language }))).toEqual(texts);
  });
});

describe('lengths', () => {
  it('[TOUR-10] uses the exact factors', () => {
    expect(toMetres(1, 'ft')).toBe(0.3048);
    expect(toMetres(1, 'in')).toBe(0.0254);
    expect(toMetres(1, 'yd')).toBe(0.9144);
    expect(toMetres(3937, 'ftUS')).toBe(1200);
    expect(fromMetres(1200, 'ftUS')).toBe(3937);
    expect(toMetres(1, 'cm')).toBe(0.01);
    expect(toMetres(1, 'mm')).toBe(0.001);
    expect(lengthUnits).toEqual(['m', 'cm', 'mm', 'ft', 'in', 'yd', 'ftUS']);
  });

  it('[TOUR-10] round-trips every unit', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-6, max: 1e6, noNaN: true }), fc.constantFrom(...lengthUnits), (metres, unit) => {
        expect(Math.abs(toMetres(fromMetres(metres, unit), unit) - metres)).toBeLessThanOrEqual(metres * 4e-16);
      }),
    );
  });

  it('formats lengths to about a millimetre, with the unit', () => {
    expect(formatLength(1.2345, 'm', { language: 'en' })).toBe('1.235\u00a0m');
    expect(formatLength(1.2345, 'mm', { language: 'en' })).toBe('1,235\u00a0mm');
  });
});

describe('dates', () => {
  it('formats a time at the site and names its zone', () => {
    expect(formatInstant('2026-11-21T05:00:00Z', { locale: 'en-GB', timeZone: 'Europe/Oslo' })).toBe(
      '21 Nov 2026, 06:00 CET',
    );
    expect(formatInstant('2026-11-21T05:00:00Z', { locale: 'fr', timeZone: 'Europe/Oslo' })).toContain('21 nov. 2026');
  });

  it("formats a day with the name of the site's zone", () => {
    const lateInstant = '2026-06-20T22:15:00Z';
    expect(formatDay(lateInstant, { locale: 'en-GB', timeZone: 'Europe/Oslo' })).toBe('21 Jun 2026, CEST');
    expect(formatDay(lateInstant, { locale: 'en-IN', timeZone: 'Asia/Kolkata' })).toBe('21 Jun 2026, IST');
    expect(formatDay(lateInstant, { locale: 'fr', timeZone: 'America/New_York' })).toBe('20 juin 2026, UTC−4');
  });

  it('formats a calendar day without a time zone', () => {
    expect([formatCalendarDay('2026-06-21', 'en-GB'), formatCalendarDay('2026-06-21', 'fr')]).toEqual([
      '21 Jun 2026',
      '21 juin 2026',
    ]);
  });

  it('accepts IANA time zones and refuses offsets', () => {
    expect(['Europe/Oslo', 'Asia/Kolkata', 'America/Argentina/Buenos_Aires', 'UTC'].every(isTimeZone)).toBe(true);
    expect(['', 'Oslo', 'Europe/Atlantis', '+05:30', '-01:00', ' UTC'].filter(isTimeZone)).toEqual([]);
  });

  it('converts local times of a site across clock changes', () => {
    expect(wallTimeAt(new Date('2026-06-20T22:15:00Z'), 'Asia/Kolkata')).toBe('2026-06-21T03:45');
    expect(instantAt('2026-06-21T03:45', 'Asia/Kolkata').toISOString()).toBe('2026-06-20T22:15:00.000Z');
    // 02:30 does not exist when clocks go forward, and occurs twice when they go back.
    expect(wallTimeAt(instantAt('2026-03-29T02:30', 'Europe/Oslo'), 'Europe/Oslo')).toBe('2026-03-29T03:30');
    expect(instantAt('2026-10-25T02:30', 'Europe/Oslo').toISOString()).toBe('2026-10-25T00:30:00.000Z');
    expect(noonAt('2026-10-25', 'Europe/Oslo').toISOString()).toBe('2026-10-25T11:00:00.000Z');
    expect(dayAt(noonAt('2026-06-21', 'Pacific/Kiritimati'), 'Pacific/Kiritimati')).toBe('2026-06-21');
    expect(dayAt(noonAt('0026-06-21', 'Asia/Kolkata'), 'Asia/Kolkata')).toBe('0026-06-21');
  });

  it('returns an invalid date for incomplete input', () => {
    for (const input of ['', '20261-06-21T10:00', '2026-06-21T'])
      expect(instantAt(input, 'Europe/Oslo').getTime()).toBeNaN();
    expect(noonAt('20261-06-21', 'Europe/Oslo').getTime()).toBeNaN();
  });

  it('finds the first instant of each local time', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('1975-01-01'), max: new Date('2100-01-01'), noInvalidDate: true }),
        fc.constantFrom('Europe/Oslo', 'Asia/Kolkata', 'America/St_Johns', 'Australia/Lord_Howe', 'UTC'),
        (instant, timeZone) => {
          const wallTime = wallTimeAt(instant, timeZone);
          expect(wallTimeAt(instantAt(wallTime, timeZone), timeZone)).toBe(wallTime);
          expect(instantAt(wallTime, timeZone) <= instant).toBe(true);
        },
      ),
    );
  });

  it("writes ISO instants with the site's offset", () => {
    expect(formatIsoAt('2026-06-20T22:15:09Z', 'Asia/Kolkata')).toBe('2026-06-21T03:45:09+05:30');
    expect(formatIsoAt('2026-06-20T22:15:09Z', 'America/St_Johns')).toBe('2026-06-20T19:45:09-02:30');
    expect(formatIsoAt('2026-06-20T22:15:09Z', 'UTC')).toBe('2026-06-20T22:15:09+00:00');
  });

  it('changes the offset at the minute of each clock change', () => {
    const changes = [
      ['Europe/Oslo', '2026-03-29'],
      ['Europe/Oslo', '2026-10-25'],
      ['America/St_Johns', '2010-11-07'],
      ['Australia/Lord_Howe', '2026-04-04'],
      ['Asia/Kathmandu', '1985-12-31'],
      ['Pacific/Apia', '2011-12-30'],
    ] as const;
    for (const [timeZone, day] of changes) {
      const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
      const readOffset = (instant: Date): string =>
        format
          .formatToParts(instant)
          .find(({ type }) => type === 'timeZoneName')
          ?.value.slice('GMT'.length) ?? '';
      const start = Date.parse(`${day}T00:00:00Z`);
      const minutes = Array.from({ length: 24 * 60 }, (_, index) => new Date(start + index * 60_000));
      const offsets = minutes.map((minute) => formatIsoAt(minute, timeZone).slice(19));
      expect(new Set(offsets).size, timeZone).toBe(2);
      expect(offsets, timeZone).toEqual(minutes.map(readOffset));
    }
  });

  it("uses the person's own locale of the chosen language", () => {
    expect(chooseLocale('en', ['fr-CA', 'en-IN', 'en-US'])).toBe('en-IN');
    expect(chooseLocale('en', ['fr-CA'])).toBe('en-GB');
    expect(chooseLocale('fr', ['en-US'])).toBe('fr');
  });

  it('[PER-11] computes today, tomorrow, and Monday to Friday of next week at the site', () => {
    const sunday = new Date('2026-11-22T23:30:00Z');
    expect(dayAt(sunday, 'UTC')).toBe('2026-11-22');
    expect(dayAt(sunday, 'Europe/Oslo')).toBe('2026-11-23');
    expect(toDayRange('TODAY', sunday, 'Europe/Oslo')).toEqual({ first: '2026-11-23', last: '2026-11-23' });
    expect(toDayRange('TOMORROW', sunday, 'UTC')).toEqual({ first: '2026-11-23', last: '2026-11-23' });
    expect(toDayRange('NEXT_WEEK', sunday, 'UTC')).toEqual({ first: '2026-11-23', last: '2026-11-27' });
    expect(toDayRange('NEXT_WEEK', sunday, 'Europe/Oslo')).toEqual({ first: '2026-11-30', last: '2026-12-04' });
    expect(daysOfMonth(2028, 2)).toEqual({ first: '2028-02-01', last: '2028-02-29' });
  });

  it("[PER-11] always starts next week's five working days one to seven days from now", () => {
    fc.assert(
      fc.property(fc.date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true }), (now) => {
        const { first, last } = toDayRange('NEXT_WEEK', now, 'Asia/Kolkata');
        const today = dayAt(now, 'Asia/Kolkata');
        expect([getWeekday(first), getWeekday(last)]).toEqual([1, 5]);
        expect(first > today && first <= addDays(today, 7)).toBe(true);
      }),
    );
  });

  it("starts a day at the site's midnight, across clock changes", () => {
    expect(startOfDay('2026-11-21', 'Asia/Kolkata').toISOString()).toBe('2026-11-20T18:30:00.000Z');
    expect(startOfDay('2026-03-29', 'Europe/Oslo').toISOString()).toBe('2026-03-28T23:00:00.000Z');
    expect(startOfDay('2026-03-30', 'Europe/Oslo').toISOString()).toBe('2026-03-29T22:00:00.000Z');
    const { from, until } = toInstants({ first: '2026-03-29', last: '2026-03-29' }, 'Europe/Oslo');
    expect(until.getTime() - from.getTime()).toBe(23 * 3_600_000);
    // Midnight does not exist on this day: clocks went from 23:59 to 01:00.
    expect(startOfDay('2018-11-04', 'America/Sao_Paulo').toISOString()).toBe('2018-11-04T03:00:00.000Z');
  });
});
