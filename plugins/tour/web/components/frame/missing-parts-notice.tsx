import { useEffect, useEffectEvent } from 'react';
import { observer } from 'mobx-react-lite';
import { I18n, Notifications, useService, useText } from '#core/web';
import { TourStore, type MissingPart } from '#plugins/tour';

const noticeId = 'tour.missingParts';

/** Notifies the person about parts of the opened link that could not be restored. */
export const MissingPartsNotice = observer(function MissingPartsNotice() {
  const t = useText();
  const notifications = useService(Notifications);
  const { language } = useService(I18n);
  const { missingParts } = useService(TourStore);
  const show = useEffectEvent((parts: readonly MissingPart[]) => {
    const names = new Set(parts.map(({ message, values }) => t(message, values)));
    notifications.show({
      id: noticeId,
      kind: 'warning',
      area: 'top',
      message: 'tour.link.incomplete',
      values: { parts: new Intl.ListFormat(language, { type: 'unit' }).format(names) },
      dismissable: true,
    });
  });
  useEffect(() => {
    if (missingParts.length > 0) show(missingParts);
  }, [missingParts]);
  useEffect(() => () => notifications.dismiss(noticeId), [notifications]);
  return null;
});
