import { Suspense } from 'react';
import { useLoaded } from '#core/web';

const load = () => import('./rich-text.tsx');

interface RichTextProps {
  readonly source: string;
}

/** A text in Markdown. The parser is a part of its own, until which the text is shown as it is written. */
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
