import { observer } from 'mobx-react-lite';
import { useMemo } from 'react';
import type { AuditLogEntry } from '#core/api';
import { Badge, Button, EmptyState, makeStyles, tokens, useRestoreFocusTarget } from '#core/ui';
import { DataTable, type DataColumn, type PagedRows } from '#core/ui-data';
import { Locations, useFormats, useService, useText } from '#core/web';
import { useEntryTexts } from './use-entry-texts.ts';

const useStyles = makeStyles({
  truncated: { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap', minWidth: 0 },
  name: { color: tokens.colorNeutralForeground3, fontSize: tokens.fontSizeBase200 },
  actions: { display: 'flex', alignItems: 'center', gap: tokens.spacingHorizontalS },
});

export interface AuditTableProps {
  readonly rows: PagedRows<AuditLogEntry>;
  /** Whether the person can undo the change of an entry. */
  readonly canUndo: (entry: AuditLogEntry) => boolean;
  readonly onShow: (entry: AuditLogEntry) => void;
  readonly onUndo: (entry: AuditLogEntry) => void;
}

/** Table of the entries of the audit log. */
export const AuditTable = observer(function AuditTable({ rows, canUndo, onShow, onUndo }: AuditTableProps) {
  const t = useText();
  const { instant, timeZone } = useFormats();
  const { describe, formatName } = useEntryTexts();
  const locations = useService(Locations);
  const columns = useMemo(
    (): readonly DataColumn<AuditLogEntry>[] => [
      {
        id: 'at',
        title: t('audit-log.at'),
        width: 'minmax(0, 1.2fr)',
        cell: ({ at }) => instant(at),
      },
      {
        id: 'person',
        title: t('audit-log.person'),
        width: 'minmax(0, 1fr)',
        cell: ({ actor }) => actor?.name ?? t('audit-log.system'),
      },
      {
        id: 'what',
        title: t('audit-log.what'),
        width: 'minmax(0, 2fr)',
        cell: (entry) => <EntryText text={describe(entry)} name={formatName(entry)} />,
      },
      {
        id: 'place',
        title: t('audit-log.place'),
        width: 'minmax(0, 1fr)',
        cell: ({ location }) => (
          <TruncatedText text={location === null ? '' : (locations.find(location)?.name ?? location)} />
        ),
      },
      {
        id: 'actions',
        title: t('audit-log.actions'),
        titleHidden: true,
        width: '224px',
        cell: (entry, tabIndex) => (
          <Actions
            entry={entry}
            what={`${describe(entry)}, ${formatName(entry)}`}
            tabIndex={tabIndex}
            canUndo={canUndo(entry)}
            onShow={onShow}
            onUndo={onUndo}
          />
        ),
      },
    ],
    // oxlint-disable-next-line react/exhaustive-deps -- `instant` changes with the language and the time zone
    [t, timeZone, describe, formatName, locations, canUndo, onShow, onUndo],
  );
  return (
    <DataTable
      label={t('audit-log.title')}
      rows={rows}
      columns={columns}
      rowHeightPx={56}
      narrow={{ belowPx: 700, rowHeightPx: 176 }}
      empty={<EmptyState title={t('audit-log.nothing')} message={t('audit-log.nothingHint')} />}
    />
  );
});

function TruncatedText({ text }: { readonly text: string }) {
  return (
    <div className={useStyles().truncated} title={text}>
      {text}
    </div>
  );
}

function EntryText({ text, name }: { readonly text: string; readonly name: string }) {
  const styles = useStyles();
  return (
    <>
      <TruncatedText text={text} />
      <div className={styles.name}>
        <TruncatedText text={name} />
      </div>
    </>
  );
}

interface ActionsProps extends Pick<AuditTableProps, 'onShow' | 'onUndo'> {
  readonly canUndo: boolean;
  readonly entry: AuditLogEntry;
  readonly what: string;
  readonly tabIndex: 0 | -1;
}

function Actions({ entry, what, tabIndex, canUndo, onShow, onUndo }: ActionsProps) {
  const t = useText();
  const styles = useStyles();
  const opener = useRestoreFocusTarget();
  return (
    <div className={styles.actions}>
      <Button
        {...opener}
        tabIndex={tabIndex}
        onClick={() => onShow(entry)}
        aria-label={t('audit-log.detailsOf', { what })}
      >
        {t('audit-log.details')}
      </Button>
      {entry.change?.undone ? (
        <Badge appearance="tint" color="informative">
          {t('audit-log.undone')}
        </Badge>
      ) : entry.change && canUndo ? (
        <Button
          {...opener}
          tabIndex={tabIndex}
          onClick={() => onUndo(entry)}
          aria-label={t('audit-log.undoOf', { what })}
        >
          {t('audit-log.undo')}
        </Button>
      ) : null}
    </div>
  );
}
