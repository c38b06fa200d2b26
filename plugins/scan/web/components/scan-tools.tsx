import { observer } from 'mobx-react-lite';
import { Button, makeStyles, ToolButton } from '#core/ui';
import { useService, useText } from '#core/web';
import { CloudIcon, LookIcon, PictureIcon } from './icons.tsx';
import { ScanChoices, type ScanWay } from '../stores/scan-choices.ts';

const useStyles = makeStyles({
  ways: { display: 'flex', flexShrink: 0, gap: '2px' },
  button: {
    minWidth: '44px',
    minHeight: '40px',
    whiteSpace: 'nowrap',
    '@media (pointer: coarse)': { minHeight: '44px' },
  },
  label: { '@media (max-width: 639px)': { position: 'absolute', clipPath: 'inset(50%)' } },
});

const ways = [
  ['PICTURE', 'scan.picture', PictureIcon],
  ['CLOUD', 'scan.cloud', CloudIcon],
] as const satisfies readonly (readonly [ScanWay, string, typeof PictureIcon])[];

/** Tool buttons: panorama or point cloud, and the look of the points. */
const ScanTools = observer(function ScanTools() {
  const styles = useStyles();
  const t = useText();
  const choices = useService(ScanChoices);
  return (
    <>
      <div role="group" aria-label={t('scan.way')} className={styles.ways}>
        {ways.map(([way, label, Icon]) => (
          <Button
            key={way}
            className={styles.button}
            appearance={choices.way === way ? 'primary' : 'subtle'}
            icon={<Icon />}
            aria-pressed={choices.way === way}
            onClick={() => choices.setWay(way)}
          >
            <span className={styles.label}>{t(label)}</span>
          </Button>
        ))}
      </div>
      {choices.way === 'CLOUD' ? (
        <ToolButton
          label={t('scan.look')}
          icon={<LookIcon />}
          pressed={choices.lookOpen}
          onClick={() => choices.setLookOpen(!choices.lookOpen)}
        />
      ) : null}
    </>
  );
});
export default ScanTools;
