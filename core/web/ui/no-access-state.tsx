import type { ReactNode } from 'react';
import type { AccessSubject } from '#core';
import { NoAccessActions } from './no-access-actions.tsx';
import { NoAccessPicture } from './pictures/no-access-picture.tsx';
import { StateView } from './state-view.tsx';
import { useText } from '../i18n/use-text.ts';
import type { RestrictedArea } from '../router/route-table.ts';

/** Names what the person cannot access: a subject of core, or a plugin's own sentence with what can be requested. */
export type NoAccessSubject = RestrictedArea | { readonly title: string; readonly feature: AccessSubject };

export interface NoAccessStateProps {
  readonly to: NoAccessSubject;
  /** The thing that the person can request, if it is more specific than `to`. */
  readonly feature?: AccessSubject | undefined;
  /** Names of the person's deactivated roles, shown as the reason. */
  readonly deactivatedRoles?: readonly string[];
  readonly action?: ReactNode;
  readonly heading?: 'h1' | 'h2' | 'h3';
}

/** Explains what the person cannot access and how to get access. */
export function NoAccessState({ to, feature, deactivatedRoles = [], action, heading }: NoAccessStateProps) {
  const text = useText();
  return (
    <StateView
      picture={NoAccessPicture}
      title={typeof to === 'string' ? text(`core.noAccess.${to}`) : to.title}
      message={text('core.noAccess.request')}
      {...(heading === undefined ? {} : { heading })}
      action={
        <>
          <NoAccessActions feature={feature ?? (typeof to === 'string' ? to : to.feature)} />
          {action}
        </>
      }
      {...(deactivatedRoles.length === 0
        ? {}
        : { note: text('core.noAccess.roleDeactivated', { roles: deactivatedRoles.join(', ') }) })}
    />
  );
}
