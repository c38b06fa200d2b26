import { makeStyles, tokens } from '../ui/base.ts';
import type { ShellProps } from '../router/app-components.ts';
import { BannerArea } from './banner-area.tsx';
import { Breadcrumbs } from './breadcrumbs.tsx';
import { ShellHeader } from './shell-header.tsx';
import { InShell } from './standalone.tsx';
import { mainId, SkipLink } from './skip-link.tsx';

const useStyles = makeStyles({
  root: {
    display: 'grid',
    gridTemplateRows: 'auto 1fr auto',
    gridTemplateColumns: 'minmax(0, 1fr)',
    minHeight: '100dvh',
  },
  top: { position: 'sticky', top: 0, zIndex: 1 },
  bottom: { position: 'sticky', bottom: 0, zIndex: 1 },
  main: {
    width: '100%',
    maxWidth: '2000px',
    marginInline: 'auto',
    padding: `${tokens.spacingVerticalXXL} ${tokens.spacingHorizontalXXL} ${tokens.spacingVerticalXXXL}`,
    outlineStyle: 'none',
    '@media (max-width: 639px)': {
      padding: `${tokens.spacingVerticalM} ${tokens.spacingHorizontalL} ${tokens.spacingVerticalXXL}`,
    },
  },
});

/** Shell of user screens, with header, breadcrumbs, content and two banner areas. */
export function UserShell({ children }: ShellProps) {
  const styles = useStyles();
  return (
    <div className={styles.root}>
      <div className={styles.top}>
        <SkipLink />
        <BannerArea area="top" />
        <ShellHeader area="user" />
      </div>
      <main id={mainId} tabIndex={-1} className={styles.main}>
        <Breadcrumbs root="home" />
        <InShell value={true}>{children}</InShell>
      </main>
      <div className={styles.bottom}>
        <BannerArea area="bottom" />
      </div>
    </div>
  );
}
