import { observer } from 'mobx-react-lite';
import { useEffect, useState } from 'react';
import { routeUrl } from '#core';
import { Button, Field, PageTitle, Radio, RadioGroup, Select } from '#core/ui';
import { useAdminStyles } from '#core/ui-data';
import { I18n, Locations, Navigation, useService, useText } from '#core/web';
import { importModes, importWorkbench, type ImportKindInfo } from '../../contract/index.ts';
import { findMissingFiles } from '../stores/missing-files.ts';
import { useFollowingWorkbooks } from '../stores/use-following-workbooks.ts';
import { useImportParams } from '../stores/use-import-params.ts';
import { FilesField } from './files-field.tsx';
import { FollowingFiles } from './following-files.tsx';
import { StepBar } from './step-bar.tsx';
import { WorkbookButtons } from './workbook-buttons.tsx';
import { useImportSession } from '../stores/use-import-session.ts';

export interface NewImportFormProps {
  /** The kinds to choose from. */
  readonly kinds: readonly ImportKindInfo[];
  readonly allKinds: readonly ImportKindInfo[];
}

/** The first step: kind, site, mode and files. The URL has the choices, and `ImportDrafts` has the files. */
export const NewImportForm = observer(function NewImportForm(props: NewImportFormProps) {
  const params = useImportParams();
  const kind = props.kinds.find(({ id }) => id === params.get('kind')) ?? props.kinds[0];
  return kind === undefined ? null : <ImportForm {...props} kind={kind} />;
});

const ImportForm = observer(function ImportForm({
  kind,
  kinds,
  allKinds,
}: NewImportFormProps & { readonly kind: ImportKindInfo }) {
  const t = useText();
  const styles = useAdminStyles();
  const params = useImportParams();
  const { language } = useService(I18n);
  const navigation = useService(Navigation);
  const { drafts, uploads } = useImportSession();
  const locations = useService(Locations);
  const [reportMissing, setReportMissing] = useState(false);
  useEffect(() => {
    void locations.load();
  }, [locations]);
  const needsSite = kind.scope === 'SITE';
  const site = needsSite ? (locations.find(params.get('site') ?? '') ?? locations.roots[0]) : undefined;
  const canReplace = kind.sheets.some(({ removable }) => removable);
  const mode = importModes.find((each) => canReplace && each === params.get('mode')) ?? 'UPSERT';
  const isSiteMissing = needsSite && site === undefined;
  const following = useFollowingWorkbooks({ kind: kind.id, site: site?.uid, mode }, allKinds);
  const isLoading = following.resource.value === undefined || (needsSite && locations.state === 'loading');
  const send = (): void => {
    setReportMissing(true);
    if (isSiteMissing || findMissingFiles(kind, drafts.files).length > 0 || drafts.files.length === 0) return;
    if (following.isRequiredMissing()) return;
    const uid = crypto.randomUUID();
    const newImport = { uid, kind: kind.id, mode, ...(site ? { site: site.uid } : {}) };
    void uploads.send(newImport, drafts.files, following.takeFollowingImports(uid));
    drafts.setFiles([]);
    navigation.goToUrl(routeUrl(importWorkbench, { batch: uid }));
  };
  return (
    <>
      <PageTitle title={t('imports.new.title', { kind: kind.title[language] })} hint={t('imports.new.hint')} />
      <StepBar step="files" isOpen={(step) => step === 'files'} onChoose={() => undefined} />
      <div className={styles.card}>
        <Field label={t('imports.new.kind')} className={styles.choice}>
          <Select value={kind.id} onChange={(_, { value }) => params.set({ kind: value })}>
            {kinds.map(({ id, title }) => (
              <option key={id} value={id}>
                {title[language]}
              </option>
            ))}
          </Select>
        </Field>
        {needsSite ? (
          <Field
            label={t('imports.new.site')}
            required
            className={styles.choice}
            {...(reportMissing && isSiteMissing
              ? { validationState: 'error', validationMessage: t('imports.new.siteNeeded') }
              : {})}
          >
            <Select
              value={site?.uid ?? ''}
              disabled={locations.state === 'loading'}
              onChange={(_, { value }) => params.set({ site: value })}
            >
              {locations.roots.map(({ uid, name }) => (
                <option key={uid} value={uid}>
                  {name}
                </option>
              ))}
            </Select>
          </Field>
        ) : null}
        <div>
          <WorkbookButtons kind={kind.id} site={site?.uid} disabled={isSiteMissing} />
        </div>
        {canReplace ? (
          <Field label={t('imports.new.mode')}>
            <RadioGroup value={mode} onChange={(_, { value }) => params.set({ mode: value })}>
              {importModes.map((each) => (
                <Radio key={each} value={each} label={t(`imports.mode.${each}`)} />
              ))}
            </RadioGroup>
          </Field>
        ) : null}
        <FilesField
          kind={kind}
          files={drafts.files}
          reportMissing={reportMissing}
          onChange={(files) => drafts.setFiles(files)}
        />
        <FollowingFiles following={following} allKinds={allKinds} reportMissing={reportMissing} />
        <div className={styles.actions}>
          <Button appearance="primary" disabledFocusable={isLoading} onClick={send}>
            {t('imports.files.upload')}
          </Button>
        </div>
      </div>
    </>
  );
});
