import { makeStyles } from '../ui/base.ts';
import type { ShellProps } from '../router/app-components.ts';
import { BannerArea } from './banner-area.tsx';
import { InShell } from './standalone.tsx';
import { mainId } from './skip-link.tsx';

const useStyles = makeStyles({
  root: {
    display: 'grid',
    gridTemplateRows: 'auto minmax(0, 1fr) auto',
    gridTemplateColumns: 'minmax(0, 1fr)',
    height: '100dvh',
    overflow: 'hidden',
  },
  main: { position: 'relative', minHeight: 0, outlineStyle: 'none', '& > .walkdown-screen': { height: '100%' } },
});

/** Shell of screens that fill the window. It has only banner areas, which shrink the screen and never cover it. */
export function BareShell({ children }: ShellProps) {
  const styles = useStyles();
  return (
    <div className={styles.root}>
      <BannerArea area="top" />
      <main id={mainId} tabIndex={-1} className={styles.main}>
        <InShell value={true}>{children}</InShell>
      </main>
      <BannerArea area="bottom" />
    </div>
  );
}
