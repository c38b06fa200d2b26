import { createRequire } from 'node:module';
import path from 'node:path';
import remapping from '@jridgewell/remapping';
import { minify } from 'oxc-minify';
import { projectRoot } from '../project-root.ts';

const installed = createRequire(path.join(projectRoot, 'package.json'));

/** Name and version of what makes the last bytes of a script. */
export const minifierVersion = `oxc-minify@${(installed('oxc-minify/package.json') as { version: string }).version}`;

export interface Script {
  readonly code: string;
  /** Source map, as JSON. */
  readonly map: string;
}

/**
 * Makes a script of the bundler smaller still, and joins both steps' source maps into one.
 *
 * @param name file name, for messages
 * @param sourcePath makes a path in the bundler's map (relative to the script) the one that is kept
 */
export async function minifyScript(name: string, script: Script, sourcePath: (path: string) => string): Promise<Script> {
  const result = await minify(name, script.code, { module: true, compress: { target: 'es2022' }, mangle: { toplevel: true }, codegen: { legalComments: 'none' }, sourcemap: true });
  const [error] = result.errors;
  if (error || !result.map) throw new Error(`'${name}' could not be minified: ${error?.message ?? 'no source map came'}`);
  const joined = remapping([{ ...result.map, version: 3 }, script.map], () => null);
  joined.sources = joined.sources.map((source) => (source === null ? null : sourcePath(source)));
  delete joined.file;
  return { code: result.code, map: joined.toString() };
}
