import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LocationNode, LocationRow } from './location.ts';
import { findLocationPath } from './location-path.ts';
import { buildLocationTree, walkLocations } from './location-tree.ts';

const buildRow = (uid: string, parent: string | null = null, name = uid): LocationRow => ({
  uid,
  parent,
  name,
  label: `Label of ${name}`,
  root: parent ?? uid,
  locationType: parent === null ? 'PRIMARY_LOCATION' : 'PLATFORM_UNIT',
});

const toShape = (nodes: readonly LocationNode[]): unknown =>
  nodes.map((node) => (node.children.length === 0 ? node.uid : [node.uid, toShape(node.children)]));

/** Rows whose parents come from a small set of uids, so that trees, orphans, cycles and duplicates occur. */
const anyRows = fc.array(
  fc
    .record({
      uid: fc.constantFrom(...'abcdefgh'),
      parent: fc.constantFrom(null, ...'abcdefghxy'),
      name: fc.string({ maxLength: 4 }),
    })
    .map(({ uid, parent, name }) => buildRow(uid, parent, name)),
  { maxLength: 24 },
);

/** A valid tree of up to 60 rows, in order. */
const validRows = fc
  .array(fc.nat(), { maxLength: 60 })
  .map((picks) =>
    picks.map((pick, index) => buildRow(`n${index}`, index === 0 || pick % 5 === 0 ? null : `n${pick % index}`)),
  );

describe('buildLocationTree', () => {
  it('[LOC-02] builds the tree by parent uid, for any order of the rows', () => {
    const rows = [
      buildRow('deck', 'unit'),
      buildRow('unit', 'site'),
      buildRow('other'),
      buildRow('site'),
      buildRow('unit2', 'site'),
    ];
    const tree = buildLocationTree(rows);
    expect(toShape(tree.roots)).toEqual(['other', ['site', [['unit', ['deck']], 'unit2']]]);
    expect(tree.problems).toEqual([]);
  });

  it('[LOC-02] reports an orphan and makes it a root', () => {
    const tree = buildLocationTree([buildRow('site'), buildRow('lost', 'gone'), buildRow('below', 'lost')]);
    expect(toShape(tree.roots)).toEqual(['site', ['lost', ['below']]]);
    expect(tree.problems).toEqual([{ kind: 'ORPHAN', uid: 'lost', parent: 'gone' }]);
  });

  it('[LOC-02] reports a cycle once and makes its first row a root', () => {
    const tree = buildLocationTree([buildRow('tail', 'b'), buildRow('a', 'c'), buildRow('b', 'a'), buildRow('c', 'b')]);
    expect(tree.problems).toEqual([{ kind: 'CYCLE', uids: ['a', 'c', 'b'] }]);
    expect(toShape(tree.roots)).toEqual([['a', [['b', ['tail', 'c']]]]]);
  });

  it('[LOC-02] reports a row that is its own parent', () => {
    const tree = buildLocationTree([buildRow('self', 'self')]);
    expect(toShape(tree.roots)).toEqual(['self']);
    expect(tree.problems).toEqual([{ kind: 'CYCLE', uids: ['self'] }]);
  });

  it('[LOC-02] reports a duplicate uid with its row and keeps the first', () => {
    const second = buildRow('site', null, 'Second');
    const tree = buildLocationTree([buildRow('site', null, 'First'), second]);
    expect(tree.roots.map(({ name }) => name)).toEqual(['First']);
    expect(tree.problems).toEqual([{ kind: 'DUPLICATE', uid: 'site', row: second }]);
  });

  it('[PRO-03] sorts alphabetically or in the order of import', () => {
    const rows = [
      buildRow('3', null, 'deck 10'),
      buildRow('1', null, 'Deck 2'),
      buildRow('2', null, 'Éclair'),
      buildRow('4', null, 'zone'),
      buildRow('5', '4', 'b'),
      buildRow('6', '4', 'A'),
    ];
    const names = (nodes: readonly LocationNode[]): readonly string[] =>
      [...walkLocations(nodes)].map(({ name }) => name);
    expect(names(buildLocationTree(rows, 'imported').roots)).toEqual(['deck 10', 'Deck 2', 'Éclair', 'zone', 'b', 'A']);
    expect(names(buildLocationTree(rows, 'alphabetical').roots)).toEqual([
      'Deck 2',
      'deck 10',
      'Éclair',
      'zone',
      'A',
      'b',
    ]);
  });

  it('[LOC-02] includes every row of any list', () => {
    fc.assert(
      fc.property(anyRows, fc.constantFrom('imported' as const, 'alphabetical' as const), (rows, order) => {
        const tree = buildLocationTree(rows, order);
        const inTree = [...walkLocations(tree.roots)].map(({ children: _children, ...rest }) => rest);
        const duplicates = tree.problems.flatMap((problem) => (problem.kind === 'DUPLICATE' ? [problem.row] : []));
        const key = (item: LocationRow): string => JSON.stringify([item.uid, item.parent, item.name]);
        expect([...inTree, ...duplicates].map(key).sort()).toEqual(rows.map(key).sort());
      }),
    );
  });

  it('[LOC-02] reports a problem for every root that has a parent, and for nothing else', () => {
    fc.assert(
      fc.property(anyRows, (rows) => {
        const tree = buildLocationTree(rows);
        const rootsWithParent = tree.roots.filter(({ parent }) => parent !== null).map(({ uid }) => uid);
        const reportedUids = tree.problems.flatMap((problem) =>
          problem.kind === 'ORPHAN' ? [problem.uid] : problem.kind === 'CYCLE' ? [problem.uids[0]] : [],
        );
        expect(reportedUids).toEqual(rootsWithParent);
      }),
    );
  });

  it('[LOC-02] builds the same tree for every order of the rows when sorted by distinct names', () => {
    fc.assert(
      fc.property(
        validRows.chain((rows) => fc.tuple(fc.constant(rows), fc.shuffledSubarray(rows, { minLength: rows.length }))),
        ([rows, shuffled]) => {
          expect(toShape(buildLocationTree(shuffled, 'alphabetical').roots)).toEqual(
            toShape(buildLocationTree(rows, 'alphabetical').roots),
          );
        },
      ),
    );
  });

  it('handles a chain of 50,000 rows', () => {
    const rows = Array.from({ length: 50_000 }, (_, index) =>
      buildRow(`n${index}`, index === 0 ? null : `n${index - 1}`),
    );
    expect([...walkLocations(buildLocationTree(rows.reverse()).roots)]).toHaveLength(50_000);
  });

  it('returns the path from the root to a location', () => {
    const rows = new Map(
      [
        buildRow('site'),
        buildRow('unit', 'site'),
        buildRow('deck', 'unit'),
        buildRow('x', 'y'),
        buildRow('y', 'x'),
      ].map((item) => [item.uid, item]),
    );
    expect(findLocationPath(rows, 'deck').map(({ uid }) => uid)).toEqual(['site', 'unit', 'deck']);
    expect(findLocationPath(rows, 'x').map(({ uid }) => uid)).toEqual(['y', 'x']);
    expect(findLocationPath(rows, 'nowhere')).toEqual([]);
  });
});
