import { observer } from 'mobx-react-lite';
import { useEffect, useState } from 'react';
import { Button, makeStyles, MessageBar, MessageBarActions, MessageBarBody, MessageBarTitle, tokens } from '#core/ui';
import { HttpClient, I18n, ServerEvents, useService, useText, type NoticeAreaProps } from '#core/web';
import type { Notice } from '#plugins/media';
import { getNoticeStore } from './notice-store.ts';

/** Further notices are shown by a button. Critical notices are always shown. */
const maxShown = 3;

const intents = { INFO: 'info', WARNING: 'warning', CRITICAL: 'error' } as const;

const useStyles = makeStyles({
  area: { maxHeight: '40dvh', overflowY: 'auto' },
  bar: { borderRadius: 0, borderLeftStyle: 'none', borderRightStyle: 'none', minHeight: '44px' },
  text: { whiteSpace: 'pre-line', overflowWrap: 'anywhere' },
  button: { '@media (pointer: coarse)': { minWidth: '44px', minHeight: '44px' } },
  more: {
    width: '100%',
    minHeight: '32px',
    borderRadius: 0,
    backgroundColor: tokens.colorNeutralBackground3,
    '@media (pointer: coarse)': { minHeight: '44px' },
  },
});

/** The notices of one banner area. They take up space in the layout and never cover the screen. */
const NoticeArea = observer(function NoticeArea({ area }: NoticeAreaProps) {
  const t = useText();
  const styles = useStyles();
  const store = getNoticeStore(useService(HttpClient), useService(ServerEvents));
  const [expanded, setExpanded] = useState(false);
  useEffect(() => store.follow(), [store]);
  const notices = store.shownIn(area === 'top' ? 'TOP' : 'BOTTOM');
  const critical = notices.filter(({ severity }) => severity === 'CRITICAL').length;
  const visible = expanded ? notices : notices.slice(0, Math.max(maxShown, critical));
  const hiddenCount = notices.length - visible.length;
  // The live region is rendered before its notices, so that screen readers announce them.
  return (
    <div className={styles.area} aria-live="polite" aria-relevant="additions">
      {visible.map((notice) => (
        <NoticeBar
          key={notice.uid}
          notice={notice}
          onDismiss={() => void store.dismiss(notice).catch(() => undefined)}
        />
      ))}
      {hiddenCount > 0 || expanded ? (
        <Button
          appearance="subtle"
          className={styles.more}
          aria-expanded={expanded}
          onClick={() => setExpanded(!expanded)}
        >
          {expanded ? t('media.notice.fewer') : t('media.notice.more', { count: hiddenCount })}
        </Button>
      ) : null}
    </div>
  );
});
export default NoticeArea;

const NoticeBar = observer(function NoticeBar({
  notice: { text, frenchText, severity },
  onDismiss,
}: {
  readonly notice: Notice;
  readonly onDismiss: () => void;
}) {
  const t = useText();
  const styles = useStyles();
  const { language } = useService(I18n);
  const shownText = language === 'fr' ? (frenchText ?? text) : text;
  return (
    <MessageBar className={styles.bar} intent={intents[severity]} layout="multiline">
      <MessageBarBody className={styles.text}>
        <MessageBarTitle>{t(`media.notice.severity.${severity}`)}</MessageBarTitle> {shownText}
      </MessageBarBody>
      {severity === 'CRITICAL' ? null : (
        <MessageBarActions
          containerAction={
            <Button
              appearance="transparent"
              size="small"
              className={styles.button}
              aria-label={t('media.notice.dismissOf', { text: shownText })}
              onClick={onDismiss}
            >
              {t('media.notice.dismiss')}
            </Button>
          }
        />
      )}
    </MessageBar>
  );
});
