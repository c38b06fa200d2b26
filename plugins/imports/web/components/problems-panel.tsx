import { observer } from 'mobx-react-lite';
import { useMemo, useState } from 'react';
import { makeStyles, MessageBar, MessageBarBody, ResourceView, tokens } from '#core/ui';
import { DataTable, usePagedResource, type DataColumn } from '#core/ui-data';
import { HttpClient, useFormats, useService, useText } from '#core/web';
import type { ImportKindInfo, ImportProblem, listImportProblems } from '../../contract/api.ts';
import { countErrors, sumRows } from '../stores/import-steps.ts';
import { findWrittenText } from '../stores/problem-value.ts';
import { useReloadOnChange } from '../stores/use-reload-on-change.ts';
import { useImportParams } from '../stores/use-import-params.ts';
import { ProblemActions } from './problem-actions.tsx';
import { ProblemCell } from './problem-cell.tsx';
import type { StepProps } from './steps/step-props.ts';

const useStyles = makeStyles({
  root: { display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: tokens.spacingVerticalS },
  title: { margin: 0, fontSize: tokens.fontSizeBase400, lineHeight: tokens.lineHeightBase400 },
  empty: { margin: 0, padding: tokens.spacingHorizontalL },
});

/** The findings of an import, each once with the number of its rows, and a value that mends all of them. */
export const ProblemsPanel = observer(function ProblemsPanel({ open, value, kind }: StepProps) {
  const t = useText();
  const styles = useStyles();
  const http = useService(HttpClient);
  const params = useImportParams();
  const { timeZone } = useFormats(value.site ?? undefined);
  const [mended, setMended] = useState<number>();
  const { uid, version } = value;
  const problems = usePagedResource(
    ({ offset, limit }, signal) =>
      http.call<typeof listImportProblems>(
        'GET',
        '/api/imports/:batch/problems',
        { params: { batch: uid }, query: { offset, limit } },
        { signal },
      ),
    [http, uid],
    uid,
  );
  useReloadOnChange(problems, version);
  const canEdit = value.phase === 'PREVIEW';
  const columns = useMemo((): readonly DataColumn<ImportProblem>[] => {
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
        cell: (problem) => <ProblemCell problem={problem} kind={kind} timeZone={timeZone} />,
      },
      {
        id: 'rows',
        title: t('imports.problems.rows'),
        width: '96px',
        cell: ({ rows }) => t('imports.problems.count', { count: rows }),
      },
      {
        id: 'actions',
        title: t('imports.problems.actions'),
        titleHidden: true,
        width: 'minmax(0, 4fr)',
        cell: (problem, tabIndex) => (
          <ProblemActions
            key={JSON.stringify([problem.sheet, problem.column, problem.finding.message, problem.value])}
            problem={problem}
            canEdit={canEdit}
            tabIndex={tabIndex}
            type={findColumn(kind, problem)?.type ?? 'TEXT'}
            onReplace={async (to) => {
              const { sheet, column, value: from } = problem;
              if (column === null) return;
              setMended(await open.replace({ sheet, column, from, to }));
            }}
            onShow={() => show(problem)}
          />
        ),
      },
    ];
    // oxlint-disable-next-line react/exhaustive-deps -- `params` reads the address when it is used
  }, [t, kind, timeZone, canEdit, open]);
  if (countErrors(value) === 0 && sumRows(value, 'withWarnings') === 0) return null;
  return (
    <section className={styles.root} aria-labelledby="imports-problems">
      <h2 id="imports-problems" className={styles.title}>
        {t('imports.problems.title')}
      </h2>
      <div role="status">
        {mended === undefined ? null : (
          <MessageBar intent="info" layout="multiline">
            <MessageBarBody>{t('imports.problems.mended', { count: mended })}</MessageBarBody>
          </MessageBar>
        )}
      </div>
      <ResourceView resource={problems}>
        {() => (
          <DataTable
            label={t('imports.problems.title')}
            columns={columns}
            rows={problems}
            rowHeightPx={72}
            narrow={{ belowPx: 720, rowHeightPx: 168 }}
            empty={<p className={styles.empty}>{t('imports.check.noErrors')}</p>}
          />
        )}
      </ResourceView>
    </section>
  );
});

const findColumn = ({ sheets }: ImportKindInfo, { sheet, column }: ImportProblem) =>
  sheets.find(({ id }) => id === sheet)?.columns.find(({ id }) => id === column);
