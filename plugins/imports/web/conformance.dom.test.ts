import path from 'node:path';
import { webPluginConforms } from '#core/testing/web';
import { importFileKinds, importModes, importPhases, rowStates, undoOutcomes } from '../contract/index.ts';
import manifest from '../plugin.ts';
import { importSteps, runningPhases } from './stores/import-steps.ts';
import { rowFilters } from './stores/row-filter.ts';

webPluginConforms({
  folder: path.resolve(import.meta.dirname, '..'),
  manifest,
  settings: { endSessions: true },
  messages: [
    ...importSteps.map((step) => `imports.step.${step}`),
    ...importModes.flatMap((mode) => [`imports.mode.${mode}`, `imports.modeName.${mode}`]),
    ...importFileKinds.map((kind) => `imports.files.kind.${kind}`),
    ...importPhases.map((phase) => `imports.result.${phase}`),
    ...['SUCCESS', 'WARNING', 'FAILED'].flatMap((result) => [`imports.result.${result}`, `imports.done.${result}`]),
    ...runningPhases.map((phase) => `imports.running.${phase}`),
    ...rowStates.map((state) => `imports.state.${state}`),
    ...rowFilters.map((filter) => `imports.rows.filter.${filter}`),
    ...undoOutcomes.map((outcome) => `imports.undo.outcome.${outcome}`),
    ...['rows', 'added', 'changed', 'unchanged', 'removed', 'withErrors'].map((count) => `imports.count.${count}`),
    ...['added', 'changed', 'removed', 'unchanged'].map((count) => `imports.history.count.${count}`),
    ...['header', 'examples', 'column', 'reason'].map((part) => `imports.columns.head.${part}`),
    ...['HEADER', 'REMEMBERED', 'CONTENT', 'CHOSEN', 'IGNORED'].map((reason) => `imports.columns.by.${reason}`),
    ...['subject', 'when', 'counts', 'result', 'actions'].map((column) => `imports.history.${column}`),
  ],
});
