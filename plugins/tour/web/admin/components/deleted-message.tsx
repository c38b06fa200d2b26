import { Button, MessageBar, MessageBarActions, MessageBarBody } from '#core/ui';
import { useText } from '#core/web';

export interface DeletedMessageProps {
  readonly onClose: () => void;
}

/** Shows that the edited record was deleted. */
export function DeletedMessage({ onClose }: DeletedMessageProps) {
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
