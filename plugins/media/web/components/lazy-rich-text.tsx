import { Suspense } from 'react';
import { useLoaded } from '#core/web';

const load = () => import('./rich-text.tsx');

interface RichTextProps {
  readonly source: string;
}

/** Renders Markdown. Shows the source until the chunk with the parser is loaded. */
export function LazyRichText({ source }: RichTextProps) {
  return (
    <Suspense fallback={<p style={{ whiteSpace: 'pre-line' }}>{source}</p>}>
      <LoadedRichText source={source} />
    </Suspense>
  );
}

function LoadedRichText({ source }: RichTextProps) {
  const RichText = useLoaded('media.richText', load);
  return <RichText source={source} />;
}
