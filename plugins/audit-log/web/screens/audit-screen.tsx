import { observer } from 'mobx-react-lite';
import { useCallback, useMemo, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { addDays, auditAreas, startOfDay } from '#core';
import type { AuditLogEntry, listAuditEntries } from '#core/api';
import {
  Button,
  Field,
  Input,
  ListSkeleton,
  makeStyles,
  MessageBar,
  MessageBarBody,
  PageTitle,
  ResourceView,
  SearchBox,
  Select,
  tokens,
} from '#core/ui';
import { ConfirmDialog, sendUndo, useAdminStyles, usePagedResource } from '#core/ui-data';
import { HttpClient, Locations, MessageCatalog, Session, useFormats, useService, useText } from '#core/web';
import { AuditTable } from '../components/audit-table.tsx';
import { EntryDialog } from '../components/entry-dialog.tsx';
import { findTextOwner } from '../../common/action-message.ts';
import { useEntryTexts } from '../components/use-entry-texts.ts';
import { useExport } from '../components/use-export.ts';

const calendarDay = /^\d{4}-\d{2}-\d{2}$/;

const useStyles = makeStyles({
  filters: {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'end',
    gap: tokens.spacingHorizontalL,
    marginBottom: tokens.spacingVerticalL,
  },
  field: { flexGrow: 1, flexBasis: '180px', minWidth: 0, maxWidth: '320px', gridTemplateColumns: 'minmax(0, 1fr)' },
  search: { width: '100%', maxWidth: 'none' },
  summary: {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    justifyContent: 'space-between',
    gap: tokens.spacingHorizontalL,
    minHeight: '44px',
    marginBottom: tokens.spacingVerticalS,
  },
  status: { display: 'flex', alignItems: 'center', gap: tokens.spacingHorizontalM },
});

/** Lists and exports the actions of people and of the system, and undoes changes. The URL contains the filters. */
const AuditScreen = observer(function AuditScreen() {
  const styles = { ...useAdminStyles(), ...useStyles() };
  const t = useText();
  const http = useService(HttpClient);
  const catalog = useService(MessageCatalog);
  const locations = useService(Locations);
  const flags = useService(Session).me?.access.flags;
  const formats = useFormats();
  const { describe, formatName } = useEntryTexts();
  const [searchParams, setSearchParams] = useSearchParams();
  const [shownEntry, setShownEntry] = useState<AuditLogEntry>();
  const [entryToUndo, setEntryToUndo] = useState<AuditLogEntry>();
  const [isUndone, setIsUndone] = useState(false);
  const text = searchParams.get('search') ?? '';
  const area = auditAreas.find((option) => option === searchParams.get('area'));
  const from = readDay(searchParams.get('from'));
  const to = readDay(searchParams.get('to'));
  const setParameter = (name: string, value: string): void => {
    const newParams = new URLSearchParams(searchParams);
    if (value === '') newParams.delete(name);
    else newParams.set(name, value);
    setSearchParams(newParams, { replace: true });
  };
  const filter = useMemo(
    () => ({
      ...(area === undefined ? {} : { area }),
      ...(text === '' ? {} : { text }),
      ...(from === '' ? {} : { from: startOfDay(from, formats.timeZone).toISOString() }),
      ...(to === '' ? {} : { to: startOfDay(addDays(to, 1), formats.timeZone).toISOString() }),
    }),
    [area, text, from, to, formats.timeZone],
  );

  /** Loads the texts of other plugins that the entries need. */
  const loadEntryTexts = useCallback(
    async (entries: readonly AuditLogEntry[]): Promise<void> => {
      const owners = new Set(entries.flatMap((entry) => findTextOwner(entry) ?? []));
      await Promise.all([...owners].map((owner) => catalog.loadMessages(owner)));
    },
    [catalog],
  );
  const pages = usePagedResource(
    async (page, signal) => {
      const query = { ...filter, ...page };
      const reply = await http.call<typeof listAuditEntries>('GET', '/api/audit', { query }, { signal });
      await loadEntryTexts(reply.rows);
      return reply;
    },
    [http, filter, loadEntryTexts],
    'audit',
  );
  const csvExport = useExport(filter, loadEntryTexts);

  const canUndo = useCallback(
    ({ change }: AuditLogEntry): boolean => change !== null && (flags?.includes(change.access) ?? false),
    [flags],
  );
  const undo = async ({ change }: AuditLogEntry): Promise<void> => {
    if (!change) return;
    await sendUndo(http, change.uid);
    await locations.reload();
    setIsUndone(true);
    await pages.load();
  };

  return (
    <>
      <PageTitle title={t('audit-log.title')} hint={t('audit-log.hint')} />
      <div className={styles.filters}>
        <Field label={t('audit-log.area')} className={styles.field}>
          <Select value={area ?? 'ALL'} onChange={(_, { value }) => setParameter('area', value === 'ALL' ? '' : value)}>
            {(['ALL', ...auditAreas] as const).map((option) => (
              <option key={option} value={option}>
                {t(`audit-log.area.${option}`)}
              </option>
            ))}
          </Select>
        </Field>
        <Field label={t('audit-log.search')} className={styles.field}>
          <SearchBox
            className={styles.search}
            value={text}
            maxLength={200}
            onChange={(_, { value }) => setParameter('search', value)}
          />
        </Field>
        <Field label={t('audit-log.from')} className={styles.field}>
          <Input type="date" value={from} max={to} onChange={(_, { value }) => setParameter('from', value)} />
        </Field>
        <Field label={t('audit-log.to')} className={styles.field}>
          <Input type="date" value={to} min={from} onChange={(_, { value }) => setParameter('to', value)} />
        </Field>
      </div>
      <div role="status">
        {isUndone ? (
          <MessageBar intent="success" layout="multiline">
            <MessageBarBody>{t('audit-log.undoDone')}</MessageBarBody>
          </MessageBar>
        ) : null}
      </div>
      {csvExport.failure === undefined ? null : (
        <MessageBar intent="error" layout="multiline">
          <MessageBarBody>{csvExport.failure}</MessageBarBody>
        </MessageBar>
      )}
      <ResourceView resource={pages} noAccessTo="tools" waiting={<ListSkeleton />}>
        {({ total }) => (
          <>
            <div className={styles.summary}>
              <p role="status" className={styles.note}>
                {t('audit-log.found', { count: total, shown: formats.number(total) })}
              </p>
              {csvExport.progress ? (
                <span className={styles.status}>
                  <span role="status">
                    {t('audit-log.exporting', {
                      done: formats.number(csvExport.progress.done),
                      total: formats.number(csvExport.progress.total),
                    })}
                  </span>
                  <Button onClick={csvExport.cancel}>{t('audit-log.cancelExport')}</Button>
                </span>
              ) : (
                <Button onClick={csvExport.start} disabled={total === 0}>
                  {t('audit-log.export')}
                </Button>
              )}
            </div>
            <AuditTable rows={pages} canUndo={canUndo} onShow={setShownEntry} onUndo={setEntryToUndo} />
          </>
        )}
      </ResourceView>
      {shownEntry ? <EntryDialog entry={shownEntry} onClose={() => setShownEntry(undefined)} /> : null}
      {entryToUndo ? (
        <ConfirmDialog
          title={t('audit-log.undoTitle')}
          message={t('audit-log.undoHint', {
            what: `${describe(entryToUndo)} (${formatName(entryToUndo)})`,
            at: formats.instant(entryToUndo.at),
            person: entryToUndo.actor?.name ?? t('audit-log.system'),
          })}
          action={t('audit-log.undoAction')}
          onConfirm={() => undo(entryToUndo)}
          onClose={() => setEntryToUndo(undefined)}
        />
      ) : null}
    </>
  );
});
export default AuditScreen;

const readDay = (text: string | null): string => (text !== null && calendarDay.test(text) ? text : '');
