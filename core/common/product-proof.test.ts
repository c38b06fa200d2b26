import { describe, expect, it } from 'vitest';
import { compareWithProof, parseProof } from './product-proof.ts';

const file = (path: string, digit = '0') => ({ path, bytes: 1, sha256: digit.repeat(64), plugins: [] });
const indexFiles = (...files: readonly ReturnType<typeof file>[]) =>
  new Map(files.map((indexedFile) => [indexedFile.path, indexedFile]));

describe('compareWithProof', () => {
  const proof = { files: [file('maps/a.js.map'), file('web/a.js'), file('web/b.js')] };

  it('reports added, missing, changed and irregular files', () => {
    const actual = new Map([...indexFiles(file('web/a.js', '1'), file('web/c.js')), ['web/d.js', undefined]] as const);
    expect(compareWithProof(proof, actual)).toEqual([
      { kind: 'changed', path: 'web/a.js' },
      { kind: 'missing', path: 'web/b.js' },
      { kind: 'added', path: 'web/c.js' },
      { kind: 'added', path: 'web/d.js' },
    ]);
    expect(compareWithProof(proof, new Map([['web/a.js', undefined], ...indexFiles(file('web/b.js'))]))).toEqual([
      { kind: 'unreadable', path: 'web/a.js' },
    ]);
  });

  it('allows the folder of source maps to be absent as a whole, but no single map', () => {
    expect(compareWithProof(proof, indexFiles(file('web/a.js'), file('web/b.js')))).toEqual([]);
    const twoMaps = { files: [...proof.files, file('maps/b.js.map')] };
    expect(compareWithProof(twoMaps, indexFiles(file('maps/a.js.map'), file('web/a.js'), file('web/b.js')))).toEqual([
      { kind: 'missing', path: 'maps/b.js.map' },
    ]);
  });

  it('compares packages if the proof lists them', () => {
    const withPackages = { ...proof, packages: { platform: 'x', files: [file('server/node_modules/pg/a.js')] } };
    expect(compareWithProof(withPackages, indexFiles(file('web/a.js'), file('web/b.js')))).toEqual([
      { kind: 'missing', path: 'server/node_modules/pg/a.js' },
    ]);
  });
});

describe('parseProof', () => {
  it.each([
    ['is not JSON', 'no', /is not JSON/],
    ['lists nothing', '{ "files": [] }', /lists no file/],
    ['has another form', '{ "files": [{ "path": "web/a.js", "bytes": 1, "plugins": [] }] }', /path, bytes and sha256/],
    ['is a list', '[]', /path, bytes and sha256/],
    ['has packages of another form', JSON.stringify({ files: [file('a')], packages: {} }), /files of the packages/],
  ])('refuses a proof that %s', (_, text, sentence) => {
    expect(() => parseProof(text)).toThrow(sentence);
  });
});
