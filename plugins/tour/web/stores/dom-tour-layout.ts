import type { RefCallback } from 'react';
import { injectable } from 'inversify';
import { makeObservable, observableRef, runInAction } from 'mobx';
import { token } from '#core';
import type { Cover, CoverEdge } from '#core/ui';
import type { PanoramaArea, TourLayout } from '#plugins/tour';
import { computeInsets, findFree, type CoveringPart } from './free-area.ts';

/** Space between adjacent elements on a picture, pixels. */
const gap = 8;
/** Writing the variables moves elements that depend on them; nothing depends on those. */
const maxPasses = 3;

const variables: Readonly<Record<CoverEdge, string>> = {
  top: '--viewer-top',
  right: '--viewer-right',
  bottom: '--viewer-bottom',
  left: '--viewer-left',
  leftCorner: '--viewer-left-corner',
  rightCorner: '--viewer-right-corner',
};
const edges = Object.keys(variables) as readonly CoverEdge[];

/** The layout as written by the frame. */
export const FrameLayout = token<DomTourLayout>('tour.FrameLayout');

/**
 * Measures the elements above the pictures, and writes the free insets of each region (the window, each picture) as CSS
 * variables.
 */
@injectable()
export class DomTourLayout implements TourLayout {
  covers: readonly PanoramaArea[] = [];
  readonly #parts = new Map<HTMLElement, CoverEdge | undefined>();
  readonly #refs = new Map<CoverEdge | undefined, RefCallback<HTMLElement>>();
  readonly #regions = new Set<HTMLElement>();
  #sizes: ResizeObserver | undefined;
  #due = false;

  constructor() {
    makeObservable(this, { covers: observableRef });
  }

  freeIn(element: HTMLElement): PanoramaArea {
    const { left, top, width, height } = element.getBoundingClientRect();
    const covers = this.covers.map((box) => ({ ...box, left: box.left - left, top: box.top - top }));
    return findFree({ left: 0, top: 0, width, height }, covers);
  }

  /** Creates refs for elements above the pictures. */
  readonly cover: Cover = (edge) => {
    const ref =
      this.#refs.get(edge) ??
      ((element: HTMLElement | null) => {
        if (!element) return undefined;
        this.#parts.set(element, edge);
        return this.#follow(element, () => this.#parts.delete(element));
      });
    this.#refs.set(edge, ref);
    return ref;
  };

  /** A ref for an element that gets the variables of `useCover`. */
  readonly addRegion: RefCallback<HTMLElement> = (element) => {
    if (!element) return undefined;
    this.#regions.add(element);
    return this.#follow(element, () => this.#regions.delete(element));
  };

  /** Call it when elements may have moved without a resize. */
  readonly measureSoon = (): void => {
    if (this.#due) return;
    this.#due = true;
    queueMicrotask(() => {
      this.#due = false;
      this.#measure();
    });
  };

  #follow(element: HTMLElement, forget: () => void): () => void {
    this.#sizes ??= new ResizeObserver(() => this.#measure());
    this.#sizes.observe(element);
    this.measureSoon();
    return () => {
      this.#sizes?.unobserve(element);
      forget();
      this.measureSoon();
    };
  }

  #measure(): void {
    for (let pass = 0; pass < maxPasses; pass += 1) {
      const parts = [...this.#parts].flatMap(([element, edge]): readonly CoveringPart[] => {
        const box = areaOf(element);
        return box.width > 0 && box.height > 0 ? [{ edge, box }] : [];
      });
      const covers = parts.map(({ box }) => box);
      if (!areSame(covers, this.covers)) runInAction(() => (this.covers = covers));
      const written = [...this.#regions].map((region) => writeInsets(region, parts));
      if (!written.includes(true)) return;
    }
  }
}

function areSame(some: readonly PanoramaArea[], others: readonly PanoramaArea[]): boolean {
  return (
    some.length === others.length &&
    some.every((area, index) =>
      (['left', 'top', 'width', 'height'] as const).every((side) => area[side] === others[index]?.[side]),
    )
  );
}

function areaOf(element: HTMLElement): PanoramaArea {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { left, top, width, height };
}

/** Returns whether anything changed. */
function writeInsets(region: HTMLElement, parts: readonly CoveringPart[]): boolean {
  const insets = computeInsets(areaOf(region), parts);
  let changed = false;
  for (const edge of edges) {
    const value = `${Math.round(insets[edge]) + gap}px`;
    if (region.style.getPropertyValue(variables[edge]) === value) continue;
    region.style.setProperty(variables[edge], value);
    changed = true;
  }
  return changed;
}
