/** Number of repetitions of a test: `usual` in `npm test`, `full` in `npm run soak` (`WALKDOWN_SOAK=1`). */
export const soakCount = (usual: number, full: number): number => (process.env['WALKDOWN_SOAK'] === '1' ? full : usual);
