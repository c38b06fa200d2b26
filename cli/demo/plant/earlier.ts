import { plant } from './plant.ts';
import { PlantBuilder } from './plant-builder.ts';
import { cone, drum, pallet, scaffold } from './traces.ts';
import type { Part, Point } from './types.ts';

/** What differed at the previous round: drawn in addition to the unchanged parts, with separate ids. */
function drawEarlier(builder: PlantBuilder): void {
  builder.on('PROCESS', () => {
    // The bay of P-1002A: its pump is in the workshop, its lines are blinded and propped.
    builder.between([5.45, 7.3, 0], [6.55, 10.0, 0.2], 'steel-structure');
    blind(builder, [6, 7.25, 0.75], [0, 1, 0]);
    blind(builder, [6, 7.62, 1.2], [0, 0, -1]);
    builder.post([6, 7.62, 0.2], [6, 7.62, 1.15], 0.045, 'paint-yellow');
    for (const [x, y] of [
      [5.0, 6.9],
      [7.0, 6.9],
      [5.0, 10.2],
      [7.0, 10.2],
    ] as const)
      cone(builder, [x, y, 0]);
    // New drums wait in a tray in front of the chemical skid.
    tray(builder, [2.1, 5.9], [4.0, 7.2], 'paint-yellow');
    drum(builder, [2.6, 6.55, 0.06], 'paint-blue');
    drum(builder, [3.35, 6.5, 0.06], 'plastic-red');
    // LV-1003 leaks.
    tray(builder, [-3.75, -4.85], [-2.35, -4.05], 'stainless');
    builder.post([-3.05, -4.42, 0.03], [-3.05, -4.42, 0.034], 0.24, 'black');
    for (const [x, y] of [
      [-4.1, -3.9],
      [-2.0, -3.9],
    ] as const)
      cone(builder, [x, y, 0]);
    // V-1001's insulation is inspected from a scaffold.
    scaffold(builder, [-9.7, -5.85, 0], 3.6, 1.1, 4.4);
    pallet(builder, [-11.1, -4.0, 0]);
    for (const dz of [0.15, 0.36]) builder.between([-11.6, -4.4, dz], [-10.6, -3.6, dz + 0.19], 'cladding');
  });
}

/** A blind flange on the end of a pipe; `out` points away from it. */
function blind(builder: PlantBuilder, at: Point, out: Point): void {
  const end = (reach: number): Point => [at[0] + out[0] * reach, at[1] + out[1] * reach, at[2] + out[2] * reach];
  builder.post(end(0), end(0.05), 0.19, 'paint-yellow');
}

/** A spill tray on the process deck by its corners. */
function tray(
  builder: PlantBuilder,
  [x0, y0]: readonly [number, number],
  [x1, y1]: readonly [number, number],
  material: 'paint-yellow' | 'stainless',
): void {
  const [rim, height] = [0.02, 0.14];
  builder.between([x0, y0, 0], [x1, y1, 0.03], material);
  builder.between([x0, y0, 0], [x1, y0 + rim, height], material);
  builder.between([x0, y1 - rim, 0], [x1, y1, height], material);
  builder.between([x0, y0, 0], [x0 + rim, y1, height], material);
  builder.between([x1 - rim, y0, 0], [x1, y1, height], material);
}

/** The part as of the previous round; undefined if it was absent. */
function toEarlierPart(part: Part): Part | undefined {
  if (part.id === 'P-1002A') return undefined;
  if (part.kind === 'valve' && (part.tag === 'LV-1003' || part.tag === 'LV-1002')) return { ...part, paint: 'rust' };
  if (part.kind === 'line' && part.service === 'Produced water') return { ...part, material: 'rust' };
  if (part.kind === 'package' && part.tag === 'A-1005') return { ...part, material: 'paint-cream' };
  return part;
}

const builder = new PlantBuilder();
drawEarlier(builder);

/** All parts of the platform at the previous round, some months earlier. */
export const earlierParts: readonly Part[] = [
  ...plant.parts.flatMap((part) => toEarlierPart(part) ?? []),
  ...builder.parts.map((part) => ({ ...part, id: `earlier-${part.id}` })),
];

/** Codes of the nodes captured at the previous round, too. */
export const earlierNodes: readonly string[] = ['HB-P02', 'HB-P03', 'HB-P07'];
