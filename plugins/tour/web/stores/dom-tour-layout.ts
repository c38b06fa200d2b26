import type { RefCallback } from 'react';
import { injectable } from 'inversify';
import { makeObservable, observableRef, runInAction } from 'mobx';
import { token } from '#core';
import type { Cover, CoverEdge } from '#core/ui';
import type { PanoramaArea, TourLayout } from '#plugins/tour';
import { computeInsets, findFreeArea, type CoveringPart } from './free-area.ts';

/** Space between adjacent elements on a picture, pixels. */
const gapPx = 8;
/** Written variables move some elements, so a second pass is needed. The third pass finds no change. */
const maxPasses = 3;

const variables: Readonly<Record<CoverEdge, string>> = {
  top: '--viewer-top',
  right: '--viewer-right',
  bottom: '--viewer-bottom',
  aboveBottom: '--viewer-above-bottom',
  left: '--viewer-left',
  leftCorner: '--viewer-left-corner',
  rightCorner: '--viewer-right-corner',
};
const edges = Object.keys(variables) as readonly CoverEdge[];

/** The layout with the methods by which the frame registers its elements. */
export const FrameLayout = token<DomTourLayout>('tour.FrameLayout');

/**
 * Measures the elements above the pictures. Writes how far they cover each region (the window and each picture) as CSS
 * variables of the region.
 */
@injectable()
export class DomTourLayout implements TourLayout {
  coveredAreas: readonly PanoramaArea[] = [];
  readonly #edgesByElement = new Map<HTMLElement, CoverEdge | undefined>();
  readonly #refsByEdge = new Map<CoverEdge | undefined, RefCallback<HTMLElement>>();
  readonly #regions = new Set<HTMLElement>();
  #resizeObserver: ResizeObserver | undefined;
  #isScheduled = false;

  constructor() {
    makeObservable(this, { coveredAreas: observableRef });
  }

  findFreeArea(element: HTMLElement): PanoramaArea {
    const { left, top, width, height } = element.getBoundingClientRect();
    const coveredAreas = this.coveredAreas.map((box) => ({ ...box, left: box.left - left, top: box.top - top }));
    return findFreeArea({ left: 0, top: 0, width, height }, coveredAreas);
  }

  /** Returns the ref for elements above the pictures that cover this edge. The same edge always has the same ref. */
  readonly cover: Cover = (edge) => {
    const ref =
      this.#refsByEdge.get(edge) ??
      ((element: HTMLElement | null) => {
        if (!element) return undefined;
        this.#edgesByElement.set(element, edge);
        return this.#observe(element, () => this.#edgesByElement.delete(element));
      });
    this.#refsByEdge.set(edge, ref);
    return ref;
  };

  /** The ref of an element for which the covered and the free areas are written as CSS variables. */
  readonly addRegion: RefCallback<HTMLElement> = (element) => {
    if (!element) return undefined;
    this.#regions.add(element);
    return this.#observe(element, () => this.#regions.delete(element));
  };

  /** Measures before the next frame. Call it when elements may have moved without a resize. */
  readonly scheduleMeasure = (): void => {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    queueMicrotask(() => {
      this.#isScheduled = false;
      this.#measure();
    });
  };

  #observe(element: HTMLElement, remove: () => void): () => void {
    this.#resizeObserver ??= new ResizeObserver(() => this.#measure());
    this.#resizeObserver.observe(element);
    this.scheduleMeasure();
    return () => {
      this.#resizeObserver?.unobserve(element);
      remove();
      this.scheduleMeasure();
    };
  }

  #measure(): void {
    for (let pass = 0; pass < maxPasses; pass += 1) {
      const parts = [...this.#edgesByElement].flatMap(([element, edge]): readonly CoveringPart[] => {
        const box = measureBox(element);
        return box.width > 0 && box.height > 0 ? [{ edge, box }] : [];
      });
      const coveredAreas = parts.map(({ box }) => box);
      if (!areEqual(coveredAreas, this.coveredAreas)) runInAction(() => (this.coveredAreas = coveredAreas));
      const changes = [...this.#regions].map((region) => writeVariables(region, parts));
      if (!changes.includes(true)) return;
    }
  }
}

function areEqual(areas: readonly PanoramaArea[], otherAreas: readonly PanoramaArea[]): boolean {
  return (
    areas.length === otherAreas.length &&
    areas.every((area, index) =>
      (['left', 'top', 'width', 'height'] as const).every((side) => area[side] === otherAreas[index]?.[side]),
    )
  );
}

function measureBox(element: HTMLElement): PanoramaArea {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { left, top, width, height };
}

/** Returns true if a variable changed. */
function writeVariables(region: HTMLElement, parts: readonly CoveringPart[]): boolean {
  const box = measureBox(region);
  const insets = computeInsets(box, parts);
  const free = findFreeArea(
    box,
    parts.map((part) => part.box),
  );
  const variableValues: readonly (readonly [name: string, px: number])[] = [
    ...edges.map((edge) => [variables[edge], insets[edge] + gapPx] as const),
    ['--viewer-free-left', free.left - box.left],
    ['--viewer-free-top', free.top - box.top],
    ['--viewer-free-width', free.width],
    ['--viewer-free-height', free.height],
  ];
  let changed = false;
  for (const [name, px] of variableValues) {
    const value = `${Math.round(px)}px`;
    if (region.style.getPropertyValue(name) === value) continue;
    region.style.setProperty(name, value);
    changed = true;
  }
  return changed;
}
