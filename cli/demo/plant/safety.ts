import type { PlantBuilder } from './plant-builder.ts';
import { east, north, south, west } from './process-deck.ts';
import type { Point } from './types.ts';

/** Adds fire extinguishers, escape equipment, detectors, lights, cable trays and signs of the process module. */
export function addSafetyEquipment(plant: PlantBuilder): void {
  plant.addToDeck('PROCESS', () => {
    addExtinguishers(plant, 0, [
      ['EX-1001', [-15.24, -1.85, 0], west],
      ['EX-1002', [-3.24, -1.85, 0], south],
      ['EX-1003', [9, -2.2, 0], south],
      ['EX-1004', [0, 2.6, 0], north],
      ['EX-1005', [10.3, 2.75, 0], north],
      ['EX-1006', [-9.6, 2.5, 0], north],
    ]);
    for (const [tag, at, facing] of [
      ['LB-1001', [-11, -12.93, 0.75], north],
      ['LB-1002', [3, -12.93, 0.75], north],
      ['LB-1003', [15, -12.93, 0.75], north],
      ['LB-1004', [-19.93, 4, 0.75], east],
      ['LB-1005', [19.93, -1, 0.75], west],
    ] as const)
      plant.add({ kind: 'lifebuoy', deck: 'PROCESS', tag, description: 'Lifebuoy with line', at, facing });
    plant.add({
      kind: 'hose-reel',
      deck: 'PROCESS',
      tag: 'HR-1001',
      description: 'Fire hose reel',
      base: [-16.3, -12.5, 0],
      facing: north,
    });
    plant.add({
      kind: 'hose-reel',
      deck: 'PROCESS',
      tag: 'HR-1002',
      description: 'Fire hose reel',
      base: [2.2, 12.4, 0],
      facing: south,
    });
    for (const [tag, at, facing, type] of [
      ['GD-1001', [-6.4, -4.9, 2.6], north, 'gas-detector'],
      ['GD-1002', [3, -2.05, 2.5], south, 'gas-detector'],
      ['GD-1003', [9, 2.05, 2.5], north, 'gas-detector'],
      ['GD-1004', [-9, 2.05, 2.5], north, 'gas-detector'],
      ['FD-1001', [-3, -2.05, 3.6], south, 'flame-detector'],
      ['FD-1002', [15, -2.05, 3.6], south, 'flame-detector'],
      ['FD-1003', [3, 2.05, 3.6], north, 'flame-detector'],
      ['MC-1001', [-9, -2.0, 1.45], south, 'call-point'],
      ['MC-1002', [9, -2.0, 1.45], south, 'call-point'],
      ['MC-1003', [-3, 2.0, 1.45], north, 'call-point'],
      ['MC-1004', [15, 2.0, 1.45], north, 'call-point'],
      ['XA-1001', [-15, -2.05, 3.4], south, 'beacon'],
      ['XA-1002', [15, 2.05, 3.4], north, 'beacon'],
      ['JB-1001', [-3, -2.05, 1.7], south, 'junction-box'],
      ['JB-1002', [3, -2.05, 1.7], south, 'junction-box'],
      ['JB-1003', [15, -2.05, 1.7], south, 'junction-box'],
      ['JB-1004', [3, 2.05, 1.7], north, 'junction-box'],
      ['JB-1005', [-15, 2.05, 1.7], north, 'junction-box'],
    ] as const)
      plant.addInstrument(tag, type, describeType(type), at, facing, {
        plate: type !== 'beacon' && type !== 'call-point',
      });
    addTrays(plant);
    for (let x = -13.5; x < 16; x += 6) {
      for (const y of [-1.95, 1.95])
        plant.add({ kind: 'lamp', deck: 'PROCESS', type: 'linear', at: [x, y, 5.45], facing: [0, 0, -1], along: east });
    }
    for (let x = -17; x < 19; x += 6)
      plant.add({ kind: 'lamp', deck: 'PROCESS', type: 'linear', at: [x, 10.8, 6.2], facing: [0, 0, -1], along: east });
    addSigns(plant);
  });
  plant.addToDeck('UPPER', () => {
    addExtinguishers(plant, 7, [
      ['EX-2001', [-6.9, 5.85, 7], south],
      ['EX-2002', [1.2, 5.95, 7], south],
      ['EX-2003', [15.4, 9.3, 7], south],
    ]);
    plant.add({
      kind: 'hose-reel',
      deck: 'UPPER',
      tag: 'HR-2001',
      description: 'Fire hose reel',
      base: [-16.2, 7.5, 7],
      facing: south,
    });
    plant.add({
      kind: 'lifebuoy',
      deck: 'UPPER',
      tag: 'LB-2001',
      description: 'Lifebuoy with line',
      at: [-19.93, 7, 7.75],
      facing: east,
    });
    plant.add({
      kind: 'lifebuoy',
      deck: 'UPPER',
      tag: 'LB-2002',
      description: 'Lifebuoy with line',
      at: [6, 2.09, 7.75],
      facing: north,
    });
    for (const [x, y] of [
      [-15.2, 5.9],
      [-1.2, 11.4],
      [15.2, 7.2],
    ] as const) {
      plant.addPost([x, y, 7], [x, y, 10.6], 0.05, 'galvanised');
      plant.add({ kind: 'lamp', deck: 'UPPER', type: 'flood', at: [x, y, 10.6], facing: [0, -0.8, -0.6], along: east });
    }
    plant.addInstrument('GD-2001', 'gas-detector', describeType('gas-detector'), [-7.6, 7.2, 9.2], south, {});
    plant.addInstrument('FD-2001', 'flame-detector', describeType('flame-detector'), [1.5, 6.6, 10.4], south, {
      plate: false,
    });
    plant.addInstrument('MC-2001', 'call-point', describeType('call-point'), [-15.2, 5.8, 8.4], south, {
      plate: false,
    });
    plant.addSign([-15.2, 5.8, 9.25], south, 0.62, 0.42, 'safe', 'ESCAPE ROUTE', '\u2190  STAIR');
    plant.addSign([15.2, 7.1, 9.25], south, 0.62, 0.42, 'safe', 'ESCAPE ROUTE', 'LADDER  \u2192');
    plant.addSign([-12.9, 7.37, 8.85], south, 0.72, 0.52, 'mandatory', 'HEARING PROTECTION', 'MUST BE WORN');
    plant.addSign([-9.4, 7.37, 8.85], south, 0.72, 0.52, 'warning', 'MACHINE STARTS', 'AUTOMATICALLY');
    plant.addSign([3.4, 6.5, 8.85], south, 0.72, 0.52, 'warning', 'HOT SURFACES', 'ABOVE');
    plant.addSign([-18.4, 9.6, 8.9], south, 0.901, 0.3, 'notice', 'UPPER DECK', 'EL +7.000');
    plant.addPost([-18.4, 9.65, 7], [-18.4, 9.65, 9.1], 0.03, 'galvanised');
  });
}

