import { Fragment } from 'react';
import type { AuditLogEntry } from '#core/api';
import {
  Button,
  Dialog,
  DialogActions,
  DialogBody,
  DialogContent,
  DialogSurface,
  DialogTitle,
  makeStyles,
  tokens,
} from '#core/ui';
import { Table, TableBody, TableCell, TableHeader, TableHeaderCell, TableRow } from '#core/ui-data';
import { useFormats, useText } from '#core/web';
import { listDifferences } from '../../common/list-differences.ts';
import { formatStored, useEntryTexts } from './use-entry-texts.ts';

const maxDifferences = 200;

const useStyles = makeStyles({
  surface: { width: 'min(960px, 96vw)', maxWidth: 'none' },
  details: { margin: 0, color: tokens.colorNeutralForeground2, overflowWrap: 'anywhere' },
  scroller: { overflowX: 'auto', marginTop: tokens.spacingVerticalM },
  table: { minWidth: '280px' },
  subject: { overflowWrap: 'anywhere', fontWeight: tokens.fontWeightSemibold },
  value: { overflowWrap: 'anywhere', verticalAlign: 'top', padding: tokens.spacingVerticalXS },
});

export interface EntryDialogProps {
  readonly entry: AuditLogEntry;
  readonly onClose: () => void;
}

/** Shows the details of an entry, with the values before and after the change. */
export function EntryDialog({ entry, onClose }: EntryDialogProps) {
  const t = useText();
  const styles = useStyles();
  const formats = useFormats(entry.location ?? undefined);
  const { describe, formatName, formatField, formatValue } = useEntryTexts();
  const differences = listDifferences(entry.details);
  const shownDifferences = differences.slice(0, maxDifferences);
  const hasBefore = shownDifferences.some(({ subject, before }) => subject !== '' || before !== undefined);
  return (
    <Dialog open onOpenChange={(_, { open }) => (open ? undefined : onClose())}>
      <DialogSurface className={styles.surface}>
        <DialogBody>
          <DialogTitle>{describe(entry)}</DialogTitle>
          <DialogContent>
            <p className={styles.details}>
              {formats.instant(entry.at)} · {entry.actor?.name ?? t('audit-log.system')}
              {entry.name === null ? '' : ` · ${formatName(entry)}`}
            </p>
            <p className={styles.details}>{t('audit-log.request', { subject: entry.subject })}</p>
            {shownDifferences.length === 0 ? (
              <p>{t('audit-log.noDetails')}</p>
            ) : (
              // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls needs the focus
              <div className={styles.scroller} tabIndex={0} role="region" aria-label={t('audit-log.details')}>
                <Table className={styles.table} aria-label={t('audit-log.details')}>
                  <TableHeader>
                    <TableRow>
                      <TableHeaderCell>{t('audit-log.field')}</TableHeaderCell>
                      {hasBefore ? <TableHeaderCell>{t('audit-log.before')}</TableHeaderCell> : null}
                      <TableHeaderCell>{t(hasBefore ? 'audit-log.after' : 'audit-log.value')}</TableHeaderCell>
                    </TableRow>
                  </TableHeader>
                  <TableBody>
                    {shownDifferences.map((difference, index) => {
                      const { subject, field, before } = difference;
                      return (
                        <Fragment key={`${subject} ${field}`}>
                          {subject === '' || shownDifferences[index - 1]?.subject === subject ? null : (
                            <TableRow>
                              <TableHeaderCell colSpan={hasBefore ? 3 : 2} scope="rowgroup">
                                <span className={styles.subject}>{subject}</span>
                              </TableHeaderCell>
                            </TableRow>
                          )}
                          <TableRow>
                            <TableCell className={styles.value}>{formatField(difference)}</TableCell>
                            {hasBefore ? <TableCell className={styles.value}>{formatStored(before)}</TableCell> : null}
                            <TableCell className={styles.value}>{formatValue(difference)}</TableCell>
                          </TableRow>
                        </Fragment>
                      );
                    })}
                  </TableBody>
                </Table>
              </div>
            )}
            {shownDifferences.length < differences.length ? (
              <p>
                {t('audit-log.moreDetails', {
                  shown: formats.number(shownDifferences.length),
                  count: formats.number(differences.length),
                })}
              </p>
            ) : null}
          </DialogContent>
          <DialogActions fluid>
            <Button appearance="primary" onClick={onClose}>
              {t('audit-log.close')}
            </Button>
          </DialogActions>
        </DialogBody>
      </DialogSurface>
    </Dialog>
  );
}
