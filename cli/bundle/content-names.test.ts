import { describe, expect, it } from 'vitest';
import { contentNames, renameOutputs, renameReferences } from './content-names.ts';

const scripts = {
  'static/js/app-AAAAAAAA.js':
    'import "/dashboard/static/js/chunk-BBBBBBBB.js";import("/dashboard/static/js/screen-CCCCCCCC.js");',
  'static/js/chunk-BBBBBBBB.js': 'export const a=1;',
  'static/js/screen-CCCCCCCC.js': 'import "/dashboard/static/js/app-AAAAAAAA.js";export const b=2;',
  'static/js/alone-DDDDDDDD.js': 'export const name="other-EEEEEEEE.js";',
};

const listNames = (changes: Readonly<Record<string, string>> = {}) =>
  Object.fromEntries(contentNames(new Map(Object.entries({ ...scripts, ...changes })), (place) => [`${place}.ts`]));

/** The scripts whose names differ from those of the unchanged bundle. */
function renamed(changes: Readonly<Record<string, string>>): readonly string[] {
  const [before, after] = [listNames(), listNames(changes)];
  return Object.keys(scripts).filter((place) => before[place] !== after[place]);
}

describe('content names', () => {
  it('have the length of the names given by the bundler, and are equal for equal code', () => {
    const names = listNames();
    for (const [from, to] of Object.entries(names))
      expect(to).toMatch(new RegExp(`^${from.slice(0, -11)}[A-Z2-7]{8}\\.js$`));
    expect(listNames()).toEqual(names);
  });

  it('change if one byte changes in the script or in any script that it can load', () => {
    expect(renamed({ 'static/js/alone-DDDDDDDD.js': 'export const name="other-EEEEEEEF.js";' })).toEqual([
      'static/js/alone-DDDDDDDD.js',
    ]);
    expect(renamed({ 'static/js/chunk-BBBBBBBB.js': 'export const a=2;' })).toEqual([
      'static/js/app-AAAAAAAA.js',
      'static/js/chunk-BBBBBBBB.js',
      'static/js/screen-CCCCCCCC.js',
    ]);
  });

  it("do not depend on the bundler's hashes", () => {
    const other = new Map(
      Object.entries(scripts).map(([place, code]) => [
        place.replace('BBBBBBBB', 'ZZZZZZZZ'),
        code.replaceAll('BBBBBBBB', 'ZZZZZZZZ'),
      ]),
    );
    const names = contentNames(other, (place) => [`${place.replace('ZZZZZZZZ', 'BBBBBBBB')}.ts`]);
    expect([...names.values()]).toEqual(Object.values(listNames()));
  });

  it('replace the old ones in the code and the metafile', () => {
    const names = new Map(Object.entries(listNames()));
    const code = renameReferences(scripts['static/js/app-AAAAAAAA.js'], names);
    for (const place of ['static/js/chunk-BBBBBBBB.js', 'static/js/screen-CCCCCCCC.js'])
      expect(code).toContain(`"/dashboard/${names.get(place)}"`);
    expect(code).toHaveLength(scripts['static/js/app-AAAAAAAA.js'].length);
    const record = {
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
    const { outputs } = renameOutputs(record, 'out', names);
    const app = outputs[`out/${names.get('static/js/app-AAAAAAAA.js')}`];
    expect(app?.imports[0]?.path).toBe(`out/${names.get('static/js/chunk-BBBBBBBB.js')}`);
  });
});
