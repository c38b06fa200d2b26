import { randomInt } from 'node:crypto';

/** Number of repetitions of a test: `usual` in `npm test`, `full` in `npm run soak` (`WALKDOWN_SOAK=1`). */
export const soakCount = (usual: number, full: number): number => (process.env['WALKDOWN_SOAK'] === '1' ? full : usual);

/** The seed of a test's random values: a new one, or that of a failed run by `WALKDOWN_SOAK_SEED`. Print it. */
export const soakSeed = (): number => Number(process.env['WALKDOWN_SOAK_SEED'] ?? randomInt(2 ** 31));
