import { execFileSync } from 'node:child_process';

const wanted = ['--interrupt-budget=1000000', '--liftoff-only'];
let known: readonly string[] | undefined;

/**
 * Options of V8 for the short processes of tests, as far as this version of Node has them: JavaScript is optimised
 * later, WebAssembly not at all. Compiling cost them more than it saved: an eighth of their processor time. None in a
 * soak, whose processes run long.
 */
export function v8OptionsForTests(): readonly string[] {
  if (process.env['WALKDOWN_SOAK'] === '1') return [];
  return (known ??= ofThisNode(wanted));
}

/** Node ends at an option that it does not know. */
function ofThisNode(options: readonly string[]): readonly string[] {
  const all = execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' });
  return options.filter((option) => all.includes(`  ${option.split('=')[0]} (`));
}
