import { createRequire } from 'node:module';
import path from 'node:path';
import remapping from '@jridgewell/remapping';
import { minify } from 'oxc-minify';
import { projectRoot } from '../project-root.ts';

const installed = createRequire(path.join(projectRoot, 'package.json'));

const getVersion = (name: string) => `${name}@${(installed(`${name}/package.json`) as { version: string }).version}`;

/** Name and version of what makes the last bytes of a script, and of its map. */
export const minifierVersion = getVersion('oxc-minify');
export const mapVersion = getVersion('@jridgewell/remapping');

export interface Script {
  readonly code: string;
  /** Source map, as JSON. */
  readonly map: string;
}

/** Makes a script of the bundler smaller still. `map` in the answer leads back to the code that was given. */
export async function minifyScript(name: string, code: string): Promise<Script> {
  const result = await minify(name, code, {
    module: true,
    compress: { target: 'es2022' },
    mangle: { toplevel: true },
    codegen: { legalComments: 'none' },
    sourcemap: true,
  });
  const [error] = result.errors;
  if (error || !result.map)
    throw new Error(`'${name}' could not be minified: ${error?.message ?? 'no source map came'}`);
  return { code: result.code, map: JSON.stringify({ ...result.map, version: 3 }) };
}

/**
 * One source map of two: from the last script to the sources.
 *
 * @param last from the minified script to the bundler's, @param first from the bundler's to the sources
 * @param sourcePath makes a path in `first` (relative to the script) the one that is kept
 */
export function joinMaps(last: string, first: string, sourcePath: (path: string) => string): string {
  const joined = remapping([last, first], () => null);
  joined.sources = joined.sources.map((source) => (source === null ? null : sourcePath(source)));
  delete joined.file;
  return joined.toString();
}
