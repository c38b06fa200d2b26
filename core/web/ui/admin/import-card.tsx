import { Badge, MessageBar, MessageBarBody } from '@fluentui/react-components';
import type { ReactNode } from 'react';
import { DescriptionList, type DescriptionListProps } from './description-list.tsx';
import { JobProgress, type JobProgressProps } from './job-progress.tsx';
import { useAdminStyles } from './use-admin-styles.ts';

const colors = { READY: 'success', IMPORTING: 'informative', FAILED: 'danger' } as const;

export interface ImportCardProps {
  /** Element id of the name, which labels the actions. */
  readonly id: string;
  readonly name: string;
  readonly state: keyof typeof colors;
  readonly stateText: string;
  readonly actions: ReactNode;
  readonly job: JobProgressProps['job'] | null;
  /** Label of the job's progress. */
  readonly jobText: string;
  /** The reason why the import failed, or a warning for the admin. */
  readonly message: string | null;
  readonly details: DescriptionListProps['items'];
  readonly onChanged: () => Promise<void>;
  /** A report, and the dialogs of the actions. */
  readonly children: ReactNode;
}

/** A card for an imported file with its state, the progress of its job, details and actions. */
export function ImportCard({
  id,
  name,
  state,
  stateText,
  actions,
  job,
  jobText,
  message,
  details,
  onChanged,
  children,
}: ImportCardProps) {
  const styles = useAdminStyles();
  return (
    <article className={styles.card} aria-labelledby={id}>
      <div className={styles.head}>
        <div className={styles.grow}>
          <h2 id={id} className={styles.name}>
            {name}
          </h2>
        </div>
        <Badge appearance="tint" color={colors[state]} size="large">
          {stateText}
        </Badge>
        <div className={styles.actions}>{actions}</div>
      </div>
      {job ? <JobProgress job={job} label={jobText} onEnded={() => void onChanged()} /> : null}
      {message === null ? null : (
        <MessageBar intent={state === 'FAILED' ? 'error' : 'warning'} layout="multiline">
          <MessageBarBody>{message}</MessageBarBody>
        </MessageBar>
      )}
      <DescriptionList items={details} />
      {children}
    </article>
  );
}