function describeType(type: string): string {
  const descriptions: Record<string, string> = {
    'gas-detector': 'Gas detector',
    'flame-detector': 'Flame detector',
    'call-point': 'Manual call point',
    beacon: 'Alarm beacon',
    'junction-box': 'Junction box',
  };
  return descriptions[type] ?? type;
}

function addExtinguishers(
  plant: PlantBuilder,
  z: number,
  extinguishers: readonly (readonly [string, Point, Point])[],
): void {
  for (const [tag, base, facing] of extinguishers) {
    plant.add({
      kind: 'extinguisher',
      deck: plant.deck,
      tag,
      description: 'Dry powder extinguisher 9 kg',
      base,
      facing,
    });
    plant.addSign(
      [base[0] + facing[0] * 0.02, base[1] + facing[1] * 0.02, z + 1.62],
      facing,
      0.3,
      0.4,
      'fire',
      'FIRE',
      'EXTINGUISHER',
    );
    plant.addPost(
      [base[0] - facing[0] * 0.03, base[1] - facing[1] * 0.03, z],
      [base[0] - facing[0] * 0.03, base[1] - facing[1] * 0.03, z + 1.8],
      0.022,
      'galvanised',
    );
  }
}

function addTrays(plant: PlantBuilder): void {
  for (const [y, width, cables] of [
    [0.1, 0.6, 11],
    [0.95, 0.45, 7],
  ] as const)
    plant.add({ kind: 'cable-tray', deck: 'PROCESS', from: [-17, y, 6.02], to: [16.4, y, 6.02], width, cables });
  plant.add({
    kind: 'cable-tray',
    deck: 'PROCESS',
    from: [-17, 11.6, 5.9],
    to: [19, 11.6, 5.9],
    width: 0.45,
    cables: 8,
  });
  for (const x of [-15, -9, -3, 3, 9, 15]) {
    plant.addBeam([x, 11.6, 6.4], [x, 11.6, 5.85], 0.06, 0.06, 'galvanised');
    plant.addBeam([x, 11.3, 5.86], [x, 11.9, 5.86], 0.05, 0.05, 'galvanised');
  }
  for (const x of [-9.3, -3.3, 3.3, 14.7])
    plant.add({
      kind: 'cable-tray',
      deck: 'PROCESS',
      from: [x, -2.02, 1.9],
      to: [x, -2.02, 5.95],
      width: 0.2,
      cables: 3,
    });
  plant.add({
    kind: 'cable-tray',
    deck: 'PROCESS',
    from: [-15.4, 2.02, 2.0],
    to: [-15.4, 2.02, 5.95],
    width: 0.3,
    cables: 5,
  });
}

