import { useEffect, useState } from 'react';
import { useAdminStyles, useSourceSystemFormatter } from '#core/ui-data';
import { HttpClient, useService, useText } from '#core/web';
import type { describeHeader } from '../../../contract/api/cloud.ts';
import { readHead } from './read-head.ts';

type Header = Awaited<ReturnType<typeof callDescribeHeader>>['header'];

interface FileSystemsProps {
  readonly files: readonly File[];
  readonly location: string;
}

/** The units and coordinate systems of the selected files, read from their first bytes before the import. */
export function FileSystems({ files, location }: FileSystemsProps) {
  const styles = useAdminStyles();
  const t = useText();
  const formatter = useSourceSystemFormatter();
  const http = useService(HttpClient);
  const [readResult, setReadResult] = useState<{
    readonly files: readonly File[];
    readonly headers: readonly Header[];
  }>();
  useEffect(() => {
    const abort = new AbortController();
    const readAll = async (): Promise<void> => {
      const headers: Header[] = [];
      for (const file of files) {
        // The error is ignored here, because the import reports it.
        headers.push(await describeFile(http, location, file, abort.signal).catch(() => null));
        if (abort.signal.aborted) return;
      }
      setReadResult({ files, headers });
    };
    void readAll();
    return () => abort.abort();
  }, [files, http, location]);

  const formatLine = (file: File, header: Header): string => {
    if (/\.e57$/i.test(file.name)) return t('scan.admin.headerE57', { file: file.name });
    if (header === null) return t('scan.admin.headerLater', { file: file.name });
    const { horizontal, vertical, name, epsg, unmeasurable, part } = header;
    if (part) return t('scan.admin.headerPart', { file: file.name });
    const system = name ?? (epsg === null ? t('core.system.noName') : `EPSG:${epsg}`);
    if (unmeasurable !== null) return t(`scan.admin.header.${unmeasurable}`, { file: file.name, system });
    if (horizontal === null) return t('scan.admin.headerNone', { file: file.name });
    const horizontalUnit = formatter.formatUnit(horizontal);
    const unit =
      vertical === null || vertical.unit === horizontal.unit
        ? horizontalUnit
        : t('scan.admin.headerUnit', { flat: horizontalUnit, up: formatter.formatUnit(vertical) });
    return t('scan.admin.header', { file: file.name, unit, system });
  };

  if (files.length === 0) return null;
  return (
    <section aria-label={t('scan.admin.systems')} aria-live="polite">
      {readResult?.files === files ? (
        <ul className={styles.report}>
          {files.map((file, index) => (
            <li key={index}>{formatLine(file, readResult.headers[index] ?? null)}</li>
          ))}
        </ul>
      ) : (
        <p className={styles.note}>{t('scan.admin.readingSystems')}</p>
      )}
    </section>
  );
}

async function describeFile(http: HttpClient, location: string, file: File, signal: AbortSignal): Promise<Header> {
  const head = await readHead(file);
  if (head === undefined) return null;
  const { header } = await callDescribeHeader(http, location, { name: file.name, bytes: file.size, head }, signal);
  return header;
}

function callDescribeHeader(
  http: HttpClient,
  location: string,
  body: { readonly name: string; readonly bytes: number; readonly head: string },
  signal: AbortSignal,
) {
  return http.call<typeof describeHeader>(
    'POST',
    '/api/scan/:location/header',
    { params: { location }, body },
    { signal },
  );
}
