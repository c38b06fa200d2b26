import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { Button, EmptyState, PageTitle, useRestoreFocusTarget } from '#core/ui';
import { AtLocation, LocationChoice, useAdminStyles } from '#core/ui-data';
import { Access, HttpClient, useChosenLocation, useResource, useService, useText } from '#core/web';
import type { listPanoramas } from '../../../contract/api/admin.ts';
import { NodeCard } from '../components/node-card.tsx';
import { PanoramaBatchDialog } from '../components/batch/panorama-batch-dialog.tsx';
import { RangesSection } from '../components/ranges/ranges-section.tsx';

const pageSize = 60;

/** Lists the nodes of a tour with the dates of their panoramas, and imports panoramas. */
const PanoramasScreen = observer(function PanoramasScreen() {
  const styles = useAdminStyles();
  const t = useText();
  const http = useService(HttpClient);
  const access = useService(Access);
  const [location, setLocation] = useChosenLocation();
  const opener = useRestoreFocusTarget();
  const [uploading, setUploading] = useState(false);
  const [maxVisible, setMaxVisible] = useState(pageSize);
  const uid = location?.uid;
  const panoramas = useResource(
    (signal) =>
      uid === undefined
        ? undefined
        : http.call<typeof listPanoramas>(
            'GET',
            '/api/tour/:location/panoramas',
            { params: { location: uid } },
            { signal },
          ),
    [http, uid],
  );
  const nodes = panoramas.value;
  // Shown without viewpoints too, because pictures with known positions can create the first viewpoints.
  const canUpload = nodes !== undefined && (nodes.length > 0 || access.has('configure'));
  const reload = () => panoramas.load();
  return (
    <>
      <PageTitle
        title={t('tour.panoramas')}
        hint={t('tour.panoramas.hint')}
        actions={
          <Button {...opener} appearance="primary" onClick={() => setUploading(true)} disabled={!canUpload}>
            {t('tour.panoramas.upload')}
          </Button>
        }
      />
      {uid === undefined ? null : (
        <div className={styles.bar}>
          <div className={styles.choice}>
            <LocationChoice label={t('tour.panoramas.location')} value={uid} onChange={setLocation} />
          </div>
        </div>
      )}
      <AtLocation
        location={location}
        resource={panoramas}
        noAccessTo={{ title: t('tour.noAccess'), accessToRequest: 'anyTour' }}
        noLocation={{ title: t('tour.panoramas.noLocation'), message: t('tour.panoramas.noLocationHint') }}
      >
        {(loadedNodes, loadedLocation) =>
          loadedNodes.length === 0 ? (
            <EmptyState
              title={t('tour.panoramas.none', { name: loadedLocation.name })}
              message={t('tour.panoramas.noneHint')}
            />
          ) : (
            <>
              {access.has('configure') ? <RangesSection location={loadedLocation.uid} panoramas={loadedNodes} /> : null}
              <ul className={styles.list}>
                {loadedNodes.slice(0, maxVisible).map((node) => (
                  <li key={node.node}>
                    <NodeCard panoramas={node} onChanged={reload} />
                  </li>
                ))}
              </ul>
              {loadedNodes.length > maxVisible ? (
                <Button style={{ marginTop: '16px' }} onClick={() => setMaxVisible(maxVisible + pageSize)}>
                  {t('tour.panoramas.more', { count: loadedNodes.length - maxVisible })}
                </Button>
              ) : null}
            </>
          )
        }
      </AtLocation>
      {uploading && location && nodes ? (
        <PanoramaBatchDialog
          title={t('tour.panoramas.uploadTitle', { name: location.name })}
          location={location.uid}
          nodes={nodes}
          onClose={() => setUploading(false)}
          onSent={reload}
        />
      ) : null}
    </>
  );
});
export default PanoramasScreen;
