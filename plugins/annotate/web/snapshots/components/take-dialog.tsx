import { useId, useState, type FormEvent } from 'react';
import { observer } from 'mobx-react-lite';
import {
  Button,
  Dialog,
  DialogActions,
  DialogBody,
  DialogContent,
  DialogSurface,
  DialogTitle,
  Field,
  Input,
  LoadingState,
  makeStyles,
  Radio,
  RadioGroup,
  Switch,
  Textarea,
  tokens,
  useRestoreFocus,
} from '#core/ui';
import { useContributions, useService, useText } from '#core/web';
import { tourModules } from '#plugins/tour';
import { SnapshotStore } from '../stores/snapshot-store.ts';
import type { SnapshotDraft } from '../stores/snapshot-draft.ts';

const useStyles = makeStyles({
  form: { display: 'grid', gap: '12px' },
  // Over the whole width, because long labels do not fit into the default half.
  actions: { gridColumnStart: 1, flexWrap: 'wrap', justifyContent: 'flex-end' },
  frame: {
    display: 'grid',
    alignItems: 'center',
    justifyItems: 'center',
    minHeight: '120px',
    height: 'min(300px, 34vh)',
    borderRadius: tokens.borderRadiusLarge,
    overflow: 'hidden',
    backgroundColor: tokens.colorNeutralBackground3,
  },
  picture: { maxWidth: '100%', maxHeight: '100%', objectFit: 'contain', minHeight: 0 },
  failed: { margin: 0, padding: '16px', textAlign: 'center', color: tokens.colorPaletteRedForeground1 },
});

const wholeScreen = 'WHOLE';

export interface TakeDialogProps {
  readonly snapshotDraft: SnapshotDraft;
  /** The button that gets the focus when the dialog closes. */
  readonly button: HTMLElement | null;
}

/** Shows a preview of a snapshot and asks for its name and the views to save. */
export const TakeDialog = observer(function TakeDialog({ snapshotDraft, button }: TakeDialogProps) {
  useRestoreFocus(button);
  const styles = useStyles();
  const t = useText();
  const snapshotStore = useService(SnapshotStore);
  const modules = useContributions(tourModules);
  const formId = useId();
  const [name, setName] = useState('');
  const [text, setText] = useState('');
  const [shared, setShared] = useState(false);
  const [submitted, setSubmitted] = useState(false);
  const { state, preview, half, includesMarks, marks } = snapshotDraft;
  const isNameEmpty = name.trim() === '';
  const getModuleTitle = (module: string): string => {
    const tourModule = modules.find(({ id }) => id === module);
    return tourModule ? t(tourModule.title) : t('annotate.half');
  };
  const save = (createsSheet: boolean): void => {
    setSubmitted(true);
    if (!isNameEmpty) snapshotStore.save({ name, text, shared, createsSheet });
  };
  const handleSubmit = (event: FormEvent): void => {
    event.preventDefault();
    save(false);
  };
  return (
    <Dialog open onOpenChange={(_, { open }) => (open ? undefined : snapshotStore.discard())}>
      <DialogSurface>
        <DialogBody>
          <DialogTitle>{t('annotate.takeSnapshot')}</DialogTitle>
          <DialogContent>
            <form id={formId} className={styles.form} noValidate onSubmit={handleSubmit}>
              <div className={styles.frame}>
                {state === 'failed' ? (
                  <p className={styles.failed} role="alert">
                    {t('annotate.pictureFailed')}
                  </p>
                ) : preview ? (
                  <img className={styles.picture} src={preview.url} alt={t('annotate.preview')} />
                ) : (
                  <LoadingState label={t('annotate.taking')} />
                )}
              </div>
              {/* The name is first, because the dialog focuses its first field. */}
              <Field
                label={t('annotate.name')}
                required
                {...(submitted && isNameEmpty
                  ? { validationState: 'error', validationMessage: t('annotate.nameNeeded') }
                  : {})}
              >
                <Input
                  maxLength={120}
                  value={name}
                  placeholder={t('annotate.nameHint')}
                  onChange={(_, { value }) => setName(value)}
                />
              </Field>
              {snapshotDraft.modules.length > 1 ? (
                <Field label={t('annotate.part')}>
                  <RadioGroup
                    layout="horizontal"
                    value={half ?? wholeScreen}
                    onChange={(_, { value }) => snapshotDraft.setHalf(value === wholeScreen ? undefined : value)}
                  >
                    <Radio value={wholeScreen} label={t('annotate.bothHalves')} />
                    {snapshotDraft.modules.map((module) => (
                      <Radio key={module} value={module} label={getModuleTitle(module)} />
                    ))}
                  </RadioGroup>
                </Field>
              ) : null}
              <Field label={t('annotate.remark')}>
                <Textarea maxLength={2000} value={text} onChange={(_, { value }) => setText(value)} />
              </Field>
              {marks.length > 0 ? (
                <Switch
                  checked={includesMarks}
                  label={t('annotate.burnMarks', { count: marks.length })}
                  onChange={(_, { checked }) => snapshotDraft.setIncludesMarks(checked)}
                />
              ) : null}
              <Switch
                checked={shared}
                label={t('annotate.sharedSnapshot')}
                onChange={(_, { checked }) => setShared(checked)}
              />
            </form>
          </DialogContent>
          <DialogActions className={styles.actions}>
            <Button onClick={() => snapshotStore.discard()}>{t('annotate.discard')}</Button>
            {state === 'failed' ? (
              <Button appearance="primary" onClick={() => snapshotStore.take()}>
                {t('annotate.takeAgain')}
              </Button>
            ) : (
              <>
                <Button disabled={state !== 'ready'} onClick={() => save(true)}>
                  {t('annotate.saveWithPdf')}
                </Button>
                <Button appearance="primary" type="submit" form={formId} disabled={state !== 'ready'}>
                  {t('annotate.save')}
                </Button>
              </>
            )}
          </DialogActions>
        </DialogBody>
      </DialogSurface>
    </Dialog>
  );
});
