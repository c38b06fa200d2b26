import type { PlantBuilder } from './plant-builder.ts';
import { east, south } from './process-deck.ts';
import { createRandom } from './vector.ts';

/**
 * Adds the surroundings of the process module: wells, utilities, living quarters, helideck, crane and flare. Their
 * shapes are simplified.
 */
export function addSurroundings(plant: PlantBuilder): void {
  plant.addToDeck('OTHER', () => {
    addQuarters(plant);
    addWells(plant);
    addUtilities(plant);
    addCraneAndFlare(plant);
  });
}

/** Adds legs down into the sea, with braces on the outer sides. */
function addJacket(plant: PlantBuilder, xs: readonly number[], ys: readonly number[], top: number): void {
  const first = ys[0]!;
  const last = ys[ys.length - 1]!;
  for (const x of xs) for (const y of ys) plant.addPost([x, y, -26], [x, y, top], 0.75, 'paint-yellow');
  const addBraces = (a: readonly [number, number], b: readonly [number, number]): void => {
    for (const z of [-7, -24]) plant.addPost([a[0], a[1], z], [b[0], b[1], z], 0.32, 'paint-yellow');
    plant.addPost([a[0], a[1], -7.5], [b[0], b[1], -23.5], 0.3, 'paint-yellow');
    plant.addPost([b[0], b[1], -7.5], [a[0], a[1], -23.5], 0.3, 'paint-yellow');
  };
  for (const y of [first, last]) for (let k = 1; k < xs.length; k++) addBraces([xs[k - 1]!, y], [xs[k]!, y]);
  for (const x of [xs[0]!, xs[xs.length - 1]!])
    for (let k = 1; k < ys.length; k++) addBraces([x, ys[k - 1]!], [x, ys[k]!]);
  for (let x = xs[0]!; x <= xs[xs.length - 1]! + 0.1; x += (xs[xs.length - 1]! - xs[0]!) / 4)
    plant.addBeam([x, first - 0.6, top - 0.5], [x, last + 0.6, top - 0.5], 0.8, 0.35);
}

