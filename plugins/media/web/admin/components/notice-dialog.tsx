import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { instantAt, mandatory, noticeSeverities, wallTimeAt, type NoticeSeverity } from '#core';
import { Checkbox, Field, Input, Select, Textarea, useForm } from '#core/ui';
import { ConflictMessage, FormDialog, useConflict } from '#core/ui-data';
import { Sites, useFormats, useService, useText } from '#core/web';
import { maxNoticeLength, bannerAreas, type Notice, type BannerArea } from '#plugins/media';
import { findNoticeErrors, noticeRules } from '../../../contract/rules.ts';
import type { NoticeMutations } from '../stores/notice-mutations.ts';
import { LocationOptions } from './location-options.tsx';

interface FormValues {
  text: string;
  frenchText: string;
  severity: NoticeSeverity;
  area: BannerArea;
  location: string;
  startsAt: string;
  endsAt: string;
  onLogin: boolean;
}

export interface NoticeDialogProps {
  /** Undefined for a new notice. */
  readonly notice: Notice | undefined;
  readonly mutations: NoticeMutations;
  readonly onClose: () => void;
}

/** Creates a notice or changes it. Its times are in the time zone of its site, or else of the deployment. */
export const NoticeDialog = observer(function NoticeDialog({ notice, mutations, onClose }: NoticeDialogProps) {
  const t = useText();
  const sites = useService(Sites);
  const formats = useFormats(notice?.location ?? undefined);
  const conflict = useConflict<Notice | undefined>(notice);
  // The uid is created once, so that a retry after a lost reply does not create a second notice.
  const [uid] = useState(() => notice?.uid ?? crypto.randomUUID());
  const zoneAt = (location: string): string => sites.recordAt(location === '' ? undefined : location).timeZone;
  const [initial] = useState<FormValues>(() => {
    const zone = zoneAt(notice?.location ?? '');
    return {
      text: notice?.text ?? '',
      frenchText: notice?.frenchText ?? '',
      severity: notice?.severity ?? 'INFO',
      area: notice?.area ?? 'TOP',
      location: notice?.location ?? '',
      startsAt: wallTimeAt(notice ? new Date(notice.startsAt) : new Date(), zone),
      endsAt: notice?.endsAt ? wallTimeAt(new Date(notice.endsAt), zone) : '',
      onLogin: notice?.onLogin ?? false,
    };
  });
  const toBody = ({ location, startsAt, endsAt, frenchText, onLogin, ...values }: FormValues) => {
    const zone = zoneAt(location);
    return {
      ...values,
      frenchText: frenchText.trim() || null,
      location: location || null,
      startsAt: toInstant(startsAt, zone),
      endsAt: endsAt === '' ? null : toInstant(endsAt, zone),
      onLogin: onLogin && location === '',
    };
  };
  const form = useForm<FormValues>({
    initial,
    rules: {
      ...noticeRules,
      severity: [],
      area: [],
      location: [],
      startsAt: [mandatory],
      endsAt: [],
      onLogin: [],
    },
    validateTogether: (values) => findNoticeErrors(toBody(values)),
    send: async (values) => {
      const saved = await conflict.attempt((base) =>
        mutations.save(uid, { ...toBody(values), version: base?.version ?? 0 }),
      );
      if (saved) onClose();
    },
  });
  const location = form.state('location').value;
  const zone = zoneAt(location);
  const { theirs } = conflict;
  return (
    <FormDialog
      title={t(notice ? 'media.notice.edit' : 'media.notice.add')}
      action={t(theirs ? 'media.contact.saveMine' : 'media.contact.save')}
      busy={form.busy}
      failure={form.failure}
      onSubmit={form.submit}
      onClose={onClose}
    >
      <ConflictMessage
        title={t('media.notice.conflict')}
        hint={t('media.notice.conflictHint')}
        differences={
          theirs && [
            theirs.text,
            t(`media.notice.severity.${theirs.severity}`),
            theirs.endsAt === null
              ? t('media.notice.from', { start: formats.instant(theirs.startsAt) })
              : formats.instants(theirs.startsAt, theirs.endsAt),
          ]
        }
      />
      <Field label={t('media.notice.text')} required {...form.field('text')}>
        <Textarea {...form.input('text')} maxLength={maxNoticeLength} rows={3} />
      </Field>
      <Field label={t('media.notice.frenchText')} hint={t('media.notice.frenchTextHint')} {...form.field('frenchText')}>
        <Textarea {...form.input('frenchText')} maxLength={maxNoticeLength} rows={2} />
      </Field>
      <Field label={t('media.notice.severity')} hint={t('media.notice.severityHint')}>
        <Select {...form.input('severity')}>
          {noticeSeverities.map((severity) => (
            <option key={severity} value={severity}>
              {t(`media.notice.severity.${severity}`)}
            </option>
          ))}
        </Select>
      </Field>
      <Field label={t('media.notice.area')}>
        <Select {...form.input('area')}>
          {bannerAreas.map((area) => (
            <option key={area} value={area}>
              {t(`media.notice.area.${area}`)}
            </option>
          ))}
        </Select>
      </Field>
      <Field label={t('media.contact.location')} hint={t('media.notice.locationHint')}>
        <Select {...form.input('location')}>
          <option value="">{t('media.contact.everybody')}</option>
          <LocationOptions />
        </Select>
      </Field>
      <Field
        label={t('media.notice.startsAt')}
        hint={t('media.notice.zoneHint', { zone })}
        required
        {...form.field('startsAt')}
      >
        <Input type="datetime-local" {...form.input('startsAt')} />
      </Field>
      <Field label={t('media.notice.endsAt')} hint={t('media.notice.endsAtHint', { zone })} {...form.field('endsAt')}>
        <Input type="datetime-local" {...form.input('endsAt')} />
      </Field>
      <Checkbox
        {...form.checkbox('onLogin')}
        checked={form.state('onLogin').value && location === ''}
        disabled={form.busy || location !== ''}
        label={t('media.notice.onLogin')}
      />
    </FormDialog>
  );
});

/** Converts a local time to an instant. Returns an invalid text unchanged, so that the rules refuse it. */
function toInstant(wallTime: string, timeZone: string): string {
  const instant = instantAt(wallTime, timeZone);
  return Number.isNaN(instant.getTime()) ? wallTime : instant.toISOString();
}
