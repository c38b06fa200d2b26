import type { PlantBuilder } from './plant-builder.ts';

const columnsX = [-20, -10, 0, 10, 20] as const;

/** Adds decks, columns, beams, the pipe rack, handrails, stair and ladder of the process module M10. */
export function addStructure(plant: PlantBuilder): void {
  plant.addToDeck('CELLAR', () => addCellar(plant));
  plant.addToDeck('PROCESS', () => {
    addProcessFloor(plant);
    addRack(plant);
  });
  plant.addToDeck('UPPER', () => addUpperFloor(plant));
}

function addCellar(plant: PlantBuilder): void {
  for (const x of columnsX) {
    for (const y of [-12, 2.2, 12.8]) plant.addPost([x, y, -25.9], [x, y, -0.6], x === 0 ? 0.5 : 0.75, 'paint-yellow');
    plant.addBeam([x, -13, -0.75], [x, 13, -0.75], 0.7, 0.3);
    plant.addBeam([x, -13, -6.4], [x, 13, -6.4], 0.6, 0.3);
  }
  for (const y of [-12, -6, 0, 6, 12]) {
    plant.addBeam([-20, y, -0.6], [20, y, -0.6], 0.45, 0.25);
    plant.addBeam([-20, y, -6.3], [20, y, -6.3], 0.45, 0.25);
  }
  for (let x = -18.5; x < 20; x += 1.5) plant.addBeam([x, -13, -0.22], [x, 13, -0.22], 0.2, 0.1);
  plant.addBlockBetween([-20, -4, -6.08], [20, 13, -6.02], 'deck-grey');
  plant.add({ kind: 'grating', deck: 'CELLAR', min: [-20, -13], max: [20, -4], z: -6, bars: 'y' });
  for (const y of [-12, 12.8]) {
    for (let k = 0; k < 4; k++) {
      const a = columnsX[k]!;
      const b = columnsX[k + 1]!;
      plant.addPost([a, y, -8], [b, y, -24], 0.35, 'paint-yellow');
      plant.addPost([b, y, -8], [a, y, -24], 0.35, 'paint-yellow');
      plant.addPost([a, y, -8], [b, y, -8], 0.35, 'paint-yellow');
    }
  }
  plant.addHandrail([
    [-20, -13, -6],
    [20, -13, -6],
  ]);
}

/** Areas of the process deck with grating instead of plates: [x0, y0, x1, y1]. */
const gratedAreas = [
  [-20, -13, 20, -10.6],
  [-14, 2.2, -6, 5],
  [2, 2.2, 12, 5],
] as const;

function addProcessFloor(plant: PlantBuilder): void {
  const plates: readonly (readonly [number, number, number, number])[] = [
    [-20, -10.6, 20, 2.2],
    [-20, 2.2, -14, 5],
    [-6, 2.2, 2, 5],
    [12, 2.2, 20, 5],
    [-20, 5, 20, 13],
  ];
  for (const [x0, y0, x1, y1] of plates) {
    plant.addBlockBetween([x0, y0, -0.02], [x1, y1, 0], 'deck-green');
    plant.addBlockBetween([x0, y0, -0.04], [x1, y1, -0.02], 'paint-grey');
  }
  for (const [x0, y0, x1, y1] of gratedAreas) {
    for (let x = x0; x < x1; x += 4)
      plant.add({
        kind: 'grating',
        deck: 'PROCESS',
        min: [x + 0.005, y0 + 0.005],
        max: [Math.min(x + 4, x1) - 0.005, y1 - 0.005],
        z: 0,
        bars: 'y',
      });
  }
  // Markings of the escape route: two lines along each aisle, and hatched areas that must be kept clear.
  for (const [y0, y1] of [
    [-3.75, -2.05],
    [2.35, 4.75],
  ] as const) {
    for (const y of [y0, y1]) {
      if (y > 2 && y < 5) {
        plant.addBlockBetween([-6, y - 0.05, 0.0005], [2, y + 0.05, 0.0015], 'marking-yellow');
        plant.addBlockBetween([12, y - 0.05, 0.0005], [19.4, y + 0.05, 0.0015], 'marking-yellow');
      } else plant.addBlockBetween([-19.4, y - 0.05, 0.0005], [19.4, y + 0.05, 0.0015], 'marking-yellow');
    }
  }
  for (let k = 0; k < 9; k++) plant.addBlock([13.6 + k * 0.2, 5.35, 0.001], [0.09, 0.62, 0.001], 'marking-yellow', 35);
  for (let k = 0; k < 10; k++)
    plant.addBlock([-16.9 + k * 0.2, -9.9, 0.001], [0.09, 0.62, 0.001], 'marking-yellow', 35);
  // Drip pan edges and drains.
  for (const [x0, y0, x1, y1] of [
    [-13.6, -9.4, -2.6, -4.4],
    [1.4, -8.9, 8.2, -6.1],
    [4.2, 5.5, 12.2, 10.4],
    [-13.2, 7.2, -6.8, 9.9],
  ] as const) {
    plant.addBlockBetween([x0, y0, 0], [x1, y0 + 0.012, 0.1], 'paint-grey');
    plant.addBlockBetween([x0, y1 - 0.012, 0], [x1, y1, 0.1], 'paint-grey');
    plant.addBlockBetween([x0, y0, 0], [x0 + 0.012, y1, 0.1], 'paint-grey');
    plant.addBlockBetween([x1 - 0.012, y0, 0], [x1, y1, 0.1], 'paint-grey');
    plant.addPost([x0 + 0.5, y0 + 0.4, 0], [x0 + 0.5, y0 + 0.4, 0.012], 0.11, 'galvanised');
  }
  plant.addHandrail([
    [-20, -2.8, 0],
    [-20, 13, 0],
    [20, 13, 0],
    [20, -13, 0],
    [-20, -13, 0],
    [-20, -4.8, 0],
  ]);
  plant.add({
    kind: 'stair',
    deck: 'PROCESS',
    tag: 'ST-1001',
    description: 'Stair from process deck to upper deck',
    from: [-18.8, -6.2, 0],
    to: [-18.8, 2, 7],
    width: 1.0,
  });
  plant.add({
    kind: 'ladder',
    deck: 'PROCESS',
    tag: 'LD-1001',
    description: 'Escape ladder from process deck to upper deck',
    base: [18.6, 1.72, 0],
    height: 7,
    facing: [0, -1, 0],
    cage: true,
  });
  for (const x of columnsX) {
    for (const y of [2.2, 12.8]) {
      plant.addBeam([x, y, -0.5], [x, y, 6.45], 0.4, 0.38);
      plant.addBlockBetween([x - 0.3, y - 0.3, 0], [x + 0.3, y + 0.3, 0.03], 'steel-structure');
    }
  }
  for (const [a, b] of [
    [-20, -10],
    [10, 20],
  ] as const) {
    plant.addPost([a + 0.2, 12.8, 0.2], [b - 0.2, 12.8, 6.3], 0.1, 'steel-structure');
    plant.addPost([b - 0.2, 12.8, 0.2], [a + 0.2, 12.8, 6.3], 0.1, 'steel-structure');
  }
  // A step-over across the inlet line.
  plant.add({ kind: 'grating', deck: 'PROCESS', min: [9.7, -10.65], max: [10.7, -9.55], z: 1.15, bars: 'y' });
  for (const y of [-11.25, -10.95, -9.25, -8.95]) {
    const z = Math.abs(y + 10.1) > 1 ? 0.4 : 0.78;
    plant.add({ kind: 'grating', deck: 'PROCESS', min: [9.75, y - 0.13], max: [10.65, y + 0.13], z, bars: 'x' });
  }
  for (const x of [9.7, 10.7]) {
    plant.addBeam([x, -11.35, 0], [x, -10.6, 1.12], 0.16, 0.06, 'galvanised');
    plant.addBeam([x, -8.85, 0], [x, -9.6, 1.12], 0.16, 0.06, 'galvanised');
    plant.addBeam([x, -10.65, 1.06], [x, -9.55, 1.06], 0.16, 0.06, 'galvanised');
    plant.addHandrail(
      [
        [x, -10.65, 1.15],
        [x, -9.55, 1.15],
      ],
      false,
    );
  }
}

