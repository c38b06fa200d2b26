export { castRanges } from '../server/surfaces/range-caster.ts';
