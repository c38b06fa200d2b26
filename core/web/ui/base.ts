/**
 * The components that the frame of the shells is made of: what has to be there before the first screen is.
 * For core alone; `shell.ts` hands all of it on. Written as import and export, so that the build keeps it one file.
 */
import {
  Button,
  FluentProvider,
  Link,
  makeStyles,
  mergeClasses,
  MessageBar,
  MessageBarActions,
  MessageBarBody,
  MessageBarTitle,
  Spinner,
  tokens,
  useFocusVisible,
} from '@fluentui/react-components';

export {
  Button,
  FluentProvider,
  Link,
  makeStyles,
  mergeClasses,
  MessageBar,
  MessageBarActions,
  MessageBarBody,
  MessageBarTitle,
  Spinner,
  tokens,
  useFocusVisible,
};
