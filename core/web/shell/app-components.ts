import type { AppComponents } from '../router/app-components.ts';
import { LoadingState } from '../ui/loading-state.tsx';
import { AdminShell } from './admin-shell.tsx';
import { BareShell } from './bare-shell.tsx';
import { Frame } from './frame.tsx';
import { LeaveQuestion } from './leave-question.tsx';
import { AccountDeactivateScreen } from './screens/account-deactivate-screen.tsx';
import { ChunkFailedScreen, FailedScreen } from './screens/failed-screen.tsx';
import { ForbiddenScreen } from './screens/forbidden-screen.tsx';
import { LoadingScreen } from './screens/loading-screen.tsx';
import { NoAccessScreen } from './screens/no-access-screen.tsx';
import { NotFoundScreen } from './screens/not-found-screen.tsx';
import { ServerErrorScreen } from './screens/server-error-screen.tsx';
import { UserShell } from './user-shell.tsx';

/** The product's shells and core screens, for the router. */
export const components: AppComponents = {
  frame: Frame,
  user: UserShell,
  admin: AdminShell,
  bare: BareShell,
  noAccess: NoAccessScreen,
  accountDeactivate: AccountDeactivateScreen,
  notFound: NotFoundScreen,
  serverError: ServerErrorScreen,
  forbidden: ForbiddenScreen,
  loading: LoadingScreen,
  pending: LoadingState,
  failed: FailedScreen,
  chunkFailed: ChunkFailedScreen,
  leaveQuestion: LeaveQuestion,
  adminHome: () => import('./screens/admin-home-screen.tsx'),
};
