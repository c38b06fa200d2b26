export * from './date-ranges.ts';
export * from './dates.ts';
export * from './find-nearest-name.ts';
export * from './header-units.ts';
export * from './lengths.ts';
export * from './numbers.ts';
export * from './time-zones.ts';
export * from './written-dates.ts';
