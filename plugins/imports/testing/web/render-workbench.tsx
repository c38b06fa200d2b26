import { screen, within } from '@testing-library/react';
import { ServerEvents } from '#core/web';
import { buildMe, FakeServer, FakeServerEvents, renderScreen, type SentRequest } from '#core/testing/web';
import type { Import, ImportProblem, ImportRow } from '../../contract/api.ts';
import ImportsScreen from '../../web/screens/imports-screen.tsx';
import { buildImport, buildKind, buildProblem, buildRow, buildSheet, importsPlugin } from '../web.ts';

/** A row with a deck that does not exist. */
export const failingRow = buildRow({
  id: '58',
  row: 58,
  state: 'ERROR',
  values: { tag: 'PI-2103', deck: 'MD-7', service: null },
  findings: [
    {
      column: 'deck',
      severity: 'ERROR',
      message: 'imports.refused.reference',
      values: { value: 'MD-7', entity: 'decks' },
    },
  ],
});
/** A row that changes the service of a tag. */
export const changedRow = buildRow({
  id: '3',
  row: 3,
  state: 'CHANGED',
  values: { tag: 'PSV-2104', deck: 'MD-1', service: 'Relief' },
  before: { tag: 'PSV-2104', deck: 'MD-1', service: 'Blowdown' },
  changed: ['service'],
});
const toPage = <T,>(rows: readonly T[]) => ({ status: 200, body: { total: rows.length, offset: 0, rows } });

/** The import of the fake server, with its rows and problems. Tests change it. */
interface ServerState {
  value: Import;
  rows: readonly ImportRow[];
  problems: readonly ImportProblem[];
}

/** A server with one import, that of `serverState`. */
export function buildServer(serverState: ServerState, kind = buildKind()) {
  return new FakeServer()
    .on('GET /api/imports/:batch', () => ({ status: 200, body: serverState.value }))
    .on('GET /api/imports/kinds', { status: 200, body: [kind] })
    .on('GET /api/imports/:batch/rows', () => toPage(serverState.rows))
    .on('GET /api/imports/:batch/problems', () => toPage(serverState.problems))
    .on('GET /api/locations', { status: 200, body: [] });
}
/** Renders the workbench of the import. `search` is the query of the URL. */
export const renderWorkbench = (
  server: FakeServer,
  search = '',
  language: 'en' | 'fr' = 'en',
  events: ServerEvents = new FakeServerEvents(),
) =>
  renderScreen(<ImportsScreen />, {
    plugins: [importsPlugin],
    server,
    url: `/admin/console/imports/b1${search}`,
    language,
    services: [[ServerEvents, events]],
    me: buildMe({ isAdmin: true }),
  });
export const buildServerState = (changes: Partial<ServerState> = {}): ServerState => ({
  value: buildImport(),
  rows: [failingRow],
  problems: [buildProblem()],
  ...changes,
});
/** An import in its preview, without errors. */
export const importWithoutErrors = buildImport({ sheets: [buildSheet({ withErrors: 0, added: 2, changed: 1 })] });
/** Finds the grid of rows, in both languages. */
export const findRowGrid = async () =>
  within(await screen.findByRole('grid', { name: /^(Rows of sheet|Lignes de la feuille)/ }));
export const toBodies = (requests: readonly SentRequest[]) => requests.map(({ body }) => body);
/** The text of the current step. The modal layer of a dialog that was just closed may still hide the page. */
export const currentStep = () =>
  within(screen.getByRole('navigation', { name: 'Steps of the import', hidden: true }))
    .getAllByRole('button', { hidden: true })
    .find((button) => button.getAttribute('aria-current') === 'step')?.textContent;
