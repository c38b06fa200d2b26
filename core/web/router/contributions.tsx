import { Fragment, Suspense, type ComponentType, type ReactNode } from 'react';
import { observer } from 'mobx-react-lite';
import type { Contribution, ExtensionPoint } from '#core';
import { PluginScope, usePluginScope } from '../kernel/plugin-scope.tsx';
import { Access } from '../kernel/services.ts';
import { useService } from '../kernel/use-service.ts';
import type { Load } from '../kernel/web-plugin.ts';
import { useMessages } from '../i18n/use-messages.ts';
import { useLoaded } from './loaded.ts';
import { ScreenBoundary } from './screen-boundary.tsx';

/**
 * Sorted contributions to a point that the person may see. Suspends until the messages of their plugins are loaded.
 * Must be called in an observer.
 */
export function useContributions<C extends Contribution>(point: ExtensionPoint<C>): readonly C[] {
  const { host } = usePluginScope();
  const contributions = host.contributions(point, useService(Access).info);
  useMessages(contributions.map(findPluginId));
  return contributions;
}

/** The plugin of a contribution, from the prefix of its id. */
export function findPluginId(contribution: Contribution): string {
  return contribution.id.slice(0, Math.max(contribution.id.indexOf('.'), 0));
}

/** Renders a contribution in the scope of its plugin, inside an error boundary that protects the host. */
export function Contributed({
  contribution,
  fallback = null,
  children,
}: {
  readonly contribution: Contribution;
  readonly fallback?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <ScreenBoundary key={contribution.id} name={contribution.id}>
      <Suspense fallback={fallback}>
        <PluginScope plugin={findPluginId(contribution)}>{children}</PluginScope>
      </Suspense>
    </ScreenBoundary>
  );
}

/** Renders the component of a contribution's `load`, fetched on first render. */
export function ContributedComponent<P extends object>({
  contribution,
  load,
  props,
  fallback,
}: {
  readonly contribution: Contribution;
  readonly load: Load<ComponentType<P>>;
  readonly props: P;
  readonly fallback?: ReactNode;
}) {
  return (
    <Contributed contribution={contribution} fallback={fallback}>
      <LazyContribution name={contribution.id} load={load} props={props} />
    </Contributed>
  );
}

function LazyContribution<P extends object>({
  name,
  load,
  props,
}: {
  readonly name: string;
  readonly load: Load<ComponentType<P>>;
  readonly props: P;
}) {
  const Component = useLoaded(name, load);
  return <Component {...props} />;
}

/** Renders all contributions to a point by `children`, each in the scope of its plugin. */
export const Contributions = observer(function Contributions<C extends Contribution>({
  to,
  children,
}: {
  readonly to: ExtensionPoint<C>;
  readonly children: (contribution: C) => ReactNode;
}) {
  return useContributions(to).map((contribution) => (
    <Fragment key={contribution.id}>
      <Contributed contribution={contribution}>{children(contribution)}</Contributed>
    </Fragment>
  ));
});
