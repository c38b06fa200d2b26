import { sql, type RawBuilder } from 'kysely';
import { validationMessages } from '#core';
import type { ContentChanges } from '#core/server';
import {
  finding,
  type ApplyContext,
  type CheckContext,
  type ImportColumn,
  type ImportKind,
  type ImportSheet,
} from '#plugins/imports';
import { figureDecimals, maxCostDigits, maxTourHours, maxTripDays, minDuration } from '../../../contract/rules.ts';
import type { ExpenseTables } from '../../tables.ts';

const sheetId = 'estimations';

const figure = { type: 'NUMBER', required: true, min: 0, decimals: figureDecimals } as const;
const figureColumns: readonly ImportColumn[] = [
  {
    ...figure,
    id: 'fixedCost',
    header: { en: 'Fixed Cost per Trip ($)', fr: 'Coût fixe par déplacement ($)' },
    integerDigits: maxCostDigits,
  },
  {
    ...figure,
    id: 'perDiem',
    header: { en: 'Per Diem Cost ($)', fr: 'Coût journalier ($)' },
    integerDigits: maxCostDigits,
  },
  {
    ...figure,
    id: 'tripDays',
    header: { en: 'Average Trip Duration (days)', fr: 'Durée moyenne d’un déplacement (jours)' },
    max: maxTripDays,
    note: { en: 'Above 0, at most 365.', fr: 'Plus de 0, 365 au plus.' },
  },
  {
    ...figure,
    id: 'tourHours',
    header: { en: 'Tour Hours Equal to 1 Physical Day', fr: 'Heures de visite équivalant à 1 jour sur place' },
    max: maxTourHours,
    note: { en: 'Above 0, at most 24.', fr: 'Plus de 0, 24 au plus.' },
  },
];

/** Finds durations of zero. The rules of the columns find all other wrong values. */
const checkDurations = ({ rows }: CheckContext): RawBuilder<unknown> => sql`
  select ${finding(sql`column_id`, validationMessages.min, { min: sql`${minDuration}::numeric` })}
  from (${rows(sheetId)}) as row cross join unnest(array['tripDays', 'tourHours']) as column_id
  where number is not null and values -> column_id = '0'`;

const sheet: ImportSheet = {
  id: sheetId,
  name: 'Expense estimation',
  journalTable: 'estimation',
  columns: [
    {
      id: 'location',
      header: { en: 'Primary Location Code', fr: 'Code de l’emplacement principal' },
      type: 'REFERENCE',
      required: true,
      key: true,
      reference: {
        entity: { en: 'primary locations', fr: 'emplacements principaux' },
        find: ({ site }) => sql`select ${site}::text as code, true as active`,
      },
      note: { en: 'The site of the import.', fr: 'Le site de l’import.' },
    },
    ...figureColumns,
  ],
  current: ({ site }) => sql`
    select jsonb_build_object('location', location, 'fixedCost', fixed_cost, 'perDiem', per_diem,
      'tripDays', trip_days, 'tourHours', tour_hours) as values
    from expense.estimation where location = ${site}`,
  check: checkDurations,
};

async function applyEstimations({ scope, rows, recordedTransaction }: ApplyContext<ExpenseTables>): Promise<void> {
  const { tables, lockAndRecord } = recordedTransaction;
  if (scope.site === null) return;
  await lockAndRecord('estimation', 'location', [scope.site]);
  await sql`
    insert into expense.estimation as target (location, fixed_cost, per_diem, trip_days, tour_hours)
    select ${scope.site}, (row.values ->> 'fixedCost')::numeric, (row.values ->> 'perDiem')::numeric,
      (row.values ->> 'tripDays')::numeric, (row.values ->> 'tourHours')::numeric
    from (
      select coalesce(before, '{}') || values as values from (${rows(sheetId)}) as staged
      where state in ('ADDED', 'CHANGED')
    ) as row
    on conflict (location) do update set fixed_cost = excluded.fixed_cost, per_diem = excluded.per_diem,
      trip_days = excluded.trip_days, tour_hours = excluded.tour_hours`.execute(tables);
}

/** Creates the kind of import for the expense estimation of a site. */
export const createExpenseKind = (changes: ContentChanges<ExpenseTables>): ImportKind<ExpenseTables> => ({
  id: 'expense.expense',
  title: { en: 'Expense estimation', fr: 'Estimation des coûts' },
  order: 70,
  access: 'configure',
  scope: 'SITE',
  fileName: () => 'EXPENSE_IMPORT_FILE.xlsx',
  files: [{ title: { en: 'Workbook', fr: 'Classeur' }, kind: 'EXCEL', required: true }],
  sheets: [sheet],
  readme: [
    {
      en: 'What a physical trip to the site costs, from which savings are computed. One row: the site.',
      fr: 'Ce que coûte un déplacement vers le site, pour calculer les économies. Une seule ligne : le site.',
    },
  ],
  changes,
  apply: applyEstimations,
});
