import { Suspense, useId, useLayoutEffect, useRef, type KeyboardEvent } from 'react';
import { Field, makeStyles, Textarea, tokens, Toolbar, ToolbarButton, type FormInput } from '#core/ui';
import { useLoaded, useText } from '#core/web';
import { formatMarkdown, markdownFormats, type MarkdownFormat } from '../stores/format-markdown.ts';

const useStyles = makeStyles({
  columns: {
    display: 'grid',
    gridTemplateColumns: 'repeat(2, minmax(0, 1fr))',
    gap: tokens.spacingHorizontalXL,
    '@media (max-width: 899px)': { gridTemplateColumns: 'minmax(0, 1fr)' },
  },
  toolbar: { flexWrap: 'wrap', paddingInline: 0 },
  button: { minHeight: '32px', '@media (pointer: coarse)': { minHeight: '44px' } },
  input: { width: '100%', '& textarea': { fontFamily: tokens.fontFamilyMonospace, maxHeight: '60vh' } },
  preview: {
    padding: tokens.spacingHorizontalL,
    minWidth: 0,
    border: `1px dashed ${tokens.colorNeutralStroke1}`,
    borderRadius: tokens.borderRadiusLarge,
  },
  title: { margin: `0 0 ${tokens.spacingVerticalM}`, color: tokens.colorNeutralForeground3 },
});

const shortcuts: Readonly<Record<string, MarkdownFormat>> = { b: 'bold', i: 'italic' };

export interface MarkdownFieldProps {
  readonly label: string;
  readonly hint: string;
  /** The language of the text. */
  readonly language: string;
  readonly input: FormInput;
  readonly field: { readonly validationMessage?: string; readonly validationState: 'error' | 'none' };
}

/** A Markdown editor with buttons that format the selection, and a preview. */
export function MarkdownField({ label, hint, language, input, field }: MarkdownFieldProps) {
  const t = useText();
  const styles = useStyles();
  const textArea = useRef<HTMLTextAreaElement>(null);
  const previewId = useId();
  /** Selection to restore after the formatted text is rendered. */
  const pendingSelection = useRef<{ readonly start: number; readonly end: number }>(undefined);
  useLayoutEffect(() => {
    if (!pendingSelection.current) return;
    textArea.current?.focus();
    textArea.current?.setSelectionRange(pendingSelection.current.start, pendingSelection.current.end);
    pendingSelection.current = undefined;
  });

  const applyFormat = (kind: MarkdownFormat): void => {
    if (!textArea.current) return;
    const { selectionStart: start, selectionEnd: end } = textArea.current;
    const next = formatMarkdown({ text: input.value, start, end }, kind);
    pendingSelection.current = next;
    input.onChange(undefined, { value: next.text });
  };
  const handleKeyDown = (event: KeyboardEvent): void => {
    const kind = (event.ctrlKey || event.metaKey) && !event.altKey ? shortcuts[event.key.toLowerCase()] : undefined;
    if (!kind) return;
    event.preventDefault();
    applyFormat(kind);
  };
  const { ref, ...textAreaProps } = input;
  return (
    <div className={styles.columns}>
      <div>
        <Toolbar className={styles.toolbar} aria-label={t('media.welcomeText.formatOf', { field: label })}>
          {markdownFormats.map((kind) => (
            <ToolbarButton
              key={kind}
              className={styles.button}
              disabled={input.disabled}
              // Keeps the focus and the selection in the text area.
              onMouseDown={(event: React.MouseEvent) => event.preventDefault()}
              onClick={() => applyFormat(kind)}
            >
              {t(`media.welcomeText.format.${kind}`)}
            </ToolbarButton>
          ))}
        </Toolbar>
        <Field label={label} hint={hint} {...field}>
          <Textarea
            {...textAreaProps}
            ref={(element) => {
              textArea.current = element;
              ref(element);
            }}
            className={styles.input}
            rows={12}
            resize="vertical"
            lang={language}
            onKeyDown={handleKeyDown}
          />
        </Field>
      </div>
      <section className={styles.preview} aria-labelledby={previewId}>
        <p id={previewId} className={styles.title}>
          {t('media.welcomeText.preview', { field: label })}
        </p>
        <div lang={language}>
          {input.value.trim() === '' ? t('media.welcome.noText') : <Preview source={input.value} />}
        </div>
      </section>
    </div>
  );
}

const loadRichText = () => import('../../components/rich-text.tsx');

function Preview({ source }: { readonly source: string }) {
  return (
    <Suspense fallback={null}>
      <LoadedPreview source={source} />
    </Suspense>
  );
}

function LoadedPreview({ source }: { readonly source: string }) {
  const RichText = useLoaded('media.richText', loadRichText);
  return <RichText source={source} />;
}
