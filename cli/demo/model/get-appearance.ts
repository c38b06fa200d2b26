import type { Material } from '../plant/types.ts';

export interface MaterialAppearance {
  /** Linear RGB: glTF's base colour. */
  readonly colour: readonly [number, number, number];
  readonly roughness: number;
  readonly metallic: number;
}

const createAppearance = (colour: MaterialAppearance['colour'], roughness = 0.6): MaterialAppearance => ({
  colour,
  roughness,
  metallic: 0,
});

/** The colours of the renderings without dirt, so that shapes are easy to recognise. */
const appearances: Readonly<Record<Material, MaterialAppearance>> = {
  'paint-white': createAppearance([0.7, 0.7, 0.67]),
  'paint-grey': createAppearance([0.33, 0.35, 0.36]),
  'paint-cream': createAppearance([0.66, 0.6, 0.46]),
  'paint-yellow': createAppearance([0.72, 0.4, 0.015]),
  'paint-red': createAppearance([0.45, 0.022, 0.014]),
  'paint-blue': createAppearance([0.035, 0.115, 0.27]),
  'paint-green': createAppearance([0.035, 0.16, 0.095]),
  'paint-orange': createAppearance([0.8, 0.16, 0.012]),
  'steel-structure': createAppearance([0.4, 0.42, 0.42]),
  galvanised: createAppearance([0.46, 0.48, 0.49], 0.5),
  stainless: createAppearance([0.6, 0.59, 0.57], 0.35),
  cladding: createAppearance([0.58, 0.59, 0.59], 0.4),
  rust: createAppearance([0.2, 0.075, 0.03], 0.9),
  'deck-green': createAppearance([0.06, 0.118, 0.085], 0.85),
  'deck-grey': createAppearance([0.145, 0.15, 0.15], 0.85),
  'marking-yellow': createAppearance([0.68, 0.42, 0.03]),
  'marking-white': createAppearance([0.75, 0.75, 0.72]),
  rubber: createAppearance([0.03, 0.03, 0.032]),
  black: createAppearance([0.025, 0.025, 0.027]),
  glass: createAppearance([0.03, 0.045, 0.055], 0.1),
  brass: createAppearance([0.55, 0.36, 0.12], 0.4),
  'plastic-white': createAppearance([0.72, 0.73, 0.7]),
  'plastic-red': createAppearance([0.6, 0.02, 0.015]),
  lamp: createAppearance([0.9, 0.86, 0.74]),
  cable: createAppearance([0.03, 0.03, 0.034]),
  sign: createAppearance([1, 1, 1]),
};

export const getAppearance = (material: Material): MaterialAppearance => appearances[material];