function addQuarters(plant: PlantBuilder): void {
  addJacket(plant, [-47, -33], [-9, 9], -1);
  plant.addBlockBetween([-49, -11, -2], [-31, 11, -1], 'paint-grey');
  plant.addBlockBetween([-49, -11, -1], [-31, 11, 14], 'paint-cream');
  plant.addBlockBetween([-49.6, -11.6, 14], [-30.4, 11.6, 14.35], 'paint-grey');
  for (let storey = 0; storey < 5; storey++) {
    const z = 0.9 + storey * 3;
    for (let y = -9.6; y < 10; y += 2.4) {
      plant.addBlockBetween([-31.02, y, z], [-30.95, y + 1.1, z + 1.1], 'paint-white');
      plant.addBlockBetween([-30.97, y + 0.08, z + 0.08], [-30.93, y + 1.02, z + 1.02], 'glass');
    }
    for (let x = -47.6; x < -33; x += 2.6) {
      plant.addBlockBetween([x, -11.05, z], [x + 1.1, -10.98, z + 1.1], 'paint-white');
      plant.addBlockBetween([x + 0.08, -11.07, z + 0.08], [x + 1.02, -11.03, z + 1.02], 'glass');
    }
    plant.addBlockBetween([-31, -11.02, z - 0.95], [-30.9, 11.02, z - 0.85], 'paint-grey');
    if (storey > 0) {
      plant.addBlockBetween([-30.95, 6, z - 0.95], [-29.6, 11, z - 0.85], 'galvanised');
      plant.addHandrail(
        [
          [-29.65, 11, z - 0.85],
          [-29.65, 6, z - 0.85],
        ],
        false,
      );
    }
  }
  plant.addBlockBetween([-30.98, -4.4, 0], [-30.9, -3.3, 2.1], 'paint-red');
  plant.addSign([-30.88, 0, 12.7], east, 9, 1.5, 'module', 'HALVORSEN BRAVO', 'MODULE M40  LIVING QUARTERS');
  for (const [x, y] of [
    [-47, -9],
    [-33, -9],
    [-47, 9],
    [-33, 9],
  ] as const) {
    plant.addPost([x, y, 14], [x, y, 17.6], 0.3, 'paint-white');
  }
  for (const [x, y, w, d, h] of [
    [-36, -6, 4, 3, 1.6],
    [-36, 4, 3, 5, 2.2],
    [-34, -1, 2, 2, 1.2],
  ] as const) {
    plant.addBlockBetween([x, y, 14.35], [x + w, y + d, 14.35 + h], 'paint-grey');
    plant.addBlockBetween([x + 0.2, y + 0.2, 14.35 + h], [x + w - 0.2, y + d - 0.2, 14.45 + h], 'galvanised');
  }
  plant.addTruss([-32.5, 9, 14.35], [-32.5, 9, 26], 0.9, 0.4, 8, 0.05, 'paint-white');
  plant.addPost([-32.5, 9, 24.2], [-31.9, 9.3, 24.4], 0.75, 'paint-white', 0.1);
  for (const z of [-1, 5, 11]) plant.addBlockBetween([-49.7, -11.5, z], [-49, 11.5, z + 0.1], 'galvanised');
  plant.addPost([-41, 0, 17.6], [-41, 0, 18.1], 11.5, 'paint-green');
  plant.addPost([-41, 0, 18.1], [-41, 0, 18.105], 6.2, 'marking-yellow');
  plant.addPost([-41, 0, 18.1], [-41, 0, 18.108], 5.7, 'paint-green');
  for (const x of [-42.4, -39.6]) plant.addBlockBetween([x - 0.3, -2, 18.108], [x + 0.3, 2, 18.112], 'marking-white');
  plant.addBlockBetween([-42.4, -0.3, 18.108], [-39.6, 0.3, 18.112], 'marking-white');
  for (let k = 0; k < 24; k++) {
    const a = (k / 24) * Math.PI * 2;
    plant.addPost(
      [-41 + 11.5 * Math.cos(a), 11.5 * Math.sin(a), 17.9],
      [-41 + 12.9 * Math.cos(a), 12.9 * Math.sin(a), 18.2],
      0.05,
      'galvanised',
    );
  }
  // The bridge to the process module.
  plant.add({ kind: 'grating', deck: 'OTHER', min: [-30.9, -4.7], max: [-20, -2.9], z: 0, bars: 'x' });
  for (const y of [-4.75, -2.85]) {
    plant.addBeam([-30.9, y, -0.2], [-20, y, -0.2], 0.35, 0.16);
    plant.addHandrail([
      [-20, y, 0],
      [-30.9, y, 0],
    ]);
  }
  plant.addPost([-35, -12.6, 1.6], [-35, -12.6, 9], 0.12, 'paint-white');
  for (const x of [-45, -37.5]) {
    plant.addPost([x - 2.4, -13.2, 2.2], [x + 2.4, -13.2, 2.2], 1.25, 'paint-orange');
    plant.addPost([x + 2.4, -13.2, 2.2], [x + 3.6, -13.2, 2.2], 1.25, 'paint-orange', 0.35);
    plant.addPost([x - 2.4, -13.2, 2.2], [x - 3.4, -13.2, 2.2], 1.25, 'paint-orange', 0.5);
    plant.addBlockBetween([x - 0.7, -13.9, 3.1], [x + 0.9, -12.5, 3.9], 'paint-orange');
    for (const dx of [-1.8, 1.8]) plant.addBeam([x + dx, -11, 5.4], [x + dx, -13.4, 5.4], 0.3, 0.16, 'paint-white');
  }
}

