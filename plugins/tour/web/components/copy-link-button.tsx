import { useEffect, useState, type ComponentProps } from 'react';
import { Button } from '#core/ui';
import { useText } from '#core/web';

const confirmationMs = 3_000;

/**
 * Copies a link and confirms it. Renders nothing on an insecure page, which has no clipboard; people then copy the
 * address by hand.
 */
export function CopyLinkButton({
  link,
  ...button
}: { readonly link: string } & Pick<ComponentProps<typeof Button>, 'ref' | 'appearance' | 'className' | 'icon'>) {
  const t = useText();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return undefined;
    const timer = setTimeout(() => setCopied(false), confirmationMs);
    return () => clearTimeout(timer);
  }, [copied]);
  if (!navigator.clipboard) return null;
  const copy = (): void => {
    navigator.clipboard.writeText(link).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  };
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
