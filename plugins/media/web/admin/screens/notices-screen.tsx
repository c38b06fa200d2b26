import { observer } from 'mobx-react-lite';
import { useEffect, useMemo, useState } from 'react';
import {
  Badge,
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
import { Access, HttpClient, I18n, Locations, useFormats, useService, useText } from '#core/web';
import type { Notice } from '#plugins/media';
import type { listNotices } from '#plugins/media/api';
import { NoticeDialog } from '../components/notice-dialog.tsx';
import { NoticeMutations } from '../stores/notice-mutations.ts';

const useStyles = makeStyles({
  text: {
    display: '-webkit-box',
    WebkitLineClamp: '2',
    WebkitBoxOrient: 'vertical',
    overflow: 'hidden',
    overflowWrap: 'anywhere',
  },
  quiet: { color: tokens.colorNeutralForeground3, fontSize: tokens.fontSizeBase200 },
});

const severityColors = { INFO: 'informative', WARNING: 'warning', CRITICAL: 'danger' } as const;

interface OpenDialog {
  readonly kind: 'edit' | 'takeBack';
  readonly notice: Notice;
}

/** Lists, writes, changes and takes back the notices in the banner areas. */
const NoticesScreen = observer(function NoticesScreen() {
  const t = useText();
  const styles = useAdminStyles();
  const http = useService(HttpClient);
  const locations = useService(Locations);
  const { info } = useService(Access);
  const formats = useFormats();
  const opener = useRestoreFocusTarget();
  const [lastChange] = useState(() => new LastChangeStore());
  const [openDialog, setOpenDialog] = useState<OpenDialog | 'add'>();
  useEffect(() => void locations.load(), [locations]);
  const rows = usePagedResource(
    ({ offset, limit }, signal) =>
      http.call<typeof listNotices>('GET', '/api/media/notices', { query: { offset, limit } }, { signal }),
    [http],
    'notices',
  );
  const mutations = useMemo(
    () => new NoticeMutations(http, lastChange, async () => void (await rows.load())),
    [http, lastChange, rows],
  );
  const canAccessAllLocations = info.locations === 'ALL';
  const { quiet } = useStyles();
  const columns = useMemo<readonly DataColumn<Notice>[]>(
    () => [
      {
        id: 'text',
        title: t('media.notice.text'),
        width: 'minmax(0, 3fr)',
        cell: (notice) => <NoticeText notice={notice} />,
      },
      {
        id: 'severity',
        title: t('media.notice.severity'),
        titleWhenStacked: true,
        width: 'minmax(0, 1fr)',
        cell: ({ severity }) => (
          <Badge appearance="tint" color={severityColors[severity]}>
            {t(`media.notice.severity.${severity}`)}
          </Badge>
        ),
      },
      {
        id: 'period',
        title: t('media.notice.period'),
        titleWhenStacked: true,
        width: 'minmax(0, 3fr)',
        cell: (notice) => <Period notice={notice} />,
      },
      {
        id: 'place',
        title: t('media.notice.place'),
        titleWhenStacked: true,
        width: 'minmax(0, 2fr)',
        cell: (notice) => <Place notice={notice} />,
      },
      {
        id: 'actions',
        title: t('media.contact.actions'),
        titleHidden: true,
        width: '216px',
        cell: (notice, tabIndex) =>
          notice.location !== null || canAccessAllLocations ? (
            <Actions notice={notice} tabIndex={tabIndex} onOpen={setOpenDialog} />
          ) : (
            <span className={quiet}>{t('media.notice.changedByAll')}</span>
          ),
      },
    ],
    [t, canAccessAllLocations, quiet],
  );
  const close = (): void => setOpenDialog(undefined);
  return (
    <>
      <PageTitle title={t('media.notice.title')} hint={t('media.notice.about')} />
      <LastChangeLine lastChange={lastChange} />
      <ResourceView resource={rows} waiting={<ListSkeleton />}>
        {({ total }) => (
          <>
            <div className={styles.bar}>
              <p role="status" className={styles.note}>
                {t('media.notice.count', { count: total, shown: formats.number(total) })}
              </p>
              <Button {...opener} appearance="primary" onClick={() => setOpenDialog('add')}>
                {t('media.notice.add')}
              </Button>
            </div>
            <DataTable
              label={t('media.notice.title')}
              rows={rows}
              columns={columns}
              rowHeightPx={76}
              narrow={{ belowPx: 720, rowHeightPx: 232 }}
              empty={<EmptyState title={t('media.notice.none')} message={t('media.notice.noneHint')} />}
            />
          </>
        )}
      </ResourceView>
      {openDialog === 'add' ? (
        <NoticeDialog notice={undefined} mutations={mutations} onClose={close} />
      ) : openDialog?.kind === 'edit' ? (
        <NoticeDialog notice={openDialog.notice} mutations={mutations} onClose={close} />
      ) : openDialog ? (
        <ConfirmDialog
          title={t('media.notice.takeBackTitle')}
          message={t('media.notice.takeBackHint', { text: openDialog.notice.text })}
          action={t('media.notice.takeBack')}
          onConfirm={() => mutations.takeBack(openDialog.notice)}
          onClose={close}
        />
      ) : null}
    </>
  );
});
export default NoticesScreen;

interface NoticeProps {
  readonly notice: Notice;
}

const NoticeText = observer(function Words({ notice: { text, frenchText } }: NoticeProps) {
  const styles = useStyles();
  const { language } = useService(I18n);
  const shownText = language === 'fr' ? (frenchText ?? text) : text;
  return (
    <div className={styles.text} title={shownText}>
      {shownText}
    </div>
  );
});

const Period = observer(function Period({ notice: { location, startsAt, endsAt } }: NoticeProps) {
  const t = useText();
  const styles = useStyles();
  const formats = useFormats(location ?? undefined);
  const now = Date.now();
  const state =
    Date.parse(startsAt) > now ? 'SCHEDULED' : endsAt !== null && Date.parse(endsAt) <= now ? 'ENDED' : 'SHOWN';
  return (
    <>
      <div>{t(`media.notice.state.${state}`)}</div>
      <div className={styles.quiet}>
        {endsAt === null
          ? t('media.notice.from', { start: formats.instant(startsAt) })
          : formats.instants(startsAt, endsAt)}
      </div>
    </>
  );
});

const Place = observer(function Place({ notice: { location, area, onLogin } }: NoticeProps) {
  const t = useText();
  const styles = useStyles();
  const locations = useService(Locations);
  return (
    <>
      <div>{location === null ? t('media.contact.everybody') : (locations.find(location)?.name ?? location)}</div>
      <div className={styles.quiet}>
        {[t(`media.notice.area.${area}`), ...(onLogin ? [t('media.contact.shownOnLogin')] : [])].join(' · ')}
      </div>
    </>
  );
});

interface ActionsProps extends NoticeProps {
  readonly tabIndex: 0 | -1;
  readonly onOpen: (opened: OpenDialog) => void;
}

function Actions({ notice, tabIndex, onOpen }: ActionsProps) {
  const t = useText();
  const styles = useAdminStyles();
  const opener = useRestoreFocusTarget();
  return (
    <div className={styles.actions}>
      {(['edit', 'takeBack'] as const).map((kind) => (
        <Button
          key={kind}
          {...opener}
          tabIndex={tabIndex}
          aria-label={t(`media.notice.${kind}Of`, { text: notice.text })}
          onClick={() => onOpen({ kind, notice })}
        >
          {t(`media.notice.${kind === 'edit' ? 'editAction' : 'takeBack'}`)}
        </Button>
      ))}
    </div>
  );
}
