import { PlantBuilder } from './plant-builder.ts';
import type { Part } from './types.ts';
import { createRandom } from './vector.ts';

/**
 * Shapes of the sites without a tour, for navigation images and icons. Each site has its own frame with the sea at -26.
 */
export const otherSites: Readonly<Record<'SK' | 'OT' | 'MF', readonly Part[]>> = {
  SK: createWellheadPlatform(),
  OT: createTerminal(),
  MF: createProductionVessel(),
};

function collectParts(addParts: (plant: PlantBuilder) => void): readonly Part[] {
  const plant = new PlantBuilder();
  plant.addToDeck('OTHER', () => addParts(plant));
  return plant.parts;
}

function createWellheadPlatform(): readonly Part[] {
  return collectParts((plant) => {
    for (const x of [-9, 9])
      for (const y of [-8, 8]) plant.addPost([x * 1.25, y * 1.25, -26], [x, y, 0], 0.8, 'paint-yellow');
    for (const [z0, z1] of [
      [-25, -13],
      [-13, -2],
    ] as const)
      for (const sign of [-1, 1]) {
        for (const [a, b] of [
          [
            [-10, sign * 9],
            [10, sign * 9],
          ],
          [
            [sign * 10, -9],
            [sign * 10, 9],
          ],
        ] as const) {
          plant.addPost([a[0]!, a[1]!, z0], [b[0]!, b[1]!, z1], 0.32, 'paint-yellow');
          plant.addPost([b[0]!, b[1]!, z0], [a[0]!, a[1]!, z1], 0.32, 'paint-yellow');
          plant.addPost([a[0]!, a[1]!, z1], [b[0]!, b[1]!, z1], 0.32, 'paint-yellow');
        }
      }
    for (const z of [-6, 0, 7]) {
      plant.addBlockBetween([-13, -11, z - 0.4], [13, 11, z], z === 0 ? 'deck-green' : 'deck-grey');
      plant.addHandrail([
        [-13, -11, z],
        [13, -11, z],
        [13, 11, z],
        [-13, 11, z],
        [-13, -11, z],
      ]);
      if (z < 7)
        for (const x of [-12.5, 0, 12.5])
          for (const y of [-10.5, 10.5]) plant.addBeam([x, y, z], [x, y, z + 6.6], 0.4, 0.4);
    }
    for (let k = 0; k < 8; k++) {
      const [x, y] = [-6 + (k % 4) * 2.6, -3 + Math.floor(k / 4) * 3];
      plant.addPost([x, y, 0], [x, y, 3.4], 0.2, 'paint-yellow');
      for (const z of [0.8, 1.7, 2.6]) plant.addBlock([x, y, z], [0.6, 0.6, 0.45], 'paint-red');
    }
    for (const [x, y, w, d, h, material] of [
      [-12, 5, 6, 4.5, 2.8, 'paint-blue'],
      [-4, 6, 4, 4, 3.2, 'paint-white'],
      [5, 4, 6, 5, 3, 'paint-cream'],
    ] as const)
      plant.addBlockBetween([x, y, 7], [x + w, y + d, 7 + h], material);
    for (let k = 0; k < 5; k++)
      plant.addPost([-12, -9 + k * 0.6, 3.8], [12, -9 + k * 0.6, 3.8], 0.11, k % 2 ? 'galvanised' : 'paint-grey');
    plant.addPost([8, -6, 13], [8, -6, 13.4], 8.5, 'paint-green');
    plant.addPost([8, -6, 13.4], [8, -6, 13.41], 4.2, 'marking-yellow');
    plant.addPost([8, -6, 13.4], [8, -6, 13.415], 3.7, 'paint-green');
    for (const [x, y] of [
      [4, -9],
      [12, -9],
      [4, -3],
      [12, -3],
    ] as const)
      plant.addPost([x, y, 7], [x, y, 13], 0.25, 'paint-white');
    plant.addPost([-11, -9, 7], [-11, -9, 14], 0.7, 'paint-white');
    plant.addBlockBetween([-12.2, -10.2, 14], [-9.8, -7.8, 16], 'paint-yellow');
    plant.addTruss([-11, -9, 15.5], [-2, 14, 24], 1.1, 0.6, 12, 0.06, 'paint-yellow');
    plant.addTruss([10, 9, 7], [10, 9, 30], 1.4, 0.6, 10, 0.06, 'paint-red');
    plant.addSign([0, -11.2, 5.4], [0, -1, 0], 6, 1.3, 'module', 'SKARV KILDE', 'WELLHEADS W10');
  });
}

