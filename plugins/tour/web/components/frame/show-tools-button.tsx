import { Button, makeStyles, mergeClasses, useCover } from '#core/ui';
import { useText } from '#core/web';
import { ShowIcon } from '../icons.tsx';
import { useGlass } from './use-glass.ts';

const useStyles = makeStyles({
  button: { position: 'absolute', bottom: '8px', left: '50%', transform: 'translateX(-50%)' },
});

/** Shows the hidden tools again, like the shortcut `H`. */
export function ShowToolsButton({ onShow }: { readonly onShow: () => void }) {
  const styles = useStyles();
  const glass = useGlass();
  const t = useText();
  return (
    <Button
      ref={useCover('bottom')}
      className={mergeClasses(glass.glass, styles.button)}
      appearance="subtle"
      icon={<ShowIcon />}
      onClick={onShow}
    >
      {t('tour.showTools')}
    </Button>
  );
}
