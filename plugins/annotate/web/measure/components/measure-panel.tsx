import { observer } from 'mobx-react-lite';
import { Button } from '#core/ui';
import { downloadFile, Sites, useService, useText } from '#core/web';
import { TourStore } from '#plugins/tour';
import { ItemPanel } from '../../components/item-panel.tsx';
import { SearchField } from '../../components/search-field.tsx';
import { formatMeasurementsCsv } from './measurements-csv.ts';
import { MeasureStore } from '../stores/measure-store.ts';
import { UnitChoice } from './measure-bar.tsx';
import { MeasurementRow } from './measurement-row.tsx';

/** Lists the measurements of the tour, with a search and an export. */
export const MeasurePanel = observer(function MeasurePanel() {
  const t = useText();
  const measureStore = useService(MeasureStore);
  const tour = useService(TourStore).opened?.tour;
  const sites = useService(Sites);
  const { list, unit, filteredItems, searchText } = measureStore;
  const exportCsv = (): void =>
    downloadFile(
      new Blob([formatMeasurementsCsv(filteredItems, unit, (location) => sites.recordAt(location).timeZone)], {
        type: 'text/csv;charset=utf-8',
      }),
      t('annotate.csvName', { tour: tour?.code ?? '' }),
    );
  return (
    <ItemPanel
      store={measureStore}
      title={t('annotate.list')}
      closeLabel={t('annotate.closeList')}
      foot={
        <>
          <UnitChoice unit={unit} onUnitChange={(next) => measureStore.setUnit(next)} />
          <Button disabled={filteredItems.length === 0} onClick={exportCsv}>
            {t('annotate.export')}
          </Button>
        </>
      }
      filter={
        list.all.length > 0 ? (
          <SearchField
            label={t('annotate.findMeasurements')}
            text={searchText}
            onTextChange={(next) => measureStore.setSearchText(next)}
          />
        ) : null
      }
      rows={filteredItems.map((measurement) => (
        <MeasurementRow key={measurement.uid} measurement={measurement} />
      ))}
      texts={{
        failed: { title: t('annotate.failed'), hint: t('annotate.failedHint') },
        empty: { title: t('annotate.empty'), hint: t('annotate.emptyHint') },
        noMatch: { title: t('annotate.noMeasurementFits'), hint: t('annotate.noSnapshotFitsHint') },
      }}
    />
  );
});
