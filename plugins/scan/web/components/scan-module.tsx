import { useEffect } from 'react';
import { observer } from 'mobx-react-lite';
import { useService } from '#core/web';
import { TourStore } from '#plugins/tour';
import { BubbleView } from './bubble-view.tsx';
import { CloudView } from './cloud-view.tsx';
import { syncLookWithAddress } from '../viewer/look-in-address.ts';
import { ScanChoices } from '../stores/scan-choices.ts';

/** The scan of the current node: the panorama of its station, or the point cloud. */
const ScanModule = observer(function ScanModule() {
  const choices = useService(ScanChoices);
  const store = useService(TourStore);
  useEffect(() => syncLookWithAddress(choices, store), [choices, store]);
  return choices.way === 'CLOUD' ? <CloudView /> : <BubbleView />;
});
export default ScanModule;
