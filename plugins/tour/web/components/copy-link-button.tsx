import { useEffect, type ComponentProps } from 'react';
import { Button, useClipboard } from '#core/ui';
import { useText } from '#core/web';

const outcomes = { copied: 'tour.shareCopied', failed: 'tour.shareNotCopied' } as const;

/**
 * Copies a link and shows whether it worked. Renders nothing on an insecure page, which has no access to the clipboard.
 */
export function CopyLinkButton({
  link,
  copiesAtOnce = false,
  ...buttonProps
}: {
  readonly link: string;
  /** Also copies the link when the button appears, if the browser permits this. */
  readonly copiesAtOnce?: boolean;
} & Pick<ComponentProps<typeof Button>, 'ref' | 'appearance' | 'className' | 'icon'>) {
  const t = useText();
  const { available, outcome, copy } = useClipboard();
  useEffect(() => {
    if (copiesAtOnce) copy(link, { quiet: true });
  }, [copiesAtOnce, copy, link]);
  if (!available) return null;
  return (
    <>
      <Button {...buttonProps} onClick={() => copy(link)}>
        {t(outcome ? outcomes[outcome] : 'tour.shareCopy')}
      </Button>
      <span role="status" style={{ position: 'absolute', clipPath: 'inset(50%)' }}>
        {outcome ? t(outcomes[outcome]) : ''}
      </span>
    </>
  );
}
