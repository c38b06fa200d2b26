import { useEffect, useId, useRef, useState } from 'react';
import { makeStyles, mergeClasses, tokens } from '#core/ui';
import { useAdminStyles } from '#core/ui-data';
import { useText } from '#core/web';
import type { PdfFile } from '../../stores/pdf/pdf-file.ts';

const useStyles = makeStyles({
  fieldset: { margin: 0, padding: 0, border: 'none', minWidth: 0 },
  pages: {
    display: 'grid',
    gridTemplateColumns: 'repeat(auto-fill, minmax(136px, 1fr))',
    gap: tokens.spacingHorizontalS,
    maxHeight: '45vh',
    overflowY: 'auto',
    padding: tokens.spacingHorizontalXS,
  },
  page: {
    display: 'grid',
    alignContent: 'end',
    justifyItems: 'center',
    rowGap: tokens.spacingVerticalXS,
    minHeight: '156px',
    padding: tokens.spacingHorizontalXS,
    cursor: 'pointer',
    border: `1px solid ${tokens.colorNeutralStroke1}`,
    borderRadius: tokens.borderRadiusMedium,
    ':focus-within': { outline: `2px solid ${tokens.colorStrokeFocus2}`, outlineOffset: '1px' },
  },
  chosen: {
    borderTopColor: tokens.colorBrandStroke1,
    borderRightColor: tokens.colorBrandStroke1,
    borderBottomColor: tokens.colorBrandStroke1,
    borderLeftColor: tokens.colorBrandStroke1,
    backgroundColor: tokens.colorBrandBackground2,
  },
  canvas: { maxWidth: '100%', backgroundColor: tokens.colorNeutralBackground4 },
  name: { display: 'flex', alignItems: 'center', gap: tokens.spacingHorizontalXS, fontVariantNumeric: 'tabular-nums' },
});

const thumbnailPx = 240;

export interface PdfPagesProps {
  readonly pdf: PdfFile;
  readonly page: number;
  readonly disabled: boolean;
  readonly onChoose: (page: number) => void;
}

/** Selects a page of a PDF by its thumbnail. Thumbnails are drawn when they become visible. */
export function PdfPages({ pdf, page, disabled, onChoose }: PdfPagesProps) {
  const t = useText();
  const styles = useStyles();
  const adminStyles = useAdminStyles();
  const groupName = useId();
  return (
    <fieldset className={styles.fieldset} disabled={disabled}>
      <legend className={adminStyles.legend}>{t('tour.plan.page', { count: pdf.pageCount })}</legend>
      <div className={styles.pages}>
        {Array.from({ length: pdf.pageCount }, (_, index) => index + 1).map((number) => (
          <label key={number} className={mergeClasses(styles.page, number === page && styles.chosen)}>
            <Thumbnail pdf={pdf} page={number} />
            <span className={styles.name}>
              <input
                type="radio"
                name={groupName}
                checked={number === page}
                aria-label={t('tour.plan.pageNumber', { number })}
                onChange={() => onChoose(number)}
              />
              {number}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function Thumbnail({ pdf, page }: { readonly pdf: PdfFile; readonly page: number }) {
  const t = useText();
  const styles = useStyles();
  const adminStyles = useAdminStyles();
  const canvas = useRef<HTMLCanvasElement>(null);
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    const { current } = canvas;
    if (!current) return undefined;
    const abort = new AbortController();
    const observer = new IntersectionObserver(([entry]) => {
      if (!entry?.isIntersecting) return;
      observer.disconnect();
      pdf.drawThumbnail(page, current, thumbnailPx, abort.signal).catch(() => abort.signal.aborted || setFailed(true));
    });
    observer.observe(current);
    return () => {
      observer.disconnect();
      abort.abort();
    };
  }, [pdf, page]);
  return (
    <>
      {failed ? <span className={adminStyles.note}>{t('tour.plan.pageFailed')}</span> : null}
      {/* Reserves the size, so that the layout does not change when the page is drawn. */}
      <canvas
        ref={canvas}
        className={styles.canvas}
        width={120}
        height={120}
        style={{ height: 120 }}
        aria-hidden="true"
      />
    </>
  );
}
