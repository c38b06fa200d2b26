import { makeStyles, mergeClasses, MessageBar, MessageBarBody, tokens } from '#core/ui';
import { useAdminStyles } from '#core/ui-data';
import type { Import } from '../../contract/api.ts';
import { FindingText } from './finding-text.tsx';

const useStyles = makeStyles({
  root: { display: 'grid', gap: tokens.spacingVerticalS },
  // Aligns the first line with the icon.
  list: { marginTop: 0 },
});

export interface FindingListProps {
  readonly currentImport: Pick<Import, 'findings'>;
  /** Ids of messages to leave out, because the screen shows them in another way. */
  readonly except?: readonly string[];
}

/** Findings that concern no row: errors, then warnings. */
export function FindingList({ currentImport, except = [] }: FindingListProps) {
  const styles = useStyles();
  const admin = useAdminStyles();
  const findings = currentImport.findings.filter(({ message }) => !except.includes(message));
  if (findings.length === 0) return null;
  return (
    <div className={styles.root}>
      {(['ERROR', 'WARNING'] as const).map((severity) => {
        const matchingFindings = findings.filter((finding) => finding.severity === severity);
        if (matchingFindings.length === 0) return null;
        return (
          <MessageBar key={severity} intent={severity === 'ERROR' ? 'error' : 'warning'} layout="multiline">
            <MessageBarBody>
              <ul className={mergeClasses(admin.report, styles.list)}>
                {matchingFindings.map((finding) => (
                  <li key={JSON.stringify([finding.message, finding.where, finding.values])}>
                    <FindingText finding={finding} column={undefined} />
                  </li>
                ))}
              </ul>
            </MessageBarBody>
          </MessageBar>
        );
      })}
    </div>
  );
}
