import { makeStyles, mergeClasses } from '@fluentui/react-components';

const useStyles = makeStyles({
  // A logo of any shape keeps its height; a wide one shrinks instead of pushing what stands beside it.
  logo: { display: 'block', width: 'auto', maxWidth: '200px', objectFit: 'contain', objectPosition: 'left center' },
});

export interface LogoProps {
  /** Address of the picture. */
  readonly source: string;
  /** Name of the product; empty where the name stands beside the logo. */
  readonly name: string;
  /** CSS pixels. */
  readonly height?: number;
  readonly className?: string | undefined;
}

/** The customer's logo. */
export function Logo({ source, name, height = 32, className }: LogoProps) {
  const styles = useStyles();
  return (
    <img
      className={mergeClasses(styles.logo, className)}
      src={source}
      alt={name}
      style={{ height }}
      draggable={false}
    />
  );
}
