import type { ReactNode } from 'react';
import { EmptyStatePicture } from './pictures/empty-state-picture.tsx';
import { StateView } from './state-view.tsx';

export interface EmptyStateProps {
  /** A sentence that names what is missing. */
  readonly title: string;
  readonly message?: ReactNode;
  /** The primary action. */
  readonly action?: ReactNode;
  readonly heading?: 'h1' | 'h2' | 'h3';
}

/** Empty state of a screen or list, with a reason and an action. */
export function EmptyState(props: EmptyStateProps) {
  return <StateView picture={EmptyStatePicture} role="status" {...props} />;
}
