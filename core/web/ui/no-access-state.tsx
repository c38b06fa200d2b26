import type { ReactNode } from 'react';
import type { AccessSubject } from '#core';
import { NoAccessActions } from './no-access-actions.tsx';
import { NoAccessPicture } from './pictures/no-access-picture.tsx';
import { StateView } from './state-view.tsx';
import { useText } from '../i18n/use-text.ts';
import type { RestrictedArea } from '../router/route-table.ts';

/** Names what the person cannot access: a subject of core, or a plugin's own sentence with the access to request. */
export type NoAccessSubject = RestrictedArea | { readonly title: string; readonly accessToRequest: AccessSubject };

export interface NoAccessStateProps {
  readonly to: NoAccessSubject;
  /** The access that the person can request, if it is more specific than `to`. */
  readonly accessToRequest?: AccessSubject | undefined;
  /** Names of the person's deactivated roles, shown as the reason. */
  readonly deactivatedRoles?: readonly string[];
  readonly action?: ReactNode;
  readonly heading?: 'h1' | 'h2' | 'h3';
}

/** Explains what the person cannot access and how to get access. */
export function NoAccessState({ to, accessToRequest, deactivatedRoles = [], action, heading }: NoAccessStateProps) {
  const text = useText();
  return (
    <StateView
      picture={NoAccessPicture}
      title={typeof to === 'string' ? text(`core.noAccess.${to}`) : to.title}
      message={text('core.noAccess.request')}
      {...(heading === undefined ? {} : { heading })}
      action={
        <>
          <NoAccessActions feature={accessToRequest ?? (typeof to === 'string' ? to : to.accessToRequest)} />
          {action}
        </>
      }
      {...(deactivatedRoles.length === 0
        ? {}
        : { note: text('core.noAccess.roleDeactivated', { roles: deactivatedRoles.join(', ') }) })}
    />
  );
}
