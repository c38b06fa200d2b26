import { useCallback, useEffect, useState, type ComponentProps } from 'react';
import { Button } from '#core/ui';
import { useText } from '#core/web';

/** How long the outcome stands in place of the label. */
const outcomeMs = 3_000;

/**
 * Copies a link and says whether it worked. Renders nothing on an insecure page, which has no clipboard; people then
 * copy the address by hand.
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
  const [outcome, setOutcome] = useState<'tour.shareCopied' | 'tour.shareNotCopied'>();
  useEffect(() => {
    if (!outcome) return undefined;
    const timer = setTimeout(() => setOutcome(undefined), outcomeMs);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = useCallback(
    (): Promise<void> => navigator.clipboard.writeText(link).then(() => setOutcome('tour.shareCopied')),
    [link],
  );
  useEffect(() => {
    // Some browsers permit it only after a click.
    if (copiesAtOnce && navigator.clipboard) copy().catch(() => undefined);
  }, [copiesAtOnce, copy]);
  if (!navigator.clipboard) return null;
  return (
    <>
      <Button {...button} onClick={() => void copy().catch(() => setOutcome('tour.shareNotCopied'))}>
        {t(outcome ?? 'tour.shareCopy')}
      </Button>
      <span role="status" style={{ position: 'absolute', clipPath: 'inset(50%)' }}>
        {outcome ? t(outcome) : ''}
      </span>
    </>
  );
}
