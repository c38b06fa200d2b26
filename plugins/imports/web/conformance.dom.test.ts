import path from 'node:path';
import { expect, it } from 'vitest';
import { webPluginConforms } from '#core/testing/web';
import {
  importFileKinds,
  importModes,
  importPhases,
  readFormats,
  rowStates,
  siteImportPhases,
  undoOutcomes,
} from '../contract/index.ts';
import manifest from '../plugin.ts';
import { importSteps, runningPhases } from './stores/import-steps.ts';
import { columnQuestions } from './stores/list-open-questions.ts';
import { rowFilters } from './stores/row-filter.ts';

webPluginConforms({
  folder: path.resolve(import.meta.dirname, '..'),
  manifest,
  settings: { endSessions: true },
  messages: [
    ...importSteps.map((step) => `imports.step.${step}`),
    ...importModes.flatMap((mode) => [`imports.mode.${mode}`, `imports.modeName.${mode}`]),
    ...['EXCEL', 'FILE', 'IMAGE', 'VIDEO'].map((kind) => `imports.files.kind.${kind}`),
    ...importPhases.map((phase) => `imports.result.${phase}`),
    ...['SUCCESS', 'WARNING', 'FAILED', 'UNDONE', 'UNDONE_IN_PART'].flatMap((result) => [
      `imports.result.${result}`,
      `imports.done.${result}`,
    ]),
    'imports.audit.siteExported',
    'imports.audit.siteImported',
    ...['RUNNING', 'DONE', 'FAILED', 'CANCELLED'].map((phase) => `imports.export.phase.${phase}`),
    ...siteImportPhases.map((phase) => `imports.siteImport.phase.${phase}`),
    ...runningPhases.map((phase) => `imports.running.${phase}`),
    ...['SENDING', 'INTERRUPTED', 'FAILED'].map((state) => `imports.following.${state}`),
    ...rowStates.map((state) => `imports.state.${state}`),
    ...rowFilters.map((filter) => `imports.rows.filter.${filter}`),
    ...undoOutcomes.map((outcome) => `imports.undo.outcome.${outcome}`),
    ...['rows', 'added', 'changed', 'unchanged', 'removed', 'leftOut', 'withErrors'].map(
      (count) => `imports.count.${count}`,
    ),
    ...['added', 'changed', 'removed', 'unchanged', 'leftOut'].map((count) => `imports.history.count.${count}`),
    ...['header', 'examples', 'column', 'reason'].map((part) => `imports.columns.head.${part}`),
    ...['HEADER', 'SYNONYM', 'UNIT', 'MEANING', 'REMEMBERED', 'CONTENT', 'CHOSEN', 'IGNORED'].map(
      (reason) => `imports.columns.by.${reason}`,
    ),
    ...columnQuestions.map((question) => `imports.columns.waitsFor.${question}`),
    ...readFormats.flatMap((format) => [`imports.readings.choice.${format}`, `imports.readings.format.${format}`]),
    ...['fixed', 'leftOutRows'].map((text) => `imports.problems.${text}`),
    ...['VALUES', 'CHOSEN', 'REMEMBERED'].map((basis) => `imports.readings.by.${basis}`),
    ...['HEADER', 'SITE', 'CHOSEN', 'COLUMN'].flatMap((basis) => [
      `imports.lengths.hint.${basis}`,
      `imports.lengths.by.${basis}`,
    ]),
    ...['subject', 'when', 'counts', 'result', 'actions'].map((column) => `imports.history.${column}`),
  ],
});

it('[IMP-01] has the file kinds of the specification', () => {
  expect(importFileKinds).toEqual(['EXCEL', 'FILE', 'IMAGE', 'VIDEO']);
});
