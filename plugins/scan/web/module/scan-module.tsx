import { observer } from 'mobx-react-lite';
import { useService } from '#core/web';
import { BubbleView } from '../bubble/bubble-view.tsx';
import { CloudView } from '../point-cloud/cloud-view.tsx';
import { ScanChoices } from './scan-choices.ts';

/** The scan of the present place: the picture of its station, or the cloud of all points. */
const ScanModule = observer(function ScanModule() {
  const { way } = useService(ScanChoices);
  return way === 'CLOUD' ? <CloudView /> : <BubbleView />;
});
export default ScanModule;
