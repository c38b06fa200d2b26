import type { RefObject } from 'react';
import { Button, Field, Input, makeStyles, tokens } from '#core/ui';
import { Table, TableBody, TableCell, TableHeader, TableHeaderCell, TableRow, useAdminStyles } from '#core/ui-data';
import { useText } from '#core/web';
import { maxResidualMetres } from '../../../../common/fit-plan.ts';
import type { SiteLengths } from '../../stores/site-lengths.ts';
import type { PlacementForm } from '../../stores/use-placement-form.ts';
import { RemoveIcon, WarningIcon } from './plan-icons.tsx';

// In a narrow window, the residual is below the coordinates, which have up to nine digits.
const narrow = '@media (max-width: 479px)';

const useStyles = makeStyles({
  row: { columnGap: tokens.spacingHorizontalS, alignItems: 'center', [narrow]: { flexWrap: 'wrap', rowGap: 0 } },
  number: { flexGrow: 0, flexBasis: '24px', minWidth: '24px', paddingLeft: 0, paddingRight: 0 },
  coordinate: {
    flexBasis: '96px',
    minWidth: '96px',
    paddingTop: tokens.spacingVerticalXS,
    paddingRight: 0,
    paddingBottom: tokens.spacingVerticalXS,
    paddingLeft: 0,
  },
  field: { width: '100%' },
  input: { minWidth: 0, width: '100%' },
  residual: {
    flexGrow: 0,
    flexBasis: '84px',
    minWidth: '84px',
    paddingLeft: 0,
    paddingRight: 0,
    overflowWrap: 'anywhere',
    fontVariantNumeric: 'tabular-nums',
    [narrow]: { order: 1, flexGrow: 1, flexBasis: '100%', paddingLeft: '32px', minHeight: '28px' },
  },
  failed: {
    display: 'grid',
    gridTemplateColumns: 'auto 1fr',
    alignItems: 'center',
    columnGap: tokens.spacingHorizontalXS,
    color: tokens.colorStatusDangerForeground1,
    fontWeight: tokens.fontWeightSemibold,
  },
  residualText: { gridColumn: '1 / -1', fontSize: tokens.fontSizeBase200 },
  action: {
    flexGrow: 0,
    flexBasis: '32px',
    minWidth: '32px',
    padding: 0,
    '@media (pointer: coarse)': { flexBasis: '44px', minWidth: '44px' },
  },
  hiddenWords: { position: 'absolute', width: '1px', height: '1px', overflow: 'clip', whiteSpace: 'nowrap' },
  remove: { minWidth: '32px', minHeight: '32px', '@media (pointer: coarse)': { minWidth: '44px', minHeight: '44px' } },
});

/** Space between a field that was scrolled to and the lower edge of the form. */
const marginPx = 8;

export interface NextFocus {
  /** Index of the point. */
  readonly index: number;
  /** Scrolls only the form, so that the next click meets the plan where the person sees it. */
  readonly keepsPlan: boolean;
}

export interface PointsTableProps {
  readonly form: PlacementForm;
  readonly lengths: SiteLengths;
  /** Metres by the index of the point. Undefined if unknown or not redundant. */
  readonly residuals: readonly (number | undefined)[];
  /** The new point whose first field gets the focus. */
  readonly focusNext: RefObject<NextFocus | undefined>;
  /** The element that scrolls the table next to the plan. */
  readonly scrolledForm: RefObject<HTMLElement | null>;
  readonly onRemove: (index: number) => void;
}

/** The points of a plan with their coordinates and residuals. */
export function PointsTable({ form, lengths, residuals, focusNext, scrolledForm, onRemove }: PointsTableProps) {
  const t = useText();
  const styles = useStyles();
  const adminStyles = useAdminStyles();
  const points = form.state('points').value;
  if (points.length === 0) return <p className={adminStyles.note}>{t('tour.plan.noPoints')}</p>;
  const createRef =
    (index: number, ref: (element: HTMLElement | null) => void) => (element: HTMLInputElement | null) => {
      ref(element);
      if (!element || focusNext.current?.index !== index) return;
      const { keepsPlan } = focusNext.current;
      focusNext.current = undefined;
      element.focus({ preventScroll: keepsPlan });
      if (keepsPlan) scrollTo(element, scrolledForm.current);
    };
  return (
    <Table noNativeElements size="small" aria-label={t('tour.plan.points')}>
      <TableHeader>
        <TableRow className={styles.row}>
          <TableHeaderCell className={styles.number}>{t('tour.plan.number')}</TableHeaderCell>
          <TableHeaderCell className={styles.coordinate}>
            {t('tour.plan.east', { unit: lengths.symbol })}
          </TableHeaderCell>
          <TableHeaderCell className={styles.coordinate}>
            {t('tour.plan.north', { unit: lengths.symbol })}
          </TableHeaderCell>
          <TableHeaderCell className={styles.residual}>{t('tour.plan.residual')}</TableHeaderCell>
          <TableHeaderCell className={styles.action}>
            <span className={styles.hiddenWords}>{t('tour.plan.actions')}</span>
          </TableHeaderCell>
        </TableRow>
      </TableHeader>
      <TableBody>
        {points.map((_, index) => (
          // Points have no ids.
          <TableRow key={index} className={styles.row}>
            <TableCell className={styles.number}>{index + 1}</TableCell>
            {(['east', 'north'] as const).map((axis) => {
              const { ref, ...control } = form.number(`points.${index}.${axis}`);
              return (
                <TableCell key={axis} className={styles.coordinate}>
                  <Field className={styles.field} {...form.field(`points.${index}.${axis}`)}>
                    <Input
                      {...control}
                      ref={axis === 'east' ? createRef(index, ref) : ref}
                      className={styles.input}
                      inputMode="decimal"
                      autoComplete="off"
                      aria-label={t(`tour.plan.${axis}Of`, { number: index + 1, unit: lengths.symbol })}
                      input={{ className: styles.input }}
                    />
                  </Field>
                </TableCell>
              );
            })}
            <TableCell className={styles.residual}>
              <Residual metres={residuals[index]} lengths={lengths} />
            </TableCell>
            <TableCell className={styles.action}>
              <Button
                className={styles.remove}
                appearance="subtle"
                icon={<RemoveIcon />}
                disabledFocusable={form.busy}
                aria-label={t('tour.plan.removePoint', { number: index + 1 })}
                onClick={() => onRemove(index)}
              />
            </TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}

interface ResidualProps {
  readonly metres: number | undefined;
  readonly lengths: SiteLengths;
}

function Residual({ metres, lengths }: ResidualProps) {
  const t = useText();
  const styles = useStyles();
  if (metres === undefined) return <>–</>;
  const text = t('tour.plan.length', { value: lengths.fromMetres(metres), unit: lengths.symbol });
  if (metres <= maxResidualMetres) return <>{text}</>;
  return (
    <span className={styles.failed}>
      <WarningIcon />
      <span>{text}</span>
      <span className={styles.residualText}>{t('tour.plan.tooFar')}</span>
    </span>
  );
}

/** Scrolls the form, and nothing around it, to a field. */
function scrollTo(field: HTMLElement, form: HTMLElement | null): void {
  if (!form) return;
  const hiddenPx = field.getBoundingClientRect().bottom - form.getBoundingClientRect().bottom;
  if (hiddenPx > 0) form.scrollTop += hiddenPx + marginPx;
}
