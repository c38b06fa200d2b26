import { observer } from 'mobx-react-lite';
import { useMemo } from 'react';
import { dayAt, mandatory, maxLength, noonAt } from '#core';
import { Field, Input, useForm } from '#core/ui';
import { FormDialog, PoseFields } from '#core/ui-data';
import { HttpClient, buildPoseRules, roundPose, useFormats, useService, useText } from '#core/web';
import type { updateDelivery, ScanDelivery } from '../../../contract/api/admin.ts';

interface DeliveryDialogProps {
  readonly delivery: ScanDelivery;
  readonly onClose: () => void;
  readonly onSaved: () => Promise<void>;
}

/** Edits the name, the date and the pose of a delivery. */
export const DeliveryDialog = observer(function DeliveryDialog({ delivery, onClose, onSaved }: DeliveryDialogProps) {
  const t = useText();
  const http = useService(HttpClient);
  const { timeZone } = useFormats(delivery.location);
  const initial = useMemo(
    () => ({
      name: delivery.name,
      day: delivery.capturedAt === null ? '' : dayAt(new Date(delivery.capturedAt), timeZone),
      place: roundPose(delivery.pose),
    }),
    [delivery, timeZone],
  );
  const form = useForm({
    initial,
    rules: { name: [mandatory, maxLength(120)], day: [], ...buildPoseRules('place.') },
    send: async ({ name, day, place }) => {
      const capturedAt =
        day === initial.day ? delivery.capturedAt : day === '' ? null : noonAt(day, timeZone).toISOString();
      await http.call<typeof updateDelivery>('PUT', '/api/scan/:location/clouds/:uid', {
        params: { location: delivery.location, uid: delivery.uid },
        body: { name: name.trim(), capturedAt, pose: place },
      });
      onClose();
      void onSaved();
    },
  });
  return (
    <FormDialog
      title={t('scan.admin.editDelivery', { name: delivery.name })}
      action={t('scan.admin.save')}
      busy={form.busy}
      failure={form.failure}
      onSubmit={form.submit}
      onClose={onClose}
    >
      <Field label={t('scan.admin.name')} required {...form.field('name')}>
        <Input {...form.input('name')} />
      </Field>
      <Field
        label={t('scan.admin.captured')}
        hint={t('scan.admin.capturedHint', { zone: timeZone })}
        {...form.field('day')}
      >
        <Input type="date" {...form.input('day')} />
      </Field>
      <PoseFields
        input={(path) => form.number(`place.${path}`)}
        field={(path) => form.field(`place.${path}`)}
        hint={t('scan.admin.placeDeliveryHint')}
      />
    </FormDialog>
  );
});
