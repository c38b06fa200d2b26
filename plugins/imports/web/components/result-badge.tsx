import { Badge } from '#core/ui';
import { useText } from '#core/web';
import type { ImportSummary } from '../../contract/api.ts';
import { getOutcome } from '../stores/import-outcome.ts';

const outcomeColors = {
  SUCCESS: 'success',
  WARNING: 'warning',
  FAILED: 'danger',
  UNDONE: 'informative',
  UNDONE_IN_PART: 'warning',
} as const;

export interface ResultBadgeProps {
  readonly shownImport: Pick<ImportSummary, 'phase' | 'result' | 'undone' | 'undoneInPart'>;
  readonly size?: 'large';
  readonly className?: string;
}

/** The result of an import, or its phase before that. */
export function ResultBadge({ shownImport, ...badge }: ResultBadgeProps) {
  const t = useText();
  const outcome = getOutcome(shownImport);
  return (
    <Badge {...badge} appearance="tint" color={outcome === null ? 'informative' : outcomeColors[outcome]}>
      {t(`imports.result.${outcome ?? shownImport.phase}`)}
    </Badge>
  );
}
