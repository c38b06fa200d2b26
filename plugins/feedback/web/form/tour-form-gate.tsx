import { observer } from 'mobx-react-lite';
import { useCallback, useEffect, useEffectEvent, useState } from 'react';
import { routes } from '#core';
import { FailedState, LoadingState } from '#core/ui';
import { BrowserStorage, HttpClient, RouteLink, Session, usePluginSettings, useService, useText } from '#core/web';
import type { TourForm as AskedForm } from '#plugins/feedback';
import type { getTourForm } from '#plugins/feedback/api';
import type { TourGateProps } from '#plugins/tour';
import type manifest from '../../plugin.ts';
import { FormMemory } from './form-memory.ts';
import { TourForm } from './tour-form.tsx';

/** The tour form: asked before a tour opens, unless what the person answered for it still holds. */
export default function TourFormGate(props: TourGateProps) {
  return <GateOfLocation key={props.location} {...props} />;
}

const GateOfLocation = observer(function GateOfLocation({ location, onPass }: TourGateProps) {
  const t = useText();
  const http = useService(HttpClient);
  const storage = useService(BrowserStorage);
  const username = useService(Session).me?.username ?? '';
  const { validFor } = usePluginSettings<typeof manifest>();
  // Created once: the page is loaded anew for another person, and a logout is no reason to ask again.
  const [memory] = useState(() => new FormMemory(storage, username, validFor));
  const [asked, setAsked] = useState<AskedForm>();
  const [failure, setFailure] = useState<unknown>();
  const [attempt, setAttempt] = useState(0);

  const pass = useEffectEvent(onPass);
  useEffect(() => {
    if (memory.holds(location, Date.now())) {
      pass();
      return undefined;
    }
    const loading = new AbortController();
    http
      .call<typeof getTourForm>(
        'GET',
        '/api/feedback/:location/form',
        { params: { location } },
        { signal: loading.signal },
      )
      .then(
        (form) => {
          if (loading.signal.aborted) return;
          if (form.remaining > 0) memory.answered(location, form.remaining, Date.now());
          if (form.remaining > 0 || form.questions.length === 0) pass();
          else setAsked(form);
        },
        (error: unknown) => {
          if (!loading.signal.aborted) setFailure(error);
        },
      );
    return () => loading.abort();
  }, [http, location, memory, attempt]);

  const failed = failure !== undefined;
  const askAgain = useCallback(() => {
    setFailure(undefined);
    setAttempt((before) => before + 1);
  }, []);
  useEffect(() => {
    if (!failed) return undefined;
    window.addEventListener('online', askAgain);
    return () => window.removeEventListener('online', askAgain);
  }, [failed, askAgain]);

  if (failed)
    return (
      <FailedState
        heading="h1"
        error={failure}
        onRetry={askAgain}
        action={<RouteLink to={routes.home}>{t('feedback.home')}</RouteLink>}
      />
    );
  if (!asked) return <LoadingState label={t('feedback.loading')} />;
  return (
    <TourForm
      location={location}
      asked={asked}
      memory={memory}
      onAnswered={onPass}
      onRefused={() => setAttempt((before) => before + 1)}
    />
  );
});