function createTerminal(): readonly Part[] {
  return collectParts((plant) => {
    const random = createRandom(5);
    plant.addBlockBetween([-160, 20, -40], [180, 260, -22], 'deck-grey');
    plant.addBlockBetween([-150, 60, -22], [170, 250, -21.9], 'paint-green');
    for (let row = 0; row < 2; row++)
      for (let k = 0; k < 5; k++) {
        const [x, y] = [-100 + k * 48, 105 + row * 55];
        plant.addBlockBetween([x - 22, y - 22, -21.9], [x + 22, y + 22, -21.8], 'deck-grey');
        plant.addPost([x, y, -21.8], [x, y, -7], 16, random() < 0.3 ? 'paint-cream' : 'paint-white');
        plant.addPost([x, y, -7], [x, y, -5.2], 16, 'paint-white', 1);
        for (const z of [-18, -14, -10]) plant.addPost([x, y, z], [x, y, z + 0.25], 16.12, 'paint-white');
        for (let s = 0; s < 40; s++) {
          const a = -1.9 + s * 0.035;
          plant.addBlock([x + 16.6 * Math.cos(a), y + 16.6 * Math.sin(a), -21.6 + s * 0.36], [1, 1, 0.1], 'galvanised');
        }
      }
    for (let k = 0; k < 9; k++) {
      plant.addPost(
        [-120, 62 + k * 1.1, -18.5],
        [120, 62 + k * 1.1, -18.5],
        0.25 + (k % 3) * 0.12,
        k % 2 ? 'galvanised' : 'paint-grey',
      );
      plant.addPost(
        [-16 + k * 1.1, 62, -18.5],
        [-16 + k * 1.1, -78, -18.5],
        0.25 + (k % 3) * 0.12,
        k % 2 ? 'galvanised' : 'paint-grey',
      );
    }
    for (let x = -120; x <= 120; x += 12)
      plant.addBlockBetween([x - 0.3, 61, -22], [x + 0.3, 72, -18.9], 'steel-structure');
    for (let y = -78; y < 60; y += 9) {
      plant.addBlockBetween([-18, y - 0.4, -20], [-1, y + 0.4, -19.2], 'steel-structure');
      for (const x of [-17, -2]) plant.addPost([x, y, -34], [x, y, -19.5], 0.55, 'paint-grey');
    }
    plant.addBlockBetween([-22, -60, -20.6], [-18, 22, -20], 'deck-grey');
    plant.addBlockBetween([-45, -95, -21.4], [28, -76, -20], 'deck-grey');
    for (const x of [-40, -20, 0, 22]) plant.addPost([x, -85, -36], [x, -85, -21], 1.6, 'paint-grey');
    for (const x of [-22, -13, -4, 5]) {
      plant.addPost([x, -90, -20], [x, -90, -7], 0.5, 'paint-blue');
      plant.addPost([x, -90, -7], [x, -104, -1], 0.4, 'paint-blue');
      plant.addPost([x, -104, -1], [x, -109, -14], 0.35, 'paint-blue');
    }
    // A tanker alongside.
    plant.addBlockBetween([-110, -138, -30], [86, -106, -17], 'paint-red');
    plant.addBlockBetween([-110, -138.05, -21.5], [86, -105.95, -16.4], 'black');
    plant.addPost([86, -122, -30], [86, -122, -16.5], 15.9, 'black');
    for (const [x, w] of [
      [-40, 3],
      [0, 5],
      [40, 3],
    ] as const)
      plant.addBlockBetween([x, -134, -16.4], [x + w, -110, -14.6], 'paint-grey');
    plant.addBlockBetween([-104, -136, -16.4], [-80, -108, 1], 'paint-white');
    plant.addBlockBetween([-100, -132, 1], [-86, -112, 5], 'paint-white');
    plant.addBlockBetween([-98, -126, 5], [-92, -118, 11], 'paint-orange');
    for (let k = 0; k < 6; k++)
      plant.addPost([-76, -127 + k * 2, -15.6], [84, -127 + k * 2, -15.6], 0.35, k % 2 ? 'paint-green' : 'galvanised');
    for (const [x, y, w, d, h] of [
      [40, 32, 26, 14, 7],
      [76, 34, 18, 12, 5],
      [-90, 34, 30, 12, 6],
    ] as const) {
      plant.addBlockBetween([x, y, -22], [x + w, y + d, -22 + h], 'paint-cream');
      plant.addBlockBetween([x - 0.4, y - 0.4, -22 + h], [x + w + 0.4, y + d + 0.4, -21.5 + h], 'paint-blue');
      for (let k = 2; k < w - 2; k += 3)
        plant.addBlockBetween([x + k, y - 0.1, -20.5], [x + k + 1.6, y, -18.8], 'glass');
    }
  });
}

