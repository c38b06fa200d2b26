import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
import type { ComponentType, ReactNode } from 'react';

const useStyles = makeStyles({
  root: {
    display: 'grid',
    justifyItems: 'center',
    alignContent: 'center',
    textAlign: 'center',
    rowGap: tokens.spacingVerticalM,
    padding: `${tokens.spacingVerticalXXXL} ${tokens.spacingHorizontalL}`,
    maxWidth: '480px',
    marginInline: 'auto',
  },
  page: { minHeight: 'min(60vh, 560px)' },
  picture: {
    width: '160px',
    height: '120px',
    color: tokens.colorBrandStroke1,
    '@media (forced-colors: active)': { color: 'CanvasText' },
  },
  title: {
    margin: 0,
    fontSize: tokens.fontSizeBase500,
    lineHeight: tokens.lineHeightBase500,
    fontWeight: tokens.fontWeightSemibold,
    textWrap: 'balance',
  },
  message: { margin: 0, color: tokens.colorNeutralForeground2, textWrap: 'balance' },
  actions: {
    display: 'flex',
    flexWrap: 'wrap',
    '& > a': { display: 'inline-flex', alignItems: 'center', minHeight: '44px' },
    justifyContent: 'center',
    gap: tokens.spacingHorizontalS,
    marginTop: tokens.spacingVerticalS,
  },
  note: {
    margin: 0,
    color: tokens.colorNeutralForeground3,
    fontSize: tokens.fontSizeBase200,
    lineHeight: tokens.lineHeightBase200,
  },
});

export interface StateViewProps {
  readonly picture: ComponentType;
  readonly title: string;
  /** `h1` if the state is the whole screen. */
  readonly heading?: 'h1' | 'h2' | 'h3';
  readonly message?: ReactNode;
  readonly action?: ReactNode;
  /** Small print, such as a reference number. */
  readonly note?: ReactNode;
  /** `alert` makes screen readers announce the state at once. */
  readonly role?: 'alert' | 'status';
}

/** Common layout of loading, empty and error states, with an image, a title, a message, actions and a note. */
export function StateView({
  picture: Picture,
  title,
  heading: Heading = 'h2',
  message,
  action,
  note,
  role,
}: StateViewProps) {
  const styles = useStyles();
  return (
    <div className={mergeClasses(styles.root, Heading === 'h1' && styles.page)} role={role}>
      <div className={styles.picture} aria-hidden="true">
        <Picture />
      </div>
      <Heading className={styles.title}>{title}</Heading>
      {message === undefined ? null : <p className={styles.message}>{message}</p>}
      {action === undefined ? null : <div className={styles.actions}>{action}</div>}
      {note === undefined ? null : <p className={styles.note}>{note}</p>}
    </div>
  );
}
