import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { Button, Field, makeStyles, MessageBar, MessageBarBody, Select, tokens } from '#core/ui';
import { LastChangeLine, LastChangeStore } from '#core/ui-data';
import { HttpClient, useFormatFailure, useResource, useService, useText } from '#core/web';
import type { createNodes, getTourContent } from '../../../../contract/api/tour-content.ts';
import { maxNodesPerRequest } from '../../../../contract/values/content-values.ts';
import { toNewNodes } from '../../stores/batch/to-new-nodes.ts';
import type { PanoramaBatch } from '../../stores/batch/panorama-batch.ts';
import { undoBy } from '../../stores/undo-by.ts';

const useStyles = makeStyles({
  form: { display: 'flex', flexWrap: 'wrap', alignItems: 'end', gap: tokens.spacingHorizontalM },
});

export interface MakeViewpointsProps {
  readonly batch: PanoramaBatch;
  readonly location: string;
  /** Loads the viewpoints anew. */
  readonly onMade: () => Promise<void>;
}

/** Makes viewpoints for files that have none and whose places are known. */
export const MakeViewpoints = observer(function MakeViewpoints({ batch, location, onMade }: MakeViewpointsProps) {
  const count = batch.files.filter(({ match, position }) => !match && position).length;
  const [lastChange] = useState(() => new LastChangeStore());
  return (
    <>
      <LastChangeLine changes={lastChange} />
      {count === 0 ? null : (
        <MakeForm batch={batch} location={location} onMade={onMade} count={count} lastChange={lastChange} />
      )}
    </>
  );
});

interface MakeFormProps extends MakeViewpointsProps {
  readonly count: number;
  readonly lastChange: LastChangeStore;
}

const MakeForm = observer(function MakeForm({ batch, location, onMade, count, lastChange }: MakeFormProps) {
  const t = useText();
  const styles = useStyles();
  const http = useService(HttpClient);
  const formatFailure = useFormatFailure();
  const content = useResource(
    (signal) =>
      http.call<typeof getTourContent>('GET', '/api/tour-content/:location', { params: { location } }, { signal }),
    [http, location],
  );
  const [chosenTour, setTour] = useState('');
  const [deckUid, setDeck] = useState('');
  const [state, setState] = useState<{ readonly busy: boolean; readonly failure?: unknown }>({ busy: false });
  const { tours = [], decks = [] } = content.value ?? {};
  const tour = tours.find(({ uid }) => uid === chosenTour) ?? tours[0];
  const deck = decks.find(({ uid }) => uid === deckUid);
  const make = async (): Promise<void> => {
    if (!tour) return;
    setState({ busy: true });
    const taken = content.value?.nodes.map(({ code }) => code) ?? [];
    const added = toNewNodes(batch, { deck, taken });
    const uids: string[] = [];
    try {
      for (let start = 0; start < added.length; start += maxNodesPerRequest) {
        const part = added.slice(start, start + maxNodesPerRequest);
        const { change } = await http.call<typeof createNodes>(
          'POST',
          '/api/tour-content/:location/tours/:tour/nodes',
          {
            params: { location: tour.location, tour: tour.uid },
            body: { nodes: part.map(({ node }) => node) },
          },
        );
        if (change !== null) uids.push(change);
        for (const { row, node } of part) row.assign({ node: node.uid, reason: 'MADE' });
      }
      await onMade();
      const texts = { done: 'tour.content.done.nodesCreated', undone: 'tour.content.undone.nodesCreated' };
      const values = { name: added[0]?.node.name ?? '', count: added.length };
      lastChange.report({ uids, texts, values, undo: undoBy(http, onMade) });
      setState({ busy: false });
    } catch (failure) {
      setState({ busy: false, failure });
    }
  };
  if (content.value && !tour)
    return (
      <MessageBar intent="info" layout="multiline">
        <MessageBarBody>{t('tour.batch.noTour')}</MessageBarBody>
      </MessageBar>
    );
  return (
    <>
      {state.failure === undefined ? null : (
        <div role="alert">
          <MessageBar intent="error" layout="multiline">
            <MessageBarBody>{formatFailure(state.failure)}</MessageBarBody>
          </MessageBar>
        </div>
      )}
      <div className={styles.form}>
        {tours.length < 2 ? null : (
          <Field label={t('tour.batch.tour')}>
            <Select value={tour?.uid ?? ''} onChange={(_, { value }) => setTour(value)}>
              {tours.map(({ uid, name }) => (
                <option key={uid} value={uid}>
                  {name}
                </option>
              ))}
            </Select>
          </Field>
        )}
        <Field label={t('tour.batch.deck')} hint={t('tour.batch.deckHint')}>
          <Select value={deckUid} onChange={(_, { value }) => setDeck(value)}>
            <option value="">{t('tour.batch.heightFromFile')}</option>
            {decks.map(({ uid, name }) => (
              <option key={uid} value={uid}>
                {name}
              </option>
            ))}
          </Select>
        </Field>
        <Button disabledFocusable={state.busy || !tour} onClick={() => void make()}>
          {t('tour.batch.make', { count })}
        </Button>
      </div>
    </>
  );
});
