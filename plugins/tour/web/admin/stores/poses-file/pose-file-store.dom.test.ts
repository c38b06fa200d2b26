import { autorun, observableRef, makeObservable, runInAction } from 'mobx';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { defaultSiteRecord, type SiteRecord } from '#core';
import type { ContentNode, TourContent } from '../../../../contract/api/tour-content.ts';
import type { ContentMutations } from '../content-mutations.ts';
import { ViewpointEditor } from '../viewpoint-editor.ts';
import { PoseFileStore } from './pose-file-store.ts';

const buildNode = (code: string, position: ContentNode['position']): ContentNode => ({
  ...{ uid: code, code, name: code, tour: 'tour', deck: null, location: 'unit', position, heading: 0 },
  ...{ thumbnail: null, posedTilt: null, hasPanorama: false, version: 1 },
});

const tour = { uid: 'tour', code: 'T', name: 'Tour', location: 'unit', startNode: null, version: 1 };

class ContentSource {
  value: TourContent = {
    ...{ decks: [], tours: [tour], links: [], alignments: [], hasSurfaces: false },
    nodes: [buildNode('N1', [10, 5, 14]), buildNode('N2', [20, 5, 14])],
  };

  constructor() {
    makeObservable(this, { value: observableRef });
  }
}

/** A pose near N1, a moved N2, a row without a number, a far pose, and an ambiguous date. */
const defaultText = [
  'name;x;y;z;heading;time;other',
  'P1;10,02;5;14;0;;1',
  'N2;21;5;14;0;;2',
  'P3;one;5;14;0;;3',
  'P4;90000;5;14;0;03.04.2126 09:10:15;four',
].join('\n');

const disposers: (() => void)[] = [];
afterEach(() => {
  for (const dispose of disposers.splice(0)) dispose();
});

async function setup({
  text = defaultText,
  frame,
}: { readonly text?: string; readonly frame?: Partial<SiteRecord['frame']> } = {}) {
  const content = new ContentSource();
  const applyPoses = vi.fn(async () => undefined);
  const editor = new ViewpointEditor(content, { applyPoses } as unknown as ContentMutations, 'unit');
  // As `SitesService` does for a site without a record, this returns another record each time.
  const recordAt = (): SiteRecord => {
    const record = defaultSiteRecord('Europe/Oslo');
    return { ...record, frame: { ...record.frame, ...frame } };
  };
  const store = new PoseFileStore(editor, { recordAt });
  /** What the dialog shows. */
  const show = () => ({
    ...{ refusal: store.refusal, farPoses: store.farPoses, unreadAngles: store.unreadAngles, plan: store.plan },
    ...{ isInCrs: store.isInCrs, unusedColumns: store.unusedColumns, tiltedCount: store.tiltedCount },
    ...{ headerUnits: store.headerUnits, crsProposal: store.crsProposal },
    answers: {
      order: store.chosenOrder.value,
      leavesOut: store.leavesOutInvalidRows.value,
      near: store.nearChoice.value,
      updates: store.updatesExisting.value,
      far: store.acceptsFar.value,
    },
  });
  disposers.push(autorun(show));
  await store.chooseFile(new File([text], 'poses.csv'));
  const takeReadCount = countReads(store);
  return { content, editor, store, applyPoses, show, takeReadCount };
}

/** Returns a function that returns how often the rows were read as poses since its last call. */
function countReads({ table }: PoseFileStore): () => number {
  const { rows } = table;
  let count = 0;
  Object.defineProperty(rows, Symbol.iterator, {
    value: () => {
      count++;
      return rows.values();
    },
  });
  return () => {
    const reads = count;
    count = 0;
    return reads;
  };
}

