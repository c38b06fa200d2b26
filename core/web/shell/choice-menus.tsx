import { DarkThemeRegular } from '@fluentui/react-icons/svg/dark-theme';
import { observer } from 'mobx-react-lite';
import type { Language } from '#core';
import { useText } from '../i18n/use-text.ts';
import { Appearance, I18n, themes, type Theme } from '../kernel/services.ts';
import { useService } from '../kernel/use-service.ts';
import { Button, Menu, MenuGroup, MenuGroupHeader, MenuItemRadio, MenuList, MenuPopover, MenuTrigger, Tooltip } from '../ui/shell.ts';

/** Each language in its own words. */
const languageNames: Readonly<Record<Language, string>> = { en: 'English', fr: 'Français' };

/** EN or FR, changed at once and remembered. Absent where the product has one language. */
export const LanguageMenu = observer(function LanguageMenu() {
  const text = useText();
  const { available, language } = useService(I18n);
  if (available.length < 2) return null;
  const label = `${text('core.shell.language')}: ${languageNames[language]}`;
  return (
    <ChoiceMenu label={label} trigger={language.toUpperCase()}>
      <LanguageChoices />
    </ChoiceMenu>
  );
});

/** Light, dark, high contrast, or what the system asks for. */
export const ThemeMenu = observer(function ThemeMenu() {
  const text = useText();
  return (
    <ChoiceMenu label={text('core.shell.theme')} icon={<DarkThemeRegular />}>
      <ThemeChoices />
    </ChoiceMenu>
  );
});

interface ChoiceMenuProps {
  readonly label: string;
  readonly trigger?: string;
  readonly icon?: React.JSX.Element;
  readonly children: React.ReactNode;
}

function ChoiceMenu({ label, trigger, icon, children }: ChoiceMenuProps) {
  return (
    <Menu positioning="below-end">
      <MenuTrigger disableButtonEnhancement>
        <Tooltip content={label} relationship="label">
          <Button appearance="subtle" {...(icon === undefined ? {} : { icon })}>
            {trigger}
          </Button>
        </Tooltip>
      </MenuTrigger>
      <MenuPopover>{children}</MenuPopover>
    </Menu>
  );
}

export const LanguageChoices = observer(function LanguageChoices({ heading }: { readonly heading?: string }) {
  const i18n = useService(I18n);
  const choose = (language: string | undefined) => {
    const known = i18n.available.find((one) => one === language);
    if (known !== undefined) void i18n.setLanguage(known);
  };
  return (
    <Choices heading={heading} name="language" chosen={i18n.language} onChoose={choose}>
      {i18n.available.map((language) => (
        <MenuItemRadio key={language} name="language" value={language} lang={language}>
          {languageNames[language]}
        </MenuItemRadio>
      ))}
    </Choices>
  );
});

export const ThemeChoices = observer(function ThemeChoices({ heading }: { readonly heading?: string }) {
  const text = useText();
  const appearance = useService(Appearance);
  const choose = (theme: string | undefined) => {
    const known: Theme | undefined = themes.find((one) => one === theme);
    if (known !== undefined) appearance.setTheme(known);
  };
  return (
    <Choices heading={heading} name="theme" chosen={appearance.theme} onChoose={choose}>
      {themes.map((theme) => (
        <MenuItemRadio key={theme} name="theme" value={theme}>
          {text(`core.shell.theme.${theme}`)}
        </MenuItemRadio>
      ))}
    </Choices>
  );
});

interface ChoicesProps {
  readonly heading: string | undefined;
  readonly name: string;
  readonly chosen: string;
  readonly onChoose: (value: string | undefined) => void;
  readonly children: React.ReactNode;
}

function Choices({ heading, name, chosen, onChoose, children }: ChoicesProps) {
  return (
    <MenuList checkedValues={{ [name]: [chosen] }} onCheckedValueChange={(_, { checkedItems }) => onChoose(checkedItems.at(-1))}>
      {heading === undefined ? (
        children
      ) : (
        <MenuGroup>
          <MenuGroupHeader>{heading}</MenuGroupHeader>
          {children}
        </MenuGroup>
      )}
    </MenuList>
  );
}
