import type { Import, ImportPhase } from '../../contract/index.ts';

export const importSteps = ['files', 'columns', 'check', 'preview', 'done'] as const;
export type ImportStep = (typeof importSteps)[number];

/** Phases in which a job on the server changes the import. */
export const runningPhases: readonly ImportPhase[] = ['READING', 'CHECKING', 'APPLYING'];

/** Steps that a person can open in a phase. The first step is always open. */
const openSteps: Readonly<Record<ImportPhase, readonly ImportStep[]>> = {
  FILES: ['files'],
  WAITING: ['files'],
  READING: ['files'],
  COLUMNS: ['files', 'columns'],
  CHECKING: ['files', 'columns', 'check'],
  PREVIEW: ['files', 'columns', 'check', 'preview'],
  APPLYING: ['done'],
  DONE: ['files', 'columns', 'preview', 'done'],
  CANCELLED: ['files', 'done'],
};

export function isStepOpen(step: ImportStep, { phase }: Pick<Import, 'phase'>): boolean {
  return openSteps[phase].includes(step);
}

/** The step in which the person has to do or read something now. */
export function findCurrentStep(currentImport: Pick<Import, 'phase' | 'sheets' | 'findings'>): ImportStep {
  switch (currentImport.phase) {
    case 'FILES':
    case 'WAITING':
    case 'READING':
      return 'files';
    case 'COLUMNS':
      return 'columns';
    case 'CHECKING':
      return 'check';
    case 'PREVIEW':
      return countErrors(currentImport) > 0 ? 'check' : 'preview';
    default:
      return 'done';
  }
}

/** The step in the URL if it is open, else the current step. */
export function resolveStep(requestedStep: string | null, currentImport: Import): ImportStep {
  const step = importSteps.find((candidate) => candidate === requestedStep);
  return step !== undefined && isStepOpen(step, currentImport) ? step : findCurrentStep(currentImport);
}

/** Number of rows with errors, and of errors that concern no row. */
export function countErrors({ sheets, findings }: Pick<Import, 'sheets' | 'findings'>): number {
  return (
    sheets.reduce((sum, { withErrors }) => sum + withErrors, 0) +
    findings.filter(({ severity }) => severity === 'ERROR').length
  );
}

export type RowCountName =
  | 'rows'
  | 'added'
  | 'changed'
  | 'unchanged'
  | 'removed'
  | 'leftOut'
  | 'withErrors'
  | 'withWarnings';

/** The sum of a count over all sheets. */
export function sumRows({ sheets }: Pick<Import, 'sheets'>, countName: RowCountName): number {
  return sheets.reduce((sum, sheet) => sum + sheet[countName], 0);
}

/** Number of cells that a person has corrected, and of rows left out. They are lost if the files are read again. */
export const countCorrections = (currentImport: Pick<Import, 'sheets'>) => ({
  cells: currentImport.sheets.reduce((sum, { correctedCells }) => sum + correctedCells, 0),
  rows: sumRows(currentImport, 'leftOut'),
});
