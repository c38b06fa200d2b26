import { useState, type MouseEvent, type ReactElement, type ReactNode } from 'react';
import { observer } from 'mobx-react-lite';
import { useService, useText } from '#core/web';
import { ViewSurfaces } from '#plugins/tour';
import { InputStore } from '../viewer/input-store.ts';
import { KindItems, ToolMenu } from './tool-menu.tsx';
import { useHasViewDirection } from './use-has-view-direction.ts';

export interface PickingToolProps<Kind extends string> {
  /** The store of the items that the tool creates. */
  readonly store: {
    /** Whether the items are drawn over the surfaces. */
    readonly overlayVisible: boolean;
    setOverlayVisible(overlayVisible: boolean): void;
    readonly panelOpen: boolean;
    setPanelOpen(open: boolean): void;
    readonly list: { readonly all: readonly unknown[] };
  };
  /** The kinds of item that the tool creates, such as `DISTANCE` or `ARROW`. */
  readonly kinds: readonly Kind[];
  /** The kind of the item that is being created. Undefined while the tool is inactive. */
  readonly activeKind: Kind | undefined;
  readonly getName: (kind: Kind) => string;
  readonly getIcon: (kind: Kind | undefined) => ReactElement;
  readonly onChoose: (kind: Kind) => void;
  readonly labels: {
    /** Name of the button while the tool is inactive. */
    readonly tool: string;
    readonly showPanel: string;
    readonly hidePanel: string;
    /** Shown in the menu if no surface is on screen, so that all kinds are disabled. */
    readonly noSurface: string;
  };
}

/** The button of a tool that picks points. Its menu has the kinds and the toggles of the panel and the overlay. */
export const PickingTool = observer(function PickingTool<Kind extends string>(props: PickingToolProps<Kind>) {
  const { store, kinds, activeKind, getName, getIcon, onChoose, labels } = props;
  const t = useText();
  const surfaces = useService(ViewSurfaces);
  const inputStore = useService(InputStore);
  const [button, setButton] = useState<HTMLElement | null>(null);
  const hasNoSurface = surfaces.all.length === 0;
  const isEmpty = store.list.all.length === 0;
  const hasViewDirection = useHasViewDirection();
  // Hidden if there are no items and no surface to pick in. A loading module has a view direction before its surface.
  if (!hasViewDirection && hasNoSurface && isEmpty) return null;
  const choose = (next: Kind, { nativeEvent }: MouseEvent): void => {
    inputStore.recordToolStart(nativeEvent, button);
    onChoose(next);
  };
  return (
    <ToolMenu
      buttonRef={setButton}
      label={activeKind ? getName(activeKind) : labels.tool}
      icon={getIcon(activeKind)}
      pressed={activeKind !== undefined}
      activeKind={activeKind}
      disabledReason={hasNoSurface ? labels.noSurface : undefined}
      panelToggle={{
        label: store.panelOpen ? labels.hidePanel : labels.showPanel,
        toggle: () => store.setPanelOpen(!store.panelOpen),
      }}
      overlayToggle={
        isEmpty
          ? undefined
          : {
              label: t(store.overlayVisible ? 'annotate.hideDrawn' : 'annotate.showDrawn'),
              toggle: () => store.setOverlayVisible(!store.overlayVisible),
            }
      }
    >
      <KindItems kinds={kinds} getName={getName} getIcon={getIcon} disabled={hasNoSurface} onChoose={choose} />
    </ToolMenu>
  );
}) as <Kind extends string>(props: PickingToolProps<Kind>) => ReactNode;
