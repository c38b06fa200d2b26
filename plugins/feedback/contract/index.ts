export type { TourFormAnswers, FormChoice, TourFormDefinition } from './api.ts';
export * from './values.ts';
