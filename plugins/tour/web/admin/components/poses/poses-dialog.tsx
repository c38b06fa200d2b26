import { observer } from 'mobx-react-lite';
import { useLayoutEffect, useMemo } from 'react';
import { MessageBar, MessageBarBody, useForm } from '#core/ui';
import { FileChoice, FormDialog } from '#core/ui-data';
import { Sites, useService, useText, useUnsavedWork } from '#core/web';
import type { TourRef } from '../../stores/content-mutations.ts';
import { headingRules } from '../../stores/field-rules.ts';
import { PoseFileStore, type PosesRefusal } from '../../stores/poses-file/pose-file-store.ts';
import type { ViewpointEditor } from '../../stores/viewpoint-editor.ts';
import { PoseQuestions } from './pose-questions.tsx';
import { PoseReadingFields, type HeadingValues } from './pose-reading-fields.tsx';

export interface PosesDialogProps {
  readonly tour: TourRef;
  readonly editor: ViewpointEditor;
  readonly onClose: () => void;
}

const refusalMessages = {
  orderOpen: 'tour.poses.decideOrder',
  nearOpen: 'tour.poses.nearMissing',
  problems: 'tour.poses.decide',
  farOpen: 'tour.poses.decideFar',
  nothing: 'tour.poses.nothing',
} as const satisfies Readonly<Record<PosesRefusal, string>>;

/** Adds the viewpoints of a pose file, whose columns the person checks. */
export const PosesDialog = observer(function PosesDialog({ tour, editor, onClose }: PosesDialogProps) {
  const t = useText();
  const sites = useService(Sites);
  const store = useMemo(() => new PoseFileStore(editor, sites), [editor, sites]);
  const form = useForm<HeadingValues>({
    initial: { heading: 0 },
    rules: { heading: headingRules },
    send: async () => {
      if (await store.save()) onClose();
    },
  });
  useUnsavedWork(form.busy, 'tour.content.viewpoints');
  const heading = form.state('heading');
  const headingOffset = heading.value ?? 0;
  useLayoutEffect(() => store.set({ headingOffset }), [store, headingOffset]);
  const { file, table, plan, refusal } = store;
  const choose = ([chosenFile]: readonly File[]): void => {
    // The heading for another file does not count.
    if (chosenFile) heading.onChange(0);
    void store.chooseFile(chosenFile);
  };
  return (
    <FormDialog
      wide
      title={t('tour.poses.title')}
      action={
        plan.updated.length === 0
          ? t('tour.poses.add', { count: plan.added.length })
          : t('tour.poses.addAndUpdate', { added: plan.added.length, updated: plan.updated.length })
      }
      busy={form.busy}
      failure={form.failure}
      onSubmit={form.submit}
      onClose={onClose}
    >
      {store.isRefused && refusal !== undefined ? (
        <div role="alert">
          <MessageBar intent="error" layout="multiline">
            <MessageBarBody>{t(refusalMessages[refusal])}</MessageBarBody>
          </MessageBar>
        </div>
      ) : null}
      <FileChoice
        files={file ? [file] : []}
        accept=".csv,.txt,.tsv"
        disabled={form.busy}
        hint={t('tour.poses.fileHint')}
        onChange={choose}
      />
      {file && table.rows.length === 0 ? (
        <MessageBar intent="error" layout="multiline">
          <MessageBarBody>{t('tour.poses.empty')}</MessageBarBody>
        </MessageBar>
      ) : null}
      {table.rows.length === 0 ? null : (
        <>
          <PoseReadingFields store={store} form={form} location={tour.location} />
          <PoseQuestions store={store} decks={editor.content.decks} location={tour.location} />
        </>
      )}
    </FormDialog>
  );
});
