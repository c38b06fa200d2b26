import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { Button, EmptyState, PageTitle, Tab, TabList, useRestoreFocusTarget } from '#core/ui';
import { AtLocation, LocationChoice, useAdminStyles } from '#core/ui-data';
import { HttpClient, Locations, useChosenLocation, useResource, useService, useText } from '#core/web';
import type { getScanContent } from '../../../contract/api/admin.ts';
import { DeliveryList } from '../components/delivery-list.tsx';
import { StationList } from '../components/station-list.tsx';
import { TokenCard } from '../components/token-card.tsx';
import { UploadDialog } from '../components/upload-dialog.tsx';

/** The admin screen of the deliveries, the stations and the scan token of a location and its descendants. */
const ScansScreen = observer(function ScansScreen() {
  const styles = useAdminStyles();
  const t = useText();
  const http = useService(HttpClient);
  const locations = useService(Locations);
  const [location, choose] = useChosenLocation();
  const [tab, setTab] = useState<'deliveries' | 'stations'>('deliveries');
  const opener = useRestoreFocusTarget();
  const [isUploadOpen, setUploadOpen] = useState(false);
  const uid = location?.uid;
  const content = useResource(
    (signal) =>
      uid === undefined
        ? undefined
        : http.call<typeof getScanContent>(
            'GET',
            '/api/scan/:location/content',
            { params: { location: uid } },
            { signal },
          ),
    [http, uid],
  );
  const upload = (
    <Button {...opener} appearance="primary" onClick={() => setUploadOpen(true)} disabled={uid === undefined}>
      {t('scan.admin.upload')}
    </Button>
  );

  const getLocationName = (locationUid: string): string => locations.find(locationUid)?.name ?? locationUid;

  const reload = () => content.load();
  return (
    <>
      <PageTitle title={t('scan.admin.title')} hint={t('scan.admin.hint')} actions={upload} />
      {uid === undefined ? null : (
        <div className={styles.bar}>
          <div className={styles.choice}>
            <LocationChoice label={t('scan.admin.location')} value={uid} onChange={choose} />
          </div>
        </div>
      )}
      <AtLocation
        location={location}
        resource={content}
        noAccessTo="scanAccess"
        noLocation={{ title: t('scan.admin.noLocation'), message: t('scan.admin.noLocationHint') }}
      >
        {(value, chosenLocation) => (
          <>
            {value.token.state === 'NONE' ? null : (
              <TokenCard token={value.token} location={chosenLocation} onChanged={reload} />
            )}
            <TabList
              selectedValue={tab}
              onTabSelect={(_, { value: selectedTab }) =>
                setTab(selectedTab === 'stations' ? 'stations' : 'deliveries')
              }
              aria-label={t('scan.admin.shown')}
            >
              <Tab value="deliveries">{t('scan.admin.deliveries', { count: value.deliveries.length })}</Tab>
              <Tab value="stations">{t('scan.admin.stations', { count: value.stations.length })}</Tab>
            </TabList>
            <section
              aria-label={t(tab === 'deliveries' ? 'scan.admin.deliveries' : 'scan.admin.stations', {
                count: value[tab].length,
              })}
              style={{ marginTop: '16px' }}
            >
              {tab === 'deliveries' ? (
                value.deliveries.length === 0 ? (
                  <EmptyState
                    title={t('scan.admin.noDeliveries', { name: chosenLocation.name })}
                    message={t('scan.admin.noDeliveriesHint')}
                    action={upload}
                  />
                ) : (
                  <DeliveryList deliveries={value.deliveries} getName={getLocationName} onChanged={reload} />
                )
              ) : value.stations.length === 0 ? (
                <EmptyState
                  title={t('scan.admin.noStations', { name: chosenLocation.name })}
                  message={t('scan.admin.noStationsHint')}
                />
              ) : (
                <StationList
                  stations={value.stations}
                  nodes={value.nodes}
                  getName={getLocationName}
                  onChanged={reload}
                />
              )}
            </section>
          </>
        )}
      </AtLocation>
      {isUploadOpen && location ? (
        <UploadDialog location={location} onClose={() => setUploadOpen(false)} onSent={reload} />
      ) : null}
    </>
  );
});
export default ScansScreen;
