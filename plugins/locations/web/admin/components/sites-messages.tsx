import { observer } from 'mobx-react-lite';
import { Button, makeStyles, MessageBar, MessageBarActions, MessageBarBody, tokens } from '#core/ui';
import { readConflict } from '#core/ui-data';
import { Locations, useFormatFailure, useService, useText } from '#core/web';

const useStyles = makeStyles({ bar: { marginBottom: tokens.spacingVerticalM } });

export interface SitesMessagesProps {
  readonly moveFailure: unknown;
  /** Whether the selected location is no longer there. */
  readonly isGone: boolean;
}

/** Says why a move has failed, and that the list or the selected location is out of date. */
export const SitesMessages = observer(function SitesMessages({ moveFailure, isGone }: SitesMessagesProps) {
  const t = useText();
  const styles = useStyles();
  const formatFailure = useFormatFailure();
  const locations = useService(Locations);
  return (
    <>
      <div role="alert">
        {moveFailure === undefined ? null : (
          <MessageBar className={styles.bar} intent="error" layout="multiline">
            <MessageBarBody>
              {readConflict(moveFailure) ? t('locations.sites.moveConflict') : formatFailure(moveFailure)}
            </MessageBarBody>
          </MessageBar>
        )}
      </div>
      {locations.state === 'stale' && locations.failure !== undefined ? (
        <MessageBar className={styles.bar} intent="warning" layout="multiline">
          <MessageBarBody>{t('locations.sites.notReloaded')}</MessageBarBody>
          <MessageBarActions>
            <Button onClick={() => void locations.reload()}>{t('core.tryAgain')}</Button>
          </MessageBarActions>
        </MessageBar>
      ) : null}
      {isGone ? (
        <MessageBar className={styles.bar} intent="warning" layout="multiline">
          <MessageBarBody>{t('locations.sites.gone')}</MessageBarBody>
        </MessageBar>
      ) : null}
    </>
  );
});
