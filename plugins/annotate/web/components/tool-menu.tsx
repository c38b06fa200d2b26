import type { MouseEvent, ReactElement, ReactNode, RefCallback } from 'react';
import {
  Button,
  Menu,
  MenuDivider,
  MenuItem,
  MenuItemRadio,
  MenuList,
  MenuPopover,
  MenuTrigger,
  Tooltip,
  useTooltipVisibility,
} from '#core/ui';

export interface ToolMenuProps {
  readonly label: string;
  readonly icon: ReactElement;
  readonly buttonRef?: RefCallback<HTMLElement>;
  /** Whether a tool of the menu is active. */
  readonly pressed: boolean;
  /** The kind of item that is being created. */
  readonly activeKind?: string | undefined;
  /** Why the kinds are disabled, or undefined if they are enabled. */
  readonly disabledReason: string | undefined;
  /** Toggles the panel that lists the items. */
  readonly panelToggle: { readonly label: string; readonly toggle: () => void };
  /** Toggles the overlay that draws the items. Undefined without items. */
  readonly overlayToggle?: { readonly label: string; readonly toggle: () => void } | undefined;
  readonly children: ReactNode;
}

/** The tool bar button with a menu of kinds and the toggles of the panel and the overlay. */
export function ToolMenu({
  label,
  icon,
  buttonRef,
  pressed,
  activeKind,
  disabledReason,
  panelToggle,
  overlayToggle,
  children,
}: ToolMenuProps) {
  const tooltipVisibility = useTooltipVisibility();
  return (
    <Menu checkedValues={{ kind: activeKind === undefined ? [] : [activeKind] }} positioning="above">
      <MenuTrigger disableButtonEnhancement>
        <Tooltip content={label} relationship="label" {...tooltipVisibility}>
          <Button
            ref={buttonRef}
            size="large"
            appearance={pressed ? 'primary' : 'subtle'}
            icon={icon}
            aria-pressed={pressed}
          />
        </Tooltip>
      </MenuTrigger>
      <MenuPopover>
        <MenuList>
          {children}
          {disabledReason === undefined ? null : <MenuItem disabled>{disabledReason}</MenuItem>}
          <MenuDivider />
          <MenuItem onClick={panelToggle.toggle}>{panelToggle.label}</MenuItem>
          {overlayToggle ? <MenuItem onClick={overlayToggle.toggle}>{overlayToggle.label}</MenuItem> : null}
        </MenuList>
      </MenuPopover>
    </Menu>
  );
}

export interface KindItemsProps<Kind extends string> {
  readonly kinds: readonly Kind[];
  readonly getName: (kind: Kind) => string;
  readonly getIcon: (kind: Kind) => ReactElement;
  readonly disabled: boolean;
  readonly onChoose: (kind: Kind, event: MouseEvent) => void;
}

/** The menu items that choose the kind of item to create. */
export function KindItems<Kind extends string>({ kinds, getName, getIcon, disabled, onChoose }: KindItemsProps<Kind>) {
  return kinds.map((kind) => (
    <MenuItemRadio
      key={kind}
      name="kind"
      value={kind}
      icon={getIcon(kind)}
      disabled={disabled}
      onClick={(event) => onChoose(kind, event)}
    >
      {getName(kind)}
    </MenuItemRadio>
  ));
}
