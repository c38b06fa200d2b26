/**
 * Options of V8 for processes that end soon: code is compiled a second time, to run faster, only where it runs long
 * (functions of JavaScript) or never (WebAssembly). An eighth of what such processes take was spent on that.
 */
export const shortLived: readonly string[] = ['--interrupt-budget=1000000', '--liftoff-only'];
