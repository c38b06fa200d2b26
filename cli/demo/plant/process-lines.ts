import type { PlantBuilder } from './plant-builder.ts';
import { down, east, north, south, up, west } from './process-deck.ts';
import { rackTop, rackUpperTop } from './structure.ts';
import { getPipeSize } from './pipe-sizes.ts';
import type { Point } from './types.ts';

const getRadius = (nps: string): number => getPipeSize(nps).outsideDiameter / 2000;
const getRackHeight = (nps: string): number => rackTop + getRadius(nps);
const getUpperRackHeight = (nps: string): number => rackUpperTop + getRadius(nps);

/** Adds the process and utility lines of the process deck with their valves. */
export function addProcessLines(plant: PlantBuilder): void {
  addInlet(plant);
  addSeparatorOutlets(plant);
  addGas(plant);
  addTestSeparator(plant);
  addCooling(plant);
  addExport(plant);
  addRackUtilities(plant);
  addSupports(plant);
}

function addInlet(plant: PlantBuilder): void {
  const header = '12"-PF-10001-D2C';
  plant.addLine(
    header,
    'Production fluids',
    'Production manifold',
    'V-1001',
    [
      [17.6, -4.6, 0.75],
      [17.6, -10.1, 0.75],
      [-14.2, -10.1, 0.75],
      [-14.2, -7.5, 0.75],
      [-14.2, -7.5, 2.9],
      [-12.95, -7.5, 2.9],
    ],
    {
      material: 'paint-grey',
      flanges: [0.12, 12, 24, 33],
      markers: [
        [7.9, south],
        [18, south],
        [30, south],
        [20, north],
        [3.2, west],
      ],
    },
  );
  plant.addValve(
    'SDV-1001',
    'shutdown',
    'Inlet shutdown valve of V-1001',
    header,
    [-10.2, -10.1, 0.75],
    west,
    up,
    south,
  );
  (
    [
      ['W-01', -5.4],
      ['W-02', -6.7],
      ['W-03', -8.0],
      ['W-04', -9.2],
    ] as const
  ).forEach(([well, y], index) => {
    const flow = `6"-PF-1000${index + 2}-D2C`;
    plant.addLine(
      flow,
      'Well fluids',
      `Well ${well}`,
      'Production manifold',
      [
        [25, y, 1.6],
        [21.4, y, 1.6],
        [21.4, y, 0.75],
        [17.76, y, 0.75],
      ],
      { material: 'paint-grey', flanges: [1.2], markers: [[5.0, up]] },
    );
    plant.addValve(`XV-10${11 + index}`, 'ball', `Manifold valve of well ${well}`, flow, [18.55, y, 0.75], west, up);
    plant.addValve(`HCV-10${11 + index}`, 'choke', `Choke of well ${well}`, flow, [22.6, y, 1.6], west, up);
    plant.addPlate([17.38, y, 1.02], west, `XV-10${11 + index}`);
    plant.addInstrument(`PI-10${11 + index}`, 'gauge', `Pressure of well ${well}`, [19.35, y, 1.35], west, {
      tap: [19.35, y, 0.83],
      line: flow,
      plate: false,
    });
  });
  plant.addInstrument('PT-1000', 'transmitter', 'Manifold pressure', [17.1, -4.35, 1.35], west, {
    tap: [17.6, -4.9, 0.9],
    line: header,
  });
}

