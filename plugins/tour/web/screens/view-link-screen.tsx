import { observer } from 'mobx-react-lite';
import { Navigate, useParams } from 'react-router-dom';
import { routeUrl, routes } from '#core';
import { EmptyState, FailedState, LoadingState, makeStyles } from '#core/ui';
import { ApiError, HttpClient, RouteLink, useResource, useService, useText } from '#core/web';
import { tourView } from '#plugins/tour';
import type { openViewLink } from '../../contract/api/links.ts';

const useStyles = makeStyles({ root: { height: '100%', overflowY: 'auto', display: 'grid', placeContent: 'center' } });

/** Opens the view of a short link. */
const ViewLinkScreen = observer(function ViewLinkScreen() {
  const styles = useStyles();
  const { code = '' } = useParams();
  const t = useText();
  const http = useService(HttpClient);
  const link = useResource(
    (signal) => http.call<typeof openViewLink>('GET', '/api/tour-links/:code', { params: { code } }, { signal }),
    [http, code],
  );
  if (link.value) {
    const { location, view } = link.value;
    return <Navigate replace to={`${routeUrl(tourView, { location })}?${view}`} />;
  }
  const home = <RouteLink to={routes.home}>{t('tour.backHome')}</RouteLink>;
  const cause = link.failure?.cause;
  const isMissing = cause instanceof ApiError && (cause.status === 404 || cause.status === 400);
  return (
    <div className={styles.root}>
      {!link.failure ? <LoadingState label={t('tour.loading')} /> : null}
      {isMissing ? (
        <EmptyState
          heading="h1"
          title={t('tour.link.codeNotFound', { code })}
          message={t('tour.link.codeNotFoundHint')}
          action={home}
        />
      ) : null}
      {link.failure && !isMissing ? (
        <FailedState heading="h1" error={cause} onRetry={link.retry} action={home} />
      ) : null}
    </div>
  );
});
export default ViewLinkScreen;
