import { useLocation } from 'react-router-dom';
import { routes } from '#core';
import { EmptyState, makeStyles } from '#core/ui';
import { RouteLink, useText } from '#core/web';
import NodeChooser from '../components/node-chooser.tsx';

const useStyles = makeStyles({ root: { height: '100%', overflowY: 'auto', display: 'grid', placeContent: 'center' } });

/** Opens the tour of a node from an address that contains only its code. */
export default function FindTourScreen() {
  const styles = useStyles();
  const t = useText();
  const { search } = useLocation();
  const noTour = (
    <EmptyState
      heading="h1"
      title={t('tour.none')}
      message={t('tour.noneHint')}
      action={<RouteLink to={routes.home}>{t('tour.backHome')}</RouteLink>}
    />
  );
  const code = new URLSearchParams(search).get('node');
  return (
    <div className={styles.root}>
      {code === null ? (
        noTour
      ) : (
        <NodeChooser code={code} site={undefined} query={search}>
          {noTour}
        </NodeChooser>
      )}
    </div>
  );
}
