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
  /** The active kind. */
  readonly kind?: string | undefined;
  /** The reason for which the kinds are disabled, or undefined if they are enabled. */
  readonly disabledReason: string | undefined;
  /** Toggles the list. */
  readonly list: { readonly label: string; readonly toggle: () => void };
  /** Toggles the overlay. Undefined if there is nothing to draw. */
  readonly drawing?: { readonly label: string; readonly toggle: () => void } | undefined;
  readonly children: ReactNode;
}

/** The tool bar button with a menu of kinds and the toggles of list and overlay. */
export function ToolMenu({
  label,
  icon,
  buttonRef,
  pressed,
  kind,
  disabledReason,
  list,
  drawing,
  children,
}: ToolMenuProps) {
  const tooltipVisibility = useTooltipVisibility();
  return (
    <Menu checkedValues={{ kind: kind === undefined ? [] : [kind] }} positioning="above">
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
          <MenuItem onClick={list.toggle}>{list.label}</MenuItem>
          {drawing ? <MenuItem onClick={drawing.toggle}>{drawing.label}</MenuItem> : null}
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

/** The kinds of a tool, one of which may be active. */
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
