import { createContext, useContext, type ReactNode } from 'react';
import { makeStyles } from '../ui/base.ts';

const useStyles = makeStyles({ root: { display: 'grid', alignItems: 'center', minHeight: '100dvh' } });

/** Whether a shell with its own `main` stands around. */
export const InShell = createContext(false);

/** Around a screen that may stand within a shell or alone: alone it fills the window and is the page's main part. */
export function Standalone({ children }: { readonly children: ReactNode }) {
  const styles = useStyles();
  return useContext(InShell) ? children : <main className={styles.root}>{children}</main>;
}
