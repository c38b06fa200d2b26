import { useMemo } from 'react';
import { maxLength } from '#core';
import { Button, Field, Input, Select, useForm } from '#core/ui';
import { FormDialog } from '#core/ui-data';
import { HttpClient, useService, useText } from '#core/web';
import type { TourNode } from '#plugins/tour';
import type { mapObject, MappedObject, ModelMapping, unmapObject } from '../../../contract/api.ts';

interface MappingDialogProps {
  readonly object: MappedObject;
  readonly location: string;
  readonly nodes: readonly TourNode[];
  readonly onClose: () => void;
  readonly onSaved: () => void;
}

/** Maps one object to a tag and a node, or deletes its mappings. */
export function MappingDialog({ object, location, nodes, onClose, onSaved }: MappingDialogProps) {
  const t = useText();
  const http = useService(HttpClient);
  const { model, key, name, tag, mappedTag, mappedNode } = object;
  const initial = useMemo(
    () => ({ tag: (mappedTag ? mappedTag.number : tag) ?? '', node: mappedNode ?? '' }),
    [mappedTag, tag, mappedNode],
  );
  // Without its own mapping, the object would get the tag of the rules again.
  const isMappedByRule = typeof mappedTag?.rule === 'string';
  const params = { location, model };
  const saveMapping = (kind: ModelMapping['kind'], target: string | null) =>
    http.call<typeof mapObject>('PUT', '/api/model-3d/:location/models/:model/mapping', {
      params,
      body: { object: key, kind, target },
    });
  const deleteMapping = (kind: ModelMapping['kind']) =>
    http.call<typeof unmapObject>('DELETE', '/api/model-3d/:location/models/:model/mapping', {
      params,
      query: { object: key, kind },
    });
  const form = useForm({
    initial,
    rules: { tag: [maxLength(120)], node: [] },
    send: async (values) => {
      const number = values.tag.trim();
      if (number !== initial.tag)
        await (number === (tag ?? '') && !isMappedByRule ? deleteMapping('TAG') : saveMapping('TAG', number || null));
      if (values.node !== initial.node)
        await (values.node === '' ? deleteMapping('NODE') : saveMapping('NODE', values.node));
      onClose();
      onSaved();
    },
  });
  return (
    <FormDialog
      title={t('model-3d.mapping.editOne', { name })}
      action={t('model-3d.admin.save')}
      busy={form.busy}
      failure={form.failure}
      onSubmit={form.submit}
      onClose={onClose}
    >
      <Field
        label={t('model-3d.mapTag')}
        hint={tag === null ? t('model-3d.mapping.fileNone') : t('model-3d.mapping.fileSays', { tag })}
        {...form.field('tag')}
      >
        <Input {...form.input('tag')} />
      </Field>
      {mappedTag === null ? null : (
        <div>
          <Button onClick={() => form.input('tag').onChange(undefined, { value: tag ?? '' })}>
            {t('model-3d.mapping.asInFile')}
          </Button>
        </div>
      )}
      <Field label={t('model-3d.mapNode')} {...form.field('node')}>
        <Select {...form.input('node')}>
          <option value="">{t('model-3d.noNode')}</option>
          {nodes.map((node) => (
            <option key={node.uid} value={node.uid}>
              {node.name}
            </option>
          ))}
        </Select>
      </Field>
    </FormDialog>
  );
}
