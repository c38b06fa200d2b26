import { describe, expect, it, vi } from 'vitest';
import type { ContentNode, TourContent } from '../../../contract/api/tour-content.ts';
import type { ContentMutations } from './content-mutations.ts';
import { PlanGestures, type PointerSample } from './plan-gestures.ts';
import { handlePlanKey } from './plan-keys.ts';
import { PlanView } from './plan-view.ts';
import type { EastNorth } from './poses.ts';
import { ViewpointEditor } from './viewpoint-editor.ts';

const buildNode = (number: number): ContentNode => ({
  uid: `node-${number}`,
  code: `N${number}`,
  name: `Pump ${number}`,
  tour: 'tour-1',
  deck: null,
  location: 'u',
  position: [number * 10, 5, 14.1],
  heading: 90,
  thumbnail: null,
  posedTilt: null,
  hasPanorama: false,
  version: 1,
});

/** A grid of 40 x 30 m in 800 x 400 pixels: 0.075 m per pixel around east 20 and north 5. */
function setup(nodes: readonly ContentNode[] = [buildNode(1), buildNode(2), buildNode(3)]) {
  const value: TourContent = { decks: [], tours: [], nodes: [...nodes], links: [], alignments: [], hasSurfaces: true };
  const updateNodes = vi.fn(async () => undefined);
  const editor = new ViewpointEditor({ value }, { updateNodes } as unknown as ContentMutations, 'u');
  const onAdd = vi.fn<(point: EastNorth) => void>();
  const view = new PlanView();
  view.setSize({ width: 800, height: 400 });
  view.show(editor);
  return { editor, view, gestures: new PlanGestures(view, editor, onAdd), onAdd, updateNodes };
}
const at = (east: number, north: number, overrides: Partial<PointerSample> = {}): PointerSample => ({
  id: 1,
  x: 400 + (east - 20) / 0.075,
  y: 200 - (north - 5) / 0.075,
  isTouch: false,
  shift: false,
  alt: false,
  ...overrides,
});
function drag(gestures: PlanGestures, ...samples: readonly PointerSample[]) {
  const [first, ...nextSamples] = samples;
  gestures.pointerDown(first!);
  for (const sample of nextSamples) gestures.pointerMove(sample);
  gestures.pointerUp(samples.at(-1)!);
}

describe('PlanGestures', () => {
  it('moves the viewpoint under the pointer', () => {
    const { editor, gestures, updateNodes } = setup();
    drag(gestures, at(20, 5), at(21, 6), at(23, 8));
    expect(editor.nodes.map(({ position }) => position[0])).toEqual([10, 23, 30]);
    expect(updateNodes).toHaveBeenCalledTimes(1);
  });

  it('pans the plan by a drag outside of viewpoints', () => {
    const { editor, gestures, updateNodes, view } = setup();
    view.zoom(4);
    const before = view.window;
    drag(gestures, at(15, 8), at(16, 8), at(17, 8));
    expect(view.window.x).toBeLessThan(before.x);
    expect([editor.drafts.size, updateNodes.mock.calls.length]).toEqual([0, 0]);
  });

  it('undoes a move when a second finger starts a zoom', () => {
    const { editor, gestures, updateNodes, view } = setup();
    gestures.pointerDown(at(20, 5, { isTouch: true }));
    gestures.pointerMove(at(22, 5, { isTouch: true }));
    expect(editor.drafts.size).toBe(1);
    gestures.pointerDown(at(25, 5, { id: 2, isTouch: true }));
    expect(editor.drafts.size).toBe(0);
    gestures.pointerMove(at(35, 5, { id: 2, isTouch: true }));
    expect(view.window.zoom).toBeGreaterThan(2);
    gestures.pointerUp(at(22, 5));
    gestures.pointerUp(at(35, 5, { id: 2 }));
    expect(updateNodes).not.toHaveBeenCalled();
  });

  it('undoes an aborted drag, and ignores its remaining events', () => {
    const { editor, gestures, updateNodes } = setup();
    expect(gestures.abort()).toBe(false);
    gestures.pointerDown(at(20, 5));
    gestures.pointerMove(at(22, 5));
    expect(editor.drafts.size).toBe(1);
    expect(gestures.abort()).toBe(true);
    gestures.pointerMove(at(24, 5));
    gestures.pointerUp(at(24, 5));
    expect([editor.drafts.size, [...editor.selected]]).toEqual([0, ['node-2']]);
    expect(updateNodes).not.toHaveBeenCalled();
  });

  it('selects in a box, adds to the selection with Shift, and clears it by a click outside of viewpoints', () => {
    const { editor, gestures } = setup();
    gestures.setTool('box');
    drag(gestures, at(15, 8), at(20, 4), at(25, 2));
    expect([...editor.selected]).toEqual(['node-2']);
    drag(gestures, at(27, 8, { shift: true }), at(31, 4), at(35, 2));
    expect([...editor.selected]).toEqual(['node-2', 'node-3']);
    drag(gestures, at(15, 10));
    expect(editor.selected.size).toBe(0);
  });

  it('adds a viewpoint at a click, even on another viewpoint', () => {
    const { gestures, onAdd } = setup();
    gestures.setTool('add');
    drag(gestures, at(20, 5));
    const [[point] = []] = onAdd.mock.calls;
    expect(point?.map((value) => Math.round(value * 1000) / 1000)).toEqual([20, 5]);
  });

  it('keeps the point under the pointer while zooming', () => {
    const { view } = setup();
    const pixel = at(15, 8);
    const findPoint = () => ({
      x: view.viewBox.x + pixel.x * view.viewBox.unitsPerPx,
      y: view.viewBox.y + pixel.y * view.viewBox.unitsPerPx,
    });
    view.zoom(2);
    const before = findPoint();
    view.zoom(2, pixel);
    expect(findPoint().x).toBeCloseTo(before.x, 6);
    expect(findPoint().y).toBeCloseTo(before.y, 6);
  });
});

describe('handlePlanKey', () => {
  const actions = { onAdd: vi.fn(), onEdit: vi.fn(), onDelete: vi.fn() };
  const key = (name: string, overrides: object = {}) => ({
    key: name,
    shiftKey: false,
    ctrlKey: false,
    altKey: false,
    metaKey: false,
    ...overrides,
  });

  it('turns by the bracket keys, also where they need AltGr', () => {
    const { editor, view } = setup();
    editor.select(['node-1']);
    expect(handlePlanKey(key(']', { ctrlKey: true, altKey: true }), editor, view, actions)).toBe(true);
    expect(editor.nodes[0]?.heading).toBe(91);
    editor.discard();
  });

  it('pans the plan by arrow keys without a selection or with Ctrl', () => {
    const { editor, view } = setup();
    view.zoom(4);
    const { x } = view.window;
    handlePlanKey(key('ArrowRight'), editor, view, actions);
    expect(view.window.x).toBeGreaterThan(x);
    editor.select(['node-1']);
    handlePlanKey(key('ArrowLeft', { ctrlKey: true }), editor, view, actions);
    expect(view.window.x).toBeCloseTo(x, 9);
    expect(editor.drafts.size).toBe(0);
  });

  it('ignores browser shortcuts, and keys that require a selection', () => {
    const { editor, view } = setup();
    for (const event of [key('ArrowLeft', { altKey: true }), key('r', { ctrlKey: true }), key('Delete'), key('Tab')])
      expect(handlePlanKey(event, editor, view, actions)).toBe(false);
  });
});
