import { useEffect, useRef } from 'react';
import { Button, makeStyles, tokens, useClipboard } from '#core/ui';
import { downloadFile, ProductInfo, useService, useText } from '#core/web';

const useStyles = makeStyles({
  // Focused only so that screen readers announce the codes. A focus ring would suggest a control.
  heading: { margin: 0, fontSize: tokens.fontSizeBase500, outlineStyle: 'none' },
  text: { margin: 0 },
  list: {
    display: 'grid',
    gridTemplateColumns: 'repeat(auto-fill, minmax(184px, 1fr))',
    gap: tokens.spacingVerticalXS,
    margin: 0,
    padding: tokens.spacingHorizontalL,
    listStyleType: 'none',
    fontFamily: tokens.fontFamilyMonospace,
    backgroundColor: tokens.colorNeutralBackground1,
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    borderRadius: tokens.borderRadiusMedium,
    // Covers the page, so that only the codes are printed.
    '@media print': {
      position: 'fixed',
      inset: 0,
      zIndex: 1_000_000,
      alignContent: 'start',
      color: '#000',
      backgroundColor: '#fff',
    },
  },
  actions: { display: 'flex', flexWrap: 'wrap', gap: tokens.spacingHorizontalS },
});

export interface RecoveryCodesProps {
  readonly codes: readonly string[];
  readonly onStored: () => void;
}

/** Shows new recovery codes, with buttons to copy, download and print them. */
export function RecoveryCodes({ codes, onStored }: RecoveryCodesProps) {
  const styles = useStyles();
  const t = useText();
  const clipboard = useClipboard();
  const { shortName } = useService(ProductInfo);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const codesText = `${codes.join('\n')}\n`;
  const copyLabel =
    clipboard.outcome === undefined
      ? t('account.secondFactor.copy')
      : t(clipboard.outcome === 'copied' ? 'account.secondFactor.copied' : 'account.secondFactor.notCopied');
  return (
    <>
      <h2 ref={heading} tabIndex={-1} className={styles.heading}>
        {t('account.secondFactor.codes')}
      </h2>
      <p className={styles.text}>{t('account.secondFactor.codesHint')}</p>
      <ul className={styles.list} aria-label={t('account.secondFactor.codes')}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className={styles.actions}>
        {clipboard.available ? (
          <Button onClick={() => clipboard.copy(codesText)}>
            <span role="status">{copyLabel}</span>
          </Button>
        ) : null}
        <Button
          onClick={() => downloadFile(new Blob([codesText], { type: 'text/plain' }), `${shortName}-recovery-codes.txt`)}
        >
          {t('account.secondFactor.download')}
        </Button>
        <Button onClick={() => window.print()}>{t('account.secondFactor.print')}</Button>
        <Button appearance="primary" onClick={onStored}>
          {t('account.secondFactor.kept')}
        </Button>
      </div>
    </>
  );
}
