import { ListSkeleton, PageTitle } from '#core/ui';
import { useText } from '#core/web';
import SetUpList from '../../components/set-up-list.tsx';

/** All steps of the set-up, also after the list has left the home page. */
export default function SetUpScreen() {
  const t = useText();
  return (
    <>
      <PageTitle title={t('locations.setUp.title')} hint={t('locations.setUp.screenHint')} />
      <SetUpList onHome={false} waiting={<ListSkeleton />} />
    </>
  );
}
