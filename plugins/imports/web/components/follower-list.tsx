import { observer } from 'mobx-react-lite';
import { makeStyles, tokens } from '#core/ui';
import { I18n, RouteLink, useService, useText } from '#core/web';
import { importWorkbench, type ImportKindInfo } from '../../contract/index.ts';
import type { Import } from '../../contract/api.ts';
import { useImportSession } from '../stores/use-import-session.ts';

const useStyles = makeStyles({
  root: {
    marginBottom: tokens.spacingVerticalM,
    display: 'grid',
    gap: tokens.spacingVerticalXS,
    color: tokens.colorNeutralForeground2,
  },
  line: { margin: 0 },
});

export interface FollowerListProps {
  readonly currentImport: Pick<Import, 'uid' | 'phase' | 'follows' | 'followers'>;
  readonly kinds: readonly ImportKindInfo[];
}

/** Links to the import that this import waits for, and to the imports that follow it. */
export const FollowerList = observer(function FollowerList({ currentImport, kinds }: FollowerListProps) {
  const t = useText();
  const styles = useStyles();
  const { language } = useService(I18n);
  const { uploads } = useImportSession();
  const sendingFollowers = uploads
    .listFollowers(currentImport.uid)
    .map(({ import: { uid, kind }, state }) => ({ uid, kind, state: t(`imports.following.${state}`) }));
  const followers = [
    ...sendingFollowers,
    ...currentImport.followers
      .filter(({ uid }) => sendingFollowers.every((each) => each.uid !== uid))
      .map(({ uid, kind, phase }) => ({ uid, kind, state: t(`imports.result.${phase}`) })),
  ];
  if (followers.length === 0 && currentImport.phase !== 'WAITING') return null;
  return (
    <div className={styles.root}>
      {currentImport.phase === 'WAITING' && currentImport.follows !== null ? (
        <p className={styles.line}>
          {t('imports.following.waits')}{' '}
          <RouteLink to={importWorkbench} params={{ batch: currentImport.follows }}>
            {t('imports.following.open')}
          </RouteLink>
        </p>
      ) : null}
      {followers.map(({ uid, kind, state }) => (
        <p key={uid} className={styles.line}>
          {t('imports.following.follower')}{' '}
          <RouteLink to={importWorkbench} params={{ batch: uid }}>
            {kinds.find(({ id }) => id === kind)?.title[language] ?? kind}
          </RouteLink>
          {` · ${state}`}
        </p>
      ))}
    </div>
  );
});
