export type { AnsweredForm, FormChoice, TourForm } from './api.ts';
export * from './values.ts';