describe('PoseFileStore', () => {
  it('reads the table once after each change of how it is read, and not after other choices', async () => {
    const { content, editor, store, show, takeReadCount } = await setup();
    expect(takeReadCount()).toBe(0);
    for (const readAgain of [
      () => store.set({ unit: 'ft' }),
      () => store.set({ unit: 'm' }),
      () => store.set({ headingOffset: 90 }),
      () => store.set({ columns: { ...store.columns, heading: 6 } }),
      () => store.chosenOrder.set('DAY_FIRST'),
    ]) {
      readAgain();
      expect(takeReadCount(), String(readAgain)).toBe(1);
    }
    const { result, comparison } = store;
    for (const keepReading of [
      () => store.nearChoice.set('ADD'),
      () => store.updatesExisting.set(true),
      () => store.leavesOutInvalidRows.set(true),
      () => store.acceptsFar.set(true),
      () => store.set({ unit: 'm', headingOffset: 90 }),
      () => editor.select(['N1']),
      show,
    ]) {
      keepReading();
      expect(store.result, String(keepReading)).toBe(result);
      expect(store.comparison, String(keepReading)).toBe(comparison);
    }
    const { plan, farPoses } = store;
    store.leavesOutInvalidRows.set(false);
    expect(store.plan).toBe(plan);
    expect(store.farPoses).toBe(farPoses);
    // New content is compared with the poses that were read.
    runInAction(() => (content.value = { ...content.value, nodes: [] }));
    expect(store.comparison).not.toBe(comparison);
    expect(store.result).toBe(result);
    expect(takeReadCount()).toBe(0);
  });

  it('reads the table in the site frame and in its CRS only while the person has not chosen one', async () => {
    const frame = { origin: { east: 1e6, north: 0, up: 0 } };
    const { store, takeReadCount } = await setup({ text: 'name;x;y;z\nP1;1000030;5;14', frame });
    expect([store.isInCrs, store.crsProposal?.count]).toEqual([true, 1]);
    store.set({ headingOffset: 1 });
    expect(takeReadCount()).toBe(2);
    store.set({ chosenInCrs: true });
    expect(takeReadCount()).toBe(0);
    store.set({ headingOffset: 2 });
    expect(takeReadCount()).toBe(1);
    expect(store.result.poses[0]?.position[0]).toBe(30);
    store.set({ chosenInCrs: false });
    expect(takeReadCount()).toBe(1);
    expect(store.result.poses[0]?.position[0]).toBe(1_000_030);
    const other = await setup({ text: 'name;x;y;z\nP1;30;5;14', frame });
    expect([other.store.isInCrs, other.store.crsProposal]).toEqual([false, undefined]);
    other.store.set({ headingOffset: 1 });
    expect(other.takeReadCount()).toBe(1);
  });

  it('keeps an answer until what it is about changes', async () => {
    const { content, store, show } = await setup();
    const noAnswers = { order: undefined, leavesOut: false, near: undefined, updates: false, far: false };
    expect(show().answers).toEqual(noAnswers);
    store.chosenOrder.set('DAY_FIRST');
    store.leavesOutInvalidRows.set(true);
    store.nearChoice.set('SKIP');
    store.updatesExisting.set(true);
    store.acceptsFar.set(true);
    const allAnswers = { order: 'DAY_FIRST', leavesOut: true, near: 'SKIP', updates: true, far: true };
    expect(show().answers).toEqual(allAnswers);

    // Another unit changes positions, but neither times nor invalid rows.
    store.set({ unit: 'ft' });
    expect(show().answers).toEqual({ ...noAnswers, order: 'DAY_FIRST', leavesOut: true });
    store.set({ unit: 'm' });
    expect(show().answers).toEqual(allAnswers);
    store.set({ headingOffset: 5 });
    expect(show().answers).toEqual({ ...allAnswers, updates: false, far: false });
    store.set({ headingOffset: 0 });
    expect(show().answers).toEqual(allAnswers);

    // The planned positions depend on other answers.
    store.nearChoice.set('ADD');
    expect(show().answers).toEqual({ ...allAnswers, near: 'ADD', far: false });
    store.nearChoice.set('SKIP');
    store.updatesExisting.set(false);
    expect(show().answers).toEqual({ ...allAnswers, updates: false, far: false });
    store.updatesExisting.set(true);

    const { time: _, ...columns } = store.columns;
    store.set({ columns });
    expect(show().answers).toEqual({ ...allAnswers, order: undefined });
    store.set({ columns: { ...store.columns, time: 5, east: 6 } });
    expect(show().answers).toMatchObject({ order: 'DAY_FIRST', leavesOut: false, far: false });
    store.set({ columns: { ...store.columns, east: 1 } });
    expect(show().answers).toEqual(allAnswers);

    // Somebody moves N1 and N2.
    const nodes = [buildNode('N1', [50, 5, 14]), buildNode('N2', [21, 5, 14])];
    runInAction(() => (content.value = { ...content.value, nodes }));
    expect(show().answers).toEqual({ ...noAnswers, order: 'DAY_FIRST', leavesOut: true });
  });

  it('asks again for another file, even if it has the same rows', async () => {
    const { store, show } = await setup();
    store.chosenOrder.set('DAY_FIRST');
    store.leavesOutInvalidRows.set(true);
    store.set({ unit: 'ft', chosenInCrs: true });
    await store.chooseFile(new File([defaultText], 'poses.csv'));
    expect(show().answers).toMatchObject({ order: undefined, leavesOut: false });
    expect([store.unit, store.chosenInCrs]).toEqual(['m', undefined]);
    await store.chooseFile(undefined);
    expect([store.file, store.table.rows, store.result.poses]).toEqual([undefined, [], []]);
  });

  it('saves only after all questions are answered, and says which is open', async () => {
    const { store, applyPoses } = await setup();
    const refusals: unknown[] = [];
    for (const answer of [
      () => store.chosenOrder.set('DAY_FIRST'),
      () => store.nearChoice.set('SKIP'),
      () => store.leavesOutInvalidRows.set(true),
      () => store.acceptsFar.set(true),
    ]) {
      expect(await store.save()).toBe(false);
      expect(store.isRefused).toBe(true);
      refusals.push(store.refusal);
      answer();
    }
    expect(refusals).toEqual(['orderOpen', 'nearOpen', 'problems', 'farOpen']);
    expect(applyPoses).not.toHaveBeenCalled();
    expect(await store.save()).toBe(true);
    expect(store.isRefused).toBe(false);
    expect(applyPoses).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ uid: 'tour' }), {
      updated: [],
      created: [expect.objectContaining({ code: 'P4', posedAt: '2126-04-03T07:10:15.000Z' })],
    });
  });
});
