import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { Button, makeStyles, mergeClasses, MessageBar, MessageBarBody, tokens } from '#core/ui';
import { ChangeSender, JobProgress, LastChangeLine, LastChangeStore, useAdminStyles } from '#core/ui-data';
import { HttpClient, useFormatFailure, useFormatRefusal, useResource, useService, useText } from '#core/web';
import type { NodePanoramas } from '../../../../contract/api/admin.ts';
import type { listRanges, makeRanges, deleteRanges, stopRanges, TourRanges } from '../../../../contract/api/ranges.ts';

const useStyles = makeStyles({
  list: { marginBottom: tokens.spacingVerticalL },
  actions: { display: 'flex', flexWrap: 'wrap', gap: tokens.spacingHorizontalS },
  grow: { flexGrow: 1, minWidth: 0 },
});

export interface RangesSectionProps {
  readonly location: string;
  /** Panoramas on screen. When they change, the ranges are counted again. */
  readonly panoramas: readonly NodePanoramas[];
}

/** Shows for each tour how many viewpoints have range images, and computes range images from models. */
export const RangesSection = observer(function RangesSection({ location, panoramas }: RangesSectionProps) {
  const http = useService(HttpClient);
  const styles = useAdminStyles();
  const ownStyles = useStyles();
  const [lastChange] = useState(() => new LastChangeStore());
  const ranges = useResource(
    (signal) =>
      panoramas.length === 0
        ? undefined
        : http.call<typeof listRanges>('GET', '/api/tour/:location/ranges', { params: { location } }, { signal }),
    [http, location, panoramas],
  );
  const reload = (): Promise<void> => ranges.load();
  const tours = ranges.value ?? [];
  return (
    <>
      <LastChangeLine lastChange={lastChange} />
      {tours.length === 0 ? null : (
        <ul className={mergeClasses(styles.list, ownStyles.list)}>
          {tours.map((tour) => (
            <li key={tour.tour}>
              <RangesCard ranges={tour} location={location} lastChange={lastChange} onChanged={reload} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
});

interface RangesCardProps {
  readonly ranges: TourRanges;
  readonly location: string;
  readonly lastChange: LastChangeStore;
  readonly onChanged: () => Promise<void>;
}

const rangesPath = '/api/tour/:location/tours/:tour/ranges';

const RangesCard = observer(function RangesCard({ ranges, location, lastChange, onChanged }: RangesCardProps) {
  const t = useText();
  const styles = useStyles();
  const adminStyles = useAdminStyles();
  const http = useService(HttpClient);
  const formatFailure = useFormatFailure();
  const [state, setState] = useState<{ readonly busy: boolean; readonly failure?: unknown }>({ busy: false });
  const { tour, name, measured, computed, missing, job } = ranges;
  const titleId = `ranges-${tour}`;
  const params = { location, tour };
  const run = async (work: () => Promise<unknown>): Promise<void> => {
    setState({ busy: true });
    try {
      await work();
      await onChanged();
      setState({ busy: false });
    } catch (failure) {
      setState({ busy: false, failure });
    }
  };
  const remove = async (): Promise<void> => {
    const { change } = await http.call<typeof deleteRanges>('DELETE', rangesPath, { params });
    const texts = { done: 'tour.ranges.removed', undone: 'tour.ranges.restored' };
    if (change !== null) new ChangeSender(http, lastChange, onChanged).report([change], { texts, values: { name } });
  };
  return (
    <article className={adminStyles.card} aria-labelledby={titleId}>
      <div className={adminStyles.head}>
        <div className={styles.grow}>
          <h2 id={titleId} className={adminStyles.name}>
            {t('tour.ranges.title', { name })}
          </h2>
          <p className={adminStyles.note}>{t('tour.ranges.counts', { measured, computed, missing })}</p>
        </div>
        <div className={styles.actions}>
          {job ? (
            <Button
              disabledFocusable={state.busy}
              onClick={() => void run(() => http.call<typeof stopRanges>('POST', `${rangesPath}/stop`, { params }))}
            >
              {t('tour.ranges.stop')}
            </Button>
          ) : missing + computed === 0 ? null : (
            <Button
              disabledFocusable={state.busy}
              onClick={() => void run(() => http.call<typeof makeRanges>('POST', rangesPath, { params }))}
            >
              {t('tour.ranges.make')}
            </Button>
          )}
          {computed > 0 && !job ? (
            <Button disabledFocusable={state.busy} onClick={() => void run(remove)}>
              {t('tour.ranges.remove')}
            </Button>
          ) : null}
        </div>
      </div>
      {job ? <JobProgress job={job} label={t('tour.ranges.running')} onEnded={() => void onChanged()} /> : null}
      <div role="status">
        <RangesOutcome ranges={ranges} />
      </div>
      {state.failure === undefined ? null : (
        <div role="alert">
          <MessageBar intent="error" layout="multiline">
            <MessageBarBody>{formatFailure(state.failure)}</MessageBarBody>
          </MessageBar>
        </div>
      )}
    </article>
  );
});

/** Maximum number of codes that a message lists. */
const maxListedCodes = 20;

/** Shows the result of the latest computation, and the viewpoints that it skipped. */
function RangesOutcome({ ranges: { result, message, refusal } }: { readonly ranges: TourRanges }) {
  const t = useText();
  const formatRefusal = useFormatRefusal();
  if (!result)
    return message === null ? null : (
      <MessageBar intent="error" layout="multiline">
        <MessageBarBody>{refusal ? formatRefusal(refusal) : message}</MessageBarBody>
      </MessageBar>
    );
  const { made, coverage, blind, changed, stopped } = result;
  const toListedNames = (codes: readonly string[]) => ({
    count: codes.length,
    names: codes.slice(0, maxListedCodes).join(', ') + (codes.length > maxListedCodes ? ', …' : ''),
  });
  return (
    <MessageBar intent={blind.length + changed.length > 0 || stopped ? 'warning' : 'success'} layout="multiline">
      <MessageBarBody>
        {t('tour.ranges.made', { count: made, coverage })}
        {stopped ? ` ${t('tour.ranges.stopped')}` : ''}
        {blind.length > 0 ? ` ${t('tour.ranges.blind', toListedNames(blind))}` : ''}
        {changed.length > 0 ? ` ${t('tour.ranges.changed', toListedNames(changed))}` : ''}
      </MessageBarBody>
    </MessageBar>
  );
}
