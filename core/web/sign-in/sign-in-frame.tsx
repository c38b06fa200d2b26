import { lazy, Suspense, useEffect, useState, type ReactNode } from 'react';
import type { Language, Product } from '#core';
import type { SignInContent } from '#core/api';
import { Background } from './background.tsx';
import { useSignIn } from './sign-in-context.ts';
import type { SignInScreen } from './sign-in-screen.ts';
import { classes } from './sign-in-classes.ts';
import type { MessageId } from './sign-in-messages.ts';

const languageNames: Readonly<Record<Language, string>> = { en: 'English', fr: 'Français' };

const SignInNotices = lazy(() => import('./sign-in-notices.tsx'));

type Heading = readonly [heading: MessageId, lead?: MessageId];
/** The heading after a failed single sign-on. */
const signOnFailedHeading: Heading = ['core.signIn.title.notReturned'];
const headings: Readonly<Partial<Record<SignInScreen, Heading>>> = {
  adminLogin: ['core.signIn.title.admin', 'core.signIn.lead.admin'],
  register: ['core.signIn.title.register', 'core.signIn.lead.register'],
  activate: ['core.signIn.title.activate', 'core.signIn.lead.activate'],
  forgot: ['core.signIn.title.forgot', 'core.signIn.lead.forgot'],
  reset: ['core.signIn.title.reset', 'core.signIn.lead.reset'],
  return: ['core.signIn.title.return', 'core.signIn.lead.return'],
};

/** Layout of all sign-in screens, with an image, a panel with logo and title, and a footer. */
export function SignInFrame({ children }: { readonly children: ReactNode }) {
  const { api, notice, product, screen, text } = useSignIn();
  const [content, setContent] = useState<SignInContent>();
  // The content is optional. Its shape is checked, because a captive portal may answer with its own login page.
  useEffect(
    () =>
      void api.loadContent().then(
        (loadedContent) =>
          setContent(
            Array.isArray(loadedContent?.backgrounds) && Array.isArray(loadedContent.contacts)
              ? loadedContent
              : undefined,
          ),
        () => undefined,
      ),
    [api],
  );
  const isSignOnFailed = screen === 'return' && notice?.kind === 'failed';
  const heading = isSignOnFailed ? signOnFailedHeading : headings[screen];
  return (
    <div className={classes.page}>
      {content === undefined || content.backgrounds.length === 0 ? (
        <Background sources={product.backgrounds.map((url) => ({ address: url, isVideo: /\.mp4$/i.test(url) }))} />
      ) : (
        <Background key="own" sources={content.backgrounds} />
      )}
      <main className={classes.panel}>
        <div className={classes.column}>
          {content?.notices ? (
            <Suspense fallback={null}>
              <SignInNotices notices={content.notices} />
            </Suspense>
          ) : null}
          <SignInLogo product={product} />
          <h1 className={classes.product}>{product.title}</h1>
          {heading === undefined ? null : (
            <>
              <h2 className={classes.heading}>{text(heading[0])}</h2>
              {heading[1] === undefined ? null : <p className={classes.lead}>{text(heading[1])}</p>}
            </>
          )}
          {screen === 'login' && product.login.type !== 'EMAIL_PW' ? (
            <p className={classes.lead}>{text('core.signIn.lead.signOn')}</p>
          ) : null}
          <div key={screen} className={classes.body}>
            {children}
          </div>
        </div>
      </main>
      <p className={classes.resuming}>{text('core.signIn.lead.return')}</p>
      <SignInFooter contacts={content?.contacts ?? []} />
    </div>
  );
}

/** The logo of the current theme. Browsers do not fetch the hidden logo. */
function SignInLogo({ product: { logo, logoDark } }: { readonly product: Product }) {
  if (logoDark === undefined) return <img className={classes.logo} src={logo} alt="" draggable={false} />;
  return (
    <>
      <img className={`${classes.logo} ${classes.logoOnLight}`} src={logo} alt="" loading="lazy" draggable={false} />
      <img className={`${classes.logo} ${classes.logoOnDark}`} src={logoDark} alt="" loading="lazy" draggable={false} />
    </>
  );
}

function SignInFooter({ contacts }: Pick<SignInContent, 'contacts'>) {
  const { language, product, setLanguage, text } = useSignIn();
  const { contact } = product;
  return (
    <footer className={classes.foot}>
      <span className={classes.shortName}>{product.shortName}</span>
      <span>{text('core.signIn.version', { version: product.version })}</span>
      <span className={classes.grow} />
      {contact === undefined ? null : contact.includes('@') ? (
        <a className={classes.contact} href={`mailto:${contact}`}>
          {text('core.signIn.contact', { contact })}
        </a>
      ) : (
        <span>{text('core.signIn.contact', { contact })}</span>
      )}
      {contacts.map(({ name, email, phone }) => (
        <a
          key={`${name} ${email} ${phone}`}
          className={classes.contact}
          href={email === undefined ? `tel:${phone}` : `mailto:${email}`}
        >
          {`${name}, ${phone ?? email}`}
        </a>
      ))}
      {product.languages.length < 2 ? null : (
        <div className={classes.languages} role="group" aria-label={text('core.signIn.language')}>
          {product.languages.map((available) => (
            <button
              key={available}
              type="button"
              lang={available}
              className={classes.language}
              aria-label={`${available.toUpperCase()}, ${languageNames[available]}`}
              aria-pressed={available === language}
              onClick={() => setLanguage(available)}
            >
              {available.toUpperCase()}
            </button>
          ))}
        </div>
      )}
    </footer>
  );
}
