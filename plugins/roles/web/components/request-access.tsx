import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { useParams, useSearchParams } from 'react-router-dom';
import { mandatory, maxAccessReason, maxLength, type AccessSubject } from '#core';
import type { listOwnAccessRequests, OwnAccessRequest, sendAccessRequest } from '#core/api';
import { Button, Field, Textarea, useForm } from '#core/ui';
import { FormDialog, useAdminStyles } from '#core/ui-data';
import {
  HttpClient,
  Locations,
  Session,
  useFormats,
  useResource,
  useService,
  useText,
  type NoAccessActionProps,
} from '#core/web';

/** Requests access to a feature at the location of the screen, and shows the status of the last request. */
const RequestAccess = observer(function RequestAccess({ feature }: NoAccessActionProps) {
  const t = useText();
  const http = useService(HttpClient);
  const isSignedIn = useService(Session).state === 'signedIn';
  const formats = useFormats();
  const { location: pathLocation } = useParams();
  const [searchParams] = useSearchParams();
  const location = pathLocation ?? searchParams.get('location') ?? null;
  const [isOpen, setOpen] = useState(false);
  const ownRequests = useResource(
    (signal) =>
      isSignedIn
        ? http.call<typeof listOwnAccessRequests>('GET', '/api/me/access-requests', {}, { signal })
        : undefined,
    [http, isSignedIn],
  );
  if (!isSignedIn) return null;
  const lastRequest = ownRequests.value?.find(
    (request) => request.feature === feature && request.location === location,
  );
  return (
    <>
      <div role="status">
        {lastRequest ? <RequestState request={lastRequest} at={formats.instant(lastRequest.createdAt)} /> : null}
      </div>
      {lastRequest?.status === 'OPEN' ? null : (
        <Button appearance="primary" onClick={() => setOpen(true)}>
          {t('roles.request')}
        </Button>
      )}
      {isOpen ? (
        <RequestDialog
          feature={feature}
          location={location}
          onSent={(sentRequest) =>
            ownRequests.update((requests) => [sentRequest, ...requests.filter(({ uid }) => uid !== sentRequest.uid)])
          }
          onClose={() => setOpen(false)}
        />
      ) : null}
    </>
  );
});
export default RequestAccess;

function RequestState({ request, at }: { readonly request: OwnAccessRequest; readonly at: string }) {
  const t = useText();
  const { status, answer } = request;
  if (status === 'DECLINED') return <p>{t('roles.requestDeclined', { at, reason: answer ?? '' })}</p>;
  return <p>{t(status === 'OPEN' ? 'roles.requestSent' : 'roles.requestGranted', { at })}</p>;
}

interface RequestDialogProps {
  readonly feature: AccessSubject;
  readonly location: string | null;
  readonly onSent: (request: OwnAccessRequest) => void;
  readonly onClose: () => void;
}

const RequestDialog = observer(function RequestDialog({ feature, location, onSent, onClose }: RequestDialogProps) {
  const t = useText();
  const styles = useAdminStyles();
  const http = useService(HttpClient);
  const locations = useService(Locations);
  const form = useForm<{ reason: string }>({
    initial: { reason: '' },
    rules: { reason: [mandatory, maxLength(maxAccessReason)] },
    send: async ({ reason }) => {
      onSent(
        await http.call<typeof sendAccessRequest>('POST', '/api/access-requests', {
          body: { feature, location, reason: reason.trim() },
        }),
      );
      onClose();
    },
  });
  return (
    <FormDialog
      title={t('roles.request')}
      action={t('roles.requestSend')}
      busy={form.busy}
      failure={form.failure}
      onSubmit={form.submit}
      onClose={onClose}
    >
      <p className={styles.note}>
        {location === null
          ? t('roles.requestAbout', { feature: t(`roles.subject.${feature}`) })
          : t('roles.requestAboutAt', {
              feature: t(`roles.subject.${feature}`),
              location: locations.find(location)?.name ?? location,
            })}
      </p>
      <Field label={t('roles.requestReason')} hint={t('roles.requestHint')} required {...form.field('reason')}>
        <Textarea {...form.input('reason')} resize="vertical" rows={4} />
      </Field>
    </FormDialog>
  );
});
