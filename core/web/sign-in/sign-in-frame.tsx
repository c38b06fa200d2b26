import { mergeClasses } from '@fluentui/react-components';
import type { ReactNode } from 'react';
import type { Language } from '#core';
import { Backdrop } from './backdrop.tsx';
import { useSignIn } from './sign-in-context.ts';
import type { SignInScreen } from './sign-in-screen.ts';
import { useFrameStyles } from './sign-in-styles.ts';
import type { WordId } from './words.ts';

const languageNames: Readonly<Record<Language, string>> = { en: 'English', fr: 'Français' };

const headings: Readonly<Partial<Record<SignInScreen, readonly [heading: WordId, lead: WordId]>>> = {
  adminLogin: ['core.signIn.title.admin', 'core.signIn.lead.admin'],
  register: ['core.signIn.title.register', 'core.signIn.lead.register'],
  activate: ['core.signIn.title.activate', 'core.signIn.lead.activate'],
  forgot: ['core.signIn.title.forgot', 'core.signIn.lead.forgot'],
  reset: ['core.signIn.title.reset', 'core.signIn.lead.reset'],
  return: ['core.signIn.title.return', 'core.signIn.lead.return'],
};

/** The picture, the panel with logo and title, and the foot line: the same for every screen of the entry. */
export function SignInFrame({ children }: { readonly children: ReactNode }) {
  const styles = useFrameStyles();
  const { product, screen, words } = useSignIn();
  const heading = headings[screen];
  return (
    <div className={styles.page}>
      <Backdrop sources={product.backgrounds} />
      <main className={styles.panel}>
        <div className={styles.form}>
          <img className={styles.logo} src={product.logo} alt="" draggable={false} />
          <h1 className={styles.product}>{product.title}</h1>
          {heading === undefined ? null : (
            <>
              <h2 className={styles.heading}>{words(heading[0])}</h2>
              <p className={styles.lead}>{words(heading[1])}</p>
            </>
          )}
          {screen === 'login' && product.login.type !== 'EMAIL_PW' ? <p className={styles.lead}>{words('core.signIn.lead.signOn')}</p> : null}
          <div key={screen} className={styles.body}>
            {children}
          </div>
        </div>
      </main>
      <p className={styles.resuming}>{words('core.signIn.lead.return')}</p>
      <FootLine />
    </div>
  );
}

function FootLine() {
  const styles = useFrameStyles();
  const { language, product, setLanguage, words } = useSignIn();
  const { contact } = product;
  return (
    <footer className={styles.footer}>
      <span className={styles.shortName}>{product.shortName}</span>
      <span>{words('core.signIn.version', { version: product.version })}</span>
      <span className={styles.grow} />
      {contact === undefined ? null : contact.includes('@') ? (
        <a className={styles.contact} href={`mailto:${contact}`}>
          {words('core.signIn.contact', { contact })}
        </a>
      ) : (
        <span>{words('core.signIn.contact', { contact })}</span>
      )}
      {product.languages.length < 2 ? null : (
        <div className={styles.languages} role="group" aria-label={words('core.signIn.language')}>
          {product.languages.map((one) => (
            <button
              key={one}
              type="button"
              lang={one}
              className={mergeClasses(styles.language, one === language && styles.chosen)}
              aria-label={`${one.toUpperCase()}, ${languageNames[one]}`}
              aria-pressed={one === language}
              onClick={() => setLanguage(one)}
            >
              {one.toUpperCase()}
            </button>
          ))}
        </div>
      )}
    </footer>
  );
}
