import { observer } from 'mobx-react-lite';
import { Button, MessageBar, MessageBarActions, MessageBarBody } from '#core/ui';
import { useFormatFailure, useFormats, useText, useUnsavedWork } from '#core/web';
import { useSiteLengths } from '../../stores/site-lengths.ts';
import type { ViewpointEditor } from '../../stores/viewpoint-editor.ts';

export interface UnsavedPosesProps {
  readonly editor: ViewpointEditor;
}

/** Shows why moved viewpoints are not saved, with buttons to save or discard them. */
export const UnsavedPoses = observer(function UnsavedPoses({ editor }: UnsavedPosesProps) {
  const t = useText();
  const formats = useFormats();
  const lengths = useSiteLengths(editor.location);
  const formatFailure = useFormatFailure();
  const { theirs, failure, saving } = editor;
  useUnsavedWork(editor.drafts.size > 0, 'tour.content');
  const reason = theirs
    ? t('tour.content.poseConflict', {
        code: theirs.code,
        east: lengths.coordinate(theirs.position[0]),
        north: lengths.coordinate(theirs.position[1]),
        up: lengths.coordinate(theirs.position[2]),
        unit: lengths.symbol,
        heading: formats.number(theirs.heading, 2),
      })
    : failure === undefined
      ? undefined
      : t('tour.content.poseFailed', { reason: formatFailure(failure) });
  return (
    <div role="alert">
      {reason === undefined ? null : (
        <MessageBar intent="warning" layout="multiline">
          <MessageBarBody>{reason}</MessageBarBody>
          <MessageBarActions>
            <Button disabledFocusable={saving} onClick={() => void editor.save()}>
              {t(theirs ? 'tour.content.saveMine' : 'tour.content.saveAgain')}
            </Button>
            <Button onClick={() => editor.discard()}>{t('tour.content.discard')}</Button>
          </MessageBarActions>
        </MessageBar>
      )}
    </div>
  );
});
