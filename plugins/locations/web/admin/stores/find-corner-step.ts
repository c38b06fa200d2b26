import type { Corner } from '../../../contract/index.ts';

const step = 0.005;
const smallStep = 0.001;
const directions: Readonly<Record<string, Corner>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** Finds where an arrow key moves a corner: by 0.5 % of the image, with Shift by 0.1 %. Undefined for other keys. */
export function findCornerStep(
  { key, shiftKey }: { readonly key: string; readonly shiftKey: boolean },
  [x, y]: Corner,
): Corner | undefined {
  const direction = directions[key];
  if (!direction) return undefined;
  const length = shiftKey ? smallStep : step;
  return [clamp(x + direction[0] * length), clamp(y + direction[1] * length)];
}

const clamp = (value: number): number => Math.min(1, Math.max(0, value));
