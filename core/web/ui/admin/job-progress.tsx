import { makeStyles, ProgressBar, tokens } from '@fluentui/react-components';
import { useEffect, useRef, useState } from 'react';
import { streamTopics } from '#core';
import type { getJob, Job } from '#core/api';
import { ApiError, HttpClient, ServerEvents } from '../../kernel/services.ts';
import { useService } from '../../kernel/use-service.ts';
import { useText } from '../../i18n/use-text.ts';

const useStyles = makeStyles({
  root: { display: 'grid', rowGap: tokens.spacingVerticalXS, minWidth: 0 },
  words: {
    color: tokens.colorNeutralForeground2,
    fontSize: tokens.fontSizeBase200,
    fontVariantNumeric: 'tabular-nums',
  },
});

export interface JobProgressProps {
  /** The job as the list returned it. */
  readonly job: { readonly id: string; readonly done: number; readonly total: number | null };
  /** Label of the progress bar. */
  readonly label: string;
  /** The job succeeded or failed: reload what it changed. */
  readonly onEnded: () => void;
}

/**
 * Progress of a server job, updated by events and refetched if events were missed. Only its owner receives the events;
 * others see the state of the list.
 */
export function JobProgress({ job, label, onEnded }: JobProgressProps) {
  const styles = useStyles();
  const text = useText();
  const http = useService(HttpClient);
  const events = useService(ServerEvents);
  const [latest, setLatest] = useState<Pick<Job, 'done' | 'total'>>();
  const ended = useRef(onEnded);
  useEffect(() => {
    ended.current = onEnded;
  });
  useEffect(() => {
    let over = false;
    const handleMessage = (data: unknown): void => {
      const received = data as Job;
      if (over) return;
      if (received.status === 'COMPLETED') {
        over = true;
        ended.current();
      } else setLatest((before) => (before && before.done > received.done ? before : received));
    };
    const ask = (): void => {
      http
        .call<typeof getJob>('GET', '/api/jobs/:id', { params: { id: job.id } })
        .then(handleMessage, (error: unknown) => {
          // Other people's jobs are not accessible; a job that no longer exists has ended.
          if (!(error instanceof ApiError)) throw error;
        });
    };
    const ends = [
      events.on(`job.${job.id}`, handleMessage),
      events.on(streamTopics.open, ask),
      events.on(streamTopics.reset, ask),
    ];
    ask();
    return () => {
      over = true;
      for (const end of ends) end();
    };
  }, [job.id, http, events]);
  const { done, total } = latest ?? job;
  const share = total === null || total === 0 ? undefined : Math.min(1, done / total);
  return (
    <div className={styles.root}>
      <ProgressBar aria-label={label} {...(share === undefined ? {} : { value: share })} />
      <span className={styles.words}>
        {label}
        {share === undefined ? '' : ` · ${text('core.work.share', { share })}`}
      </span>
    </div>
  );
}
