/** All code of the tour module except the engine, loaded as one chunk. */
export { default as ModelModule } from './components/model-module.tsx';
export { default as ModelTools } from './components/model-tools.tsx';
export { default as DeviceCheckScreen } from './screens/device-check-screen.tsx';
export { default as services } from './services.ts';
