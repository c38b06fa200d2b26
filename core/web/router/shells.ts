import type { ComponentType, ReactNode } from 'react';
import { useContext, createContext } from 'react';
import type { GuardedSubject } from './route-table.ts';
import type { ChunkLoadError } from '../kernel/load-chunk.ts';

export interface ShellProps {
  readonly children: ReactNode;
}
export interface NoAccessProps {
  /** The part of the message id `core.noAccess.<thing>`. */
  readonly subject: GuardedSubject;
}
export interface FailedProps {
  readonly error: unknown;
  /** Finds the line in the server's log, or in this browser's console. */
  readonly reference: string;
  readonly retry: () => void;
}
export interface ChunkFailedProps {
  readonly error: ChunkLoadError;
  /** Something on the page would be lost by a reload. */
  readonly unsaved: boolean;
  readonly retry: () => void;
  readonly reload: () => void;
}
export interface LeaveQuestionProps {
  readonly leave: () => void;
  readonly stay: () => void;
}

/** What draws the frame around the screens, and the screens of core itself. */
export interface Shells {
  /** Around everything: the theme's provider. */
  readonly frame: ComponentType<{ readonly children: ReactNode }>;
  readonly user: ComponentType<ShellProps>;
  readonly admin: ComponentType<ShellProps>;
  /** Around screens that fill the window: the banner areas. */
  readonly bare: ComponentType<ShellProps>;
  readonly noAccess: ComponentType<NoAccessProps>;
  readonly accountDeactivate: ComponentType;
  readonly notFound: ComponentType;
  readonly serverError: ComponentType;
  readonly forbidden: ComponentType;
  /** `/loading`: while the code of a screen is loaded. */
  readonly loading: ComponentType;
  /** Stands while a screen's code is fetched. */
  readonly pending: ComponentType;
  readonly failed: ComponentType<FailedProps>;
  readonly chunkFailed: ComponentType<ChunkFailedProps>;
  /** Asks whether to leave unsaved work. */
  readonly leaveQuestion: ComponentType<LeaveQuestionProps>;
  /** `/admin/console` itself. */
  readonly adminHome: ComponentType;
}

export const ShellsContext = createContext<Shells | undefined>(undefined);

export function useShells(): Shells {
  const shells = useContext(ShellsContext);
  if (!shells)
    throw new Error(
      "This component stands outside <ShellsContext>: in a test use renderScreen of '#core/testing/web'.",
    );
  return shells;
}
