import { observer } from 'mobx-react-lite';
import { useMemo, useState } from 'react';
import {
  Button,
  EmptyState,
  ListSkeleton,
  makeStyles,
  PageTitle,
  ResourceView,
  tokens,
  useRestoreFocusTarget,
} from '#core/ui';
import {
  ConfirmDialog,
  DataTable,
  LastChangeLine,
  LastChangeStore,
  useAdminStyles,
  usePagedResource,
  type DataColumn,
} from '#core/ui-data';
import { HttpClient, useFormats, useService, useText } from '#core/web';
import { maxPictureMegabytes, maxVideoMegabytes, type MediaItem } from '#plugins/media';
import type { listItems } from '#plugins/media/api';
import { ItemDialog } from '../components/item-dialog.tsx';
import { UploadField } from '../components/upload-field.tsx';
import { ItemMutations } from '../stores/item-mutations.ts';

const useStyles = makeStyles({
  preview: {
    display: 'block',
    width: '96px',
    height: '54px',
    objectFit: 'cover',
    borderRadius: tokens.borderRadiusMedium,
    backgroundColor: tokens.colorNeutralBackground4,
  },
  truncated: { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
  upload: { marginBottom: tokens.spacingVerticalL },
});

interface OpenDialog {
  readonly kind: 'edit' | 'delete';
  readonly item: MediaItem;
}

/** Uploads, orders, names and deletes the images and videos that people can watch. */
const ItemsScreen = observer(function ItemsScreen() {
  const t = useText();
  const styles = { ...useAdminStyles(), ...useStyles() };
  const http = useService(HttpClient);
  const formats = useFormats();
  const [lastChange] = useState(() => new LastChangeStore());
  const [openDialog, setOpenDialog] = useState<OpenDialog>();
  const rows = usePagedResource(
    ({ offset, limit }, signal) =>
      http.call<typeof listItems>('GET', '/api/media/items', { query: { offset, limit } }, { signal }),
    [http],
    'items',
  );
  const mutations = useMemo(
    () => new ItemMutations(http, lastChange, async () => void (await rows.load())),
    [http, lastChange, rows],
  );
  const columns = useMemo<readonly DataColumn<MediaItem>[]>(
    () => [
      { id: 'preview', title: t('media.item.preview'), width: '112px', cell: (item) => <Preview item={item} /> },
      {
        id: 'title',
        title: t('media.item.title'),
        titleWhenStacked: true,
        width: 'minmax(0, 3fr)',
        cell: ({ title }) => <Line text={title} />,
      },
      {
        id: 'frenchTitle',
        title: t('media.item.frenchTitle'),
        titleWhenStacked: true,
        width: 'minmax(0, 3fr)',
        cell: ({ frenchTitle }) => <Line text={frenchTitle ?? '–'} />,
      },
      {
        id: 'kind',
        title: t('media.item.kind'),
        titleWhenStacked: true,
        width: 'minmax(0, 2fr)',
        cell: ({ video, captions }) =>
          t(video ? (captions === null ? 'media.item.video' : 'media.item.captioned') : 'media.item.picture'),
      },
      {
        id: 'actions',
        title: t('media.contact.actions'),
        titleHidden: true,
        width: '200px',
        cell: (item, tabIndex) => <Actions item={item} tabIndex={tabIndex} onOpen={setOpenDialog} />,
      },
    ],
    [t],
  );
  const close = (): void => setOpenDialog(undefined);
  return (
    <>
      <PageTitle title={t('media.item.pageTitle')} hint={t('media.item.about')} />
      <LastChangeLine lastChange={lastChange} />
      <div className={styles.upload}>
        <UploadField
          accept="image/jpeg,image/png,image/svg+xml,video/mp4"
          hint={t('media.item.hint', { megabytes: maxPictureMegabytes, videoMegabytes: maxVideoMegabytes })}
          onUpload={(file, options) => mutations.add(file, options)}
        />
      </div>
      <ResourceView resource={rows} waiting={<ListSkeleton />}>
        {({ total }) => (
          <>
            <p role="status" className={styles.note}>
              {t('media.item.count', { count: total, shown: formats.number(total) })}
            </p>
            <DataTable
              label={t('media.item.pageTitle')}
              rows={rows}
              columns={columns}
              rowHeightPx={70}
              narrow={{ belowPx: 640, rowHeightPx: 200 }}
              empty={<EmptyState title={t('media.item.none')} message={t('media.item.noneHint')} />}
            />
          </>
        )}
      </ResourceView>
      {openDialog?.kind === 'edit' ? (
        <ItemDialog item={openDialog.item} mutations={mutations} onClose={close} />
      ) : openDialog ? (
        <ConfirmDialog
          title={t('media.contact.deleteTitle', { name: openDialog.item.title })}
          message={t('media.item.deleteHint')}
          action={t('media.contact.delete')}
          onConfirm={() => mutations.delete(openDialog.item)}
          onClose={close}
        />
      ) : null}
    </>
  );
});
export default ItemsScreen;

function Line({ text }: { readonly text: string }) {
  return (
    <div className={useStyles().truncated} title={text}>
      {text}
    </div>
  );
}

function Preview({ item: { address: url, video: isVideo } }: { readonly item: MediaItem }) {
  const styles = useStyles();
  return isVideo ? (
    <video className={styles.preview} src={url} muted preload="metadata" aria-hidden="true" tabIndex={-1} />
  ) : (
    <img className={styles.preview} src={url} alt="" loading="lazy" />
  );
}

interface ActionsProps {
  readonly item: MediaItem;
  readonly tabIndex: 0 | -1;
  readonly onOpen: (opened: OpenDialog) => void;
}

function Actions({ item, tabIndex, onOpen }: ActionsProps) {
  const t = useText();
  const styles = useAdminStyles();
  const opener = useRestoreFocusTarget();
  return (
    <div className={styles.actions}>
      {(['edit', 'delete'] as const).map((kind) => (
        <Button
          key={kind}
          {...opener}
          tabIndex={tabIndex}
          aria-label={t(`media.contact.${kind}Of`, { name: item.title })}
          onClick={() => onOpen({ kind, item })}
        >
          {t(`media.contact.${kind}`)}
        </Button>
      ))}
    </div>
  );
}
