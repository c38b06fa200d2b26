import type { ReactNode } from 'react';

export interface DataColumn<Row> {
  readonly id: string;
  readonly title: string;
  /** The title is visible to screen readers only. */
  readonly titleHidden?: boolean;
  /** In a row of stacked cells, shows the title before the value. For values that are unclear without it. */
  readonly titleWhenStacked?: boolean;
  /** Track of the CSS grid, such as `minmax(0, 2fr)`. */
  readonly width: string;
  readonly sortable?: boolean;
  /** In a row of stacked cells, the cell shares its line with the next cell. */
  readonly besideNext?: boolean;
  /** Each control in a cell must use `tabIndex`, so that only the controls of the active row are in the tab order. */
  readonly cell: (row: Row, tabIndex: 0 | -1) => ReactNode;
}
