import type { ReactNode } from 'react';
import { FluentProvider, makeStyles, tokens } from '../ui/base.ts';

const useStyles = makeStyles({ root: { minHeight: '100dvh', backgroundColor: tokens.colorNeutralBackground1 } });

/** Around everything. The theme's variables stand in the product's stylesheet, so the provider is given none. */
export function Frame({ children }: { readonly children: ReactNode }) {
  return <FluentProvider className={useStyles().root}>{children}</FluentProvider>;
}