function addWells(plant: PlantBuilder): void {
  addJacket(plant, [22.6, 31.5, 40.4], [-12.2, 0, 12.2], -0.3);
  plant.addBlockBetween([22, -13, -0.3], [41, 13, 0], 'deck-grey');
  plant.addBlockBetween([22, 2, 6.98], [41, 13, 7], 'deck-grey');
  plant.addBlockBetween([22, 2, 6.7], [41, 13, 6.98], 'paint-grey');
  plant.addBlockBetween([27, -6, 12.98], [41, 13, 13], 'deck-grey');
  plant.addBlockBetween([27, -6, 12.7], [41, 13, 12.98], 'paint-grey');
  for (const x of [22.4, 31.5, 40.6]) {
    for (const y of [-12.6, -2, 12.6]) {
      if (y > -5) plant.addBeam([x, y, 0], [x, y, 12.7], 0.45, 0.42);
    }
    plant.addBeam([x, 2, 6.5], [x, 13, 6.5], 0.5, 0.3);
  }
  for (const y of [2.2, 12.8]) plant.addBeam([22, y, 6.5], [41, y, 6.5], 0.5, 0.3);
  plant.addHandrail([
    [22, -12.9, 0],
    [41, -12.9, 0],
    [41, 13, 0],
  ]);
  plant.addHandrail([
    [41, 2.1, 7],
    [22.1, 2.1, 7],
    [22.1, 13, 7],
  ]);
  plant.addHandrail([
    [41, -5.9, 13],
    [27.1, -5.9, 13],
    [27.1, 13, 13],
  ]);
  [-5.4, -6.7, -8.0, -9.2].forEach((y, k) => {
    const x = 25.6;
    plant.addPost([x, y, 0], [x, y, 0.5], 0.34, 'paint-grey');
    plant.addPost([x, y, 0.5], [x, y, 2.9], 0.16, 'paint-yellow');
    for (const z of [0.85, 1.6, 2.3]) {
      plant.addBlock([x, y, z], [0.42, 0.42, 0.36], 'paint-yellow');
      plant.addPost([x, y, z], [x - 0.55, y, z], 0.07, 'paint-yellow');
      plant.addPost([x - 0.55, y, z], [x - 0.58, y, z], 0.21, 'paint-red');
    }
    plant.addBlock([x, y, 2.85], [0.3, 0.3, 0.4], 'paint-red');
    plant.addSign([x - 0.25, y, 3.3], [-1, 0, 0], 0.5, 0.2, 'tag', `W-0${k + 1}`);
  });
  const random = createRandom(11);
  for (const [x, y, w, d, h, z] of [
    [30, 8, 6, 3, 3, 0],
    [36, -9, 3, 6, 2.8, 0],
    [24.5, 9.5, 3, 5, 2.6, 7],
    [34, 6, 8, 3, 4.5, 7],
    [38, 8, 5, 6, 3, 13],
    [31, 10, 5, 2.5, 2.6, 13],
  ] as const) {
    plant.addBlockBetween([x, y - d / 2, z], [x + w, y + d / 2, z + h], random() < 0.5 ? 'paint-grey' : 'paint-white');
    for (let k = 0.5; k < w - 0.3; k += 0.6)
      plant.addBlockBetween([x + k, y - d / 2 - 0.04, z + 0.2], [x + k + 0.1, y - d / 2, z + h - 0.2], 'paint-grey');
  }
  for (let k = 0; k < 6; k++) {
    const y = 3.2 + k * 0.55;
    plant.addPost([22.4, y, 4.9], [40, y, 4.9], 0.07 + (k % 3) * 0.04, k % 2 === 0 ? 'galvanised' : 'paint-grey');
  }
  for (const [x, y, r, h] of [
    [33, -4.5, 1.3, 4.2],
    [29.5, -9.5, 1.1, 3.4],
    [38.5, 1.2, 1.0, 5],
  ] as const) {
    plant.addPost([x, y, 0], [x, y, h], r, 'cladding');
    plant.addPost([x, y, h], [x, y, h + 0.35], r, 'cladding', r * 0.35);
    for (let z = 0.9; z < h; z += 0.9) plant.addPost([x, y, z], [x, y, z + 0.05], r + 0.012, 'cladding');
  }
  for (const [x, y, heading, material] of [
    [29, -3.2, 12, 'paint-orange'],
    [36.8, -4.6, 80, 'paint-blue'],
    [25.5, 5.5, 0, 'paint-red'],
    [29.5, 4.8, 90, 'paint-green'],
  ] as const) {
    plant.addBlock([x, y, y > 4 ? 8.3 : 1.3], [2.44, 6.06 * 0.55, 2.59], material, heading);
    plant.addBlock([x, y, (y > 4 ? 8.3 : 1.3) + 1.31], [2.5, 6.06 * 0.55 + 0.06, 0.06], 'paint-grey', heading);
  }
  for (let k = 0; k < 14; k++)
    plant.addPost(
      [28 + k * 0.22, -12.2, 0.25 + (k % 2) * 0.19],
      [28 + k * 0.22, -7.8, 0.25 + (k % 2) * 0.19],
      0.09,
      'rust',
    );
  plant.addTruss([34, 0, 13], [34, 0, 44], 6, 2, 12, 0.14, 'paint-red');
  plant.addBlockBetween([32.5, -1.5, 40], [35.5, 1.5, 40.4], 'paint-yellow');
  plant.addSign([28.6, -5.98, 12.1], south, 3.6, 0.9, 'module', 'MODULE M20', 'WELLHEADS');
}

