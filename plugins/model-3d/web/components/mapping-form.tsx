import { useState, type FormEvent } from 'react';
import { observer } from 'mobx-react-lite';
import { Button, Field, Input, makeStyles, Select } from '#core/ui';
import { ApiError, HttpClient, useFormatFailure, useService, useText } from '#core/web';
import { TourStore } from '#plugins/tour';
import type { mapObject, ModelMapping, unmapObject } from '../../contract/api.ts';
import type { ModelObject } from '../viewer/model-content.ts';
import { applyMappings } from '../stores/object-tree.ts';
import { ModelViewStore } from '../stores/model-view-store.ts';

const useStyles = makeStyles({
  form: { display: 'grid', gap: '8px' },
  row: { display: 'flex', gap: '8px', alignItems: 'center' },
});

/** Form with which an admin maps the selected object to a tag and a node of the tour. */
export const MappingForm = observer(function MappingForm({ object }: { readonly object: ModelObject }) {
  const styles = useStyles();
  const t = useText();
  const formatFailure = useFormatFailure();
  const http = useService(HttpClient);
  const modelView = useService(ModelViewStore);
  const store = useService(TourStore);
  const [tag, setTag] = useState(object.tag ?? '');
  const [node, setNode] = useState(object.node ?? '');
  const [state, setState] = useState<'idle' | 'saving' | 'saved' | 'failed'>('idle');
  const [failure, setFailure] = useState<unknown>();
  const location = store.opened?.tour.location;

  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (location === undefined) return;
    setState('saving');
    const { key, model } = object;
    const params = { location, model };
    const saveMapping = (kind: ModelMapping['kind'], target: string | null): Promise<ModelMapping> =>
      http.call<typeof mapObject>('PUT', '/api/model-3d/:location/models/:model/mapping', {
        params,
        body: { object: key, kind, target },
      });
    try {
      const savedMappings: ModelMapping[] = [];
      if (tag.trim() !== (object.tag ?? '')) savedMappings.push(await saveMapping('TAG', tag.trim() || null));
      if (node !== '' && node !== object.node) savedMappings.push(await saveMapping('NODE', node));
      if (node === '' && object.node !== undefined) {
        await http.call<typeof unmapObject>('DELETE', '/api/model-3d/:location/models/:model/mapping', {
          params,
          query: { object: key, kind: 'NODE' },
        });
        savedMappings.push({ model, object: key, kind: 'NODE', target: null });
      }
      modelView.updateObjects(applyMappings(modelView.tree.objects, savedMappings));
      setState('saved');
    } catch (error) {
      setFailure(error);
      setState('failed');
    }
  };

  const failureText =
    failure instanceof ApiError && failure.body?.refusal ? formatFailure(failure) : t('model-3d.mapFailed');
  const createChangeHandler =
    (set: (value: string) => void) =>
    (value: string): void => {
      set(value);
      setState('idle');
    };
  return (
    <form className={styles.form} onSubmit={(event) => void save(event)}>
      <Field label={t('model-3d.mapTag')} size="small">
        <Input
          size="small"
          value={tag}
          maxLength={120}
          onChange={(_, { value }) => createChangeHandler(setTag)(value)}
        />
      </Field>
      <Field label={t('model-3d.mapNode')} size="small">
        <Select size="small" value={node} onChange={(_, { value }) => createChangeHandler(setNode)(value)}>
          <option value="">{t('model-3d.noNode')}</option>
          {store.nodes.map(({ uid, name }) => (
            <option key={uid} value={uid}>
              {name}
            </option>
          ))}
        </Select>
      </Field>
      <div className={styles.row}>
        <Button
          type="submit"
          size="small"
          appearance="primary"
          disabled={state === 'saving' || (tag.trim() === (object.tag ?? '') && node === (object.node ?? ''))}
        >
          {t('model-3d.map')}
        </Button>
        <span role="status">{state === 'saved' ? t('model-3d.mapped') : state === 'failed' ? failureText : ''}</span>
      </div>
    </form>
  );
});
