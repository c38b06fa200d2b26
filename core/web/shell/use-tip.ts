import { useState } from 'react';
import type { TooltipProps } from '../ui/shell.ts';

/** For the tooltip of a button that opens something: it makes way for what was opened. */
export function useTip(open: boolean): Required<Pick<TooltipProps, 'visible' | 'onVisibleChange'>> {
  const [wanted, setWanted] = useState(false);
  return { visible: wanted && !open, onVisibleChange: (_, data) => setWanted(data.visible) };
}
