import { useRef, useState } from 'react';
import type { DeckPlan } from '../../../contract/api.ts';
import { fromPlan } from '../../../contract/index.ts';
import type { MarkDevice, PlanMark } from './find-mark-step.ts';
import { addWallPoint, changeWallPoint, findFreeNumber, findWallAt, type DrawnWall } from './wall-edits.ts';

export interface WallValues {
  readonly walls: readonly DrawnWall[];
}

/** Hit radius of a click, pixels. */
const clickPx = 10;
const touchPx = 22;
/** Maximum number of changes that can be undone. */
const maxUndoSteps = 200;

interface WallForm {
  readonly busy: boolean;
  state(field: 'walls'): { readonly value: readonly DrawnWall[]; onChange(walls: readonly DrawnWall[]): void };
}

/** Draws walls on a placed plan. Each step can be undone. */
export function useWallEdits(form: WallForm, plan: Omit<DeckPlan, 'address'>) {
  const { value: walls, onChange } = form.state('walls');
  const [selected, setSelected] = useState<number>();
  const [isFull, setFull] = useState(false);
  const [undoSteps, setUndoSteps] = useState<readonly (readonly DrawnWall[])[]>([]);
  /** The point that the last change dragged. Further changes of the same point belong to the same step. */
  const lastDragKey = useRef<string>(undefined);
  const change = (next: readonly DrawnWall[], dragKey?: string): void => {
    if (form.busy) return;
    setFull(false);
    if (dragKey === undefined || dragKey !== lastDragKey.current)
      setUndoSteps((all) => [...all.slice(1 - maxUndoSteps), walls]);
    lastDragKey.current = dragKey;
    onChange(next);
  };
  return {
    walls,
    selected,
    /** True if the last addition was refused, because the wall or the deck is full. */
    isFull,
    canUndo: undoSteps.length > 0,
    select: (number: number | undefined): void => {
      lastDragKey.current = undefined;
      setFull(false);
      setSelected(number);
    },
    /** The next point starts a new wall. */
    beginWall: (): void => {
      const number = findFreeNumber(walls);
      setFull(number === undefined);
      if (number !== undefined) setSelected(number);
    },
    /**
     * Selects the wall at the mark if none is selected. Otherwise adds a point to the selected wall or to a new one.
     *
     * @param pixelSize width of a screen pixel as a fraction of the plan's width
     */
    add: (mark: PlanMark, device: MarkDevice, pixelSize: number): void => {
      const point = fromPlan(plan, mark);
      const tolerance = (device === 'touch' ? touchPx : clickPx) * pixelSize * plan.width * plan.scale;
      const hit = selected === undefined ? findWallAt(walls, point, tolerance) : undefined;
      if (hit !== undefined) return setSelected(hit);
      const number = selected ?? findFreeNumber(walls);
      const nextWalls = number === undefined ? undefined : addWallPoint(walls, number, point, tolerance);
      if (!nextWalls) return setFull(true);
      setSelected(number);
      change(nextWalls);
    },
    move: (index: number, mark: PlanMark): void => {
      if (selected === undefined) return;
      change(changeWallPoint(walls, selected, index, fromPlan(plan, mark)), `${selected} ${index}`);
    },
    removePoint: (index: number): void => {
      if (selected !== undefined) change(changeWallPoint(walls, selected, index, undefined));
    },
    removeWall: (number: number): void => {
      change(walls.filter((wall) => wall.number !== number));
      setSelected(undefined);
    },
    undo: (): void => {
      const previous = undoSteps.at(-1);
      if (!previous || form.busy) return;
      lastDragKey.current = undefined;
      setUndoSteps(undoSteps.slice(0, -1));
      onChange(previous);
    },
  };
}
export type WallEdits = ReturnType<typeof useWallEdits>;
