import type { ReactNode } from 'react';
import { NoAccessPicture } from './pictures/no-access-picture.tsx';
import { StateView } from './state-view.tsx';
import { useText } from '../i18n/use-text.ts';

/** What a person can lack access to, each with its own words. */
export const guardedThings = [
  'application',
  'dashboards',
  'vr',
  'scan',
  'permit',
  'pid',
  'tour',
  'tools',
  'locations',
] as const;
export type GuardedThing = (typeof guardedThings)[number];

export interface NoAccessStateProps {
  readonly to: GuardedThing;
  /** Names of roles that were deactivated: said, because it is why. */
  readonly deactivatedRoles?: readonly string[];
  readonly action?: ReactNode;
  readonly heading?: 'h1' | 'h2' | 'h3';
}

/** No access to what, and whom to ask for it. */
export function NoAccessState({ to, deactivatedRoles = [], action, heading }: NoAccessStateProps) {
  const text = useText();
  return (
    <StateView
      picture={NoAccessPicture}
      title={text(`core.noAccess.${to}`)}
      message={text('core.noAccess.request')}
      {...(heading === undefined ? {} : { heading })}
      {...(action === undefined ? {} : { action })}
      {...(deactivatedRoles.length === 0
        ? {}
        : { note: text('core.noAccess.roleDeactivated', { roles: deactivatedRoles.join(', ') }) })}
    />
  );
}
