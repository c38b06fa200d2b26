import type { PosedTilt } from '../../../../contract/api/tour-content.ts';

/** Columns of the tables of poses. */
export const poseHeads = ['code', 'deck', 'east', 'north', 'up', 'heading'] as const;
/** Further columns, if there are tilts. */
export const tiltHeads = ['pitch', 'roll'] as const;

/** Lists the values of `tiltHeads`, degrees. */
export const listAngles = (tilt: PosedTilt | null | undefined): readonly number[] =>
  tiltHeads.map((head) => tilt?.[head] ?? 0);