function addSeparatorOutlets(plant: PlantBuilder): void {
  const oil = '8"-PO-10011-A1B';
  const oilZ = 0.9;
  plant.addLine(
    oil,
    'Produced oil',
    'V-1001',
    'P-1002A/B',
    [
      [-5.5, -7.5, 1.38],
      [-5.5, -7.5, oilZ - 0.1],
      [-5.5, -5.0, oilZ - 0.1],
      [-0.6, -5.0, oilZ - 0.1],
      [-0.6, -5.0, getRackHeight('8')],
      [-0.6, -1.4, getRackHeight('8')],
      [14, -1.4, getRackHeight('8')],
      [14, -1.4, 4.98],
      [14, 5.8, 4.98],
      [14, 5.8, 0.75],
      [4.4, 5.8, 0.75],
    ],
    {
      material: 'paint-grey',
      flanges: [0.2, 17.5, 27.5, 40],
      markers: [
        [9.6, north],
        [16, south],
        [21.5, south],
        [31, west],
        [40.5, south],
      ],
    },
  );
  const z = oilZ - 0.1;
  plant.addValve('HV-1003A', 'gate', 'Upstream block valve of LV-1003', oil, [-4.55, -5.0, z], east, up, north);
  plant.addValve('LV-1003', 'control', 'Oil level control valve of V-1001', oil, [-3.05, -5.0, z], east, up, north);
  plant.addValve('HV-1003B', 'gate', 'Downstream block valve of LV-1003', oil, [-1.55, -5.0, z], east, up, north);
  const bypass = '6"-PO-10014-A1B';
  plant.addLine(
    bypass,
    'Bypass of LV-1003',
    oil,
    oil,
    [
      [-5.2, -5.0, z + 0.1],
      [-5.2, -5.0, 2.15],
      [-0.9, -5.0, 2.15],
      [-0.9, -5.0, z + 0.1],
    ],
    { material: 'paint-grey', markers: [[2.2, north]] },
  );
  plant.addValve('HV-1003C', 'globe', 'Bypass valve of LV-1003', bypass, [-2.7, -5.0, 2.15], east, up, north);
  plant.addInstrument('PI-1003', 'gauge', 'Pressure upstream of LV-1003', [-3.85, -4.82, 1.45], north, {
    tap: [-3.85, -5.0, z + 0.1],
    line: oil,
  });
  plant.addInstrument('TI-1003', 'thermometer', 'Oil outlet temperature', [-0.6, -4.72, 1.75], north, {
    tap: [-0.6, -4.9, 1.75],
    line: oil,
  });

  const water = '6"-WP-10013-A3W';
  plant.addLine(
    water,
    'Produced water',
    'V-1001',
    'Closed drain T-3001',
    [
      [-10, -7.5, 1.38],
      [-10, -7.5, 0.75],
      [-10, -5.0, 0.75],
      [-14.9, -5.0, 0.75],
      [-14.9, -5.0, -3],
    ],
    {
      material: 'paint-green',
      flanges: [0.2],
      markers: [
        [4.1, north],
        [2.1, east],
      ],
    },
  );
  plant.addValve('HV-1002A', 'gate', 'Upstream block valve of LV-1002', water, [-11.1, -5.0, 0.75], west, up, north);
  plant.addValve(
    'LV-1002',
    'control',
    'Water level control valve of V-1001',
    water,
    [-12.35, -5.0, 0.75],
    west,
    up,
    north,
  );
  plant.addValve('HV-1002B', 'gate', 'Downstream block valve of LV-1002', water, [-13.6, -5.0, 0.75], west, up, north);

  plant.addInstrument('LG-1001', 'level-gauge', 'Level gauge of V-1001', [-7.2, -5.92, 2.8], north, {
    height: 1.5,
    plate: false,
  });
  plant.addPlate([-6.75, -5.95, 2.7], north, 'LG-1001');
  plant.addInstrument('LT-1003', 'transmitter', 'Oil level of V-1001', [-6.35, -4.3, 1.35], north, {
    tap: [-6.4, -6.3, 2.5],
  });
  plant.addInstrument('PT-1001', 'transmitter', 'Pressure of V-1001', [-8.35, -4.3, 1.35], north, {
    tap: [-8.35, -6.3, 3.3],
  });
  plant.addInstrument('LT-1002', 'transmitter', 'Interface level of V-1001', [-9.25, -4.3, 1.35], north, {
    tap: [-9.25, -6.3, 2.3],
  });
  plant.addInstrument('PI-1001', 'gauge', 'Pressure of V-1001', [-11.2, -6.1, 1.75], north, {
    tap: [-11.2, -6.6, 2.1],
  });

  const relief = '4"-PG-10041-A1B';
  plant.addLine(
    relief,
    'Relief inlet',
    'V-1001',
    'PSV-1004',
    [
      [-6, -7.5, 4.4],
      [-6, -7.5, 5.2],
    ],
    { material: 'paint-grey' },
  );
  plant.addValve('HV-1004', 'gate', 'Locked-open valve below PSV-1004', relief, [-6, -7.5, 4.75], up, south);
  plant.addValve('PSV-1004', 'relief', 'Relief valve of V-1001', relief, [-6, -7.5, 5.38], up, up);
  plant.addPlate([-6, -7.2, 5.05], north, 'PSV-1004');
  plant.addLine(
    '6"-FL-10042-A1B',
    'Relief outlet',
    'PSV-1004',
    '16"-FL-10050-A2F',
    [
      [-6, -7.22, 5.38],
      [-6, -1.2, 5.38],
      [-6, -1.2, getUpperRackHeight('16')],
    ],
    { material: 'paint-grey', flanges: [1.5], markers: [[3.4, west]] },
  );
}

