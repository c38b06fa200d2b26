import type { PlantBuilder } from './plant-builder.ts';
import { down, east, north, south, up, west } from './process-deck.ts';

/** Adds equipment, lines and instruments of the upper deck. */
export function addUpperDeck(plant: PlantBuilder): void {
  plant.addToDeck('UPPER', () => {
    addEquipment(plant);
    addLines(plant);
  });
}

function addEquipment(plant: PlantBuilder): void {
  plant.add({
    kind: 'package',
    deck: 'UPPER',
    tag: 'K-1001',
    description: 'Gas compressor package',
    min: [-14.5, 7.4, 7],
    max: [-8, 11.6, 10.3],
    material: 'paint-blue',
    doors: 4,
  });
  plant.addSign([-11.2, 7.36, 9.72], south, 2.4, 0.6, 'name', 'K-1001', 'GAS COMPRESSOR');
  plant.add({
    kind: 'vessel',
    deck: 'UPPER',
    tag: 'V-1004',
    description: 'Suction scrubber',
    axis: 'z',
    centre: [-4.5, 9.5, 9.6],
    outsideDiameter: 1.2,
    length: 2.8,
    material: 'cladding',
    base: 7,
    nozzles: [
      { at: [-4.5, 10.1, 9.6], direction: [0, 1, 0], nps: '10', projection: 0.28 },
      { at: [-4.5, 9.5, 11.3], direction: up, nps: '10', projection: 0.25 },
      { at: [-5.1, 9.5, 8.9], direction: west, nps: '18', projection: 0.25, blind: true },
    ],
  });
  plant.addSign([-4.5, 8.87, 9.7], south, 0.95, 0.36, 'name', 'V-1004', 'SUCTION SCRUBBER');
  plant.add({
    kind: 'air-cooler',
    deck: 'UPPER',
    tag: 'E-1102',
    description: 'Discharge gas air cooler',
    min: [2, 6.6, 7],
    max: [10, 11.4, 11.1],
    fans: 3,
  });
  plant.addSign([6, 6.52, 10.05], south, 2.0, 0.5, 'name', 'E-1102', 'GAS AIR COOLER');
  plant.add({
    kind: 'vessel',
    deck: 'UPPER',
    tag: 'V-1006',
    description: 'Instrument air receiver',
    axis: 'z',
    centre: [14.5, 10, 9.1],
    outsideDiameter: 1.0,
    length: 2.2,
    material: 'paint-white',
    base: 7,
    nozzles: [{ at: [14.5, 9.5, 8.6], direction: south, nps: '2', projection: 0.15 }],
  });
  plant.addSign([14.5, 9.46, 9.3], south, 0.85, 0.32, 'name', 'V-1006', 'AIR RECEIVER');
  plant.add({
    kind: 'package',
    deck: 'UPPER',
    tag: 'A-1010',
    description: 'Analyser house',
    min: [16, 8.6, 7],
    max: [19.2, 12.2, 9.7],
    material: 'paint-cream',
    doors: 1,
  });
  plant.addSign([17.6, 8.56, 9.3], south, 1.3, 0.36, 'name', 'A-1010', 'ANALYSER HOUSE');
  for (let k = 0; k < 3; k++) {
    const tag = `JB-10${20 + k}`;
    plant.addInstrument(tag, 'junction-box', 'Junction box', [-1.9 + k * 1.1, 6.95, 8.35], south, {});
    plant.addPost([-1.9 + k * 1.1, 7.05, 7], [-1.9 + k * 1.1, 7.05, 8.7], 0.03, 'galvanised');
  }
  plant.addInstrument('TI-1102B', 'thermometer', 'Outlet temperature of E-1102', [9.3, 6.3, 9.35], south, {
    tap: [9.3, 6.6, 9.5],
    plate: false,
  });
}

