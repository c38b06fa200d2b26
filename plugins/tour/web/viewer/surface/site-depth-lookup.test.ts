import { observable, runInAction } from 'mobx';
import { describe, expect, it, vi } from 'vitest';
import type { Point3 } from '#core';
import type { DepthSource, OpenedTour, SiteDepth, TourStore } from '#plugins/tour';
import { SiteDepthLookup } from './site-depth-lookup.ts';

const eye: Point3 = [1, 2, 3];

function buildSource(depth: SiteDepth | undefined) {
  return { open: vi.fn<DepthSource['open']>(async () => depth), close: vi.fn<() => void>() };
}
const buildDepth = (): SiteDepth => ({
  pick: async () => undefined,
  findSurfacePoints: async () => new Float64Array(),
});

function setup(...sources: readonly (DepthSource | Error)[]) {
  const store = observable({ opened: { tour: { location: 'unit' } } as OpenedTour | undefined }, {}, { deep: false });
  const depthLookup = new SiteDepthLookup(store as TourStore);
  depthLookup.setSources(
    sources.map((source) => () => (source instanceof Error ? Promise.reject(source) : Promise.resolve(source))),
  );
  return { depthLookup, store };
}

describe('SiteDepthLookup', () => {
  it('[TOUR-21] returns the depth of the first source that has depth at the position', async () => {
    const [empty, sourceWithDepth, laterSource] = [
      buildSource(undefined),
      buildSource(buildDepth()),
      buildSource(buildDepth()),
    ];
    const { depthLookup } = setup(empty, sourceWithDepth, laterSource);
    expect(await depthLookup.find(eye)).toBe(await sourceWithDepth.open.mock.results[0]?.value);
    expect(sourceWithDepth.open.mock.calls).toEqual([['unit', eye]]);
    expect(laterSource.open).not.toHaveBeenCalled();
  });

  it('calls the sources once for each eye position', async () => {
    const source = buildSource(buildDepth());
    const { depthLookup } = setup(source);
    await Promise.all([depthLookup.find(eye), depthLookup.find([1, 2, 3.001])]);
    expect(source.open).toHaveBeenCalledTimes(1);
    await depthLookup.find([1, 2, 4]);
    expect(source.open).toHaveBeenCalledTimes(2);
  });

  it('[TOUR-21] uses the next source if the first one cannot be loaded', async () => {
    const depth = buildDepth();
    expect(await setup(new Error('offline'), buildSource(depth)).depthLookup.find(eye)).toBe(depth);
  });

  it('rejects if no source has depth and one failed to load, and retries', async () => {
    const source = buildSource(undefined);
    const { depthLookup } = setup(new Error('offline'), source);
    await expect(depthLookup.find(eye)).rejects.toThrow('offline');
    await expect(depthLookup.find(eye)).rejects.toThrow('offline');
    expect(source.open).toHaveBeenCalledTimes(2);
  });

  it('has no depth without sources', async () => {
    const { depthLookup } = setup();
    expect([depthLookup.hasSources, await depthLookup.find(eye)]).toEqual([false, undefined]);
  });

  it('closes the sources with the tour', async () => {
    const source = buildSource(buildDepth());
    const { depthLookup, store } = setup(source);
    await depthLookup.find(eye);
    runInAction(() => (store.opened = undefined));
    expect(source.close).toHaveBeenCalledTimes(1);
    expect(await depthLookup.find(eye)).toBeUndefined();
  });

  it('opens no source of a tour that was closed while the code was loading', async () => {
    const source = buildSource(buildDepth());
    const { depthLookup, store } = setup();
    let finish = (): void => undefined;
    depthLookup.setSources([() => new Promise((resolve) => (finish = () => resolve(source)))]);
    const depthPromise = depthLookup.find(eye);
    runInAction(() => (store.opened = undefined));
    finish();
    await expect(depthPromise).rejects.toThrow();
    expect(source.open).not.toHaveBeenCalled();
  });

  it('calls no further source after the eye has moved', async () => {
    let fail = (): void => undefined;
    const first = buildSource(undefined);
    first.open.mockImplementationOnce(() => new Promise((_, reject) => (fail = () => reject(new Error('closed')))));
    const second = buildSource(buildDepth());
    const { depthLookup } = setup(first, second);
    const earlierFind = depthLookup.find(eye);
    await vi.waitFor(() => expect(first.open).toHaveBeenCalledTimes(1));
    await depthLookup.find([9, 9, 9]);
    fail();
    await expect(earlierFind).rejects.toThrow('closed');
    expect(second.open.mock.calls).toEqual([['unit', [9, 9, 9]]]);
  });

  it('[TOUR-21] calls the sources again after a failed pick', async () => {
    const source = buildSource(buildDepth());
    const { depthLookup } = setup(source);
    await depthLookup.find(eye);
    depthLookup.clear();
    await depthLookup.find(eye);
    expect(source.open).toHaveBeenCalledTimes(2);
  });
});
