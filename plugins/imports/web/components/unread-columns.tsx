import { observer } from 'mobx-react-lite';
import { useAdminStyles } from '#core/ui-data';
import { I18n, useService, useText } from '#core/web';
import type { ImportSheetInfo, ImportSheetState } from '../../contract/api.ts';
import type { ListedConstant } from '../stores/list-constants.ts';
import type { ColumnChoice } from '../stores/import-drafts.ts';

export interface UnreadColumnsProps {
  readonly sheetInfo: ImportSheetInfo;
  readonly sheet: ImportSheetState;
  readonly choice: ColumnChoice;
  readonly constants: readonly ListedConstant[];
}

/** Names the optional columns that the file lacks, and the columns of the file that are not read. */
export const UnreadColumns = observer(function UnreadColumns({
  sheetInfo,
  sheet,
  choice,
  constants,
}: UnreadColumnsProps) {
  const t = useText();
  const admin = useAdminStyles();
  const { language } = useService(I18n);
  const chosenColumns = new Set([...Object.values(choice), ...constants.map(({ column }) => column.id)]);
  const lackingColumns = sheetInfo.columns.filter(
    ({ id, required, key }) => !required && !key && !chosenColumns.has(id),
  );
  const unreadHeaders = sheet.headers.filter(({ header }) => header !== '' && (choice[header] ?? null) === null);
  const sentences = [
    ...(lackingColumns.length === 0
      ? []
      : [t('imports.columns.lacking', { names: lackingColumns.map(({ header }) => header[language]).join(', ') })]),
    ...(unreadHeaders.length === 0
      ? []
      : [t('imports.columns.unread', { names: unreadHeaders.map(({ header }) => header).join(', ') })]),
  ];
  return sentences.length === 0 ? null : <p className={admin.note}>{sentences.join(' ')}</p>;
});
