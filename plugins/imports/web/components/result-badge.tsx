import { Badge } from '#core/ui';
import { useText } from '#core/web';
import type { ImportSummary } from '../../contract/api.ts';

const resultColors = { SUCCESS: 'success', WARNING: 'warning', FAILED: 'danger' } as const;

export interface ResultBadgeProps {
  readonly shownImport: Pick<ImportSummary, 'phase' | 'result' | 'undone' | 'undoneInPart'>;
  readonly size?: 'large';
  readonly className?: string;
}

/** The result of an import, or its phase before that. */
export function ResultBadge({ shownImport: { phase, result, undone, undoneInPart }, ...badge }: ResultBadgeProps) {
  const t = useText();
  if (undone)
    return (
      <Badge {...badge} appearance="tint" color={undoneInPart ? 'warning' : 'informative'}>
        {t(undoneInPart ? 'imports.result.UNDONE_IN_PART' : 'imports.result.UNDONE')}
      </Badge>
    );
  return (
    <Badge {...badge} appearance="tint" color={result === null ? 'informative' : resultColors[result]}>
      {t(`imports.result.${result ?? phase}`)}
    </Badge>
  );
}
