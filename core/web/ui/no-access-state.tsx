import type { ReactNode } from 'react';
import { NoAccessPicture } from './pictures/no-access-picture.tsx';
import { StateView } from './state-view.tsx';
import { useText } from '../i18n/use-text.ts';
import type { GuardedSubject } from '../router/route-table.ts';

/** Names what the person cannot access, by a subject of core or by a plugin's own sentence. */
export type NoAccessSubject = GuardedSubject | { readonly title: string };

export interface NoAccessStateProps {
  readonly to: NoAccessSubject;
  /** Names of the person's deactivated roles, shown as the reason. */
  readonly deactivatedRoles?: readonly string[];
  readonly action?: ReactNode;
  readonly heading?: 'h1' | 'h2' | 'h3';
}

/** Explains what the person cannot access and how to get access. */
export function NoAccessState({ to, deactivatedRoles = [], action, heading }: NoAccessStateProps) {
  const text = useText();
  return (
    <StateView
      picture={NoAccessPicture}
      title={typeof to === 'string' ? text(`core.noAccess.${to}`) : to.title}
      message={text('core.noAccess.request')}
      {...(heading === undefined ? {} : { heading })}
      {...(action === undefined ? {} : { action })}
      {...(deactivatedRoles.length === 0
        ? {}
        : { note: text('core.noAccess.roleDeactivated', { roles: deactivatedRoles.join(', ') }) })}
    />
  );
}
