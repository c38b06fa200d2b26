import { makeStyles, mergeClasses } from '@fluentui/react-components';

const useStyles = makeStyles({
  // The height is fixed. A wide logo shrinks instead of pushing its neighbours.
  logo: { display: 'block', width: 'auto', maxWidth: '200px', objectFit: 'contain', objectPosition: 'left center' },
  // Griffel puts `:root` selectors after the class. Only `:global` puts a selector before it.
  onLight: {
    ':global(html[data-theme=dark])': { display: 'none' },
    ':global(html[data-theme=contrast])': { display: 'none' },
    '@media (prefers-color-scheme: dark)': { ':global(html[data-theme=system])': { display: 'none' } },
  },
  onDark: {
    display: 'none',
    ':global(html[data-theme=dark])': { display: 'block' },
    ':global(html[data-theme=contrast])': { display: 'block' },
    '@media (prefers-color-scheme: dark)': { ':global(html[data-theme=system])': { display: 'block' } },
  },
});

export interface LogoProps {
  /** URL of the image. */
  readonly source: string;
  /** URL of the image for dark backgrounds, by default the same image. */
  readonly darkSource?: string | undefined;
  /** Product name; empty if the name is shown next to the logo. */
  readonly name: string;
  /** Height in CSS pixels. */
  readonly height?: number;
  readonly className?: string | undefined;
}

/** The customer's logo for the current theme. */
export function Logo({ source, darkSource, name, height = 32, className }: LogoProps) {
  const styles = useStyles();
  const sharedProps = { style: { height }, draggable: false } as const;
  if (darkSource === undefined)
    return <img className={mergeClasses(styles.logo, className)} src={source} alt={name} {...sharedProps} />;
  // Browsers do not fetch an image that is not displayed.
  return (
    <>
      <img
        className={mergeClasses(styles.logo, styles.onLight, className)}
        src={source}
        alt={name}
        loading="lazy"
        {...sharedProps}
      />
      <img
        className={mergeClasses(styles.logo, styles.onDark, className)}
        src={darkSource}
        alt={name}
        loading="lazy"
        {...sharedProps}
      />
    </>
  );
}
