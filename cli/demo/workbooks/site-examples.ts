import type { ExampleSheets } from '#core/server';

const { mandatoryField, min, timeZone } = {
  mandatoryField: 'core.validation.mandatoryField',
  min: 'core.validation.min',
  timeZone: 'core.validation.timeZone',
} as const;

/** Sites, masters, people, costs and contacts. */
export const siteExamples: ExampleSheets = {
  'masters.masters': {
    masters: {
      row: {
        type: 'ACTIVITY',
        name: 'Example {n}',
        status: 'Active',
        parentType: null,
        parentName: null,
        sequence: 1,
        frenchName: 'Exemple {n}',
      },
      accompanyingCells: {
        parentType: { type: 'SECTION', parentName: 'Operations' },
        parentName: { type: 'SECTION', parentType: 'DEPARTMENT' },
      },
      faults: [
        { row: { type: 'SECTION', parentType: 'DEPARTMENT' }, column: 'parentName', message: mandatoryField },
        { row: { type: 'SECTION', parentName: 'Operations' }, column: 'parentType', message: mandatoryField },
        {
          row: { type: 'SECTION', parentType: 'DIVISION', parentName: 'Operations' },
          column: 'parentType',
          message: 'imports.refused.enum',
          messageValues: { values: 'DEPARTMENT' },
        },
        {
          row: { type: 'SECTION', parentType: 'DEPARTMENT', parentName: 'Operations' },
          column: 'parentName',
          message: 'imports.refused.reference',
          messageValues: { value: 'Operations', entity: 'DEPARTMENT' },
        },
      ],
    },
  },
  'users.users': {
    users: {
      row: {
        email: 'example-{n}@walkdown.example',
        name: 'Example {n}',
        userType: null,
        accountType: 'TENANT_USER',
        isAdmin: false,
        status: 'Active',
        businessUnit: null,
        division: null,
        department: null,
        section: null,
        roles: 'Visitor',
      },
      faults: [
        { row: { isAdmin: true }, column: 'isAdmin', message: 'core.refused.adminFlag' },
        {
          row: { roles: 'Turnaround crew' },
          column: 'roles',
          message: 'imports.refused.referenceInactive',
          messageValues: { value: 'Turnaround crew' },
        },
        {
          row: {
            email: 'admin@walkdown.example',
            accountType: 'TENANT_ADMIN',
            isAdmin: true,
            status: 'Inactive',
            roles: 'Administrator',
          },
          column: 'status',
          message: 'core.refused.ownAccount',
        },
      ],
    },
  },
  'locations.locations': {
    locations: {
      row: {
        code: 'EX-{n}',
        name: 'Example {n}',
        label: null,
        locationType: 'Group',
        parent: 'HB',
        sequence: 1,
        timeZone: null,
        crs: null,
        originEast: null,
        originNorth: null,
        originUp: null,
        rotation: null,
        unit: null,
        verticalDatum: null,
        icon: null,
        navigationImage: null,
      },
      faults: [
        { row: { parent: null }, column: 'parent', message: mandatoryField },
        {
          row: { code: 'EX-LOOP', parent: 'EX-LOOP' },
          column: 'parent',
          message: 'locations.refused.cycle',
          messageValues: { code: 'EX-LOOP' },
        },
        { row: { locationType: 'Level' }, column: 'parent', message: 'locations.refused.place' },
        { row: { timeZone: 'Europe/Oslo' }, column: 'timeZone', message: 'locations.refused.noSite' },
        { row: { timeZone: 'Mars/Base' }, column: 'timeZone', message: timeZone },
        { row: { locationType: 'Site', parent: null }, column: 'timeZone', message: mandatoryField },
        {
          row: { code: 'hb-m20', locationType: 'Unit' },
          column: 'code',
          message: 'locations.refused.codeStays',
          messageValues: { code: 'HB-M20' },
        },
        {
          precedingRows: [{ code: 'EX-GROUP' }],
          row: { code: 'HB-M10', name: 'Module M10', locationType: 'Level', parent: 'EX-GROUP' },
          column: 'locationType',
          message: 'locations.refused.children',
          messageValues: { name: 'Module M10' },
        },
        {
          precedingRows: [{ code: 'EX-SITE', locationType: 'Site', parent: null, timeZone: 'Europe/Oslo' }],
          row: { code: 'HB-M30', locationType: 'Unit', parent: 'EX-SITE' },
          column: 'parent',
          message: 'locations.refused.otherSite',
        },
      ],
    },
    hotspots: {
      row: {
        map: 'HB',
        target: ['HB', 'HB-M20', 'HB-M20-L1', 'HB-M20-L2', 'HB-M40', 'HB-M40-L1'],
        points: '10,10; 20,10; 20,20',
      },
      faults: [
        { row: { points: '10,10; 20' }, column: 'points', message: 'imports.refused.points' },
        {
          row: { points: '10,10; 120,10; 20,20' },
          column: 'points',
          message: 'imports.refused.range',
          messageValues: { min: 0, max: 100 },
        },
        { row: { points: '10,10; 20,20; 20,10; 10,20' }, column: 'points', message: 'imports.refused.polygon' },
        {
          row: { points: Array.from({ length: 65 }, (_, index) => `${index},${(index * index) / 100}`).join('; ') },
          column: 'points',
          message: 'imports.refused.tooManyPoints',
          messageValues: { max: 64 },
        },
        {
          row: { map: 'HB-M10', target: 'HB-M20' },
          column: 'target',
          message: 'locations.refused.targetElsewhere',
          messageValues: { code: 'HB-M20' },
        },
      ],
    },
  },
  'expense.expense': {
    estimations: {
      row: {},
      faults: (['tripDays', 'tourHours'] as const).map((column) => ({
        row: { [column]: 0 },
        column,
        message: min,
        messageValues: { min: 0.01 },
      })),
    },
  },
  'media.contacts': {
    contacts: {
      row: {
        name: 'Example {n}',
        jobTitle: 'Operator',
        category: 'Site',
        email: 'example@walkdown.example',
        phone: null,
        location: 'HB',
        languages: 'English',
        sequence: 1,
        onLogin: false,
      },
      faults: [
        { row: { email: null }, column: 'phone', message: 'media.refused.contactUnreachable' },
        { row: { phone: '12' }, column: 'phone', message: 'media.refused.phone' },
      ],
    },
  },
};
