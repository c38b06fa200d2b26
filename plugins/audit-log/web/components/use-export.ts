import { useEffect, useRef, useState } from 'react';
import { maxAuditPage, type RequestOf } from '#core';
import type { AuditLogEntry, listAuditEntries } from '#core/api';
import {
  downloadFile,
  HttpClient,
  loadChunk,
  Locations,
  useFormatFailure,
  useFormats,
  useService,
  useText,
} from '#core/web';
import { useEntryTexts } from './use-entry-texts.ts';

type Filter = NonNullable<RequestOf<typeof listAuditEntries>['query']>;

export interface ExportState {
  /** Number of loaded entries and of all entries while an export is running. */
  readonly progress: { readonly done: number; readonly total: number } | undefined;
  /** The error message of the last export, if it failed. */
  readonly failure: string | undefined;
  readonly start: () => void;
  readonly cancel: () => void;
}

/** Exports all entries of a filter as CSV, without entries that are added during the export. */
export function useExport(filter: Filter, prepare: (entries: readonly AuditLogEntry[]) => Promise<void>): ExportState {
  const t = useText();
  const http = useService(HttpClient);
  const formats = useFormats();
  const { describe, formatName } = useEntryTexts();
  const locations = useService(Locations);
  const formatFailure = useFormatFailure();
  const [progress, setProgress] = useState<ExportState['progress']>();
  const [failure, setFailure] = useState<string>();
  const controllerRef = useRef<AbortController>(undefined);
  useEffect(() => () => controllerRef.current?.abort(), []);

  const saveEntries = async (signal: AbortSignal): Promise<void> => {
    const entries: AuditLogEntry[] = [];
    const to = filter.to ?? new Date().toISOString();
    for (let total = Infinity; entries.length < total;) {
      const query = { ...filter, to, offset: entries.length, limit: maxAuditPage };
      const page = await http.call<typeof listAuditEntries>('GET', '/api/audit', { query }, { signal });
      await prepare(page.rows);
      entries.push(...page.rows);
      total = page.rows.length === 0 ? entries.length : page.total;
      setProgress({ done: entries.length, total });
    }
    const { formatEntriesCsv } = await loadChunk('audit-log.csv', () => import('./format-entries-csv.ts'));
    const csv = formatEntriesCsv(entries, {
      headers: [
        t('audit-log.column.utc'),
        `${t('audit-log.at')} (${formats.timeZone})`,
        t('audit-log.person'),
        t('audit-log.column.action'),
        t('audit-log.what'),
        t('audit-log.column.name'),
        t('audit-log.column.subject'),
        t('audit-log.place'),
        t('audit-log.details'),
      ],
      describe,
      formatName,
      formatInstant: formats.instant,
      formatLocation: (location) => locations.find(location)?.name ?? location,
    });
    signal.throwIfAborted();
    downloadFile(
      new Blob([csv], { type: 'text/csv;charset=utf-8' }),
      `${t('audit-log.fileName')}-${to.slice(0, 10)}.csv`,
    );
  };

  const start = async (): Promise<void> => {
    const controller = new AbortController();
    controllerRef.current = controller;
    setFailure(undefined);
    setProgress({ done: 0, total: 0 });
    try {
      await saveEntries(controller.signal);
    } catch (cause) {
      if (!controller.signal.aborted) setFailure(t('audit-log.exportFailed', { reason: formatFailure(cause) }));
    } finally {
      setProgress(undefined);
    }
  };
  return { progress, failure, start: () => void start(), cancel: () => controllerRef.current?.abort() };
}
