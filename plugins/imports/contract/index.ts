export * from './kind-pages.ts';
export * from './outline.ts';
export * from './routes.ts';
export * from './services.ts';
export * from './sheet-queries.ts';
export * from './values.ts';
export type * from './kinds.ts';
export type {
  Import,
  ImportColumnInfo,
  ImportKindInfo,
  ImportProblem,
  ImportRow,
  ImportSheetInfo,
  ImportSheetState,
  UndoReport,
} from './api.ts';
