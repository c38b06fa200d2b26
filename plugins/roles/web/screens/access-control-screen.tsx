import { observer } from 'mobx-react-lite';
import { useEffect, useMemo, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { accessRequestStatuses, accessSubjects } from '#core';
import type { AccessRequest, listAccessRequests } from '#core/api';
import { Field, ListSkeleton, makeStyles, PageTitle, ResourceView, Select, Tab, TabList, tokens } from '#core/ui';
import { LastChangeLine, useAdminStyles, usePagedResource } from '#core/ui-data';
import { HttpClient, Locations, useFormats, useService, useText } from '#core/web';
import { DeclineDialog, GrantDialog } from '../components/answer-dialogs.tsx';
import { ExplainPanel, type AccessQuestion } from '../components/explain-panel.tsx';
import { RequestTable } from '../components/request-table.tsx';
import { AccessRequestsStore } from '../stores/access-requests-store.ts';

const views = ['explain', 'requests'] as const;

const useStyles = makeStyles({
  tabs: { marginBottom: tokens.spacingVerticalL },
  field: { maxWidth: '320px', marginBottom: tokens.spacingVerticalM },
});

/** Explains the access of a person, and lists access requests. The URL contains the question. */
const AccessControlScreen = observer(function AccessControlScreen() {
  const styles = useStyles();
  const t = useText();
  const [searchParams, setSearchParams] = useSearchParams();
  const view = views.find((option) => option === searchParams.get('view')) ?? 'requests';
  const question: AccessQuestion = {
    account: searchParams.get('person') ?? '',
    feature: accessSubjects.find((subject) => subject === searchParams.get('feature')),
    location: searchParams.get('location') ?? undefined,
  };
  const setQuestion = useMemo(
    () =>
      ({ account, feature, location }: AccessQuestion): void =>
        setSearchParams(
          {
            view: 'explain',
            ...(account === '' ? {} : { person: account }),
            ...(feature === undefined ? {} : { feature }),
            ...(location === undefined ? {} : { location }),
          },
          { replace: true },
        ),
    [setSearchParams],
  );
  return (
    <>
      <PageTitle title={t('roles.accessControl')} hint={t('roles.accessHint')} />
      <TabList
        className={styles.tabs}
        selectedValue={view}
        onTabSelect={(_, { value }) => setSearchParams({ view: String(value) }, { replace: true })}
        aria-label={t('roles.accessControl')}
      >
        <Tab value="requests">{t('roles.requests')}</Tab>
        <Tab value="explain">{t('roles.explain')}</Tab>
      </TabList>
      {view === 'explain' ? (
        <ExplainPanel question={question} onChange={setQuestion} />
      ) : (
        <RequestsPanel onExplain={setQuestion} />
      )}
    </>
  );
});
export default AccessControlScreen;

const RequestsPanel = observer(function RequestsPanel({
  onExplain,
}: {
  readonly onExplain: (question: AccessQuestion) => void;
}) {
  const styles = { ...useAdminStyles(), ...useStyles() };
  const t = useText();
  const http = useService(HttpClient);
  const locations = useService(Locations);
  const formats = useFormats();
  const [status, setStatus] = useState<(typeof accessRequestStatuses)[number] | 'ALL'>('OPEN');
  const [requestToGrant, setRequestToGrant] = useState<AccessRequest>();
  const [requestToDecline, setRequestToDecline] = useState<AccessRequest>();
  useEffect(() => {
    void locations.load();
  }, [locations]);
  const pages = usePagedResource(
    (page, signal) =>
      http.call<typeof listAccessRequests>(
        'GET',
        '/api/access-requests',
        { query: { ...page, ...(status === 'ALL' ? {} : { status }) } },
        { signal },
      ),
    [http, status],
    'requests',
  );
  const [store] = useState(() => new AccessRequestsStore(http, async () => pages.load()));
  const explain = useMemo(
    () =>
      ({ person, feature, location }: AccessRequest): void =>
        onExplain({ account: person.uid, feature, location: location ?? undefined }),
    [onExplain],
  );
  return (
    <>
      <LastChangeLine lastChange={store.lastChange} />
      <Field label={t('roles.statusTitle')} className={styles.field}>
        <Select
          value={status}
          onChange={(_, { value }) => setStatus(accessRequestStatuses.find((option) => option === value) ?? 'ALL')}
        >
          {(['OPEN', 'GRANTED', 'DECLINED', 'ALL'] as const).map((option) => (
            <option key={option} value={option}>
              {t(`roles.requestStatus.${option}`)}
            </option>
          ))}
        </Select>
      </Field>
      <ResourceView resource={pages} noAccessTo={noAccess} waiting={<ListSkeleton />}>
        {({ total }) => (
          <>
            <p role="status" className={styles.note}>
              {t('roles.requestsFound', { count: total, shown: formats.number(total) })}
            </p>
            <RequestTable
              rows={pages}
              onGrant={setRequestToGrant}
              onDecline={setRequestToDecline}
              onExplain={explain}
            />
          </>
        )}
      </ResourceView>
      {requestToGrant ? (
        <GrantDialog request={requestToGrant} store={store} onClose={() => setRequestToGrant(undefined)} />
      ) : null}
      {requestToDecline ? (
        <DeclineDialog request={requestToDecline} store={store} onClose={() => setRequestToDecline(undefined)} />
      ) : null}
    </>
  );
});

const noAccess = 'application';
