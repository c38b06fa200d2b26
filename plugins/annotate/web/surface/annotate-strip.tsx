import type { ReactNode } from 'react';
import { observer } from 'mobx-react-lite';
import { makeStyles, tokens, ToolStrip } from '#core/ui';
import { useService } from '#core/web';
import { TourStore } from '#plugins/tour';

/** The bar of the annotating or measuring tool in use. */
export const AnnotateStrip = observer(function AnnotateStrip({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  const { panel, selectedTag } = useService(TourStore);
  return (
    <ToolStrip label={label} besidePanel={panel !== undefined || selectedTag !== undefined}>
      {children}
    </ToolStrip>
  );
});

/** Of the words in it. */
export const useStripStyles = makeStyles({
  words: { minWidth: '12ch', fontVariantNumeric: 'tabular-nums' },
  warning: { color: tokens.colorPaletteDarkOrangeForeground1 },
});
