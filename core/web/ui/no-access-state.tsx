import type { ReactNode } from 'react';
import { NoAccessPicture } from './pictures/no-access-picture.tsx';
import { StateView } from './state-view.tsx';
import { useText } from '../i18n/use-text.ts';
import type { GuardedSubject } from '../router/route-table.ts';

/** What the person cannot access: a subject of core, or a plugin's own sentence. */
export type NoAccessSubject = GuardedSubject | { readonly title: string };

export interface NoAccessStateProps {
  readonly to: NoAccessSubject;
  /** Names of the person's deactivated roles, shown as the reason. */
  readonly deactivatedRoles?: readonly string[];
  readonly action?: ReactNode;
  readonly heading?: 'h1' | 'h2' | 'h3';
}

/** Says what the person cannot access and whom to ask. */
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
