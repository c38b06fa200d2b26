import { ArrowExitRegular } from '@fluentui/react-icons/svg/arrow-exit';
import { HomeRegular } from '@fluentui/react-icons/svg/home';
import { SettingsRegular } from '@fluentui/react-icons/svg/settings';
import { observer } from 'mobx-react-lite';
import { routeUrl, routes } from '#core';
import { useText } from '../i18n/use-text.ts';
import { I18n, Session } from '../kernel/services.ts';
import { useService } from '../kernel/use-service.ts';
import { Routes, useMenu, useRouteAccess } from '../router/use-menu.ts';
import { makeStyles, tokens } from '../ui/base.ts';
import {
  Avatar,
  Button,
  Menu,
  MenuDivider,
  MenuGroup,
  MenuGroupHeader,
  MenuItem,
  MenuList,
  MenuPopover,
  MenuTrigger,
  Tooltip,
} from '../ui/shell.ts';
import { LanguageItems, ThemeItems, useChoiceMenuProps } from './choices.tsx';
import { MenuLink, TitledLink } from './menu-link.tsx';
import { useMenuOpen } from './use-menu-open.ts';
import { useTooltipVisibility } from '../ui/use-tooltip-visibility.ts';

const useStyles = makeStyles({
  trigger: { padding: '2px', minWidth: '40px', borderRadius: tokens.borderRadiusCircular },
  popover: { maxWidth: 'min(320px, calc(100vw - 16px))', minWidth: '220px' },
  person: { padding: `${tokens.spacingVerticalS} ${tokens.spacingHorizontalM}` },
  name: { fontWeight: tokens.fontWeightSemibold, overflowWrap: 'anywhere' },
  username: { color: tokens.colorNeutralForeground3, fontSize: tokens.fontSizeBase200, overflowWrap: 'anywhere' },
});

export interface PersonMenuProps {
  readonly area: 'user' | 'admin';
  /** True if the header is too narrow for its entries, the language and the theme, so that the menu includes them. */
  readonly isCompact: boolean;
}

/** The person's menu with their pages, a switch between the user and admin areas, and logout. */
export const PersonMenu = observer(function PersonMenu({ area, isCompact }: PersonMenuProps) {
  const styles = useStyles();
  const text = useText();
  const session = useService(Session);
  const { available } = useService(I18n);
  const choiceMenuProps = useChoiceMenuProps();
  const canOpenAdminArea = useService(Routes).hasAdminScreen(useRouteAccess());
  const [open, setOpen] = useMenuOpen();
  const tooltipVisibility = useTooltipVisibility(open);
  const personEntries = useMenu('person.menu');
  const headerEntries = useMenu('user.header');
  const { me } = session;
  const name = me?.name ?? me?.username ?? '';
  const label = text('core.shell.person', { name });
  return (
    <Menu positioning="below-end" open={open} onOpenChange={(_, data) => setOpen(data.open)} {...choiceMenuProps}>
      <MenuTrigger disableButtonEnhancement>
        <Tooltip content={label} relationship="label" {...tooltipVisibility}>
          <Button className={styles.trigger} appearance="subtle">
            <Avatar name={name} color="brand" size={32} aria-hidden="true" />
          </Button>
        </Tooltip>
      </MenuTrigger>
      <MenuPopover className={styles.popover}>
        <div className={styles.person}>
          <div className={styles.name}>{name}</div>
          <div className={styles.username}>{me?.username}</div>
        </div>
        <MenuList>
          <MenuDivider />
          {isCompact ? headerEntries.map((entry) => <MenuLink key={entry.id} entry={entry} />) : null}
          {personEntries.map((entry) => (
            <MenuLink key={entry.id} entry={entry} />
          ))}
          {canOpenAdminArea && area === 'user' ? (
            <TitledLink title="core.shell.toAdmin" url={routeUrl(routes.admin, {})} icon={<SettingsRegular />} />
          ) : null}
          {area === 'admin' ? (
            <TitledLink title="core.shell.home" url={routeUrl(routes.home, {})} icon={<HomeRegular />} />
          ) : null}
          {isCompact && available.length > 1 ? (
            <MenuGroup>
              <MenuGroupHeader>{text('core.shell.language')}</MenuGroupHeader>
              <LanguageItems />
            </MenuGroup>
          ) : null}
          {isCompact ? (
            <MenuGroup>
              <MenuGroupHeader>{text('core.shell.theme')}</MenuGroupHeader>
              <ThemeItems />
            </MenuGroup>
          ) : null}
          <MenuDivider />
          <MenuItem icon={<ArrowExitRegular />} onClick={() => void session.logout()}>
            {text('core.shell.logout')}
          </MenuItem>
        </MenuList>
      </MenuPopover>
    </Menu>
  );
});
