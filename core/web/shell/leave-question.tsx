import { Suspense } from 'react';
import { useLoaded } from '../router/loaded.ts';
import type { LeaveQuestionProps } from '../router/app-components.ts';

const loadDialog = () => import('./leave-dialog.tsx');

/** Asks before unsaved work is lost. */
export function LeaveQuestion(props: LeaveQuestionProps) {
  return (
    <Suspense fallback={null}>
      <LazyDialog {...props} />
    </Suspense>
  );
}

function LazyDialog(props: LeaveQuestionProps) {
  const LeaveDialog = useLoaded('core/web/shell/leave-dialog', loadDialog);
  return <LeaveDialog {...props} />;
}
