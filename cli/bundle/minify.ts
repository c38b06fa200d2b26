import { createRequire } from 'node:module';
import path from 'node:path';
import remapping from '@jridgewell/remapping';
import { minify } from 'oxc-minify';
import { projectRoot } from '../project-root.ts';

const installed = createRequire(path.join(projectRoot, 'package.json'));

const getVersion = (name: string) => `${name}@${(installed(`${name}/package.json`) as { version: string }).version}`;

/** Name and version of the minifier, which determines the final bytes of scripts and maps. */
export const minifierVersion = getVersion('oxc-minify');
export const mapVersion = getVersion('@jridgewell/remapping');

export interface Script {
  readonly code: string;
  /** Source map, as JSON. */
  readonly map: string;
}

/** Minifies a script of the bundler. The returned `map` leads to the given code. */
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
 * Joins two source maps, from the final script to the sources.
 *
 * @param last from the minified script to the bundler's
 * @param first from the bundler's to the sources
 * @param sourcePath maps a path in `first` (relative to the script) to the one to keep
 */
export function joinMaps(last: string, first: string, sourcePath: (path: string) => string): string {
  const joined = remapping([last, first], () => null);
  joined.sources = joined.sources.map((source) => (source === null ? null : sourcePath(source)));
  delete joined.file;
  return joined.toString();
}
