import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { Button, EmptyState, PageTitle, useRestoreFocusTarget } from '#core/ui';
import { AtLocation, LocationChoice, useAdminStyles } from '#core/ui-data';
import { HttpClient, Locations, RouteLink, useChosenLocation, useResource, useService, useText } from '#core/web';
import type { listManagedModels } from '../../../contract/api.ts';
import { mappingAdmin, tagRulesAdmin } from '../../../contract/index.ts';
import { ModelCard } from '../components/model-card.tsx';
import { UploadDialog } from '../components/upload-dialog.tsx';

/** Lists the models at a location and below it. Admins upload, place, replace and delete models here. */
const ModelsScreen = observer(function ModelsScreen() {
  const styles = useAdminStyles();
  const t = useText();
  const http = useService(HttpClient);
  const locations = useService(Locations);
  const [location, setLocation] = useChosenLocation();
  const opener = useRestoreFocusTarget();
  const [uploading, setUploading] = useState(false);
  const uid = location?.uid;
  const models = useResource(
    (signal) =>
      uid === undefined
        ? undefined
        : http.call<typeof listManagedModels>(
            'GET',
            '/api/model-3d/:location/managed-models',
            { params: { location: uid } },
            { signal },
          ),
    [http, uid],
  );
  const uploadButton = (
    <Button {...opener} appearance="primary" onClick={() => setUploading(true)} disabled={uid === undefined}>
      {t('model-3d.admin.upload')}
    </Button>
  );

  const reload = () => models.load();
  return (
    <>
      <PageTitle title={t('model-3d.admin.title')} hint={t('model-3d.admin.hint')} actions={uploadButton} />
      {location === undefined ? null : (
        <div className={styles.bar}>
          <div className={styles.choice}>
            <LocationChoice label={t('model-3d.admin.location')} value={location.uid} onChange={setLocation} />
          </div>
          <div className={styles.actions}>
            <RouteLink to={tagRulesAdmin} search={`location=${encodeURIComponent(location.uid)}`}>
              {t('model-3d.rules.title')}
            </RouteLink>
            <RouteLink to={mappingAdmin}>{t('model-3d.admin.toMapping')}</RouteLink>
          </div>
        </div>
      )}
      <AtLocation
        location={location}
        resource={models}
        noAccessTo="tools"
        noLocation={{ title: t('model-3d.admin.noLocation'), message: t('model-3d.admin.noLocationHint') }}
      >
        {(loadedModels, { name }) =>
          loadedModels.length === 0 ? (
            <EmptyState
              title={t('model-3d.admin.none', { name })}
              message={t('model-3d.admin.noneHint')}
              action={uploadButton}
            />
          ) : (
            <ul className={styles.list} aria-label={t('model-3d.admin.title')}>
              {loadedModels.map((model) => (
                <li key={model.uid}>
                  <ModelCard
                    model={model}
                    locationName={locations.find(model.location)?.name ?? ''}
                    onChanged={reload}
                  />
                </li>
              ))}
            </ul>
          )
        }
      </AtLocation>
      {uploading && location ? (
        <UploadDialog
          location={location.uid}
          name={location.name}
          onClose={() => setUploading(false)}
          onSent={reload}
        />
      ) : null}
    </>
  );
});
export default ModelsScreen;
