import type { ComponentType, ReactNode } from 'react';
import { useContext, createContext } from 'react';
import type { AccessFlag } from '#core';
import type { RestrictedArea } from './route-table.ts';
import type { ChunkLoadError } from '../kernel/load-chunk.ts';
import type { Load } from '../kernel/web-plugin.ts';

export interface ShellProps {
  readonly children: ReactNode;
}
export interface NoAccessProps {
  /** The last part of the message id `core.noAccess.<area>`. */
  readonly area: RestrictedArea;
  /** The access that the person can request, if it is more specific than the screen. */
  readonly accessToRequest?: AccessFlag | undefined;
}
export interface FailedProps {
  readonly error: unknown;
  /** Identifies the line in the server's log or in the browser's console. */
  readonly reference: string;
  readonly retry: () => void;
}
export interface ChunkFailedProps {
  readonly error: ChunkLoadError;
  /** True if the server is unreachable, so that a reload would lose the page. */
  readonly offline: boolean;
  /** True if a reload would lose unsaved work. */
  readonly unsaved: boolean;
  readonly retry: () => void;
  readonly reload: () => void;
}
export interface LeaveQuestionProps {
  readonly leave: () => void;
  readonly stay: () => void;
}

/** The components that the router renders: the shells around screens, and core's own screens. */
export interface AppComponents {
  /** The outermost element, which provides the theme. */
  readonly frame: ComponentType<{ readonly children: ReactNode }>;
  readonly user: ComponentType<ShellProps>;
  readonly admin: ComponentType<ShellProps>;
  /** Shell of screens that fill the window. It contains only the banner areas. */
  readonly bare: ComponentType<ShellProps>;
  readonly noAccess: ComponentType<NoAccessProps>;
  readonly accountDeactivate: ComponentType;
  readonly notFound: ComponentType;
  readonly serverError: ComponentType;
  readonly forbidden: ComponentType;
  /** The screen at `/loading`. */
  readonly loading: ComponentType;
  /** Fallback while a screen's code loads. */
  readonly pending: ComponentType;
  readonly failed: ComponentType<FailedProps>;
  readonly chunkFailed: ComponentType<ChunkFailedProps>;
  /** Asks whether to leave unsaved work. */
  readonly leaveQuestion: ComponentType<LeaveQuestionProps>;
  /** Loads the screen at `/admin/console`. */
  readonly adminHome: Load<ComponentType>;
}

export const AppComponentsContext = createContext<AppComponents | undefined>(undefined);

export function useAppComponents(): AppComponents {
  const components = useContext(AppComponentsContext);
  if (!components)
    throw new Error(
      "This component is outside <AppComponentsContext>. In a test, use renderScreen of '#core/testing/web'.",
    );
  return components;
}
