import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { Button, MessageBar, MessageBarBody } from '#core/ui';
import { useAdminStyles } from '#core/ui-data';
import { HttpClient, I18n, useFormatFailure, useService, useText } from '#core/web';
import type { createWorkbook } from '../../contract/api.ts';
import { downloadFile } from '../stores/download-file.ts';

export interface WorkbookButtonsProps {
  readonly kind: string;
  readonly site: string | undefined;
  readonly disabled: boolean;
}

/** Downloads the template of a kind, or the current data of the product in the same layout. */
export const WorkbookButtons = observer(function WorkbookButtons({ kind, site, disabled }: WorkbookButtonsProps) {
  const t = useText();
  const styles = useAdminStyles();
  const formatFailure = useFormatFailure();
  const http = useService(HttpClient);
  const { language } = useService(I18n);
  const [state, setState] = useState<{ readonly busy: boolean; readonly failure?: unknown }>({ busy: false });
  const download = async (withRows: boolean): Promise<void> => {
    setState({ busy: true });
    try {
      const file = await http.call<typeof createWorkbook>('POST', '/api/imports/kinds/:kind/workbook', {
        params: { kind },
        body: { language, rows: withRows, ...(site === undefined ? {} : { site }) },
      });
      downloadFile(file);
      setState({ busy: false });
    } catch (failure) {
      setState({ busy: false, failure });
    }
  };
  return (
    <>
      <div className={styles.actions}>
        <Button disabled={disabled || state.busy} onClick={() => void download(false)}>
          {t('imports.files.template')}
        </Button>
        <Button disabled={disabled || state.busy} onClick={() => void download(true)}>
          {t('imports.files.today')}
        </Button>
      </div>
      <p className={styles.note}>{t('imports.files.sameLayout')}</p>
      {state.failure === undefined ? null : (
        <MessageBar intent="error" layout="multiline">
          <MessageBarBody>{formatFailure(state.failure)}</MessageBarBody>
        </MessageBar>
      )}
    </>
  );
});
