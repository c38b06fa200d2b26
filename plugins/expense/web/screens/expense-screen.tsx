import { observer } from 'mobx-react-lite';
import { useEffect } from 'react';
import { useSearchParams } from 'react-router-dom';
import { Field, makeStyles, PageTitle, ResourceView, SearchBox, Select } from '#core/ui';
import { DelayedSkeleton, useAdminStyles, usePagedResource } from '#core/ui-data';
import { HttpClient, Locations, useFormats, useService, useText } from '#core/web';
import type { listEstimations } from '../../contract/api.ts';
import { estimationStates } from '../../contract/values.ts';
import { ExpenseTable } from '../components/expense-table.tsx';

const useStyles = makeStyles({
  filters: { display: 'flex', flexWrap: 'wrap', alignItems: 'end', gap: '16px' },
  search: { width: '100%', maxWidth: 'none' },
  field: { flexGrow: 1, flexBasis: '180px', minWidth: 0, maxWidth: '360px', gridTemplateColumns: 'minmax(0, 1fr)' },
  select: { minWidth: 0 },
});

/** Lists the sites with their expense estimations. The URL contains the filters. */
const ExpenseScreen = observer(function ExpenseScreen() {
  const styles = { ...useAdminStyles(), ...useStyles() };
  const t = useText();
  const formats = useFormats();
  const http = useService(HttpClient);
  const locations = useService(Locations);
  const [searchParams, setSearchParams] = useSearchParams();
  useEffect(() => {
    void locations.load();
  }, [locations]);
  const text = searchParams.get('search') ?? '';
  const state = estimationStates.find((option) => option === searchParams.get('state'));
  const setParameter = (name: string, value: string): void => {
    const nextParams = new URLSearchParams(searchParams);
    if (value === '') nextParams.delete(name);
    else nextParams.set(name, value);
    setSearchParams(nextParams, { replace: true });
  };
  const pages = usePagedResource(
    (page, signal) =>
      http.call<typeof listEstimations>(
        'GET',
        '/api/expense',
        { query: { text, ...(state === undefined ? {} : { state }), ...page } },
        { signal },
      ),
    [http, text, state],
    'expense',
  );
  return (
    <>
      <PageTitle title={t('expense.title')} hint={t('expense.hint')} />
      <div className={styles.list}>
        <div className={styles.filters}>
          <Field label={t('expense.search')} className={styles.field}>
            <SearchBox
              className={styles.search}
              value={text}
              maxLength={200}
              onChange={(_, { value }) => setParameter('search', value)}
            />
          </Field>
          <Field label={t('expense.state')} className={styles.field}>
            <Select
              className={styles.select}
              value={state ?? ''}
              onChange={(_, { value }) => setParameter('state', value)}
            >
              <option value="">{t('expense.allStates')}</option>
              <option value="COMPLETE">{t('expense.complete')}</option>
              <option value="MISSING">{t('expense.missing')}</option>
            </Select>
          </Field>
        </div>
        <ResourceView
          resource={pages}
          noAccessTo={{ title: t('expense.noAccess'), accessToRequest: 'configure' }}
          waiting={<DelayedSkeleton />}
        >
          {({ total }) => (
            <>
              <p role="status" className={styles.note}>
                {t('expense.found', { count: total, shown: formats.number(total) })}
              </p>
              <ExpenseTable rows={pages} />
            </>
          )}
        </ResourceView>
      </div>
    </>
  );
});
export default ExpenseScreen;
