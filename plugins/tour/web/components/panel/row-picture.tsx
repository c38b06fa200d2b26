import { useState } from 'react';
import { useRowStyles } from './use-row-styles.ts';

/** A small picture in a row of a list. The space stays empty if the picture cannot be loaded. */
export function RowPicture({ address }: { readonly address: string }) {
  const styles = useRowStyles();
  const [failedAddress, setFailedAddress] = useState<string>();
  if (failedAddress === address) return <span className={styles.picture} />;
  return (
    <img className={styles.picture} src={address} alt="" loading="lazy" onError={() => setFailedAddress(address)} />
  );
}
