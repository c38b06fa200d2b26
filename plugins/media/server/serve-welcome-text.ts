import {
  Accounts,
  versionConflict,
  ConfigurationChanges,
  invalidRequest,
  type Api,
  type ServerContext,
  type StoredSetting,
} from '#core/server';
import type { WelcomeText } from '#plugins/media';
import { findLinkError } from '../common/find-link-error.ts';
import { getWelcomeText, saveWelcomeText } from '../contract/api.ts';
import { mediaRefusal } from '../contract/errors.ts';
import { assertAccessToAllLocations } from './commands/assert-access-to-all-locations.ts';
import type { MediaTables } from './tables.ts';

const settingKey = 'welcomeText';

/** Serves the welcome text to admins. Other people receive it with the configuration. */
export function serveWelcomeText(api: Api, context: ServerContext<MediaTables>): void {
  const settings = (): ConfigurationChanges => context.service(ConfigurationChanges);
  const accounts = context.service(Accounts);

  const toReply = async (setting: StoredSetting<typeof settingKey> | undefined): Promise<WelcomeText> => {
    const author = setting?.updatedBy ? await accounts.find(setting.updatedBy) : undefined;
    return {
      en: setting?.value['en'] ?? '',
      fr: setting?.value['fr'] ?? '',
      version: setting?.version ?? 0,
      updatedBy: author?.name ?? null,
      updatedAt: setting?.updatedAt.toISOString() ?? null,
    };
  };

  api.serve(getWelcomeText, async () => toReply(await settings().find(settingKey)));
  api.serve(saveWelcomeText, async ({ body, caller, requestId }) => {
    assertAccessToAllLocations(caller);
    const { version, ...texts } = body;
    const errors = (['en', 'fr'] as const).flatMap((language) => {
      const error = findLinkError(texts[language]);
      return error ? [{ pointer: `/${language}`, ...error }] : [];
    });
    if (errors.length > 0) throw invalidRequest(mediaRefusal('media.refused.welcomeLink'), errors);
    const value = Object.fromEntries(Object.entries(texts).filter(([, text]) => text.trim() !== ''));
    // Names cannot be looked up inside the transaction.
    const currentTexts = await toReply(await settings().find(settingKey));
    return settings().save(
      { caller, requestId },
      { key: settingKey, value, version, name: 'media.welcomeText.title' },
      (current) =>
        versionConflict(mediaRefusal('media.refused.welcomeChanged'), {
          ...currentTexts,
          en: current?.value['en'] ?? '',
          fr: current?.value['fr'] ?? '',
          version: current?.version ?? 0,
        }),
    );
  });
}
