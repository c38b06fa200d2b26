import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import type { getPerson, listPersonChoices, Person, PersonChoices, repeatInvitation } from '#core/api';
import {
  Button,
  makeStyles,
  MessageBar,
  MessageBarBody,
  PageTitle,
  PanelSkeleton,
  ResourceView,
  tokens,
} from '#core/ui';
import { ChangeSender, LastChangeLine, LastChangeStore, useAdminStyles } from '#core/ui-data';
import {
  HttpClient,
  Locations,
  Navigation,
  useFormatFailure,
  useFormats,
  useResource,
  useService,
  useText,
} from '#core/web';
import { userList, userPage } from '../../contract/index.ts';
import { PersonForm } from './person-form.tsx';
import { PersonSecondFactor } from './person-second-factor.tsx';
import { PersonSignIns } from './person-sign-ins.tsx';

const useStyles = makeStyles({
  page: { display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: tokens.spacingVerticalXXL, maxWidth: '760px' },
});

/** Page of a person. Without a uid, its form invites a new person. */
export const PersonPage = observer(function PersonPage({ uid }: { readonly uid: string | undefined }) {
  const t = useText();
  const styles = useStyles();
  const http = useService(HttpClient);
  const navigation = useService(Navigation);
  const locations = useService(Locations);
  const [lastChange] = useState(() => new LastChangeStore());
  const page = useResource(
    async (signal) => {
      const [choices, person] = await Promise.all([
        http.call<typeof listPersonChoices>('GET', '/api/people-choices', {}, { signal }),
        uid === undefined
          ? undefined
          : http.call<typeof getPerson>('GET', '/api/people/:person', { params: { person: uid } }, { signal }),
        // If this fails, the form shows the codes of locations instead of their names.
        locations.load().catch(() => undefined),
      ]);
      return { choices, person };
    },
    [http, uid, locations],
  );
  const handleSaved = (change: string | null, person: string, name: string): void => {
    if (uid === undefined) return navigation.goToUrl(`${navigation.linkTo(userPage, {}) ?? ''}?person=${person}`);
    void page.load();
    if (change === null) return;
    new ChangeSender(http, lastChange, async () => void page.load()).report([change], {
      texts: { done: 'users.done.changed', undone: 'users.done.changedUndone' },
      values: { name },
    });
  };
  return (
    <>
      <PageTitle
        title={page.value?.person?.name ?? t(uid === undefined ? 'users.new' : 'users.user')}
        hint={uid === undefined ? t('users.newHint') : undefined}
        actions={<Button onClick={() => navigation.goTo(userList, {})}>{t('users.backToList')}</Button>}
      />
      <LastChangeLine lastChange={lastChange} />
      <ResourceView
        resource={page}
        waiting={<PanelSkeleton lines={8} />}
        noAccessTo={{ title: t('users.noAccess'), accessToRequest: 'userManagement' }}
      >
        {({ choices, person }) => (
          <div className={styles.page}>
            <PersonDetails
              key={person?.version ?? 0}
              person={person}
              choices={choices}
              onSaved={handleSaved}
              onReload={() => page.load()}
            />
          </div>
        )}
      </ResourceView>
    </>
  );
});

interface PersonDetailsProps {
  readonly person: Person | undefined;
  readonly choices: PersonChoices;
  readonly onSaved: (change: string | null, person: string, name: string) => void;
  readonly onReload: () => Promise<void>;
}

function PersonDetails({ person, choices, onSaved, onReload }: PersonDetailsProps) {
  return (
    <>
      {person && (person.status === 'INVITED' || person.status === 'REGISTERED') ? (
        <Invitation person={person} onInvited={onReload} />
      ) : null}
      <PersonForm person={person} choices={choices} onSaved={onSaved} />
      {person?.secondFactor ? <PersonSecondFactor person={person} onReset={onReload} /> : null}
      {person ? <PersonSignIns uid={person.uid} /> : null}
    </>
  );
}

/** Shows when the person was invited, with a button that sends the mail again. */
const Invitation = observer(function Invitation({
  person,
  onInvited,
}: {
  readonly person: Person;
  readonly onInvited: () => Promise<void>;
}) {
  const t = useText();
  const styles = useAdminStyles();
  const http = useService(HttpClient);
  const formats = useFormats();
  const formatFailure = useFormatFailure();
  const [state, setState] = useState<'idle' | 'busy' | 'sent'>('idle');
  const [failure, setFailure] = useState<unknown>();
  const send = async (): Promise<void> => {
    setState('busy');
    setFailure(undefined);
    try {
      const request = { params: { person: person.uid }, body: {} };
      await http.call<typeof repeatInvitation>('POST', '/api/people/:person/invitation', request);
      setState('sent');
      await onInvited();
    } catch (cause) {
      setFailure(cause);
      setState('idle');
    }
  };
  return (
    <div className={styles.card}>
      <p className={styles.note}>
        {person.invitedAt === null
          ? t('users.notInvited')
          : t('users.invitedAt', { at: formats.instant(person.invitedAt) })}
      </p>
      <div role="status">{state === 'sent' ? t('users.invitationSent') : null}</div>
      {failure === undefined ? null : (
        <MessageBar intent="error" layout="multiline">
          <MessageBarBody>{formatFailure(failure)}</MessageBarBody>
        </MessageBar>
      )}
      <div className={styles.actions}>
        <Button disabledFocusable={state === 'busy'} onClick={() => void send()}>
          {t('users.sendInvitation')}
        </Button>
      </div>
    </div>
  );
});
