import type { PlantBuilder } from './plant-builder.ts';
import type { Point, Vector } from './types.ts';

export const north: Point = [0, 1, 0];
export const south: Point = [0, -1, 0];
export const east: Point = [1, 0, 0];
export const west: Point = [-1, 0, 0];
export const up: Vector = [0, 0, 1];
export const down: Point = [0, 0, -1];

/** Adds the vessels, exchangers, pumps and cabinets of the process deck, with their name plates. */
export function addProcessEquipment(plant: PlantBuilder): void {
  plant.add({
    kind: 'vessel',
    deck: 'PROCESS',
    tag: 'V-1001',
    description: 'Production separator',
    axis: 'x',
    centre: [-8, -7.5, 2.9],
    outsideDiameter: 2.6,
    length: 8,
    material: 'paint-white',
    base: 0,
    nozzles: [
      { at: [-10.5, -7.5, 4.2], direction: up, nps: '12', projection: 0.25 },
      { at: [-6, -7.5, 4.2], direction: up, nps: '4', projection: 0.22 },
      { at: [-8.2, -7.5, 4.2], direction: up, nps: '20', projection: 0.3, blind: true },
      { at: [-5.5, -7.5, 1.6], direction: down, nps: '8', projection: 0.22 },
      { at: [-10, -7.5, 1.6], direction: down, nps: '6', projection: 0.22 },
      { at: [-12.65, -7.5, 2.9], direction: west, nps: '12', projection: 0.3 },
      { at: [-7.2, -6.2, 3.3], direction: north, nps: '2', projection: 0.2 },
      { at: [-7.2, -6.2, 2.3], direction: north, nps: '2', projection: 0.2 },
      { at: [-3.35, -7.5, 2.9], direction: east, nps: '18', projection: 0.25, blind: true },
    ],
  });
  plant.addSign([-9.4, -6.17, 3.0], north, 1.7, 0.62, 'name', 'V-1001', 'PRODUCTION SEPARATOR');
  plant.addSign([-8.6, -8.83, 3.0], south, 1.7, 0.62, 'name', 'V-1001', 'PRODUCTION SEPARATOR');

  plant.add({
    kind: 'vessel',
    deck: 'PROCESS',
    tag: 'V-1002',
    description: 'Test separator',
    axis: 'x',
    centre: [-10, 8.5, 1.95],
    outsideDiameter: 1.6,
    length: 4.5,
    material: 'cladding',
    base: 0,
    nozzles: [
      { at: [-8.4, 8.5, 2.75], direction: up, nps: '6', projection: 0.22 },
      { at: [-10.6, 8.5, 2.75], direction: up, nps: '18', projection: 0.25, blind: true },
      { at: [-9, 8.5, 1.15], direction: down, nps: '4', projection: 0.2 },
      { at: [-12.6, 8.5, 1.95], direction: west, nps: '6', projection: 0.22 },
      { at: [-11, 7.7, 2.2], direction: south, nps: '2', projection: 0.2 },
    ],
  });
  plant.addSign([-9.4, 7.67, 2.0], south, 1.4, 0.52, 'name', 'V-1002', 'TEST SEPARATOR');

  plant.add({
    kind: 'vessel',
    deck: 'PROCESS',
    tag: 'V-1003',
    description: 'Gas scrubber',
    axis: 'z',
    centre: [12, -7.5, 4.2],
    outsideDiameter: 1.6,
    length: 4.8,
    material: 'cladding',
    base: 0,
    nozzles: [
      { at: [12, -6.7, 3.2], direction: north, nps: '12', projection: 0.3 },
      { at: [12, -7.5, 7.0], direction: up, nps: '10', projection: 0.3 },
      { at: [12, -6.7, 5.6], direction: north, nps: '2', projection: 0.2 },
      { at: [11.2, -7.5, 2.4], direction: west, nps: '18', projection: 0.3, blind: true },
    ],
  });
  plant.addSign([11.55, -6.76, 2.35], north, 1.05, 0.4, 'name', 'V-1003', 'GAS SCRUBBER');
  plant.add({
    kind: 'ladder',
    deck: 'PROCESS',
    tag: 'LD-1003',
    description: 'Ladder of V-1003',
    base: [13.05, -7.5, 0],
    height: 4.6,
    facing: east,
    cage: true,
  });

  for (const [suffix, z] of [
    ['A', 1.25],
    ['B', 2.55],
  ] as const) {
    plant.add({
      kind: 'exchanger',
      deck: 'PROCESS',
      tag: `E-1101${suffix}`,
      description: 'Test gas cooler',
      centre: [4.5, -7.5, z],
      outsideDiameter: 0.9,
      length: 5.4,
      base: suffix === 'A' ? 0 : 1.7,
    });
    plant.addSign([4.2, -7.03, z], north, 1.1, 0.38, 'name', `E-1101${suffix}`, 'TEST GAS COOLER');
  }

  for (const [suffix, x] of [
    ['A', 6],
    ['B', 10],
  ] as const) {
    plant.add({
      kind: 'pump',
      deck: 'PROCESS',
      tag: `P-1002${suffix}`,
      description: 'Oil export pump',
      base: [x, 8.3, 0],
      heading: 0,
      scale: 1.15,
    });
    plant.addSign([x - 0.85, 6.25, 1.5], south, 0.95, 0.36, 'name', `P-1002${suffix}`, 'OIL EXPORT PUMP');
    plant.addPost([x - 0.85, 6.28, 0], [x - 0.85, 6.28, 1.7], 0.025, 'galvanised');
  }

  plant.add({
    kind: 'package',
    deck: 'PROCESS',
    tag: 'A-1005',
    description: 'Chemical injection skid',
    min: [-1.6, 8.2, 0],
    max: [2.4, 10.2, 2.1],
    material: 'paint-blue',
    doors: 3,
  });
  plant.addSign([0.4, 8.17, 1.65], south, 1.2, 0.36, 'name', 'A-1005', 'CHEMICAL INJECTION');
  for (const [tag, x] of [
    ['T-1006A', 15.0],
    ['T-1006B', 16.6],
    ['T-1006C', 18.2],
  ] as const) {
    plant.add({ kind: 'tote', deck: 'PROCESS', tag, description: 'Corrosion inhibitor tote', base: [x, 10.6, 0] });
    plant.addPlate([x, 10.04, 0.75], south, tag);
  }
  for (let k = 0; k < 4; k++) {
    const tag = `JP-10${10 + k}`;
    plant.add({
      kind: 'cabinet',
      deck: 'PROCESS',
      tag,
      description: 'Motor control cabinet',
      base: [-18.6 + k * 0.84, 12.1, 0.1],
      size: [0.8, 0.6, 2.05],
      facing: south,
      material: 'paint-cream',
    });
    plant.addPlate([-18.6 + k * 0.84, 11.79, 1.85], south, tag);
  }
  for (let k = 0; k < 2; k++) {
    const tag = `LCP-10${40 + k}`;
    const x = 8 - k * 4;
    plant.add({
      kind: 'cabinet',
      deck: 'PROCESS',
      tag,
      description: `Local control panel of P-1002${k === 0 ? 'B' : 'A'}`,
      base: [x, 5.0, 0.85],
      size: [0.5, 0.25, 0.65],
      facing: south,
      material: 'stainless',
    });
    plant.addPost([x, 5.0, 0], [x, 5.0, 0.9], 0.05, 'galvanised');
    plant.addPlate([x, 4.86, 1.66], south, tag);
  }
}
