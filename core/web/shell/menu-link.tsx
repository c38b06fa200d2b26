import { Suspense, type ReactElement } from 'react';
import { useHref, useLinkClickHandler } from 'react-router-dom';
import { useText } from '../i18n/use-text.ts';
import { PluginScope } from '../kernel/plugin-scope.tsx';
import { useLoaded } from '../router/loaded.ts';
import { ErrorBoundary } from '../router/screen-boundary.tsx';
import type { MenuEntry } from '../router/route-table.ts';
import { MenuItemLink } from '../ui/shell.ts';

/** A menu item that leads to a screen, with the messages of its plugin. */
export function MenuLink({ entry }: { readonly entry: MenuEntry }) {
  return (
    <ErrorBoundary name={entry.id} fallback={() => null}>
      <Suspense fallback={null}>
        <PluginScope plugin={entry.plugin}>
          <TitledLink
            title={entry.title}
            url={entry.url}
            icon={entry.icon === undefined ? undefined : <MenuIcon name={entry.id} load={entry.icon} />}
          />
        </PluginScope>
      </Suspense>
    </ErrorBoundary>
  );
}

/** A menu item that leads to a URL within the product. */
export function TitledLink({
  title,
  url,
  icon,
}: {
  readonly title: string;
  readonly url: string;
  readonly icon?: ReactElement | undefined;
}) {
  const text = useText();
  const follow = useLinkClickHandler<HTMLAnchorElement>(url);
  return (
    <MenuItemLink href={useHref(url)} onClick={follow} {...(icon === undefined ? {} : { icon })}>
      {text(title)}
    </MenuItemLink>
  );
}

export function MenuIcon({ name, load }: { readonly name: string; readonly load: NonNullable<MenuEntry['icon']> }) {
  const Icon = useLoaded(`${name}/icon`, load);
  return <Icon />;
}
