import { observer } from 'mobx-react-lite';
import { Button, EmptyState, FailedState, ListSkeleton, makeStyles } from '#core/ui';
import { Sites, useService, useText } from '#core/web';
import { TourStore } from '#plugins/tour';
import { download } from '../../surface/download.ts';
import { SearchField } from '../../surface/search-field.tsx';
import { ToolPanel } from '../../surface/tool-panel.tsx';
import { measurementsCsv } from '../measurements-csv.ts';
import { MeasureStore } from '../stores/measure-store.ts';
import { UnitChoice } from '../tool/measure-bar.tsx';
import { MeasurementRow } from './measurement-row.tsx';

const useStyles = makeStyles({ list: { margin: 0, padding: 0, listStyleType: 'none' } });

/** All measurements of the tour: names, figures, and what the server has not confirmed. */
export const MeasurePanel = observer(function MeasurePanel() {
  const styles = useStyles();
  const t = useText();
  const measureStore = useService(MeasureStore);
  const store = useService(TourStore);
  const sites = useService(Sites);
  const { list, unit, shown, words } = measureStore;
  const { state, all, deleted } = list;
  const location = store.opened?.tour.location;
  return (
    <ToolPanel
      title={t('annotate.list')}
      closeLabel={t('annotate.closeList')}
      onClose={() => measureStore.setPanelShown(false)}
      progress={list.progress}
      deleted={deleted}
      onRestore={() => void list.restore()}
      foot={
        <>
          <UnitChoice unit={unit} onUnit={(next) => measureStore.setUnit(next)} />
          <Button
            disabled={shown.length === 0}
            onClick={() =>
              download(
                new Blob([measurementsCsv(shown, unit, (at) => sites.recordAt(at).timeZone)], {
                  type: 'text/csv;charset=utf-8',
                }),
                t('annotate.csvName', { tour: store.opened?.tour.code ?? '' }),
              )
            }
          >
            {t('annotate.export')}
          </Button>
        </>
      }
    >
      {state === 'failed' ? (
        <FailedState
          title={t('annotate.failed')}
          message={t('annotate.failedHint')}
          onRetry={() => void (location !== undefined && list.load(location))}
        />
      ) : null}
      {all.length > 0 ? (
        <SearchField
          label={t('annotate.findMeasurements')}
          words={words}
          onWords={(next) => measureStore.setWords(next)}
        />
      ) : null}
      {shown.length > 0 ? (
        <ul className={styles.list}>
          {shown.map((measurement) => (
            <MeasurementRow key={measurement.uid} measurement={measurement} />
          ))}
        </ul>
      ) : all.length > 0 ? (
        <EmptyState title={t('annotate.noMeasurementFits')} message={t('annotate.noSnapshotFitsHint')} />
      ) : state === 'loaded' ? (
        <EmptyState title={t('annotate.empty')} message={t('annotate.emptyHint')} />
      ) : state === 'failed' ? null : (
        <ListSkeleton />
      )}
    </ToolPanel>
  );
});
