import { Button, makeStyles, tokens } from '@fluentui/react-components';
import { useState } from 'react';
import { useSignIn } from '../sign-in-context.ts';
import { toMessageId } from './step-messages.ts';

const useStyles = makeStyles({
  list: {
    display: 'grid',
    gridTemplateColumns: 'repeat(auto-fill, minmax(168px, 1fr))',
    gap: tokens.spacingVerticalXS,
    marginTop: tokens.spacingVerticalM,
    marginBottom: tokens.spacingVerticalM,
    padding: tokens.spacingHorizontalM,
    listStyleType: 'none',
    fontFamily: tokens.fontFamilyMonospace,
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    borderRadius: tokens.borderRadiusMedium,
    // The printed page shows the codes alone.
    '@media print': {
      position: 'fixed',
      inset: 0,
      zIndex: 1_000_000,
      alignContent: 'start',
      color: '#000',
      backgroundColor: '#fff',
    },
  },
  actions: { display: 'flex', flexWrap: 'wrap', gap: tokens.spacingHorizontalS, marginBottom: tokens.spacingVerticalL },
});

/** The recovery codes to copy, download and print. */
export function RecoveryCodeList({ codes }: { readonly codes: readonly string[] }) {
  const styles = useStyles();
  const { product, text } = useSignIn();
  const [copied, setCopied] = useState(false);
  const content = `${codes.join('\n')}\n`;
  return (
    <>
      <ul className={styles.list} aria-label={text(toMessageId('core.signIn.secondFactor.codes.label'))}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className={styles.actions}>
        {/* An insecure page has no clipboard. */}
        {navigator.clipboard ? (
          <Button
            onClick={() =>
              void navigator.clipboard.writeText(content).then(
                () => setCopied(true),
                () => setCopied(false),
              )
            }
          >
            <span role="status">
              {text(
                toMessageId(copied ? 'core.signIn.secondFactor.codes.copied' : 'core.signIn.secondFactor.codes.copy'),
              )}
            </span>
          </Button>
        ) : null}
        <Button
          as="a"
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(content)}`}
          download={`${product.shortName}-recovery-codes.txt`}
        >
          {text(toMessageId('core.signIn.secondFactor.codes.download'))}
        </Button>
        <Button onClick={() => window.print()}>{text(toMessageId('core.signIn.secondFactor.codes.print'))}</Button>
      </div>
    </>
  );
}