function addGas(plant: PlantBuilder): void {
  const gas = '12"-PG-10015-A1B';
  plant.addLine(
    gas,
    'Separated gas',
    'V-1001',
    'V-1003',
    [
      [-10.5, -7.5, 4.45],
      [-10.5, -7.5, 5.4],
      [-10.5, -0.85, 5.4],
      [-10.5, -0.85, getRackHeight('12')],
      [12, -0.85, getRackHeight('12')],
      [12, -0.85, 5.4],
      [12, -4.6, 5.4],
      [12, -4.6, 3.2],
      [12, -6.4, 3.2],
    ],
    {
      material: 'paint-white',
      flanges: [4.5, 14, 24],
      markers: [
        [3.5, east],
        [18.5, south],
        [28, south],
        [33.4, west],
      ],
    },
  );
  plant.addValve(
    'PV-1005',
    'control',
    'Gas pressure control valve of V-1001',
    gas,
    [4.6, -0.85, getRackHeight('12')],
    east,
    up,
  );
  plant.addValve('SDV-1005', 'shutdown', 'Gas shutdown valve', gas, [-4.5, -0.85, getRackHeight('12')], east, up);
  plant.addPlate([4.6, -1.56, 3.72], south, 'PV-1005');
  plant.addPlate([-4.5, -1.56, 3.72], south, 'SDV-1005');
  plant.addInstrument('FE-1005', 'flow-element', 'Gas flow orifice', [-7.4, -0.85, getRackHeight('12')], south, {
    line: gas,
    plate: false,
  });
  plant.addInstrument('PT-1006', 'transmitter', 'Pressure of V-1003', [10.75, -5.9, 1.4], north, {
    tap: [11.6, -6.7, 3.6],
  });
  plant.addInstrument('LT-1007', 'transmitter', 'Level of V-1003', [13.4, -5.9, 1.4], north, {
    tap: [12.6, -6.75, 2.3],
  });
  plant.addInstrument('LG-1007', 'level-gauge', 'Level gauge of V-1003', [12.35, -6.42, 2.0], north, {
    height: 1.1,
    plate: false,
  });
  plant.addInstrument('PI-1006', 'gauge', 'Pressure of V-1003', [11.35, -6.45, 1.7], north, {
    tap: [11.5, -6.8, 1.85],
  });
  const drain = '3"-PO-10016-A1B';
  plant.addLine(
    drain,
    'Scrubber liquids',
    'V-1003',
    'Closed drain T-3001',
    [
      [12.75, -7.1, 1.15],
      [13.6, -7.1, 1.15],
      [13.6, -7.1, 0.6],
      [13.6, -4.7, 0.6],
      [15.6, -4.7, 0.6],
      [15.6, -4.7, -3],
    ],
    { material: 'paint-grey', markers: [[2.3, east]] },
  );
  plant.addValve('LV-1007', 'control', 'Level control valve of V-1003', drain, [14.55, -4.7, 0.6], east, up, north);
}

