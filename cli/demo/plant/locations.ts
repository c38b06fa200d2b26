import type { Deck, PlantLocation } from './types.ts';

/** The company's sites; only Halvorsen Bravo is drawn, the others have their tree. */
export const locations: readonly PlantLocation[] = [
  { uid: 'HB', name: 'Halvorsen Bravo', label: 'Production platform, block 34/7', parent: null, root: 'HB', locationType: 'PRIMARY_LOCATION' },
  { uid: 'HB-M10', name: 'Module M10', label: 'Process', parent: 'HB', root: 'HB', locationType: 'PLATFORM_UNIT', box: { min: [-20, -13, 0], max: [20, 13, 7.5] } },
  { uid: 'HB-M10-L1', name: 'Process deck', label: 'EL +0.000', parent: 'HB-M10', root: 'HB', locationType: 'LOC_LEVEL' },
  { uid: 'HB-M10-L2', name: 'Upper deck', label: 'EL +7.000', parent: 'HB-M10', root: 'HB', locationType: 'LOC_LEVEL' },
  { uid: 'HB-M10-L1-SEP', name: 'Separation', label: 'V-1001 and its outlets', parent: 'HB-M10-L1', root: 'HB', locationType: 'LOC_GROUP' },
  { uid: 'HB-M10-L1-TST', name: 'Well test', label: 'V-1002', parent: 'HB-M10-L1', root: 'HB', locationType: 'LOC_GROUP' },
  { uid: 'HB-M10-L1-EXP', name: 'Export', label: 'P-1002A and B', parent: 'HB-M10-L1', root: 'HB', locationType: 'LOC_GROUP' },
  { uid: 'HB-M10-L2-CMP', name: 'Compression', label: 'K-1001, V-1004, E-1102', parent: 'HB-M10-L2', root: 'HB', locationType: 'LOC_GROUP' },
  { uid: 'HB-M20', name: 'Module M20', label: 'Wellheads', parent: 'HB', root: 'HB', locationType: 'PLATFORM_UNIT', box: { min: [22, -13, 0], max: [41, 13, 14] } },
  { uid: 'HB-M20-L1', name: 'Wellhead deck', label: 'EL +0.000', parent: 'HB-M20', root: 'HB', locationType: 'LOC_LEVEL' },
  { uid: 'HB-M20-L2', name: 'Drill deck', label: 'EL +13.000', parent: 'HB-M20', root: 'HB', locationType: 'LOC_LEVEL' },
  { uid: 'HB-M30', name: 'Module M30', label: 'Utilities', parent: 'HB', root: 'HB', locationType: 'PLATFORM_UNIT', box: { min: [-18, 15, 5], max: [18, 28, 12] } },
  { uid: 'HB-M30-L1', name: 'Generator deck', label: 'EL +0.000', parent: 'HB-M30', root: 'HB', locationType: 'LOC_LEVEL' },
  { uid: 'HB-M40', name: 'Module M40', label: 'Living quarters and helideck', parent: 'HB', root: 'HB', locationType: 'PLATFORM_UNIT', box: { min: [-50, -12, 0], max: [-29.5, 12, 18.5] } },
  { uid: 'HB-M40-L1', name: 'Muster area', label: 'EL +0.000', parent: 'HB-M40', root: 'HB', locationType: 'LOC_LEVEL' },
  { uid: 'SK', name: 'Skarv Kilde', label: 'Wellhead platform, block 34/8', parent: null, root: 'SK', locationType: 'PRIMARY_LOCATION' },
  { uid: 'SK-W10', name: 'Module W10', label: 'Wellheads', parent: 'SK', root: 'SK', locationType: 'PLATFORM_UNIT', box: { min: [-13, -11, -6], max: [13, 11, 12] } },
  { uid: 'SK-W10-L1', name: 'Cellar deck', label: 'EL -6.000', parent: 'SK-W10', root: 'SK', locationType: 'LOC_LEVEL' },
  { uid: 'SK-W10-L2', name: 'Main deck', label: 'EL +0.000', parent: 'SK-W10', root: 'SK', locationType: 'LOC_LEVEL' },
  { uid: 'OT', name: 'Orrevik Terminal', label: 'Oil terminal ashore', parent: null, root: 'OT', locationType: 'PRIMARY_LOCATION' },
  { uid: 'OT-T10', name: 'Tank farm T10', label: 'Crude storage', parent: 'OT', root: 'OT', locationType: 'PLATFORM_UNIT', box: { min: [-122, 83, -22], max: [114, 182, -6] } },
  { uid: 'OT-T10-L1', name: 'Ground', label: 'EL +4.000', parent: 'OT-T10', root: 'OT', locationType: 'LOC_LEVEL' },
  { uid: 'OT-J20', name: 'Jetty J20', label: 'Loading', parent: 'OT', root: 'OT', locationType: 'PLATFORM_UNIT', box: { min: [-45, -105, -21], max: [28, -60, -3] } },
  { uid: 'OT-J20-L1', name: 'Jetty head', label: 'EL +6.000', parent: 'OT-J20', root: 'OT', locationType: 'LOC_LEVEL' },
  { uid: 'MF', name: 'Marit Flyter', label: 'Floating production unit, block 35/2', parent: null, root: 'MF', locationType: 'PRIMARY_LOCATION' },
  { uid: 'MF-P10', name: 'Topside P10', label: 'Separation and water injection', parent: 'MF', root: 'MF', locationType: 'PLATFORM_UNIT', box: { min: [-50, -18, -4], max: [72, 18, 13] } },
  { uid: 'MF-P10-L1', name: 'Main deck', label: 'EL +0.000', parent: 'MF-P10', root: 'MF', locationType: 'LOC_LEVEL' },
];

const extent = { west: -22, south: -16, east: 24, north: 15 };

export const decks: readonly Deck[] = [
  { code: 'PROCESS', name: 'Process deck', location: 'HB-M10-L1', elevation: 0, extent, cut: 5.9 },
  { code: 'UPPER', name: 'Upper deck', location: 'HB-M10-L2', elevation: 7, extent, cut: 13.3 },
];
