import { useEffect } from 'react';
import { observer } from 'mobx-react-lite';
import { useService } from '#core/web';
import { TourStore } from '#plugins/tour';
import { StationPanoramaView } from './station-panorama-view.tsx';
import { CloudView } from './cloud-view.tsx';
import { syncChoicesWithUrl } from '../viewer/sync-choices-with-url.ts';
import { ScanChoices } from '../stores/scan-choices.ts';

/** Shows the panorama of the current node's scan station, or the point cloud. */
const ScanModule = observer(function ScanModule() {
  const choices = useService(ScanChoices);
  const store = useService(TourStore);
  useEffect(() => syncChoicesWithUrl(choices, store), [choices, store]);
  return choices.mode === 'CLOUD' ? <CloudView /> : <StationPanoramaView />;
});
export default ScanModule;
