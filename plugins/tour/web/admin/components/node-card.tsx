import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import {
  Button,
  makeStyles,
  MessageBar,
  MessageBarActions,
  MessageBarBody,
  tokens,
  useRestoreFocusTarget,
} from '#core/ui';
import { ConfirmDialog, DescriptionList, JobProgress, useAdminStyles } from '#core/ui-data';
import { HttpClient, useFormats, useFormatRefusal, useService, useText } from '#core/web';
import type { NodePanoramas, deletePanorama } from '../../../contract/api/admin.ts';
import { PanoramaUploadDialog } from './panorama-upload-dialog.tsx';

const useStyles = makeStyles({
  picture: {
    width: '96px',
    height: '64px',
    objectFit: 'cover',
    borderRadius: tokens.borderRadiusMedium,
    backgroundColor: tokens.colorNeutralBackground4,
  },
  days: {
    display: 'flex',
    flexWrap: 'wrap',
    gap: tokens.spacingHorizontalM,
    margin: 0,
    padding: 0,
    listStyleType: 'none',
  },
  day: { display: 'flex', alignItems: 'center', gap: tokens.spacingHorizontalS, fontVariantNumeric: 'tabular-nums' },
});

interface NodeCardProps {
  readonly panoramas: NodePanoramas;
  readonly onChanged: () => Promise<void>;
}

/** Shows a node with its current panorama, earlier panoramas and pending imports. */
export const NodeCard = observer(function NodeCard({ panoramas, onChanged }: NodeCardProps) {
  const styles = useStyles();
  const adminStyles = useAdminStyles();
  const t = useText();
  const formatRefusal = useFormatRefusal();
  const formats = useFormats(panoramas.location);
  const http = useService(HttpClient);
  const opener = useRestoreFocusTarget();
  const [openDialog, setOpenDialog] = useState<
    'upload' | { readonly uid: string; readonly day: string; readonly isCurrent: boolean }
  >();
  const {
    node,
    code,
    name,
    location,
    uid: currentUid,
    day: currentDay,
    heading,
    thumbnail,
    earlier,
    incoming,
    posedTilt,
  } = panoramas;
  const titleId = `panoramas-${node}`;
  const currentDate = currentDay === null ? t('tour.panoramas.noneYet') : formats.calendarDay(currentDay);
  const close = (): void => setOpenDialog(undefined);
  const remove = async (uid: string): Promise<void> => {
    await http.call<typeof deletePanorama>('DELETE', '/api/tour/:location/nodes/:node/panoramas/:uid', {
      params: { location, node, uid },
    });
    void onChanged();
  };
  return (
    <article className={adminStyles.card} aria-labelledby={titleId}>
      <div className={adminStyles.head}>
        {thumbnail === null ? null : (
          <img className={styles.picture} src={thumbnail} alt="" loading="lazy" decoding="async" />
        )}
        <div className={adminStyles.grow}>
          <h2 id={titleId} className={adminStyles.name}>
            {name}
          </h2>
        </div>
        <div className={adminStyles.actions}>
          {currentUid === null ? null : (
            <Button
              {...opener}
              aria-label={t('tour.panoramas.remove', { day: currentDate })}
              aria-describedby={titleId}
              onClick={() => setOpenDialog({ uid: currentUid, day: currentDate, isCurrent: true })}
            >
              {t('tour.panoramas.delete')}
            </Button>
          )}
          <Button {...opener} onClick={() => setOpenDialog('upload')} aria-describedby={titleId}>
            {t('tour.panoramas.new')}
          </Button>
        </div>
      </div>
      {incoming.map(({ uid, day: captureDay, job, ...failure }) => {
        const day = formats.calendarDay(captureDay);
        if (job)
          return (
            <JobProgress
              key={uid}
              job={job}
              label={t('tour.panoramas.importing', { day })}
              onEnded={() => void onChanged()}
            />
          );
        return (
          <MessageBar key={uid} intent="error" layout="multiline">
            <MessageBarBody>
              {t('tour.panoramas.failed', { day, reason: formatRefusal(failure) ?? t('tour.panoramas.failedUnknown') })}
            </MessageBarBody>
            <MessageBarActions>
              <Button onClick={() => void remove(uid).catch(() => onChanged())}>{t('tour.panoramas.dismiss')}</Button>
            </MessageBarActions>
          </MessageBar>
        );
      })}
      <DescriptionList
        items={[
          [
            t('tour.panoramas.shown'),
            currentDay === null
              ? currentDate
              : t('tour.panoramas.dayAtSite', { day: currentDate, zone: formats.timeZone }),
          ],
          [t('tour.panoramas.looks'), t('tour.panoramas.degrees', { value: heading })],
          [t('tour.panoramas.code'), code],
        ]}
      />
      {earlier.length === 0 ? null : (
        <ul className={styles.days} aria-label={t('tour.panoramas.earlier', { name })}>
          {earlier.map(({ uid, day: captureDay }) => {
            const day = formats.calendarDay(captureDay);
            return (
              <li key={uid} className={styles.day}>
                {t('tour.panoramas.before', { day })}
                <Button
                  {...opener}
                  aria-label={t('tour.panoramas.remove', { day })}
                  aria-describedby={titleId}
                  onClick={() => setOpenDialog({ uid, day, isCurrent: false })}
                >
                  {t('tour.panoramas.delete')}
                </Button>
              </li>
            );
          })}
        </ul>
      )}
      {openDialog === 'upload' ? (
        <PanoramaUploadDialog
          title={t('tour.panoramas.newTitle', { name })}
          location={location}
          node={node}
          hasPosedTilt={posedTilt !== null}
          onClose={close}
          onSent={onChanged}
        />
      ) : null}
      {openDialog !== undefined && openDialog !== 'upload' ? (
        <ConfirmDialog
          title={t('tour.panoramas.removeTitle', { name, day: openDialog.day })}
          message={
            openDialog.isCurrent
              ? t('tour.panoramas.removeShownHint', {
                  day: openDialog.day,
                  earlier: formats.calendarDay(earlier[0]?.day ?? currentDay ?? ''),
                })
              : t('tour.panoramas.removeHint')
          }
          action={t('tour.panoramas.delete')}
          onConfirm={() => remove(openDialog.uid)}
          onClose={close}
        />
      ) : null}
    </article>
  );
});
