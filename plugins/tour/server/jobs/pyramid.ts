import type { PanoramaTiles } from '#plugins/tour';

/** The stored description of a pyramid: everything that a viewer needs except its URL. */
export type Pyramid = Pick<PanoramaTiles, 'tileSize' | 'levels' | 'mesh' | 'ranges'>;
