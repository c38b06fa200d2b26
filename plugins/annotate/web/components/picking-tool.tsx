import type { ReactElement, ReactNode } from 'react';
import { observer } from 'mobx-react-lite';
import { useService, useText } from '#core/web';
import { ViewSurfaces } from '#plugins/tour';
import { hasDepth } from '../viewer/has-depth.ts';
import { KindItems, ToolMenu } from './tool-menu.tsx';

export interface PickingToolProps<Kind extends string> {
  readonly store: {
    readonly drawn: boolean;
    setDrawn(drawn: boolean): void;
    readonly panelShown: boolean;
    setPanelShown(shown: boolean): void;
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
    /** Shown if no surface has depth. */
    readonly refusal: string;
  };
}

/** Button with kinds that pick points in the picture, and the list of saved items. */
export const PickingTool = observer(function PickingTool<Kind extends string>(props: PickingToolProps<Kind>) {
  const { store, kinds, kind, getName, getIcon, onChoose, labels } = props;
  const t = useText();
  const surfaces = useService(ViewSurfaces);
  const none = !surfaces.all.some(hasDepth);
  const isEmpty = store.list.all.length === 0;
  // Without a surface and without items the tool has no use.
  if (surfaces.all.length === 0 && isEmpty) return null;
  return (
    <ToolMenu
      label={kind ? getName(kind) : labels.tool}
      icon={getIcon(kind)}
      pressed={kind !== undefined}
      kind={kind}
      refusal={none ? labels.refusal : undefined}
      list={{
        label: store.panelShown ? labels.hideList : labels.showList,
        toggle: () => store.setPanelShown(!store.panelShown),
      }}
      drawing={
        isEmpty
          ? undefined
          : {
              label: t(store.drawn ? 'annotate.hideDrawn' : 'annotate.showDrawn'),
              toggle: () => store.setDrawn(!store.drawn),
            }
      }
    >
      <KindItems kinds={kinds} getName={getName} getIcon={getIcon} disabled={none} onChoose={onChoose} />
    </ToolMenu>
  );
}) as <Kind extends string>(props: PickingToolProps<Kind>) => ReactNode;
