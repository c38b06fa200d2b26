import type { PlantBuilder } from './plant-builder.ts';
import type { Material, Point } from './types.ts';

/** Adds objects that people left on the decks: drums, cones, coiled hoses, tools, pallets, a scaffold. */
export function addLooseObjects(plant: PlantBuilder): void {
  plant.addToDeck('PROCESS', () => {
    for (const [x, y, material] of [
      [-17.4, 5.6, 'paint-blue'],
      [-16.7, 5.7, 'paint-blue'],
      [-17.1, 6.3, 'plastic-red'],
      [12.9, 11.6, 'paint-blue'],
      [13.6, 11.7, 'galvanised'],
      [-13.2, -11.9, 'paint-yellow'],
    ] as const)
      addDrum(plant, [x, y, 0], material);
    for (const [x, y] of [
      [-1.9, -6.4],
      [2.0, -5.6],
      [-0.2, -7.4],
      [6.9, 10.9],
      [15.6, -6.3],
    ] as const)
      addCone(plant, [x, y, 0]);
    addHoseCoil(plant, [1.6, 6.7, 0], 'rubber');
    addHoseCoil(plant, [-15.2, -11.9, 0], 'paint-red');
    addHoseCoil(plant, [14.3, 8.6, 0], 'paint-orange');
    addToolbox(plant, [-6.3, -4.35, 0], 20);
    addToolbox(plant, [9.0, 6.3, 0], -35);
    addPallet(plant, [4.2, 11.6, 0]);
    plant.addBlockBetween([3.8, 11.3, 0.15], [4.7, 12.0, 0.62], 'plastic-white');
    plant.addBlockBetween([-17.6, -12.85, 0], [-17.1, -12.0, 1.05], 'paint-yellow');
    plant.addSign([-17.35, -11.99, 0.7], [0, 1, 0], 0.4, 0.3, 'notice', 'SPILL KIT', 'OIL ONLY');
    addScaffold(plant, [-3.0, -9.6, 0], 2.3, 1.1, 3.9);
    for (const [x, y, z] of [
      [-6.05, -4.2, 0.31],
      [9.3, 6.6, 0.0],
    ] as const)
      plant.addPost([x, y, z], [x, y, z + 0.16], 0.125, 'plastic-white', 0.06);
  });
  plant.addToDeck('UPPER', () => {
    for (const [x, y] of [
      [-6.3, 6.6],
      [-5.9, 7.3],
      [12.0, 6.6],
    ] as const)
      addCone(plant, [x, y, 7]);
    addDrum(plant, [11.0, 12.3, 7], 'paint-blue');
    addDrum(plant, [0.8, 10.8, 7], 'galvanised');
    addHoseCoil(plant, [-16.9, 8.9, 7], 'rubber');
    addToolbox(plant, [13.7, 6.9, 7], 15);
    addPallet(plant, [-1.0, 10.4, 7]);
    for (const dz of [0.15, 0.42])
      plant.addBlockBetween([-1.5, 9.95, 7 + dz], [-0.5, 10.85, 7 + dz + 0.25], 'paint-cream');
  });
}

export function addDrum(plant: PlantBuilder, [x, y, z]: Point, material: Material): void {
  plant.addPost([x, y, z], [x, y, z + 0.88], 0.286, material);
  for (const h of [0.02, 0.29, 0.58, 0.85])
    plant.addPost([x, y, z + h - 0.012], [x, y, z + h + 0.012], 0.297, material);
  plant.addPost([x + 0.16, y, z + 0.88], [x + 0.16, y, z + 0.9], 0.03, 'black');
}

