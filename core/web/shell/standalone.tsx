import { createContext, useContext, type ReactNode } from 'react';
import { makeStyles } from '../ui/base.ts';

const useStyles = makeStyles({ root: { display: 'grid', alignItems: 'center', minHeight: '100dvh' } });

/** True if a surrounding shell provides `main`. */
export const InShell = createContext(false);

/** Wraps a screen that may be outside a shell. There it fills the window and is the page's `main`. */
export function Standalone({ children }: { readonly children: ReactNode }) {
  const styles = useStyles();
  return useContext(InShell) ? children : <main className={styles.root}>{children}</main>;
}
