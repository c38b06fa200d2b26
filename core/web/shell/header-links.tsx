import { observer } from 'mobx-react-lite';
import { Suspense } from 'react';
import { NavLink } from 'react-router-dom';
import { useText } from '../i18n/use-text.ts';
import { PluginScope } from '../kernel/plugin-scope.tsx';
import { useMenu } from '../router/use-menu.ts';
import { ErrorBoundary } from '../router/screen-boundary.tsx';
import { makeStyles, tokens } from '../ui/base.ts';

const useStyles = makeStyles({
  link: {
    display: 'inline-flex',
    alignItems: 'center',
    minHeight: '32px',
    padding: `0 ${tokens.spacingHorizontalM}`,
    color: tokens.colorNeutralForeground2,
    textDecorationLine: 'none',
    borderRadius: tokens.borderRadiusMedium,
    ':hover': { backgroundColor: tokens.colorSubtleBackgroundHover, color: tokens.colorNeutralForeground1 },
    ':focus-visible': { outline: `2px solid ${tokens.colorStrokeFocus2}` },
    '&[aria-current="page"]': { color: tokens.colorBrandForeground1, fontWeight: tokens.fontWeightSemibold },
  },
});

/** Links to screens that plugins contribute to the header. */
export const HeaderLinks = observer(function HeaderLinks() {
  return useMenu('user.header').map((entry) => (
    <ErrorBoundary key={entry.id} name={entry.id} fallback={() => null}>
      <Suspense fallback={null}>
        <PluginScope plugin={entry.plugin}>
          <HeaderLink title={entry.title} url={entry.url} />
        </PluginScope>
      </Suspense>
    </ErrorBoundary>
  ));
});

function HeaderLink({ title, url }: { readonly title: string; readonly url: string }) {
  const text = useText();
  return (
    <NavLink className={useStyles().link} to={url}>
      {text(title)}
    </NavLink>
  );
}
