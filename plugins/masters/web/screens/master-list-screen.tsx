import { observer } from 'mobx-react-lite';
import { useMemo, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { routeUrl } from '#core';
import { Button, Field, makeStyles, PageTitle, ResourceView, SearchBox, Select } from '#core/ui';
import {
  DelayedSkeleton,
  LastChangeLine,
  LastChangeStore,
  useAdminStyles,
  usePagedResource,
  type DataTableSort,
} from '#core/ui-data';
import { HttpClient, Navigation, useFormats, useService, useText } from '#core/web';
import type { listMasterData, MasterData } from '../../contract/api/master-data.ts';
import { masterAdmin } from '../../contract/routes.ts';
import { masterSorts, masterStatuses, masterTypes } from '../../contract/values.ts';
import { MasterStatusDialog } from '../components/master-status-dialog.tsx';
import { MasterTable } from '../components/master-table.tsx';
import { MasterMutations } from '../stores/master-mutations.ts';

const useStyles = makeStyles({
  filters: { display: 'flex', flexWrap: 'wrap', alignItems: 'end', gap: '16px' },
  search: { width: '100%', maxWidth: 'none' },
  field: { flexGrow: 1, flexBasis: '180px', minWidth: 0, maxWidth: '360px', gridTemplateColumns: 'minmax(0, 1fr)' },
  select: { minWidth: 0 },
});

/** Lists masters of all types. The URL contains the filters. */
const MasterListScreen = observer(function MasterListScreen() {
  const styles = { ...useAdminStyles(), ...useStyles() };
  const t = useText();
  const formats = useFormats();
  const http = useService(HttpClient);
  const navigation = useService(Navigation);
  const [searchParams, setSearchParams] = useSearchParams();
  const [sort, setSort] = useState<DataTableSort>();
  const [masterToToggle, setMasterToToggle] = useState<MasterData>();
  const [lastChange] = useState(() => new LastChangeStore());
  const text = searchParams.get('search') ?? '';
  const type = masterTypes.find((option) => option === searchParams.get('type'));
  const status = masterStatuses.find((option) => option === searchParams.get('status'));
  const setParameter = (name: string, value: string): void => {
    const nextParams = new URLSearchParams(searchParams);
    if (value === '') nextParams.delete(name);
    else nextParams.set(name, value);
    setSearchParams(nextParams, { replace: true });
  };
  const pages = usePagedResource(
    (page, signal) => {
      const column = masterSorts.find((candidate) => candidate === sort?.column);
      const query = {
        text,
        ...(type === undefined ? {} : { type }),
        ...(status === undefined ? {} : { status }),
        ...(column === undefined ? {} : { sort: column }),
        ...(sort?.direction === 'descending' ? { descending: 'true' as const } : {}),
        ...page,
      };
      return http.call<typeof listMasterData>('GET', '/api/master-data', { query }, { signal });
    },
    [http, text, type, status, sort],
    'masters',
  );
  const mutations = useMemo(
    () => new MasterMutations(http, lastChange, async () => pages.load()),
    [http, lastChange, pages],
  );
  const add = (): void => navigation.goToUrl(routeUrl(masterAdmin, {}) + (type === undefined ? '' : `?type=${type}`));
  return (
    <>
      <PageTitle
        title={t('masters.title')}
        hint={t('masters.hint')}
        actions={
          <Button appearance="primary" onClick={add}>
            {t('masters.add')}
          </Button>
        }
      />
      <LastChangeLine lastChange={lastChange} />
      <div className={styles.list}>
        <div className={styles.filters}>
          <Field label={t('masters.search')} className={styles.field}>
            <SearchBox
              className={styles.search}
              value={text}
              maxLength={200}
              onChange={(_, { value }) => setParameter('search', value)}
            />
          </Field>
          <Field label={t('masters.type')} className={styles.field}>
            <Select
              className={styles.select}
              value={type ?? ''}
              onChange={(_, { value }) => setParameter('type', value)}
            >
              <option value="">{t('masters.allTypes')}</option>
              {masterTypes.map((option) => (
                <option key={option} value={option}>
                  {t(`masters.type.${option}`)}
                </option>
              ))}
            </Select>
          </Field>
          <Field label={t('masters.status')} className={styles.field}>
            <Select
              className={styles.select}
              value={status ?? ''}
              onChange={(_, { value }) => setParameter('status', value)}
            >
              <option value="">{t('masters.allStatuses')}</option>
              <option value="ACTIVE">{t('masters.active')}</option>
              <option value="INACTIVE">{t('masters.inactive')}</option>
            </Select>
          </Field>
        </div>
        <ResourceView
          resource={pages}
          noAccessTo={{ title: t('masters.noAccess'), accessToRequest: 'configure' }}
          waiting={<DelayedSkeleton />}
        >
          {({ total }) => (
            <>
              <p role="status" className={styles.note}>
                {t('masters.found', { count: total, shown: formats.number(total) })}
              </p>
              <MasterTable rows={pages} sort={sort} onSort={setSort} onToggle={setMasterToToggle} />
            </>
          )}
        </ResourceView>
      </div>
      {masterToToggle ? (
        <MasterStatusDialog
          master={masterToToggle}
          mutations={mutations}
          onClose={() => setMasterToToggle(undefined)}
        />
      ) : null}
    </>
  );
});
export default MasterListScreen;
