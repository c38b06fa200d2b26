import { makeStyles, tokens } from '@fluentui/react-components';
import type { ReactNode } from 'react';

const useStyles = makeStyles({
  root: {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    columnGap: tokens.spacingHorizontalL,
    rowGap: tokens.spacingVerticalS,
    marginBottom: tokens.spacingVerticalXXL,
  },
  text: { flexGrow: 1, minWidth: 0 },
  title: {
    margin: 0,
    fontFamily: tokens.fontFamilyBase,
    fontWeight: tokens.fontWeightSemibold,
    fontSize: tokens.fontSizeHero700,
    lineHeight: tokens.lineHeightHero700,
    '@media (max-width: 639px)': { fontSize: tokens.fontSizeBase600, lineHeight: tokens.lineHeightBase600 },
  },
  hint: { margin: 0, color: tokens.colorNeutralForeground3 },
  actions: { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: tokens.spacingHorizontalS },
});

export interface PageTitleProps {
  readonly title: string;
  /** A sentence below the title. */
  readonly hint?: ReactNode;
  /** Buttons at the end of the line. */
  readonly actions?: ReactNode;
}

/** The screen's only level-one heading, with the screen's actions. */
export function PageTitle({ title, hint, actions }: PageTitleProps) {
  const styles = useStyles();
  return (
    <div className={styles.root}>
      <div className={styles.text}>
        <h1 className={styles.title}>{title}</h1>
        {hint === undefined ? null : <p className={styles.hint}>{hint}</p>}
      </div>
      {actions === undefined ? null : <div className={styles.actions}>{actions}</div>}
    </div>
  );
}
