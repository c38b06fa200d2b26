/**
 * The components that the shells need before the first screen.
 * Only core imports this file; `shell.ts` re-exports it. Separate imports and exports keep it one file in the build.
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
