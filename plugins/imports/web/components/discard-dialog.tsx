import { observer } from 'mobx-react-lite';
import { ConfirmDialog } from '#core/ui-data';
import { useText } from '#core/web';
import type { Import } from '../../contract/api.ts';
import { countCorrections } from '../stores/import-steps.ts';

export interface DiscardDialogProps {
  readonly currentImport: Pick<Import, 'sheets'>;
  /** Label of the confirm button. */
  readonly action: string;
  readonly onConfirm: () => Promise<void>;
  readonly onClose: () => void;
}

/** The corrected cells and the rows left out, as `2 corrected cells, 1 row left out`. Empty if there are none. */
export function formatCorrections(t: ReturnType<typeof useText>, currentImport: Pick<Import, 'sheets'>): string {
  const { cells, rows } = countCorrections(currentImport);
  return [
    ...(cells > 0 ? [t('imports.discard.cells', { count: cells })] : []),
    ...(rows > 0 ? [t('imports.history.count.leftOut', { count: rows })] : []),
  ].join(', ');
}

/** Asks before the files of an import are read again, which discards the corrections of its rows. */
export const DiscardDialog = observer(function DiscardDialog({ currentImport, ...rest }: DiscardDialogProps) {
  const t = useText();
  const { cells, rows } = countCorrections(currentImport);
  return (
    <ConfirmDialog
      title={t('imports.discard.title', { count: cells + rows })}
      message={t('imports.discard.message', { corrections: formatCorrections(t, currentImport) })}
      dismissal={t('imports.discard.keep')}
      {...rest}
    />
  );
});
