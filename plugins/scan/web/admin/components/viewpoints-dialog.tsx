import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import type { getJob } from '#core/api';
import {
  Button,
  Dialog,
  DialogActions,
  DialogBody,
  DialogContent,
  DialogSurface,
  DialogTitle,
  makeStyles,
  MessageBar,
  MessageBarActions,
  MessageBarBody,
  ResourceView,
  tokens,
} from '#core/ui';
import { JobProgress, sendUndo } from '#core/ui-data';
import { HttpClient, useFormatFailure, useFormatRefusal, useResource, useService, useText } from '#core/web';
import type {
  createViewpointNodes,
  PlannedViewpoint,
  planViewpoints,
  ScanDelivery,
} from '../../../contract/api/admin.ts';
import { PlannedList } from './planned-list.tsx';

const useStyles = makeStyles({
  content: { display: 'grid', gap: tokens.spacingVerticalM, minWidth: 0 },
  note: { margin: 0 },
});

interface ViewpointsDialogProps {
  readonly delivery: ScanDelivery;
  readonly onClose: () => void;
}

/** The state of creating or undoing viewpoints, after the person has chosen stations. */
interface CreationState {
  readonly job?: { readonly id: string; readonly change: string; readonly count: number };
  readonly busy: boolean;
  readonly failure?: unknown;
  /** The viewpoints that were created last. */
  readonly made?: { readonly change: string; readonly count: number; readonly isUndone: boolean };
  /** Why the job failed. */
  readonly refused?: string;
}

const path = '/api/scan/:location/clouds/:uid/viewpoints';

/** Creates viewpoints from the stations of a delivery. Shows the planned viewpoints first, and can undo the result. */
export const ViewpointsDialog = observer(function ViewpointsDialog({ delivery, onClose }: ViewpointsDialogProps) {
  const styles = useStyles();
  const t = useText();
  const http = useService(HttpClient);
  const formatFailure = useFormatFailure();
  const formatRefusal = useFormatRefusal();
  const { location, uid } = delivery;
  const params = { location, uid };
  const plan = useResource(
    (signal) => http.call<typeof planViewpoints>('GET', path, { params: { location, uid } }, { signal }),
    [http, location, uid],
  );
  const [excludedStations, setExcludedStations] = useState<ReadonlySet<string>>(new Set());
  const [{ job, busy, failure, made, refused }, setCreationState] = useState<CreationState>({ busy: false });
  const chosenViewpoints = (plan.value ?? []).filter(
    ({ station, existing }) => !existing && !excludedStations.has(station),
  );
  const toggle = (stations: readonly PlannedViewpoint[], isChosen: boolean): void => {
    const nextExcluded = new Set(excludedStations);
    for (const { station } of stations)
      if (isChosen) nextExcluded.delete(station);
      else nextExcluded.add(station);
    setExcludedStations(nextExcluded);
  };
  const run = async (work: () => Promise<CreationState>): Promise<void> => {
    const previousResult = made ? { made } : {};
    setCreationState({ ...previousResult, busy: true });
    try {
      setCreationState(await work());
    } catch (cause) {
      setCreationState({ ...previousResult, busy: false, failure: cause });
    }
  };
  const start = (): Promise<void> =>
    run(async () => {
      const stations = chosenViewpoints.map(({ station }) => station);
      const reply = await http.call<typeof createViewpointNodes>('POST', path, { params, body: { stations } });
      return { busy: true, job: { id: reply.job, change: reply.change, count: stations.length } };
    });
  const finish = (endedJob: NonNullable<CreationState['job']>): Promise<void> =>
    run(async () => {
      const outcome = await http.call<typeof getJob>('GET', '/api/jobs/:id', { params: { id: endedJob.id } });
      await plan.load();
      return outcome.result === 'FAILED'
        ? { busy: false, refused: formatRefusal(outcome) ?? t('scan.viewpoints.failed') }
        : { busy: false, made: { ...endedJob, isUndone: outcome.result === 'WARNING' } };
    });
  const undo = (result: NonNullable<CreationState['made']>): Promise<void> =>
    run(async () => {
      await sendUndo(http, result.change);
      await plan.load();
      return { busy: false, made: { ...result, isUndone: true } };
    });
  return (
    <Dialog open onOpenChange={(_, { open }) => (open ? undefined : onClose())}>
      <DialogSurface>
        <DialogBody>
          <DialogTitle>{t('scan.viewpoints.title', { name: delivery.name })}</DialogTitle>
          <DialogContent className={styles.content}>
            <p className={styles.note}>{t('scan.viewpoints.hint')}</p>
            <div role="alert">
              {failure === undefined && refused === undefined ? null : (
                <MessageBar intent="error" layout="multiline">
                  <MessageBarBody>{refused ?? formatFailure(failure)}</MessageBarBody>
                </MessageBar>
              )}
            </div>
            <div role="status">
              {made ? (
                <MessageBar intent={made.isUndone ? 'info' : 'success'} layout="multiline">
                  <MessageBarBody>
                    {t(made.isUndone ? 'scan.viewpoints.none' : 'scan.viewpoints.made', { count: made.count })}
                  </MessageBarBody>
                  {made.isUndone ? null : (
                    <MessageBarActions>
                      <Button disabledFocusable={busy} onClick={() => void undo(made)}>
                        {t('core.change.undo')}
                      </Button>
                    </MessageBarActions>
                  )}
                </MessageBar>
              ) : null}
            </div>
            {job ? (
              <JobProgress
                job={{ id: job.id, done: 0, total: null }}
                label={t('scan.viewpoints.running')}
                onEnded={() => void finish(job)}
              />
            ) : (
              <ResourceView resource={plan}>
                {(viewpoints) => (
                  <PlannedList planned={viewpoints} excludedStations={excludedStations} onToggle={toggle} />
                )}
              </ResourceView>
            )}
          </DialogContent>
          <DialogActions fluid>
            <Button onClick={onClose}>{t('core.close')}</Button>
            <Button
              appearance="primary"
              disabledFocusable={busy || chosenViewpoints.length === 0}
              onClick={() => (busy || chosenViewpoints.length === 0 ? undefined : void start())}
            >
              {t('scan.viewpoints.make', { count: chosenViewpoints.length })}
            </Button>
          </DialogActions>
        </DialogBody>
      </DialogSurface>
    </Dialog>
  );
});
