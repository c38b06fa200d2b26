/** The URL of a WebAssembly file of the bundle. */
declare module '*.wasm' {
  const url: string;
  export default url;
}

/** The build of laz-perf for web workers. Declared here because its own types need Emscripten's globals. */
declare module 'laz-perf/lib/worker/laz-perf.js' {
  import type { LazPerf } from './decode-laz.ts';
  const createLazPerf: (options: { readonly locateFile: (file: string) => string }) => Promise<LazPerf>;
  export default createLazPerf;
}
