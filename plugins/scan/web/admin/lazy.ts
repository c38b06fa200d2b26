/** Lazy entry of the admin screen: one chunk. */
export { default as ScansScreen } from './screens/scans-screen.tsx';
