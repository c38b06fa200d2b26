/** All that runs once somebody looks at a model, but the engine itself: one file to fetch. */
export { default as ModelModule } from './components/model-module.tsx';
export { default as ModelTools } from './components/model-tools.tsx';
export { default as DeviceCheckScreen } from './screens/device-check-screen.tsx';
export { default as services } from './services.ts';
