import { observer } from 'mobx-react-lite';
import type { ReactNode } from 'react';
import type { LocationNode } from '#core';
import { Locations } from '../../kernel/services.ts';
import { useService } from '../../kernel/use-service.ts';
import { EmptyState } from '../shell.ts';
import { FailedState } from '../failed-state.tsx';
import type { NoAccessSubject } from '../no-access-state.tsx';
import { ResourceView, type ResourceViewProps } from '../resource-view.tsx';
import { ListSkeleton } from '../skeletons.tsx';

export interface AtLocationProps<Value> extends Pick<ResourceViewProps<Value>, 'resource' | 'waiting'> {
  /** Undefined while locations load, or if there is none. */
  readonly location: LocationNode | undefined;
  readonly noAccessTo: NoAccessSubject;
  /** Shown if the person can access no location. */
  readonly noLocation: { readonly title: string; readonly message: string };
  readonly children: (value: Value, location: LocationNode) => ReactNode;
}

/** Admin content of one location, for each state of the locations and of the resource. */
export const AtLocation = observer(function AtLocation<Value>({
  location,
  noLocation,
  children,
  ...view
}: AtLocationProps<Value>) {
  const locations = useService(Locations);
  if (locations.state === 'failed')
    return <FailedState error={locations.failure} onRetry={() => void locations.load()} />;
  if (locations.state === 'loading') return <ListSkeleton />;
  if (!location) return <EmptyState {...noLocation} />;
  return <ResourceView {...view}>{(value) => children(value, location)}</ResourceView>;
});
