import { sql, type Kysely } from 'kysely';
import { validationMessages, type QueryOf } from '#core';
import type { Page } from '#core/api';
import type { ImportColumn, ImportProblem, ImportScope, ImportValue } from '#plugins/imports';
import type { listImportProblems } from '../../contract/api.ts';
import { listWords } from '../../common/check-value.ts';
import {
  findProposals,
  findWordProposals,
  isMisspelling,
  maxProposals,
  proposeCode,
} from '../../common/find-proposals.ts';
import { importsRefusal } from '../../contract/errors.ts';
import { isOfUnreadColumn } from './finding-sql.ts';
import type { AnyKind } from '../kinds/kind-registry.ts';
import type { ImportsTables } from '../tables.ts';

interface StoredProblem {
  readonly sheet: string;
  readonly column: string | null;
  readonly severity: ImportProblem['severity'];
  readonly message: string;
  readonly values: ImportProblem['finding']['values'] | null;
  readonly value: ImportValue;
  readonly rows: number;
  readonly firstRow: number | null;
  /** Of a duplicate the row with the same key that comes first. */
  readonly otherRow: number | null;
}

/** References by which proposals are searched; more would not be read at each page. */
const maxCandidates = 20_000;

const noProposals: Pick<ImportProblem, 'proposals' | 'misspelt'> = { proposals: [], misspelt: false };

const { message: unreadMessage } = importsRefusal('imports.refused.columnUnread');

/**
 * Findings grouped by column, message and value: errors before warnings, each by its first row. The values of a column
 * that is not read are one problem.
 */
export async function listProblems(
  tables: Kysely<ImportsTables>,
  batch: string,
  kind: AnyKind,
  scope: ImportScope,
  { sheet, severity, offset = 0, limit = 200 }: QueryOf<typeof listImportProblems>,
): Promise<Page<ImportProblem>> {
  const groups = sql`
    select sheet, column_id as column, severity, message, values, min(other_row) as "otherRow", value,
      count(*)::int as rows, min(number) as "firstRow", min(id) as first
    from (
      select finding.sheet, column_id, severity, row.number, row.id, (finding.values ->> 'row')::int as other_row,
        case when unread then ${unreadMessage} else message end as message,
        case when unread then null else finding.values - 'row' end as values,
        case when unread then 'null' else coalesce(row.values -> column_id, 'null') end as value
      from imports.finding join imports.staged_row as row on row.id = finding.row
      cross join lateral (select ${isOfUnreadColumn(sql`finding`)} as unread) as reading
      where finding.batch = ${batch}
      and (${sheet ?? null}::text is null or finding.sheet = ${sheet ?? null})
      and (${severity ?? null}::text is null or severity = ${severity ?? null})
    ) as each group by sheet, column_id, severity, message, values, value`;
  const { rows: totals } = await sql<{ total: string }>`select count(*) as total from (${groups}) as each`.execute(
    tables,
  );
  const { rows } = await sql<StoredProblem>`
    select * from (${groups}) as grouped order by severity, first, "column" nulls first, message, value::text
    offset ${offset} limit ${limit}`.execute(tables);
  const proposals = await proposeValues(tables, kind, scope, rows);
  return {
    total: Number(totals[0]?.total ?? 0),
    offset,
    rows: rows.map(({ message, values, ...problem }, index) => ({
      sheet: problem.sheet,
      column: problem.column,
      severity: problem.severity,
      value: problem.value,
      rows: problem.rows,
      firstRow: problem.firstRow,
      finding: {
        message,
        ...(values === null
          ? {}
          : { values: { ...values, ...(message.endsWith('.duplicateRow') ? { row: problem.otherRow ?? 0 } : {}) } }),
      },
      ...(proposals[index] ?? noProposals),
    })),
  };
}

/**
 * For each problem the listed or existing values that are nearest to the written one, with one query per column, or a
 * code with dashes instead of other characters.
 */
async function proposeValues(
  tables: Kysely<ImportsTables>,
  kind: AnyKind,
  scope: ImportScope,
  problems: readonly StoredProblem[],
): Promise<readonly Pick<ImportProblem, 'proposals' | 'misspelt'>[]> {
  const candidates = new Map<ImportColumn, Promise<readonly string[]>>();
  return Promise.all(
    problems.map(async (problem) => {
      const column = kind.sheets
        .find(({ id }) => id === problem.sheet)
        ?.columns.find(({ id }) => id === problem.column);
      const writtenValue = problem.values?.['value'] ?? problem.value;
      if (!column || typeof writtenValue !== 'string' || writtenValue === '') return noProposals;
      if (column.type === 'CODE' && problem.message === validationMessages.specialCharsExceptDash) {
        const code = proposeCode(writtenValue);
        return code === undefined ? noProposals : { proposals: [code], misspelt: true };
      }
      const candidateWords = candidates.get(column) ?? listCandidates(tables, column, scope);
      candidates.set(column, candidateWords);
      if (column.values) {
        const codes = toCodes(column, findWordProposals(writtenValue, await candidateWords));
        return { proposals: [...codes], misspelt: codes.length > 0 };
      }
      const proposals = findProposals(writtenValue, await candidateWords);
      const misspeltProposals = proposals.filter((proposal) => isMisspelling(writtenValue, proposal));
      return {
        proposals: [...new Set([...misspeltProposals, ...proposals])],
        misspelt: misspeltProposals.length > 0,
      };
    }),
  );
}

async function listCandidates(
  tables: Kysely<ImportsTables>,
  { values, reference }: ImportColumn,
  scope: ImportScope,
): Promise<readonly string[]> {
  if (values) return values.flatMap(listWords);
  if (!reference?.find) return [];
  const { rows } = await sql<{ code: string }>`
    select code from (${reference.find(scope)}) as known where active order by code limit ${maxCandidates}`.execute(
    tables,
  );
  return rows.map(({ code }) => code);
}

/** Converts proposed words to the codes of a column. Keeps words without a code. */
function toCodes({ values }: ImportColumn, proposedWords: readonly string[]): readonly string[] {
  const toCode = (word: string): string => values?.find((choice) => listWords(choice).includes(word))?.value ?? word;
  return [...new Set(proposedWords.map(toCode))].slice(0, maxProposals);
}
