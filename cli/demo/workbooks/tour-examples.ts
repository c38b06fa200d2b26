import type { ExampleSheets } from '#core/server';

const { mandatoryField, format, duplicate } = {
  mandatoryField: 'core.validation.mandatoryField',
  format: 'core.validation.format',
  duplicate: 'core.validation.duplicate',
} as const;
const existingValue = (sheet: string, column: string) => ({ sheet, column });
const duplicateRow = 'imports.refused.duplicateRow';
/** A line of the demo plant. */
const line = '10"-PG-10031-A1B';

const lineWithoutSize = {
  number: 'EX-BARE',
  service: null,
  nps: null,
  dn: null,
  outsideDiameter: null,
  from: null,
  to: null,
} as const;

/** Tours with their tags, and the mapping of models. */
export const tourExamples: ExampleSheets = {
  'tour.tags': {
    decks: {
      row: { code: existingValue('decks', 'code'), location: existingValue('decks', 'location'), floor: 'Grated' },
      accompanyingCells: { code: { location: ['HB-M20-L1', 'HB-M20-L2', 'HB-M30-L1', 'HB-M40-L1'] } },
      faults: [
        { row: { code: 'EX-UNIT', location: 'HB-M20' }, column: 'location', message: 'tour.refused.noLevel' },
        { row: { code: 'EX-SECOND', location: 'HB-M10-L1' }, column: 'location', message: 'tour.refused.deckExists' },
        {
          row: { code: 'UPPER', location: 'HB-M20-L1' },
          column: 'location',
          message: 'tour.refused.staysThere',
          messageValues: { name: 'Upper deck', place: 'HB-M10-L2' },
        },
      ],
    },
    walls: {
      row: { deck: 'PROCESS', wall: '{n}', point: 1, x: -5, y: 2 },
      // These rows would be points of walls that are incomplete.
      without: [
        'core.validation.min',
        'core.validation.max',
        'core.validation.decimals',
        'core.validation.maxLength',
        'imports.refused.reference',
        duplicateRow,
      ],
      faults: [
        { row: { point: 2 }, column: 'point', message: 'tour.refused.wallPoints', messageValues: { number: '{n}' } },
        { precedingRows: [{}], row: { point: 2 }, column: 'x', message: 'tour.refused.pointTwice' },
      ],
    },
    tours: {
      row: {
        code: 'EX-T{n}',
        name: 'Example {n}',
        start: null,
        location: [
          ...['HB', 'HB-M20', 'HB-M30', 'HB-M10-L1', 'HB-M10-L2', 'HB-M20-L1', 'HB-M20-L2', 'HB-M30-L1'],
          ...['HB-M10-L1-SEP', 'HB-M10-L1-TST', 'HB-M10-L1-EXP', 'HB-M10-L2-CMP'],
        ],
      },
      // A second row of the same location would also get another message.
      without: [duplicateRow],
      faults: [
        {
          precedingRows: [{ code: 'EX-TWICE', location: 'HB-M40' }],
          row: { code: 'EX-TWICE', location: 'HB-M40-L1' },
          column: 'code',
          message: duplicateRow,
          messageValues: { value: 'EX-TWICE', row: '{before}' },
        },
        { row: { location: 'HB-M10' }, column: 'location', message: 'tour.refused.tourExists' },
        {
          row: { start: 'HB-P01', location: 'HB-M10-L1-SEP' },
          column: 'start',
          message: 'tour.refused.startElsewhere',
        },
        {
          row: { code: 'HB-M10', name: 'Module M10 process', location: 'HB-M20' },
          column: 'location',
          message: 'tour.refused.staysThere',
          messageValues: { name: 'Module M10 process', place: 'HB-M10' },
        },
      ],
    },
    viewpoints: {
      row: { code: existingValue('viewpoints', 'code') },
      // Viewpoints of other tours than those that the sheet of links refers to.
      accompanyingCells: { tour: { code: ['HB-U04', 'HB-U05'] } },
      faults: [
        {
          row: { code: 'HB-U05', name: 'Head of the escape ladder', tour: 'EX-T4' },
          column: 'tour',
          message: 'tour.refused.staysThere',
          messageValues: { name: 'Head of the escape ladder', place: 'HB-M10' },
        },
        {
          row: { code: 'EX-LOST' },
          column: 'code',
          message: 'tour.refused.unreachable',
          severity: 'WARNING',
        },
      ],
    },
    links: {
      row: {
        from: existingValue('links', 'from'),
        to: existingValue('links', 'to'),
        kind: existingValue('links', 'kind'),
      },
      faults: [
        { row: { from: 'HB-P05', to: 'HB-P05' }, column: 'to', message: 'tour.refused.selfLink' },
        {
          precedingRows: [{ from: 'HB-P05', to: 'HB-U03', kind: 'Ladder' }],
          row: { from: 'HB-U03', to: 'HB-P05', kind: 'Walk' },
          column: 'kind',
          message: 'tour.refused.otherKindBack',
          messageValues: { row: '{before}' },
        },
      ],
    },
    lines: {
      row: {
        number: 'EX-L{n}',
        location: 'HB-M10',
        description: null,
        service: 'Process gas',
        nps: '6',
        dn: 150,
        outsideDiameter: 168.3,
        from: 'V-1001',
        to: 'V-1002',
      },
      faults: [
        { precedingRows: [lineWithoutSize], row: { service: null }, column: 'service', message: mandatoryField },
        { row: { nps: 'six' }, column: 'nps', message: 'tour.refused.nps' },
        { row: { number: '---' }, column: 'number', message: format },
      ],
    },
    courses: {
      row: {
        line: existingValue('courses', 'line'),
        point: existingValue('courses', 'point'),
        x: existingValue('courses', 'x'),
        y: existingValue('courses', 'y'),
        z: existingValue('courses', 'z'),
      },
      // These rows would be points of courses that are incomplete.
      without: [
        mandatoryField,
        'core.validation.min',
        'core.validation.max',
        'core.validation.decimals',
        'core.validation.maxLength',
        'imports.refused.reference',
        duplicateRow,
      ],
      faults: [
        { row: { line: '12"-PF-10001-D2C', point: 9 }, column: 'point', message: 'tour.refused.coursePoints' },
        {
          precedingRows: [{ line: '16"-FL-10050-A2F', point: 6, x: 1, y: 2, z: 3 }],
          row: { line: '16"-FL-10050-A2F', point: 7, x: 1, y: 2, z: 3 },
          column: 'x',
          message: 'tour.refused.pointTwice',
        },
        ...[1, 2].map((point) => ({
          row: { line: lineWithoutSize.number, point, x: point, y: 2, z: 3 },
          column: 'line',
          message: 'tour.refused.courseWithoutSize',
        })),
      ],
    },
    lineViews: {
      row: {
        line: existingValue('lineViews', 'line'),
        viewpoint: existingValue('lineViews', 'viewpoint'),
        pan: existingValue('lineViews', 'pan'),
        tilt: existingValue('lineViews', 'tilt'),
        distance: existingValue('lineViews', 'distance'),
        visible: existingValue('lineViews', 'visible'),
      },
      faults: [{ row: { pan: 360 }, column: 'pan', message: 'tour.refused.panFullTurn' }],
    },
    tags: {
      row: { number: 'EX-{n}', kind: 'VALVE', location: 'HB-M10', description: null, line: null, x: 1, y: 2, z: 3 },
      faults: [
        { row: { x: null }, column: 'x', message: mandatoryField },
        { row: { number: '...' }, column: 'number', message: format },
        {
          row: { x: 100_000 },
          column: 'x',
          message: 'tour.refused.farFromDecks',
          messageValues: { distance: 99_971 },
          severity: 'WARNING',
        },
        { row: { number: line }, column: 'number', message: duplicate, messageValues: { value: line } },
      ],
    },
  },
  'model-3d.mapping': {
    mappings: {
      row: { element: existingValue('mappings', 'element'), tag: existingValue('mappings', 'tag') },
      faults: [
        {
          row: { element: 'NOT-THERE' },
          column: 'element',
          message: 'model-3d.refused.noSuchElement',
          messageValues: { model: 'Halvorsen Bravo', element: 'NOT-THERE' },
        },
      ],
    },
  },
};
