import { describe, expect, it } from 'vitest';
import { computeContentNames, renameOutputs, renameReferences } from './content-names.ts';

const scripts = {
  'static/js/app-AAAAAAAA.js':
    'import "/dashboard/static/js/chunk-BBBBBBBB.js";import("/dashboard/static/js/screen-CCCCCCCC.js");',
  'static/js/chunk-BBBBBBBB.js': 'export const a=1;',
  'static/js/screen-CCCCCCCC.js': 'import "/dashboard/static/js/app-AAAAAAAA.js";export const b=2;',
  'static/js/alone-DDDDDDDD.js': 'export const name="other-EEEEEEEE.js";',
};

const computeNames = (changes: Readonly<Record<string, string>> = {}) =>
  Object.fromEntries(
    computeContentNames(new Map(Object.entries({ ...scripts, ...changes })), (script) => [`${script}.ts`]),
  );

/** The scripts whose names differ from those of the unchanged bundle. */
function listRenamed(changes: Readonly<Record<string, string>>): readonly string[] {
  const [before, after] = [computeNames(), computeNames(changes)];
  return Object.keys(scripts).filter((script) => before[script] !== after[script]);
}

describe('computeContentNames', () => {
  it('keeps the length of each name and returns equal names for equal code', () => {
    const names = computeNames();
    for (const [from, to] of Object.entries(names))
      expect(to).toMatch(new RegExp(`^${from.slice(0, -11)}[A-Z2-7]{8}\\.js$`));
    expect(computeNames()).toEqual(names);
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
    const names = computeContentNames(rehashedScripts, (script) => [`${script.replace('ZZZZZZZZ', 'BBBBBBBB')}.ts`]);
    expect([...names.values()]).toEqual(Object.values(computeNames()));
  });

  it('returns names that can replace the old ones in the code and the metafile', () => {
    const names = new Map(Object.entries(computeNames()));
    const code = renameReferences(scripts['static/js/app-AAAAAAAA.js'], names);
    for (const script of ['static/js/chunk-BBBBBBBB.js', 'static/js/screen-CCCCCCCC.js'])
      expect(code).toContain(`"/dashboard/${names.get(script)}"`);
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
    const { outputs } = renameOutputs(metafile, 'out', names);
    const app = outputs[`out/${names.get('static/js/app-AAAAAAAA.js')}`];
    expect(app?.imports[0]?.path).toBe(`out/${names.get('static/js/chunk-BBBBBBBB.js')}`);
  });
});
