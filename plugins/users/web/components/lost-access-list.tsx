import { observer } from 'mobx-react-lite';
import type { PersonChoices } from '#core/api';
import { MessageBar, MessageBarBody, MessageBarTitle } from '#core/ui';
import { useAdminStyles } from '#core/ui-data';
import { Locations, useService, useText } from '#core/web';
import { findLostAccess } from '../../common/lost-access.ts';

const maxListed = 20;

export interface LostAccessListProps {
  readonly former: PersonChoices['roles'];
  readonly next: PersonChoices['roles'];
  readonly losesAdminArea: boolean;
}

/** Lists the access that the person loses with the chosen roles and account type. */
export const LostAccessList = observer(function LostAccessList({ former, next, losesAdminArea }: LostAccessListProps) {
  const t = useText();
  const styles = useAdminStyles();
  const locations = useService(Locations);
  const lostAccess = findLostAccess(former, next, (uid) => locations.pathTo(uid).map((node) => node.uid));
  const lostLocations = lostAccess.locations === 'ALL' ? [] : lostAccess.locations;
  const lines = [
    ...(losesAdminArea ? [t('users.lost.admin')] : []),
    ...lostAccess.flags.map((flag) => t(`users.flag.${flag}`)),
    ...(lostAccess.locations === 'ALL' ? [t('users.lost.allLocations')] : []),
    ...lostLocations
      .slice(0, maxListed)
      .map((uid) => t('users.lost.location', { name: locations.find(uid)?.name ?? uid })),
    ...(lostLocations.length > maxListed
      ? [t('users.lost.moreLocations', { count: lostLocations.length - maxListed })]
      : []),
  ];
  return (
    <div role="status">
      {lines.length === 0 ? null : (
        <MessageBar intent="warning" layout="multiline">
          <MessageBarBody>
            <MessageBarTitle>{t('users.lost.title')}</MessageBarTitle>
            <ul className={styles.report}>
              {lines.map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          </MessageBarBody>
        </MessageBar>
      )}
    </div>
  );
});
