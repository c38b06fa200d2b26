import { observer } from 'mobx-react-lite';
import { ToolButton } from '#core/ui';
import { useService, useText } from '#core/web';
import { PanoramaChoices } from '../stores/panorama-choices.ts';

/** Shows or hides the pins of tags and lines, but not hotspots. */
const PinsTool = observer(function PinsTool() {
  const t = useText();
  const choices = useService(PanoramaChoices);
  const { showsTags } = choices;
  return (
    <ToolButton
      label={t(showsTags ? 'vr.hideTags' : 'vr.showTags')}
      pressed={showsTags}
      onClick={() => choices.setShowsTags(!showsTags)}
      icon={
        <svg
          viewBox="0 0 20 20"
          width="20"
          height="20"
          fill="none"
          stroke="currentColor"
          strokeWidth="1.5"
          aria-hidden="true"
        >
          <path d="M10 17s5-4.7 5-8.5a5 5 0 0 0-10 0c0 3.8 5 8.5 5 8.5Z" />
          {showsTags ? <circle cx="10" cy="8.5" r="1.8" fill="currentColor" /> : <path d="M3 3 17 17" />}
        </svg>
      }
    />
  );
});
export default PinsTool;
