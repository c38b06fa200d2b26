import type { ReactElement } from 'react';
import { useClipboard } from '#core/ui';
import { useText } from '#core/web';
import { IconButton } from './icon-button.tsx';
import { DoneIcon } from './icons.tsx';

const outcomes = { copied: 'annotate.copied', failed: 'annotate.notCopied' } as const;

/** Copies a text and says whether it worked. Renders nothing in an insecure context, which has no clipboard. */
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
  const { available, outcome, copy } = useClipboard();
  if (!available) return null;
  return (
    <span aria-live="polite">
      <IconButton
        label={outcome ? t(outcomes[outcome]) : label}
        icon={outcome === 'copied' ? <DoneIcon /> : icon}
        onClick={() => copy(getText())}
      />
    </span>
  );
}
