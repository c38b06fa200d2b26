import { matchPath, useLocation, useSearchParams } from 'react-router-dom';
import { userPage } from '../../contract/index.ts';
import { PersonPage } from '../components/person-page.tsx';
import { UserList } from '../components/user-list.tsx';

/** Shows the list of users or, at the URL of `userPage`, one person. */
export default function UsersScreen() {
  const { pathname } = useLocation();
  const person = useSearchParams()[0].get('person');
  if (!matchPath(`/${userPage.path}`, pathname)) return <UserList />;
  return <PersonPage key={person ?? ''} uid={person ?? undefined} />;
}
