import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { EmptyState, Field, PageTitle, Select } from '#core/ui';
import { AtLocation, LastChangeLine, LastChangeStore, LocationChoice, useAdminStyles } from '#core/ui-data';
import { HttpClient, RouteLink, UnsavedWork, useChosenLocation, useResource, useService, useText } from '#core/web';
import type { listManagedModels } from '../../../contract/api.ts';
import { mappingAdmin, modelsAdmin } from '../../../contract/index.ts';
import { RulesEditor } from '../components/tag-rules/rules-editor.tsx';

/** Sets up the rules that find the tags of a model's objects. A query parameter of the URL names the model. */
const TagRulesScreen = observer(function TagRulesScreen() {
  const styles = useAdminStyles();
  const t = useText();
  const http = useService(HttpClient);
  const unsavedWork = useService(UnsavedWork);
  const [location, setLocation] = useChosenLocation();
  const [searchParams, setSearchParams] = useSearchParams();
  const [lastChange] = useState(() => new LastChangeStore());
  const uid = location?.uid;
  const models = useResource(
    (signal) =>
      uid === undefined
        ? undefined
        : http.call<typeof listManagedModels>(
            'GET',
            '/api/model-3d/:location/managed-models',
            { params: { location: uid } },
            { signal },
          ),
    [http, uid],
  );
  const importedModels = models.value?.filter(({ version }) => version > 0) ?? [];
  const model = importedModels.find((imported) => imported.uid === searchParams.get('model')) ?? importedModels[0];
  const leave = async (proceed: () => void): Promise<void> => {
    if (await unsavedWork.confirmLeave()) proceed();
  };
  const chooseModel = (modelUid: string): void => {
    const parameters = new URLSearchParams(searchParams);
    parameters.set('model', modelUid);
    setSearchParams(parameters, { replace: true });
  };
  return (
    <>
      <PageTitle title={t('model-3d.rules.title')} hint={t('model-3d.rules.hint')} />
      {uid === undefined ? null : (
        <div className={styles.bar}>
          <div className={styles.choice}>
            <LocationChoice
              label={t('model-3d.admin.location')}
              value={uid}
              onChange={(chosenLocation) => void leave(() => setLocation(chosenLocation))}
            />
          </div>
          {model === undefined ? null : (
            <Field label={t('model-3d.rules.model')} className={styles.choice}>
              <Select value={model.uid} onChange={(_, { value }) => void leave(() => chooseModel(value))}>
                {importedModels.map((imported) => (
                  <option key={imported.uid} value={imported.uid}>
                    {imported.name}
                  </option>
                ))}
              </Select>
            </Field>
          )}
          <RouteLink to={mappingAdmin}>{t('model-3d.admin.toMapping')}</RouteLink>
        </div>
      )}
      <LastChangeLine lastChange={lastChange} />
      <AtLocation
        location={location}
        resource={models}
        noAccessTo="tools"
        noLocation={{ title: t('model-3d.admin.noLocation'), message: t('model-3d.admin.noLocationHint') }}
      >
        {(_, { name, uid: locationUid }) =>
          model === undefined ? (
            <EmptyState
              title={t('model-3d.mapping.noObjects', { name })}
              message={t('model-3d.mapping.noObjectsHint')}
              action={
                <RouteLink to={modelsAdmin} search={`location=${encodeURIComponent(locationUid)}`}>
                  {t('model-3d.mapping.toModels')}
                </RouteLink>
              }
            />
          ) : (
            <RulesEditor key={model.uid} model={model} lastChange={lastChange} />
          )
        }
      </AtLocation>
    </>
  );
});
export default TagRulesScreen;
