import { createRequire } from 'node:module';
import path from 'node:path';
import remapping from '@jridgewell/remapping';
import { minify } from 'oxc-minify';
import { projectRoot } from '../project-root.ts';

const requireInstalled = createRequire(path.join(projectRoot, 'package.json'));

const getNameAndVersion = (name: string) =>
  `${name}@${(requireInstalled(`${name}/package.json`) as { version: string }).version}`;

/** Name and version of the minifier, which determines the final bytes of scripts and maps. */
export const minifierVersion = getNameAndVersion('oxc-minify');
export const mapJoinerVersion = getNameAndVersion('@jridgewell/remapping');

export interface Script {
  readonly code: string;
  /** Source map, as JSON. */
  readonly map: string;
}

/** Minifies a script. The returned `map` maps the minified script to `code`. */
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
    throw new Error(`'${name}' could not be minified: ${error?.message ?? 'there is no source map'}`);
  return { code: result.code, map: JSON.stringify({ ...result.map, version: 3 }) };
}

/**
 * Joins two source maps, from the final script to the sources.
 *
 * @param minifiedMap from the minified script to the bundler's script
 * @param bundledMap from the bundler's script to the sources
 * @param toSourcePath converts a source path of `bundledMap`, which is relative to the script
 */
export function joinMaps(minifiedMap: string, bundledMap: string, toSourcePath: (path: string) => string): string {
  const joinedMap = remapping([minifiedMap, bundledMap], () => null);
  joinedMap.sources = joinedMap.sources.map((source) => (source === null ? null : toSourcePath(source)));
  delete joinedMap.file;
  return joinedMap.toString();
}
