import { token } from '#core';
import type { GuardedHistory } from './guarded-history.ts';

/** The browser's history, for the router. */
export const BrowserHistory = token<GuardedHistory>('core.BrowserHistory');
