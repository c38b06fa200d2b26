import { useState } from 'react';
import { useRowStyles } from './use-row-styles.ts';

/** A small picture in a row of a list. The space stays empty if the picture cannot be loaded. */
export function RowPicture({ url }: { readonly url: string }) {
  const styles = useRowStyles();
  const [failedUrl, setFailedUrl] = useState<string>();
  if (failedUrl === url) return <span className={styles.picture} />;
  return <img className={styles.picture} src={url} alt="" loading="lazy" onError={() => setFailedUrl(url)} />;
}
