import { observer } from 'mobx-react-lite';
import { Suspense, type ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { routeUrl, routes } from '#core';
import { useText } from '../i18n/use-text.ts';
import { headerParts } from '../kernel/core-points.ts';
import { ProductInfo, Session } from '../kernel/services.ts';
import { useService } from '../kernel/use-service.ts';
import { ContributedComponent, useContributions } from '../router/contributions.tsx';
import { useLoaded } from '../router/loaded.ts';
import { ErrorBoundary } from '../router/screen-boundary.tsx';
import { Button, makeStyles, tokens } from '../ui/base.ts';
import { Logo } from '../ui/logo.tsx';

const useStyles = makeStyles({
  header: {
    display: 'grid',
    gridTemplateColumns: 'auto minmax(0, 1fr) auto',
    alignItems: 'center',
    columnGap: tokens.spacingHorizontalM,
    height: '56px',
    padding: `0 ${tokens.spacingHorizontalL}`,
    backgroundColor: tokens.colorNeutralBackground1,
    borderBottom: `1px solid ${tokens.colorNeutralStroke2}`,
    '@media (max-width: 639px)': { padding: `0 ${tokens.spacingHorizontalS}`, columnGap: tokens.spacingHorizontalS },
  },
  start: { display: 'flex', alignItems: 'center', columnGap: tokens.spacingHorizontalS, minWidth: 0 },
  home: {
    display: 'flex',
    alignItems: 'center',
    columnGap: tokens.spacingHorizontalM,
    minHeight: '44px',
    paddingRight: tokens.spacingHorizontalS,
    color: tokens.colorNeutralForeground1,
    textDecorationLine: 'none',
    fontWeight: tokens.fontWeightSemibold,
    fontSize: tokens.fontSizeBase400,
    borderRadius: tokens.borderRadiusMedium,
    ':focus-visible': { outline: `2px solid ${tokens.colorStrokeFocus2}` },
  },
  logo: { maxWidth: '120px', '@media (max-width: 639px)': { maxWidth: '72px' } },
  shortName: { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap', maxWidth: '28vw' },
  middle: { display: 'flex', justifyContent: 'center', minWidth: 0 },
  end: {
    display: 'flex',
    alignItems: 'center',
    justifyContent: 'end',
    columnGap: tokens.spacingHorizontalXXS,
    minWidth: '96px',
  },
  waiting: {
    width: '32px',
    height: '32px',
    borderRadius: tokens.borderRadiusCircular,
    backgroundColor: tokens.colorNeutralBackground4,
  },
});

const loadTools = () => import('./header-tools.tsx');

export interface ShellHeaderProps {
  readonly area: 'user' | 'admin';
  /** Content before the logo, such as the button of the admin menu. */
  readonly start?: ReactNode;
}

/** The header with logo and short name, search box, notices, language, theme and the person's menu. */
export const ShellHeader = observer(function ShellHeader({ area, start }: ShellHeaderProps) {
  const styles = useStyles();
  const text = useText();
  const product = useService(ProductInfo);
  const parts = useContributions(headerParts);
  return (
    <header className={styles.header}>
      <div className={styles.start}>
        {start}
        <Link
          className={styles.home}
          to={routeUrl(routes.home, {})}
          aria-label={text('core.shell.homeLink', { product: product.shortName })}
        >
          <Logo className={styles.logo} source={product.logo} darkSource={product.logoDark} name="" height={28} />
          <span className={styles.shortName}>{product.shortName}</span>
        </Link>
      </div>
      <div className={styles.middle}>
        {parts
          .filter((part) => part.slot === 'middle')
          .map((part) => (
            <ContributedComponent key={part.id} contribution={part} load={part.load} props={{}} />
          ))}
      </div>
      <div className={styles.end}>
        {parts
          .filter((part) => part.slot === 'end')
          .map((part) => (
            <ContributedComponent key={part.id} contribution={part} load={part.load} props={{}} />
          ))}
        <ErrorBoundary name="core.headerTools" fallback={() => <LogoutButton />}>
          <Suspense fallback={<WaitingTools />}>
            <Tools area={area} />
          </Suspense>
        </ErrorBoundary>
      </div>
    </header>
  );
});

/** Loads the menus after the frame, because they are half of the bytes of the component library. */
function Tools({ area }: { readonly area: 'user' | 'admin' }) {
  const HeaderTools = useLoaded('core/web/shell/header-tools', loadTools);
  return <HeaderTools area={area} />;
}

function WaitingTools() {
  return <div className={useStyles().waiting} aria-hidden="true" />;
}

/** Lets the person log out if the menu fails to load. */
function LogoutButton() {
  const text = useText();
  const session = useService(Session);
  return <Button onClick={() => void session.logout()}>{text('core.shell.logout')}</Button>;
}
