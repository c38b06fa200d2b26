import { observer } from 'mobx-react-lite';
import { useEffect, useEffectEvent, useState } from 'react';
import { routes } from '#core';
import { FailedState, LoadingState } from '#core/ui';
import {
  BrowserStorage,
  HttpClient,
  RouteLink,
  Session,
  usePluginSettings,
  useResource,
  useService,
  useText,
} from '#core/web';
import type { getTourForm } from '#plugins/feedback/api';
import type { TourGateProps } from '#plugins/tour';
import type manifest from '../../plugin.ts';
import { FormMemory } from '../stores/form-memory.ts';
import { RatingStore } from '../stores/rating-store.ts';
import { TourForm } from './tour-form.tsx';

/** Shows the tour form before a tour opens, unless an earlier answer is still valid. */
export default function TourFormGate(props: TourGateProps) {
  return <GateOfLocation key={props.location} {...props} />;
}

const GateOfLocation = observer(function GateOfLocation({ location, onPass }: TourGateProps) {
  const t = useText();
  const http = useService(HttpClient);
  const storage = useService(BrowserStorage);
  const username = useService(Session).me?.username ?? '';
  const ratings = useService(RatingStore);
  const { validFor } = usePluginSettings<typeof manifest>();
  // Created only once, because a change of person reloads the page and a logout must not show the form again.
  const [memory] = useState(() => new FormMemory(storage, username, validFor));
  const form = useResource(
    (signal) =>
      memory.hasValidAnswer(location, Date.now())
        ? undefined
        : http.call<typeof getTourForm>('GET', '/api/feedback/:location/form', { params: { location } }, { signal }),
    [http, location, memory],
  );

  const handlePass = useEffectEvent(onPass);
  const { value } = form;
  useEffect(() => {
    if (value) ratings.setUnratedForm(location, value.unratedForm);
    if (value && value.remaining > 0) memory.setAnswered(location, value.remaining, Date.now());
    const nothingToAsk = value
      ? value.remaining > 0 || value.questions.length === 0
      : memory.hasValidAnswer(location, Date.now());
    if (nothingToAsk) handlePass();
  }, [location, memory, ratings, value]);

  const failed = form.state === 'failed';
  useEffect(() => {
    if (!failed) return undefined;
    window.addEventListener('online', form.retry);
    return () => window.removeEventListener('online', form.retry);
  }, [failed, form]);

  if (failed)
    return (
      <FailedState
        heading="h1"
        error={form.failure?.cause}
        onRetry={form.retry}
        action={<RouteLink to={routes.home}>{t('feedback.home')}</RouteLink>}
      />
    );
  if (!value || value.remaining > 0 || value.questions.length === 0)
    return <LoadingState label={t('feedback.loading')} />;
  return <TourForm location={location} definition={value} memory={memory} onAnswered={onPass} onRefused={form.retry} />;
});
