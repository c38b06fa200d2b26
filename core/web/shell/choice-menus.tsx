import { DarkThemeRegular } from '@fluentui/react-icons/svg/dark-theme';
import { observer } from 'mobx-react-lite';
import type { ReactNode } from 'react';
import { useText } from '../i18n/use-text.ts';
import { I18n } from '../kernel/services.ts';
import { useService } from '../kernel/use-service.ts';
import { makeStyles } from '../ui/base.ts';
import { Button, Menu, MenuList, MenuPopover, MenuTrigger, Tooltip } from '../ui/shell.ts';
import { useTooltipVisibility } from '../ui/use-tooltip-visibility.ts';
import { LanguageItems, languageNames, ThemeItems, useChoiceMenuProps } from './choices.tsx';
import { useMenuOpen } from './use-menu-open.ts';

const useStyles = makeStyles({ trigger: { minWidth: '32px' } });

/** The menu of languages. A choice applies at once and is saved. Hidden if the product has one language. */
export const LanguageMenu = observer(function LanguageMenu() {
  const text = useText();
  const { available, language } = useService(I18n);
  if (available.length < 2) return null;
  return (
    <ChoiceMenu
      label={`${language.toUpperCase()}, ${text('core.shell.language')}: ${languageNames[language]}`}
      trigger={language.toUpperCase()}
    >
      <LanguageItems />
    </ChoiceMenu>
  );
});

/** The menu of themes: light, dark, high contrast, or the system's setting. */
export function ThemeMenu() {
  const text = useText();
  return (
    <ChoiceMenu label={text('core.shell.theme')} trigger={<DarkThemeRegular fontSize={20} />}>
      <ThemeItems />
    </ChoiceMenu>
  );
}

interface ChoiceMenuProps {
  readonly label: string;
  readonly trigger: ReactNode;
  readonly children: ReactNode;
}

const ChoiceMenu = observer(function ChoiceMenu({ label, trigger, children }: ChoiceMenuProps) {
  const styles = useStyles();
  const choiceMenuProps = useChoiceMenuProps();
  const [open, setOpen] = useMenuOpen();
  const tooltipVisibility = useTooltipVisibility(open);
  return (
    <Menu positioning="below-end" open={open} onOpenChange={(_, data) => setOpen(data.open)} {...choiceMenuProps}>
      <MenuTrigger disableButtonEnhancement>
        <Tooltip content={label} relationship="label" {...tooltipVisibility}>
          <Button className={styles.trigger} appearance="subtle">
            {trigger}
          </Button>
        </Tooltip>
      </MenuTrigger>
      <MenuPopover>
        <MenuList>{children}</MenuList>
      </MenuPopover>
    </Menu>
  );
});