/** Heights of the pipe rack's lower and upper beams, in metres. */
export const rackTop = 4.0;
export const rackUpperTop = 6.0;

function addRack(plant: PlantBuilder): void {
  for (const x of [-15, -9, -3, 3, 9, 15]) {
    for (const y of [-1.85, 1.85]) {
      plant.addBeam([x, y, 0], [x, y, rackUpperTop], 0.22, 0.22);
      plant.addBlockBetween([x - 0.2, y - 0.2, 0], [x + 0.2, y + 0.2, 0.025], 'steel-structure');
      for (const [dx, dy] of [
        [-0.15, -0.15],
        [0.15, -0.15],
        [-0.15, 0.15],
        [0.15, 0.15],
      ] as const)
        plant.addPost([x + dx, y + dy, 0], [x + dx, y + dy, 0.06], 0.016, 'galvanised');
      // Fire-proofing of the columns' feet, in the warning colour.
      plant.addBlockBetween([x - 0.125, y - 0.125, 0.03], [x + 0.125, y + 0.125, 1.2], 'paint-yellow');
    }
    plant.addBeam([x, -1.85, rackTop - 0.1], [x, 1.85, rackTop - 0.1], 0.2, 0.2);
    plant.addBeam([x, -1.85, rackUpperTop - 0.1], [x, 1.85, rackUpperTop - 0.1], 0.2, 0.2);
  }
  for (const y of [-1.85, 1.85]) {
    plant.addBeam([-15, y, rackUpperTop - 0.4], [15, y, rackUpperTop - 0.4], 0.18, 0.12);
    plant.addBeam([-15, y, 3.2], [15, y, 3.2], 0.16, 0.1);
  }
}

function addUpperFloor(plant: PlantBuilder): void {
  for (const x of columnsX) plant.addBeam([x, 2, 6.6], [x, 13, 6.6], 0.5, 0.3);
  for (const y of [2.2, 5.4, 9, 12.8]) plant.addBeam([-20, y, 6.68], [20, y, 6.68], 0.4, 0.2);
  for (let x = -18.75; x < 20; x += 1.25)
    if (Math.abs(x % 10) > 0.01) plant.addBeam([x, 2, 6.87], [x, 13, 6.87], 0.16, 0.09);
  for (let x = -20; x < 20; x += 4)
    plant.add({ kind: 'grating', deck: 'UPPER', min: [x + 0.005, 2.005], max: [x + 3.995, 5.495], z: 7, bars: 'y' });
  plant.addBlockBetween([-20, 5.5, 6.98], [20, 13, 7], 'deck-grey');
  plant.addBlockBetween([-20, 5.5, 6.96], [20, 13, 6.98], 'paint-cream');
  for (const y of [5.75, 6.0])
    plant.addBlockBetween([-19.4, y - 0.04, 7.0005], [19.4, y + 0.04, 7.0015], 'marking-yellow');
  plant.addHandrail([
    [-19.4, 2.02, 7],
    [-20, 2.02, 7],
    [-20, 13, 7],
    [20, 13, 7],
    [20, 2.02, 7],
    [19, 2.02, 7],
  ]);
  plant.addHandrail([
    [18.2, 2.02, 7],
    [-18.2, 2.02, 7],
  ]);
}
