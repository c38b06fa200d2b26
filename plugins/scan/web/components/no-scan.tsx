import { observer } from 'mobx-react-lite';
import { Button, EmptyState } from '#core/ui';
import { HttpClient, useResource, useService, useText } from '#core/web';
import { TourStore } from '#plugins/tour';
import type { openScans } from '../../contract/api.ts';
import type { listClouds } from '../../contract/api/cloud.ts';
import { ScanChoices } from '../stores/scan-choices.ts';

/** Says that this mode has no scan to show, and offers the other mode if it has one. */
export const NoScan = observer(function NoScan({ reason }: { readonly reason: 'noStation' | 'noCloud' }) {
  const t = useText();
  const http = useService(HttpClient);
  const choices = useService(ScanChoices);
  const location = useService(TourStore).opened?.tour.location;
  const isCloudMissing = reason === 'noCloud';
  const { value: otherModeHasScan } = useResource(
    async (signal) => {
      if (location === undefined) return false;
      const request = { params: { location } };
      if (isCloudMissing)
        return (
          (await http.call<typeof openScans>('GET', '/api/scan/:location', request, { signal })).stations.length > 0
        );
      const clouds = await http.call<typeof listClouds>('GET', '/api/scan/:location/clouds', request, { signal });
      return clouds.some(({ address }) => address !== null);
    },
    [http, location, isCloudMissing],
  );
  const title = t(isCloudMissing ? 'scan.noCloud' : 'scan.noStation');
  if (otherModeHasScan === undefined)
    return <EmptyState title={title} message={t(isCloudMissing ? 'scan.noCloudHint' : 'scan.noStationHint')} />;
  if (!otherModeHasScan) return <EmptyState title={title} message={t('scan.noneHint')} />;
  return (
    <EmptyState
      title={title}
      message={t(isCloudMissing ? 'scan.noCloudButImage' : 'scan.noStationButCloud')}
      action={
        <Button appearance="primary" onClick={() => choices.setMode(isCloudMissing ? 'PICTURE' : 'CLOUD')}>
          {t(isCloudMissing ? 'scan.openImage' : 'scan.openCloud')}
        </Button>
      }
    />
  );
});
