import { useCallback, useEffect, useState, type ComponentProps } from 'react';
import { Button } from '#core/ui';
import { useText } from '#core/web';

const confirmationMs = 3_000;

/**
 * Copies a link and confirms it. Renders nothing on an insecure page, which has no clipboard; people then copy the
 * address by hand.
 */
export function CopyLinkButton({
  link,
  copiesAtOnce = false,
  ...button
}: {
  readonly link: string;
  /** Also copies the link when the button appears, if the browser permits it. */
  readonly copiesAtOnce?: boolean;
} & Pick<ComponentProps<typeof Button>, 'ref' | 'appearance' | 'className' | 'icon'>) {
  const t = useText();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return undefined;
    const timer = setTimeout(() => setCopied(false), confirmationMs);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = useCallback((): void => {
    navigator.clipboard?.writeText(link).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  }, [link]);
  useEffect(() => {
    if (copiesAtOnce) copy();
  }, [copiesAtOnce, copy]);
  if (!navigator.clipboard) return null;
  return (
    <>
      <Button {...button} onClick={copy}>
        {t(copied ? 'tour.shareCopied' : 'tour.shareCopy')}
      </Button>
      <span role="status" style={{ position: 'absolute', clipPath: 'inset(50%)' }}>
        {copied ? t('tour.shareCopied') : ''}
      </span>
    </>
  );
}
