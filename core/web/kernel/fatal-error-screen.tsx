import { fatalErrorTexts } from './fatal-error-texts.ts';

/** Replaces the whole application after an error. Its texts are built in, because the message catalogue may be missing. */
export function FatalErrorScreen({ reference, reload }: { readonly reference: string; readonly reload: () => void }) {
  const texts = fatalErrorTexts[document.documentElement.lang === 'fr' ? 'fr' : 'en'];
  return (
    <main role="alert">
      <h1>{texts.title}</h1>
      <p>{texts.hint}</p>
      <p>{reference}</p>
      <button type="button" onClick={reload}>
        {texts.reload}
      </button>
    </main>
  );
}
