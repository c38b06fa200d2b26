import { useEffect, useRef, useState } from 'react';
import { observer } from 'mobx-react-lite';
import { Badge, Button, makeStyles, mergeClasses, ProgressBar, tokens, Tooltip } from '#core/ui';
import { useFormats, useService, useText } from '#core/web';
import { ItemActions, useItemStyles } from '../../components/item-row.tsx';
import { NameField } from '../../components/name-field.tsx';
import { useOpenEdit } from '../../stores/use-synced-list.ts';
import { NotEditableNote } from '../../components/not-editable-note.tsx';
import { SyncBadge, SyncActions } from '../../components/sync-note.tsx';
import { SnapshotStore } from '../stores/snapshot-store.ts';
import type { ListedSnapshot } from '../stores/snapshot-list.ts';
import { CameraIcon } from './camera-icon.tsx';
import { DeleteDialog } from './delete-dialog.tsx';
import { useSnapshotFiles } from './use-snapshot-files.ts';

const useStyles = makeStyles({
  grid: { display: 'grid', gap: '4px' },
  picture: {
    display: 'grid',
    alignItems: 'center',
    justifyItems: 'center',
    width: '100%',
    aspectRatio: '16 / 9',
    padding: 0,
    overflow: 'hidden',
    cursor: 'pointer',
    color: tokens.colorNeutralForeground3,
    backgroundColor: tokens.colorNeutralBackground3,
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    borderRadius: tokens.borderRadiusLarge,
    ':focus-visible': { outline: `2px solid ${tokens.colorStrokeFocus2}`, outlineOffset: '1px' },
  },
  image: { width: '100%', height: '100%', objectFit: 'cover', minHeight: 0 },
  wrapped: { flexWrap: 'wrap' },
  title: {
    flexGrow: 1,
    minWidth: '50%',
    margin: 0,
    fontSize: tokens.fontSizeBase300,
    lineHeight: tokens.lineHeightBase300,
    fontWeight: tokens.fontWeightSemibold,
    overflowWrap: 'anywhere',
  },
  text: { margin: 0, overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' },
  failed: { margin: 0, color: tokens.colorPaletteRedForeground1 },
});

/** The card of a snapshot with its thumbnail, its upload state and its actions. */
export const SnapshotCard = observer(function SnapshotCard({ snapshot }: { readonly snapshot: ListedSnapshot }) {
  const styles = { ...useItemStyles(), ...useStyles() };
  const t = useText();
  const formats = useFormats(snapshot.location);
  const snapshotStore = useService(SnapshotStore);
  const { list, selected } = snapshotStore;
  const { uid, name, text, tagNumber, own, author, createdAt, sync, picture } = snapshot;
  const [renaming, setRenaming] = useState(false);
  useOpenEdit(list, uid, renaming);
  const [deleting, setDeleting] = useState(false);
  const { fileInProgress, failed, savePng, savePdf } = useSnapshotFiles(snapshot);
  const isSheetRequested = uid === snapshotStore.requestedSheet;
  useEffect(() => {
    if (isSheetRequested && snapshotStore.consumeRequestedSheet(uid)) savePdf();
  }, [isSheetRequested, snapshotStore, uid, savePdf]);
  const row = useRef<HTMLLIElement>(null);
  const isSelected = uid === selected;
  useEffect(() => {
    if (isSelected) row.current?.scrollIntoView?.({ block: 'nearest' });
  }, [isSelected]);
  const upload = list.uploads.get(uid);
  const thumbnail = list.thumbnails.get(uid) ?? picture?.thumbnail;
  const hasPicture = picture !== null || upload !== undefined;
  const rename = (next: string | undefined): void => {
    setRenaming(false);
    if (next !== undefined && next !== name) void list.change(uid, { name: next });
  };
  return (
    <li
      ref={row}
      className={mergeClasses(styles.row, styles.grid, isSelected && styles.chosen)}
      aria-current={isSelected ? 'true' : undefined}
    >
      <Tooltip content={t('annotate.openView')} relationship="description">
        <button type="button" className={styles.picture} aria-label={name} onClick={() => snapshotStore.goTo(snapshot)}>
          {thumbnail === undefined ? (
            <CameraIcon />
          ) : (
            <img className={styles.image} src={thumbnail} alt="" loading="lazy" />
          )}
        </button>
      </Tooltip>
      <div className={mergeClasses(styles.line, styles.wrapped)}>
        {renaming ? <NameField name={name} onEnd={rename} /> : <h3 className={styles.title}>{name}</h3>}
        <SyncBadge state={sync.state} />
        {sync.state === 'saved' && upload ? (
          <Badge appearance="tint" color={upload.state === 'sending' ? 'informative' : 'warning'} role="status">
            {t(`annotate.picture.${upload.state}`)}
          </Badge>
        ) : null}
      </div>
      {upload?.state === 'sending' ? (
        <ProgressBar value={upload.fraction} aria-label={t('annotate.picture.sending')} />
      ) : null}
      {hasPicture ? null : <p className={styles.details}>{t('annotate.picture.elsewhere')}</p>}
      {text ? <p className={styles.text}>{text}</p> : null}
      <p className={styles.details}>
        {[
          ...(tagNumber === null ? [] : [t('annotate.ofTag', { tag: tagNumber })]),
          t(own ? 'annotate.takenByYou' : 'annotate.takenBy', { author, at: formats.instant(createdAt) }),
        ].join(' · ')}
      </p>
      <NotEditableNote item={snapshot} />
      {(upload?.state === 'waiting' || upload?.state === 'failed') && sync.state === 'saved' ? (
        <SyncActions list={list} uid={uid} sync={{ state: upload.state === 'failed' ? 'failed' : 'unsent' }} />
      ) : (
        <SyncActions list={list} uid={uid} sync={sync} />
      )}
      {failed ? (
        <p className={styles.failed} role="alert">
          {t('annotate.fileFailed')}
        </p>
      ) : null}
      <div className={styles.actions}>
        <Button size="small" disabled={!hasPicture || fileInProgress !== undefined} onClick={savePdf}>
          {t(fileInProgress === 'pdf' ? 'annotate.making' : 'annotate.savePdf')}
        </Button>
        <Button size="small" disabled={!hasPicture || fileInProgress !== undefined} onClick={savePng}>
          {t(fileInProgress === 'png' ? 'annotate.making' : 'annotate.savePng')}
        </Button>
        <ItemActions
          item={snapshot}
          list={list}
          edit={{ label: t('annotate.rename'), start: () => setRenaming(true) }}
          formatUrl={(item) => snapshotStore.formatUrl(item)}
          onDelete={() => setDeleting(true)}
        />
      </div>
      {deleting ? (
        <DeleteDialog name={name} onEnd={() => setDeleting(false)} onDelete={() => void list.discard(uid)} />
      ) : null}
    </li>
  );
});
