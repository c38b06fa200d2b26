import { observer } from 'mobx-react-lite';
import { useEffect, useMemo, useState } from 'react';
import {
  Button,
  makeStyles,
  MessageBar,
  MessageBarBody,
  PageTitle,
  PanelSkeleton,
  ResourceView,
  useForm,
} from '#core/ui';
import {
  ChangeSender,
  ConflictMessage,
  LastChangeLine,
  LastChangeStore,
  useAdminStyles,
  useConflict,
  useFormKey,
} from '#core/ui-data';
import {
  HttpClient,
  ProductInfo,
  useFormatFailure,
  useFormats,
  useResource,
  useService,
  useText,
  useUnsavedWork,
} from '#core/web';
import { maxWelcomeLength, type WelcomeText } from '#plugins/media';
import type { getWelcomeText, saveWelcomeText } from '#plugins/media/api';
import { welcomeTextRules } from '../../../contract/rules.ts';
import { MarkdownField } from '../components/markdown-field.tsx';

const useStyles = makeStyles({ form: { display: 'grid', gap: '24px', gridTemplateColumns: 'minmax(0, 1fr)' } });

/** Edits the text of the welcome screen, with a preview. */
const WelcomeTextScreen = observer(function WelcomeTextScreen() {
  const t = useText();
  const http = useService(HttpClient);
  const formats = useFormats();
  const [lastChange] = useState(() => new LastChangeStore());
  const { key, setChanged, remount, remountIfUnchanged } = useFormKey();
  const texts = useResource(
    (signal) => http.call<typeof getWelcomeText>('GET', '/api/media/welcome-text', {}, { signal }),
    [http],
  );
  const sender = useMemo(
    () =>
      new ChangeSender(http, lastChange, async () => {
        await texts.load();
        remountIfUnchanged();
      }),
    [http, lastChange, texts, remountIfUnchanged],
  );
  const save = (body: Pick<WelcomeText, 'en' | 'fr' | 'version'>): Promise<void> =>
    sender.send(() => http.call<typeof saveWelcomeText>('PUT', '/api/media/welcome-text', { body }), {
      texts: { done: 'media.welcomeText.done', undone: 'media.welcomeText.undone' },
      values: {},
    });
  const { updatedBy, updatedAt } = texts.value ?? {};
  return (
    <>
      <PageTitle
        title={t('media.welcomeText.title')}
        hint={
          updatedBy && updatedAt
            ? t('media.welcomeText.savedBy', { name: updatedBy, at: formats.instant(updatedAt) })
            : t('media.welcomeText.about')
        }
      />
      <LastChangeLine lastChange={lastChange} />
      <ResourceView resource={texts} waiting={<PanelSkeleton />}>
        {(currentTexts) => (
          <WelcomeTextForm key={key} current={currentTexts} save={save} onChanged={setChanged} onSaved={remount} />
        )}
      </ResourceView>
    </>
  );
});
export default WelcomeTextScreen;

interface WelcomeTextFormProps {
  readonly current: WelcomeText;
  readonly save: (body: Pick<WelcomeText, 'en' | 'fr' | 'version'>) => Promise<void>;
  readonly onChanged: (changed: boolean) => void;
  readonly onSaved: () => void;
}

const WelcomeTextForm = observer(function WelcomeTextForm({ current, save, onChanged, onSaved }: WelcomeTextFormProps) {
  const t = useText();
  const styles = { ...useAdminStyles(), ...useStyles() };
  const formatFailure = useFormatFailure();
  const { languages } = useService(ProductInfo);
  const { theirs, attempt } = useConflict(current);
  const [initial] = useState(() => ({ en: current.en, fr: current.fr }));
  const form = useForm({
    initial,
    // The server checks the links.
    rules: welcomeTextRules,
    send: async (values) => {
      if (await attempt(({ version }) => save({ ...values, version }))) onSaved();
    },
  });
  const { changed, failure } = form;
  useUnsavedWork(changed, 'media.welcomeText.title');
  useEffect(() => onChanged(changed), [changed, onChanged]);
  return (
    <form className={styles.form} aria-label={t('media.welcomeText.title')} onSubmit={form.submit} noValidate>
      <div role="alert">
        {failure === undefined ? null : (
          <MessageBar intent="error" layout="multiline">
            <MessageBarBody>{formatFailure(failure)}</MessageBarBody>
          </MessageBar>
        )}
      </div>
      <ConflictMessage
        title={t('media.welcomeText.conflict')}
        hint={t('media.notice.conflictHint')}
        differences={theirs && languages.flatMap((language) => theirs[language] || [])}
      />
      {languages.map((language) => (
        <MarkdownField
          key={language}
          label={t(`media.welcomeText.language.${language}`)}
          hint={t('media.welcomeText.hint', { count: maxWelcomeLength })}
          language={language}
          input={form.input(language)}
          field={form.field(language)}
        />
      ))}
      <div className={styles.actions}>
        <Button type="submit" appearance="primary" disabled={form.busy}>
          {t(theirs ? 'media.contact.saveMine' : 'media.contact.save')}
        </Button>
      </div>
    </form>
  );
});
