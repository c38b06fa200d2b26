import { Button, MessageBar, MessageBarActions, MessageBarBody } from '@fluentui/react-components';
import { observer } from 'mobx-react-lite';
import type { ReactNode } from 'react';
import type { LocationNode } from '#core';
import { useFailureWords } from '../../admin/failure-words.ts';
import { useText } from '../../i18n/use-text.ts';
import { ApiError, Locations } from '../../kernel/services.ts';
import { useService } from '../../kernel/use-service.ts';
import { EmptyState } from '../empty-state.tsx';
import { FailedState } from '../failed-state.tsx';
import { NoAccessState, type NoAccessSubject } from '../no-access-state.tsx';
import { ListSkeleton } from '../skeletons.tsx';

export interface AtLocationProps<Value> {
  /** Undefined: there is none, or they are not there yet. */
  readonly location: LocationNode | undefined;
  /** What the server said of it; undefined until it has. */
  readonly value: Value | undefined;
  /** What was thrown when it was asked last; undefined where nothing was. */
  readonly failure: unknown;
  readonly onRetry: () => void;
  readonly noAccessTo: NoAccessSubject;
  /** Said where the person reaches no location. */
  readonly noLocation: { readonly title: string; readonly message: string };
  readonly waiting?: ReactNode;
  readonly children: (value: Value, location: LocationNode) => ReactNode;
}

/**
 * What an admin looks after at one location, in each state of the locations and of what is asked about it. What came
 * before stays where asking anew fails.
 */
export const AtLocation = observer(function AtLocation<Value>({
  location,
  value,
  failure,
  onRetry,
  noAccessTo,
  noLocation,
  waiting = <ListSkeleton />,
  children,
}: AtLocationProps<Value>) {
  const text = useText();
  const wordsOf = useFailureWords();
  const locations = useService(Locations);
  if (locations.state === 'failed')
    return <FailedState error={locations.failure} onRetry={() => void locations.load()} />;
  if (locations.state === 'loading') return <ListSkeleton />;
  if (!location) return <EmptyState {...noLocation} />;
  if (value === undefined) {
    if (failure === undefined) return waiting;
    if (failure instanceof ApiError && failure.status === 403) return <NoAccessState to={noAccessTo} />;
    return <FailedState error={failure} onRetry={onRetry} />;
  }
  return (
    <>
      {failure === undefined ? null : (
        <MessageBar intent="warning" layout="multiline">
          <MessageBarBody>{wordsOf(failure)}</MessageBarBody>
          <MessageBarActions>
            <Button onClick={onRetry}>{text('core.tryAgain')}</Button>
          </MessageBarActions>
        </MessageBar>
      )}
      {children(value, location)}
    </>
  );
});
