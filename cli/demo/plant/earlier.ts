import { plant } from './plant.ts';
import { PlantBuilder } from './plant-builder.ts';
import { addCone, addDrum, addPallet, addScaffold } from './loose-objects.ts';
import type { Part, Point } from './types.ts';

/** Adds the parts that only the earlier capture shows. */
function addEarlierParts(builder: PlantBuilder): void {
  builder.addToDeck('PROCESS', () => {
    // The pump P-1002A is in the workshop. Its lines are blinded and propped.
    builder.addBlockBetween([5.45, 7.3, 0], [6.55, 10.0, 0.2], 'steel-structure');
    addBlindFlange(builder, [6, 7.25, 0.75], [0, 1, 0]);
    addBlindFlange(builder, [6, 7.62, 1.2], [0, 0, -1]);
    builder.addPost([6, 7.62, 0.2], [6, 7.62, 1.15], 0.045, 'paint-yellow');
    for (const [x, y] of [
      [5.0, 6.9],
      [7.0, 6.9],
      [5.0, 10.2],
      [7.0, 10.2],
    ] as const)
      addCone(builder, [x, y, 0]);
    // New drums in a tray in front of the chemical skid.
    addTray(builder, [2.1, 5.9], [4.0, 7.2], 'paint-yellow');
    addDrum(builder, [2.6, 6.55, 0.06], 'paint-blue');
    addDrum(builder, [3.35, 6.5, 0.06], 'plastic-red');
    // A leak below LV-1003.
    addTray(builder, [-3.75, -4.85], [-2.35, -4.05], 'stainless');
    builder.addPost([-3.05, -4.42, 0.03], [-3.05, -4.42, 0.034], 0.24, 'black');
    for (const [x, y] of [
      [-4.1, -3.9],
      [-2.0, -3.9],
    ] as const)
      addCone(builder, [x, y, 0]);
    // A scaffold to inspect the insulation of V-1001.
    addScaffold(builder, [-9.7, -5.85, 0], 3.6, 1.1, 4.4);
    addPallet(builder, [-11.1, -4.0, 0]);
    for (const dz of [0.15, 0.36]) builder.addBlockBetween([-11.6, -4.4, dz], [-10.6, -3.6, dz + 0.19], 'cladding');
  });
}

/** Adds a blind flange on the end of a pipe. `outward` points away from the pipe. */
function addBlindFlange(builder: PlantBuilder, at: Point, outward: Point): void {
  const toPoint = (reach: number): Point => [
    at[0] + outward[0] * reach,
    at[1] + outward[1] * reach,
    at[2] + outward[2] * reach,
  ];
  builder.addPost(toPoint(0), toPoint(0.05), 0.19, 'paint-yellow');
}

/** Adds a spill tray on the process deck between two corners. */
function addTray(
  builder: PlantBuilder,
  [x0, y0]: readonly [number, number],
  [x1, y1]: readonly [number, number],
  material: 'paint-yellow' | 'stainless',
): void {
  const [thickness, height] = [0.02, 0.14];
  builder.addBlockBetween([x0, y0, 0], [x1, y1, 0.03], material);
  builder.addBlockBetween([x0, y0, 0], [x1, y0 + thickness, height], material);
  builder.addBlockBetween([x0, y1 - thickness, 0], [x1, y1, height], material);
  builder.addBlockBetween([x0, y0, 0], [x0 + thickness, y1, height], material);
  builder.addBlockBetween([x1 - thickness, y0, 0], [x1, y1, height], material);
}

/** The part as it was at the earlier capture; undefined if it was absent. */
function toEarlierPart(part: Part): Part | undefined {
  if (part.id === 'P-1002A') return undefined;
  if (part.kind === 'valve' && (part.tag === 'LV-1003' || part.tag === 'LV-1002')) return { ...part, paint: 'rust' };
  if (part.kind === 'line' && part.service === 'Produced water') return { ...part, material: 'rust' };
  if (part.kind === 'package' && part.tag === 'A-1005') return { ...part, material: 'paint-cream' };
  return part;
}

const builder = new PlantBuilder();
addEarlierParts(builder);

/** All parts of the platform at the earlier capture, some months before. */
export const partsAtEarlierCapture: readonly Part[] = [
  ...plant.parts.flatMap((part) => toEarlierPart(part) ?? []),
  ...builder.parts.map((part) => ({ ...part, id: `earlier-${part.id}` })),
];

/** Codes of the nodes that have an earlier capture. */
export const recapturedNodes: readonly string[] = ['HB-P02', 'HB-P03', 'HB-P07'];
