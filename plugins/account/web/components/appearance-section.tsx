import { observer } from 'mobx-react-lite';
import type { Language } from '#core';
import { Field, makeStyles, Radio, RadioGroup, Select, tokens } from '#core/ui';
import { Appearance, I18n, themes, useService, useText, type Theme } from '#core/web';
import { useSavePreferences } from '../stores/use-save-preferences.ts';

const useStyles = makeStyles({
  fields: { display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: tokens.spacingVerticalL },
  themes: { flexWrap: 'wrap' },
});

/** Selects language and theme. Both apply immediately and are saved for all devices of the person. */
const AppearanceSection = observer(function AppearanceSection() {
  const styles = useStyles();
  const t = useText();
  const i18n = useService(I18n);
  const appearance = useService(Appearance);
  const save = useSavePreferences();
  const setLanguage = async (language: Language): Promise<void> => {
    await i18n.setLanguage(language);
    await save({ language });
  };
  const setTheme = (theme: Theme): void => {
    appearance.setTheme(theme);
    void save({ theme });
  };
  return (
    <div className={styles.fields}>
      <Field label={t('account.appearance.language')}>
        <Select value={i18n.language} onChange={(_, { value }) => void setLanguage(value as Language)}>
          {i18n.available.map((language) => (
            <option key={language} value={language} lang={language}>
              {getLanguageName(language)}
            </option>
          ))}
        </Select>
      </Field>
      <Field label={t('account.appearance.theme')}>
        <RadioGroup
          layout="horizontal"
          className={styles.themes}
          value={appearance.theme}
          onChange={(_, { value }) => setTheme(value as Theme)}
        >
          {themes.map((theme) => (
            <Radio key={theme} value={theme} label={t(`account.appearance.theme.${theme}`)} />
          ))}
        </RadioGroup>
      </Field>
    </div>
  );
});
export default AppearanceSection;

/** Returns the name of a language in that language, capitalized because Intl returns French names in lower case. */
function getLanguageName(language: Language): string {
  const name = new Intl.DisplayNames(language, { type: 'language' }).of(language) ?? language;
  return name.charAt(0).toLocaleUpperCase(language) + name.slice(1);
}
