import { reaction } from 'mobx';
import type { Preferences } from '#core/api';
import type { AppearanceService } from '../kernel/appearance-service.ts';
import { saveDeviceChoice } from '../kernel/device-choices.ts';
import { logError } from '../kernel/log.ts';
import type { Session } from '../kernel/services.ts';
import type { I18nService } from '../i18n/i18n-service.ts';

/** Applies the person's saved language and theme to the page. */
export function followPreferences(session: Session, i18n: I18nService, appearance: AppearanceService): void {
  reaction(
    () => session.me?.preferences,
    (preferences) => {
      if (preferences?.theme !== undefined && preferences.theme !== appearance.theme) {
        appearance.applyTheme(preferences.theme);
        saveDeviceChoice('theme', preferences.theme);
      }
      const language = preferences?.language;
      if (language !== undefined && language !== i18n.language && i18n.available.includes(language)) {
        saveDeviceChoice('language', language);
        i18n
          .applyLanguage(language)
          .catch((cause: unknown) => logError(`The messages in '${language}' could not be loaded.`, cause));
      }
    },
  );
}

/** Saves a choice on this device, and for the person if signed in. */
export function saveChoice(session: () => Session | undefined, choice: Pick<Preferences, 'language' | 'theme'>): void {
  if (choice.language !== undefined) saveDeviceChoice('language', choice.language);
  if (choice.theme !== undefined) saveDeviceChoice('theme', choice.theme);
  const current = session();
  if (current?.me === undefined || current.state !== 'signedIn') return;
  current
    .savePreferences({ ...current.me.preferences, ...choice })
    .catch((cause: unknown) =>
      logError('The choice could not be saved for the person. It is saved on this device.', cause),
    );
}
