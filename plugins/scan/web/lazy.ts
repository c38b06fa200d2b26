/** All that runs once somebody looks at a scan, but the viewer of point clouds itself: one file to fetch. */
export { default as ScanModule } from './components/scan-module.tsx';
export { default as ScanTools } from './components/scan-tools.tsx';
export { default as DeviceCheckScreen } from './screens/device-check-screen.tsx';
export { default as services } from './services.ts';
