import { observer } from 'mobx-react-lite';
import type { listAuditEntries } from '#core/api';
import { Button, ListSkeleton, ResourceView } from '#core/ui';
import { useAdminStyles } from '#core/ui-data';
import { HttpClient, useFormats, useResource, useService, useText } from '#core/web';

/** Audit actions that have a message `users.signIn.<action>`. Other actions are shown by their id. */
export const signInActions = [
  'signIn.succeeded',
  'signIn.refused',
  'session.ended',
  'session.renewalRefused',
  'sessions.ended',
  'code.issued',
  'code.notIssued',
  'code.used',
  'code.refused',
  'password.refused',
  'secondFactor.enrolled',
  'secondFactor.recoveryCodesRenewed',
  'secondFactor.recoveryCodeUsed',
  'secondFactor.refused',
  'secondFactor.reset',
  'secondFactor.turnedOff',
] as const;

const maxEntries = 20;

/** The latest sign-ins of a person, from the audit log. */
export const PersonSignIns = observer(function PersonSignIns({ uid }: { readonly uid: string }) {
  const t = useText();
  const styles = useAdminStyles();
  const http = useService(HttpClient);
  const formats = useFormats();
  const entries = useResource(
    (signal) =>
      http.call<typeof listAuditEntries>(
        'GET',
        '/api/audit',
        { query: { area: 'SIGN_IN', subject: uid, limit: maxEntries } },
        { signal },
      ),
    [http, uid],
  );
  return (
    <section className={styles.card} aria-labelledby="sign-ins">
      <div className={styles.head}>
        <h2 id="sign-ins" className={styles.name}>
          {t('users.signIns')}
        </h2>
        <span className={styles.grow} />
        <Button onClick={() => void entries.load()}>{t('users.reload')}</Button>
      </div>
      <ResourceView resource={entries} waiting={<ListSkeleton />}>
        {({ rows }) =>
          rows.length === 0 ? (
            <p className={styles.note}>{t('users.noSignIns')}</p>
          ) : (
            <ul className={styles.list}>
              {rows.map(({ id, at, action, details }) => (
                <li key={id} className={styles.details}>
                  <span>{formats.instant(at)}</span>
                  <span>
                    {signInActions.some((knownAction) => knownAction === action) ? t(`users.signIn.${action}`) : action}
                  </span>
                  <span>
                    {[details['device'], details['address']].filter((part) => typeof part === 'string').join(', ')}
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </ResourceView>
    </section>
  );
});
