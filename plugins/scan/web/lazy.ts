/** The entry of the scan module without the point cloud viewer, which is loaded lazily as one chunk. */
export { default as ScanModule } from './components/scan-module.tsx';
export { default as ScanTools } from './components/scan-tools.tsx';
export { default as DeviceCheckScreen } from './screens/device-check-screen.tsx';
export { default as services } from './services.ts';
