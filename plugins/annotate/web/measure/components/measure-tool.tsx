import { useEffect } from 'react';
import { observer } from 'mobx-react-lite';
import { useService, useText } from '#core/web';
import type { MeasurementKind } from '#plugins/annotate';
import { TourStore, TourTools } from '#plugins/tour';
import { PickingTool } from '../../components/picking-tool.tsx';
import { useSyncedList } from '../../stores/use-synced-list.ts';
import { MeasureStore } from '../stores/measure-store.ts';
import { KindIcon } from './icons.tsx';

const measurementKinds: readonly MeasurementKind[] = ['DISTANCE', 'HEIGHT', 'ANGLE', 'AREA', 'DIAMETER', 'CORDINATES'];

interface MeasureToolProps {
  /** Called before a measurement starts, to end other tools. */
  readonly onChoose: () => void;
}

/** The tool bar button with the six kinds of measurement and the toggles of the panel and the overlay. */
export const MeasureTool = observer(function MeasureTool({ onChoose }: MeasureToolProps) {
  const t = useText();
  const measureStore = useService(MeasureStore);
  const tourStore = useService(TourStore);
  const tourTools = useService(TourTools);
  const { measurementDraft, list } = measureStore;
  useEffect(
    () =>
      measureStore.connect({
        tourStore,
        tourTools,
        getName: (kind, number) => t('annotate.defaultName', { kind: t(`annotate.kind.${kind}`), number }),
      }),
    [measureStore, tourStore, tourTools, t],
  );
  useSyncedList(measureStore);
  useEffect(() => () => measureStore.measurementDraft.choose(undefined), [measureStore]);
  const choose = (kind: MeasurementKind): void => {
    onChoose();
    measurementDraft.choose(kind);
    measureStore.setOverlayVisible(true);
  };
  const { length: count } = list.all;
  return (
    <PickingTool
      store={measureStore}
      kinds={measurementKinds}
      activeKind={measurementDraft.kind}
      getName={(kind) => t(`annotate.kind.${kind}`)}
      getIcon={(kind) => <KindIcon kind={kind ?? 'DISTANCE'} />}
      onChoose={choose}
      labels={{
        tool: t('annotate.measure'),
        showPanel: t('annotate.showList', { count }),
        hidePanel: t('annotate.hideList'),
        noSurface: t('annotate.noSurface'),
      }}
    />
  );
});
