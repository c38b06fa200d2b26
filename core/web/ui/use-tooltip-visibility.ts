import { useState } from 'react';
import type { TooltipProps } from '@fluentui/react-components';
import { isOverlayOpen } from './viewer/is-in-overlay.ts';

/**
 * Hides the tooltip of a button while its own popup is open, and does not show it over the open menu or popover of
 * another button.
 */
export function useTooltipVisibility(open = false): Required<Pick<TooltipProps, 'visible' | 'onVisibleChange'>> {
  const [requested, setRequested] = useState(false);
  return {
    visible: requested && !open,
    onVisibleChange: (_, data) => setRequested(data.visible && !isOverlayOpen()),
  };
}
