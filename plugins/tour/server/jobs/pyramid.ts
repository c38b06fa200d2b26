import type { PanoramaTiles } from '#plugins/tour';

/** What the database keeps of a pyramid: all that a viewer must know but where it lies. */
export type Pyramid = Pick<PanoramaTiles, 'tileSize' | 'levels' | 'mesh'>;
