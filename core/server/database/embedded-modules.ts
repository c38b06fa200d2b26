import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';

/** The WebAssembly modules of PGlite, by the names of its options. */
export interface EmbeddedModules {
  readonly pgliteWasmModule: WebAssembly.Module;
  readonly initdbWasmModule: WebAssembly.Module;
}

let modules: Promise<EmbeddedModules> | undefined;

/** Compiles PGlite once per process: every thread that opens a database shares the compiled modules. */
export function embeddedModules(): Promise<EmbeddedModules> {
  modules ??= compileModules();
  return modules;
}

async function compileModules(): Promise<EmbeddedModules> {
  const folder = path.dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite'));
  const compile = async (name: string): Promise<WebAssembly.Module> =>
    WebAssembly.compile(await readFile(path.join(folder, name)));
  const [pgliteWasmModule, initdbWasmModule] = await Promise.all([compile('pglite.wasm'), compile('initdb.wasm')]);
  return { pgliteWasmModule, initdbWasmModule };
}
