/** What an admin sees: one file to fetch. */
export { default as ScansScreen } from './screens/scans-screen.tsx';
