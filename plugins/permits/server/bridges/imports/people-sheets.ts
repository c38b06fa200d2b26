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
import { text } from './sheet-sql.ts';

export const assigneesSheetId = 'assignees';

export const assigneesSheet = createPartSheet({
  id: assigneesSheetId,
  name: 'Assignees',
  table: 'assignee',
  unique: sql`permit, role, lower(name)`,
  fields: [
    {
      stored: 'role',
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
      stored: 'name',
      column: { id: 'name', header: { en: 'Name', fr: 'Nom' }, type: 'NAME', required: true, key: true },
    },
    { stored: 'email', column: { id: 'email', header: { en: 'Email', fr: 'E-mail' }, type: 'EMAIL' } },
    { stored: 'company', column: { id: 'company', header: { en: 'Company', fr: 'Entreprise' }, type: 'NAME' } },
    {
      stored: 'capacity',
      column: {
        id: 'capacity',
        header: { en: 'Capacity', fr: 'Qualité' },
        type: 'ENUM',
        values: toChoices(assigneeCapacities),
      },
    },
    {
      stored: 'signed_at',
      column: { id: 'signedAt', header: { en: 'Signed At', fr: 'Signé le' }, type: 'DATETIME' },
    },
  ],
});

export const activitiesSheet = createPartSheet({
  id: 'highRiskActivities',
  name: 'HighRiskActivities',
  table: 'high_risk_activity',
  unique: sql`permit, activity`,
  fields: [
    {
      stored: 'activity',
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
      stored: 'controls',
      column: { id: 'controls', header: { en: 'Controls', fr: 'Mesures de maîtrise' }, type: 'TEXT', maxLength: 2000 },
    },
  ],
});

const visitsSheetId = 'siteVisits';

export const visitsSheet = createPartSheet({
  id: visitsSheetId,
  name: 'SiteVisits',
  table: 'site_visit',
  unique: sql`permit, purpose, number, role`,
  fields: [
    {
      stored: 'purpose',
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
      stored: 'number',
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
      stored: 'role',
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
      stored: 'status',
      column: {
        id: 'status',
        header: { en: 'Status', fr: 'État' },
        type: 'ENUM',
        required: true,
        values: toChoices(storedVisitStatuses),
        synonyms: [{ text: 'OVERDUE', value: 'PENDING', warning: 'permits.refused.overdueIsPending' }],
        note: {
          en: 'DONE needs the time, NA a reason. Whether a visit is overdue follows from its due date.',
          fr: 'DONE exige la date, NA un motif. Le retard d’une visite se déduit de son échéance.',
        },
      },
    },
    {
      stored: 'due_at',
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
      stored: 'done_at',
      column: { id: 'doneAt', header: { en: 'Done At', fr: 'Effectuée le' }, type: 'DATETIME' },
    },
    { stored: 'visitor', column: { id: 'visitor', header: { en: 'Visitor', fr: 'Visiteur' }, type: 'NAME' } },
    {
      stored: 'mode',
      column: {
        id: 'mode',
        header: { en: 'Mode', fr: 'Mode' },
        type: 'ENUM',
        values: toChoices(visitModes),
        default: 'PHYSICAL',
      },
    },
    {
      stored: 'na_reason',
      column: { id: 'naReason', header: { en: 'NA Reason', fr: 'Motif NA' }, type: 'TEXT', maxLength: 500 },
    },
    {
      stored: 'notes',
      column: { id: 'notes', header: { en: 'Notes', fr: 'Remarques' }, type: 'TEXT', maxLength: 2000 },
    },
  ],
  check: (context) =>
    unionAll(
      ...[['DONE', 'doneAt'] as const, ['NA', 'naReason'] as const].map(
        ([status, column]) => sql`
          select ${finding(column, validationMessages.mandatoryField)}
          from (${importedRows(context, visitsSheetId)}) as row
          where values ->> 'status' = ${status} and ${text(column)} is null`,
      ),
    ),
});
