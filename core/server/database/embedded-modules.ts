import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';

/** `WebAssembly` of Node, whose types declare it only together with the DOM. */
interface Compiler {
  compile(bytes: Uint8Array): Promise<object>;
}

/** The compiled modules of PGlite, by the names of its options. */
export interface EmbeddedModules {
  readonly pgliteWasmModule: object;
  readonly initdbWasmModule: object;
}

let modules: Promise<EmbeddedModules> | undefined;

/** Compiles PGlite once per process: every thread that opens a database shares the compiled modules. */
export function embeddedModules(): Promise<EmbeddedModules> {
  modules ??= compileModules();
  return modules;
}

async function compileModules(): Promise<EmbeddedModules> {
  const folder = path.dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite'));
  const { WebAssembly: compiler } = globalThis as unknown as { readonly WebAssembly: Compiler };
  const compile = async (name: string): Promise<object> => compiler.compile(await readFile(path.join(folder, name)));
  const [pgliteWasmModule, initdbWasmModule] = await Promise.all([compile('pglite.wasm'), compile('initdb.wasm')]);
  return { pgliteWasmModule, initdbWasmModule };
}
