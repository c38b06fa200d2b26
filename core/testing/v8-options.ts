import { execFileSync } from 'node:child_process';

const options = ['--interrupt-budget=1000000', '--liftoff-only'];
let cached: readonly string[] | undefined;

/**
 * V8 options for short test processes: optimise JavaScript later, and WebAssembly not at all. Compiling took an eighth
 * of their processor time. Soak tests do not use them, because their processes run long.
 */
export function v8OptionsForTests(): readonly string[] {
  if (process.env['WALKDOWN_SOAK'] === '1') return [];
  return (cached ??= filterSupported(options));
}

/** The options that this version of Node knows. It exits on an unknown option. */
function filterSupported(candidates: readonly string[]): readonly string[] {
  const helpText = execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' });
  return candidates.filter((option) => helpText.includes(`  ${option.split('=')[0]} (`));
}
