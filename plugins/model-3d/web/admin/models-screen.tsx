import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { Button, EmptyState, FailedState, ListSkeleton, MessageBar, MessageBarActions, MessageBarBody, NoAccessState, PageTitle, useRestoreFocusTarget } from '#core/ui';
import { LocationChoice, useAdminStyles } from '#core/ui-data';
import { ApiError, HttpClient, Locations, RouteLink, useCall, useChosenLocation, useFailureWords, useService, useText } from '#core/web';
import type { listManagedModels } from '../../contract/api.ts';
import { mappingAdmin } from '../../contract/index.ts';
import { ModelCard } from './model-card.tsx';
import { UploadDialog } from './upload-dialog.tsx';

/** The models at a location and below it: upload, place, renew, delete. */
const ModelsScreen = observer(function ModelsScreen() {
  const styles = useAdminStyles();
  const t = useText();
  const http = useService(HttpClient);
  const locations = useService(Locations);
  const wordsOf = useFailureWords();
  const [location, choose] = useChosenLocation();
  const opener = useRestoreFocusTarget();
  const [uploading, setUploading] = useState(false);
  const uid = location?.uid;
  const models = useCall(uid, (signal) => http.call<typeof listManagedModels>('GET', '/api/model-3d/:location/managed-models', { params: { location: uid ?? '' } }, { signal }));
  const upload = (
    <Button {...opener} appearance="primary" onClick={() => setUploading(true)} disabled={uid === undefined}>
      {t('model-3d.admin.upload')}
    </Button>
  );

  const body = (): React.ReactNode => {
    if (locations.state === 'failed') return <FailedState error={locations.failure} onRetry={() => void locations.load()} />;
    if (locations.state === 'loading') return <ListSkeleton />;
    if (!location) return <EmptyState title={t('model-3d.admin.noLocation')} message={t('model-3d.admin.noLocationHint')} />;
    const { value } = models;
    if (!value) {
      if (models.state === 'loading') return <ListSkeleton />;
      if (models.failure instanceof ApiError && models.failure.status === 403) return <NoAccessState to="tools" />;
      return <FailedState error={models.failure} onRetry={() => void models.reload()} />;
    }
    return (
      <>
        {models.state === 'failed' ? (
          <MessageBar intent="warning" layout="multiline">
            <MessageBarBody>{wordsOf(models.failure)}</MessageBarBody>
            <MessageBarActions>
              <Button onClick={() => void models.reload()}>{t('core.tryAgain')}</Button>
            </MessageBarActions>
          </MessageBar>
        ) : null}
        {value.length === 0 ? (
          <EmptyState title={t('model-3d.admin.none', { name: location.name })} message={t('model-3d.admin.noneHint')} action={upload} />
        ) : (
          <ul className={styles.list} aria-label={t('model-3d.admin.title')}>
            {value.map((model) => (
              <li key={model.id}>
                <ModelCard model={model} place={locations.find(model.location)?.name ?? ''} onChanged={models.reload} />
              </li>
            ))}
          </ul>
        )}
      </>
    );
  };

  return (
    <>
      <PageTitle title={t('model-3d.admin.title')} hint={t('model-3d.admin.hint')} actions={upload} />
      {location === undefined ? null : (
        <div className={styles.bar}>
          <div className={styles.choice}>
            <LocationChoice label={t('model-3d.admin.location')} value={location.uid} onChange={choose} />
          </div>
          <RouteLink to={mappingAdmin}>{t('model-3d.admin.toMapping')}</RouteLink>
        </div>
      )}
      {body()}
      {uploading && location ? <UploadDialog location={location.uid} name={location.name} onClose={() => setUploading(false)} onSent={models.reload} /> : null}
    </>
  );
});
export default ModelsScreen;
