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
/** Maximum number of steps that can be undone. */
const maxSteps = 200;

interface WallForm {
  readonly busy: boolean;
  state(field: 'walls'): { readonly value: readonly DrawnWall[]; onChange(walls: readonly DrawnWall[]): void };
}

/** Draws walls on a placed plan in steps that can be undone. */
export function useWallEdits(form: WallForm, plan: Omit<DeckPlan, 'address'>) {
  const { value: walls, onChange } = form.state('walls');
  const [selected, setSelected] = useState<number>();
  const [isFull, setFull] = useState(false);
  const [steps, setSteps] = useState<readonly (readonly DrawnWall[])[]>([]);
  /** All changes of a drag (`move`) are one step. */
  const lastMove = useRef<string>(undefined);
  const change = (next: readonly DrawnWall[], move?: string): void => {
    if (form.busy) return;
    setFull(false);
    if (move === undefined || move !== lastMove.current) setSteps((all) => [...all.slice(1 - maxSteps), walls]);
    lastMove.current = move;
    onChange(next);
  };
  return {
    walls,
    selected,
    /** True if the last addition was refused, because the wall or the deck is full. */
    isFull,
    canUndo: steps.length > 0,
    select: (number: number | undefined): void => {
      lastMove.current = undefined;
      setFull(false);
      setSelected(number);
    },
    /** The next point starts a new wall. */
    begin: (): void => {
      const number = findFreeNumber(walls);
      setFull(number === undefined);
      if (number !== undefined) setSelected(number);
    },
    /** @param pixel fraction of the plan's width */
    add: (mark: PlanMark, device: MarkDevice, pixel: number): void => {
      const point = fromPlan(plan, mark);
      const tolerance = (device === 'touch' ? touchPx : clickPx) * pixel * plan.width * plan.scale;
      const hit = selected === undefined ? findWallAt(walls, point, tolerance) : undefined;
      if (hit !== undefined) return setSelected(hit);
      const number = selected ?? findFreeNumber(walls);
      const next = number === undefined ? undefined : addWallPoint(walls, number, point, tolerance);
      if (!next) return setFull(true);
      setSelected(number);
      change(next);
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
      const previous = steps.at(-1);
      if (!previous || form.busy) return;
      lastMove.current = undefined;
      setSteps(steps.slice(0, -1));
      onChange(previous);
    },
  };
}
export type WallEdits = ReturnType<typeof useWallEdits>;
