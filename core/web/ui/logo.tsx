import { makeStyles, mergeClasses } from '@fluentui/react-components';

const useStyles = makeStyles({
  // A logo of any shape keeps its height; a wide one shrinks instead of pushing what stands beside it.
  logo: { display: 'block', width: 'auto', maxWidth: '200px', objectFit: 'contain', objectPosition: 'left center' },
  // A selector that begins with `:root` would be put behind the class of the picture: only `:global` comes before it.
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
  /** Address of the picture. */
  readonly source: string;
  /** Address of the picture on dark ground; default: the same one. */
  readonly darkSource?: string | undefined;
  /** Name of the product; empty where the name stands beside the logo. */
  readonly name: string;
  /** CSS pixels. */
  readonly height?: number;
  readonly className?: string | undefined;
}

/** The customer's logo, that of the theme. */
export function Logo({ source, darkSource, name, height = 32, className }: LogoProps) {
  const styles = useStyles();
  const shared = { style: { height }, draggable: false } as const;
  if (darkSource === undefined)
    return <img className={mergeClasses(styles.logo, className)} src={source} alt={name} {...shared} />;
  // A browser does not fetch a picture that is not displayed.
  return (
    <>
      <img
        className={mergeClasses(styles.logo, styles.onLight, className)}
        src={source}
        alt={name}
        loading="lazy"
        {...shared}
      />
      <img
        className={mergeClasses(styles.logo, styles.onDark, className)}
        src={darkSource}
        alt={name}
        loading="lazy"
        {...shared}
      />
    </>
  );
}
