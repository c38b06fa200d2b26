import { observer } from 'mobx-react-lite';
import { useEffect, useMemo, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { Button, EmptyState, PageTitle, PanelSkeleton, ResourceView, useRestoreFocusTarget } from '#core/ui';
import { ConfirmDialog, LastChangeLine, LastChangeStore, useAdminStyles, useFormKey } from '#core/ui-data';
import { HttpClient, Locations, RouteLink, useResource, useService, useText } from '#core/web';
import type { getEstimation } from '../../contract/api.ts';
import { expenseAdmin } from '../../contract/routes.ts';
import { EstimationForm } from '../components/estimation-form.tsx';
import { ExpenseMutations } from '../stores/expense-mutations.ts';

/** The expense estimation of the site that the query `location` names. */
const EstimationScreen = observer(function EstimationScreen() {
  const t = useText();
  const styles = useAdminStyles();
  const http = useService(HttpClient);
  const locations = useService(Locations);
  const [searchParams] = useSearchParams();
  const location = searchParams.get('location') ?? '';
  const opener = useRestoreFocusTarget();
  const [isConfirmingDeletion, setIsConfirmingDeletion] = useState(false);
  const [lastChange] = useState(() => new LastChangeStore());
  const { key, setChanged, remount, remountIfUnchanged } = useFormKey();
  useEffect(() => {
    void locations.load();
  }, [locations]);
  const estimation = useResource(
    (signal) =>
      location === ''
        ? undefined
        : http.call<typeof getEstimation>('GET', '/api/expense/:location', { params: { location } }, { signal }),
    [http, location],
  );
  const mutations = useMemo(
    () =>
      new ExpenseMutations(http, lastChange, async () => {
        await estimation.load();
        remountIfUnchanged();
      }),
    [http, lastChange, estimation, remountIfUnchanged],
  );
  const name = locations.find(location)?.name ?? location;
  return (
    <>
      <PageTitle
        title={name === '' ? t('expense.title') : name}
        hint={t('expense.formHint')}
        actions={<RouteLink to={expenseAdmin}>{t('expense.all')}</RouteLink>}
      />
      <LastChangeLine lastChange={lastChange} />
      {location === '' ? (
        <EmptyState title={t('expense.noSite')} message={t('expense.noSiteHint')} />
      ) : (
        <ResourceView
          resource={estimation}
          noAccessTo={{ title: t('expense.noAccess'), accessToRequest: 'configure' }}
          waiting={<PanelSkeleton />}
        >
          {(currentEstimation) => (
            <div className={styles.list}>
              <EstimationForm
                key={`${location} ${key}`}
                estimation={currentEstimation}
                name={name}
                mutations={mutations}
                onChanged={setChanged}
                onSaved={remount}
              />
              {currentEstimation.version === 0 ? null : (
                <div className={styles.actions}>
                  <Button {...opener} onClick={() => setIsConfirmingDeletion(true)}>
                    {t('expense.delete')}
                  </Button>
                </div>
              )}
              {isConfirmingDeletion ? (
                <ConfirmDialog
                  title={t('expense.deleteTitle', { name })}
                  message={t('expense.deleteHint')}
                  action={t('expense.deleteAction')}
                  onConfirm={async () => {
                    await mutations.delete(location, name, currentEstimation.version);
                    remount();
                  }}
                  onClose={() => setIsConfirmingDeletion(false)}
                />
              ) : null}
            </div>
          )}
        </ResourceView>
      )}
    </>
  );
});
export default EstimationScreen;
