import { Button, MessageBar, MessageBarActions, MessageBarBody } from '@fluentui/react-components';
import { observer } from 'mobx-react-lite';
import type { ReactNode } from 'react';
import { useFormatFailure } from '../admin/use-format-failure.ts';
import { useText } from '../i18n/use-text.ts';
import type { Resource } from '../resource/resource.ts';
import { FailedState } from './failed-state.tsx';
import { NoAccessState, type NoAccessSubject } from './no-access-state.tsx';
import { ListSkeleton } from './skeletons.tsx';

export interface ResourceViewProps<T> {
  readonly resource: Pick<Resource<T>, 'state' | 'value' | 'failure' | 'retry'>;
  /** Shown until there is a value or a failure. */
  readonly waiting?: ReactNode;
  /** The subject that the person cannot access if the server answers 403. */
  readonly noAccessTo?: NoAccessSubject;
  /** Shown for an empty list. */
  readonly empty?: ReactNode;
  readonly children: (value: T) => ReactNode;
}

/** Renders a resource in each of its states. Keeps the previous value while a refetch runs and if it fails. */
export const ResourceView = observer(function ResourceView<T>({
  resource,
  waiting = <ListSkeleton />,
  noAccessTo,
  empty,
  children,
}: ResourceViewProps<T>) {
  const text = useText();
  const formatFailure = useFormatFailure();
  const { value, failure, retry } = resource;
  if (value === undefined) {
    if (failure === undefined) return waiting;
    if (failure.kind === 'noAccess' && noAccessTo !== undefined) return <NoAccessState to={noAccessTo} />;
    return <FailedState error={failure.cause} onRetry={retry} />;
  }
  return (
    <>
      {failure === undefined ? null : (
        <MessageBar intent="warning" layout="multiline">
          <MessageBarBody>{formatFailure(failure.cause)}</MessageBarBody>
          <MessageBarActions>
            <Button onClick={retry}>{text('core.tryAgain')}</Button>
          </MessageBarActions>
        </MessageBar>
      )}
      {empty !== undefined && Array.isArray(value) && value.length === 0 ? empty : children(value)}
    </>
  );
});
