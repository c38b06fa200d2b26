/** The entry of the admin screen, which is loaded lazily as one chunk. */
export { default as ScansScreen } from './screens/scans-screen.tsx';
