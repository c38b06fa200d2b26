import { observer } from 'mobx-react-lite';
import { routes } from '#core';
import { Avatar, Button, makeStyles, Menu, MenuItem, MenuList, MenuPopover, MenuTrigger, Tooltip } from '#core/ui';
import { Navigation, Session, useMenu, useService, useText } from '#core/web';

const useStyles = makeStyles({ button: { minWidth: '40px', padding: '2px' } });

/** A menu with the person's pages, home, shortcuts and logout. It replaces the header of the shells in a tour. */
export const PersonMenu = observer(function PersonMenu({ onShortcuts }: { readonly onShortcuts: () => void }) {
  const styles = useStyles();
  const t = useText();
  const session = useService(Session);
  const navigation = useService(Navigation);
  const entries = useMenu('person.menu');
  const name = session.me?.name ?? '';
  return (
    <Menu positioning="below-end">
      <MenuTrigger disableButtonEnhancement>
        <Tooltip content={t('tour.person', { name })} relationship="label">
          <Button
            className={styles.button}
            appearance="subtle"
            icon={<Avatar name={name} color="brand" size={32} aria-hidden="true" />}
          />
        </Tooltip>
      </MenuTrigger>
      <MenuPopover>
        <MenuList>
          <MenuItem onClick={() => navigation.goTo(routes.home, {})}>{t('tour.backHome')}</MenuItem>
          {entries.map((entry) => (
            <MenuItem key={entry.id} onClick={() => navigation.goToUrl(entry.url)}>
              {t(entry.title)}
            </MenuItem>
          ))}
          <MenuItem onClick={onShortcuts}>{t('tour.shortcuts')}</MenuItem>
          <MenuItem onClick={() => void session.logout()}>{t('tour.logout')}</MenuItem>
        </MenuList>
      </MenuPopover>
    </Menu>
  );
});
