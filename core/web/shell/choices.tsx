import { observer } from 'mobx-react-lite';
import type { Language } from '#core';
import { useText } from '../i18n/use-text.ts';
import { Appearance, I18n, themes } from '../kernel/services.ts';
import { useService } from '../kernel/use-service.ts';
import { MenuItemRadio, type MenuProps } from '../ui/shell.ts';

/** The name of each language in that language. */
export const languageNames: Readonly<Record<Language, string>> = { en: 'English', fr: 'Français' };

/** Current choices and the change handler for a `Menu`. Must be called in an observer. */
export function useChoiceMenuProps(): Required<Pick<MenuProps, 'checkedValues' | 'onCheckedValueChange'>> {
  const i18n = useService(I18n);
  const appearance = useService(Appearance);
  return {
    checkedValues: { language: [i18n.language], theme: [appearance.theme] },
    onCheckedValueChange: (_, { name, checkedItems }) => {
      const choice = checkedItems.at(-1);
      const language = name === 'language' ? i18n.available.find((candidate) => candidate === choice) : undefined;
      const theme = name === 'theme' ? themes.find((candidate) => candidate === choice) : undefined;
      if (language !== undefined) void i18n.setLanguage(language);
      if (theme !== undefined) appearance.setTheme(theme);
    },
  };
}

export const LanguageItems = observer(function LanguageItems() {
  return useService(I18n).available.map((language) => (
    <MenuItemRadio key={language} name="language" value={language} lang={language}>
      {languageNames[language]}
    </MenuItemRadio>
  ));
});

export function ThemeItems() {
  const text = useText();
  return themes.map((theme) => (
    <MenuItemRadio key={theme} name="theme" value={theme}>
      {text(`core.shell.theme.${theme}`)}
    </MenuItemRadio>
  ));
}
