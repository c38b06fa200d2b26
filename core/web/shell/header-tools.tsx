import { observer } from 'mobx-react-lite';
import { phoneQuery } from './breakpoints.ts';
import { HeaderLinks } from './header-links.tsx';
import { LanguageMenu, ThemeMenu } from './choice-menus.tsx';
import { NoticeBell } from './notice-bell.tsx';
import { PersonMenu } from './person-menu.tsx';
import { useMediaQuery } from './use-media-query.ts';

/** The controls at the end of the header. On a phone, the person's menu contains language and theme. */
const HeaderTools = observer(function HeaderTools({ area }: { readonly area: 'user' | 'admin' }) {
  const small = useMediaQuery(phoneQuery);
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
      <PersonMenu area={area} isCompact={small} />
    </>
  );
});
export default HeaderTools;
