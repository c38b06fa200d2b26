import { observer } from 'mobx-react-lite';
import { Badge, Button, MessageBar, MessageBarBody } from '#core/ui';
import { JobProgress, useAdminStyles } from '#core/ui-data';
import { useFormatRefusal, useFormats, useText } from '#core/web';
import type { SiteImportState } from '../../contract/api.ts';
import { useTransferStyles } from './site-export-card.tsx';
import { ImportedParts } from './transfer-parts.tsx';

const phaseColors = {
  CHECKING: 'informative',
  PREVIEW: 'informative',
  APPLYING: 'informative',
  DONE: 'success',
  FAILED: 'danger',
} as const;

export interface SiteImportCardProps {
  readonly siteImport: SiteImportState;
  readonly busy: boolean;
  readonly onApply: () => void;
  readonly onCancel: () => void;
  readonly onEnded: () => void;
}

/** One import of a site: its progress, what it would change, the buttons to apply or discard it, and its result. */
export const SiteImportCard = observer(function SiteImportCard(props: SiteImportCardProps) {
  const { siteImport, busy, onApply, onCancel, onEnded } = props;
  const t = useText();
  const styles = useTransferStyles();
  const admin = useAdminStyles();
  const formats = useFormats(siteImport.site ?? undefined);
  const formatRefusal = useFormatRefusal();
  const { phase, job, refusal, siteName, site, fileName, bytes, contents, applicable, restarted } = siteImport;
  const name = siteName === null ? fileName : `${siteName} (${site})`;
  const isPreview = phase === 'PREVIEW';
  const repeatMessage = site === null ? 'imports.siteImport.checkAgain' : 'imports.siteImport.again';
  const changeCount = contents.reduce((sum, { counts }) => sum + (counts['added'] ?? 0) + (counts['changed'] ?? 0), 0);
  return (
    <section className={admin.card} aria-label={name}>
      <div className={styles.head}>
        <h3 className={styles.name}>{name}</h3>
        <Badge appearance="tint" color={phase === 'CANCELLED' ? 'informative' : phaseColors[phase]}>
          {t(`imports.siteImport.phase.${phase}`)}
        </Badge>
        <span className={admin.note}>
          {fileName} · {formats.bytes(bytes)} · {formats.instant(siteImport.createdAt)}
        </span>
      </div>
      {job === null ? null : (
        <JobProgress
          key={job}
          job={{ id: job, done: 0, total: null }}
          label={t(phase === 'APPLYING' ? 'imports.siteImport.applying' : 'imports.siteImport.checking', { name })}
          formatCount={(doneCount, total) =>
            total === null ? undefined : t('imports.siteImport.files', { done: doneCount, total })
          }
          onEnded={onEnded}
        />
      )}
      {refusal === null ? null : (
        <MessageBar intent="error" layout="multiline">
          <MessageBarBody>{formatRefusal({ message: refusal.message, refusal })}</MessageBarBody>
        </MessageBar>
      )}
      {phase === 'FAILED' && refusal === null ? (
        <MessageBar intent="error" layout="multiline">
          <MessageBarBody>
            {t(site === null ? 'imports.siteImport.checkEnded' : 'imports.siteImport.ended')}
          </MessageBarBody>
        </MessageBar>
      ) : null}
      {phase === 'DONE' && restarted ? (
        <MessageBar intent="warning" layout="multiline">
          <MessageBarBody>{t('imports.siteImport.restarted')}</MessageBarBody>
        </MessageBar>
      ) : null}
      {contents.length === 0 || (!isPreview && phase !== 'DONE') ? null : (
        <>
          <p className={admin.note}>
            {t(isPreview ? 'imports.siteImport.would' : 'imports.siteImport.did', { count: changeCount })}
          </p>
          <ImportedParts parts={contents} label={t('imports.siteImport.parts', { name })} />
        </>
      )}
      {applicable || phase === 'CHECKING' ? (
        <div className={admin.actions}>
          {applicable ? (
            <Button appearance="primary" disabled={busy} onClick={onApply}>
              {t(isPreview ? 'imports.siteImport.apply' : repeatMessage)}
            </Button>
          ) : null}
          <Button disabled={busy} onClick={onCancel}>
            {t('imports.siteImport.cancel')}
          </Button>
        </div>
      ) : null}
    </section>
  );
});
