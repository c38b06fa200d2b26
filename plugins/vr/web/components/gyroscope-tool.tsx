import { observer } from 'mobx-react-lite';
import { ToolButton } from '#core/ui';
import { Notifications, useService, useText } from '#core/web';
import { PanoramaEngines } from '#plugins/tour';
import { panoramaModule } from '../../contract/index.ts';
import { PanoramaChoices } from '../stores/panorama-choices.ts';

/** Turns the view with the device. It exists only on handheld devices. */
const GyroscopeTool = observer(function GyroscopeTool() {
  const t = useText();
  const engines = useService(PanoramaEngines);
  const notifications = useService(Notifications);
  // A shared store has the state, because the tool is mounted again when the split view of a phone moves it.
  const { followsDevice } = useService(PanoramaChoices);
  if (typeof DeviceOrientationEvent === 'undefined' || !window.matchMedia('(pointer: coarse)').matches) return null;
  const toggle = async (): Promise<void> => {
    const succeeded = await engines.getEngine(panoramaModule).followDevice(!followsDevice);
    if (!followsDevice && !succeeded)
      notifications.show({
        id: 'vr.noSensor',
        kind: 'warning',
        area: 'top',
        message: 'vr.noSensor',
        dismissable: true,
      });
  };
  return (
    <ToolButton
      label={t(followsDevice ? 'vr.gyroscopeOff' : 'vr.gyroscopeOn')}
      pressed={followsDevice}
      onClick={() => void toggle()}
      icon={
        <svg
          viewBox="0 0 20 20"
          width="20"
          height="20"
          fill="none"
          stroke="currentColor"
          strokeWidth="1.5"
          aria-hidden="true"
        >
          <rect x="6.5" y="3" width="7" height="14" rx="1.5" transform="rotate(20 10 10)" />
          <path d="M2.5 7a9 9 0 0 1 3-4M17.5 13a9 9 0 0 1-3 4" />
        </svg>
      }
    />
  );
});
export default GyroscopeTool;
