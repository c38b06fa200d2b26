import { lastWords } from './fatal-error-texts.ts';

/** Shown if not even the messages load, instead of a white page. */
export function FatalErrorScreen({ reference, reload }: { readonly reference: string; readonly reload: () => void }) {
  const words = lastWords[document.documentElement.lang === 'fr' ? 'fr' : 'en'];
  return (
    <main role="alert">
      <h1>{words.title}</h1>
      <p>{words.hint}</p>
      <p>{reference}</p>
      <button type="button" onClick={reload}>
        {words.reload}
      </button>
    </main>
  );
}
