/**
 * Environment of Go programs: compiler, linter, esbuild. Fewer garbage collections take a quarter less processor time,
 * up to a limit of memory.
 *
 * @param memoryLimit of each process, such as `1GiB`
 */
export const createGoSettings = (memoryLimit) => ({ GOGC: '400', GOMEMLIMIT: memoryLimit });
