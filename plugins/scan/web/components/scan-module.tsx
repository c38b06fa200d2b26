import { useEffect } from 'react';
import { observer } from 'mobx-react-lite';
import { useService } from '#core/web';
import { TourStore } from '#plugins/tour';
import { BubbleView } from './bubble-view.tsx';
import { CloudView } from './cloud-view.tsx';
import { syncChoicesWithAddress } from '../viewer/sync-choices-with-address.ts';
import { ScanChoices } from '../stores/scan-choices.ts';

/** Shows the panorama of the current node's scan station, or the point cloud. */
const ScanModule = observer(function ScanModule() {
  const choices = useService(ScanChoices);
  const store = useService(TourStore);
  useEffect(() => syncChoicesWithAddress(choices, store), [choices, store]);
  return choices.mode === 'CLOUD' ? <CloudView /> : <BubbleView />;
});
export default ScanModule;
