import { sql } from 'kysely';
import { validationMessages } from '#core';
import { finding, importedRows, unionAll } from '#plugins/imports';
import {
  assigneeCapacities,
  assigneeRoles,
  highRiskActivities,
  storedVisitStatuses,
  visitModes,
  visitPurposes,
} from '../../../contract/index.ts';
import { toChoices } from './labels.ts';
import { createPartSheet } from './part-sheet.ts';
import { textValue } from './sheet-sql.ts';

export const assigneesSheetId = 'assignees';

export const assigneesSheet = createPartSheet({
  id: assigneesSheetId,
  name: 'Assignees',
  table: 'assignee',
  uniqueKey: sql`permit, role, lower(name)`,
  fields: [
    {
      tableColumn: 'role',
      column: {
        id: 'role',
        header: { en: 'Role', fr: 'Rôle' },
        type: 'ENUM',
        required: true,
        key: true,
        values: toChoices(assigneeRoles),
      },
    },
    {
      tableColumn: 'name',
      column: { id: 'name', header: { en: 'Name', fr: 'Nom' }, type: 'NAME', required: true, key: true },
    },
    { tableColumn: 'email', column: { id: 'email', header: { en: 'Email', fr: 'E-mail' }, type: 'EMAIL' } },
    { tableColumn: 'company', column: { id: 'company', header: { en: 'Company', fr: 'Entreprise' }, type: 'NAME' } },
    {
      tableColumn: 'capacity',
      column: {
        id: 'capacity',
        header: { en: 'Capacity', fr: 'Qualité' },
        type: 'ENUM',
        values: toChoices(assigneeCapacities),
      },
    },
    {
      tableColumn: 'signed_at',
      column: { id: 'signedAt', header: { en: 'Signed At', fr: 'Signé le' }, type: 'DATETIME' },
    },
  ],
});

export const highRiskActivitiesSheet = createPartSheet({
  id: 'highRiskActivities',
  name: 'HighRiskActivities',
  table: 'high_risk_activity',
  uniqueKey: sql`permit, activity`,
  fields: [
    {
      tableColumn: 'activity',
      column: {
        id: 'activity',
        header: { en: 'Activity', fr: 'Activité' },
        type: 'ENUM',
        required: true,
        key: true,
        values: toChoices(highRiskActivities),
      },
    },
    {
      tableColumn: 'controls',
      column: { id: 'controls', header: { en: 'Controls', fr: 'Mesures de maîtrise' }, type: 'TEXT', maxLength: 2000 },
    },
  ],
});

const siteVisitsSheetId = 'siteVisits';

export const siteVisitsSheet = createPartSheet({
  id: siteVisitsSheetId,
  name: 'SiteVisits',
  table: 'site_visit',
  uniqueKey: sql`permit, purpose, number, role`,
  fields: [
    {
      tableColumn: 'purpose',
      column: {
        id: 'purpose',
        header: { en: 'Purpose', fr: 'Objet' },
        type: 'ENUM',
        key: true,
        values: toChoices(visitPurposes),
        default: 'DURING_WORK',
      },
    },
    {
      tableColumn: 'number',
      column: {
        id: 'number',
        header: { en: 'Visit No.', fr: 'N° de visite' },
        type: 'INTEGER',
        key: true,
        min: 1,
        max: 1000,
        default: 1,
        note: {
          en: 'Distinguishes several visits of one purpose and role.',
          fr: 'Distingue plusieurs visites de même objet et de même rôle.',
        },
      },
    },
    {
      tableColumn: 'role',
      column: {
        id: 'role',
        header: { en: 'Required Role', fr: 'Rôle requis' },
        type: 'ENUM',
        required: true,
        key: true,
        values: toChoices(assigneeRoles),
      },
    },
    {
      tableColumn: 'status',
      column: {
        id: 'status',
        header: { en: 'Status', fr: 'État' },
        type: 'ENUM',
        required: true,
        values: toChoices(storedVisitStatuses),
        synonyms: [{ text: 'OVERDUE', value: 'PENDING', warning: 'permits.refused.overdueIsPending' }],
        note: {
          en: 'DONE requires the time, NA a reason. Whether a visit is overdue is computed from its due date.',
          fr: 'DONE exige la date, NA un motif. Le retard d’une visite se déduit de son échéance.',
        },
      },
    },
    {
      tableColumn: 'due_at',
      column: {
        id: 'dueAt',
        header: { en: 'Due At', fr: 'Échéance' },
        type: 'DATETIME',
        note: {
          en: 'If empty: before issue at the start, during work 24 hours later, for closing at the end.',
          fr: 'Si vide : avant délivrance au début, pendant les travaux 24 heures après, pour la clôture à la fin.',
        },
      },
    },
    {
      tableColumn: 'done_at',
      column: { id: 'doneAt', header: { en: 'Done At', fr: 'Effectuée le' }, type: 'DATETIME' },
    },
    { tableColumn: 'visitor', column: { id: 'visitor', header: { en: 'Visitor', fr: 'Visiteur' }, type: 'NAME' } },
    {
      tableColumn: 'mode',
      column: {
        id: 'mode',
        header: { en: 'Mode', fr: 'Mode' },
        type: 'ENUM',
        values: toChoices(visitModes),
        default: 'PHYSICAL',
      },
    },
    {
      tableColumn: 'na_reason',
      column: { id: 'naReason', header: { en: 'NA Reason', fr: 'Motif NA' }, type: 'TEXT', maxLength: 500 },
    },
    {
      tableColumn: 'notes',
      column: { id: 'notes', header: { en: 'Notes', fr: 'Remarques' }, type: 'TEXT', maxLength: 2000 },
    },
  ],
  check: (context) =>
    unionAll(
      ...[['DONE', 'doneAt'] as const, ['NA', 'naReason'] as const].map(
        ([status, column]) => sql`
          select ${finding(column, validationMessages.mandatoryField)}
          from (${importedRows(context, siteVisitsSheetId)}) as row
          where values ->> 'status' = ${status} and ${textValue(column)} is null`,
      ),
    ),
});
