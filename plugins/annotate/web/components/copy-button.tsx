import { useEffect, useState, type ReactElement } from 'react';
import { useText } from '#core/web';
import { IconButton } from './icon-button.tsx';
import { DoneIcon } from './icons.tsx';

const confirmationMs = 3_000;

/** Copies a text and confirms it. Renders nothing in an insecure context, which has no clipboard. */
export function CopyButton({
  label,
  icon,
  getText,
}: {
  readonly label: string;
  readonly icon: ReactElement;
  readonly getText: () => string;
}) {
  const t = useText();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return undefined;
    const timer = setTimeout(() => setCopied(false), confirmationMs);
    return () => clearTimeout(timer);
  }, [copied]);
  if (!navigator.clipboard) return null;
  const copy = (): void => {
    navigator.clipboard.writeText(getText()).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  };
  return (
    <span aria-live="polite">
      <IconButton label={copied ? t('annotate.copied') : label} icon={copied ? <DoneIcon /> : icon} onClick={copy} />
    </span>
  );
}
