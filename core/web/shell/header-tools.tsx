import { observer } from 'mobx-react-lite';
import { phone } from './breakpoints.ts';
import { HeaderLinks } from './header-links.tsx';
import { LanguageMenu, ThemeMenu } from './choice-menus.tsx';
import { NoticeBell } from './notice-bell.tsx';
import { PersonMenu } from './person-menu.tsx';
import { useMediaQuery } from './use-media-query.ts';

/** The end of the header. On a phone, language and appearance are in the person's menu. */
const HeaderTools = observer(function HeaderTools({ area }: { readonly area: 'user' | 'admin' }) {
  const small = useMediaQuery(phone);
  return (
    <>
      {small ? null : <HeaderLinks />}
      <NoticeBell />
      {small ? null : (
        <>
          <LanguageMenu />
          <ThemeMenu />
        </>
      )}
      <PersonMenu area={area} withChoices={small} />
    </>
  );
});
export default HeaderTools;