export function addCone(plant: PlantBuilder, [x, y, z]: Point): void {
  plant.addBlockBetween([x - 0.18, y - 0.18, z], [x + 0.18, y + 0.18, z + 0.03], 'black');
  plant.addPost([x, y, z + 0.03], [x, y, z + 0.22], 0.13, 'paint-orange', 0.095);
  plant.addPost([x, y, z + 0.22], [x, y, z + 0.36], 0.095, 'plastic-white', 0.07);
  plant.addPost([x, y, z + 0.36], [x, y, z + 0.55], 0.07, 'paint-orange', 0.03);
}

function addHoseCoil(plant: PlantBuilder, [x, y, z]: Point, material: Material): void {
  for (let winding = 0; winding < 7; winding++) {
    const radius = 0.26 + (winding % 4) * 0.048;
    const height = z + 0.024 + Math.floor(winding / 4) * 0.045;
    const toPoint = (k: number): Point => [
      x + radius * Math.cos((k / 20) * 2 * Math.PI),
      y + radius * Math.sin((k / 20) * 2 * Math.PI),
      height,
    ];
    for (let k = 0; k < 20; k++) plant.addPost(toPoint(k), toPoint(k + 1), 0.022, material);
  }
  plant.addPost([x + 0.4, y, z + 0.024], [x + 1.1, y + 0.35, z + 0.024], 0.022, material);
  plant.addPost([x + 1.1, y + 0.35, z + 0.024], [x + 1.28, y + 0.36, z + 0.024], 0.03, 'brass', 0.02);
}

function addToolbox(plant: PlantBuilder, [x, y, z]: Point, heading: number): void {
  plant.addBlock([x, y, z + 0.13], [0.56, 0.26, 0.26], 'paint-red', heading);
  plant.addBlock([x, y, z + 0.27], [0.57, 0.27, 0.02], 'black', heading);
  plant.addBlock([x, y, z + 0.3], [0.24, 0.025, 0.025], 'stainless', heading);
}

export function addPallet(plant: PlantBuilder, [x, y, z]: Point): void {
  for (let k = 0; k < 7; k++)
    plant.addBlockBetween(
      [x - 0.6 + k * 0.183, y - 0.5, z + 0.12],
      [x - 0.6 + k * 0.183 + 0.1, y + 0.5, z + 0.142],
      'paint-cream',
    );
  for (const dy of [-0.45, 0, 0.45])
    plant.addBlockBetween([x - 0.6, y + dy - 0.05, z], [x + 0.6, y + dy + 0.05, z + 0.12], 'paint-cream');
}

export function addScaffold(plant: PlantBuilder, [x, y, z]: Point, w: number, d: number, h: number): void {
  const r = 0.024;
  for (const dx of [0, w])
    for (const dy of [0, d]) {
      plant.addPost([x + dx, y + dy, z + 0.02], [x + dx, y + dy, z + h], r, 'galvanised');
      plant.addBlockBetween([x + dx - 0.07, y + dy - 0.07, z], [x + dx + 0.07, y + dy + 0.07, z + 0.02], 'galvanised');
    }
  for (const level of [0.3, 1.8, h - 1.1, h - 0.55, h - 0.05]) {
    for (const dy of [0, d])
      plant.addPost([x - 0.15, y + dy, z + level], [x + w + 0.15, y + dy, z + level], r, 'galvanised');
    for (const dx of [0, w])
      plant.addPost([x + dx, y - 0.15, z + level + 0.05], [x + dx, y + d + 0.15, z + level + 0.05], r, 'galvanised');
  }
  plant.addPost([x, y, z + 0.3], [x + w, y, z + h - 1.1], r, 'galvanised');
  for (let k = 0; k < 4; k++)
    plant.addBlockBetween(
      [x - 0.2, y + 0.05 + k * 0.25, z + h - 1.05],
      [x + w + 0.2, y + 0.05 + k * 0.25 + 0.225, z + h - 1.01],
      'paint-cream',
    );
  plant.addSign([x + 0.3, y + d + 0.03, z + 1.5], [0, 1, 0], 0.24, 0.34, 'safe', 'SCAFFOLD', 'SAFE');
}
