import TourFormGate from './components/tour-form-gate.tsx';
import VisitReporter from './components/visit-reporter.tsx';

// The components that each visit of a tour needs. One chunk loads faster than two.
export const form = { default: TourFormGate };
export const visit = { default: VisitReporter };
export { default as services } from './services.ts';
