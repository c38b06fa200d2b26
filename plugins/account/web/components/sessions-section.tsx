import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import type { endOtherSessions, endOwnSession, listOwnSessions, OwnSession } from '#core/api';
import { Badge, Button, makeStyles, MessageBar, MessageBarBody, PanelSkeleton, ResourceView, tokens } from '#core/ui';
import { HttpClient, useFormatFailure, useFormats, useResource, useService, useText } from '#core/web';

const useStyles = makeStyles({
  list: { display: 'grid', gap: tokens.spacingVerticalM, margin: 0, padding: 0, listStyleType: 'none' },
  session: { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: tokens.spacingHorizontalM },
  text: { flexGrow: 1, minWidth: 0, overflowWrap: 'anywhere' },
  note: { margin: 0, color: tokens.colorNeutralForeground3 },
  others: { marginTop: tokens.spacingVerticalL },
});

/** Lists the sessions of the person on all devices, with buttons that end them. */
const SessionsSection = observer(function SessionsSection() {
  const styles = useStyles();
  const t = useText();
  const http = useService(HttpClient);
  const formatFailure = useFormatFailure();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const [isEnded, setIsEnded] = useState(false);
  const sessions = useResource(
    (signal) => http.call<typeof listOwnSessions>('GET', '/api/me/sessions', {}, { signal }),
    [http],
  );
  const endSessions = async (send: () => Promise<unknown>): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    setIsEnded(false);
    try {
      await send();
      setIsEnded(true);
    } catch (cause) {
      setFailure(cause);
    } finally {
      setBusy(false);
      await sessions.load();
    }
  };
  const endSession = ({ id }: OwnSession) =>
    endSessions(() =>
      http.call<typeof endOwnSession>('DELETE', '/api/me/sessions/:session', { params: { session: id } }),
    );
  const endOthers = () =>
    endSessions(() => http.call<typeof endOtherSessions>('POST', '/api/me/sessions/end-others', { body: {} }));
  return (
    <ResourceView resource={sessions} waiting={<PanelSkeleton lines={3} />}>
      {(ownSessions) => (
        <>
          <div role="status">{isEnded ? <p className={styles.note}>{t('account.sessions.ended')}</p> : null}</div>
          {failure === undefined ? null : (
            <MessageBar intent="error" layout="multiline">
              <MessageBarBody>{formatFailure(failure)}</MessageBarBody>
            </MessageBar>
          )}
          <ul className={styles.list}>
            {ownSessions.map((session) => (
              <SessionItem key={session.id} session={session} busy={busy} onEnd={() => void endSession(session)} />
            ))}
          </ul>
          {ownSessions.length > 1 ? (
            <Button className={styles.others} disabledFocusable={busy} onClick={() => void endOthers()}>
              {t('account.sessions.endOthers')}
            </Button>
          ) : null}
        </>
      )}
    </ResourceView>
  );
});
export default SessionsSection;

interface SessionItemProps {
  readonly session: OwnSession;
  readonly busy: boolean;
  readonly onEnd: () => void;
}

const SessionItem = observer(function SessionItem({ session, busy, onEnd }: SessionItemProps) {
  const styles = useStyles();
  const t = useText();
  const formats = useFormats();
  const device = session.device ?? t('account.sessions.unknownDevice');
  return (
    <li className={styles.session}>
      <div className={styles.text}>
        <div>{device}</div>
        <p className={styles.note}>
          {t('account.sessions.lastUsed', {
            at: formats.instant(session.lastUsedAt),
            address: session.address ?? '–',
          })}
        </p>
      </div>
      {session.current ? (
        <Badge appearance="tint" color="success">
          {t('account.sessions.current')}
        </Badge>
      ) : (
        <Button disabledFocusable={busy} onClick={onEnd} aria-label={t('account.sessions.endOf', { device })}>
          {t('account.sessions.end')}
        </Button>
      )}
    </li>
  );
});
