import { useEffect, useState } from 'react';
import { Button, Input, makeStyles, Popover, PopoverSurface, PopoverTrigger, Tooltip } from '#core/ui';
import { useText } from '#core/web';
import { ShareIcon } from '../icons.tsx';

const useStyles = makeStyles({ surface: { display: 'grid', gap: '8px', width: 'min(360px, calc(100vw - 48px))' } });

/** Shows and copies the address of the current view. */
export function ShareButton({ flush }: { readonly flush: () => void }) {
  const styles = useStyles();
  const t = useText();
  const [address, setAddress] = useState<string>();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return undefined;
    const timer = setTimeout(() => setCopied(false), 3_000);
    return () => clearTimeout(timer);
  }, [copied]);

  const open = (nextOpen: boolean): void => {
    if (nextOpen) flush();
    setCopied(false);
    setAddress(nextOpen ? window.location.href : undefined);
  };
  const copy = (): void => {
    navigator.clipboard.writeText(address ?? '').then(
      () => setCopied(true),
      () => setCopied(false),
    );
  };
  return (
    <Popover open={address !== undefined} onOpenChange={(_, data) => open(data.open)} trapFocus positioning="below-end">
      <PopoverTrigger disableButtonEnhancement>
        <Tooltip content={t('tour.share')} relationship="label">
          <Button appearance="subtle" icon={<ShareIcon />} />
        </Tooltip>
      </PopoverTrigger>
      <PopoverSurface className={styles.surface} aria-label={t('tour.share')}>
        <Input
          readOnly
          value={address ?? ''}
          aria-label={t('tour.shareAddress')}
          onFocus={(event) => event.currentTarget.select()}
        />
        {/* Insecure pages have no clipboard. People then copy the address by hand. */}
        {navigator.clipboard ? (
          <Button appearance="primary" onClick={copy}>
            {t(copied ? 'tour.shareCopied' : 'tour.shareCopy')}
          </Button>
        ) : null}
        <span role="status" style={{ position: 'absolute', clipPath: 'inset(50%)' }}>
          {copied ? t('tour.shareCopied') : ''}
        </span>
      </PopoverSurface>
    </Popover>
  );
}
