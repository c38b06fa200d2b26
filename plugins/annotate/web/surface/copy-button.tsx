import { useEffect, useState } from 'react';
import { Button } from '#core/ui';
import { useText } from '#core/web';

const shownTime = 3_000;

/** Copies a text and says so; nothing where the page may not (it is not secure). */
export function CopyButton({ label, text }: { readonly label: string; readonly text: () => string }) {
  const t = useText();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return undefined;
    const timer = setTimeout(() => setCopied(false), shownTime);
    return () => clearTimeout(timer);
  }, [copied]);
  if (!navigator.clipboard) return null;
  const copy = (): void => {
    navigator.clipboard.writeText(text()).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  };
  return (
    <Button size="small" appearance="subtle" onClick={copy} aria-live="polite">
      {copied ? t('annotate.copied') : label}
    </Button>
  );
}
