import { Button, MessageBar, MessageBarActions, MessageBarBody } from '#core/ui';
import { useText } from '#core/web';

export interface GoneMessageProps {
  readonly onClose: () => void;
}

/** Says that what the person was editing is no longer there. */
export function GoneMessage({ onClose }: GoneMessageProps) {
  const t = useText();
  return (
    <MessageBar intent="warning" layout="multiline">
      <MessageBarBody>{t('tour.content.gone')}</MessageBarBody>
      <MessageBarActions>
        <Button onClick={onClose}>{t('tour.content.close')}</Button>
      </MessageBarActions>
    </MessageBar>
  );
}
