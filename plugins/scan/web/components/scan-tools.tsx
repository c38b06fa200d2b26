import { observer } from 'mobx-react-lite';
import { Button, makeStyles, ToolButton } from '#core/ui';
import { useService, useText } from '#core/web';
import { CloudIcon, AppearanceIcon, PictureIcon } from './icons.tsx';
import { ScanChoices, type ScanMode } from '../stores/scan-choices.ts';

const useStyles = makeStyles({
  modes: { display: 'flex', flexShrink: 0, gap: '2px' },
  button: {
    minWidth: '44px',
    minHeight: '40px',
    whiteSpace: 'nowrap',
    '@media (pointer: coarse)': { minHeight: '44px' },
  },
  label: { '@media (max-width: 639px)': { position: 'absolute', clipPath: 'inset(50%)' } },
});

const modes = [
  ['PICTURE', 'scan.picture', PictureIcon],
  ['CLOUD', 'scan.cloud', CloudIcon],
] as const satisfies readonly (readonly [ScanMode, string, typeof PictureIcon])[];

/** The buttons that switch between panorama and point cloud, and the one that opens the appearance panel. */
const ScanTools = observer(function ScanTools() {
  const styles = useStyles();
  const t = useText();
  const choices = useService(ScanChoices);
  return (
    <>
      <div role="group" aria-label={t('scan.way')} className={styles.modes}>
        {modes.map(([mode, label, Icon]) => (
          <Button
            key={mode}
            className={styles.button}
            appearance={choices.mode === mode ? 'primary' : 'subtle'}
            icon={<Icon />}
            aria-pressed={choices.mode === mode}
            onClick={() => choices.setMode(mode)}
          >
            <span className={styles.label}>{t(label)}</span>
          </Button>
        ))}
      </div>
      {choices.mode === 'CLOUD' ? (
        <ToolButton
          label={t('scan.look')}
          icon={<AppearanceIcon />}
          pressed={choices.appearanceOpen}
          onClick={() => choices.setAppearanceOpen(!choices.appearanceOpen)}
        />
      ) : null}
    </>
  );
});
export default ScanTools;
