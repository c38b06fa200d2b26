import { observer } from 'mobx-react-lite';
import { PageTitle, ResourceView } from '#core/ui';
import { LastChangeLine, useAdminStyles } from '#core/ui-data';
import { RouteLink, useText } from '#core/web';
import { masterTypeAdmin } from '../../contract/routes.ts';
import { TypeCard } from '../components/type-card.tsx';
import { useMasterTypes } from '../stores/use-master-types.ts';

/** Lists the master types. */
const MasterTypeListScreen = observer(function MasterTypeListScreen() {
  const styles = useAdminStyles();
  const t = useText();
  const { types, lastChange, mutations } = useMasterTypes();
  return (
    <>
      <PageTitle title={t('masters.types')} hint={t('masters.types.hint')} />
      <LastChangeLine lastChange={lastChange} />
      <ResourceView resource={types} noAccessTo={{ title: t('masters.noAccess'), accessToRequest: 'configure' }}>
        {(list) => (
          <ul className={styles.list}>
            {list.map((type) => (
              <li key={type.code}>
                <TypeCard type={type} mutations={mutations}>
                  <RouteLink
                    to={masterTypeAdmin}
                    search={`type=${type.code}`}
                    aria-label={t('masters.types.manageOne', { name: t(`masters.type.${type.code}`) })}
                  >
                    {t('masters.types.manage')}
                  </RouteLink>
                </TypeCard>
              </li>
            ))}
          </ul>
        )}
      </ResourceView>
    </>
  );
});
export default MasterTypeListScreen;
