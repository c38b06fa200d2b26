/**
 * Grids, trees, pickers and toasts for lists, large forms and workbenches. This is one of two deliberate barrels; see
 * `shell.ts`.
 */
import {
  Combobox,
  createTableColumn,
  DataGrid,
  DataGridBody,
  DataGridCell,
  DataGridHeader,
  DataGridHeaderCell,
  DataGridRow,
  Dropdown,
  InfoLabel,
  InteractionTag,
  InteractionTagPrimary,
  InteractionTagSecondary,
  List,
  ListItem,
  Option,
  OptionGroup,
  SpinButton,
  Table,
  TableBody,
  TableCell,
  TableCellLayout,
  TableHeader,
  TableHeaderCell,
  TableRow,
  Tag,
  TagGroup,
  Toast,
  ToastBody,
  Toaster,
  ToastTitle,
  Tree,
  TreeItem,
  TreeItemLayout,
  useComboboxFilter,
  useTableFeatures,
  useTableSelection,
  useTableSort,
  useToastController,
} from '@fluentui/react-components';
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { LastChangeStore } from '../admin/last-change-store.ts';
import { ChangeSender, sendUndo } from '../admin/change-sender.ts';
import { readConflict } from '../admin/read-conflict.ts';
import { useConflict } from '../admin/use-conflict.ts';
import { useFormKey } from '../admin/use-form-key.ts';
import { useProductFlags } from '../admin/use-product-flags.ts';
import { usePagedResource } from '../resource/use-paged-resource.ts';
import { AtLocation } from './admin/at-location.tsx';
import { DataTable } from './data-table/data-table.tsx';
import { ConfirmDialog } from './admin/confirm-dialog.tsx';
import { ConflictMessage } from './admin/conflict-message.tsx';
import { DelayedSkeleton } from './admin/delayed-skeleton.tsx';
import { DescriptionList } from './admin/description-list.tsx';
import { FileChoice } from './admin/file-choice.tsx';
import { FormDialog } from './admin/form-dialog.tsx';
import { ImportCard } from './admin/import-card.tsx';
import { JobProgress } from './admin/job-progress.tsx';
import { LastChangeLine } from './admin/last-change-line.tsx';
import { LocationChoice } from './admin/location-choice.tsx';
import { PageForm } from './admin/page-form.tsx';
import { PoseFields } from './admin/pose-fields.tsx';
import { UnitChoice } from './admin/unit-choice.tsx';
import { useAdminStyles } from './admin/use-admin-styles.ts';

export {
  AtLocation,
  ChangeSender,
  Combobox,
  ConfirmDialog,
  ConflictMessage,
  createTableColumn,
  DataGrid,
  DataGridBody,
  DataGridCell,
  DataGridHeader,
  DataGridHeaderCell,
  DataGridRow,
  DataTable,
  defaultRangeExtractor,
  DelayedSkeleton,
  DescriptionList,
  Dropdown,
  FileChoice,
  FormDialog,
  InfoLabel,
  InteractionTag,
  InteractionTagPrimary,
  InteractionTagSecondary,
  List,
  ListItem,
  ImportCard,
  JobProgress,
  LastChangeLine,
  LastChangeStore,
  LocationChoice,
  Option,
  OptionGroup,
  PageForm,
  PoseFields,
  readConflict,
  sendUndo,
  SpinButton,
  Table,
  TableBody,
  TableCell,
  TableCellLayout,
  TableHeader,
  TableHeaderCell,
  TableRow,
  Tag,
  TagGroup,
  Toast,
  ToastBody,
  Toaster,
  ToastTitle,
  Tree,
  TreeItem,
  TreeItemLayout,
  UnitChoice,
  useAdminStyles,
  useComboboxFilter,
  useConflict,
  useFormKey,
  usePagedResource,
  useProductFlags,
  useTableFeatures,
  useTableSelection,
  useTableSort,
  useToastController,
  useVirtualizer,
};
export * from '../i18n/use-source-system-formatter.ts';
export type { LastChange } from '../admin/last-change-store.ts';
export type { PagedRows } from '../resource/paged-resource.ts';
export type { DataColumn } from './data-table/data-column.ts';
export type { DataTableHandle, DataTableSort } from './data-table/data-table.tsx';
