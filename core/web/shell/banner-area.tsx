import { observer } from 'mobx-react-lite';
import { Suspense } from 'react';
import { DismissRegular } from '@fluentui/react-icons/svg/dismiss';
import { useText } from '../i18n/use-text.ts';
import { banners, noticeAreas, type NoticeAreaProps } from '../kernel/core-points.ts';
import { Notifications, Session, type Notice } from '../kernel/services.ts';
import { useService } from '../kernel/use-service.ts';
import { ContributedComponent, useContributions } from '../router/contributions.tsx';
import { Button, Link, makeStyles, MessageBar, MessageBarActions, MessageBarBody } from '../ui/base.ts';

const useStyles = makeStyles({
  area: { display: 'grid' },
  bar: { borderRadius: 0, borderLeftStyle: 'none', borderRightStyle: 'none', minHeight: '44px' },
  body: { overflowWrap: 'anywhere' },
});

/** The notices and plugin banners at the top or bottom. The area takes no space while it is empty. */
export const BannerArea = observer(function BannerArea({ area }: NoticeAreaProps) {
  const styles = useStyles();
  const text = useText();
  const notices = useService(Notifications).notices.filter((notice) => notice.area === area);
  const { me } = useService(Session);
  const contributedBanners = useContributions(banners).filter((banner) => banner.area === area);
  return (
    <div
      className={styles.area}
      data-area={area}
      {...(notices.length + contributedBanners.length > 0
        ? { role: 'region', 'aria-label': text(`core.shell.notices.${area}`) }
        : {})}
    >
      {notices.map((notice) => (
        <NoticeBar key={notice.id} notice={notice} />
      ))}
      {contributedBanners.map((banner) => (
        <ContributedComponent key={banner.id} contribution={banner} load={banner.load} props={{}} />
      ))}
      {me?.notices ? (
        <Suspense fallback={null}>
          <AdminNotices area={area} />
        </Suspense>
      ) : null}
    </div>
  );
});

const AdminNotices = observer(function AdminNotices(props: NoticeAreaProps) {
  return useContributions(noticeAreas).map((noticeArea) => (
    <ContributedComponent key={noticeArea.id} contribution={noticeArea} load={noticeArea.load} props={props} />
  ));
});

function NoticeBar({ notice }: { readonly notice: Notice }) {
  const styles = useStyles();
  const text = useText();
  const notifications = useService(Notifications);
  const { action, dismissable, id, kind, message, values } = notice;
  return (
    <MessageBar
      className={styles.bar}
      intent={kind}
      layout="multiline"
      politeness={kind === 'error' || kind === 'warning' ? 'assertive' : 'polite'}
    >
      <MessageBarBody className={styles.body}>
        <span role={kind === 'error' ? 'alert' : 'status'}>{text(message, values)}</span>
        {action?.href === undefined ? null : (
          <>
            {' '}
            <Link
              inline
              href={action.href}
              {...(action.newTab === true
                ? {
                    target: '_blank',
                    rel: 'noopener',
                    'aria-label': text('core.shell.newTab', { label: text(action.label) }),
                  }
                : {})}
            >
              {text(action.label)}
            </Link>
          </>
        )}
      </MessageBarBody>
      {action?.run === undefined && !dismissable ? null : (
        <MessageBarActions
          {...(dismissable
            ? {
                containerAction: (
                  <Button
                    appearance="transparent"
                    size="small"
                    icon={<DismissRegular />}
                    aria-label={text('core.shell.dismiss')}
                    onClick={() => notifications.dismiss(id)}
                  />
                ),
              }
            : {})}
        >
          {action?.run === undefined ? null : (
            <Button size="small" onClick={action.run}>
              {text(action.label)}
            </Button>
          )}
        </MessageBarActions>
      )}
    </MessageBar>
  );
}