function addUtilities(plant: PlantBuilder): void {
  addJacket(plant, [-17.3, -6, 6, 17.3], [15.7, 27.3], -0.3);
  plant.addBlockBetween([-18, 15, -0.3], [18, 28, 0], 'deck-grey');
  plant.addBlockBetween([-18, 15, 6.98], [18, 28, 7], 'deck-grey');
  plant.addBlockBetween([-18, 15, 6.7], [18, 28, 6.98], 'paint-grey');
  for (const x of [-17.5, -6, 6, 17.5]) {
    for (const y of [15.4, 27.6]) {
      plant.addBeam([x, y, 0], [x, y, 6.7], 0.4, 0.38);
    }
  }
  plant.addHandrail([
    [18, 15.1, 0],
    [-18, 15.1, 0],
    [-18, 28, 0],
  ]);
  plant.addHandrail([
    [18, 15.1, 7],
    [-18, 15.1, 7],
    [-18, 28, 7],
  ]);
  for (const [x, w, h, material] of [
    [-16, 7, 3.4, 'paint-blue'],
    [-6.5, 6, 3.0, 'paint-grey'],
    [2, 6, 3.6, 'paint-white'],
    [11, 5.5, 3.0, 'paint-blue'],
  ] as const) {
    plant.addBlockBetween([x, 17.4, 0.25], [x + w, 22, 0.25 + h], material);
    for (let k = 0.7; k < w - 0.4; k += 1.1) {
      plant.addBlockBetween([x + k, 17.36, 0.5], [x + k + 0.9, 17.4, 0.25 + h - 0.35], 'paint-grey');
      for (let z = 0.7; z < h - 0.4; z += 0.16)
        plant.addBlockBetween([x + k + 0.06, 17.32, z], [x + k + 0.84, 17.37, z + 0.06], 'galvanised');
    }
  }
  for (const x of [-13, -9.5, 13.5]) {
    plant.addBlockBetween([x - 2, 19, 7], [x + 1.6, 24, 10], 'paint-white');
    plant.addPost([x, 21, 10], [x, 21, 17.5], 0.55, 'stainless');
    plant.addPost([x, 21, 17.5], [x, 21.6, 18.4], 0.55, 'rust');
  }
  for (const x of [-3, 1.5, 6]) {
    plant.addPost([x, 20.5, 7.3], [x, 20.5, 12.3], 1.7, 'paint-white');
    plant.addPost([x, 20.5, 12.3], [x, 20.5, 12.8], 1.7, 'paint-white', 0.3);
    for (const z of [8.4, 9.8, 11.2]) plant.addPost([x, 20.5, z], [x, 20.5, z + 0.06], 1.73, 'paint-white');
  }
  for (let k = 0; k < 5; k++)
    plant.addPost(
      [-17, 15.8 + k * 0.45, 4.8],
      [17, 15.8 + k * 0.45, 4.8],
      0.06 + (k % 3) * 0.035,
      k % 2 === 0 ? 'galvanised' : 'paint-grey',
    );
  plant.addSign([0, 15.05, 6.3], south, 3.6, 0.8, 'module', 'MODULE M30', 'UTILITIES');
}

function addCraneAndFlare(plant: PlantBuilder): void {
  const [x, y] = [20.5, -14.3];
  plant.addPost([x, y, -2.2], [x, y, 13], 1.05, 'paint-white');
  plant.addPost([x, y, -4.2], [x, y, -2.2], 0.35, 'paint-white', 1.05);
  for (const z of [-0.45, -2.0]) plant.addBeam([x, y, z], [19.2, -11.4, z], 0.7, 0.5);
  plant.addBlockBetween([x - 1.5, y + 0.2, -0.25], [x + 1.1, -13.0, 0], 'deck-grey');
  plant.addPost([x, y, 13], [x, y, 13.7], 1.5, 'paint-grey');
  plant.addBlockBetween([x - 1.6, y - 1.5, 13.7], [x + 1.6, y + 1.8, 16.4], 'paint-yellow');
  plant.addBlockBetween([x - 2.0, y - 2.0, 13.9], [x - 1.6, y - 0.2, 15.8], 'glass');
  plant.addBlockBetween([x + 1.6, y - 1.2, 13.8], [x + 3.0, y + 1.5, 15.4], 'paint-grey');
  plant.addTruss([x - 1.8, y, 14.4], [-13, -19, 27], 1.7, 0.9, 18, 0.085, 'paint-yellow');
  plant.addTruss([x + 0.4, y + 0.2, 16.4], [x + 0.4, y + 0.2, 22], 1.4, 0.8, 4, 0.08, 'paint-yellow');
  plant.addPost([x + 0.2, y + 0.1, 21.8], [-12.4, -18.9, 27.2], 0.035, 'black');
  plant.addPost([-12.9, -19, 26.8], [-12.9, -19, 15.5], 0.025, 'black');
  plant.addBlock([-12.9, -19, 15.2], [0.35, 0.35, 0.7], 'paint-yellow');
  plant.addTruss([24, 16.5, 11], [48, 41, 41], 2.6, 1.2, 22, 0.11, 'paint-grey');
  plant.addTruss([24, 16.5, 0], [24, 16.5, 11], 2.6, 2.6, 6, 0.12, 'paint-grey');
  plant.addPost([24, 16.5, -26], [24, 16.5, 0], 0.8, 'paint-yellow');
  plant.addPost([48, 41, 41], [48.6, 41.6, 43], 0.4, 'rust', 0.55);
  plant.addBlockBetween([18, 13.2, -0.25], [26, 19, 0], 'deck-grey');
  plant.addHandrail(
    [
      [20, 13.3, 0],
      [22, 13.3, 0],
    ],
    false,
  );
}
