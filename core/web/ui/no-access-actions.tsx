import { observer } from 'mobx-react-lite';
import { Suspense } from 'react';
import { noAccessActions, type NoAccessActionProps } from '../kernel/core-points.ts';
import { ContributedComponent, useContributions } from '../router/contributions.tsx';

/** The actions that plugins contribute for people without access to something. */
export function NoAccessActions(props: NoAccessActionProps) {
  return (
    <Suspense>
      <ActionList {...props} />
    </Suspense>
  );
}

const ActionList = observer(function ActionList(props: NoAccessActionProps) {
  return useContributions(noAccessActions).map((contribution) => (
    <ContributedComponent key={contribution.id} contribution={contribution} load={contribution.load} props={props} />
  ));
});
