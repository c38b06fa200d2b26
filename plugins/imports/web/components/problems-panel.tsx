import { observer } from 'mobx-react-lite';
import { useEffect, useId, useMemo, useRef, useState } from 'react';
import { validationMessages } from '#core';
import { Button, makeStyles, MessageBar, MessageBarBody, ResourceView, tokens } from '#core/ui';
import { DataTable, useAdminStyles, usePagedResource, type DataColumn, type DataTableHandle } from '#core/ui-data';
import { HttpClient, useFormatFailure, useFormats, useService, useText } from '#core/web';
import type { ImportKindInfo, ImportProblem, listImportProblems } from '../../contract/api.ts';
import { countErrors, sumRows } from '../stores/import-steps.ts';
import type { RenamedCode } from '../stores/open-import.ts';
import { ProblemOrder, toProblemKey, type ListedProblem } from '../stores/problem-order.ts';
import { findWrittenText, toEmptiedValue } from '../stores/problem-value.ts';
import { useReloadOnChange } from '../stores/use-reload-on-change.ts';
import { useImportParams } from '../stores/use-import-params.ts';
import { ProblemActions } from './problem-actions.tsx';
import { ProblemCell } from './problem-cell.tsx';
import type { StepProps } from './steps/step-props.ts';

/** Number of problems that are searched for cells to empty, and for codes to correct together. */
const maxSearchedProblems = 200;

const useStyles = makeStyles({
  root: { display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: tokens.spacingVerticalS },
  title: { margin: 0, fontSize: tokens.fontSizeBase400, lineHeight: tokens.lineHeightBase400 },
  empty: { margin: 0, padding: tokens.spacingHorizontalL },
});

export interface ProblemsPanelProps extends StepProps {
  /** Moves the focus on after the last problem. */
  readonly onSolved: () => void;
}

/** A correction after which the focus moves to the next problem. */
interface Correction {
  /** Index of the problem. */
  readonly index: number;
  /** The version of the import after the correction. */
  readonly version: number;
  /** The element that had the focus when the correction began. */
  readonly opener: Element | null;
}

