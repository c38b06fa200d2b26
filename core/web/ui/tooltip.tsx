import { Tooltip as FluentTooltip, type TooltipProps } from '@fluentui/react-components';
import { useState, type SyntheticEvent } from 'react';

/**
 * Fluent's tooltip, which opens by a mouse and by keyboard focus. A touch does not open it, because it would stay on
 * the screen after the touch.
 */
export function Tooltip({ visible, onVisibleChange, ...props }: TooltipProps) {
  const [requested, setRequested] = useState(false);
  return (
    <FluentTooltip
      {...props}
      visible={visible ?? requested}
      onVisibleChange={(event, data) => {
        const allowed = { ...data, visible: data.visible && opensTooltip(event) };
        setRequested(allowed.visible);
        onVisibleChange?.(event, allowed);
      }}
    />
  );
}
// Menus and dialogs look through a tooltip for their trigger.
Tooltip.isFluentTriggerComponent = true;

function opensTooltip(event: SyntheticEvent | Event | undefined): boolean {
  if (event?.type === 'focus' && event.target instanceof Element) return event.target.matches(':focus-visible');
  const native = event && 'nativeEvent' in event ? event.nativeEvent : event;
  return !(native && 'pointerType' in native && native.pointerType === 'touch');
}
