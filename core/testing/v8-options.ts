import { execFileSync } from 'node:child_process';

const options = ['--interrupt-budget=1000000', '--liftoff-only'];
let cached: readonly string[] | undefined;

/**
 * V8 options for short test processes: optimise JavaScript later, and WebAssembly not at all. Compiling took an eighth
 * of their processor time. Not used in a soak, whose processes run long.
 */
export function v8OptionsForTests(): readonly string[] {
  if (process.env['WALKDOWN_SOAK'] === '1') return [];
  return (cached ??= ofThisNode(options));
}

/** Node exits on an unknown option. */
function ofThisNode(options: readonly string[]): readonly string[] {
  const all = execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' });
  return options.filter((option) => all.includes(`  ${option.split('=')[0]} (`));
}
