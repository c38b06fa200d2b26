import { useState, type FormEvent } from 'react';
import { observer } from 'mobx-react-lite';
import { Button, Field, Input, makeStyles, Select, Textarea } from '#core/ui';
import { useFormatFailure, useService, useText } from '#core/web';
import { TourStore } from '#plugins/tour';
import { markerPanel } from '#plugins/vr';
import type { MarkerFile, MarkerKind } from '#plugins/vr';
import type { MarkerDraft } from '../stores/marker-draft.ts';
import { markerLayer, MarkerStore } from '../stores/marker-store.ts';

const useStyles = makeStyles({
  form: { display: 'grid', gap: '12px' },
  row: { display: 'flex', flexWrap: 'wrap', gap: '8px' },
});

const kinds: readonly MarkerKind[] = ['NOTE', 'DOCUMENT', 'TAG', 'HOTSPOT'];

/** Form for the name, kind, text and target of a marker. */
export const MarkerForm = observer(function MarkerForm({ draft }: { readonly draft: MarkerDraft }) {
  const styles = useStyles();
  const t = useText();
  const formatFailure = useFormatFailure();
  const store = useService(TourStore);
  const markers = useService(MarkerStore);
  const { original, fields } = draft;
  const [kind, setKind] = useState<MarkerKind>(fields?.kind ?? original?.kind ?? 'NOTE');
  const [name, setName] = useState(fields?.name ?? original?.name ?? '');
  const [text, setText] = useState(fields?.text ?? original?.text ?? '');
  const [target, setTarget] = useState(fields?.target ?? original?.target ?? '');
  const [file, setFile] = useState<MarkerFile | undefined>(fields ? fields.file : (original?.file ?? undefined));
  const [sending, setSending] = useState<'file' | 'marker'>();
  const [failureMessage, setFailureMessage] = useState<string>();
  const [showsProblems, setShowsProblems] = useState(false);

  const trimmedTarget = target.trim();
  const findTargetProblem = (): string | undefined => {
    if (kind === 'NOTE' || (kind === 'DOCUMENT' && file)) return undefined;
    if (trimmedTarget === '') return t(`vr.marker.targetMissing.${kind}`);
    const isHttpsUrl = /^https:\/\/\S+$/.test(trimmedTarget);
    return kind === 'DOCUMENT' && !isHttpsUrl ? t('vr.marker.addressWrong') : undefined;
  };
  const problems = {
    name: name.trim() === '' ? t('vr.marker.nameMissing') : undefined,
    target: findTargetProblem(),
  };
  const upload = async (selectedFile: File | undefined): Promise<void> => {
    if (!selectedFile) return;
    setSending('file');
    setFailureMessage(undefined);
    try {
      setFile(await markers.upload(draft.location, selectedFile));
      if (name.trim() === '') setName(selectedFile.name.replace(/\.[^.]+$/, '').slice(0, 120));
    } catch (error) {
      setFailureMessage(formatFailure(error));
    }
    setSending(undefined);
  };
  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setShowsProblems(true);
    if (problems.name ?? problems.target) return;
    setSending('marker');
    setFailureMessage(undefined);
    try {
      const savedMarker = await markers.save({
        kind,
        name: name.trim(),
        text: text.trim(),
        target: kind === 'NOTE' || (kind === 'DOCUMENT' && file) ? null : trimmedTarget,
        file: kind === 'DOCUMENT' ? (file?.id ?? null) : null,
      });
      store.setLayer(markerLayer, savedMarker.uid);
      store.setPanel(markerPanel);
    } catch (error) {
      setFailureMessage(formatFailure(error));
      setSending(undefined);
    }
  };
  const editPoints = (): void => {
    draft.fields = { kind, name, text, target, file };
    draft.setPlacing(true);
  };
  const toFieldState = (problem: string | undefined) =>
    showsProblems && problem ? { validationMessage: problem, validationState: 'error' as const } : {};
  return (
    <form className={styles.form} noValidate onSubmit={(event) => void save(event)}>
      <Field label={t('vr.marker.kind')}>
        <Select value={kind} onChange={(_, { value }) => setKind(kinds.find((option) => option === value) ?? 'NOTE')}>
          {kinds.map((option) => (
            <option key={option} value={option}>
              {t(`vr.marker.kind.${option}`)}
            </option>
          ))}
        </Select>
      </Field>
      <Field label={t('vr.marker.name')} required {...toFieldState(problems.name)}>
        <Input value={name} maxLength={120} onChange={(_, { value }) => setName(value)} />
      </Field>
      {kind === 'TAG' ? (
        <Field label={t('vr.marker.tagNumber')} required {...toFieldState(problems.target)}>
          <Input value={target} maxLength={120} onChange={(_, { value }) => setTarget(value)} />
        </Field>
      ) : null}
      {kind === 'HOTSPOT' ? (
        <Field label={t('vr.marker.leadsTo')} required {...toFieldState(problems.target)}>
          <Select value={target} onChange={(_, { value }) => setTarget(value)}>
            <option value="">{t('vr.marker.choosePlace')}</option>
            {store.nodes.map(({ uid, name: nodeName }) => (
              <option key={uid} value={uid}>
                {nodeName}
              </option>
            ))}
          </Select>
        </Field>
      ) : null}
      {kind === 'DOCUMENT' ? (
        <>
          <Field
            label={t('vr.marker.upload')}
            hint={file ? t('vr.marker.uploaded', { name: file.name }) : t('vr.marker.uploadHint')}
          >
            <input
              type="file"
              accept="application/pdf,image/jpeg,image/png,image/webp"
              disabled={sending !== undefined}
              onChange={(event) => void upload(event.target.files?.[0])}
            />
          </Field>
          {file ? (
            <Button onClick={() => setFile(undefined)}>{t('vr.marker.useAddress')}</Button>
          ) : (
            <Field label={t('vr.marker.address')} {...toFieldState(problems.target)}>
              <Input
                type="url"
                value={target}
                maxLength={500}
                placeholder="https://"
                onChange={(_, { value }) => setTarget(value)}
              />
            </Field>
          )}
        </>
      ) : null}
      <Field label={t('vr.marker.text')}>
        <Textarea
          value={text}
          maxLength={2000}
          rows={4}
          resize="vertical"
          onChange={(_, { value }) => setText(value)}
        />
      </Field>
      {failureMessage === undefined ? null : (
        <div role="alert">{t('vr.marker.refused', { reason: failureMessage })}</div>
      )}
      <div className={styles.row}>
        <Button type="submit" appearance="primary" disabled={sending !== undefined}>
          {t(sending === 'file' ? 'vr.marker.uploading' : 'vr.marker.save')}
        </Button>
        <Button disabled={sending !== undefined} onClick={editPoints}>
          {t(draft.shape === 'POINT' ? 'vr.marker.move' : 'vr.marker.reshape')}
        </Button>
        <Button appearance="subtle" onClick={() => markers.cancel()}>
          {t('vr.marker.cancel')}
        </Button>
      </div>
    </form>
  );
});
