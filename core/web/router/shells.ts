import type { ComponentType, ReactNode } from 'react';
import { useContext, createContext } from 'react';
import type { GuardedSubject } from './route-table.ts';
import type { ChunkLoadError } from '../kernel/load-chunk.ts';

export interface ShellProps {
  readonly children: ReactNode;
}
export interface NoAccessProps {
  /** The last part of the message id `core.noAccess.<thing>`. */
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
  /** A reload would lose unsaved work. */
  readonly unsaved: boolean;
  readonly retry: () => void;
  readonly reload: () => void;
}
export interface LeaveQuestionProps {
  readonly leave: () => void;
  readonly stay: () => void;
}

/** The shells around screens, and core's own screens. */
export interface Shells {
  /** The outermost element: the theme's provider. */
  readonly frame: ComponentType<{ readonly children: ReactNode }>;
  readonly user: ComponentType<ShellProps>;
  readonly admin: ComponentType<ShellProps>;
  /** Shell of screens that fill the window: the banner areas. */
  readonly bare: ComponentType<ShellProps>;
  readonly noAccess: ComponentType<NoAccessProps>;
  readonly accountDeactivate: ComponentType;
  readonly notFound: ComponentType;
  readonly serverError: ComponentType;
  readonly forbidden: ComponentType;
  /** `/loading`: shown while the code of a screen loads. */
  readonly loading: ComponentType;
  /** Fallback while a screen's code loads. */
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
