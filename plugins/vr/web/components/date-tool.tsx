import { useEffect } from 'react';
import { observer } from 'mobx-react-lite';
import {
  Button,
  makeStyles,
  Menu,
  MenuDivider,
  MenuItem,
  MenuItemRadio,
  MenuList,
  MenuPopover,
  MenuTrigger,
  tokens,
  Tooltip,
} from '#core/ui';
import { useFormats, useService, useText } from '#core/web';
import { TourStore } from '#plugins/tour';
import { Captures } from '../stores/captures.ts';

const useStyles = makeStyles({
  date: {
    padding: '0 8px',
    whiteSpace: 'nowrap',
    fontVariantNumeric: 'tabular-nums',
    color: tokens.colorNeutralForeground2,
  },
  button: { whiteSpace: 'nowrap', flexShrink: 0, fontVariantNumeric: 'tabular-nums', minWidth: 'auto' },
});

/** Shows the capture date of the panorama. If there are earlier captures, it selects and compares them. */
const DateTool = observer(function DateTool() {
  const styles = useStyles();
  const t = useText();
  const store = useService(TourStore);
  const formats = useFormats(store.opened?.tour.location);
  const captures = new Captures(store);
  const { all, current, comparison } = captures;
  const missingDays = captures.missingDays.join(' ');
  useEffect(() => {
    for (const day of missingDays.split(' ').filter(Boolean))
      store.reportMissing({ message: 'vr.missing.date', values: { day } });
  }, [store, missingDays]);
  const [latest, ...earlier] = all;
  if (!latest || !current) return null;
  const selectedCapture = comparison?.older ?? current;
  const label = comparison ? t('vr.date.two') : formats.calendarDay(current.day);
  if (earlier.length === 0) {
    return (
      <Tooltip content={t('vr.date.only', { zone: formats.timeZone })} relationship="description">
        <span className={styles.date}>{label}</span>
      </Tooltip>
    );
  }
  const comparableCapture = current.day === latest.day ? earlier[0] : current;
  return (
    <>
      <Menu checkedValues={{ date: [selectedCapture.day] }} positioning="above">
        <MenuTrigger disableButtonEnhancement>
          <Tooltip content={t('vr.date.choose', { zone: formats.timeZone })} relationship="description">
            <Button size="large" className={styles.button} appearance={comparison ? 'primary' : 'subtle'}>
              {label}
            </Button>
          </Tooltip>
        </MenuTrigger>
        <MenuPopover>
          <MenuList>
            {all.map((capture) => (
              <MenuItemRadio key={capture.day} name="date" value={capture.day} onClick={() => captures.choose(capture)}>
                {t(capture.day === latest.day ? 'vr.date.latest' : 'vr.date.earlier', {
                  date: formats.calendarDay(capture.day),
                })}
              </MenuItemRadio>
            ))}
            {comparison ? (
              <>
                <MenuDivider />
                <MenuItem onClick={() => captures.endComparison()}>{t('vr.compare.end')}</MenuItem>
              </>
            ) : null}
          </MenuList>
        </MenuPopover>
      </Menu>
      {!comparison && comparableCapture ? (
        <Tooltip content={t('vr.compare.start')} relationship="label">
          <Button
            size="large"
            appearance="subtle"
            icon={<CompareIcon />}
            onClick={() => captures.compare(comparableCapture)}
          />
        </Tooltip>
      ) : null}
    </>
  );
});
export default DateTool;

/** A picture that is divided by a line. */
function CompareIcon() {
  return (
    <svg
      viewBox="0 0 20 20"
      width="20"
      height="20"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      aria-hidden="true"
    >
      <rect x="3" y="4.5" width="14" height="11" rx="1.5" />
      <path d="M10 2v16M7 8.5 5.5 10 7 11.5M13 8.5l1.5 1.5-1.5 1.5" />
    </svg>
  );
}