function createProductionVessel(): readonly Part[] {
  return collectParts((plant) => {
    plant.addBlockBetween([-100, -20, -34], [88, 20, -9], 'paint-red');
    plant.addBlockBetween([-100, -20.05, -17], [88, 20.05, -8.6], 'paint-blue');
    plant.addPost([88, 0, -34], [88, 0, -8.7], 19.9, 'paint-blue', 21.5);
    plant.addBlockBetween([-100, -20, -8.6], [88, 20, -8.4], 'deck-grey');
    plant.addHandrail(
      [
        [-100, -19.8, -8.4],
        [88, -19.8, -8.4],
      ],
      false,
    );
    const random = createRandom(21);
    const materials = ['paint-white', 'paint-grey', 'cladding', 'paint-blue', 'galvanised'] as const;
    for (let m = 0; m < 5; m++)
      for (const sign of [-1, 1]) {
        const x = -50 + m * 25;
        const y = sign * 9.5;
        plant.addBlockBetween([x, y - 8, -3.4], [x + 21, y + 8, -3], 'deck-green');
        for (const dx of [1, 10, 20])
          for (const dy of [-7, 7]) plant.addPost([x + dx, y + dy, -8.4], [x + dx, y + dy, 8], 0.45, 'steel-structure');
        plant.addBlockBetween([x, y - 8, 4.6], [x + 21, y + 8, 5], 'deck-grey');
        plant.addHandrail([
          [x, y + sign * 7.9, 5],
          [x + 21, y + sign * 7.9, 5],
        ]);
        for (let k = 0; k < 6; k++) {
          const [px, py] = [x + 2 + (k % 3) * 6.5, y - 4 + Math.floor(k / 3) * 7];
          const material = materials[Math.floor(random() * materials.length)]!;
          if (random() < 0.45)
            plant.addPost([px, py, 6.6], [px + 5, py, 6.6], 1.3, material === 'paint-blue' ? 'paint-white' : material);
          else if (random() < 0.5) plant.addPost([px + 2, py, 5], [px + 2, py, 11 + random() * 3], 1.2, 'cladding');
          else plant.addBlockBetween([px, py - 2, 5], [px + 4.5, py + 2, 8 + random() * 2], material);
          plant.addBlockBetween(
            [px, py - 2, -3],
            [px + 4.5, py + 2, 0.5 + random() * 2.5],
            materials[Math.floor(random() * materials.length)]!,
          );
        }
        for (let k = 0; k < 5; k++)
          plant.addPost(
            [x, y - sign * 6 + k * 0.5, 2.4],
            [x + 24, y - sign * 6 + k * 0.5, 2.4],
            0.16 + (k % 2) * 0.1,
            k % 2 ? 'galvanised' : 'paint-grey',
          );
      }
    plant.addBlockBetween([-96, -17, -8.4], [-70, 17, 10], 'paint-cream');
    plant.addBlockBetween([-95, -18, 10], [-72, 18, 13], 'paint-white');
    plant.addBlockBetween([-71.9, -17.5, 10.8], [-71.6, 17.5, 12.4], 'glass');
    for (let z = -6; z < 9; z += 3)
      for (let x = -94; x < -72; x += 3) plant.addBlockBetween([x, -17.1, z], [x + 1.3, -17, z + 1.2], 'glass');
    plant.addPost([-96, 0, 18], [-96, 0, 18.6], 11.5, 'paint-green');
    plant.addPost([-96, 0, 18.6], [-96, 0, 18.61], 6, 'marking-yellow');
    plant.addPost([-96, 0, 18.6], [-96, 0, 18.615], 5.4, 'paint-green');
    for (const y of [-7, 7]) plant.addPost([-94, y, 13], [-94, y, 18], 0.5, 'paint-white');
    plant.addPost([80, 0, -34], [80, 0, 4], 7, 'paint-yellow');
    plant.addPost([80, 0, 4], [80, 0, 12], 4, 'paint-grey');
    plant.addTruss([64, 14, -8], [72, 16, 62], 6, 2, 16, 0.22, 'paint-red');
    for (const [x, y] of [
      [-60, -17],
      [16, 17],
    ] as const) {
      plant.addPost([x, y, -8.4], [x, y, 17], 1.4, 'paint-white');
      plant.addBlockBetween([x - 2.4, y - 2.4, 17], [x + 2.4, y + 2.4, 21], 'paint-yellow');
      plant.addTruss([x, y, 19.5], [x + 34, y * 0.4, 36], 2, 1, 16, 0.12, 'paint-yellow');
    }
    for (const x of [-90, -82]) plant.addPost([x - 3, -21.6, -2], [x + 3, -21.6, -2], 1.5, 'paint-orange');
    plant.addSign([-83, -17.2, 8.4], [0, -1, 0], 14, 2.2, 'module', 'MARIT FLYTER', 'FLOATING PRODUCTION');
  });
}