/** Lists each problem of an import once, with the number of its rows and buttons that fix all of them. */
export const ProblemsPanel = observer(function ProblemsPanel({
  openImport,
  currentImport,
  kind,
  onSolved,
}: ProblemsPanelProps) {
  const t = useText();
  const styles = useStyles();
  const formatFailure = useFormatFailure();
  const admin = useAdminStyles();
  const emptyHintId = useId();
  const http = useService(HttpClient);
  const params = useImportParams();
  const { timeZone, number } = useFormats(currentImport.site ?? undefined);
  const [lastAction, setLastAction] = useState<{ readonly text: 'fixed' | 'leftOutRows'; readonly count: number }>();
  const [dashState, setDashState] = useState<{ readonly busy: boolean; readonly failure?: unknown }>({ busy: false });
  const [correction, setCorrection] = useState<Correction>();
  const table = useRef<DataTableHandle>(null);
  const { uid, version, sheets } = currentImport;
  const [problemOrder] = useState(() => new ProblemOrder());
  const problems = usePagedResource(
    async ({ offset, limit }, signal) =>
      problemOrder.merge(
        await http.call<typeof listImportProblems>(
          'GET',
          '/api/imports/:batch/problems',
          { params: { batch: uid }, query: { offset, limit } },
          { signal },
        ),
        limit,
      ),
    [http, uid, problemOrder],
    uid,
  );
  useReloadOnChange(problems, version);
  const listProblems = (): readonly (ListedProblem | undefined)[] =>
    Array.from({ length: Math.min(problems.total ?? 0, maxSearchedProblems) }, (_, index) => problems.rowAt(index));
  /** Corrects something. The focus then moves to the next problem, unless the person has moved it meanwhile. */
  const correct = async (
    text: 'fixed' | 'leftOutRows',
    action: () => Promise<number>,
    problem?: ListedProblem,
  ): Promise<void> => {
    const opener = document.activeElement;
    const index = problem === undefined ? 0 : Math.max(0, listProblems().indexOf(problem));
    setLastAction({ text, count: await action() });
    setCorrection({ index, opener, version: openImport.value?.version ?? 0 });
  };
  const { state } = problems;
  useEffect(() => {
    // The effect above may have just begun to reload the problems.
    if (correction === undefined || version < correction.version || problems.state !== 'ready') return;
    setCorrection(undefined);
    const { activeElement, body } = document;
    if (activeElement !== null && activeElement !== body && activeElement !== correction.opener) return;
    const remaining = listProblems().flatMap((problem, index) => (problem && !problem.isSolved ? [index] : []));
    const index = remaining.find((each) => each >= correction.index) ?? remaining[0];
    if (index === undefined) onSolved();
    else table.current?.focusRow(index);
    // oxlint-disable-next-line react/exhaustive-deps -- the problems are read when they are loaded
  }, [correction, version, state]);
  const canEdit = currentImport.phase === 'PREVIEW';
  const columns = useMemo((): readonly DataColumn<ListedProblem>[] => {
    const show = (problem: ImportProblem): void => {
      const { sheet, column, severity } = problem;
      const find = findWrittenText(problem)?.slice(0, 200);
      params.set({ sheet, show: severity, column: column ?? undefined, find });
    };
    return [
      {
        id: 'problem',
        title: t('imports.problems.problem'),
        width: 'minmax(0, 3fr)',
        cell: (problem) => <ProblemCell problem={problem} kind={kind} sheets={sheets} timeZone={timeZone} />,
      },
      {
        id: 'rows',
        title: t('imports.problems.rows'),
        width: '96px',
        cell: ({ rows, isSolved }) => (isSolved ? null : t('imports.problems.count', { count: rows })),
      },
      {
        id: 'actions',
        title: t('imports.problems.actions'),
        titleHidden: true,
        width: 'minmax(0, 4fr)',
        cell: (problem, tabIndex) =>
          problem.isSolved ? (
            t('imports.problems.solved')
          ) : (
            <ProblemActions
              key={toProblemKey(problem)}
              problem={problem}
              canEdit={canEdit}
              tabIndex={tabIndex}
              emptyHintId={emptyHintId}
              column={findColumn(kind, problem)}
              onReplace={async (to) => {
                const { sheet, column, value: from } = problem;
                if (column === null) return;
                await correct('fixed', () => openImport.replace({ sheet, column, from, to }), problem);
                const isReferredTo =
                  findColumn(kind, problem)?.named === true && typeof from === 'string' && from !== '';
                if (isReferredTo && typeof to === 'string') void openImport.offerRename({ sheet, column, from, to });
              }}
              onLeaveOut={() => {
                const { sheet, column, finding, value: writtenValue } = problem;
                const body = { sheet, leftOut: true, problem: { column, finding, value: writtenValue } };
                return correct('leftOutRows', () => openImport.setLeftOut(body), problem);
              }}
              onShow={() => show(problem)}
            />
          ),
      },
    ];
    // oxlint-disable-next-line react/exhaustive-deps -- `params` and `correct` read the latest state when they are used
  }, [t, kind, sheets, timeZone, canEdit, openImport, emptyHintId, problems]);
  const listedProblems = listProblems();
  const canEmpty =
    canEdit &&
    listedProblems.some((row) => row && !row.isSolved && toEmptiedValue(row, findColumn(kind, row)) === null);
  const dashedCodes = omitEqualCodes(listedProblems.flatMap((row) => (row && !row.isSolved ? toDashedCodes(row) : [])));
  const replaceByDashes = async (): Promise<void> => {
    setDashState({ busy: true });
    try {
      await correct('fixed', () => openImport.replaceCodes(dashedCodes));
      setDashState({ busy: false });
    } catch (failure) {
      setDashState({ busy: false, failure });
    }
  };
  // Not only those left out here: rows can also be left out and included again in the grid.
  const leftOut = sumRows(currentImport, 'leftOut');
  // A list of solved problems stays in sight.
  if ((problems.total ?? 0) === 0 && countErrors(currentImport) === 0 && sumRows(currentImport, 'withWarnings') === 0)
    return null;
  return (
    <section className={styles.root} aria-labelledby="imports-problems">
      <h2 id="imports-problems" className={styles.title}>
        {t('imports.problems.title')}
      </h2>
      <div role="status">
        {lastAction === undefined ? null : (
          <MessageBar intent="info" layout="multiline">
            <MessageBarBody>
              {t(`imports.problems.${lastAction.text}`, {
                count: lastAction.count,
                more: Math.max(0, leftOut - lastAction.count),
                total: number(leftOut),
              })}
            </MessageBarBody>
          </MessageBar>
        )}
      </div>
      {canEdit && dashedCodes.length > 1 ? (
        <div className={admin.actions}>
          <Button disabledFocusable={dashState.busy} onClick={() => void replaceByDashes()}>
            {t('imports.problems.useDashes', { count: dashedCodes.length })}
          </Button>
          {dashState.failure === undefined ? null : <span role="alert">{formatFailure(dashState.failure)}</span>}
        </div>
      ) : null}
      {canEmpty ? (
        <p id={emptyHintId} className={admin.note}>
          {t('imports.problems.emptyHint')}
        </p>
      ) : null}
      <ResourceView resource={problems}>
        {() => (
          <DataTable
            label={t('imports.problems.title')}
            columns={columns}
            rows={problems}
            rowHeightPx={88}
            narrow={{ belowPx: 960, rowHeightPx: 184 }}
            handle={table}
            empty={<p className={styles.empty}>{t('imports.check.noErrors')}</p>}
          />
        )}
      </ResourceView>
    </section>
  );
});

const findColumn = ({ sheets }: ImportKindInfo, { sheet, column }: ImportProblem) =>
  sheets.find(({ id }) => id === sheet)?.columns.find(({ id }) => id === column);

/** The code of a problem that dashes in place of other characters would fix, with its proposal; else none. */
function toDashedCodes({ sheet, column, finding, value, proposals: [to] }: ImportProblem): readonly RenamedCode[] {
  const isDashed = finding.message === validationMessages.specialCharsExceptDash;
  return isDashed && column !== null && typeof value === 'string' && to ? [{ sheet, column, from: value, to }] : [];
}

/** Omits codes that would become equal, such as `A/1` and `A.1`: they must be corrected one by one. */
function omitEqualCodes(codes: readonly RenamedCode[]): readonly RenamedCode[] {
  const toKey = ({ sheet, column, to }: RenamedCode): string => JSON.stringify([sheet, column, to.toLowerCase()]);
  const counts = new Map<string, number>();
  for (const code of codes) counts.set(toKey(code), (counts.get(toKey(code)) ?? 0) + 1);
  return codes.filter((code) => counts.get(toKey(code)) === 1);
}
