import type { MouseEvent } from 'react';
import { useText } from '../i18n/use-text.ts';
import { makeStyles, tokens } from '../ui/base.ts';

export const mainId = 'main';

const useStyles = makeStyles({
  link: {
    position: 'absolute',
    zIndex: 2,
    left: tokens.spacingHorizontalM,
    top: tokens.spacingVerticalS,
    // Clipped in place. If it were moved above the window, it would overlap content that is scrolled out of view.
    clipPath: 'inset(50%)',
    padding: `${tokens.spacingVerticalM} ${tokens.spacingHorizontalL}`,
    color: tokens.colorNeutralForegroundOnBrand,
    backgroundColor: tokens.colorBrandBackground,
    borderRadius: tokens.borderRadiusMedium,
    ':focus': { clipPath: 'none' },
  },
});

/** A link that skips the header. It must be the first focusable element. */
export function SkipLink() {
  const text = useText();
  const skip = (event: MouseEvent) => {
    event.preventDefault();
    document.getElementById(mainId)?.focus();
  };
  return (
    <a className={useStyles().link} href={`#${mainId}`} onClick={skip}>
      {text('core.shell.skip')}
    </a>
  );
}
