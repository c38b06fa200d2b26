import { useMemo } from 'react';
import { makeStyles, tokens } from '#core/ui';
import { parseRichText, type RichBlock, type RichInline } from '../../common/rich-text.ts';

const useStyles = makeStyles({
  text: {
    maxWidth: '72ch',
    fontSize: tokens.fontSizeBase400,
    lineHeight: tokens.lineHeightBase500,
    overflowWrap: 'anywhere',
    '& > :first-child': { marginTop: 0 },
    '& > :last-child': { marginBottom: 0 },
    '& a': { color: tokens.colorBrandForegroundLink },
    '& h2': { fontSize: tokens.fontSizeBase500, lineHeight: tokens.lineHeightBase500 },
    '& h3': { fontSize: tokens.fontSizeBase400, lineHeight: tokens.lineHeightBase400 },
  },
});

/** Renders Markdown as React elements, so that HTML in the text is never interpreted. */
export default function RichText({ source }: { readonly source: string }) {
  const styles = useStyles();
  const blocks = useMemo(() => parseRichText(source), [source]);
  return <div className={styles.text}>{blocks.map(renderBlock)}</div>;
}

function renderBlock(block: RichBlock, index: number): React.ReactNode {
  if (block.kind === 'list') {
    const items = block.items.map((item, number) => <li key={number}>{item.map(renderItemBlock)}</li>);
    return block.ordered ? (
      <ol key={index} start={block.start}>
        {items}
      </ol>
    ) : (
      <ul key={index}>{items}</ul>
    );
  }
  const children = block.children.map(renderInline);
  if (block.kind === 'paragraph') return <p key={index}>{children}</p>;
  return block.level === 2 ? <h2 key={index}>{children}</h2> : <h3 key={index}>{children}</h3>;
}

/** Renders the first paragraph of an item without its margins. */
const renderItemBlock = (block: RichBlock, index: number): React.ReactNode =>
  block.kind === 'paragraph' && index === 0 ? block.children.map(renderInline) : renderBlock(block, index);

function renderInline(inline: RichInline, index: number): React.ReactNode {
  switch (inline.kind) {
    case 'text':
      return inline.text;
    case 'break':
      return <br key={index} />;
    case 'strong':
      return <strong key={index}>{inline.children.map(renderInline)}</strong>;
    case 'emphasis':
      return <em key={index}>{inline.children.map(renderInline)}</em>;
    case 'link':
      return (
        <a key={index} href={inline.href} rel="noopener noreferrer">
          {inline.children.map(renderInline)}
        </a>
      );
  }
}
