import type { ReactNode } from 'react';
import { EmptyPicture } from './pictures/empty-picture.tsx';
import { StateView } from './state-view.tsx';

export interface EmptyStateProps {
  /** What there is none of, as a sentence. */
  readonly title: string;
  readonly message?: ReactNode;
  /** The one action that helps. */
  readonly action?: ReactNode;
  readonly heading?: 'h1' | 'h2' | 'h3';
}

/** Nothing here, and why, and what would help. */
export function EmptyState(props: EmptyStateProps) {
  return <StateView picture={EmptyPicture} role="status" {...props} />;
}
