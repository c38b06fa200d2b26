import DateTool from './components/date-tool.tsx';
import GyroscopeTool from './components/gyroscope-tool.tsx';
import MarkersTool, { PlacingOverlay } from './components/markers-tool.tsx';
import PanoramaModule from './components/panorama-module.tsx';
import PinsTool from './components/pins-tool.tsx';
import DeviceCheckScreen from './screens/device-check-screen.tsx';

// The components that are shown with a panorama or in the device check. One chunk loads faster than several.
export const deviceCheckScreen = { default: DeviceCheckScreen };
export const panorama = { default: PanoramaModule };
export const pinsTool = { default: PinsTool };
export const markersTool = { default: MarkersTool };
export const placing = { default: PlacingOverlay };
export const dateTool = { default: DateTool };
export const gyroscopeTool = { default: GyroscopeTool };
export { default as services } from './services.ts';
