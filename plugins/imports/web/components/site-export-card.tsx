import { observer } from 'mobx-react-lite';
import { Badge, Button, makeStyles, MessageBar, MessageBarBody, tokens } from '#core/ui';
import { JobProgress, useAdminStyles } from '#core/ui-data';
import { useFormatRefusal, useFormats, useText } from '#core/web';
import type { SiteExportState } from '../../contract/api.ts';
import { downloadFile } from '../stores/download-file.ts';
import { ExportedParts } from './transfer-parts.tsx';

/** Styles that the cards of exports and imports of sites share. */
export const useTransferStyles = makeStyles({
  list: { display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: tokens.spacingVerticalL },
  head: { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: tokens.spacingHorizontalM },
  name: { margin: 0, fontSize: tokens.fontSizeBase400, fontWeight: tokens.fontWeightSemibold },
});

const phaseColors = { RUNNING: 'informative', DONE: 'success', FAILED: 'danger' } as const;

export interface SiteExportCardProps {
  readonly siteExport: SiteExportState;
  readonly onCancel: () => void;
  readonly onEnded: () => void;
}

/** One export of a site: its progress, why it failed, or its file and until when that is kept. */
export const SiteExportCard = observer(function SiteExportCard({ siteExport, onCancel, onEnded }: SiteExportCardProps) {
  const t = useText();
  const styles = useTransferStyles();
  const admin = useAdminStyles();
  const formats = useFormats(siteExport.site);
  const formatRefusal = useFormatRefusal();
  const { phase, job, file, refusal, siteName, createdAt, expiresAt, contents } = siteExport;
  return (
    <section className={admin.card} aria-label={siteName}>
      <div className={styles.head}>
        <h3 className={styles.name}>{siteName}</h3>
        <Badge appearance="tint" color={phase === 'CANCELLED' ? 'informative' : phaseColors[phase]}>
          {t(`imports.export.phase.${phase}`)}
        </Badge>
        <span className={admin.note}>{formats.instant(createdAt)}</span>
      </div>
      {job === null ? null : (
        <>
          <JobProgress
            key={job}
            job={{ id: job, done: 0, total: null }}
            label={t('imports.export.progress', { site: siteName })}
            formatCount={(count) => t('imports.export.files', { count })}
            onEnded={onEnded}
          />
          <div className={admin.actions}>
            <Button onClick={onCancel}>{t('imports.export.cancel')}</Button>
          </div>
        </>
      )}
      {refusal === null ? null : (
        <MessageBar intent="error" layout="multiline">
          <MessageBarBody>{formatRefusal({ message: refusal.message, refusal })}</MessageBarBody>
        </MessageBar>
      )}
      {file === null ? null : (
        <>
          <div className={admin.actions}>
            <Button appearance="primary" onClick={() => downloadFile(file)}>
              {t('imports.export.download', { size: formats.bytes(file.bytes) })}
            </Button>
          </div>
          <p className={admin.note}>{t('imports.export.kept', { until: formats.instant(expiresAt) })}</p>
          <details>
            <summary>{t('imports.export.parts')}</summary>
            <ExportedParts parts={contents} label={t('imports.export.parts')} />
          </details>
        </>
      )}
    </section>
  );
});
