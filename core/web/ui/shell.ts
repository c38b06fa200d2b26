/**
 * The Fluent components of shells and most screens, and our own small components. This is one of two deliberate
 * barrels. Separate imports and exports keep it one file. Components that few screens need belong in `data.ts`.
 */
import {
  Accordion,
  AccordionHeader,
  AccordionItem,
  AccordionPanel,
  Avatar,
  Badge,
  Breadcrumb,
  BreadcrumbButton,
  BreadcrumbDivider,
  BreadcrumbItem,
  Card,
  CardFooter,
  CardHeader,
  CardPreview,
  Checkbox,
  CounterBadge,
  Dialog,
  DialogActions,
  DialogBody,
  DialogContent,
  DialogSurface,
  DialogTitle,
  DialogTrigger,
  Divider,
  DrawerBody,
  DrawerFooter,
  DrawerHeader,
  DrawerHeaderTitle,
  Field,
  Image,
  InlineDrawer,
  Input,
  Label,
  Menu,
  MenuButton,
  MenuDivider,
  MenuGroup,
  MenuGroupHeader,
  MenuItem,
  MenuItemLink,
  MenuItemRadio,
  MenuList,
  MenuPopover,
  MenuTrigger,
  OverlayDrawer,
  Popover,
  PopoverSurface,
  PopoverTrigger,
  ProgressBar,
  Radio,
  RadioGroup,
  Select,
  Skeleton,
  SkeletonItem,
  Slider,
  Switch,
  Tab,
  TabList,
  Text,
  Textarea,
  ToggleButton,
  Toolbar,
  ToolbarButton,
  ToolbarDivider,
  ToolbarGroup,
  ToolbarToggleButton,
  Tooltip,
  useArrowNavigationGroup,
  useFocusFinders,
  useId,
  useRestoreFocusSource,
  useRestoreFocusTarget,
} from '@fluentui/react-components';
import { EmptyState } from './empty-state.tsx';
import { DeviceCheck, animateFullTurn } from './device-check.tsx';
import { FailedState } from './failed-state.tsx';
import { LaunchAnimation } from './launch-animation.tsx';
import { LoadingState } from './loading-state.tsx';
import { Logo } from './logo.tsx';
import { NoAccessActions } from './no-access-actions.tsx';
import { NoAccessState } from './no-access-state.tsx';
import { PageTitle } from './page-title.tsx';
import { PictureCard } from './picture-card.tsx';
import { PictureNotes } from './picture-notes.tsx';
import { CloseOnEscape } from './viewer/close-on-escape.tsx';
import { CoverContext, useCover } from './viewer/cover.ts';
import { isInOverlay, isModalOpen } from './viewer/is-in-overlay.ts';
import {
  fromWindow,
  limitWindow,
  maxZoom,
  moveWindow,
  showInWindow,
  toWindow,
  wholePicture,
  zoomWindow,
} from './viewer/picture-window.ts';
import { SidePanel } from './viewer/side-panel.tsx';
import { ToolButton } from './viewer/tool-button.tsx';
import { ToolStrip } from './viewer/tool-strip.tsx';
import { usePictureGestures, windowKeys } from './viewer/use-picture-gestures.ts';
import { ResourceView } from './resource-view.tsx';
import { CardsSkeleton, ListSkeleton, PanelSkeleton } from './skeletons.tsx';
import { SearchBox } from './search-box.tsx';
import { StateView } from './state-view.tsx';
import { useClipboard } from './use-clipboard.ts';
import { useDelayed } from './use-delayed.ts';
import { useRestoreFocus } from './use-restore-focus.ts';
import { useTooltipVisibility } from './use-tooltip-visibility.ts';
import { useForm } from './use-form.ts';

export * from './base.ts';
export {
  Accordion,
  AccordionHeader,
  AccordionItem,
  AccordionPanel,
  Avatar,
  Badge,
  Breadcrumb,
  BreadcrumbButton,
  BreadcrumbDivider,
  BreadcrumbItem,
  Card,
  CardFooter,
  CardHeader,
  CardPreview,
  CardsSkeleton,
  Checkbox,
  CloseOnEscape,
  CounterBadge,
  CoverContext,
  Dialog,
  DialogActions,
  DialogBody,
  DialogContent,
  DialogSurface,
  DialogTitle,
  DialogTrigger,
  Divider,
  DrawerBody,
  DrawerFooter,
  DrawerHeader,
  DrawerHeaderTitle,
  EmptyState,
  DeviceCheck,
  FailedState,
  Field,
  fromWindow,
  Image,
  InlineDrawer,
  Input,
  Label,
  LaunchAnimation,
  limitWindow,
  ListSkeleton,
  LoadingState,
  Logo,
  maxZoom,
  Menu,
  MenuButton,
  MenuDivider,
  MenuGroup,
  MenuGroupHeader,
  MenuItem,
  MenuItemLink,
  MenuItemRadio,
  MenuList,
  MenuPopover,
  MenuTrigger,
  moveWindow,
  NoAccessActions,
  NoAccessState,
  OverlayDrawer,
  PageTitle,
  PanelSkeleton,
  PictureCard,
  PictureNotes,
  Popover,
  PopoverSurface,
  PopoverTrigger,
  ProgressBar,
  Radio,
  RadioGroup,
  ResourceView,
  SearchBox,
  Select,
  showInWindow,
  SidePanel,
  Skeleton,
  SkeletonItem,
  Slider,
  StateView,
  Switch,
  Tab,
  TabList,
  Text,
  Textarea,
  ToggleButton,
  Toolbar,
  ToolbarButton,
  ToolbarDivider,
  ToolbarGroup,
  ToolbarToggleButton,
  ToolButton,
  ToolStrip,
  Tooltip,
  toWindow,
  useArrowNavigationGroup,
  isInOverlay,
  isModalOpen,
  useClipboard,
  useCover,
  animateFullTurn,
  useDelayed,
  useFocusFinders,
  usePictureGestures,
  useRestoreFocus,
  useForm,
  useId,
  useRestoreFocusSource,
  useRestoreFocusTarget,
  useTooltipVisibility,
  wholePicture,
  windowKeys,
  zoomWindow,
};
export type { MenuProps, TooltipProps } from '@fluentui/react-components';
export type { Form, FormInput } from './use-form.ts';
export type { PictureWindow } from './viewer/picture-window.ts';
export type { SetWindow, WindowKeys } from './viewer/use-picture-gestures.ts';
export type { Cover, CoverEdge } from './viewer/cover.ts';
export type { DeviceCheckSample } from './device-check.tsx';

/** The QR code is a separate file, because the sign-in page uses it too. */
export const loadQrCode = () => import('./qr-code.tsx');
