/**
 * Options of V8 for the short processes of tests: JavaScript is optimised later, WebAssembly not at all. Compiling cost
 * them more than it saved: an eighth of their processor time. None in a soak, whose processes run long.
 */
export const v8OptionsForTests: readonly string[] =
  process.env['WALKDOWN_SOAK'] === '1' ? [] : ['--interrupt-budget=1000000', '--liftoff-only'];
