import { Component, type ReactNode } from 'react';
import { observer } from 'mobx-react-lite';
import { logError } from '../kernel/log.ts';
import { Page } from '../kernel/page.ts';
import { usePluginScope } from '../kernel/plugin-scope.tsx';
import { ApiError } from '../kernel/services.ts';
import { useService } from '../kernel/use-service.ts';
import { ChunkLoadError } from '../kernel/load-chunk.ts';
import { forgetFailedLoads } from './loaded.ts';
import { useShells } from './shells.ts';
import { UnsavedWork } from './unsaved-work.ts';

interface Caught {
  readonly error: unknown;
  readonly reference: string;
}

interface BoundaryProps {
  readonly children: ReactNode;
  /** What stood inside, for the log. */
  readonly name: string;
  readonly fallback: (caught: Caught, reset: () => void) => ReactNode;
}

/**
 * Catches what a part of the page throws while it is drawn, so that the rest stands. Given another `key`, it begins
 * anew.
 */
export class ErrorBoundary extends Component<BoundaryProps, { readonly caught: Caught | undefined }> {
  override state: { readonly caught: Caught | undefined } = { caught: undefined };

  static getDerivedStateFromError(error: unknown): { readonly caught: Caught } {
    return { caught: { error, reference: findReference(error) } };
  }

  override componentDidCatch(error: unknown): void {
    logError(`'${this.props.name}' could not be drawn (reference ${this.state.caught?.reference ?? '-'}).`, error);
  }

  override render(): ReactNode {
    const { caught } = this.state;
    return caught ? this.props.fallback(caught, () => this.setState({ caught: undefined })) : this.props.children;
  }
}

/** The server's own reference where the failure came from there. */
function findReference(error: unknown): string {
  return (error instanceof ApiError ? error.body?.reference : undefined) ?? crypto.randomUUID().slice(0, 8);
}

/**
 * The boundary of a screen or a contribution: says what happened and offers to try again, or to reload where code is
 * missing.
 */
export function ScreenBoundary({
  name,
  onRetry,
  children,
}: {
  readonly name: string;
  readonly onRetry?: () => void;
  readonly children: ReactNode;
}) {
  return (
    <ErrorBoundary
      name={name}
      fallback={(caught, reset) => (
        <Failure
          caught={caught}
          reset={() => {
            onRetry?.();
            reset();
          }}
        />
      )}
    >
      {children}
    </ErrorBoundary>
  );
}

const Failure = observer(function Failure({ caught, reset }: { readonly caught: Caught; readonly reset: () => void }) {
  const shells = useShells();
  const { host } = usePluginScope();
  const page = useService(Page);
  const unsaved = useService(UnsavedWork);
  const retry = () => {
    forgetFailedLoads();
    void host.forgetFailures().then(reset);
  };
  const { error, reference } = caught;
  return error instanceof ChunkLoadError ? (
    <shells.chunkFailed error={error} unsaved={unsaved.exists} retry={retry} reload={() => page.reload()} />
  ) : (
    <shells.failed error={error} reference={reference} retry={retry} />
  );
});
