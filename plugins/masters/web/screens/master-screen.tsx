import { observer } from 'mobx-react-lite';
import { useMemo, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { PageTitle, PanelSkeleton, ResourceView } from '#core/ui';
import { LastChangeLine, LastChangeStore, useFormKey } from '#core/ui-data';
import { HttpClient, RouteLink, useResource, useService, useText } from '#core/web';
import type { listMasterTypes } from '../../contract/api.ts';
import type { getMasterData } from '../../contract/api/master-data.ts';
import { masterDataAdmin } from '../../contract/routes.ts';
import { masterTypes, type MasterTypeCode } from '../../contract/values.ts';
import { MasterForm } from '../components/master-form.tsx';
import { MasterMutations } from '../stores/master-mutations.ts';

/** The form of the master that the query `master` names. Without one, the form creates masters. */
const MasterScreen = observer(function MasterScreen() {
  const t = useText();
  const http = useService(HttpClient);
  const [searchParams] = useSearchParams();
  const [lastChange] = useState(() => new LastChangeStore());
  const [savedType, setSavedType] = useState<MasterTypeCode>();
  const { key, setChanged, remount, remountIfUnchanged } = useFormKey();
  const masterUid = searchParams.get('master');
  const type = savedType ?? masterTypes.find((code) => code === searchParams.get('type')) ?? masterTypes[0];
  const formData = useResource(
    async (signal) => ({
      types: await http.call<typeof listMasterTypes>('GET', '/api/masters/types', {}, { signal }),
      master:
        masterUid === null
          ? undefined
          : await http.call<typeof getMasterData>(
              'GET',
              '/api/master-data/:master',
              { params: { master: masterUid } },
              { signal },
            ),
    }),
    [http, masterUid],
  );
  const mutations = useMemo(
    () =>
      new MasterMutations(http, lastChange, async () => {
        await formData.load();
        remountIfUnchanged();
      }),
    [http, lastChange, formData, remountIfUnchanged],
  );
  return (
    <>
      <PageTitle
        title={formData.value?.master?.name ?? t(masterUid === null ? 'masters.addTitle' : 'masters.one')}
        actions={
          <RouteLink to={masterDataAdmin} search={`type=${formData.value?.master?.type ?? type}`}>
            {t('masters.all')}
          </RouteLink>
        }
      />
      <LastChangeLine lastChange={lastChange} />
      <ResourceView
        resource={formData}
        noAccessTo={{ title: t('masters.noAccess'), accessToRequest: 'configure' }}
        waiting={<PanelSkeleton />}
      >
        {({ types, master: currentMaster }) => (
          <MasterForm
            key={key}
            master={currentMaster}
            type={type}
            types={types}
            mutations={mutations}
            onChanged={setChanged}
            onSaved={(typeCode) => {
              setSavedType(typeCode);
              remount();
            }}
          />
        )}
      </ResourceView>
    </>
  );
});
export default MasterScreen;
