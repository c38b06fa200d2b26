import { AlertRegular } from '@fluentui/react-icons/svg/alert';
import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { useText } from '../i18n/use-text.ts';
import { Notifications } from '../kernel/services.ts';
import { useService } from '../kernel/use-service.ts';
import { makeStyles, tokens } from '../ui/base.ts';
import {
  Button,
  CounterBadge,
  MessageBar,
  MessageBarBody,
  Popover,
  PopoverSurface,
  PopoverTrigger,
  Tooltip,
} from '../ui/shell.ts';
import { useTooltipVisibility } from '../ui/use-tooltip-visibility.ts';

const useStyles = makeStyles({
  bell: { position: 'relative' },
  count: { position: 'absolute', top: '0', right: '-2px', pointerEvents: 'none' },
  surface: { width: 'min(360px, calc(100vw - 32px))', padding: tokens.spacingHorizontalL },
  title: {
    margin: `0 0 ${tokens.spacingVerticalM}`,
    fontSize: tokens.fontSizeBase400,
    lineHeight: tokens.lineHeightBase400,
    fontWeight: tokens.fontWeightSemibold,
  },
  list: {
    display: 'grid',
    gap: tokens.spacingVerticalS,
    margin: 0,
    padding: 0,
    listStyleType: 'none',
    maxHeight: '50vh',
    overflowY: 'auto',
  },
  hint: { margin: 0, color: tokens.colorNeutralForeground3 },
});

/** A button that shows the current and the dismissed notices. */
export const NoticeBell = observer(function NoticeBell() {
  const styles = useStyles();
  const text = useText();
  const [open, setOpen] = useState(false);
  const tooltipVisibility = useTooltipVisibility(open);
  const { notices, past } = useService(Notifications);
  const count = notices.length;
  const label = count === 0 ? text('core.shell.bell') : text('core.shell.bell.count', { count });
  return (
    <Popover positioning="below-end" trapFocus open={open} onOpenChange={(_, data) => setOpen(data.open)}>
      <PopoverTrigger disableButtonEnhancement>
        <Tooltip content={label} relationship="label" {...tooltipVisibility}>
          <Button
            className={styles.bell}
            appearance="subtle"
            icon={
              <>
                <AlertRegular />
                {count === 0 ? null : (
                  <CounterBadge className={styles.count} count={count} size="small" color="danger" />
                )}
              </>
            }
          />
        </Tooltip>
      </PopoverTrigger>
      <PopoverSurface className={styles.surface} aria-label={text('core.shell.bell')}>
        <h2 className={styles.title}>{text('core.shell.bell')}</h2>
        {count + past.length === 0 ? (
          <p className={styles.hint}>
            {text('core.shell.bell.empty')}. {text('core.shell.bell.emptyHint')}
          </p>
        ) : (
          <ul className={styles.list}>
            {[...notices, ...past].map((notice) => (
              <li key={notice.id}>
                <MessageBar intent={notice.kind} layout="multiline">
                  <MessageBarBody>{text(notice.message, notice.values)}</MessageBarBody>
                </MessageBar>
              </li>
            ))}
          </ul>
        )}
      </PopoverSurface>
    </Popover>
  );
});
