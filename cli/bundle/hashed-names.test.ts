import { describe, expect, it } from 'vitest';
import { computeHashedNames, renameOutputs, renameReferences } from './hashed-names.ts';

const scripts = {
  'static/js/app-AAAAAAAA.js':
    'import "/dashboard/static/js/chunk-BBBBBBBB.js";import("/dashboard/static/js/screen-CCCCCCCC.js");',
  'static/js/chunk-BBBBBBBB.js': 'export const a=1;',
  'static/js/screen-CCCCCCCC.js': 'import "/dashboard/static/js/app-AAAAAAAA.js";export const b=2;',
  'static/js/alone-DDDDDDDD.js': 'export const name="other-EEEEEEEE.js";',
};

const computePaths = (changes: Readonly<Record<string, string>> = {}) =>
  Object.fromEntries(
    computeHashedNames(new Map(Object.entries({ ...scripts, ...changes })), (script) => [`${script}.ts`]),
  );

/** The scripts whose names differ from those of the unchanged bundle. */
function listRenamed(changes: Readonly<Record<string, string>>): readonly string[] {
  const [before, after] = [computePaths(), computePaths(changes)];
  return Object.keys(scripts).filter((script) => before[script] !== after[script]);
}

describe('computeHashedNames', () => {
  it('keeps the length of each path and returns equal paths for equal code', () => {
    const newPaths = computePaths();
    for (const [from, to] of Object.entries(newPaths))
      expect(to).toMatch(new RegExp(`^${from.slice(0, -11)}[A-Z2-7]{8}\\.js$`));
    expect(computePaths()).toEqual(newPaths);
  });

  it('changes a name if one byte changes in the script or in any script that it can load', () => {
    expect(listRenamed({ 'static/js/alone-DDDDDDDD.js': 'export const name="other-EEEEEEEF.js";' })).toEqual([
      'static/js/alone-DDDDDDDD.js',
    ]);
    expect(listRenamed({ 'static/js/chunk-BBBBBBBB.js': 'export const a=2;' })).toEqual([
      'static/js/app-AAAAAAAA.js',
      'static/js/chunk-BBBBBBBB.js',
      'static/js/screen-CCCCCCCC.js',
    ]);
  });

  it("does not depend on the bundler's hashes", () => {
    const rehashedScripts = new Map(
      Object.entries(scripts).map(([script, code]) => [
        script.replace('BBBBBBBB', 'ZZZZZZZZ'),
        code.replaceAll('BBBBBBBB', 'ZZZZZZZZ'),
      ]),
    );
    const newPaths = computeHashedNames(rehashedScripts, (script) => [`${script.replace('ZZZZZZZZ', 'BBBBBBBB')}.ts`]);
    expect([...newPaths.values()]).toEqual(Object.values(computePaths()));
  });

  it('returns paths that can replace the old ones in the code and the metafile', () => {
    const newPaths = new Map(Object.entries(computePaths()));
    const code = renameReferences(scripts['static/js/app-AAAAAAAA.js'], newPaths);
    for (const script of ['static/js/chunk-BBBBBBBB.js', 'static/js/screen-CCCCCCCC.js'])
      expect(code).toContain(`"/dashboard/${newPaths.get(script)}"`);
    expect(code).toHaveLength(scripts['static/js/app-AAAAAAAA.js'].length);
    const metafile = {
      inputs: {},
      outputs: {
        'out/static/js/app-AAAAAAAA.js': {
          bytes: 1,
          inputs: {},
          exports: [],
          imports: [{ path: 'out/static/js/chunk-BBBBBBBB.js', kind: 'import-statement' as const }],
        },
      },
    };
    const { outputs } = renameOutputs(metafile, 'out', newPaths);
    const app = outputs[`out/${newPaths.get('static/js/app-AAAAAAAA.js')}`];
    expect(app?.imports[0]?.path).toBe(`out/${newPaths.get('static/js/chunk-BBBBBBBB.js')}`);
  });
});