function addSigns(plant: PlantBuilder): void {
  for (const [x, y, facing, text] of [
    [-9, -2.03, south, ['ESCAPE ROUTE', '\u2190  STAIR']],
    [3, -2.03, south, ['ESCAPE ROUTE', '\u2190  STAIR']],
    [15, -2.03, south, ['ESCAPE ROUTE', 'LADDER  \u2192']],
    [-3, 2.03, north, ['ESCAPE ROUTE', 'MUSTER  \u2192']],
    [9, 2.03, north, ['ESCAPE ROUTE', '\u2190  LADDER']],
  ] as const)
    plant.addSign([x, y, 2.9], facing, 0.72, 0.42, 'safe', ...text);
  plant.addSign([-15, -2.0, 2.2], south, 0.62, 0.46, 'mandatory', 'EYE PROTECTION', 'MUST BE WORN');
  plant.addSign([9, -2.0, 2.2], south, 0.62, 0.46, 'warning', 'HYDROCARBON GAS', 'NO NAKED LIGHTS');
  plant.addSign([-15, 2.0, 2.45], north, 0.62, 0.46, 'warning', 'HIGH PRESSURE', 'TEST SEPARATOR');
  plant.addSign([-19.96, -6.4, 1.4], east, 1.4, 0.5, 'notice', 'PROCESS DECK', 'EL +0.000');
  plant.addSign([16.9, 10.6, 1.75], south, 1.2, 0.5, 'warning', 'CORROSION INHIBITOR', 'WEAR GLOVES AND GOGGLES');
  plant.addPost([16.35, 10.64, 0], [16.35, 10.64, 2], 0.025, 'galvanised');
  plant.addPost([17.45, 10.64, 0], [17.45, 10.64, 2], 0.025, 'galvanised');
  plant.addSign([17.34, -7.4, 1.75], west, 1.3, 0.42, 'notice', 'PRODUCTION MANIFOLD', 'WELLS W-01 TO W-04');
  for (const y of [-7.0, -7.8]) plant.addPost([17.4, y, 0], [17.4, y, 1.96], 0.025, 'galvanised');
  plant.addSign([-18.8, 12.64, 3.4], south, 2.601, 0.8, 'module', 'MODULE M10', 'PROCESS');
}
