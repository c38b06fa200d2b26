import { makeStyles, ProgressBar, tokens } from '@fluentui/react-components';
import { useEffect, useRef, useState } from 'react';
import { streamTopics } from '#core';
import type { getJob, Job } from '#core/api';
import { ApiError, HttpClient, ServerEvents } from '../../kernel/services.ts';
import { useService } from '../../kernel/use-service.ts';
import { useText } from '../../i18n/use-text.ts';

const useStyles = makeStyles({
  root: { display: 'grid', rowGap: tokens.spacingVerticalXS, minWidth: 0 },
  label: {
    color: tokens.colorNeutralForeground2,
    fontSize: tokens.fontSizeBase200,
    fontVariantNumeric: 'tabular-nums',
  },
});

export interface JobProgressProps {
  /** The job as the list has returned it. */
  readonly job: { readonly id: string; readonly done: number; readonly total: number | null };
  /** Label of the progress bar. */
  readonly label: string;
  /**
   * Formats the progress of a job whose unit people count, such as rows. `total` is null until known. By default it is
   * a percentage.
   */
  readonly formatCount?: (done: number, total: number | null) => string | undefined;
  /** Called when the job has succeeded or failed, so that the caller reloads the list. */
  readonly onEnded: () => void;
}

/**
 * Progress of a server job, updated by events and refetched if events were missed. Only the job's owner receives
 * events; other people see the progress of the list.
 */
export function JobProgress({ job, label, formatCount, onEnded }: JobProgressProps) {
  const styles = useStyles();
  const text = useText();
  const http = useService(HttpClient);
  const events = useService(ServerEvents);
  const [latest, setLatest] = useState<Pick<Job, 'done' | 'total'>>();
  const latestOnEnded = useRef(onEnded);
  useEffect(() => {
    latestOnEnded.current = onEnded;
  });
  useEffect(() => {
    let finished = false;
    const handleMessage = (data: unknown): void => {
      const receivedJob = data as Job;
      if (finished) return;
      if (receivedJob.status === 'COMPLETED') {
        finished = true;
        latestOnEnded.current();
      } else
        setLatest((previous) =>
          previous?.total === receivedJob.total && previous.done > receivedJob.done ? previous : receivedJob,
        );
    };
    const refetch = (): void => {
      http
        .call<typeof getJob>('GET', '/api/jobs/:id', { params: { id: job.id } })
        .then(handleMessage, (error: unknown) => {
          // The job belongs to another person, or it ended long ago and was deleted.
          if (!(error instanceof ApiError)) throw error;
        });
    };
    const unsubscribers = [
      events.on(`job.${job.id}`, handleMessage),
      events.on(streamTopics.open, refetch),
      events.on(streamTopics.reset, refetch),
    ];
    refetch();
    return () => {
      finished = true;
      for (const unsubscribe of unsubscribers) unsubscribe();
    };
  }, [job.id, http, events]);
  const { done, total } = latest ?? job;
  const fraction = total === null || total === 0 ? undefined : Math.min(1, done / total);
  const count =
    total === null && done === 0
      ? undefined
      : (formatCount?.(Math.min(done, total ?? done), total) ??
        (fraction === undefined ? undefined : text('core.work.share', { fraction })));
  return (
    <div className={styles.root}>
      <ProgressBar aria-label={label} {...(fraction === undefined ? {} : { value: fraction })} />
      <span className={styles.label}>
        {label}
        {count === undefined ? '' : ` · ${count}`}
      </span>
    </div>
  );
}
