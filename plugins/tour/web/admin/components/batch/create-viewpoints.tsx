import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { Button, Field, makeStyles, MessageBar, MessageBarBody, Select, tokens } from '#core/ui';
import { ChangeSender, LastChangeLine, LastChangeStore } from '#core/ui-data';
import { HttpClient, useFormatFailure, useResource, useService, useText } from '#core/web';
import type { createNodes, getTourContent } from '../../../../contract/api/tour-content.ts';
import { maxNodesPerRequest } from '../../../../contract/values/content-values.ts';
import { toNewNodes } from '../../stores/batch/to-new-nodes.ts';
import type { PanoramaBatch } from '../../stores/batch/panorama-batch.ts';

const useStyles = makeStyles({
  form: { display: 'flex', flexWrap: 'wrap', alignItems: 'end', gap: tokens.spacingHorizontalM },
});

export interface CreateViewpointsProps {
  readonly batch: PanoramaBatch;
  readonly location: string;
  /** Called after viewpoints were created. Must reload them. */
  readonly onCreated: () => Promise<void>;
}

/** Creates viewpoints for unassigned files with a known position. */
export const CreateViewpoints = observer(function CreateViewpoints({
  batch,
  location,
  onCreated,
}: CreateViewpointsProps) {
  const count = batch.files.filter(({ assignment, position }) => !assignment && position).length;
  const [lastChange] = useState(() => new LastChangeStore());
  return (
    <>
      <LastChangeLine lastChange={lastChange} />
      {count === 0 ? null : (
        <CreateForm batch={batch} location={location} onCreated={onCreated} count={count} lastChange={lastChange} />
      )}
    </>
  );
});

interface CreateFormProps extends CreateViewpointsProps {
  readonly count: number;
  readonly lastChange: LastChangeStore;
}

const CreateForm = observer(function CreateForm({ batch, location, onCreated, count, lastChange }: CreateFormProps) {
  const t = useText();
  const styles = useStyles();
  const http = useService(HttpClient);
  const formatFailure = useFormatFailure();
  const content = useResource(
    (signal) =>
      http.call<typeof getTourContent>('GET', '/api/tour-content/:location', { params: { location } }, { signal }),
    [http, location],
  );
  const [selectedTourUid, setSelectedTourUid] = useState('');
  const [deckUid, setDeckUid] = useState('');
  const [state, setState] = useState<{ readonly busy: boolean; readonly failure?: unknown }>({ busy: false });
  const { tours = [], decks = [] } = content.value ?? {};
  const tour = tours.find(({ uid }) => uid === selectedTourUid) ?? tours[0];
  const deck = decks.find(({ uid }) => uid === deckUid);
  const create = async (): Promise<void> => {
    if (!tour) return;
    setState({ busy: true });
    const takenCodes = content.value?.nodes.map(({ code }) => code) ?? [];
    const newNodes = toNewNodes(batch, { deck, takenCodes });
    const changeUids: string[] = [];
    try {
      for (let start = 0; start < newNodes.length; start += maxNodesPerRequest) {
        const chunk = newNodes.slice(start, start + maxNodesPerRequest);
        const { change } = await http.call<typeof createNodes>(
          'POST',
          '/api/tour-content/:location/tours/:tour/nodes',
          {
            params: { location: tour.location, tour: tour.uid },
            body: { nodes: chunk.map(({ node }) => node) },
          },
        );
        if (change !== null) changeUids.push(change);
        for (const { batchFile, node } of chunk) batchFile.assign({ nodeUid: node.uid, reason: 'CREATED' });
      }
      await onCreated();
      const texts = { done: 'tour.content.done.nodesCreated', undone: 'tour.content.undone.nodesCreated' };
      const values = { name: newNodes[0]?.node.name ?? '', count: newNodes.length };
      new ChangeSender(http, lastChange, onCreated).report(changeUids, { texts, values });
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
            <Select value={tour?.uid ?? ''} onChange={(_, { value }) => setSelectedTourUid(value)}>
              {tours.map(({ uid, name }) => (
                <option key={uid} value={uid}>
                  {name}
                </option>
              ))}
            </Select>
          </Field>
        )}
        <Field label={t('tour.batch.deck')} hint={t('tour.batch.deckHint')}>
          <Select value={deckUid} onChange={(_, { value }) => setDeckUid(value)}>
            <option value="">{t('tour.batch.heightFromFile')}</option>
            {decks.map(({ uid, name }) => (
              <option key={uid} value={uid}>
                {name}
              </option>
            ))}
          </Select>
        </Field>
        <Button disabledFocusable={state.busy || !tour} onClick={() => void create()}>
          {t('tour.batch.make', { count })}
        </Button>
      </div>
    </>
  );
});
