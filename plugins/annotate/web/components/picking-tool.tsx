import { useState, type MouseEvent, type ReactElement, type ReactNode } from 'react';
import { observer } from 'mobx-react-lite';
import { useService, useText } from '#core/web';
import { ViewSurfaces } from '#plugins/tour';
import { InputStore } from '../viewer/input-store.ts';
import { KindItems, ToolMenu } from './tool-menu.tsx';
import { useHasView } from './use-has-view.ts';

export interface PickingToolProps<Kind extends string> {
  readonly store: {
    readonly overlayVisible: boolean;
    setOverlayVisible(overlayVisible: boolean): void;
    readonly panelOpen: boolean;
    setPanelOpen(open: boolean): void;
    readonly list: { readonly all: readonly unknown[] };
  };
  readonly kinds: readonly Kind[];
  /** The active kind. */
  readonly kind: Kind | undefined;
  readonly getName: (kind: Kind) => string;
  readonly getIcon: (kind: Kind | undefined) => ReactElement;
  readonly onChoose: (kind: Kind) => void;
  readonly labels: {
    /** Shown while no kind is active. */
    readonly tool: string;
    readonly showList: string;
    readonly hideList: string;
    /** Shown if the module has no surface. */
    readonly noSurface: string;
  };
}

/** The tool bar button of a tool that picks points, with its kinds and the toggles of list and overlay. */
export const PickingTool = observer(function PickingTool<Kind extends string>(props: PickingToolProps<Kind>) {
  const { store, kinds, kind, getName, getIcon, onChoose, labels } = props;
  const t = useText();
  const surfaces = useService(ViewSurfaces);
  const input = useService(InputStore);
  const [button, setButton] = useState<HTMLElement | null>(null);
  const hasNoSurface = surfaces.all.length === 0;
  const isEmpty = store.list.all.length === 0;
  const hasView = useHasView();
  // Hidden if no module on screen can be picked in, now or once it has loaded (`hasView`), and there are no items.
  if (!hasView && hasNoSurface && isEmpty) return null;
  const choose = (next: Kind, { nativeEvent }: MouseEvent): void => {
    input.recordStart(nativeEvent, button);
    onChoose(next);
  };
  return (
    <ToolMenu
      buttonRef={setButton}
      label={kind ? getName(kind) : labels.tool}
      icon={getIcon(kind)}
      pressed={kind !== undefined}
      kind={kind}
      disabledReason={hasNoSurface ? labels.noSurface : undefined}
      list={{
        label: store.panelOpen ? labels.hideList : labels.showList,
        toggle: () => store.setPanelOpen(!store.panelOpen),
      }}
      drawing={
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