function addTestSeparator(plant: PlantBuilder): void {
  const gas = '6"-PG-10021-A1B';
  plant.addLine(
    gas,
    'Test gas',
    'V-1002',
    'E-1101A',
    [
      [-8.4, 8.5, 2.97],
      [-8.4, 8.5, 5.3],
      [-8.4, -0.4, 5.3],
      [-8.4, -0.4, getRackHeight('6')],
      [9, -0.4, getRackHeight('6')],
      [9, -0.4, 4.95],
      [9, -5.2, 4.95],
      [9, -5.2, 1.25],
      [9, -7.5, 1.25],
      [7.5, -7.5, 1.25],
    ],
    {
      material: 'paint-white',
      flanges: [1.2, 16, 26, 34.2],
      markers: [
        [5, east],
        [19.5, south],
        [25.3, south],
        [33.2, west],
        [34.9, north],
      ],
    },
  );
  plant.addValve('TV-1101', 'control', 'Temperature control valve of E-1101', gas, [9, -5.2, 2.45], down, north, north);
  plant.addValve('HV-1101', 'gate', 'Block valve of E-1101', gas, [9, -6.5, 1.25], south, up, east);
  plant.addInstrument('TT-1101', 'transmitter', 'Outlet temperature of E-1101', [7.9, -5.0, 1.4], north, {
    tap: [7.6, -7.3, 1.35],
    line: gas,
  });
  plant.addInstrument('PI-1002', 'gauge', 'Pressure of V-1002', [-11, 7.2, 2.2], south, { tap: [-11, 7.5, 2.2] });
  plant.addInstrument('LG-1008', 'level-gauge', 'Level gauge of V-1002', [-8.3, 7.5, 1.9], south, {
    height: 1.0,
    plate: false,
  });
  plant.addInstrument('PT-1002', 'transmitter', 'Pressure of V-1002', [-7.3, 6.3, 1.35], south, {
    tap: [-7.9, 7.75, 2.2],
  });
  const inlet = '6"-PF-10022-D2C';
  plant.addLine(
    inlet,
    'Test fluids',
    'Test manifold',
    'V-1002',
    [
      [-15.8, 11.2, -3],
      [-15.8, 11.2, 0.8],
      [-15.8, 8.5, 0.8],
      [-15.8, 8.5, 1.95],
      [-12.88, 8.5, 1.95],
    ],
    { material: 'paint-grey', flanges: [8.2], markers: [[9.4, south]] },
  );
  plant.addValve('HV-1020', 'ball', 'Inlet valve of V-1002', inlet, [-14.3, 8.5, 1.95], east, south, south);
  const oil = '4"-PO-10023-A1B';
  plant.addLine(
    oil,
    'Test oil',
    'V-1002',
    '8"-PO-10011-A1B',
    [
      [-9, 8.5, 0.95],
      [-9, 8.5, 0.5],
      [-9, 6.6, 0.5],
      [-4.4, 6.6, 0.5],
      [-4.4, 6.6, -3],
    ],
    { material: 'paint-grey', markers: [[4.6, south]] },
  );
  plant.addValve('LV-1008', 'control', 'Level control valve of V-1002', oil, [-6.2, 6.6, 0.5], east, up, south);
  plant.addValve('HV-1021', 'gate', 'Block valve of LV-1008', oil, [-7.5, 6.6, 0.5], east, up, south);
}

function addCooling(plant: PlantBuilder): void {
  const supply = '4"-CW-10061-B1G';
  const returnLine = '4"-CW-10062-B1G';
  plant.addLine(
    supply,
    'Cooling medium supply',
    'P-3010',
    'E-1101B',
    [
      [-17.0, 0.05, -3],
      [-17.0, 0.05, getRackHeight('4')],
      [2.6, 0.05, getRackHeight('4')],
      [2.6, 0.05, 4.75],
      [2.6, -7.5, 4.75],
      [2.6, -7.5, 3.08],
    ],
    {
      material: 'paint-green',
      flanges: [10, 22],
      markers: [
        [15, south],
        [30.2, west],
        [4.6, west],
      ],
    },
  );
  plant.addLine(
    returnLine,
    'Cooling medium return',
    'E-1101B',
    'E-3010',
    [
      [6.4, -7.5, 3.08],
      [6.4, -7.5, 4.95],
      [6.4, 0.4, 4.95],
      [6.4, 0.4, getRackHeight('4')],
      [16.5, 0.4, getRackHeight('4')],
      [16.5, 0.4, -3],
    ],
    {
      material: 'paint-green',
      flanges: [4, 15],
      markers: [
        [5.2, east],
        [13.5, south],
      ],
    },
  );
  plant.addValve(
    'HV-1102',
    'gate',
    'Cooling medium supply valve of E-1101',
    supply,
    [2.6, -7.5, 3.7],
    down,
    north,
    north,
  );
  plant.addValve(
    'HV-1103',
    'gate',
    'Cooling medium return valve of E-1101',
    returnLine,
    [6.4, -7.5, 3.7],
    up,
    north,
    north,
  );
  plant.addInstrument('TI-1102', 'thermometer', 'Cooling medium supply temperature', [2.6, -7.2, 3.25], north, {
    tap: [2.6, -7.45, 3.25],
    line: supply,
    plate: false,
  });
}