function addLines(plant: PlantBuilder): void {
  const scrubbedGas = '10"-PG-10031-A1B';
  plant.addLine(
    scrubbedGas,
    'Scrubbed gas',
    'V-1003',
    'V-1004',
    [
      [12, -7.5, 7.3],
      [12, -7.5, 9.6],
      [12, 12.1, 9.6],
      [-4.5, 12.1, 9.6],
      [-4.5, 10.38, 9.6],
    ],
    {
      material: 'paint-white',
      flanges: [0.3, 10, 26],
      markers: [
        [8, west],
        [14.5, west],
        [27, south],
      ],
    },
  );
  plant.addValve('SDV-1031', 'shutdown', 'Suction shutdown valve of K-1001', scrubbedGas, [12, 4.2, 9.6], north, up);
  plant.addBeam([11.4, 2.2, 7], [11.4, 2.2, 9.4], 0.16, 0.16);
  plant.addBeam([12.6, 2.2, 7], [12.6, 2.2, 9.4], 0.16, 0.16);
  plant.addBeam([11.3, 2.2, 9.38], [12.7, 2.2, 9.38], 0.16, 0.16);
  for (const x of [8, 2, -2.5]) {
    plant.addBeam([x, 12.1, 7], [x, 12.1, 9.4], 0.16, 0.16);
    plant.addBlockBetween([x - 0.15, 11.9, 9.4], [x + 0.15, 12.3, 9.463], 'steel-structure');
  }
  const suction = '10"-PG-10032-A1B';
  plant.addLine(
    suction,
    'Compressor suction',
    'V-1004',
    'K-1001',
    [
      [-4.5, 9.5, 11.55],
      [-4.5, 9.5, 12.4],
      [-9.2, 9.5, 12.4],
      [-9.2, 9.5, 10.3],
    ],
    { material: 'paint-white', flanges: [0.2, 4.2], markers: [[3, south]] },
  );
  const discharge = '8"-PG-10035-D2C';
  plant.addLine(
    discharge,
    'Compressor discharge',
    'K-1001',
    'E-1102',
    [
      [-13, 9.5, 10.3],
      [-13, 9.5, 12.9],
      [-13, 12.4, 12.9],
      [-1, 12.4, 12.9],
      [-1, 12.4, 10.6],
      [3, 12.4, 10.6],
      [3, 11.4, 10.6],
    ],
    {
      material: 'paint-white',
      flanges: [0.3, 10],
      markers: [
        [9, south],
        [20.5, south],
      ],
    },
  );
  for (const x of [-12, -7, -2]) plant.addBeam([x, 12.4, 7], [x, 12.4, 12.78], 0.16, 0.16);
  const cooledGas = '8"-PG-10036-D2C';
  plant.addLine(
    cooledGas,
    'Cooled gas',
    'E-1102',
    'Export riser',
    [
      [9, 6.6, 9.9],
      [9, 5.9, 9.9],
      [13.2, 5.9, 9.9],
      [13.2, 5.9, 7.8],
      [13.2, 8, 7.8],
      [21.4, 8, 7.8],
    ],
    {
      material: 'paint-white',
      flanges: [3, 9.5],
      markers: [
        [3.4, south],
        [11, south],
      ],
    },
  );
  plant.addValve(
    'PV-1036',
    'control',
    'Export pressure control valve',
    cooledGas,
    [13.2, 5.9, 8.75],
    down,
    south,
    south,
  );
  plant.addValve('HV-1036', 'gate', 'Export block valve', cooledGas, [15.4, 8, 7.8], east, up, south);
  plant.addInstrument('PT-1036', 'transmitter', 'Export gas pressure', [14.1, 6.6, 8.35], south, {
    tap: [13.9, 7.9, 7.85],
    line: cooledGas,
  });
  plant.addInstrument('PI-1036', 'gauge', 'Export gas pressure', [12.85, 5.65, 8.15], south, {
    tap: [13.15, 5.85, 8.15],
    line: cooledGas,
  });
  plant.addInstrument('PT-1032', 'transmitter', 'Suction pressure of K-1001', [-6.9, 7.5, 8.35], south, {
    tap: [-5.2, 9.2, 10.6],
    line: suction,
  });
  plant.addInstrument('LG-1009', 'level-gauge', 'Level gauge of V-1004', [-4.05, 8.85, 9.0], south, {
    height: 0.9,
    plate: false,
  });
  const air = '2"-IA-10068-S1N';
  plant.addLine(
    air,
    'Instrument air',
    'V-1006',
    '2"-IA-10065-S1N',
    [
      [14.5, 9.35, 8.6],
      [14.5, 8.9, 8.6],
      [14.5, 8.9, 7.25],
      [14.5, 6.3, 7.25],
      [11, 6.3, 7.25],
      [11, 6.3, 6.0],
    ],
    { material: 'galvanised' },
  );
  const blowdown = '6"-FL-10043-A1B';
  plant.addLine(
    blowdown,
    'Blowdown',
    'V-1004',
    '16"-FL-10050-A2F',
    [
      [-3.95, 9.2, 10.4],
      [-2.9, 9.2, 10.4],
      [-2.9, 9.2, 7.55],
      [-2.9, 6.4, 7.55],
      [0.8, 6.4, 7.55],
      [0.8, 6.4, 6.2],
    ],
    { material: 'paint-grey', flanges: [3.2], markers: [[5, west]] },
  );
  plant.addValve('BDV-1043', 'shutdown', 'Blowdown valve of V-1004', blowdown, [-1.3, 6.4, 7.55], east, up, south);
  plant.addValve('PSV-1005', 'relief', 'Relief valve of V-1004', blowdown, [-2.9, 9.2, 10.05], up, up);
  const hose = '2"-FW-10073-C3F';
  plant.addLine(
    hose,
    'Fire water',
    '6"-FW-10070-C3F',
    'Hose reel',
    [
      [-16.2, 6.4, 5.8],
      [-16.2, 6.4, 8.2],
      [-16.2, 7.2, 8.2],
    ],
    { material: 'paint-red' },
  );
  plant.addValve('HV-1073', 'ball', 'Hose reel valve', hose, [-16.2, 6.4, 7.6], up, south, south);
}
