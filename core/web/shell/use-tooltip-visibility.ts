import { useState } from 'react';
import type { TooltipProps } from '../ui/shell.ts';

/** Hides the tooltip of a button while its popup is open. */
export function useTooltipVisibility(open: boolean): Required<Pick<TooltipProps, 'visible' | 'onVisibleChange'>> {
  const [requested, setRequested] = useState(false);
  return { visible: requested && !open, onVisibleChange: (_, data) => setRequested(data.visible) };
}
