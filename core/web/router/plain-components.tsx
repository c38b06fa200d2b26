import { Fragment } from 'react';
import { Navigate } from 'react-router-dom';
import { Message } from '../i18n/message.tsx';
import { useText } from '../i18n/use-text.ts';
import { Session } from '../kernel/services.ts';
import { useService } from '../kernel/use-service.ts';
import { useMenu } from './use-menu.ts';
import type {
  ChunkFailedProps,
  FailedProps,
  LeaveQuestionProps,
  NoAccessProps,
  AppComponents,
  ShellProps,
} from './app-components.ts';

/** Minimal components, for tests and as a fallback if the real ones fail to load. */
export const plainComponents: AppComponents = {
  frame: Fragment,
  user: PlainShell,
  admin: PlainShell,
  bare: PlainShell,
  noAccess: PlainNoAccess,
  accountDeactivate: PlainAccountDeactivate,
  notFound: () => <Plain title="core.notFound.title" text="core.notFound.hint" />,
  serverError: () => <Plain title="core.serverError.title" text="core.failed.hint" />,
  forbidden: () => <Plain title="core.forbidden.title" text="core.noAccess.request" />,
  loading: PlainPending,
  pending: PlainPending,
  failed: PlainFailed,
  chunkFailed: PlainChunkFailed,
  leaveQuestion: PlainLeaveQuestion,
  adminHome: () => Promise.resolve({ default: PlainAdminHome }),
};

function PlainShell({ children }: ShellProps) {
  return <main>{children}</main>;
}

function Plain({ title, text }: { readonly title: string; readonly text: string }) {
  return (
    <>
      <h1>
        <Message id={title} />
      </h1>
      <p>
        <Message id={text} />
      </p>
    </>
  );
}

function PlainNoAccess({ area }: NoAccessProps) {
  return <Plain title={`core.noAccess.${area}`} text="core.noAccess.request" />;
}

function PlainAccountDeactivate() {
  const session = useService(Session);
  return (
    <>
      <Plain title="core.accountDeactivate.title" text="core.accountDeactivate.hint" />
      <button type="button" onClick={() => void session.logout({ error: 'userData' })}>
        <Message id="core.accountDeactivate.back" />
      </button>
    </>
  );
}

function PlainPending() {
  const text = useText();
  return <p role="status">{text('core.loading')}</p>;
}

function PlainFailed({ reference, retry }: FailedProps) {
  return (
    <div role="alert">
      <Plain title="core.failed.general" text="core.failed.hint" />
      <p>
        <Message id="core.failed.reference" values={{ reference }} />
      </p>
      <button type="button" onClick={retry}>
        <Message id="core.tryAgain" />
      </button>
    </div>
  );
}

function PlainChunkFailed({ offline, unsaved, retry, reload }: ChunkFailedProps) {
  return (
    <div role="alert">
      <Plain title="core.chunk.title" text={`core.chunk.${offline ? 'offline' : unsaved ? 'unsaved' : 'hint'}`} />
      <button type="button" onClick={retry}>
        <Message id="core.tryAgain" />
      </button>
      {offline ? null : (
        <button type="button" onClick={reload}>
          <Message id="core.chunk.reload" />
        </button>
      )}
    </div>
  );
}

function PlainLeaveQuestion({ leave, stay }: LeaveQuestionProps) {
  return (
    <div role="alertdialog" aria-labelledby="leave-title">
      <h2 id="leave-title">
        <Message id="core.unsaved.title" />
      </h2>
      <p>
        <Message id="core.unsaved.message" />
      </p>
      <button type="button" onClick={stay}>
        <Message id="core.unsaved.stay" />
      </button>
      <button type="button" onClick={leave}>
        <Message id="core.unsaved.leave" />
      </button>
    </div>
  );
}

/** The first admin screen of the menu. */
function PlainAdminHome() {
  const firstEntry = useMenu('admin.sidebar')[0];
  return firstEntry ? <Navigate to={firstEntry.url} replace /> : <PlainNoAccess area="application" />;
}
