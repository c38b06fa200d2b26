import { observer } from 'mobx-react-lite';
import { useMemo, useState } from 'react';
import { mandatory, maxLength, max, number } from '#core';
import { Button, Field, Input, useForm, useRestoreFocusTarget } from '#core/ui';
import {
  ConfirmDialog,
  FormDialog,
  ImportCard,
  PoseFields,
  useAdminStyles,
  useSourceSystemFormatter,
} from '#core/ui-data';
import { HttpClient, buildPoseRules, roundPose, useFormats, useFormatRefusal, useService, useText } from '#core/web';
import type { ManagedModel, placeModel, deleteModel } from '../../../contract/api.ts';
import { RenewDialog } from './upload-dialog.tsx';

interface ModelCardProps {
  readonly model: ManagedModel;
  /** Name of the model's location. */
  readonly locationName: string;
  readonly onChanged: () => Promise<void>;
}

/** Card with the state, the import report and the actions of a model. */
export const ModelCard = observer(function ModelCard({ model, locationName, onChanged }: ModelCardProps) {
  const styles = useAdminStyles();
  const t = useText();
  const formatRefusal = useFormatRefusal();
  const formatter = useSourceSystemFormatter();
  const formats = useFormats(model.location);
  const http = useService(HttpClient);
  const opener = useRestoreFocusTarget();
  const [openDialog, setOpenDialog] = useState<'place' | 'renew' | 'remove'>();
  const { uid, name, location, state, job, version, objects, tiles, bytes, report, updatedAt, bounds, pose } = model;
  const titleId = `model-${uid}`;
  const close = (): void => setOpenDialog(undefined);
  const renderButton = (dialog: NonNullable<typeof openDialog>, label: string) => (
    <Button
      {...opener}
      onClick={() => setOpenDialog(dialog)}
      disabled={job !== null && dialog === 'renew'}
      aria-describedby={titleId}
    >
      {label}
    </Button>
  );
  return (
    <ImportCard
      id={titleId}
      name={name}
      state={state}
      stateText={t(`model-3d.admin.state.${state}`)}
      actions={
        <>
          {renderButton('place', t('model-3d.admin.place'))}
          {renderButton('renew', t('model-3d.admin.renew'))}
          {renderButton('remove', t('model-3d.admin.remove'))}
        </>
      }
      job={job}
      jobText={t('model-3d.admin.importing')}
      message={formatRefusal(model) ?? (report?.system && formatter.findWarning(report.system)) ?? null}
      details={[
        [t('model-3d.admin.at'), locationName],
        ...(version === 0
          ? []
          : ([
              [t('model-3d.admin.version'), formats.number(version)],
              [t('model-3d.admin.objects'), formats.number(objects)],
              ...(report
                ? [
                    [t('model-3d.admin.tagged'), formats.number(report.tagged)] as const,
                    [t('model-3d.admin.triangles'), formats.compact(report.triangles)] as const,
                    ...(report.elements
                      ? [[t('model-3d.admin.elements'), t('model-3d.admin.elementsValue', report.elements)] as const]
                      : []),
                    ...(report.system ? formatter.toDetails(report.system) : []),
                  ]
                : []),
              ...(tiles > 0 ? [[t('model-3d.admin.tiles'), formats.number(tiles)] as const] : []),
              [
                t('model-3d.admin.size'),
                report && report.bytesBefore !== bytes
                  ? t('model-3d.admin.shrunk', { before: report.bytesBefore / 1e6, after: bytes / 1e6 })
                  : formats.bytes(bytes),
              ],
              ...(bounds
                ? [
                    [
                      t('model-3d.admin.extent'),
                      t('model-3d.admin.extentValue', {
                        x: (bounds.max[0] - bounds.min[0]) * pose.scale,
                        y: (bounds.max[1] - bounds.min[1]) * pose.scale,
                        z: (bounds.max[2] - bounds.min[2]) * pose.scale,
                      }),
                    ] as const,
                  ]
                : []),
            ] as const)),
        [t('model-3d.admin.changed'), formats.instant(updatedAt)],
      ]}
      onChanged={onChanged}
    >
      {report === null || report.notes.length === 0 ? null : (
        <details>
          <summary className={styles.summary}>{t('model-3d.admin.leftOut', { count: report.notes.length })}</summary>
          <ul className={styles.report}>
            {report.notes.map(({ code, count }) => (
              <li key={code}>{t(`model-3d.admin.note.${code}`, { count })}</li>
            ))}
          </ul>
        </details>
      )}
      {openDialog === 'place' ? <PlacementDialog model={model} onClose={close} onSaved={onChanged} /> : null}
      {openDialog === 'renew' ? (
        <RenewDialog location={location} name={name} model={uid} onClose={close} onSent={onChanged} />
      ) : null}
      {openDialog === 'remove' ? (
        <ConfirmDialog
          title={t('model-3d.admin.removeTitle', { name })}
          message={t('model-3d.admin.removeHint')}
          action={t('model-3d.admin.remove')}
          onConfirm={async () => {
            await http.call<typeof deleteModel>('DELETE', '/api/model-3d/:location/models/:model', {
              params: { location, model: uid },
            });
            void onChanged();
          }}
          onClose={close}
        />
      ) : null}
    </ImportCard>
  );
});

/** Form with name and placement of a model. */
function PlacementDialog({
  model,
  onClose,
  onSaved,
}: {
  readonly model: ManagedModel;
  readonly onClose: () => void;
  readonly onSaved: () => Promise<void>;
}) {
  const t = useText();
  const http = useService(HttpClient);
  const initial = useMemo(
    () => ({ name: model.name, pose: { ...roundPose(model.pose), scale: model.pose.scale } }),
    [model],
  );
  const form = useForm({
    initial,
    rules: {
      name: [mandatory, maxLength(120)],
      ...buildPoseRules('pose.'),
      'pose.scale': [
        mandatory,
        number,
        max(10_000),
        (value: number) => (value > 0 ? undefined : { message: 'model-3d.admin.scaleAboveZero' }),
      ],
    },
    send: async ({ name, pose }) => {
      await http.call<typeof placeModel>('PUT', '/api/model-3d/:location/models/:model', {
        params: { location: model.location, model: model.uid },
        body: { name: name.trim(), pose },
      });
      onClose();
      void onSaved();
    },
  });
  return (
    <FormDialog
      title={t('model-3d.admin.placeTitle', { name: model.name })}
      action={t('model-3d.admin.save')}
      busy={form.busy}
      failure={form.failure}
      onSubmit={form.submit}
      onClose={onClose}
    >
      <Field label={t('model-3d.admin.name')} required {...form.field('name')}>
        <Input {...form.input('name')} />
      </Field>
      <PoseFields
        input={(path) => form.number(`pose.${path}`)}
        field={(path) => form.field(`pose.${path}`)}
        hint={t('model-3d.admin.placeHint')}
      />
      <Field
        label={t('model-3d.admin.scale')}
        hint={t('model-3d.admin.scaleHint')}
        required
        {...form.field('pose.scale')}
      >
        <Input inputMode="decimal" {...form.number('pose.scale')} />
      </Field>
    </FormDialog>
  );
}
