import type { Material } from '../plant/types.ts';

export interface Look {
  /** Linear RGB: glTF's base colour. */
  readonly colour: readonly [number, number, number];
  readonly roughness: number;
  readonly metallic: number;
}

const paint = (colour: Look['colour'], roughness = 0.6): Look => ({ colour, roughness, metallic: 0 });

/** The renderings' colours without dirt, for legibility. */
const looks: Readonly<Record<Material, Look>> = {
  'paint-white': paint([0.7, 0.7, 0.67]),
  'paint-grey': paint([0.33, 0.35, 0.36]),
  'paint-cream': paint([0.66, 0.6, 0.46]),
  'paint-yellow': paint([0.72, 0.4, 0.015]),
  'paint-red': paint([0.45, 0.022, 0.014]),
  'paint-blue': paint([0.035, 0.115, 0.27]),
  'paint-green': paint([0.035, 0.16, 0.095]),
  'paint-orange': paint([0.8, 0.16, 0.012]),
  'steel-structure': paint([0.4, 0.42, 0.42]),
  galvanised: paint([0.46, 0.48, 0.49], 0.5),
  stainless: paint([0.6, 0.59, 0.57], 0.35),
  cladding: paint([0.58, 0.59, 0.59], 0.4),
  rust: paint([0.2, 0.075, 0.03], 0.9),
  'deck-green': paint([0.06, 0.118, 0.085], 0.85),
  'deck-grey': paint([0.145, 0.15, 0.15], 0.85),
  'marking-yellow': paint([0.68, 0.42, 0.03]),
  'marking-white': paint([0.75, 0.75, 0.72]),
  rubber: paint([0.03, 0.03, 0.032]),
  black: paint([0.025, 0.025, 0.027]),
  glass: paint([0.03, 0.045, 0.055], 0.1),
  brass: paint([0.55, 0.36, 0.12], 0.4),
  'plastic-white': paint([0.72, 0.73, 0.7]),
  'plastic-red': paint([0.6, 0.02, 0.015]),
  lamp: paint([0.9, 0.86, 0.74]),
  cable: paint([0.03, 0.03, 0.034]),
  sign: paint([1, 1, 1]),
};

export const getLook = (material: Material): Look => looks[material];