function addExport(plant: PlantBuilder): void {
  for (const [suffix, x, index] of [
    ['A', 6, 1],
    ['B', 10, 2],
  ] as const) {
    const suction = `8"-PO-1003${index}-A1B`;
    plant.addLine(
      suction,
      'Pump suction',
      '8"-PO-10011-A1B',
      `P-1002${suffix}`,
      [
        [x, 5.8, 0.75],
        [x, 7.25, 0.75],
      ],
      { material: 'paint-grey' },
    );
    plant.addValve(
      `HV-1${3 + index}01`,
      'gate',
      `Suction valve of P-1002${suffix}`,
      suction,
      [x, 6.35, 0.75],
      north,
      up,
    );
    plant.addPlate([x + 0.02, 5.66, 0.5], south, `HV-1${3 + index}01`);
  }
  const discharge = '6"-PO-10033-D2C';
  plant.addLine(
    discharge,
    'Oil export',
    'P-1002A',
    'Export riser',
    [
      [6, 7.62, 1.2],
      [6, 7.62, 5.5],
      [21.6, 7.62, 5.5],
      [21.6, 7.62, -10],
    ],
    {
      material: 'paint-grey',
      flanges: [0.35, 9, 16],
      markers: [
        [7.5, south],
        [13, south],
        [2.9, south],
      ],
    },
  );
  plant.addLine(
    '6"-PO-10034-D2C',
    'Pump discharge',
    'P-1002B',
    discharge,
    [
      [10, 7.62, 1.2],
      [10, 7.62, 5.42],
    ],
    { material: 'paint-grey', flanges: [0.35], markers: [[2.9, south]] },
  );
  for (const [suffix, x, line, index] of [
    ['A', 6, discharge, 1],
    ['B', 10, '6"-PO-10034-D2C', 2],
  ] as const) {
    plant.addValve(`NRV-10${30 + index}`, 'check', `Check valve of P-1002${suffix}`, line, [x, 7.62, 2.05], up, south);
    plant.addValve(
      `HV-1${3 + index}02`,
      'gate',
      `Discharge valve of P-1002${suffix}`,
      line,
      [x, 7.62, 2.75],
      up,
      south,
      south,
    );
    plant.addInstrument(
      `PI-10${30 + index}`,
      'gauge',
      `Discharge pressure of P-1002${suffix}`,
      [x - 0.32, 7.4, 1.75],
      south,
      { tap: [x, 7.58, 1.75], line },
    );
  }
  plant.addInstrument('FT-1033', 'transmitter', 'Export flow', [12.6, 5.9, 1.4], south, {
    tap: [12.9, 7.5, 5.4],
    line: discharge,
  });
}

