import type { InstalledPlugin } from '#core/web';
import type {
  Import,
  ImportColumnInfo,
  ImportKindInfo,
  ImportProblem,
  ImportRow,
  ImportSheetState,
} from '../contract/api.ts';
import imports from '../web/index.ts';

/** The plugin as a product installs it. */
export const importsPlugin: InstalledPlugin = {
  id: 'imports',
  settings: { endSessions: true },
  web: imports,
  bridges: [],
};

export function buildColumn(id: string, changes: Partial<ImportColumnInfo> = {}): ImportColumnInfo {
  return {
    id,
    header: { en: id, fr: `${id} (fr)` },
    type: 'TEXT',
    required: false,
    key: false,
    values: [],
    entity: null,
    note: null,
    ...changes,
  };
}

/** A kind of tags with one sheet. */
export function buildKind(changes: Partial<ImportKindInfo> = {}): ImportKindInfo {
  return {
    id: 'tour.tags',
    title: { en: 'Tags', fr: 'Repères' },
    scope: 'NONE',
    follows: null,
    sideEffect: null,
    files: [
      { title: { en: 'Tag list', fr: 'Liste des repères' }, kind: 'EXCEL', required: true },
      { title: { en: 'Pictures', fr: 'Images' }, kind: 'FILE', required: false },
    ],
    sheets: [
      {
        id: 'tags',
        name: 'Tags',
        required: true,
        removable: true,
        columns: [
          buildColumn('tag', { header: { en: 'Tag', fr: 'Repère' }, type: 'TAGNO', required: true, key: true }),
          buildColumn('deck', {
            header: { en: 'Deck', fr: 'Pont' },
            type: 'REFERENCE',
            entity: { en: 'decks', fr: 'ponts' },
          }),
          buildColumn('service', { header: { en: 'Service', fr: 'Service' } }),
        ],
      },
    ],
    ...changes,
  };
}

export function buildSheet(changes: Partial<ImportSheetState> = {}): ImportSheetState {
  return {
    sheet: 'tags',
    present: true,
    headerRow: 1,
    separator: null,
    headers: [
      { header: 'Tag', column: 'tag', by: 'HEADER', examples: ['V-2101'] },
      { header: 'Deck', column: 'deck', by: 'REMEMBERED', examples: ['MD-1'] },
      { header: 'Service', column: 'service', by: 'HEADER', examples: [] },
    ],
    constants: [],
    replacedWords: [],
    missing: [],
    rows: 3,
    added: 1,
    changed: 1,
    unchanged: 0,
    removed: 0,
    withErrors: 1,
    withWarnings: 0,
    leftOut: 0,
    correctedCells: 0,
    ...changes,
  };
}

/** An import in its preview, with one error. */
export function buildImport(changes: Partial<Import> = {}): Import {
  return {
    uid: 'b1',
    kind: 'tour.tags',
    site: null,
    mode: 'UPSERT',
    phase: 'PREVIEW',
    status: 'INPROGRESS',
    result: null,
    refusal: null,
    version: 1,
    job: null,
    author: { uid: 'u-1', name: 'Ada' },
    follows: null,
    createdAt: '2026-11-20T09:00:00.000Z',
    finishedAt: null,
    fileSheets: [],
    followers: [],
    files: [{ name: 'tags-rev4.xlsx', bytes: 12_000 }],
    sheets: [buildSheet()],
    findings: [],
    change: null,
    undone: false,
    undoneInPart: false,
    undoReport: null,
    backup: false,
    blocksOthers: false,
    ...changes,
  };
}

export function buildRow(changes: Partial<ImportRow> = {}): ImportRow {
  return {
    id: '1',
    sheet: 'tags',
    row: 2,
    state: 'ADDED',
    values: { tag: 'V-2101', deck: 'MD-1', service: 'Test separator' },
    before: null,
    changed: [],
    findings: [],
    ...changes,
  };
}

export function buildProblem(changes: Partial<ImportProblem> = {}): ImportProblem {
  return {
    sheet: 'tags',
    column: 'deck',
    severity: 'ERROR',
    finding: { message: 'imports.refused.reference', values: { value: 'MD-7', entity: 'decks' } },
    value: 'MD-7',
    rows: 211,
    firstRow: 58,
    proposals: ['MD-1'],
    misspelt: true,
    ...changes,
  };
}
