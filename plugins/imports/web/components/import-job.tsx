import { observer } from 'mobx-react-lite';
import { JobProgress } from '#core/ui-data';
import { useText } from '#core/web';
import type { Import } from '../../contract/api.ts';
import { runningPhases } from '../stores/import-steps.ts';
import type { OpenImport } from '../stores/open-import.ts';

export interface ImportJobProps {
  readonly openImport: OpenImport;
  readonly currentImport: Import;
}

/**
 * The progress of the job that reads, checks or applies an import: the number of rows while they are read, else a
 * percentage.
 */
export const ImportJob = observer(function ImportJob({ openImport, currentImport }: ImportJobProps) {
  const t = useText();
  const { phase, job } = currentImport;
  if (job === null || !runningPhases.includes(phase)) return null;
  return (
    <JobProgress
      key={job}
      job={{ id: job, done: 0, total: null }}
      label={t(`imports.running.${phase}`)}
      formatCount={(doneCount, total) =>
        total === null ? t('imports.running.rowsRead', { count: doneCount }) : undefined
      }
      onEnded={() => void openImport.load()}
    />
  );
});