function addRackUtilities(plant: PlantBuilder): void {
  const rows: readonly (readonly [
    number: string,
    service: string,
    y: number,
    material: 'galvanised' | 'paint-red' | 'paint-blue' | 'stainless',
    end: number,
  ])[] = [
    ['2"-IA-10065-S1N', 'Instrument air', 0.72, 'galvanised', -16.4],
    ['2"-UN-10066-S1N', 'Nitrogen', 0.95, 'stainless', -16.6],
    ['3"-UA-10067-S1N', 'Utility air', 1.22, 'paint-blue', -16.8],
    ['6"-FW-10070-C3F', 'Fire water', 1.52, 'paint-red', -17.2],
  ];
  for (const [number, service, y, material, x] of rows) {
    const z = getRackHeight(number.slice(0, number.indexOf('"')));
    plant.addLine(
      number,
      service,
      'Utilities M30',
      'Process deck',
      [
        [x, y, -3],
        [x, y, z],
        [-x - 0.3, y, z],
        [-x - 0.3, y, -3],
      ],
      {
        material,
        markers: [
          [17, north],
          [29, north],
          [5.6, west],
        ],
      },
    );
  }
  plant.addLine(
    '16"-FL-10050-A2F',
    'High-pressure flare',
    'Relief valves',
    'Flare tip',
    [
      [-14.5, -1.2, getUpperRackHeight('16')],
      [21.2, -1.2, getUpperRackHeight('16')],
      [21.2, 13.8, getUpperRackHeight('16')],
      [24.6, 17.0, 12],
      [47, 40, 40],
    ],
    {
      material: 'paint-grey',
      flanges: [0.15, 14, 28],
      markers: [
        [11, south],
        [24, south],
      ],
    },
  );
  const deluge = '3"-FW-10071-C3F';
  plant.addLine(
    deluge,
    'Deluge of the process deck',
    '6"-FW-10070-C3F',
    'Nozzles',
    [
      [-5, 1.52, getRackHeight('6') + 0.05],
      [-5, 1.52, 5.05],
      [-5, 6.2, 5.05],
      [-5, 6.2, 6.2],
      [13.5, 6.2, 6.2],
    ],
    {
      material: 'paint-red',
      markers: [
        [4, east],
        [9, south],
      ],
    },
  );
  plant.addValve('XV-1071', 'shutdown', 'Deluge valve', deluge, [-5, 3.4, 5.05], north, up);
  for (let x = -3.5; x < 13.4; x += 2.4) plant.addPost([x, 6.2, 6.16], [x, 6.2, 5.98], 0.018, 'brass');
  const secondDeluge = '3"-FW-10072-C3F';
  plant.addLine(
    secondDeluge,
    'Deluge of V-1001',
    '6"-FW-10070-C3F',
    'Nozzles',
    [
      [-4, 1.52, getRackHeight('6') + 0.05],
      [-4, 1.52, 5.65],
      [-4, -5.9, 5.65],
      [-12, -5.9, 5.65],
    ],
    { material: 'paint-red', markers: [[5, east]] },
  );
  for (let x = -11.5; x < -4.4; x += 1.75) {
    plant.addPost([x, -5.9, 5.62], [x, -5.9, 5.4], 0.016, 'brass');
    plant.addPost([x, -5.9, 5.4], [x, -5.98, 5.33], 0.03, 'brass', 0.012);
  }
}

/** Adds the supports of low lines. */
function addSupports(plant: PlantBuilder): void {
  for (let x = -13; x < 17; x += 3.1) addSupport(plant, [x, -10.1, 0], 0.75 - getRadius('12'));
  for (const x of [-4.0, -2.1, -0.95]) addSupport(plant, [x, -5.0, 0], 0.8 - getRadius('8'));
  for (const x of [-11.75, -12.95, -14.3]) addSupport(plant, [x, -5.0, 0], 0.75 - getRadius('6'));
  for (const x of [5, 8, 11, 13]) addSupport(plant, [x, 5.8, 0], 0.75 - getRadius('8'));
  for (const y of [-5.0, -7.3, -9.8]) addSupport(plant, [17.6, y, 0], 0.75 - getRadius('12'));
  for (const x of [-6.9, -5.4]) addSupport(plant, [x, 6.6, 0], 0.5 - getRadius('4'));
  addSupport(plant, [-15.8, 9.6, 0], 0.8 - getRadius('6'));
  addSupport(plant, [-13.5, 8.5, 0], 1.95 - getRadius('6'));
  addSupport(plant, [9, -7.2, 0], 1.25 - getRadius('6'));
  plant.addBeam([-12.2, -5.9, 5.5], [-12.2, -4.0, 5.5], 0.1, 0.08, 'galvanised');
  for (const x of [-12, -6.75]) {
    plant.addBeam([x, -5.3, 0], [x, -5.3, 5.55], 0.14, 0.12);
    plant.addBeam([x, -5.3, 5.52], [x, -6.1, 5.52], 0.1, 0.08);
  }
}

function addSupport(plant: PlantBuilder, foot: Point, height: number): void {
  const [x, y, z] = foot;
  plant.addBlockBetween([x - 0.12, y - 0.12, z], [x + 0.12, y + 0.12, z + 0.015], 'steel-structure');
  plant.addBeam([x, y, z + 0.015], [x, y, z + height - 0.06], 0.12, 0.12);
  plant.addBlockBetween([x - 0.1, y - 0.13, z + height - 0.06], [x + 0.1, y + 0.13, z + height], 'steel-structure');
}
