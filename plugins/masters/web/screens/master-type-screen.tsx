import { observer } from 'mobx-react-lite';
import { useSearchParams } from 'react-router-dom';
import { EmptyState, PageTitle, ResourceView } from '#core/ui';
import { LastChangeLine } from '#core/ui-data';
import { RouteLink, useText } from '#core/web';
import { masterTypesAdmin } from '../../contract/routes.ts';
import { TypeCard } from '../components/type-card.tsx';
import { useMasterTypes } from '../stores/use-master-types.ts';

/** Shows the master type that the query `type` names. Types are fixed: only their status changes. */
const MasterTypeScreen = observer(function MasterTypeScreen() {
  const t = useText();
  const { types, lastChange, mutations } = useMasterTypes();
  const [searchParams] = useSearchParams();
  const code = searchParams.get('type');
  return (
    <>
      <PageTitle
        title={t('masters.types.one')}
        hint={t('masters.types.oneHint')}
        actions={<RouteLink to={masterTypesAdmin}>{t('masters.types.all')}</RouteLink>}
      />
      <LastChangeLine lastChange={lastChange} />
      <ResourceView resource={types} noAccessTo={{ title: t('masters.noAccess'), accessToRequest: 'configure' }}>
        {(list) => {
          const type = list.find((candidate) => candidate.code === code);
          return type ? (
            <TypeCard type={type} mutations={mutations} />
          ) : (
            <EmptyState title={t('masters.types.unknown')} message={t('masters.types.unknownHint')} />
          );
        }}
      </ResourceView>
    </>
  );
});
export default MasterTypeScreen;
